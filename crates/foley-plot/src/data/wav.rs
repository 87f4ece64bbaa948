//! Reader of WAV files.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use hound::{SampleFormat, WavReader};

/// Longest duration that is read, s.
pub const LONGEST_S: u64 = 3600;
/// Most samples that are kept, over all channels: 1 GiB.
const MOST_SAMPLES: u64 = 1 << 28;

/// A sound from a file.
#[derive(Debug)]
pub struct Sound {
    /// Samples, channel after channel; full scale is ±1.
    pub channels: Vec<Vec<f32>>,
    /// Samples per second.
    pub sample_rate: u32,
    /// Duration of the file, s, when only its beginning was read.
    pub cut_from_s: Option<f64>,
}

/// Returns samples per channel and sample rate as the header of a WAV file states them.
pub fn length(path: &Path) -> Result<(u64, u32)> {
    let reader = open(path)?;
    Ok((u64::from(reader.duration()), reader.spec().sample_rate))
}

/// Reads a WAV file of 8, 16, 24 or 32-bit integers or 32-bit floats; of a file longer
/// than an hour or larger than 1 GiB in memory, only the beginning.
pub fn read(path: &Path) -> Result<Sound> {
    decode(open(path)?, MOST_SAMPLES).with_context(|| format!("cannot read {}", path.display()))
}

fn open(path: &Path) -> Result<WavReader<BufReader<File>>> {
    WavReader::open(path).with_context(|| format!("cannot read {} as a WAV file", path.display()))
}

fn decode<R: Read>(mut reader: WavReader<R>, most_samples: u64) -> Result<Sound> {
    let spec = reader.spec();
    let (frames, count) = (u64::from(reader.duration()), usize::from(spec.channels));
    if count == 0 || frames == 0 {
        bail!("the file holds no samples");
    }
    if spec.sample_rate == 0 {
        bail!("the file says that its sample rate is 0 Hz");
    }
    let longest = LONGEST_S * u64::from(spec.sample_rate);
    let kept = frames.min(longest).min(most_samples / count as u64).max(1);
    let mut channels = vec![Vec::new(); count];
    let mut put = |i: usize, sample: f32| channels[i % count].push(sample);
    let wanted = kept as usize * count;
    let broken = |i: usize| format!("the file breaks off or is damaged at sample {}", i / count);
    match spec.sample_format {
        SampleFormat::Float => {
            for (i, sample) in reader.samples::<f32>().take(wanted).enumerate() {
                put(i, sample.with_context(|| broken(i))?);
            }
        }
        SampleFormat::Int => {
            let full_scale = 2f64.powi(i32::from(spec.bits_per_sample).clamp(1, 32) - 1);
            for (i, sample) in reader.samples::<i32>().take(wanted).enumerate() {
                put(i, (f64::from(sample.with_context(|| broken(i))?) / full_scale) as f32);
            }
        }
    }
    let cut_from_s = (kept < frames).then(|| frames as f64 / f64::from(spec.sample_rate));
    Ok(Sound { channels, sample_rate: spec.sample_rate, cut_from_s })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hound::{WavSpec, WavWriter};
    use std::io::Cursor;

    fn spec(bits_per_sample: u16, sample_format: SampleFormat) -> WavSpec {
        WavSpec { channels: 2, sample_rate: 48_000, bits_per_sample, sample_format }
    }

    fn written(spec: WavSpec, write: impl Fn(&mut WavWriter<&mut Cursor<Vec<u8>>>)) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let mut writer = WavWriter::new(&mut bytes, spec).unwrap();
        write(&mut writer);
        writer.finalize().unwrap();
        bytes.into_inner()
    }

    fn read_bytes(bytes: &[u8]) -> Result<Sound> {
        decode(WavReader::new(bytes)?, MOST_SAMPLES)
    }

    #[test]
    fn every_width_reads_half_scale_as_a_half() {
        for bits in [8u16, 16, 24, 32] {
            let half = 1i32 << (bits - 2);
            let bytes = written(spec(bits, SampleFormat::Int), |w| {
                for sample in [half, -half, 0, half] {
                    w.write_sample(sample).unwrap();
                }
            });
            let sound = read_bytes(&bytes).unwrap();
            assert_eq!(sound.channels, [[0.5, 0.0], [-0.5, 0.5]], "{bits} bits");
        }
        let bytes = written(spec(32, SampleFormat::Float), |w| {
            for sample in [0.25f32, -1.5] {
                w.write_sample(sample).unwrap();
            }
        });
        assert_eq!(read_bytes(&bytes).unwrap().channels, [[0.25], [-1.5]]);
    }

    #[test]
    fn broken_files_are_errors_wherever_they_break() {
        let bytes = written(spec(16, SampleFormat::Int), |w| {
            for i in 0..200i16 {
                w.write_sample(i).unwrap();
            }
        });
        for length in 0..bytes.len() {
            assert!(read_bytes(&bytes[..length]).is_err(), "cut to {length} bytes");
        }
        let error = format!("{:#}", read_bytes(&bytes[..bytes.len() - 3]).unwrap_err());
        assert!(error.contains("breaks off or is damaged at sample 99"), "{error}");
        let empty = written(spec(16, SampleFormat::Int), |_| {});
        assert!(read_bytes(&empty).unwrap_err().to_string().contains("no samples"));
    }

    #[test]
    fn long_files_are_cut_and_say_so() {
        let bytes = written(spec(16, SampleFormat::Int), |w| {
            for i in 0..96i16 {
                w.write_sample(i).unwrap();
            }
        });
        let sound = decode(WavReader::new(&bytes[..]).unwrap(), 20).unwrap();
        assert_eq!((sound.channels[0].len(), sound.cut_from_s), (10, Some(1e-3)));
    }
}

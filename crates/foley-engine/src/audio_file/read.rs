//! Reader of sound files through `symphonia`: WAV of 8, 16, 24 or 32-bit integers or of floats,
//! and FLAC.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use foley_geometry::bounded_read;
use symphonia::core::codecs::CodecParameters;
use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::default::{get_codecs, get_probe};

/// Longest duration that [`read`] keeps, s.
const LONGEST_S: u64 = 3600;
/// Most samples that [`read`] keeps, over all channels: 1 GiB.
const MOST_SAMPLES: u64 = 1 << 28;
/// Most channels that `symphonia` places; far above, its channel mask overflows.
const MOST_CHANNELS: u16 = 26;

/// Format tags of WAV files that are read: integers, floats, A-law, µ-law, and those with an extension.
const WAV_TAGS: [u16; 5] = [1, 3, 6, 7, 0xfffe];

/// Sample rates of sounds, Hz.
const RATES_HZ: std::ops::RangeInclusive<u32> = 100..=10_000_000;
/// Largest magnitude of a sample; full scale is 1. Far above, the power overflows a float.
const LARGEST: f32 = 1e9;

/// A sound file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {reason}", path.display())]
pub struct DecodeError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it, and what to do.
    pub reason: String,
}

/// A sound from a file.
#[derive(Debug)]
pub struct Sound {
    /// Samples, channel after channel; full scale is ±1.
    pub channels: Vec<Vec<f32>>,
    /// Samples per second.
    pub sample_rate_hz: u32,
    /// Duration of the file, s, when only its beginning was read.
    pub cut_from_s: Option<f64>,
}

impl Sound {
    /// Returns the number of the loudest channel, the first of equal ones; `None` without channels.
    pub fn loudest_channel(&self) -> Option<usize> {
        let power = |y: &Vec<f32>| y.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
        let powers: Vec<f64> = self.channels.iter().map(power).collect();
        (0..powers.len()).rev().max_by(|a, b| powers[*a].total_cmp(&powers[*b]))
    }
}

/// Reads a sound file; of one longer than an hour or larger than 1 GiB in memory, only the
/// beginning.
pub fn read(path: &Path) -> Result<Sound, DecodeError> {
    Reader::open(path)?.read(MOST_SAMPLES)
}

/// An open file with its length.
struct OpenFile<R> {
    file: R,
    length: u64,
}

impl<R: Read> Read for OpenFile<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.file.read(bytes)
    }
}

impl<R: Seek> Seek for OpenFile<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

impl<R: Read + Seek + Send + Sync> MediaSource for OpenFile<R> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.length)
    }
}

/// A sound file that is decoded block by block.
pub struct Reader {
    /// Samples per second.
    pub sample_rate_hz: u32,
    /// Number of channels.
    pub channels: usize,
    /// Samples per channel as the header states them.
    pub frames: Option<u64>,
    path: PathBuf,
    format: Box<dyn FormatReader>,
    decoder: Box<dyn AudioDecoder>,
    frames_read: u64,
    block: Vec<Vec<f32>>,
    /// Bytes of FLAC frames that were not decoded yet.
    flac_bytes_left: Option<u64>,
}

impl Reader {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, DecodeError> {
        let fail = |reason| DecodeError { path: path.to_owned(), reason };
        bounded_read::check(path).map_err(|error| fail(error.cause.to_string()))?;
        let file = File::open(path).map_err(|error| fail(error.to_string()))?;
        Self::new(path, Box::new(file))
    }

    /// Reads the header of an open file; `path` is its name in messages.
    pub fn from_reader(
        path: &Path,
        mut file: impl Read + Seek + Send + Sync + 'static,
    ) -> Result<Self, DecodeError> {
        let fail = |error: std::io::Error| DecodeError {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let length = file.seek(SeekFrom::End(0)).map_err(fail)?;
        file.rewind().map_err(fail)?;
        Self::new(path, Box::new(OpenFile { file, length }))
    }

    fn new(path: &Path, source: Box<dyn MediaSource>) -> Result<Self, DecodeError> {
        let opened = catch(
            || Self::of_source(path, source),
            "its header is damaged; copy or export it again".into(),
        );
        let fail = |reason| DecodeError { path: path.to_owned(), reason };
        let opened = opened.map_err(fail)?;
        let rate = opened.sample_rate_hz;
        if !RATES_HZ.contains(&rate) {
            let why = "is not between 100 Hz and 10 MHz; convert it to 48 kHz";
            return Err(fail(format!("its sample rate of {rate} Hz {why}")));
        }
        Ok(opened)
    }

    fn of_source(path: &Path, mut source: Box<dyn MediaSource>) -> Result<Self, String> {
        let is_known = check_header(&mut *source)?;
        let flac_bytes_left = flac_frames_bytes(&mut *source);
        source.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
        let stream = MediaSourceStream::new(source, Default::default());
        let format =
            get_probe().probe(&Hint::new(), stream, Default::default(), Default::default());
        let format = format.map_err(|_| match is_known {
            true => "its header is damaged or the file is cut off; copy or export it again",
            false => "the file is neither WAV nor FLAC; convert it to one of them",
        })?;
        let no_sound = "it holds no sound; export it again";
        let track = format.default_track(TrackType::Audio).ok_or(no_sound)?;
        let Some(CodecParameters::Audio(codec)) = &track.codec_params else {
            return Err(
                "its codec is not known; convert it to FLAC, or to WAV without compression".into(),
            );
        };
        let decoder =
            get_codecs().make_audio_decoder(codec, &AudioDecoderOptions::default().verify(true));
        Ok(Self {
            sample_rate_hz: codec
                .sample_rate
                .filter(|rate| *rate > 0)
                .ok_or("its sample rate is 0 Hz; export it again")?,
            channels: (codec.channels.as_ref().map(|channels| channels.count()))
                .filter(|count| *count > 0)
                .ok_or("it has no channels; export it again")?,
            frames: track.num_frames,
            path: path.to_owned(),
            decoder: decoder.map_err(|error| {
                format!("{error}; convert it to FLAC, or to WAV without compression")
            })?,
            format,
            frames_read: 0,
            block: Vec::new(),
            flac_bytes_left,
        })
    }

    /// Decodes the next samples, channel after channel, with full scale at ±1; `None` at the end.
    /// Samples that are not finite or beyond 10⁹ are errors.
    pub fn next_block(&mut self) -> Result<Option<&[Vec<f32>]>, DecodeError> {
        let decoded = catch(|| self.decode(), Error::DecodeError("its samples cannot be decoded"));
        let problem = match decoded {
            Ok(0) if self.frames_read < self.frames.unwrap_or(0) => "it ends there".into(),
            Ok(0) if self.frames_read == 0 => {
                let reason = "the file holds no samples; record it again".into();
                return Err(DecodeError { path: self.path.clone(), reason });
            }
            Ok(0) if self.decoder.finalize().verify_ok == Some(false) => {
                "its checksum is wrong".into()
            }
            // Nothing else shows that the last frame of a stream without length and checksum is damaged.
            Ok(0) if self.frames.is_none() && self.flac_bytes_left.is_some_and(|left| left > 0) => {
                "its last frame is damaged".into()
            }
            Ok(0) => return Ok(None),
            Ok(frames) => {
                self.check_samples()?;
                self.frames_read += frames as u64;
                return Ok(Some(&self.block));
            }
            Err(error) => error.to_string(),
        };
        let reason = format!(
            "the file breaks off or is damaged at sample {} ({problem}); copy or export it again",
            self.frames_read
        );
        Err(DecodeError { path: self.path.clone(), reason })
    }

    /// Decodes one packet into `block` and returns its frames; 0 at the end.
    fn decode(&mut self) -> Result<usize, Error> {
        let packet = match self.format.next_packet() {
            // A stream that does not know its length ends where the file ends.
            Err(Error::IoError(error))
                if self.frames.is_none() && error.kind() == ErrorKind::UnexpectedEof =>
            {
                None
            }
            packet => packet?,
        };
        let Some(packet) = packet else { return Ok(0) };
        if let Some(left) = &mut self.flac_bytes_left {
            *left = left.saturating_sub(packet.data.len() as u64);
            // Frames with a wrong checksum are skipped, which the numbers of the next ones show.
            if u64::try_from(packet.pts.get()) != Ok(self.frames_read) {
                return Err(Error::DecodeError("a frame is damaged"));
            }
        }
        let decoded = self.decoder.decode(&packet)?;
        decoded.copy_to_vecs_planar(&mut self.block);
        Ok(decoded.frames())
    }

    /// Refuses a block with samples that are no sound.
    fn check_samples(&self) -> Result<(), DecodeError> {
        for (c, channel) in self.block.iter().enumerate() {
            if let Some(i) = channel.iter().position(|y| !(y.abs() <= LARGEST)) {
                let (value, at) = (channel[i], self.frames_read + i as u64);
                let reason = format!(
                    "sample {at} of channel {c} is {value}, which is not a sound; repair the file"
                );
                return Err(DecodeError { path: self.path.clone(), reason });
            }
        }
        Ok(())
    }

    fn read(mut self, most_samples: u64) -> Result<Sound, DecodeError> {
        let longest = LONGEST_S * u64::from(self.sample_rate_hz);
        let most = longest.min(most_samples / self.channels as u64).max(1) as usize;
        let mut channels = vec![Vec::new(); self.channels];
        while channels[0].len() < most
            && let Some(block) = self.next_block()?
        {
            for (channel, block) in channels.iter_mut().zip(block) {
                let wanted = block.len().min(most - channel.len());
                channel.extend_from_slice(&block[..wanted]);
            }
        }
        let frames = self.frames.unwrap_or(self.frames_read);
        let is_cut = (channels[0].len() as u64) < frames;
        let cut_from_s = is_cut.then(|| frames as f64 / f64::from(self.sample_rate_hz));
        Ok(Sound { channels, sample_rate_hz: self.sample_rate_hz, cut_from_s })
    }
}

/// Runs a decoder. It may panic on damaged files in builds that check for overflow.
fn catch<T, E>(run: impl FnOnce() -> Result<T, E>, panicked: E) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(Err(panicked))
}

/// Returns whether a source begins like WAV or FLAC. Refuses a WAV file with too many channels, for
/// which the decoder may panic, and compressed samples.
fn check_header(source: &mut dyn MediaSource) -> Result<bool, String> {
    let mut magic = [0; 4];
    let is_known = source.read_exact(&mut magic).is_ok() && [*b"RIFF", *b"fLaC"].contains(&magic);
    source.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
    let format = wav_format(source).unwrap_or_default();
    source.seek(SeekFrom::Start(0)).map_err(|error| error.to_string())?;
    match format {
        Some((_, 0)) => Err("it has no channels; export it again".into()),
        Some((_, channels)) if channels > MOST_CHANNELS => Err(format!(
            "it has {channels} channels, and at most {MOST_CHANNELS} are read; mix it down, or export \
             the channels that matter"
        )),
        Some((tag, _)) if !WAV_TAGS.contains(&tag) => Err(format!(
            "its samples are compressed (WAV format {tag:#06x}); convert it to FLAC, or to WAV without \
             compression"
        )),
        _ => Ok(is_known),
    }
}

/// Returns the number of bytes behind the metadata of a FLAC file; `None` of other files.
fn flac_frames_bytes(source: &mut dyn MediaSource) -> Option<u64> {
    let length = source.byte_len()?;
    let mut magic = [0; 4];
    source.read_exact(&mut magic).ok().filter(|()| magic == *b"fLaC")?;
    loop {
        let mut block = [0; 4];
        source.read_exact(&mut block).ok()?;
        let [kind, size @ ..] = block;
        let size = size.iter().fold(0, |size, byte| size << 8 | i64::from(*byte));
        let at = source.seek(SeekFrom::Current(size)).ok()?;
        let is_last = kind & 0x80 != 0;
        if is_last {
            return length.checked_sub(at);
        }
    }
}

/// Returns the format tag and the number of channels in the chunk `fmt ` of a WAV file, wherever it
/// stands; `None` of other files.
fn wav_format(source: &mut dyn MediaSource) -> std::io::Result<Option<(u16, u16)>> {
    let mut header = [0; 12];
    source.read_exact(&mut header)?;
    if header[..4] != *b"RIFF" || header[8..] != *b"WAVE" {
        return Ok(None);
    }
    loop {
        let mut chunk = [0; 8];
        source.read_exact(&mut chunk)?;
        if chunk[..4] == *b"fmt " {
            let mut format = [0; 4];
            source.read_exact(&mut format)?;
            let [tag_low, tag_high, low, high] = format;
            let tag = u16::from_le_bytes([tag_low, tag_high]);
            return Ok(Some((tag, u16::from_le_bytes([low, high]))));
        }
        let [_, _, _, _, size @ ..] = chunk;
        let size = i64::from(u32::from_le_bytes(size));
        source.seek(SeekFrom::Current(size + (size & 1)))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hound::{SampleFormat, WavSpec, WavWriter};
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

    fn ramp(samples: i16) -> Vec<u8> {
        written(spec(16, SampleFormat::Int), |w| {
            (0..samples).for_each(|i| w.write_sample(i).unwrap());
        })
    }

    fn read_bytes(bytes: &[u8], most_samples: u64) -> Result<Sound, DecodeError> {
        let source = Box::new(Cursor::new(bytes.to_vec()));
        Reader::new(Path::new("x.wav"), source)?.read(most_samples)
    }

    #[test]
    fn every_width_has_its_full_scale_at_one() {
        for bits in [8u16, 16, 24, 32] {
            let full = 1i64 << (bits - 1);
            // Both ends, zero, one step, and many in between.
            let mut samples = vec![-full, full - 1, 0, 1, -1, full / 2];
            samples.extend((0..1000).map(|k| k * k * 7_919 % (2 * full) - full));
            let bytes = written(spec(bits, SampleFormat::Int), |w| {
                samples.iter().for_each(|x| w.write_sample(*x as i32).unwrap());
            });
            let sound = read_bytes(&bytes, MOST_SAMPLES).unwrap();
            for (i, x) in samples.iter().enumerate() {
                let expected = (*x as f64 / full as f64) as f32;
                assert_eq!(sound.channels[i % 2][i / 2], expected, "{bits} bits: {x}");
            }
        }
        let floats = [0.25, -1.5, -0.0, 1e-42, 1e9, -1e9];
        let bytes = written(spec(32, SampleFormat::Float), |w| {
            floats.iter().for_each(|x| w.write_sample(*x).unwrap());
        });
        let sound = read_bytes(&bytes, MOST_SAMPLES).unwrap();
        for (i, x) in floats.iter().enumerate() {
            assert_eq!(sound.channels[i % 2][i / 2].to_bits(), x.to_bits(), "{x}");
        }
    }

    #[test]
    fn what_is_no_sound_is_an_error() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2e9] {
            let bytes = written(spec(32, SampleFormat::Float), |w| {
                [0.1, 0.2, 0.3, bad].iter().for_each(|x| w.write_sample(*x).unwrap());
            });
            let error = read_bytes(&bytes, MOST_SAMPLES).unwrap_err().to_string();
            assert!(error.contains("sample 1 of channel 1 is"), "{error}");
        }
        for (rate, is_good) in [(99, false), (100, true), (10_000_000, true), (10_000_001, false)] {
            let mut bytes = ramp(10);
            bytes[24..28].copy_from_slice(&u32::to_le_bytes(rate));
            assert_eq!(read_bytes(&bytes, MOST_SAMPLES).is_ok(), is_good, "{rate} Hz");
        }
    }

    #[test]
    fn broken_files_are_errors_wherever_they_break() {
        let bytes = ramp(200);
        for length in 0..bytes.len() {
            assert!(read_bytes(&bytes[..length], MOST_SAMPLES).is_err(), "cut to {length} bytes");
        }
        let error = read_bytes(&bytes[..bytes.len() - 3], MOST_SAMPLES).unwrap_err().to_string();
        assert!(error.contains("x.wav: the file breaks off or is damaged at sample 99"), "{error}");
        let error = read_bytes(&ramp(0), MOST_SAMPLES).unwrap_err().to_string();
        assert!(error.contains("no samples"), "{error}");
    }

    #[test]
    fn headers_that_lie_cannot_break_it() {
        let bytes = ramp(200);
        let header = bytes.windows(4).position(|w| w == b"data").unwrap() + 8;
        for (at, flip) in (0..header).flat_map(|at| [0x01, 0x80, 0xff].map(|flip| (at, flip))) {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            if let Ok(sound) = read_bytes(&bytes, MOST_SAMPLES) {
                assert!(sound.channels.iter().map(Vec::len).sum::<usize>() <= 400, "byte {at}");
            }
        }
        let mut bytes = bytes;
        bytes[22..24].copy_from_slice(&40u16.to_le_bytes());
        let error = read_bytes(&bytes, MOST_SAMPLES).unwrap_err().to_string();
        assert!(error.contains("40 channels"), "{error}");
        // The same behind another chunk.
        bytes.splice(12..12, *b"LIST\x03\0\0\0abc\0");
        let error = read_bytes(&bytes, MOST_SAMPLES).unwrap_err().to_string();
        assert!(error.contains("40 channels"), "{error}");
    }

    #[test]
    fn long_files_are_cut_and_say_so() {
        let sound = read_bytes(&ramp(96), 20).unwrap();
        assert_eq!((sound.channels[0].len(), sound.cut_from_s), (10, Some(1e-3)));
    }
}

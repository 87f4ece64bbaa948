//! Sound files hold what the source gave, and appear whole or not at all.

use std::fs;
use std::path::Path;

use foley_engine::audio_file::{Container, Depth, FileError, Format, Written, read, write};
use foley_engine::{AudioBuffer, Source};

/// A decaying tone per channel, the same each time; `spoil` puts a NaN and infinities in.
#[derive(Clone)]
struct Ring {
    channels: usize,
    rate_hz: u32,
    frame: u64,
    gain: f64,
    spoil: bool,
}

impl Ring {
    fn new(channels: usize) -> Self {
        Self { channels, rate_hz: 48_000, frame: 0, gain: 0.5, spoil: false }
    }

    fn sample(&self, frame: u64, channel: usize) -> f32 {
        let t = frame as f64 / f64::from(self.rate_hz);
        let hz = 440.0 * (channel + 1) as f64;
        match (self.spoil, frame) {
            (true, 10) => f32::NAN,
            (true, 11) => f32::INFINITY,
            (true, 12) => f32::NEG_INFINITY,
            _ => (self.gain * (-2.0 * t).exp() * (std::f64::consts::TAU * hz * t).sin()) as f32,
        }
    }

    fn samples(&self, frames: u64) -> Vec<f32> {
        (0..frames).flat_map(|f| (0..self.channels).map(move |c| self.sample(f, c))).collect()
    }
}

impl Source for Ring {
    fn sample_rate_hz(&self) -> u32 {
        self.rate_hz
    }
    fn channels(&self) -> usize {
        self.channels
    }
    fn fill(&mut self, interleaved: &mut [f32]) {
        for frame in interleaved.chunks_exact_mut(self.channels) {
            for (channel, sample) in frame.iter_mut().enumerate() {
                *sample = self.sample(self.frame, channel);
            }
            self.frame += 1;
        }
    }
}

const WAV: Format = Format { container: Container::Wav, depth: Depth::Float32 };
const FLAC: Format = Format { container: Container::Flac, depth: Depth::Int24 };

fn write_all(path: &Path, format: Format, source: &Ring, frames: u64) -> Written {
    write(path, format, &mut source.clone(), frames, |_| true).unwrap()
}

fn wav_integers(path: &Path) -> (hound::WavSpec, Vec<i32>) {
    let mut reader = hound::WavReader::open(path).unwrap();
    (reader.spec(), reader.samples::<i32>().map(Result::unwrap).collect())
}

fn flac_integers(path: &Path) -> (claxon::metadata::StreamInfo, Vec<i32>) {
    let mut reader = claxon::FlacReader::open(path).unwrap();
    (reader.streaminfo(), reader.samples().map(Result::unwrap).collect())
}

fn names_in(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn float_wav_holds_the_exact_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.wav");
    for channels in [1, 2, 6] {
        let source = Ring::new(channels);
        let written = write_all(&path, WAV, &source, 10_001);
        assert_eq!(written.frames, 10_001);
        let mut reader = hound::WavReader::open(&path).unwrap();
        assert_eq!(reader.spec().channels as usize, channels);
        assert_eq!(reader.spec().sample_rate, 48_000);
        let samples: Vec<f32> = reader.samples().map(Result::unwrap).collect();
        assert_eq!(samples, source.samples(10_001));
    }
}

#[test]
fn flac_is_read_as_another_decoder_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.flac");
    for (channels, depth) in [(1, Depth::Int16), (2, Depth::Int24), (6, Depth::Int24)] {
        write_all(&path, Format { depth, ..FLAC }, &Ring::new(channels), 10_001);
        let (info, integers) = flac_integers(&path);
        let scale = f64::from(1_u32 << (info.bits_per_sample - 1));
        let sound = read(&path).unwrap();
        assert_eq!((sound.channels.len(), sound.sample_rate_hz), (channels, 48_000));
        assert!(sound.channels.iter().all(|channel| channel.len() == 10_001));
        for (i, integer) in integers.iter().enumerate() {
            let expected = (f64::from(*integer) / scale) as f32;
            assert_eq!(sound.channels[i % channels][i / channels], expected);
        }
    }
}

#[test]
fn damaged_flac_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.flac");
    write_all(&path, FLAC, &Ring::new(2), 10_001);
    let complete = fs::read(&path).unwrap();
    for part in [2, 3, 10, 50] {
        fs::write(&path, &complete[..complete.len() * (part - 1) / part]).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("ring.flac"), "{error}");
        let mut bytes = complete.clone();
        bytes[complete.len() * (part - 1) / part] ^= 0x10;
        fs::write(&path, bytes).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("breaks off or is damaged"), "{error}");
    }
}

/// Without length and checksum in its header, only the frames themselves show damage.
#[test]
fn damaged_flac_of_unknown_length_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.flac");
    write_all(&path, FLAC, &Ring::new(2), 10_001);
    let mut complete = fs::read(&path).unwrap();
    // STREAMINFO: the last 36 bits before the MD5 are the number of samples.
    complete[21] &= 0xf0;
    complete[22..42].fill(0);
    fs::write(&path, &complete).unwrap();
    assert_eq!(read(&path).unwrap().channels[1].len(), 10_001);
    let header = 42;
    for k in 0..40 {
        let at = header + (complete.len() - header) * k / 40;
        for bytes in [
            complete[..at].to_vec(),
            [&complete[..at], &[complete[at] ^ 0x10], &complete[at + 1..]].concat(),
        ] {
            fs::write(&path, bytes).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains("ring.flac"), "{error}");
        }
    }
}

/// Distance between what was meant and what is in the file, in quantisation steps.
fn errors_in_steps(integers: &[i32], source: &Ring, bits: u32) -> Vec<f64> {
    let scale = f64::from(1_u32 << (bits - 1));
    let meant = source.samples((integers.len() / source.channels) as u64);
    integers.iter().zip(meant).map(|(&i, x)| f64::from(i) - f64::from(x) * scale).collect()
}

fn assert_half_a_step_rms(errors: &[f64]) {
    let n = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let rms = (errors.iter().map(|e| e * e).sum::<f64>() / n).sqrt();
    // TPDF dither (1/6) and rounding (1/12) add up to a variance of 1/4.
    assert!((rms - 0.5).abs() < 0.01, "rms error {rms} steps");
    assert!(mean.abs() < 0.01, "mean error {mean} steps");
    assert!(errors.iter().all(|e| e.abs() <= 1.5));
}

#[test]
fn integer_files_differ_from_the_source_by_the_dither_alone() {
    let folder = tempfile::tempdir().unwrap();
    let source = Ring::new(2);
    let frames = 100_003; // no multiple of any block
    for depth in [Depth::Int16, Depth::Int24] {
        let bits = u32::from(depth.bits());
        let wav = folder.path().join("ring.wav");
        let flac = folder.path().join("ring.flac");
        write_all(&wav, WAV.with_depth(depth), &source, frames);
        write_all(&flac, FLAC.with_depth(depth), &source, frames);

        let (spec, in_wav) = wav_integers(&wav);
        assert_eq!((u32::from(spec.bits_per_sample), spec.channels), (bits, 2));
        let (info, in_flac) = flac_integers(&flac);
        assert_eq!((info.bits_per_sample, info.channels, info.sample_rate), (bits, 2, 48_000));
        assert_eq!(info.samples, Some(frames));
        assert_eq!((info.min_block_size, info.max_block_size), (4096, 4096));

        assert_eq!(in_wav, in_flac);
        assert_eq!(in_wav.len() as u64, 2 * frames);
        assert_half_a_step_rms(&errors_in_steps(&in_wav, &source, bits));
        assert!(fs::metadata(&flac).unwrap().len() < fs::metadata(&wav).unwrap().len());
    }
}

#[test]
fn flac_holds_any_length_and_channel_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.flac");
    for channels in 1..=8 {
        for frames in [0, 1, 15, 4096, 4097] {
            let source = Ring::new(channels);
            write_all(&path, FLAC, &source, frames);
            let (info, integers) = flac_integers(&path);
            assert_eq!(info.samples.unwrap_or(0), frames);
            assert_eq!(integers.len() as u64, frames * channels as u64);
            assert!(errors_in_steps(&integers, &source, 24).iter().all(|e| e.abs() <= 1.5));
        }
    }
}

#[test]
fn the_same_source_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for format in [WAV, WAV.with_depth(Depth::Int16), FLAC] {
        let [a, b] = ["a", "b"].map(|name| {
            let path = folder.path().join(name);
            write_all(&path, format, &Ring::new(2), 20_000);
            fs::read(path).unwrap()
        });
        assert!(a == b, "{format:?}");
    }
}

#[test]
fn broken_samples_become_silence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.wav");
    let source = Ring { spoil: true, ..Ring::new(1) };
    let written = write_all(&path, WAV, &source, 100);
    assert_eq!(written.not_finite, 3);
    assert!(written.peak < 0.5);
    let samples: Vec<f32> =
        hound::WavReader::open(&path).unwrap().samples().map(Result::unwrap).collect();
    assert!(samples.iter().all(|s| s.is_finite()));
    assert_eq!(samples[10..13], [0.0; 3]);
    assert_eq!(samples[13], source.sample(13, 0));
}

#[test]
fn loud_samples_are_limited_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loud.wav");
    let source = Ring { gain: 4.0, ..Ring::new(1) };
    let written = write_all(&path, WAV.with_depth(Depth::Int16), &source, 1000);
    let beyond = source.samples(1000).iter().filter(|s| s.abs() > 1.0).count() as u64;
    assert!(beyond > 100);
    assert_eq!(written.clipped, beyond);
    assert!(written.peak > 3.0);
    let (_, integers) = wav_integers(&path);
    let wrapped = integers.iter().zip(source.samples(1000)).any(|(&i, x)| i as f32 * x < -10.0);
    assert!(!wrapped);
}

#[test]
fn progress_counts_every_frame_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = Vec::new();
    write(&folder.path().join("p.wav"), WAV, &mut Ring::new(1), 10_000, |p| {
        seen.push((p.frames_done, p.fraction()));
        true
    })
    .unwrap();
    assert!(seen.windows(2).all(|w| w[0].0 < w[1].0));
    assert_eq!(seen.last(), Some(&(10_000, 1.0)));
}

#[test]
fn a_cancelled_write_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    for format in [WAV, FLAC] {
        let path = folder.path().join("cancelled");
        let mut hidden = Vec::new();
        let error = write(&path, format, &mut Ring::new(2), 100_000, |p| {
            hidden = names_in(folder.path());
            p.frames_done < 50_000
        })
        .unwrap_err();
        assert!(matches!(error, FileError::Cancelled { .. }));
        assert!(hidden.iter().all(|name| name.starts_with('.')), "{hidden:?}");
        assert!(names_in(folder.path()).is_empty());
    }
}

#[test]
fn an_older_file_stays_until_the_new_one_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.wav");
    fs::write(&path, "older").unwrap();
    let result = write(&path, WAV, &mut Ring::new(1), 10_000, |_| {
        assert_eq!(fs::read(&path).unwrap(), b"older");
        false
    });
    assert!(result.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"older");
    write_all(&path, WAV, &Ring::new(1), 10_000);
    assert_eq!(hound::WavReader::open(&path).unwrap().duration(), 10_000);
    assert_eq!(names_in(folder.path()), ["old.wav"]);
}

#[test]
fn a_source_that_panics_leaves_no_trace() {
    struct Faulty;
    impl Source for Faulty {
        fn sample_rate_hz(&self) -> u32 {
            48_000
        }
        fn channels(&self) -> usize {
            1
        }
        fn fill(&mut self, _: &mut [f32]) {
            panic!("a fault of the source");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faulty.wav");
    let result = std::panic::catch_unwind(|| write(&path, WAV, &mut Faulty, 10, |_| true));
    assert!(result.is_err());
    assert!(names_in(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_files_get_ordinary_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.wav"), folder.path().join("link.wav"));
    fs::write(&real, "older").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_all(&link, WAV, &Ring::new(1), 10);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(hound::WavReader::open(&real).unwrap().duration(), 10);
    // What a plain file would get, whatever the umask.
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&real), mode(&plain));
}

#[test]
fn errors_name_the_file_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let say = |name: &str, format: Result<Format, FileError>, source: &Ring, frames| {
        let path = folder.path().join(name);
        let error = format
            .and_then(|format| write(&path, format, &mut source.clone(), frames, |_| true))
            .unwrap_err();
        assert!(names_in(folder.path()).is_empty());
        error.to_string().replace(&folder.path().display().to_string(), "DIR")
    };
    let ring = Ring::new(1);
    let named = |name: &str| Format::from_path(Path::new(name));
    assert_eq!(
        say("a.mp3", named("a.mp3"), &ring, 1),
        "cannot write a.mp3: the format .mp3 is not known; use .wav or .flac"
    );
    assert_eq!(
        say("a", named("a"), &ring, 1),
        "cannot write a: its name has no extension to tell the format by; use .wav or .flac"
    );
    assert_eq!(
        say("no/such/a.wav", Ok(WAV), &ring, 1),
        "cannot write DIR/no/such/a.wav: there is no folder DIR/no/such; create it first"
    );
    assert_eq!(
        say("a.flac", Ok(FLAC.with_depth(Depth::Float32)), &ring, 1),
        "cannot write DIR/a.flac as 32-bit float: FLAC holds integers only; \
         choose 16 or 24 bit, or .wav"
    );
    assert_eq!(
        say(".", Ok(WAV), &ring, 1),
        "cannot write DIR/.: it is not an ordinary file; choose another name"
    );
    assert_eq!(
        say("a.wav", Ok(WAV), &ring, 1 << 40),
        "cannot write DIR/a.wav: 1099511627776 frames exceed WAV's 4 GiB; \
         use .flac or write several files"
    );
    assert_eq!(
        say("a.flac", Ok(FLAC), &Ring::new(9), 1),
        "cannot write DIR/a.flac: FLAC holds 8 channels, not 9; use .wav"
    );
    let fast = Ring { rate_hz: 192_000, ..Ring::new(1) };
    assert_eq!(
        say("a.flac", Ok(FLAC), &fast, 1),
        "cannot write DIR/a.flac: FLAC is written up to 96000 Hz, not 192000 Hz; use .wav"
    );
}

/// Of sounds of a block of 0.4 s or more, also where the last block would not be whole.
#[test]
fn the_loudness_of_a_sound_is_that_of_any_meter() {
    for seconds in [0.4, 0.45, 1.05, 1.0, 1.299] {
        // Louder towards the end, so that an incomplete block would count.
        let frames = (seconds * 48_000.0) as usize;
        let sample = |n: usize| {
            let t = n as f64 / 48_000.0;
            (0.5 * (2.0 * (t - seconds)).exp() * (2000.0 * t).sin()) as f32
        };
        let samples: Vec<f32> = (0..frames).map(sample).collect();
        let mut meter = ebur128::EbuR128::new(1, 48_000, ebur128::Mode::I).unwrap();
        meter.add_frames_f32(&samples).unwrap();
        let sound = AudioBuffer { samples, channels: 1, sample_rate_hz: 48_000 };
        let found = sound.loudness_lufs().unwrap();
        assert!(found.is_finite() && found == meter.loudness_global().unwrap(), "{seconds} s");
    }
}

//! Rendered sound in memory: loudness, levelling, limiting, writing.

use crate::Source;
use crate::audio_file::{FileError, Format, encode};
use foley_dsp::output::{OutputError, OutputSettings, OutputStage};
use foley_geometry::atomic_file::AtomicFile;
use std::path::Path;

/// Largest number of iterations of [`AudioBuffer::level`].
const LEVEL_ROUNDS: usize = 24;

/// Steps of the loudness meter, each 0.1 s, in one of its blocks.
const BLOCK_STEPS: usize = 4;

/// Rendered sound, interleaved.
#[derive(Debug, Clone, PartialEq)]
pub struct AudioBuffer {
    /// Interleaved samples.
    pub samples: Vec<f32>,
    /// Samples per frame.
    pub channels: usize,
    /// Frames per second.
    pub sample_rate_hz: u32,
}

/// Loudness metering or limiting failed: the rate or the number of channels is not supported.
#[derive(Debug, thiserror::Error)]
pub enum LevelError {
    /// The loudness meter refused the format.
    #[error("cannot measure loudness: {0}")]
    Meter(#[from] ebur128::Error),
    /// The output stage refused the format.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Longest sound in memory, s.
const MAX_S: f64 = 86_400.0;

impl AudioBuffer {
    /// Renders `seconds` of a source, at most a day, calling `progress` with the fraction done after each
    /// twentieth of a second.
    pub fn render(source: &mut impl Source, seconds: f64, mut progress: impl FnMut(f64)) -> Self {
        let (rate, channels) = (source.sample_rate_hz(), source.channels());
        let frames = (seconds.clamp(0.0, MAX_S) * f64::from(rate)).ceil() as usize;
        let mut samples = Vec::new();
        let mut done = 0;
        while done < frames {
            let part = (rate as usize / 20).clamp(1, frames - done);
            let from = samples.len();
            samples.resize(from + part * channels, 0.0);
            source.fill(&mut samples[from..]);
            done += part;
            progress(done as f64 / frames as f64);
        }
        Self { samples, channels, sample_rate_hz: rate }
    }

    /// Integrated loudness (ITU-R BS.1770), LUFS; minus infinity for silence.
    ///
    /// The standard takes the mean over whole blocks of 0.4 s, one every 0.1 s. Silence behind a sound that is shorter
    /// than a block completes it, so that it has the loudness of its energy over 0.4 s. What follows the last block of
    /// a longer sound, less than 0.1 s, is not measured, as by any meter.
    pub fn loudness_lufs(&self) -> Result<f64, LevelError> {
        Ok(self.metered(&self.samples)?)
    }

    /// Integrated loudness of samples in the format of this sound.
    fn metered(&self, samples: &[f32]) -> Result<f64, ebur128::Error> {
        let channels = self.channels as u32;
        let mut meter = ebur128::EbuR128::new(channels, self.sample_rate_hz, ebur128::Mode::I)?;
        meter.add_frames_f32(samples)?;
        let (frames, step) =
            (samples.len() / self.channels, (self.sample_rate_hz as usize + 5) / 10);
        let missing = (BLOCK_STEPS * step).saturating_sub(frames);
        meter.add_frames_f32(&vec![0.0; missing * self.channels])?;
        meter.loudness_global()
    }

    /// Returns the gain that brings the sound to a loudness, or its peak to `max_peak` times full scale
    /// if that is less; 1 for silence. A sound that cannot be measured gets a peak of full scale.
    pub fn gain_to_loudness(&self, target_lufs: f64, max_peak: f64) -> f64 {
        let peak = self.peak();
        if peak == 0.0 {
            return 1.0;
        }
        // The meter's gate ignores everything below −70 LUFS: measure at full scale.
        let normalised: Vec<f32> = self.samples.iter().map(|x| x / peak).collect();
        let lufs = self.metered(&normalised).unwrap_or(target_lufs);
        let gain = if lufs.is_finite() { 10f64.powf((target_lufs - lufs) / 20.0) } else { 1.0 };
        gain.min(max_peak) / f64::from(peak)
    }

    /// Multiplies the sound by a gain.
    pub fn scale(&mut self, gain: f64) {
        self.samples.iter_mut().for_each(|y| *y *= gain as f32);
    }

    /// Largest magnitude.
    pub fn peak(&self) -> f32 {
        self.samples.iter().fold(0.0, |p, s| p.max(s.abs()))
    }

    /// Largest magnitude, dBFS; minus infinity for silence.
    pub fn peak_dbfs(&self) -> f64 {
        20.0 * f64::from(self.peak()).log10()
    }

    /// Brings the sound, limited, to a loudness or as near as possible: loudness is a mean over
    /// 400 ms, so a short knock reaches full scale long before it is loud.
    /// The limiter reduces peaks by at most `most_limiting_db`. Silence stays silence.
    pub fn level(&mut self, target_lufs: f64, most_limiting_db: f64) -> Result<(), LevelError> {
        // The meter's gate ignores everything below −70 LUFS: start at full scale.
        let peak = self.peak();
        if peak == 0.0 {
            return Ok(());
        }
        self.samples.iter_mut().for_each(|s| *s /= peak);
        let dry = self.samples.clone();
        let mut gain_db = target_lufs - self.loudness_lufs()?;
        // The limiter reduces loud peaks: raise the gain by what is missing.
        for _ in 0..LEVEL_ROUNDS {
            // The sound starts at full scale, and the limiter's ceiling is just below it.
            gain_db = gain_db.min(most_limiting_db);
            if !gain_db.is_finite() {
                return Ok(());
            }
            let gain = 10f64.powf(gain_db / 20.0) as f32;
            self.samples.clear();
            self.samples.extend(dry.iter().map(|s| s * gain));
            self.limit()?;
            let missing_db = target_lufs - self.loudness_lufs()?;
            if missing_db.abs() < 0.05 || missing_db > 0.0 && gain_db >= most_limiting_db {
                break;
            }
            gain_db += missing_db.clamp(-3.0, 3.0);
        }
        Ok(())
    }

    /// Fades the last `seconds` to silence.
    pub fn fade_out(&mut self, seconds: f64) {
        let frames = (seconds * f64::from(self.sample_rate_hz)) as usize;
        let start = (self.samples.len() / self.channels).saturating_sub(frames);
        for (n, frame) in self.samples.chunks_exact_mut(self.channels).skip(start).enumerate() {
            let t = n as f32 / frames as f32;
            frame.iter_mut().for_each(|s| *s *= 0.5 + 0.5 * (std::f32::consts::PI * t).cos());
        }
    }

    /// Applies guard and limiter and removes their latency; the length stays.
    pub fn limit(&mut self) -> Result<(), LevelError> {
        let length = self.samples.len() + self.output_stage()?.latency_frames() * self.channels;
        self.samples.resize(length, 0.0);
        Ok(self.limit_and_trim()?)
    }

    /// Applies guard and limiter; the sound gets shorter by their latency.
    pub fn limit_and_trim(&mut self) -> Result<(), OutputError> {
        let mut stage = self.output_stage()?;
        stage.process(&mut self.samples);
        let latency = stage.latency_frames() * self.channels;
        self.samples.drain(..latency.min(self.samples.len()));
        Ok(())
    }

    fn output_stage(&self) -> Result<OutputStage, OutputError> {
        OutputStage::new(OutputSettings::default(), f64::from(self.sample_rate_hz), self.channels)
    }

    /// Returns the samples of each channel.
    pub fn planar(&self) -> Vec<Vec<f32>> {
        (0..self.channels)
            .map(|c| self.samples.iter().skip(c).step_by(self.channels).copied().collect())
            .collect()
    }

    /// Returns the length, s.
    pub fn seconds(&self) -> f64 {
        (self.samples.len() / self.channels) as f64 / f64::from(self.sample_rate_hz)
    }

    /// Writes the sound to a file, which [`AtomicFile::keep`] gives its name.
    pub fn write(&self, path: &Path, format: Format) -> Result<AtomicFile, FileError> {
        let frames = (self.samples.len() / self.channels) as u64;
        let mut source = Playback { sound: self, at: 0 };
        Ok(encode(path, format, &mut source, frames, |_| true)?.0)
    }

    /// Writes the sound to a .wav or .flac file, whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        let path = path.as_ref();
        Ok(self.write(path, Format::from_path(path)?)?.keep()?)
    }
}

/// A [`Source`] that plays a buffer once; silence follows.
struct Playback<'a> {
    sound: &'a AudioBuffer,
    at: usize,
}

impl Source for Playback<'_> {
    fn sample_rate_hz(&self) -> u32 {
        self.sound.sample_rate_hz
    }

    fn channels(&self) -> usize {
        self.sound.channels
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        let remaining = &self.sound.samples[self.at.min(self.sound.samples.len())..];
        let count = remaining.len().min(interleaved.len());
        interleaved[..count].copy_from_slice(&remaining[..count]);
        interleaved[count..].fill(0.0);
        self.at += count;
    }
}

//! From a finished render to a pleasant level.

use anyhow::{Context, Result};
use foley::Offline;
use foley::backend::Source;
use foley_dsp::output::{OutputSettings, OutputStage};

/// A gain is found in at most so many steps.
const LEVEL_ROUNDS: usize = 8;

/// Rendered sound, interleaved.
pub(crate) struct Sound {
    pub(crate) samples: Vec<f32>,
    pub(crate) channels: usize,
    pub(crate) sample_rate_hz: u32,
}

/// Renders `seconds` of a scene into memory, calling `step` after each twentieth of a second.
pub(crate) fn render(scene: &mut Offline, seconds: f64, mut step: impl FnMut(f64)) -> Sound {
    let (rate, channels) = (scene.sample_rate_hz(), scene.channels());
    let frames = (seconds * f64::from(rate)).ceil() as usize;
    let mut samples = vec![0.0; frames * channels];
    let mut done = 0.0;
    for part in samples.chunks_mut(rate as usize / 20 * channels) {
        scene.fill(part);
        done += part.len() as f64 / channels as f64;
        step(done / frames as f64);
    }
    Sound { samples, channels, sample_rate_hz: rate }
}

impl Sound {
    /// Integrated loudness (ITU-R BS.1770), LUFS; minus infinity for silence.
    pub(crate) fn loudness_lufs(&self) -> Result<f64> {
        let channels = self.channels as u32;
        let mut meter = ebur128::EbuR128::new(channels, self.sample_rate_hz, ebur128::Mode::I)
            .context("cannot measure loudness")?;
        meter.add_frames_f32(&self.samples)?;
        // Sounds shorter than the meter's window are measured with silence behind them.
        let second = vec![0.0; self.sample_rate_hz as usize * self.channels / 2];
        meter.add_frames_f32(&second)?;
        Ok(meter.loudness_global()?)
    }

    /// Largest magnitude.
    pub(crate) fn peak(&self) -> f32 {
        self.samples.iter().fold(0.0, |p, s| p.max(s.abs()))
    }

    /// Largest magnitude, dBFS; minus infinity for silence.
    pub(crate) fn peak_dbfs(&self) -> f64 {
        20.0 * f64::from(self.peak()).log10()
    }

    /// Brings the sound to a loudness, as it is after the limiter, or as near as it gets:
    /// loudness is a mean over 400 ms, so a short knock peaks long before it is loud.
    /// The limiter takes no more than `most_limiting_db` away. Silence stays silence.
    pub(crate) fn level(&mut self, target_lufs: f64, most_limiting_db: f64) -> Result<()> {
        // The meter hears nothing below −70 LUFS: begin at full scale.
        let peak = self.peak();
        if peak == 0.0 {
            return Ok(());
        }
        self.samples.iter_mut().for_each(|s| *s /= peak);
        let dry = self.samples.clone();
        let mut gain_db = target_lufs - self.loudness_lufs()?;
        // The limiter takes something away from loud peaks: ask for as much more.
        for _ in 0..LEVEL_ROUNDS {
            // The sound begins at full scale, and the limiter's ceiling is just below it.
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

    /// Lets the last `seconds` fade to silence.
    pub(crate) fn fade_out(&mut self, seconds: f64) {
        let frames = (seconds * f64::from(self.sample_rate_hz)) as usize;
        let start = (self.samples.len() / self.channels).saturating_sub(frames);
        for (n, frame) in self.samples.chunks_exact_mut(self.channels).skip(start).enumerate() {
            let t = n as f32 / frames as f32;
            frame.iter_mut().for_each(|s| *s *= 0.5 + 0.5 * (std::f32::consts::PI * t).cos());
        }
    }

    /// Through guard and limiter, without their delay.
    pub(crate) fn limit(&mut self) -> Result<()> {
        let rate = f64::from(self.sample_rate_hz);
        let mut stage = OutputStage::new(OutputSettings::default(), rate, self.channels)?;
        let late = stage.latency_frames() * self.channels;
        let length = self.samples.len();
        self.samples.resize(length + late, 0.0);
        stage.process(&mut self.samples);
        self.samples.drain(..late);
        Ok(())
    }

    /// Channel after channel.
    pub(crate) fn planar(&self) -> Vec<Vec<f32>> {
        (0..self.channels)
            .map(|c| self.samples.iter().skip(c).step_by(self.channels).copied().collect())
            .collect()
    }

    /// To be played or written from the beginning.
    pub(crate) fn into_source(self) -> Playback {
        Playback { sound: self, at: 0 }
    }
}

/// A sound being played once; silence follows.
pub(crate) struct Playback {
    sound: Sound,
    at: usize,
}

impl Playback {
    pub(crate) fn frames(&self) -> u64 {
        (self.sound.samples.len() / self.sound.channels) as u64
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.frames() as f64 / f64::from(self.sound.sample_rate_hz)
    }
}

impl Source for Playback {
    fn sample_rate_hz(&self) -> u32 {
        self.sound.sample_rate_hz
    }

    fn channels(&self) -> usize {
        self.sound.channels
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        let rest = &self.sound.samples[self.at.min(self.sound.samples.len())..];
        let count = rest.len().min(interleaved.len());
        interleaved[..count].copy_from_slice(&rest[..count]);
        interleaved[count..].fill(0.0);
        self.at += count;
    }
}

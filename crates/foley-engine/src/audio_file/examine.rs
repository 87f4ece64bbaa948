//! Examination of a sound file: every sample is decoded, because a header alone proves nothing.

use std::path::Path;

use super::read::{DecodeError, Reader};

/// What a sound file contains.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Examined {
    /// Samples per second.
    pub sample_rate_hz: u32,
    /// Number of channels.
    pub channels: usize,
    /// Samples per channel.
    pub frames: u64,
    /// Largest magnitude; full scale is 1.
    pub peak: f64,
}

/// Decodes a sound file and measures it.
pub fn examine(path: &Path) -> Result<Examined, DecodeError> {
    let mut reader = Reader::open(path)?;
    let (channels, sample_rate_hz) = (reader.channels, reader.sample_rate_hz);
    let mut found = Examined { sample_rate_hz, channels, frames: 0, peak: 0.0 };
    while let Some(block) = reader.next_block()? {
        found.frames += block[0].len() as u64;
        let samples = block.iter().flatten();
        found.peak = samples.fold(found.peak, |peak, y| peak.max(f64::from(y.abs())));
    }
    Ok(found)
}

impl Examined {
    /// Returns the duration, s.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / f64::from(self.sample_rate_hz)
    }

    /// Returns what is allowed but worth knowing, in sentences.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.peak > 1.0 {
            let over = 20.0 * self.peak.log10();
            remarks.push(format!("it peaks {over:.1} dB above full scale: a device would clip it"));
        }
        if self.peak == 0.0 {
            remarks.push("it is silent".into());
        }
        remarks
    }
}

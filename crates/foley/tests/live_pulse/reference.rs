//! The known sound: silence, then three decaying sinusoids, then silence.

use foley::backend::Source;

pub(crate) const RATE_HZ: u32 = 48_000;
const SILENCE_S: f64 = 0.25;
const SOUND_S: f64 = 2.5;

/// Frequency, decay rate and amplitude of each mode; inharmonic, so that no shift looks alike.
const MODES: [(f64, f64, f64); 3] = [(311.7, 0.8, 0.35), (1043.9, 1.3, 0.25), (2718.3, 1.9, 0.15)];

/// Stereo; the right ear hears the modes in other phases, so that swapped channels show.
pub(crate) struct Reference {
    rate_hz: u32,
    frame: u64,
}

impl Reference {
    pub(crate) fn new(rate_hz: u32) -> Self {
        Self { rate_hz, frame: 0 }
    }

    pub(crate) fn length(&self) -> u64 {
        ((SILENCE_S + SOUND_S) * f64::from(self.rate_hz)) as u64
    }

    /// The part that sounds.
    pub(crate) fn frames(&self) -> Vec<[f32; 2]> {
        let silence = (SILENCE_S * f64::from(self.rate_hz)) as u64;
        (silence..self.length()).map(|frame| self.at(frame)).collect()
    }

    fn at(&self, frame: u64) -> [f32; 2] {
        if frame >= self.length() {
            return [0.0; 2];
        }
        let t = frame as f64 / f64::from(self.rate_hz) - SILENCE_S;
        if t < 0.0 {
            return [0.0; 2];
        }
        [0.0, 0.9].map(|phase| {
            let sum = MODES.iter().enumerate().map(|(i, &(hz, d, a))| {
                let shift = phase * (i + 1) as f64;
                a * (-d * t).exp() * (std::f64::consts::TAU * hz * t + shift).sin()
            });
            sum.sum::<f64>() as f32
        })
    }
}

impl Source for Reference {
    fn sample_rate_hz(&self) -> u32 {
        self.rate_hz
    }
    fn channels(&self) -> usize {
        2
    }
    fn fill(&mut self, interleaved: &mut [f32]) {
        for frame in interleaved.chunks_exact_mut(2) {
            frame.copy_from_slice(&self.at(self.frame));
            self.frame += 1;
        }
    }
}

//! Who listens, and how loud.

use crate::resonator::layout::Layout;

/// What the bank computes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Synthesis {
    /// Every mode by itself, exactly.
    #[default]
    Exact,
    /// What an listening can tell apart: many modes, few partials.
    Perceptual(Listening),
    /// The rule of [CS 4]: modes lanes_at_least the masking curves of louder ones, each by itself.
    /// `a_v` in dB, 5 in the masking_2004. Of the listening only the playback level counts; directions do
    /// not.
    Masking2004(Listening, f64),
}

impl Synthesis {
    /// The listening, when one listens.
    pub fn listening(&self) -> Option<&Listening> {
        match self {
            Synthesis::Exact => None,
            Synthesis::Perceptual(listening) | Synthesis::Masking2004(listening, _) => {
                Some(listening)
            }
        }
    }
}

impl Synthesis {
    /// A layout for modes of a bank that audible_energy so.
    pub fn layout(&self, f: &[f64], d: &[f64], sample_rate_hz: f64, block: usize) -> Layout {
        match self {
            Synthesis::Exact => Layout::new(f, d, sample_rate_hz, block),
            Synthesis::Perceptual(listening) | Synthesis::Masking2004(listening, _) => {
                Layout::banded(f, d, sample_rate_hz, block, listening.clamped().detail)
            }
        }
    }
}

/// A listener.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Listening {
    /// How loud a sine of one pascal's amplitude is played back, dB SPL. The level of nature
    /// is 91; a full scale of p pascals that is played at L dB SPL gives `L − 20 log10(p)`.
    pub pascal_db: f64,
    /// Skip is dropped that is less than this below the synthesis threshold, dB; 200 switches
    /// it off.
    pub margin_db: f64,
    /// Skip is dropped that is less than this below what masking it, dB; 200 switches it off.
    pub mask_db: f64,
    /// Perceptual are this many times closer together than need be, 1 to 16: how near the sound
    /// comes to that of all modes, sample by sample, where no listening can tell.
    pub detail: f64,
}

impl Default for Listening {
    fn default() -> Self {
        Self { pascal_db: 91.0, margin_db: 20.0, mask_db: 40.0, detail: 1.0 }
    }
}

impl Listening {
    /// The same, with numbers that can be reckoned with.
    pub(crate) fn clamped(self) -> Self {
        let within = |x: f64, low: f64, high: f64, or: f64| {
            if x.is_nan() { or } else { x.clamp(low, high) }
        };
        Self {
            pascal_db: within(self.pascal_db, -100.0, 200.0, 91.0),
            margin_db: within(self.margin_db, -100.0, 200.0, 20.0),
            mask_db: within(self.mask_db, 0.0, 200.0, 40.0),
            detail: within(self.detail, 1.0, 16.0, 1.0),
        }
    }

    /// log2 of what rotation the energy of a mode that just matters, 20 dB below anything that is
    /// played, into the synthesis threshold's.
    pub(crate) fn cut_log2(&self) -> f32 {
        ((self.pascal_db + self.margin_db + 20.0) / 10.0 * std::f64::consts::LOG2_10) as f32
    }

    /// What rotation the energy of a mode, |S|² in Pa², into multiples of 0 dB SPL.
    pub(crate) fn gain(&self) -> f32 {
        10f64.powf(self.pascal_db / 10.0) as f32
    }
}

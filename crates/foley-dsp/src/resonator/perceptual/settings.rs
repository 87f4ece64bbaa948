//! Settings of the synthesis: exact or perceptual, and the playback level.

use crate::resonator::layout::Layout;
use derive_setters::Setters;

/// Which modes the bank computes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Synthesis {
    /// Every mode, exactly.
    #[default]
    Exact,
    /// What a listener can tell apart: many modes as few partials.
    Perceptual(Listening),
    /// The rule of \[CS\] §4: modes above the masking curves of louder ones, each computed exactly.
    /// `a_v` in dB, 5 in the paper. Of [`Listening`] only the playback level is used; directions
    /// are ignored.
    Masking2004(Listening, f64),
}

impl Synthesis {
    /// Returns the listening settings, unless everything is computed.
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
    /// Returns whether layouts for one synthesis fit the other.
    pub fn has_layout_of(&self, other: &Self) -> bool {
        let detail = |s: &Self| s.listening().map(|listening| listening.clamped().detail);
        detail(self) == detail(other)
    }

    /// Returns a layout for modes of a bank with this setting.
    pub fn layout(&self, f: &[f64], d: &[f64], sample_rate_hz: f64, block: usize) -> Layout {
        match self {
            Synthesis::Exact => Layout::new(f, d, sample_rate_hz, block),
            Synthesis::Perceptual(listening) | Synthesis::Masking2004(listening, _) => {
                Layout::banded(f, d, sample_rate_hz, block, listening.clamped().detail)
            }
        }
    }
}

/// Playback level and tolerances of the listener.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Listening {
    /// Playback level of a sine with an amplitude of one pascal, dB SPL: 91 is the natural level. A
    /// full scale of p pascals that is played at L dB SPL gives `L − 20 log10(p)`.
    pub pascal_db: f64,
    /// Only sounds at least this far below the hearing threshold are dropped, dB; 200 switches it
    /// off.
    pub margin_db: f64,
    /// Only sounds at least this far below the masking threshold are dropped, dB; 200 switches it
    /// off.
    pub mask_db: f64,
    /// Density of partials relative to what the ear needs, 1 to 16: how closely the waveform
    /// follows that of all modes, beyond what can be heard.
    pub detail: f64,
}

impl Default for Listening {
    fn default() -> Self {
        Self { pascal_db: 91.0, margin_db: 20.0, mask_db: 40.0, detail: 1.0 }
    }
}

impl Listening {
    /// Returns the settings clamped to their valid ranges.
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

    /// Returns log2 of the factor from the energy of the weakest relevant mode (20 dB below
    /// anything that is rendered) to the energy of the hearing threshold.
    pub(crate) fn cut_log2(&self) -> f32 {
        ((self.pascal_db + self.margin_db + 20.0) / 10.0 * std::f64::consts::LOG2_10) as f32
    }

    /// Returns the factor from the energy of a mode, |S|² in Pa², to multiples of 0 dB SPL.
    pub(crate) fn gain(&self) -> f32 {
        10f64.powf(self.pascal_db / 10.0) as f32
    }
}

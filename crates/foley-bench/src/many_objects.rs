//! Many objects at once.
//!
//! The hundred rings of \[LS\] with each acceleration on and off, as in its Figure 8, and ten thousand
//! moving plates of a hundred modes under two thousand impacts a second, with two hundred lasting
//! contacts, for one core in real time.

mod motion;
mod plates;
mod rings;

use derive_setters::Setters;
use foley_dsp::resonator::Kernel;
use foley_engine::{Listening, Synthesis};

use crate::timed_render::Method;
pub(crate) use motion::events_at;
pub use plates::measure as measure_plates;
pub use rings::{Rings, measure as measure_rings};

/// Options of the plates.
#[derive(Debug, Clone, Copy, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options {
    /// Number of objects.
    pub objects: usize,
    /// Impacts a second.
    pub impacts_per_s: f64,
    /// Lasting contacts.
    pub contacts: usize,
    /// Duration, s.
    pub seconds: f64,
    /// Number of rounds.
    pub rounds: usize,
}

impl Default for Options {
    /// Ten thousand plates for ten seconds.
    fn default() -> Self {
        Self { objects: 10_000, impacts_per_s: 2_000.0, contacts: 200, seconds: 10.0, rounds: 3 }
    }
}

/// Returns methods from no acceleration to all of them, without the budget.
fn accelerations() -> Vec<Method> {
    let perceptual = |margin_db, mask_db| {
        Synthesis::Perceptual(Listening::default().with_margin_db(margin_db).with_mask_db(mask_db))
    };
    let Listening { margin_db, mask_db, .. } = Listening::default();
    vec![
        Method::every_mode(Kernel::PerSample),
        Method::every_mode(Kernel::Auto),
        Method::new("partials", "partials", perceptual(OFF, OFF)),
        Method::new("+ hearing threshold", "threshold", perceptual(margin_db, OFF)),
        Method::new("+ masking", "masking", perceptual(margin_db, mask_db)),
    ]
}

/// A margin below the threshold that disables it, dB.
const OFF: f64 = 400.0;

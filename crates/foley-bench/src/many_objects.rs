//! Many objects at once.
//!
//! The hundred rings of \[LS\] with each acceleration on and off, as in its Figure 8, and ten thousand
//! plates of a hundred modes under two thousand impacts a second, for one core in real time.

mod plates;
mod rings;

use anyhow::Result;
use foley_dsp::resonator::Kernel;
use foley_engine::{Listening, Synthesis};
use serde_json::Value;

use crate::Progress;
use crate::timed_render::Method;
pub use rings::Rings;

/// Options of the plates.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Number of objects.
    pub objects: usize,
    /// Impacts a second.
    pub impacts_per_s: f64,
    /// Duration, s.
    pub seconds: f64,
    /// Number of rounds.
    pub rounds: usize,
}

/// Measures many plates. Call it before [`measure_rings`]: its figures include peak memory.
pub fn measure_plates(options: &Options, progress: &dyn Progress) -> Result<Value> {
    plates::measure(options, progress)
}

/// Measures the rings.
pub fn measure_rings(rounds: usize, progress: &dyn Progress) -> Result<Rings> {
    rings::measure(rounds, progress)
}

/// Returns methods from no acceleration to all of them, without the budget.
fn accelerations() -> Vec<Method> {
    let perceptual = |margin_db, mask_db| {
        Synthesis::Perceptual(Listening { margin_db, mask_db, ..Listening::default() })
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

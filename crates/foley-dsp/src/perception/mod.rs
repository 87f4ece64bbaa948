//! What need not be computed, because nobody would hear it.
//!
//! [CS 4]: van den Doel, Knott, Pai, "Interactive simulation of complex audio-visual
//! scenes", section 4. A mode is a [`Tone`]; it is not heard below the
//! [hearing threshold](hearing_threshold_db) nor under the masking [`Curve`] of a louder
//! one. [`prune_2004`] reads the paper's pseudo-code to the letter;
//! [`EnvelopePruner`] gives the same answer in O(N log N), on the audio thread.
//!
//! ```
//! use foley_dsp::perception::{Calibration, EnvelopePruner, Audibility, Masking, Tone};
//! let energies = [1.0, 1e-3, 1e-3, 1e-9];
//! let calibration = Calibration::to_playback_level(energies, 60.0);
//! let mut tones = [1000.0, 1050.0, 4000.0, 40.0].map(|f| Tone::new(f, f64::NEG_INFINITY));
//! for (tone, energy) in tones.iter_mut().zip(energies) {
//!     tone.set_level_db(calibration.level_db(energy));
//! }
//! let mut pruner = EnvelopePruner::with_capacity(tones.len());
//! let fates = pruner.prune(Masking::default(), &tones)?;
//! assert_eq!(fates, [Audibility::Audible, Audibility::Masked, Audibility::Audible, Audibility::BelowThreshold]);
//! # Ok::<(), foley_dsp::perception::OverCapacity>(())
//! ```

mod bark;
mod envelope_pruner;
mod fixed_point;
mod upper_envelope;
mod masking;
mod masking_2004;
mod spatial_unmasking;
mod hearing_threshold;
mod tone;

pub use bark::{MAX_BARK, bark_from_hz, hz_from_bark};
pub use envelope_pruner::{EnvelopePruner, OverCapacity};
pub use hearing_threshold::hearing_threshold_db;
pub use masking::{Curve, LOWER_SLOPE, MAX_A_V_DB, Masking, upper_slope};
pub use masking_2004::prune_2004;
pub use spatial_unmasking::{
    MAX_SPATIAL_RELEASE_DB, spatial_release_between_db, spatial_release_db,
};
pub use tone::{Calibration, DEFAULT_PLAYBACK_LEVEL_DB, MAX_LEVEL_DB, Tone};

/// What becomes of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Audibility {
    /// It is heard, and must be computed.
    #[default]
    Audible,
    /// It is at or below the hearing threshold.
    BelowThreshold,
    /// A louder mode covers it.
    Masked,
}

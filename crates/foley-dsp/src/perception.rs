//! Auditory masking: which modes are inaudible and need not be computed.
//!
//! \[CS\] is van den Doel, Knott, Pai 2004, "Interactive simulation of complex audio-visual scenes";
//! the rule is its section 4. A mode is a [`Tone`]; it is inaudible below the
//! [hearing threshold](hearing_threshold_db) or under the masking [`Curve`] of a louder tone.
//! [`prune_2004`] implements the paper's pseudo-code literally; [`EnvelopePruner`] gives the same
//! result in O(N log N) on the audio thread.
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
//! let audibility = pruner.prune(Masking::default(), &tones)?;
//! assert_eq!(audibility, [Audibility::Audible, Audibility::Masked, Audibility::Audible, Audibility::BelowThreshold]);
//! # Ok::<(), foley_dsp::perception::OverCapacity>(())
//! ```

mod bark;
mod hearing_threshold;
mod fixed_point;
mod tone;
mod masking;
mod spatial_unmasking;
mod masking_2004;
mod upper_envelope;
mod envelope_pruner;

pub use bark::{MAX_BARK, bark_from_hz, hz_from_bark};
pub use envelope_pruner::{EnvelopePruner, OverCapacity};
pub use hearing_threshold::hearing_threshold_db;
pub use masking::{Curve, LOWER_SLOPE, MAX_A_V_DB, Masking, upper_slope};
pub use masking_2004::prune_2004;
pub use spatial_unmasking::{
    MAX_SPATIAL_RELEASE_DB, spatial_release_between_db, spatial_release_db,
};
pub use tone::{Calibration, MAX_LEVEL_DB, Tone};

/// Audibility of a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Audibility {
    /// Audible: must be computed.
    #[default]
    Audible,
    /// At or below the hearing threshold.
    BelowThreshold,
    /// Masked by a louder mode.
    Masked,
}

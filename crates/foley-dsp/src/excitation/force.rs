//! Sustained forces: scraping and rolling as audio-forces, \[FA\] §4.
//!
//! A [`Surface`] describes a texture, a [`Profile`] is that surface tabulated for the audio thread,
//! a [`Coupling`] gives the amplitude of the force. A [`Scrape`] or a [`Roll`] reads the profile at
//! the speed of the contact; a [`Motion`] sets speed and normal force at control rate.
//!
//! ```
//! use foley_dsp::excitation::{AudioForce, Coupling, Motion, Profile, Scrape, Surface};
//! use std::sync::Arc;
//! let surface = Surface::fractal(-2.0)?.with_reson(0.5e-3, 0.2)?;
//! let profile = Arc::new(Profile::new(&surface, 48_000.0, 1)?);
//! let mut scrape = Scrape::new(profile, Coupling::default(), 7)?;
//! scrape.aim(Motion { speed_m_s: 0.5, normal_force_n: 2.0 }, 480);
//! let mut force = [0.0; 4800]; // N·s per sample
//! scrape.add(&mut force);
//! assert!(force.iter().any(|f| f.abs() > 1e-7));
//! # Ok::<(), foley_dsp::excitation::ForceError>(())
//! ```
//!
//! Real-time: an [`AudioForce`] never allocates, locks or panics once it is made, and stays finite
//! for any input.

mod motion;
mod profile;
mod coupling;
mod contact_patch;
mod modal_coupling_filter;
mod parameter_smoothing;
mod high_pass;
mod sustained_force;
mod scrape;
mod roll;

pub use contact_patch::ContactPatch;
pub use coupling::Coupling;
pub use modal_coupling_filter::{MAX_COUPLED_MODES, ModalCouplingFilter, strongest_modes};
pub use motion::{AudioForce, MAX_NORMAL_FORCE_N, Motion};
pub use profile::{Profile, RibShape, Surface, Texture};
pub use roll::{Roll, Rolling};
pub use scrape::Scrape;
pub use sustained_force::SustainedForce;

use thiserror::Error;

/// Invalid parameters of a surface or a force.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum ForceError {
    /// A quantity out of range.
    #[error("{what} is {value}; it must be {must}")]
    Value { what: &'static str, value: f64, must: &'static str },
    /// A reson needs both wavelength and bandwidth.
    #[error("reson_wavelength_m and reson_bandwidth make a reson together; give both or neither")]
    HalfReson,
    /// Invalid samples of a recorded profile.
    #[error("the recorded profile {what}; {remedy}")]
    Recorded { what: &'static str, remedy: &'static str },
}

/// Returns `value` if it lies within `range`, else an error that names it.
fn within(
    what: &'static str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
    must: &'static str,
) -> Result<f64, ForceError> {
    if range.contains(&value) { Ok(value) } else { Err(ForceError::Value { what, value, must }) }
}

/// Checks a sample rate, Hz.
fn sample_rate(hz: f64) -> Result<f64, ForceError> {
    within("the sample rate (Hz)", hz, 4000.0..=1e6, "between 4000 and 1e6")
}

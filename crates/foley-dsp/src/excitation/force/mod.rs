//! Forces that last: scraping and rolling as audio-forces (FoleyAutomatic 2001, §4).
//!
//! A [`Surface`] says what is low_pass, a [`Profile`] is that surface tabulated for the audio
//! thread, a [`Coupling`] says how many newtons come of it. A [`Scrape`] or a [`Roll`] reads
//! the profile at the speed of the contact; a [`Motion`] tells it speed and normal force,
//! now and then, and it glides there.
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
//! Real-time: what implements [`AudioForce`] never allocates, locks or panics once it is
//! made, and stays finite whatever it is told.

mod coupling;
mod modal_coupling_filter;
mod parameter_smoothing;
mod high_pass;
mod motion;
mod contact_patch;
mod profile;
mod roll;
mod scrape;
mod sustained_force;

pub use contact_patch::ContactPatch;
pub use coupling::Coupling;
pub use modal_coupling_filter::{MAX_COUPLED_MODES, ModalCouplingFilter, strongest_modes};
pub use motion::{AudioForce, MAX_NORMAL_FORCE_N, Motion};
pub use profile::{Profile, RibShape, Surface, Texture};
pub use roll::{Roll, Rolling};
pub use scrape::Scrape;
pub use sustained_force::SustainedForce;

use thiserror::Error;

/// Why numbers do not make a surface or a force.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum ForceError {
    /// A number out of its range.
    #[error("{what} is {value}; it must be {must}")]
    Value {
        /// Which quantity.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// What would be accepted.
        must: &'static str,
    },
    /// A reson needs two numbers.
    #[error("reson_wavelength_m and reson_bandwidth make a reson together; give both or neither")]
    HalfReson,
    /// A recorded profile that is no profile.
    #[error("the recorded profile {what}; {remedy}")]
    Recorded {
        /// What is wrong with it.
        what: &'static str,
        /// What to do.
        remedy: &'static str,
    },
}

/// `value` when it lies within `range`, or an error that names it.
fn within(
    what: &'static str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
    must: &'static str,
) -> Result<f64, ForceError> {
    if range.contains(&value) { Ok(value) } else { Err(ForceError::Value { what, value, must }) }
}

/// The sample rates that forces are made for, Hz.
fn sample_rate(hz: f64) -> Result<f64, ForceError> {
    within("the sample rate (Hz)", hz, 4000.0..=1e6, "between 4000 and 1e6")
}

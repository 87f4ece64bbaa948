//! Impacts: from a collision to a force pulse.
//!
//! A [`Striker`] and a [`ContactBody`](crate::model::ContactBody) form a [`HertzPair`]: elasticity and curvature of
//! the contact. An [`Approach`] of two bodies, each with its [`PointMobility`], is solved for the force over
//! time. The resulting [`Impact`] is a force pulse, available as samples or as a spectrum.
//!
//! ```
//! use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair, Striker};
//! use foley_dsp::model::ContactBody;
//! let block = ContactBody { mass_kg: 10.0, young_pa: 2e11, poisson: 0.29, radius_m: f64::INFINITY };
//! let time_s = |name: &str| {
//!     let pair = HertzPair::new(&Striker::named(name)?, &block)?;
//!     let impact = pair.impact(1.0, DEFAULT_RESTITUTION)?;
//!     Ok::<_, foley_dsp::excitation::ContactError>(impact.map_or(0.0, |i| i.duration_s()))
//! };
//! assert!(time_s("steel ball")? < 1e-4 && time_s("rubber eraser")? > 1e-3);
//! # Ok::<(), foley_dsp::excitation::ContactError>(())
//! ```

mod striker;
mod hertz;
mod point_mobility;
mod collision;
mod force_curve;
mod impact;
mod modal_work;
mod decimation;
mod acceleration_noise;
mod quasi_static;

pub use acceleration_noise::{AcceleratedBody, Burst, RigidRadiation};
pub use collision::{Approach, Collision, CollisionEnergy, PATIENCE_S};
pub use force_curve::ForceCurve;
pub use hertz::{DEFAULT_RESTITUTION, HERTZ_TIME, HertzPair};
pub use impact::{Impact, MIN_SAMPLED_DURATION, pulse_spectrum};
pub use point_mobility::{MobilityMode, PointMobility};
pub use quasi_static::PushedMode;
pub(crate) use quasi_static::{correction, offset};
pub use striker::Striker;

use thiserror::Error;

/// Invalid contact parameters.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum ContactError {
    /// A quantity out of range.
    #[error("the {what} is {value}; it must be {must}")]
    Value { what: &'static str, value: f64, must: &'static str },
    /// Both bodies are flat: Hertz's theory needs a curved one.
    #[error("striker and body are both flat; give one of them a finite radius")]
    BothFlat,
    /// No preset has this name.
    #[error("there is no striker \"{name}\"; there are: {}", striker::names_list())]
    UnknownStriker { name: String },
}

/// Returns `value` if `ok`, else an error that names it.
fn checked(
    what: &'static str,
    value: f64,
    must: &'static str,
    ok: bool,
) -> Result<f64, ContactError> {
    if ok { Ok(value) } else { Err(ContactError::Value { what, value, must }) }
}

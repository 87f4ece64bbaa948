//! Only what can be heard: many modes, few partials.
//!
//! In a block, [`stage`] lists the objects that move, leaves out those that nobody audible_energy or that
//! there is no time for, and lets the others [`accumulate`](perceptual) the [`partial_bus`] of their bus: their
//! modes move on by a block and [`gather`] in bands. Each band that is heard ([`masking`]) sings as
//! one partial ([`carriers`], [`sing`]). [`masking_2004`] action the same by the rule of [CS 4].

mod settings;
mod budget;
mod voice_priority;
mod scheduler;
mod voice_state;
mod modes;
mod bands;
mod partials;
mod masking_2004;

pub use budget::{Budget, Clock};
pub(crate) use modes::band_layout::BandLayout;
pub(crate) use modes::prepared_impulse::PreparedImpulse;
pub(crate) use scheduler::{BlockInputs, PerceptualScheduler};
pub use settings::{Listening, Synthesis};
pub(crate) use voice_state::PerceptualState;

//! Perceptual synthesis: computes only what is audible, many modes as few partials.
//!
//! Data of one block: [`scheduler`] lists the voices that move ([`voice_priority`]), culls the
//! inaudible ones and those over the [`budget`], and accumulates the modes of the others
//! ([`modes`]) in frequency [`bands`]. Each band above its masking threshold ([`bands::spreading`])
//! sounds as one partial of its bus ([`partials`]). [`masking_2004`] is the alternative rule of [CS
//! 4], which computes every unmasked mode by itself.

mod settings;
mod budget;
mod voice_priority;
mod scheduler;
mod voice_state;
mod silence;
mod modes;
mod bands;
mod partials;
mod masking_2004;

pub(crate) use bands::band_accumulators::BandAccumulator;
pub use budget::{Budget, Clock};
pub(crate) use modes::band_layout::BandLayout;
pub(crate) use modes::prepared_impulse::PreparedImpulse;
pub(crate) use scheduler::{BlockInputs, PerceptualScheduler};
pub use settings::{Listening, Synthesis};
pub(crate) use voice_state::PerceptualState;

//! Only what can be heard: many modes, few partials.
//!
//! In a block, [`stage`] lists the objects that move, leaves out those that nobody hears or that
//! there is no time for, and lets the others [`join`](member) the [`choir`] of their bus: their
//! modes move on by a block and [`gather`] in cells. Each cell that is heard ([`masks`]) sings as
//! one partial ([`carriers`], [`sing`]). [`paper`] does the same by the rule of [CS 4].

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
pub(crate) use modes::band_layout::Gathering;
pub(crate) use modes::prepared_impulse::Landing;
pub(crate) use scheduler::{Lent, Stage};
pub use settings::{Ear, Hearing};
pub(crate) use voice_state::Member;

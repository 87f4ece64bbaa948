//! Only what can be heard: many modes, few partials.
//!
//! In a block, [`stage`] lists the objects that move, leaves out those that nobody hears or that
//! there is no time for, and lets the others [`join`](member) the [`choir`] of their bus: their
//! modes move on by a block and [`gather`] in cells. Each cell that is heard ([`masks`]) sings as
//! one partial ([`carriers`], [`sing`]). [`paper`] does the same by the rule of [CS 4].

mod budget;
mod carriers;
mod cells;
mod choir;
mod crowd;
mod ear;
mod flags;
mod floor;
mod gather;
mod gathering;
mod landing;
mod masks;
mod member;
mod onward;
mod packing;
mod paper;
mod rest;
mod seats;
mod sing;
mod stage;
mod sums;
mod survivors;
mod weigh;

pub use budget::{Budget, Clock};
pub use ear::{Ear, Hearing};
pub(crate) use gathering::Gathering;
pub(crate) use landing::Landing;
pub(crate) use member::Member;
pub(crate) use stage::{Lent, Stage};

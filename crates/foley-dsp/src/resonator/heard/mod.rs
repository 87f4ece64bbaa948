//! Only what can be heard: many modes, few partials.

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
mod paper;
mod rest;
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

//! Only what can be heard: many modes, few partials.

mod budget;
mod carriers;
mod cells;
mod choir;
mod ear;
mod gather;
mod gathering;
mod landing;
mod masks;
mod member;
mod rest;
mod sing;
mod stage;
mod sums;

pub use budget::{Budget, Clock};
pub use ear::{Ear, Hearing};
pub(crate) use gathering::Gathering;
pub(crate) use landing::Landing;
pub(crate) use member::Member;
pub(crate) use stage::{Lent, Stage};

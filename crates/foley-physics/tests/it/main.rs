//! The integration tests of `foley-physics`, in one program: it is linked once.

mod common;
mod contact_tracker;
mod energy;
mod half_space;
mod invalid_input;
mod many_bodies;
mod mass_properties;
mod overlap;
mod resting_contact;
mod restitution;
mod scripted_path;
mod sliding_and_rolling;
mod trace;

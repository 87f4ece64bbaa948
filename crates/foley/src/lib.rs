//! Foley hears physics.

pub mod backend;

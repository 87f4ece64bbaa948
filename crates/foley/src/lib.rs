//! Foley hears physics.

//! Measurements.
pub(crate) mod klank;

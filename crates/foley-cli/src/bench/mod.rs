//! Benchmarks: ratios against references measured in the same run.

pub(crate) mod bake;
mod clock;
pub(crate) mod klank;
pub(crate) mod modes;
mod naive;
mod peak;
pub(crate) mod scenes;

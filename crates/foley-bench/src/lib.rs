//! Benchmarks: ratios against references measured in the same run.

pub(crate) mod bake;
pub(crate) mod clock;
pub(crate) mod crowd;
pub(crate) mod hail;
pub(crate) mod klank;
mod level;
mod memory;
pub(crate) mod modes;
mod naive;
mod peak;
pub(crate) mod pruning;
pub(crate) mod scenes;
mod take;

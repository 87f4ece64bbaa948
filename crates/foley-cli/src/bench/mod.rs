//! Benchmarks: ratios against references measured in the same run.

mod clock;
pub(crate) mod klank;
pub(crate) mod modes;
mod naive;
mod peak;

#![doc = include_str!("../README.md")]
//!
//! Results must not depend on the feature: divide work by its size, never by
//! [`current_num_threads`], wherever the division affects rounding.

#[cfg(not(feature = "parallel"))]
mod sequential;

#[cfg(feature = "parallel")]
pub use rayon::{current_num_threads, join, prelude};
#[cfg(not(feature = "parallel"))]
pub use sequential::{current_num_threads, join, prelude};

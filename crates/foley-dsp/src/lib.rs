#![doc = include_str!("../README.md")]
//!
//! The modules follow the signal.

pub mod model;
pub mod excitation;
pub mod resonator;
pub mod perception;
pub mod propagation;
pub mod ears;
pub mod output;

pub mod simd;
mod cross_fade;
mod windowed_sinc;

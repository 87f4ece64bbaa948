//! Real-time synthesis: modal models, contact forces, resonators, perception, output.
//!
//! The modules follow the signal. Nothing here opens a file, takes a lock or allocates after
//! construction.

pub mod model;
pub mod excitation;
pub mod resonator;
pub mod perception;
pub mod propagation;
pub mod ears;
pub mod output;

pub mod simd;
mod cross_fade;

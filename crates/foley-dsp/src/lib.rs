//! The real-time half of Foley, in the order the sound flows.
//!
//! Nothing here opens a file, takes a lock or allocates after construction.

pub mod contact;
pub mod force;
pub mod model;
pub mod output;
pub mod perception;
pub mod resonator;
pub mod simd;

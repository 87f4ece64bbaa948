//! Scraping and sliding: the profile at the speed of slip, \[FA\] §4.2.
//!
//! ```text
//! F(t) = A(v, F_n) p(x(t)),  ẋ = v,  A ∝ √(v F_n)
//! ```
//!
//! above 20 Hz. Doubling the speed raises the pitch by one octave; at rest the force is zero; when
//! the motion reverses, the same track is read backwards.

use std::sync::Arc;

use super::sustained_force::{ProfileFilter, SustainedForce};
use super::{Coupling, ForceError, Profile};

/// No filter: a sliding tip follows the profile, or the profile already contains its low-pass.
#[derive(Debug, Clone)]
pub struct NoFilter;

impl ProfileFilter for NoFilter {}

/// The audio-force of one body sliding on another.
pub type Scrape = SustainedForce<NoFilter>;

impl Scrape {
    /// Makes a force at rest, at a position on the profile that depends on the seed.
    pub fn new(profile: Arc<Profile>, coupling: Coupling, seed: u64) -> Result<Self, ForceError> {
        Self::with(profile, coupling, seed, NoFilter)
    }
}

//! One hailstone.

use crate::Trajectory;

/// A hailstone at its birth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hailstone {
    /// Its index.
    pub index: u64,
    /// Its birth time in the scene.
    pub born_s: f64,
    /// Its trajectory since birth.
    pub trajectory: Trajectory,
    /// Its mass.
    pub mass_kg: f64,
    /// Its radius.
    pub radius_m: f64,
    /// The sampled energy; see [`crate::HailSettings::energies_j`].
    pub energy_j: f64,
}

//! One hailstone.

use crate::Flight;

/// A stone: all that is known of it when it is born.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stone {
    /// Its number.
    pub index: u64,
    /// When it is born.
    pub born_s: f64,
    /// Its way; `t` counts from birth.
    pub flight: Flight,
    /// Its mass.
    pub mass_kg: f64,
    /// Its radius.
    pub radius_m: f64,
    /// The energy it was given; see [`crate::Hail::energies_j`].
    pub energy_j: f64,
}

//! The settings of hail.

use crate::{Cloud, FallModel, Ice};
use derive_setters::Setters;
use foley_geometry::constants::GRAVITY_M_S2;

/// The settings of hail; [`crate::ParticleEmitter::new`] checks them.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct HailSettings {
    /// The random seed.
    pub seed: u32,
    /// The start of the first time slot.
    pub from_s: f64,
    /// Stones per second: 0, or from 1 to 1,000,000.
    pub per_second: f64,
    /// The area from which they are emitted.
    pub cloud: Cloud,
    /// The fall model.
    pub fall: FallModel,
    /// The smallest and the largest impact energy. Energies between them are distributed as
    /// 1/E (\[CS\] section 5).
    ///
    /// In a straight fall this is the kinetic energy at terminal speed relative to the air. In an accelerated
    /// fall it is the kinetic energy at the ground, z = 0 (or at birth, if the cloud is below the ground),
    /// which determines the mass.
    pub energies_j: [f64; 2],
    /// The physical properties of stones and air.
    pub ice: Ice,
    /// The gravitational acceleration, downwards.
    pub gravity_m_s2: f64,
}

/// The radius of the largest stones of the default, m: 1 cm in diameter. The smallest have a hundredth of
/// their energy.
pub const LARGEST_RADIUS_M: f64 = 5e-3;

impl Default for HailSettings {
    /// Returns 100 stones per second from a cloud 10 m wide and 20 m high, at terminal speed without wind.
    fn default() -> Self {
        let (ice, gravity_m_s2) = (Ice::default(), GRAVITY_M_S2);
        let r2 = LARGEST_RADIUS_M * LARGEST_RADIUS_M;
        let largest_j = ice.energy_per_r4(gravity_m_s2) * r2 * r2;
        Self {
            seed: 1,
            from_s: 0.0,
            per_second: 100.0,
            cloud: Cloud::disc([0.0, 0.0, 20.0], 5.0),
            fall: FallModel::straight([0.0; 2]),
            energies_j: [largest_j / 100.0, largest_j],
            ice,
            gravity_m_s2,
        }
    }
}

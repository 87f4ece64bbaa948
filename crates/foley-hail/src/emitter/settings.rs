//! The settings of a shower.

use crate::{Cloud, Fall, Ice};

/// The settings of a shower; [`crate::Sky::new`] checks them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hail {
    /// Another seed, other stones.
    pub seed: u32,
    /// When the first slot begins.
    pub from_s: f64,
    /// Stones a second: 0, or from 1 to 1,000,000.
    pub per_second: f64,
    /// Where they come from.
    pub cloud: Cloud,
    /// How they fall.
    pub fall: Fall,
    /// The lightest and the strongest blow: energies between follow 1/E (\[CS\] section 5).
    ///
    /// In a straight fall this is the energy at terminal speed, against the air. In an accelerated
    /// fall it is the energy with which the stone would reach the ground, z = 0 (or that of its birth,
    /// if the cloud is below the ground), and its mass follows from that.
    pub energies_j: [f64; 2],
    /// What they are.
    pub ice: Ice,
    /// Gravity, downwards.
    pub gravity_m_s2: f64,
}

/// The largest stones of the default, m: peas of 1 cm. The smallest have a hundredth of their energy.
pub const LARGEST_RADIUS_M: f64 = 5e-3;

impl Default for Hail {
    /// A hundred stones a second from a cloud 10 m wide and 20 m up, at terminal speed without wind.
    fn default() -> Self {
        let (ice, gravity_m_s2) = (Ice::default(), 9.81);
        let r2 = LARGEST_RADIUS_M * LARGEST_RADIUS_M;
        let largest_j = ice.energy_per_r4(gravity_m_s2) * r2 * r2;
        Self {
            seed: 1,
            from_s: 0.0,
            per_second: 100.0,
            cloud: Cloud::disc([0.0, 0.0, 20.0], 5.0),
            fall: Fall::straight([0.0; 2]),
            energies_j: [largest_j / 100.0, largest_j],
            ice,
            gravity_m_s2,
        }
    }
}

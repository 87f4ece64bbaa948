//! The particle emitter: checked settings, and the hailstones they generate.

mod settings;
mod cloud;
mod fall_model;
mod ice;
pub mod random;
mod hailstone;

pub use cloud::{Cloud, CloudShape};
pub use fall_model::FallModel;
pub use hailstone::Hailstone;
pub use ice::Ice;
pub use settings::{HailSettings, LARGEST_RADIUS_M};

use crate::validate::in_range;
use crate::{HailError, Trajectory};

/// A particle emitter: checked settings and the constants that all stones share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleEmitter {
    settings: HailSettings,
    /// log₂ (E_max / E_min).
    octaves: f64,
    /// One over `E / r⁴`.
    r4_per_j: f64,
    acceleration_m_s2: [f64; 3],
}

impl ParticleEmitter {
    /// Checks the settings.
    pub fn new(settings: HailSettings) -> Result<Self, HailError> {
        let rate = settings.per_second;
        if !(rate == 0.0 || (1.0..=1e6).contains(&rate)) {
            let must = "0 for no hail, or from 1 to 1,000,000 stones a second";
            return Err(HailError::Setting { key: "per_second", value: rate, must });
        }
        in_range("from_s", settings.from_s, [-1e9, 1e9], "a time between -1e9 and 1e9 s")?;
        settings.cloud.validate()?;
        settings.fall.validate()?;
        let [least, most] = settings.energies_j;
        let must = "between 1e-12 and 1e6 J";
        in_range("energies_j[0]", least, [1e-12, 1e6], must)?;
        in_range("energies_j[1]", most, [1e-12, 1e6], must)?;
        let must = "at least energies_j[0], the smallest impact energy";
        in_range("energies_j[1]", most, [least, 1e6], must)?;
        in_range(
            "ice.density_kg_m3",
            settings.ice.density_kg_m3,
            [1.0, 1e5],
            "from 1 to 1e5 kg/m³",
        )?;
        in_range("ice.drag", settings.ice.drag, [1e-3, 1e3], "from 0.001 to 1000")?;
        in_range("ice.air_kg_m3", settings.ice.air_kg_m3, [1e-3, 1e3], "from 0.001 to 1000 kg/m³")?;
        in_range("gravity_m_s2", settings.gravity_m_s2, [1e-3, 1e3], "from 0.001 to 1000 m/s²")?;
        let acceleration_m_s2 = match settings.fall {
            FallModel::Accelerated { wind_m_s2: [x, y, z], .. } => {
                [x, y, z - settings.gravity_m_s2]
            }
            FallModel::Straight { .. } => [0.0; 3],
        };
        let down = acceleration_m_s2[2];
        if matches!(settings.fall, FallModel::Accelerated { .. }) && down > -1e-3 {
            return Err(HailError::NeverLands {
                why: format!("gravity and wind_m_s2 together are {down} m/s² upwards"),
                remedy: "make the upward wind weaker than gravity",
            });
        }
        let octaves = libm::log2(most / least);
        let r4_per_j = 1.0 / settings.ice.energy_per_r4(settings.gravity_m_s2);
        Ok(Self { settings, octaves, r4_per_j, acceleration_m_s2 })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &HailSettings {
        &self.settings
    }

    /// Returns the flux: stones per second and square metre of ground below the middle of the cloud.
    pub fn flux_per_m2_s(&self) -> f64 {
        self.settings.per_second / self.settings.cloud.area_m2()
    }

    /// Returns a stone by its index. It is born at `from_s + (index + u)/per_second`: one in each time slot.
    ///
    /// With `per_second` 0 there are no stones: the birth time is not finite.
    pub fn stone(&self, index: u64) -> Hailstone {
        self.complete(&self.birth(index))
    }

    /// Computes only what the hit test needs, since most stones hit nothing.
    pub(crate) fn birth(&self, index: u64) -> Birth {
        let hail = &self.settings;
        let [when, a, b, energy] = random::fractions(index, hail.seed, random::BIRTH);
        let age_s = (index as f64 + when) / hail.per_second;
        let velocity_m_s = match hail.fall {
            FallModel::Straight { wind_m_s: [x, y] } => {
                let radius_m = self.radius_at_terminal_speed(self.energy_j(energy));
                [x, y, -hail.ice.terminal_m_s(radius_m, hail.gravity_m_s2)]
            }
            FallModel::Accelerated { velocity_m_s, spread_m_s, .. } => {
                self.spread(index, velocity_m_s, spread_m_s)
            }
        };
        let trajectory = Trajectory {
            position_m: hail.cloud.spawn_position(age_s, [a, b]),
            velocity_m_s,
            acceleration_m_s2: self.acceleration_m_s2,
        };
        Birth { index, born_s: hail.from_s + age_s, trajectory, energy }
    }

    /// Adds energy, size and mass.
    pub(crate) fn complete(&self, birth: &Birth) -> Hailstone {
        let Birth { index, born_s, trajectory, energy } = *birth;
        let (hail, energy_j) = (&self.settings, self.energy_j(energy));
        let (radius_m, mass_kg) = match hail.fall {
            FallModel::Straight { .. } => {
                let radius_m = self.radius_at_terminal_speed(energy_j);
                (radius_m, hail.ice.mass_kg(radius_m))
            }
            FallModel::Accelerated { .. } => {
                let mass_kg = 2.0 * energy_j / ground_speed_squared(&trajectory);
                (hail.ice.radius_m(mass_kg), mass_kg)
            }
        };
        Hailstone { index, born_s, trajectory, mass_kg, radius_m, energy_j }
    }

    /// Samples the 1/E distribution: `E = E_min (E_max/E_min)ᵘ`.
    fn energy_j(&self, u: f64) -> f64 {
        self.settings.energies_j[0] * libm::exp2(self.octaves * u)
    }

    fn radius_at_terminal_speed(&self, energy_j: f64) -> f64 {
        (energy_j * self.r4_per_j).sqrt().sqrt()
    }

    fn spread(&self, index: u64, [x, y, z]: [f64; 3], spread_m_s: f64) -> [f64; 3] {
        if spread_m_s == 0.0 {
            return [x, y, z];
        }
        let [a, b, c, _] = random::fractions(index, self.settings.seed, random::SPREAD);
        let offset = |u: f64| spread_m_s * (2.0 * u - 1.0);
        [x + offset(a), y + offset(b), z + offset(c)]
    }
}

/// A stone before its size and mass are computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    pub(crate) index: u64,
    pub(crate) born_s: f64,
    pub(crate) trajectory: Trajectory,
    /// The random fraction that selects its energy.
    energy: f64,
}

/// Returns |v|² where the trajectory crosses z = 0.
fn ground_speed_squared(trajectory: &Trajectory) -> f64 {
    let v = trajectory.velocity_vec(trajectory.sinks_below(0.0).unwrap_or(0.0));
    // A speed of zero would make the mass infinite.
    v.length_squared().max(SLOWEST_M_S * SLOWEST_M_S)
}

/// Lower bound of the ground speed from which a mass is computed.
const SLOWEST_M_S: f64 = 0.1;

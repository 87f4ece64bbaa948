//! The sky: checked settings, and the stones they make.

use crate::check::within;
use crate::{Fall, Flight, Hail, HailError, Stone, random};

/// Checked settings with what all stones share worked out: makes stones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    hail: Hail,
    /// log₂ (E_max / E_min).
    octaves: f64,
    /// One over `E / r⁴`.
    r4_per_j: f64,
    acceleration_m_s2: [f64; 3],
}

impl Sky {
    /// Checks the settings.
    pub fn new(hail: Hail) -> Result<Self, HailError> {
        let rate = hail.per_second;
        if !(rate == 0.0 || (1.0..=1e6).contains(&rate)) {
            let must = "0 for no hail, or from 1 to 1,000,000 stones a second";
            return Err(HailError::Setting { key: "per_second", value: rate, must });
        }
        within("from_s", hail.from_s, [-1e9, 1e9], "a time between -1e9 and 1e9 s")?;
        hail.cloud.check()?;
        hail.fall.check()?;
        let [least, most] = hail.energies_j;
        let must = "between 1e-12 and 1e6 J";
        within("energies_j[0]", least, [1e-12, 1e6], must)?;
        within("energies_j[1]", most, [1e-12, 1e6], must)?;
        let must = "at least energies_j[0], the lightest blow";
        within("energies_j[1]", most, [least, 1e6], must)?;
        within("ice.density_kg_m3", hail.ice.density_kg_m3, [1.0, 1e5], "from 1 to 1e5 kg/m³")?;
        within("ice.drag", hail.ice.drag, [1e-3, 1e3], "from 0.001 to 1000")?;
        within("ice.air_kg_m3", hail.ice.air_kg_m3, [1e-3, 1e3], "from 0.001 to 1000 kg/m³")?;
        within("gravity_m_s2", hail.gravity_m_s2, [1e-3, 1e3], "from 0.001 to 1000 m/s²")?;
        let acceleration_m_s2 = match hail.fall {
            Fall::Accelerated { wind_m_s2: [x, y, z], .. } => [x, y, z - hail.gravity_m_s2],
            Fall::Straight { .. } => [0.0; 3],
        };
        let down = acceleration_m_s2[2];
        if matches!(hail.fall, Fall::Accelerated { .. }) && down > -1e-3 {
            return Err(HailError::NeverLands {
                why: format!("gravity and wind_m_s2 together are {down} m/s² upwards"),
                remedy: "make the upward wind weaker than gravity",
            });
        }
        let octaves = libm::log2(most / least);
        let r4_per_j = 1.0 / hail.ice.energy_per_r4(hail.gravity_m_s2);
        Ok(Self { hail, octaves, r4_per_j, acceleration_m_s2 })
    }

    /// The settings.
    pub fn hail(&self) -> &Hail {
        &self.hail
    }

    /// Stones a second and square metre of ground in the middle of the shower.
    pub fn flux_per_m2_s(&self) -> f64 {
        self.hail.per_second / self.hail.cloud.area_m2()
    }

    /// The stone of a number: born at `from_s + (index + u)/per_second`, one in each slot.
    ///
    /// Without hail (`per_second` 0) there is no stone to ask for; what comes is born never.
    pub fn stone(&self, index: u64) -> Stone {
        self.complete(&self.birth(index))
    }

    /// What must be known of a stone to say whether it strikes: most do not.
    pub(crate) fn birth(&self, index: u64) -> Birth {
        let hail = &self.hail;
        let [when, a, b, energy] = random::fractions(index, hail.seed, random::BIRTH);
        let age_s = (index as f64 + when) / hail.per_second;
        let velocity_m_s = match hail.fall {
            Fall::Straight { wind_m_s: [x, y] } => {
                let radius_m = self.radius_at_terminal_speed(self.energy_j(energy));
                [x, y, -hail.ice.terminal_m_s(radius_m, hail.gravity_m_s2)]
            }
            Fall::Accelerated { velocity_m_s, spread_m_s, .. } => {
                self.spread(index, velocity_m_s, spread_m_s)
            }
        };
        let flight = Flight {
            place_m: hail.cloud.birthplace(age_s, [a, b]),
            velocity_m_s,
            acceleration_m_s2: self.acceleration_m_s2,
        };
        Birth { index, born_s: hail.from_s + age_s, flight, energy }
    }

    /// The rest: size and mass.
    pub(crate) fn complete(&self, birth: &Birth) -> Stone {
        let Birth { index, born_s, flight, energy } = *birth;
        let (hail, energy_j) = (&self.hail, self.energy_j(energy));
        let (radius_m, mass_kg) = match hail.fall {
            Fall::Straight { .. } => {
                let radius_m = self.radius_at_terminal_speed(energy_j);
                (radius_m, hail.ice.mass_kg(radius_m))
            }
            Fall::Accelerated { .. } => {
                let mass_kg = 2.0 * energy_j / ground_speed_squared(&flight);
                (hail.ice.radius_m(mass_kg), mass_kg)
            }
        };
        Stone { index, born_s, flight, mass_kg, radius_m, energy_j }
    }

    /// 1/E: `E = E_min (E_max/E_min)ᵘ`.
    fn energy_j(&self, u: f64) -> f64 {
        self.hail.energies_j[0] * libm::exp2(self.octaves * u)
    }

    fn radius_at_terminal_speed(&self, energy_j: f64) -> f64 {
        (energy_j * self.r4_per_j).sqrt().sqrt()
    }

    fn spread(&self, index: u64, [x, y, z]: [f64; 3], spread_m_s: f64) -> [f64; 3] {
        if spread_m_s == 0.0 {
            return [x, y, z];
        }
        let [a, b, c, _] = random::fractions(index, self.hail.seed, random::SPREAD);
        let of = |u: f64| spread_m_s * (2.0 * u - 1.0);
        [x + of(a), y + of(b), z + of(c)]
    }
}

/// A stone before its size is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    pub(crate) index: u64,
    pub(crate) born_s: f64,
    pub(crate) flight: Flight,
    /// The fraction that decides about its energy.
    energy: f64,
}

/// |v|² where a parabola meets z = 0.
fn ground_speed_squared(flight: &Flight) -> f64 {
    let v = flight.speed(flight.sinks_below(0.0).unwrap_or(0.0));
    // A stone at rest would need to be infinitely heavy.
    v.length_squared().max(SLOWEST_M_S * SLOWEST_M_S)
}

/// A stone slower than this at the ground gets the mass of one that fast.
const SLOWEST_M_S: f64 = 0.1;

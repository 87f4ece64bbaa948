//! The settings of a shower, and the sky that makes stones of them.

use crate::check::within;
use crate::{Cloud, Fall, Flight, HailError, Stone, random};
use std::f64::consts::PI;

/// What stones are made of and fall through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ice {
    /// ρ of ice.
    pub density_kg_m3: f64,
    /// c, the drag coefficient of a stone.
    pub drag: f64,
    /// ρ₀ of air.
    pub air_kg_m3: f64,
}

impl Default for Ice {
    fn default() -> Self {
        Self { density_kg_m3: 917.0, drag: 0.6, air_kg_m3: 1.204 }
    }
}

impl Ice {
    /// Of a sphere of ice.
    pub fn mass_kg(&self, radius_m: f64) -> f64 {
        self.density_kg_m3 * (4.0 / 3.0) * PI * radius_m * radius_m * radius_m
    }

    /// The other way round.
    pub fn radius_m(&self, mass_kg: f64) -> f64 {
        libm::cbrt(mass_kg / (self.density_kg_m3 * (4.0 / 3.0) * PI))
    }

    /// Where drag and weight are equal: `v² = 8 r g ρ / 3 c ρ₀`.
    pub fn terminal_m_s(&self, radius_m: f64, gravity_m_s2: f64) -> f64 {
        let push = 8.0 * radius_m * gravity_m_s2 * self.density_kg_m3;
        (push / (3.0 * self.drag * self.air_kg_m3)).sqrt()
    }

    /// `E / r⁴` at terminal speed: `m v²/2 = (16/9) π ρ² g r⁴ / c ρ₀`.
    pub fn energy_per_r4(&self, gravity_m_s2: f64) -> f64 {
        let rho = self.density_kg_m3;
        (16.0 / 9.0) * PI * rho * rho * gravity_m_s2 / (self.drag * self.air_kg_m3)
    }
}

/// The settings of a shower; [`Sky::new`] checks them.
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
    /// The lightest and the strongest blow: energies between follow 1/E ([CS] section 5).
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
        let largest_j = ice.energy_per_r4(gravity_m_s2) * LARGEST_RADIUS_M.powi(4);
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

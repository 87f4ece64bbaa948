//! Hail: its cloud, fall and sizes; what its stones strike is in `sonify`.

use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::{cloud, hail, scene};
use crate::write;
use foley_hail::{Cloud, CloudShape, FallModel, HailError, Ice, ParticleEmitter, Trajectory};
use glam::DVec3;

/// Ratio of the largest to the smallest energy of a stone, unless their sizes are given: two decades.
const ENERGY_RATIO: f64 = 100.0;
/// Lower limit of the largest impact speed, m/s: keeps the energies positive for clouds below z = 0.
const MIN_SPEED_M_S: f64 = 0.1;

/// Law of the stones' fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fall {
    /// In straight lines, each stone at its terminal speed.
    #[default]
    Straight,
    /// From rest, without drag.
    Accelerated,
}

/// The words of `fall`.
pub(crate) const FALLS: [(&str, Fall); 2] =
    [("straight", Fall::Straight), ("accelerated", Fall::Accelerated)];

/// Hail.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hail {
    /// Stones that leave the cloud per second.
    pub per_second: f64,
    /// Region the stones come from.
    pub cloud: Cloud,
    /// Law of their fall.
    pub fall: Fall,
    /// Wind along x and y: m/s with a straight fall, m/s² with an accelerated one.
    pub wind: [f64; 2],
    /// Time of the first stones, s; `None`: such that the first ones land at 0 s.
    pub from_s: Option<f64>,
    /// Radius of the largest stones, m.
    pub largest_m: f64,
    /// Radius of the smallest stones, m; `None`: a hundredth of the energy of the largest.
    pub smallest_m: Option<f64>,
    /// Coefficient of restitution of a stone.
    pub restitution: f64,
}

impl Default for Hail {
    fn default() -> Self {
        let defaults = foley_hail::HailSettings::default();
        Self {
            per_second: defaults.per_second,
            cloud: defaults.cloud,
            fall: Fall::default(),
            wind: [0.0; 2],
            from_s: None,
            largest_m: const { hail::LARGEST_M.default_number() },
            smallest_m: None,
            restitution: const { hail::RESTITUTION.default_number() },
        }
    }
}

impl Hail {
    /// Returns the emitter of the stones from a time on.
    pub fn emitter(
        &self,
        seed: u64,
        [gx, gy, gz]: [f64; 3],
        from_s: f64,
    ) -> Result<ParticleEmitter, HailError> {
        let (ice, gravity_m_s2) = (Ice::default(), -gz);
        let [x, y] = self.wind;
        let fall = match self.fall {
            Fall::Straight => FallModel::straight(self.wind),
            Fall::Accelerated => FallModel::Accelerated {
                wind_m_s2: [x + gx, y + gy, 0.0],
                velocity_m_s: [0.0; 3],
                spread_m_s: 0.0,
            },
        };
        let fastest_m_s = match self.fall {
            Fall::Straight => ice.terminal_m_s(self.largest_m, gravity_m_s2),
            // At z = 0: the emitter's energies are those at the ground.
            Fall::Accelerated => {
                let trajectory = self.fastest_trajectory([gx, gy, gz]);
                let v = trajectory.velocity_at(trajectory.sinks_below(0.0).unwrap_or(0.0));
                DVec3::from(v).length().max(MIN_SPEED_M_S)
            }
        };
        let ratio = (self.largest_m / self.smallest_radius_m()).powi(self.energy_power());
        let max_j = 0.5 * ice.mass_kg(self.largest_m) * fastest_m_s * fastest_m_s;
        ParticleEmitter::new(
            foley_hail::HailSettings::default()
                .with_seed((seed ^ seed >> 32) as u32)
                .with_from_s(from_s)
                .with_per_second(self.per_second)
                .with_cloud(self.cloud)
                .with_fall(fall)
                .with_energies_j([max_j / ratio, max_j])
                .with_ice(ice)
                .with_gravity_m_s2(gravity_m_s2),
        )
    }

    /// Returns the radius of the smallest stones, m.
    pub fn smallest_radius_m(&self) -> f64 {
        let default_m =
            || self.largest_m * ENERGY_RATIO.powf(-1.0 / f64::from(self.energy_power()));
        self.smallest_m.unwrap_or_else(default_m)
    }

    /// Returns p of E ∝ rᵖ: at terminal speed v² grows with the radius; in an accelerated fall all stones
    /// have the same speed.
    fn energy_power(&self) -> i32 {
        match self.fall {
            Fall::Straight => 4,
            Fall::Accelerated => 3,
        }
    }

    /// Returns the trajectory of the fastest stone from the centre of the cloud.
    pub(crate) fn fastest_trajectory(&self, gravity_m_s2: [f64; 3]) -> Trajectory {
        self.trajectory(self.largest_m, gravity_m_s2)
    }

    /// Returns the trajectory of the slowest stone from the centre of the cloud.
    pub(crate) fn slowest_trajectory(&self, gravity_m_s2: [f64; 3]) -> Trajectory {
        self.trajectory(self.smallest_radius_m(), gravity_m_s2)
    }

    fn trajectory(&self, radius_m: f64, [gx, gy, gz]: [f64; 3]) -> Trajectory {
        let ([x, y], position_m) = (self.wind, self.cloud.centre_m);
        match self.fall {
            Fall::Straight => {
                let down_m_s = Ice::default().terminal_m_s(radius_m, -gz);
                let acceleration_m_s2 = [0.0; 3];
                Trajectory { position_m, velocity_m_s: [x, y, -down_m_s], acceleration_m_s2 }
            }
            Fall::Accelerated => {
                let acceleration_m_s2 = [x + gx, y + gy, gz];
                Trajectory { position_m, velocity_m_s: [0.0; 3], acceleration_m_s2 }
            }
        }
    }

    pub(crate) fn read(scene: &mut Fields<'_>, seed: u64, gravity: [f64; 3]) -> Option<Self> {
        let defaults = Self::default();
        let mut fields = scene.table(&scene::HAIL, "hail".into())?;
        let per_second = fields.number(&hail::PER_SECOND);
        if per_second.is_some_and(|rate| rate > 0.0 && rate < 1.0) {
            fields.report(&hail::PER_SECOND, "must be 0, or from 1 to 1e6 stones per second");
        }
        let hail = Self {
            per_second: per_second.unwrap_or(defaults.per_second),
            cloud: read_cloud(&mut fields, defaults.cloud),
            fall: fields.choice(&hail::FALL, &FALLS).unwrap_or_default(),
            wind: fields.numbers(&hail::WIND).unwrap_or_default(),
            from_s: fields.number(&hail::FROM_S),
            largest_m: fields.number(&hail::LARGEST_M).unwrap_or(defaults.largest_m),
            smallest_m: fields.number(&hail::SMALLEST_M),
            restitution: fields.number(&hail::RESTITUTION).unwrap_or(defaults.restitution),
        };
        if hail.smallest_m.is_some_and(|smallest_m| smallest_m > hail.largest_m) {
            fields.report(&hail::SMALLEST_M, "must not be above `largest_m`");
        }
        let is_valid = fields.log.is_empty();
        fields.finish();
        if !(-gravity[2] >= 1e-3) {
            let problem = "needs gravity that points down; remove the hail or change `gravity`";
            scene.report(&scene::HAIL, problem);
        } else if is_valid && let Err(error) = hail.emitter(seed, gravity, 0.0) {
            scene.report(&scene::HAIL, error.to_string());
        }
        Some(hail)
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let mut cloud = Table::new(table.span.clone());
        cloud.put_numbers(cloud::POSITION_M.name, &self.cloud.centre_m);
        match self.cloud.shape {
            CloudShape::Disc { radius_m } => cloud.put(cloud::RADIUS.name, Data::Float(radius_m)),
            CloudShape::Rectangle { size_m } => cloud.put_numbers(cloud::SIZE.name, &size_m),
        }
        cloud.put_numbers(cloud::DRIFT.name, &self.cloud.drift_m_s);
        let mut own = Table::new(table.span.clone());
        own.put(hail::PER_SECOND.name, Data::Float(self.per_second));
        own.put(hail::CLOUD.name, Data::Table(cloud));
        let fall = FALLS.iter().find(|(_, fall)| *fall == self.fall).map_or("", |(word, _)| word);
        own.put(hail::FALL.name, write::text(fall));
        own.put_numbers(hail::WIND.name, &self.wind);
        own.put_some(hail::FROM_S.name, self.from_s.map(Data::Float));
        own.put(hail::LARGEST_M.name, Data::Float(self.largest_m));
        own.put_some(hail::SMALLEST_M.name, self.smallest_m.map(Data::Float));
        own.put(hail::RESTITUTION.name, Data::Float(self.restitution));
        table.put(scene::HAIL.name, Data::Table(own));
    }
}

fn read_cloud(hail: &mut Fields<'_>, mut cloud: Cloud) -> Cloud {
    let Some(mut fields) = hail.table(&hail::CLOUD, "hail, cloud".into()) else { return cloud };
    cloud.centre_m = fields.numbers(&cloud::POSITION_M).unwrap_or(cloud.centre_m);
    let radius_m = fields.number(&cloud::RADIUS);
    let size_m = fields.numbers(&cloud::SIZE);
    fields.exclude(&cloud::SIZE, &cloud::RADIUS);
    match (radius_m, size_m) {
        (_, Some(size_m)) => cloud.shape = CloudShape::Rectangle { size_m },
        (Some(radius_m), None) => cloud.shape = CloudShape::Disc { radius_m },
        (None, None) => (),
    }
    cloud.drift_m_s = fields.numbers(&cloud::DRIFT).unwrap_or_default();
    fields.finish();
    cloud
}

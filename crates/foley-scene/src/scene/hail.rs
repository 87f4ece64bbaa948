//! Hail that falls on the scene.
//!
//! ```toml
//! [hail]
//! per_second = 2000
//! cloud = { position = [0, 0, 12], radius = 3, drift = [0.5, 0] }
//! wind = [1, 0]
//! ```
//!
//! Stones strike what is fixed and has a collider: what sounds is heard, what is silent shields what
//! is below it. They fly through what moves. The scene's seed decides about every stone, and its gravity
//! must point down. A trace tells of its own stones: with one, none fall from the cloud.

use super::pose::read_position;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::{cloud, hail, scene};
use crate::write;
use foley_hail::{Cloud, CloudShape, FallModel, HailError, Ice, ParticleEmitter, Trajectory};

/// The strongest blow has so many times the energy of the lightest: two decades.
const SPAN: f64 = 100.0;
/// A stone that came slower to the ground would have to be heavier than the largest, m/s.
const SLOWEST_M_S: f64 = 0.1;

/// How stones fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fall {
    /// In straight lines, at the terminal speed of each.
    #[default]
    Straight,
    /// From rest, without drag.
    Accelerated,
}

/// The words of `fall`.
pub(crate) const FALLS: [(&str, Fall); 2] =
    [("straight", Fall::Straight), ("accelerated", Fall::Accelerated)];

/// Hail that falls on a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hail {
    /// Stones that leave the cloud in a second.
    pub per_second: f64,
    /// Where they come from.
    pub cloud: Cloud,
    /// How they fall.
    pub fall: Fall,
    /// Along x and y: m/s in a straight fall, m/s² in an accelerated one.
    pub wind: [f64; 2],
    /// When they begin to leave the cloud, s; `None` for so early that the first ones strike at 0 s.
    pub from_s: Option<f64>,
    /// Radius of the largest, m.
    pub largest_m: f64,
    /// The part of its speed with which a stone leaps off.
    pub restitution: f64,
}

impl Default for Hail {
    fn default() -> Self {
        let usual = foley_hail::HailSettings::default();
        Self {
            per_second: usual.per_second,
            cloud: usual.cloud,
            fall: Fall::default(),
            wind: [0.0; 2],
            from_s: None,
            largest_m: const { hail::LARGEST_M.default_number() },
            restitution: const { hail::RESTITUTION.default_number() },
        }
    }
}

impl Hail {
    /// The emitter of these stones, beginning at a time.
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
            // From the cloud to z = 0, where stones have the energy they were given.
            Fall::Accelerated => {
                let trajectory = self.fastest([gx, gy, gz]);
                let v = trajectory.velocity_at(trajectory.sinks_below(0.0).unwrap_or(0.0));
                v.iter().map(|v| v * v).sum::<f64>().sqrt().max(SLOWEST_M_S)
            }
        };
        let most_j = 0.5 * ice.mass_kg(self.largest_m) * fastest_m_s * fastest_m_s;
        ParticleEmitter::new(foley_hail::HailSettings {
            seed: (seed ^ seed >> 32) as u32,
            from_s,
            per_second: self.per_second,
            cloud: self.cloud,
            fall,
            energies_j: [most_j / SPAN, most_j],
            ice,
            gravity_m_s2,
        })
    }

    /// How the fastest stones fly from the middle of the cloud.
    pub(crate) fn fastest(&self, [gx, gy, gz]: [f64; 3]) -> Trajectory {
        let ([x, y], position_m) = (self.wind, self.cloud.centre_m);
        match self.fall {
            Fall::Straight => {
                let down_m_s = Ice::default().terminal_m_s(self.largest_m, -gz);
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
        let usual = Self::default();
        let mut fields = scene.table(&scene::HAIL, "hail".into())?;
        let per_second = fields.number(&hail::PER_SECOND);
        if per_second.is_some_and(|rate| rate > 0.0 && rate < 1.0) {
            fields.wrong(
                &hail::PER_SECOND,
                "must be 0 for no hail, or from 1 to 1e6 stones a second",
            );
        }
        let hail = Self {
            per_second: per_second.unwrap_or(usual.per_second),
            cloud: read_cloud(&mut fields, usual.cloud),
            fall: fields.choice(&hail::FALL, &FALLS).unwrap_or_default(),
            wind: fields.numbers(&hail::WIND).unwrap_or_default(),
            from_s: fields.number(&hail::FROM_S),
            largest_m: fields.number(&hail::LARGEST_M).unwrap_or(usual.largest_m),
            restitution: fields.number(&hail::RESTITUTION).unwrap_or(usual.restitution),
        };
        let sound = fields.log.is_empty();
        fields.finish();
        if !(-gravity[2] >= 1e-3) {
            let what =
                "stones fall by gravity, and here it does not point down; leave the hail out";
            scene.wrong(&scene::HAIL, what);
        } else if sound && let Err(error) = hail.emitter(seed, gravity, 0.0) {
            scene.wrong(&scene::HAIL, error.to_string());
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
        own.put(
            hail::FALL.name,
            write::text(match self.fall {
                Fall::Straight => "straight",
                Fall::Accelerated => "accelerated",
            }),
        );
        own.put_numbers(hail::WIND.name, &self.wind);
        if let Some(from_s) = self.from_s {
            own.put(hail::FROM_S.name, Data::Float(from_s));
        }
        own.put(hail::LARGEST_M.name, Data::Float(self.largest_m));
        own.put(hail::RESTITUTION.name, Data::Float(self.restitution));
        table.put(scene::HAIL.name, Data::Table(own));
    }
}

fn read_cloud(hail: &mut Fields<'_>, mut cloud: Cloud) -> Cloud {
    let Some(mut fields) = hail.table(&hail::CLOUD, "hail, cloud".into()) else { return cloud };
    cloud.centre_m = read_position(&mut fields, &cloud::POSITION_M).unwrap_or(cloud.centre_m);
    let radius_m = fields.number(&cloud::RADIUS);
    let size_m = fields.numbers(&cloud::SIZE);
    if fields.has(&cloud::RADIUS) && fields.has(&cloud::SIZE) {
        fields.wrong(&cloud::SIZE, "stands beside `radius`; a cloud is round or rectangular");
    }
    match (radius_m, size_m) {
        (_, Some(size_m)) => cloud.shape = CloudShape::Rectangle { size_m },
        (Some(radius_m), None) => cloud.shape = CloudShape::Disc { radius_m },
        (None, None) => (),
    }
    cloud.drift_m_s = fields.numbers(&cloud::DRIFT).unwrap_or_default();
    fields.finish();
    cloud
}

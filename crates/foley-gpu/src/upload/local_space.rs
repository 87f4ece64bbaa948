//! Local coordinates in single precision, with the origin at the centre of the colliders.

use crate::upload::layout;
use foley_hail::{CloudShape, FallModel, HailSimulation};
use glam::DVec3;

/// Rounding moves a stone by at most about a millionth of the length of its trajectory (ten roundings of 2⁻²³
/// each); the margin is twice that.
const MARGIN: f64 = 2e-6;

/// The transformation to local coordinates and the rounding margin.
#[derive(Clone, Debug)]
pub(crate) struct LocalSpace {
    /// The origin of local coordinates in the world.
    pub(crate) origin: DVec3,
    /// The margin by which predicates are widened.
    pub(crate) margin_m: f64,
}

impl LocalSpace {
    pub(crate) fn new(simulation: &HailSimulation) -> Self {
        let bounds = simulation.targets().bounds();
        if bounds.is_empty() {
            return Self { origin: DVec3::ZERO, margin_m: 1e-3 };
        }
        let origin = DVec3::from_array(bounds.centre());
        let half = DVec3::from_array(bounds.hi) - origin;
        let reach = half.length() + 2.0 * max_path_m(simulation);
        Self { origin, margin_m: MARGIN * reach }
    }

    /// Returns a position in local coordinates.
    pub(crate) fn local(&self, position_m: [f64; 3]) -> [f32; 3] {
        (DVec3::from_array(position_m) - self.origin).as_vec3().to_array()
    }

    /// Returns a position in world coordinates.
    pub(crate) fn world(&self, position: [f32; 3]) -> [f64; 3] {
        (self.origin + DVec3::from_array(position.map(f64::from))).to_array()
    }

    /// Returns the centre of the cloud `age_s` after the hail started.
    pub(crate) fn cloud(&self, simulation: &HailSimulation, age_s: f64) -> [f32; 3] {
        let cloud = &simulation.emitter().settings().cloud;
        let [x, y, z] = cloud.centre_m;
        self.local([x + cloud.drift_m_s[0] * age_s, y + cloud.drift_m_s[1] * age_s, z])
    }

    pub(crate) fn layout(
        &self,
        simulation: &HailSimulation,
        trees: [u32; 3],
        restitution: f64,
    ) -> layout::Emitter {
        let hail = simulation.emitter().settings();
        let (disc, cloud_size) = match hail.cloud.shape {
            CloudShape::Disc { radius_m } => (1, [radius_m as f32, 0.0]),
            CloudShape::Rectangle { size_m } => (0, size_m.map(|m| m as f32)),
        };
        let gravity = hail.gravity_m_s2;
        let [slowest, fastest] = terminal_speeds(simulation);
        let octaves = (fastest / slowest).log2();
        let high = (octaves * 256.0).floor() / 256.0;
        let (straight, acceleration, velocity, spread) = match hail.fall {
            FallModel::Straight { wind_m_s: [x, y] } => (1, [0.0; 3], [x, y, 0.0], 0.0),
            FallModel::Accelerated { wind_m_s2: [x, y, z], velocity_m_s, spread_m_s } => {
                (0, [x, y, z - gravity], velocity_m_s, spread_m_s)
            }
        };
        layout::Emitter {
            seed: hail.seed,
            straight,
            disc,
            restitution: restitution as f32,
            cloud_size,
            drift: hail.cloud.drift_m_s.map(|v| v as f32),
            acceleration: acceleration.map(|a| a as f32),
            gravity: gravity as f32,
            velocity: velocity.map(|v| v as f32),
            spread: spread as f32,
            slowest: slowest as f32,
            octaves_high: high as f32,
            octaves_low: (octaves - high) as f32,
            slot_s: hail.per_second.recip().min(1e9) as f32,
            max_flight_s: (simulation.max_flight_s() * (1.0 + 1e-5)) as f32,
            margin: self.margin_m as f32,
            ticks_per_slot: (layout::TICKS / hail.per_second.max(1.0)) as f32,
            pad: 0.0,
            trees: [trees[0], trees[1], trees[2], 0],
        }
    }
}

/// Returns the terminal speeds of the lightest and the heaviest stones of a straight fall.
fn terminal_speeds(simulation: &HailSimulation) -> [f64; 2] {
    let hail = simulation.emitter().settings();
    hail.energies_j.map(|energy| {
        let r4 = energy / hail.ice.energy_per_r4(hail.gravity_m_s2);
        hail.ice.terminal_m_s(r4.sqrt().sqrt(), hail.gravity_m_s2)
    })
}

/// Returns an upper bound of the length of a trajectory.
fn max_path_m(simulation: &HailSimulation) -> f64 {
    let t_s = simulation.max_flight_s();
    match simulation.emitter().settings().fall {
        FallModel::Straight { wind_m_s: [x, y] } => {
            // H √(v² + w²)/v: the slowest stone flies farthest.
            let [slowest, _] = terminal_speeds(simulation);
            slowest.hypot(x.hypot(y)) * t_s
        }
        FallModel::Accelerated { wind_m_s2, velocity_m_s, spread_m_s } => {
            let gravity = DVec3::new(0.0, 0.0, simulation.emitter().settings().gravity_m_s2);
            let pull = (DVec3::from_array(wind_m_s2) - gravity).length();
            let speed = DVec3::from_array(velocity_m_s).length() + spread_m_s * 3.0_f64.sqrt();
            (speed + 0.5 * pull * t_s) * t_s
        }
    }
}

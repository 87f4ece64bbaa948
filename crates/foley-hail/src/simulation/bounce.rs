//! The bounce after an impact, for pictures only.

use crate::{Hailstone, Hit, ParticleEmitter, Trajectory, random};
use glam::DVec3;

/// How long a stone stays visible after its impact.
pub const LIFE_AFTER_IMPACT_S: f64 = 0.4;
/// Rough ice scatters the bounce direction by up to this fraction of the speed along each axis.
const SCATTER: f64 = 0.25;

/// The second trajectory of a stone. It is not tested for hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// Its start in the time of the scene.
    pub from_s: f64,
    /// Its trajectory; `t` is the time since `from_s`.
    pub trajectory: Trajectory,
    /// How long it is visible.
    pub life_s: f64,
}

impl ParticleEmitter {
    /// Returns the bounce of a stone: `v′ = v − (1 + e)(v·n) n`, scattered by the random words of the stone
    /// at constant speed, then gravity alone. The restitution e is clamped to [0, 1].
    pub fn bounce(&self, stone: &Hailstone, hit: &Hit, restitution: f64) -> Bounce {
        let e = if restitution > 0.0 { restitution.min(1.0) } else { 0.0 };
        let n = DVec3::from_array(hit.normal);
        let v = stone.trajectory.velocity_vec(hit.t_s);
        let reflected = v - n * ((1.0 + e) * v.dot(n));
        let speed = reflected.length();
        let [a, b, c, _] = random::fractions(stone.index, self.settings().seed, random::BOUNCE);
        let jitter = DVec3::new(a, b, c) * 2.0 - DVec3::ONE;
        let scattered = reflected + jitter * (SCATTER * speed);
        let inwards = scattered.dot(n).min(0.0);
        let velocity = (scattered - n * (2.0 * inwards)).normalize_or(n) * speed;
        let trajectory = Trajectory {
            position_m: hit.position_m,
            velocity_m_s: velocity.to_array(),
            acceleration_m_s2: [0.0, 0.0, -self.settings().gravity_m_s2],
        };
        Bounce { from_s: stone.born_s + hit.t_s, trajectory, life_s: LIFE_AFTER_IMPACT_S }
    }
}

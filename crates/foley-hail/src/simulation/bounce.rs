//! What the eye sees after an impact: the stone leaps off and soon is gone.

use crate::{Flight, Hit, Sky, Stone, random};
use glam::DVec3;

/// A stone is seen for so long after its impact.
pub const LIFE_AFTER_IMPACT_S: f64 = 0.4;
/// Rough ice leaps off in a direction that differs by up to this part, along each axis.
const SCATTER: f64 = 0.25;

/// The second flight of a stone. It meets nothing more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// When it begins, on the clock of the scene.
    pub from_s: f64,
    /// Its way; `t` counts from `from_s`.
    pub flight: Flight,
    /// How long it is seen.
    pub life_s: f64,
}

impl Sky {
    /// How a stone leaps off: `v′ = v − (1 + e)(v·n) n`, turned a little at random by the stone's own
    /// words, without more energy. Then gravity alone. A restitution outside [0, 1] is taken as the
    /// nearer end.
    pub fn after(&self, stone: &Stone, hit: &Hit, restitution: f64) -> Bounce {
        let e = if restitution > 0.0 { restitution.min(1.0) } else { 0.0 };
        let n = DVec3::from_array(hit.normal);
        let v = stone.flight.speed(hit.t_s);
        let leaps = v - n * ((1.0 + e) * v.dot(n));
        let speed = leaps.length();
        let [a, b, c, _] = random::fractions(stone.index, self.hail().seed, random::BOUNCE);
        let chance = DVec3::new(a, b, c) * 2.0 - DVec3::ONE;
        let turned = leaps + chance * (SCATTER * speed);
        let inwards = turned.dot(n).min(0.0);
        let away = (turned - n * (2.0 * inwards)).normalize_or(n) * speed;
        let flight = Flight {
            place_m: hit.place_m,
            velocity_m_s: away.to_array(),
            acceleration_m_s2: [0.0, 0.0, -self.hail().gravity_m_s2],
        };
        Bounce { from_s: stone.born_s + hit.t_s, flight, life_s: LIFE_AFTER_IMPACT_S }
    }
}

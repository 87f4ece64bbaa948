//! The way of a stone: `p(t) = a t²/2 + v₀ t + x₀` (\[CS\] section 5).

use glam::DVec3;

/// A parabola, or a straight line where the acceleration is zero. `t` counts from birth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// x₀.
    pub place_m: [f64; 3],
    /// v₀.
    pub velocity_m_s: [f64; 3],
    /// a.
    pub acceleration_m_s2: [f64; 3],
}

impl Flight {
    /// Where the stone is at `t_s`.
    pub fn at(&self, t_s: f64) -> [f64; 3] {
        self.point(t_s).to_array()
    }

    /// How fast it is then.
    pub fn velocity_at(&self, t_s: f64) -> [f64; 3] {
        self.speed(t_s).to_array()
    }

    /// When it sinks through a height for good, if it does.
    pub fn sinks_below(&self, z_m: f64) -> Option<f64> {
        let [drop, v, a] = [self.place_m[2] - z_m, self.velocity_m_s[2], self.acceleration_m_s2[2]];
        if a == 0.0 {
            return (v < 0.0).then(|| (drop / -v).max(0.0));
        }
        if a > 0.0 {
            return None;
        }
        // The later root of a t²/2 + v t + drop = 0 with a < 0; above its highest point, at once.
        let under = v * v - 2.0 * a * drop;
        if under <= 0.0 {
            return Some(0.0);
        }
        let root = under.sqrt();
        // The form without cancellation.
        let t = if v > 0.0 { (v + root) / -a } else { 2.0 * drop / (root - v) };
        Some(t.max(0.0))
    }

    /// The same way, with `t` counted from `t_s` on: numbers near the place looked at stay small.
    pub fn from(&self, t_s: f64) -> Self {
        Self { place_m: self.at(t_s), velocity_m_s: self.velocity_at(t_s), ..*self }
    }

    #[inline]
    pub(crate) fn point(&self, t_s: f64) -> DVec3 {
        let [x, v, a] = self.parts();
        x + (v + a * (0.5 * t_s)) * t_s
    }

    #[inline]
    pub(crate) fn speed(&self, t_s: f64) -> DVec3 {
        let [_, v, a] = self.parts();
        v + a * t_s
    }

    /// x₀, v₀ and a.
    #[inline]
    pub(crate) fn parts(&self) -> [DVec3; 3] {
        [
            DVec3::from_array(self.place_m),
            DVec3::from_array(self.velocity_m_s),
            DVec3::from_array(self.acceleration_m_s2),
        ]
    }
}

//! The trajectory of a hailstone: `p(t) = a t²/2 + v₀ t + x₀` (\[CS\] section 5).

use glam::DVec3;

/// A parabola, or a straight line where the acceleration is zero. `t` is the time since birth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory {
    /// x₀.
    pub position_m: [f64; 3],
    /// v₀.
    pub velocity_m_s: [f64; 3],
    /// a.
    pub acceleration_m_s2: [f64; 3],
}

impl Trajectory {
    /// Returns the position at `t_s`.
    pub fn position_at(&self, t_s: f64) -> [f64; 3] {
        self.position_vec(t_s).to_array()
    }

    /// Returns the velocity at `t_s`.
    pub fn velocity_at(&self, t_s: f64) -> [f64; 3] {
        self.velocity_vec(t_s).to_array()
    }

    /// Returns the time after which the height stays below `z_m`, if there is one.
    pub fn sinks_below(&self, z_m: f64) -> Option<f64> {
        let [drop, v, a] =
            [self.position_m[2] - z_m, self.velocity_m_s[2], self.acceleration_m_s2[2]];
        if a == 0.0 {
            return (v < 0.0).then(|| (drop / -v).max(0.0));
        }
        if a > 0.0 {
            return None;
        }
        // The later root of a t²/2 + v t + drop = 0 with a < 0; 0 if the apex is below z.
        let discriminant = v * v - 2.0 * a * drop;
        if discriminant <= 0.0 {
            return Some(0.0);
        }
        let root = discriminant.sqrt();
        // The form without cancellation.
        let t = if v > 0.0 { (v + root) / -a } else { 2.0 * drop / (root - v) };
        Some(t.max(0.0))
    }

    /// Returns the same curve with `t` measured from `t_s`, which keeps the numbers near that point small.
    pub fn rebased(&self, t_s: f64) -> Self {
        Self { position_m: self.position_at(t_s), velocity_m_s: self.velocity_at(t_s), ..*self }
    }

    #[inline]
    pub(crate) fn position_vec(&self, t_s: f64) -> DVec3 {
        let [x, v, a] = self.vectors();
        x + (v + a * (0.5 * t_s)) * t_s
    }

    #[inline]
    pub(crate) fn velocity_vec(&self, t_s: f64) -> DVec3 {
        let [_, v, a] = self.vectors();
        v + a * t_s
    }

    /// Returns x₀, v₀ and a.
    #[inline]
    pub(crate) fn vectors(&self) -> [DVec3; 3] {
        [
            DVec3::from_array(self.position_m),
            DVec3::from_array(self.velocity_m_s),
            DVec3::from_array(self.acceleration_m_s2),
        ]
    }
}

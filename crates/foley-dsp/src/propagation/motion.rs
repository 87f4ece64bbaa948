//! Motion between two known positions, and beyond the second one.

use glam::DVec3;

use super::trajectory::{Position, hermite};

/// After the last known position, motion goes straight on for this time, s. Then it returns to that
/// position within another time, s.
const EXTRAPOLATED_S: f64 = 0.05;
const RETURN_S: f64 = 0.2;

/// Positions farther apart in time say nothing of the velocity, s.
const LONGEST_STEP_S: f64 = 1.0;

/// A position that is known at two times: a cubic Hermite curve between them, a straight line after the
/// second.
#[derive(Debug, Clone, Copy, Default)]
pub struct Motion {
    from_s: f64,
    from: Position,
    to_s: f64,
    to: Position,
}

impl Motion {
    /// Returns a motion that rests at a position.
    pub fn at_rest(position: Position) -> Self {
        Self::at_rest_since(0.0, position.position_m)
    }

    /// Returns a motion that rests at a position, m, known at a time.
    pub fn at_rest_since(at_s: f64, position_m: DVec3) -> Self {
        let position = Position::at_rest(position_m);
        Self { from_s: at_s, from: position, to_s: at_s, to: position }
    }

    /// Moves from where it is at `now_s` to a position at `to_s`.
    pub fn aim(&mut self, now_s: f64, to_s: f64, to: Position) {
        let from = self.at(now_s);
        *self = Self { from_s: now_s, from, to_s, to };
    }

    /// Adds a position, m, at a time. Its velocity is that of the way from the last position; zero if
    /// that was known 1 s earlier or more. A position at the time of the last one, or at an earlier time,
    /// replaces that position; time and velocity of the last one remain.
    pub fn push(&mut self, at_s: f64, position_m: DVec3) {
        let since_s = at_s - self.to_s;
        if since_s <= 0.0 {
            // Replaces the position known for this time.
            self.to.position_m = position_m;
            return;
        }
        let velocity_m_s = match since_s < LONGEST_STEP_S {
            true => (position_m - self.to.position_m) / since_s,
            false => DVec3::ZERO,
        };
        self.push_with_velocity(at_s, Position { position_m, velocity_m_s });
    }

    /// Adds a position with its velocity at a time later than the last one.
    pub fn push_with_velocity(&mut self, at_s: f64, to: Position) {
        *self = Self { from_s: self.to_s, from: self.to, to_s: at_s, to };
    }

    /// Returns the position at a time.
    pub fn at(&self, time_s: f64) -> Position {
        let Self { from_s, from, to_s, to } = *self;
        let after_s = time_s - to_s;
        if after_s >= EXTRAPOLATED_S {
            let part = ((after_s - EXTRAPOLATED_S) / RETURN_S).min(1.0);
            let away_m = to.velocity_m_s * EXTRAPOLATED_S;
            return Position {
                position_m: to.position_m + away_m * (1.0 - part * part * (3.0 - 2.0 * part)),
                velocity_m_s: away_m * (-6.0 * part * (1.0 - part) / RETURN_S),
            };
        }
        if after_s >= 0.0 || to_s <= from_s {
            let position_m = to.position_m + to.velocity_m_s * after_s.max(0.0);
            return Position { position_m, ..to };
        }
        let duration_s = to_s - from_s;
        hermite(from, to, ((time_s - from_s) / duration_s).clamp(0.0, 1.0), duration_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_motion_stays_straight_between_and_after_known_positions() {
        let velocity_m_s = DVec3::new(3.0, 0.0, -1.0);
        let at = |t: f64| Position { position_m: velocity_m_s * t, velocity_m_s };
        let mut motion = Motion::at_rest(at(0.0));
        motion.aim(0.0, 0.0, at(0.0));
        motion.aim(0.04, 0.2, at(0.2));
        for t in [0.05, 0.1, 0.2, 0.22, 0.249] {
            let Position { position_m, velocity_m_s: v } = motion.at(t);
            assert!(position_m.distance(at(t).position_m) < 1e-12, "{t}: {position_m}");
            assert!(v.distance(velocity_m_s) < 1e-12);
        }
        // Without further positions it returns to the last one, without a step.
        let mut last = motion.at(0.249).position_m;
        for i in 0..300 {
            let now = motion.at(0.249 + f64::from(i) * 1e-3).position_m;
            assert!(now.distance(last) < 5e-3, "{i}");
            last = now;
        }
        let stopped = motion.at(9.0);
        assert!(stopped.position_m.distance(at(0.2).position_m) < 1e-12);
        assert_eq!(stopped.velocity_m_s, DVec3::ZERO);
    }
}

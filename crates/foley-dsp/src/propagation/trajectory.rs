//! The trajectory of an emitter, and the time at which it emitted what is heard now.

use glam::DVec3;

/// Position and velocity at a block border.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Position {
    /// Position, m.
    pub position_m: DVec3,
    /// Velocity, m/s.
    pub velocity_m_s: DVec3,
}

impl Position {
    /// Returns a position at rest.
    pub fn at_rest(position_m: DVec3) -> Self {
        Self { position_m, velocity_m_s: DVec3::ZERO }
    }
}

/// Positions at the last block borders. Between two borders the path is a cubic Hermite curve, so
/// that velocity, and with it the Doppler shift, has no steps.
///
/// Real-time: allocates only when it is made.
#[derive(Debug, Clone)]
pub struct Trajectory {
    block_s: f64,
    /// A ring; the newest is at `newest`.
    borders: Vec<Position>,
    newest: usize,
}

impl Trajectory {
    /// Makes a trajectory at rest that remembers at least `memory_s` seconds.
    pub fn new(block_s: f64, memory_s: f64) -> Self {
        let count = (memory_s / block_s).ceil() as usize + 2;
        Self { block_s, borders: vec![Position::default(); count], newest: 0 }
    }

    /// Sets all of the past to one position at rest.
    pub fn reset(&mut self, position_m: DVec3) {
        self.borders.fill(Position::at_rest(position_m));
    }

    /// Adds the position at the end of the next block.
    pub fn push(&mut self, position: Position) {
        self.newest = (self.newest + 1) % self.borders.len();
        self.borders[self.newest] = position;
    }

    /// Returns the position `age_s` before the newest border; the oldest one beyond the memory.
    pub fn before(&self, age_s: f64) -> Position {
        let count = self.borders.len();
        let age = (age_s / self.block_s).clamp(0.0, (count - 2) as f64);
        let integer = (age as usize).min(count - 2);
        let border = |blocks: usize| self.borders[(self.newest + count - blocks) % count];
        let (a, b) = (border(integer + 1), border(integer));
        let t = 1.0 - (age - integer as f64);
        hermite(a, b, t, self.block_s)
    }

    /// Returns the delay of the sound that arrives at the newest border, s, and its rate of change:
    /// the solution of c τ = |p(t − τ) − l(t)| for the position p of the emitter and the position l
    /// of the listener, and
    ///
    /// ```text
    /// dτ/dt = n·(v_p − v_l) / (c + n·v_p)      n = (p − l)/|p − l|
    /// ```
    ///
    /// Speeds are limited to half of that of sound.
    pub fn delay_s(&self, listener: &Position, sound_speed_m_s: f64, guess_s: f64) -> (f64, f64) {
        let limit = 0.5 * sound_speed_m_s;
        let slow = |v: DVec3| v.clamp_length_max(limit);
        let mut delay_s = guess_s.max(0.0);
        let mut rate = 0.0;
        for _ in 0..ITERATIONS {
            let emitter = self.before(delay_s);
            let way = emitter.position_m - listener.position_m;
            let distance = way.length();
            let toward = if distance > 1e-9 { way / distance } else { DVec3::ZERO };
            let (v, w) = (slow(emitter.velocity_m_s), slow(listener.velocity_m_s));
            // Newton's method for c τ − |p(t − τ) − l|, with the derivative c + n·v.
            let slope = sound_speed_m_s + toward.dot(v);
            delay_s = (delay_s - (sound_speed_m_s * delay_s - distance) / slope).max(0.0);
            rate = toward.dot(v - w) / slope;
        }
        (delay_s, rate)
    }
}

/// Newton steps; from the delay of the last block two are exact to 1e-12 s at 30 m/s.
const ITERATIONS: usize = 4;

pub(super) fn hermite(a: Position, b: Position, t: f64, duration_s: f64) -> Position {
    let (p, q) = (a.position_m, b.position_m);
    let (v, w) = (a.velocity_m_s * duration_s, b.velocity_m_s * duration_s);
    let (chord, t2) = (q - p, t * t);
    let c2 = 3.0 * chord - 2.0 * v - w;
    let c3 = v + w - 2.0 * chord;
    Position {
        position_m: p + v * t + c2 * t2 + c3 * (t2 * t),
        velocity_m_s: (v + c2 * (2.0 * t) + c3 * (3.0 * t2)) / duration_s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: f64 = 343.2;
    const BLOCK_S: f64 = 256.0 / 48_000.0;

    /// A source on a straight line: the equation of the delay is quadratic.
    #[test]
    fn the_delay_of_a_passing_source_is_the_analytic_one() {
        let (speed, aside) = (30.0, 2.0);
        let at = |t: f64| DVec3::new(speed * t, aside, 0.0);
        let mut trajectory = Trajectory::new(BLOCK_S, 1.0);
        trajectory.reset(at(-1.0));
        let listener = Position::default();
        let mut delay_s = 0.1;
        for i in 0..400 {
            let t = -1.0 + f64::from(i) * BLOCK_S;
            let velocity_m_s = DVec3::new(speed, 0.0, 0.0);
            trajectory.push(Position { position_m: at(t), velocity_m_s });
            let rate;
            (delay_s, rate) = trajectory.delay_s(&listener, C, delay_s);
            if i < 60 {
                // The source rested before the first block.
                continue;
            }
            // c²τ² = (v(t − τ))² + a².
            let exact = |t: f64| {
                let (a, b) = (C * C - speed * speed, speed * speed * t);
                let c = speed * speed * t * t + aside * aside;
                (-b + (b * b + a * c).sqrt()) / a
            };
            assert!((delay_s - exact(t)).abs() < 1e-12, "{t}: {delay_s} {}", exact(t));
            let slope = (exact(t + 1e-6) - exact(t - 1e-6)) / 2e-6;
            assert!((rate - slope).abs() < 1e-7, "{t}: {rate} {slope}");
        }
    }

    #[test]
    fn a_moving_listener_meets_the_sound() {
        let mut trajectory = Trajectory::new(BLOCK_S, 1.0);
        trajectory.reset(DVec3::new(10.0, 0.0, 0.0));
        let velocity_m_s = DVec3::new(20.0, 0.0, 0.0);
        let listener = Position { position_m: DVec3::ZERO, velocity_m_s };
        let (delay_s, rate) = trajectory.delay_s(&listener, C, 0.0);
        assert!((delay_s - 10.0 / C).abs() < 1e-12 && (rate + 20.0 / C).abs() < 1e-12);
    }
}

//! Scripted contact paths: a probe moved over the surface of a body, without a simulation.
//!
//! A tip moves along a path on a body under a normal force, with smooth start and stop. The distance
//! has a closed form: with the speed v and ramps of a seconds with the speed v sin²(π t / 2a), the
//! distance of a ramp is ½ v (t − (a/π) sin(π t / a)), ½ v a in total.

use crate::{PhysicsError, SustainedContact};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// A point of a path in the frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// Position, m.
    pub place: [f64; 3],
    /// Outward normal of the surface.
    pub normal: [f64; 3],
}

/// A probe that follows a path on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Indices of the probe and the body.
    pub bodies: [u32; 2],
    /// Tip of the probe in its own frame, m.
    pub tip: [f64; 3],
    /// Identifier of the contact.
    pub contact: u64,
    /// Rotation of the body in the world: quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Vertices of the path; at least two.
    pub points: Vec<PathPoint>,
    /// Start time, s.
    pub start_s: f64,
    /// Speed between the ramps, m/s.
    pub speed_m_s: f64,
    /// Normal force between the ramps, N; ramped with the speed.
    pub force_n: f64,
    /// Length of each ramp, s; shortened if the path is too short.
    pub ease_s: f64,
    /// Whether the probe rolls instead of slipping.
    pub rolls: bool,
}

impl Path {
    /// Returns the contact states at `rate_hz`, the last with `over` set.
    pub fn contacts(
        &self,
        rate_hz: f64,
    ) -> Result<impl Iterator<Item = SustainedContact> + '_, PhysicsError> {
        let timed = TimedPath::of(self, rate_hz)?;
        let count = (timed.duration_s() * rate_hz).ceil() as u64;
        Ok((0..=count).map(move |k| {
            let time_s = (k as f64 / rate_hz).min(timed.duration_s());
            self.state_at(&timed, time_s, k == count)
        }))
    }

    fn state_at(&self, timed: &TimedPath<'_>, time_s: f64, over: bool) -> SustainedContact {
        let (place, outward) = timed.at(timed.distance(time_s));
        let speed = if over { 0.0 } else { timed.speed(time_s) };
        let turn = DQuat::from_array(self.rotation).normalize();
        SustainedContact {
            at_s: self.start_s + time_s,
            contact: self.contact,
            bodies: self.bodies,
            places: [self.tip, place.to_array()],
            normal: (turn * -outward).to_array(),
            force_n: self.force_n * speed / timed.speed_m_s,
            slip_m_s: if self.rolls { 0.0 } else { speed },
            roll_m_s: if self.rolls { speed } else { 0.0 },
            over,
        }
    }
}

/// A path with its arc lengths and timing.
struct TimedPath<'a> {
    points: &'a [PathPoint],
    /// Arc length at each point, m.
    lengths: Vec<f64>,
    speed_m_s: f64,
    ease_s: f64,
    /// Time at full speed, s.
    cruise_s: f64,
}

impl<'a> TimedPath<'a> {
    fn of(path: &'a Path, rate_hz: f64) -> Result<Self, PhysicsError> {
        let check = |what, value: f64, low: f64, high: f64, must| {
            let fits = (low..=high).contains(&value);
            if fits { Ok(()) } else { Err(PhysicsError::Setting { what, value, must }) }
        };
        check("rate of a path", rate_hz, 1.0, 1e5, "from 1 to 100000 Hz")?;
        check("speed along a path", path.speed_m_s, 1e-6, 400.0, "from 0.000001 to 400 m/s")?;
        check("force on a path", path.force_n, 0.0, 1e6, "from 0 to a million newtons")?;
        check("ease of a path", path.ease_s, 0.0, 1e3, "from 0 to 1000 s")?;
        check("start of a path", path.start_s, 0.0, 1e6, "from 0 to a million seconds")?;
        let numbers = path.rotation.iter().chain(&path.tip);
        let all = path.points.iter().flat_map(|p| p.place.iter().chain(&p.normal));
        for &value in numbers.chain(all) {
            check("number of a path", value, -1e5, 1e5, "within 100000")?;
        }
        let turn: f64 = path.rotation.iter().map(|q| q * q).sum();
        check("length of the rotation", turn.sqrt(), 1e-6, 1e6, "above zero")?;
        let mut lengths = vec![0.0];
        for pair in path.points.windows(2) {
            let step = DVec3::from(pair[0].place).distance(DVec3::from(pair[1].place));
            lengths.push(lengths[lengths.len() - 1] + step);
        }
        let length = lengths[lengths.len() - 1];
        check("length of a path", length, 1e-6, 1e5, "above zero: give two places or more")?;
        // Both ramps together take the distance v a.
        let speed_m_s = path.speed_m_s;
        let ease_s = path.ease_s.min(length / speed_m_s);
        let cruise_s = (length - speed_m_s * ease_s) / speed_m_s;
        let timed = Self { points: &path.points, lengths, speed_m_s, ease_s, cruise_s };
        check("time on a path", timed.duration_s() * rate_hz, 0.0, 1e9, "shorter: go faster")?;
        Ok(timed)
    }

    fn duration_s(&self) -> f64 {
        self.cruise_s + 2.0 * self.ease_s
    }

    /// Returns the speed at a time after the start.
    fn speed(&self, time_s: f64) -> f64 {
        let edge_s = time_s.min(self.duration_s() - time_s).max(0.0);
        if edge_s >= self.ease_s {
            return self.speed_m_s;
        }
        self.speed_m_s * (0.5 * PI * edge_s / self.ease_s).sin().powi(2)
    }

    /// Returns the distance at a time after the start.
    fn distance(&self, time_s: f64) -> f64 {
        let (v, a) = (self.speed_m_s, self.ease_s);
        let eased = |t: f64| {
            if a == 0.0 { 0.0 } else { 0.5 * v * (t - a / PI * (PI * t / a).sin()) }
        };
        let length = self.lengths[self.lengths.len() - 1];
        if time_s < a {
            eased(time_s)
        } else if time_s < a + self.cruise_s {
            0.5 * v * a + v * (time_s - a)
        } else {
            length - eased((self.duration_s() - time_s).max(0.0))
        }
    }

    /// Returns position and outward normal at a distance.
    fn at(&self, distance: f64) -> (DVec3, DVec3) {
        let last = self.points.len() - 1;
        let next = self.lengths.partition_point(|&length| length <= distance).clamp(1, last);
        let span = self.lengths[next] - self.lengths[next - 1];
        let share = if span > 0.0 { (distance - self.lengths[next - 1]) / span } else { 0.0 };
        let (from, to) = (&self.points[next - 1], &self.points[next]);
        let mix =
            |a: [f64; 3], b: [f64; 3]| DVec3::from(a).lerp(DVec3::from(b), share.clamp(0.0, 1.0));
        (mix(from.place, to.place), mix(from.normal, to.normal).normalize_or(DVec3::Y))
    }
}

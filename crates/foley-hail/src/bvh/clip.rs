//! The time interval in which a parabola may be inside a box.
//!
//! Each coordinate is a quadratic in time. Where it is monotonic, the entry and exit times are exact. Where it
//! has its extremum inside the interval, only the far side of the box is used: the interval may then be too
//! long, never too short.

use crate::Trajectory;
use foley_geometry::bvh::Aabb;

/// Returns the part of `[from, to]` outside which the trajectory is certainly not in the box; none if it never
/// enters.
#[inline]
pub fn clip(trajectory: &Trajectory, within: &Aabb, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
    let to = to.min(LATEST);
    if !(from <= to) {
        return None;
    }
    let motion = |axis: usize| {
        [
            trajectory.position_m[axis],
            trajectory.velocity_m_s[axis],
            0.5 * trajectory.acceleration_m_s2[axis],
        ]
    };
    let reach = |axis| reach(motion(axis), from, to);
    let (x, y, z) = (reach(0), reach(1), reach(2));
    let misses =
        |axis: usize, [least, most]: [f64; 2]| most < within.lo[axis] || least > within.hi[axis];
    if misses(0, x) || misses(1, y) || misses(2, z) {
        return None;
    }
    let mut times = [from, to];
    // Stones fall: the z axis rejects most.
    for (axis, [least, most]) in [(2, z), (0, x), (1, y)] {
        let (lo, hi) = (within.lo[axis], within.hi[axis]);
        if least < lo || most > hi {
            times = clip_axis(motion(axis), lo, hi, times)?;
        }
    }
    Some(times)
}

/// Clamped to 1e9 s: infinities would become NaN below.
const LATEST: f64 = 1e9;

/// Returns bounds of one coordinate between two times without roots or divisions: the end points and the
/// intersection of the end tangents enclose a parabola (its Bézier control points).
#[inline]
fn reach([x0, x1, x2]: [f64; 3], from: f64, to: f64) -> [f64; 2] {
    let (start, end) = (x0 + (x1 + x2 * from) * from, x0 + (x1 + x2 * to) * to);
    let tangents = start + (x1 + 2.0 * x2 * from) * (0.5 * (to - from));
    [start.min(end).min(tangents), start.max(end).max(tangents)]
}

/// Clips the interval for one axis, `x = x₀ + x₁ t + x₂ t²`.
fn clip_axis([x0, x1, x2]: [f64; 3], lo: f64, hi: f64, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
    let position = |t: f64| x0 + (x1 + x2 * t) * t;
    let (mut start, mut speed) = (position(from), x1 + 2.0 * x2 * from);
    let (mut end, end_speed) = (position(to), x1 + 2.0 * x2 * to);
    let (mut lo, mut hi, mut x2) = (lo, hi, x2);
    if speed * end_speed < 0.0 {
        return clip_extremum([start, speed, x2], end, lo, hi, [from, to]);
    }
    if speed + end_speed < 0.0 {
        // Mirroring makes every monotonic motion rise.
        (start, speed, x2, end) = (-start, -speed, -x2, -end);
        (lo, hi) = (-hi, -lo);
    }
    if end < lo || start > hi {
        return None;
    }
    let after = |rise: f64| from + rise_time(rise, speed, x2);
    let enter = if start < lo { after(lo - start).max(from).min(to) } else { from };
    let leave = if end > hi { after(hi - start).max(from).min(to) } else { to };
    Some([enter, leave])
}

/// Returns the time τ in which a rising motion covers `rise`: `x₂ τ² + v τ = rise`.
fn rise_time(rise: f64, v: f64, x2: f64) -> f64 {
    let root = (v * v + 4.0 * x2 * rise).max(0.0).sqrt();
    let sum = v + root;
    if sum > 0.0 { 2.0 * rise / sum } else { 0.0 }
}

/// Clips the interval for a motion with its extremum between `from` and `to`.
fn clip_extremum(
    [start, speed, x2]: [f64; 3],
    end: f64,
    lo: f64,
    hi: f64,
    [from, to]: [f64; 2],
) -> Option<[f64; 2]> {
    // Mirroring makes every extremum a minimum.
    let (start, speed, x2, end, lo, hi) = if x2 > 0.0 {
        (start, speed, x2, end, lo, hi)
    } else {
        (-start, -speed, -x2, -end, -hi, -lo)
    };
    let lowest = start - speed * speed / (4.0 * x2);
    if lowest > hi || (start < lo && end < lo) {
        return None;
    }
    let extremum = from - speed / (2.0 * x2);
    let half = ((hi - lowest) / x2).max(0.0).sqrt();
    Some([(extremum - half).max(from), (extremum + half).min(to)])
}

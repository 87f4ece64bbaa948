//! When a parabola is inside a box.
//!
//! Per axis the coordinate is a quadratic of time. Where it is monotone, the times at which it enters
//! and leaves the box are exact; where it turns, only the side it bends towards is used, and the
//! interval may be longer than need be, never shorter.

use super::Aabb;
use crate::Flight;

/// The part of `[from, to]` outside which the flight is certainly not in the box; none if there is no
/// such part.
#[inline]
pub fn clip(flight: &Flight, within: &Aabb, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
    let to = to.min(LATEST);
    if !(from <= to) {
        return None;
    }
    let motion = |axis: usize| {
        [flight.place_m[axis], flight.velocity_m_s[axis], 0.5 * flight.acceleration_m_s2[axis]]
    };
    let reach = |axis| reach(motion(axis), from, to);
    let (x, y, z) = (reach(0), reach(1), reach(2));
    let misses =
        |axis: usize, [least, most]: [f64; 2]| most < within.lo[axis] || least > within.hi[axis];
    if misses(0, x) || misses(1, y) || misses(2, z) {
        return None;
    }
    let mut times = [from, to];
    // Stones fall: the height tells most.
    for (axis, [least, most]) in [(2, z), (0, x), (1, y)] {
        let (lo, hi) = (within.lo[axis], within.hi[axis]);
        if least < lo || most > hi {
            times = clip_axis(motion(axis), lo, hi, times)?;
        }
    }
    Some(times)
}

/// Times end here: with an endless time there is no reckoning.
const LATEST: f64 = 1e9;

/// Bounds of one coordinate between two times, without a root or a quotient: the ends, and the place
/// where the tangents at both ends meet, hold a parabola between them.
#[inline]
fn reach([x0, x1, x2]: [f64; 3], from: f64, to: f64) -> [f64; 2] {
    let (start, end) = (x0 + (x1 + x2 * from) * from, x0 + (x1 + x2 * to) * to);
    let tangents = start + (x1 + 2.0 * x2 * from) * (0.5 * (to - from));
    [start.min(end).min(tangents), start.max(end).max(tangents)]
}

/// The same for `x = x₀ + x₁ t + x₂ t²` and one axis.
fn clip_axis([x0, x1, x2]: [f64; 3], lo: f64, hi: f64, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
    let place = |t: f64| x0 + (x1 + x2 * t) * t;
    let (mut start, mut speed) = (place(from), x1 + 2.0 * x2 * from);
    let (mut end, end_speed) = (place(to), x1 + 2.0 * x2 * to);
    let (mut lo, mut hi, mut x2) = (lo, hi, x2);
    if speed * end_speed < 0.0 {
        return turning([start, speed, x2], end, lo, hi, [from, to]);
    }
    if speed + end_speed < 0.0 {
        // A mirror makes every monotone motion rise.
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

/// The time in which a rising motion rises by so much: `x₂ τ² + v τ = rise`.
fn rise_time(rise: f64, v: f64, x2: f64) -> f64 {
    let root = (v * v + 4.0 * x2 * rise).max(0.0).sqrt();
    let sum = v + root;
    if sum > 0.0 { 2.0 * rise / sum } else { 0.0 }
}

/// A motion that turns between `from` and `to`.
fn turning(
    [start, speed, x2]: [f64; 3],
    end: f64,
    lo: f64,
    hi: f64,
    [from, to]: [f64; 2],
) -> Option<[f64; 2]> {
    // A mirror makes every turn a lowest point.
    let (start, speed, x2, end, lo, hi) = if x2 > 0.0 {
        (start, speed, x2, end, lo, hi)
    } else {
        (-start, -speed, -x2, -end, -hi, -lo)
    };
    let lowest = start - speed * speed / (4.0 * x2);
    if lowest > hi || (start < lo && end < lo) {
        return None;
    }
    let turn = from - speed / (2.0 * x2);
    let half = ((hi - lowest) / x2).max(0.0).sqrt();
    Some([(turn - half).max(from), (turn + half).min(to)])
}

//! Impacts: contact points that met with speed within a step.
//!
//! Rapier predicts contacts with their gap d, stops the approach in the substep in which the gap
//! would close, and returns e times the speed it saw before the step. In truth the points meet at
//! the time t with d = v t + ½ a t², at the speed v + a t, whatever the step rate. A resting point
//! has v ≈ 0 before every step, so resting is distinguished from impact by kinematics and not by a
//! force threshold.
//!
//! The solver looks one substep beyond the end of the step: t may lie that far after it, while the
//! impulse belongs to this step.
//!
//! The solver's impulse of a predicted contact is m [(1 + e) v' + a Δt]: stop, load of the step,
//! and rebound, with the speed v' it saw and the effective mass m at the point, including connected
//! bodies, which need not be known. The impact alone is m (1 + e) (v + a t).

use super::manifold::{Manifold, mean_places};
use super::points::Point;
use super::source::StepLength;
use glam::DVec3;

/// Points that meet within this time form one impact, s.
const MERGE_WITHIN_S: f64 = 0.001;

impl StepLength {
    /// Returns the end of the solver's prediction.
    fn latest_s(self) -> f64 {
        self.step_s + self.substep_s
    }
}

/// An impact within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepImpact {
    /// Time since the beginning of the step, s.
    pub(crate) after_s: f64,
    pub(crate) places: [DVec3; 2],
    pub(crate) impulse: f64,
    pub(crate) speed: f64,
}

/// Sets for each point the time at which the first point of its pair meets: from then on gravity
/// does not act freely.
pub(crate) fn set_first_meeting(points: &mut [Point], span: StepLength) {
    for pair in points.chunk_by_mut(|a, b| a.bodies == b.bodies) {
        let times = pair.iter().map(|point| meeting(point, span).0);
        let first_s = times.fold(f64::INFINITY, f64::min);
        pair.iter_mut().for_each(|point| point.first_s = first_s);
    }
}

/// Returns when within the step a point meets, and its speed then.
pub(crate) fn meeting(point: &Point, span: StepLength) -> (f64, f64) {
    let (v, a, gap) = (point.approach, point.pull, point.gap.max(0.0));
    let root = (v * v + 2.0 * a * gap).max(0.0).sqrt();
    let time = if v >= 0.0 {
        2.0 * gap / (v + root).max(1e-12)
    } else if a > 0.0 {
        (root - v) / a
    } else {
        span.latest_s()
    };
    let time = time.clamp(0.0, span.latest_s());
    (time, v + a * time.min(point.first_s))
}

/// Returns the part of a point's impulse that belongs to the impact.
fn impact_impulse(point: &Point, span: StepLength, time: f64, speed: f64) -> f64 {
    let loaded_s = if point.pull >= 0.0 { span.step_s } else { time };
    let solved = (1.0 + point.restitution) * point.approach_seen + point.pull * loaded_s;
    let true_impulse = (1.0 + point.restitution) * speed;
    if solved > 0.0 {
        point.impulse * (true_impulse / solved).min(1.0 + point.restitution)
    } else {
        0.0
    }
}

/// A point that met with speed.
struct Met<'a> {
    time: f64,
    speed: f64,
    impulse: f64,
    point: &'a Point,
}

/// Returns the impacts of a manifold in order of time. Points slower than `slowest` are resting.
pub(crate) fn step_impacts(manifold: &Manifold, span: StepLength, slowest: f64) -> Vec<StepImpact> {
    let mut met: Vec<Met<'_>> = manifold
        .points
        .iter()
        .filter_map(|point| {
            let (time, speed) = meeting(point, span);
            let sinking = if point.held { point.pull.abs() } else { 0.0 };
            let lift = if point.beside_held { point.turning } else { 0.0 };
            let least = slowest + (sinking + lift) * span.step_s;
            let impulse = impact_impulse(point, span, time, speed);
            (speed >= least && impulse > 0.0).then_some(Met { time, speed, impulse, point })
        })
        .collect();
    met.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut step_impacts = Vec::new();
    let mut remaining = met.as_slice();
    // Each round takes at least the first point, so the loop ends.
    while let Some((first, rest)) = remaining.split_first() {
        let end = first.time + MERGE_WITHIN_S;
        let (together, later) = remaining.split_at(1 + rest.partition_point(|met| met.time <= end));
        step_impacts.push(merge(together));
        remaining = later;
    }
    step_impacts
}

/// Merges several points into one impact: summed impulse, weighted mean position and time.
fn merge(met: &[Met<'_>]) -> StepImpact {
    let impulse: f64 = met.iter().map(|met| met.impulse).sum();
    let mean =
        |of: fn(&Met<'_>) -> f64| met.iter().map(|m| of(m) * m.impulse).sum::<f64>() / impulse;
    StepImpact {
        after_s: mean(|met| met.time),
        places: mean_places(met.iter().map(|met| (met.point, met.impulse))),
        impulse,
        speed: mean(|met| met.speed),
    }
}

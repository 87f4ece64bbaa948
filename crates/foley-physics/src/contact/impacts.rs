//! Impacts: points that met with speed within a step.
//!
//! Rapier finds contacts ahead, with their gap d, and stops the approach in the substep in which
//! it would close; then it gives back e times the speed that it saw before the step. Whatever the
//! rate, nature would have let the points meet at the time t with d = v t + ½ a t², with the speed
//! v + a t. A point that rests has v ≈ 0 before every step, so rest is no impact, by its kinematics
//! and not by a threshold on forces.
//!
//! The solver looks one substep beyond the end of the step: t may lie that far after it, and the
//! impulse is given now all the same.
//!
//! Of a foreseen contact the solver makes the impulse m [(1 + e) v' + a Δt]: the stop, the load of
//! the step, the rebound (v' the speed it saw, m the effective mass at the point with all that is
//! connected to it, which we need not know). The blow alone is m (1 + e) (v + a t).

use super::manifold::{Manifold, mean_places};
use super::points::Point;
use glam::DVec3;

/// Points that meet within this time are one blow.
const ONE_BLOW_S: f64 = 0.001;

/// Lengths of a step and of the solver's substeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) step_s: f64,
    pub(crate) substep_s: f64,
}

impl Span {
    /// The last moment that the solver foresees.
    fn latest_s(self) -> f64 {
        self.step_s + self.substep_s
    }
}

/// A blow within a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepImpact {
    /// From the beginning of the step.
    pub(crate) after_s: f64,
    pub(crate) places: [DVec3; 2],
    pub(crate) impulse: f64,
    pub(crate) speed: f64,
}

/// Notes for each point when the first point of its pair meets: from then on gravity no longer
/// pulls freely.
pub(crate) fn note_first(points: &mut [Point], span: Span) {
    for pair in points.chunk_by_mut(|a, b| a.bodies == b.bodies) {
        let times = pair.iter().map(|point| meeting(point, span).0);
        let first_s = times.fold(f64::INFINITY, f64::min);
        pair.iter_mut().for_each(|point| point.first_s = first_s);
    }
}

/// When within the step a point meets, and how fast.
pub(crate) fn meeting(point: &Point, span: Span) -> (f64, f64) {
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

/// What of a point's impulse is the blow.
fn blow(point: &Point, span: Span, time: f64, speed: f64) -> f64 {
    let loaded_s = if point.pull >= 0.0 { span.step_s } else { time };
    let solved = (1.0 + point.restitution) * point.approach_seen + point.pull * loaded_s;
    let true_blow = (1.0 + point.restitution) * speed;
    if solved > 0.0 {
        point.impulse * (true_blow / solved).min(1.0 + point.restitution)
    } else {
        0.0
    }
}

/// A point that met with speed.
struct Met<'a> {
    time: f64,
    speed: f64,
    blow: f64,
    point: &'a Point,
}

/// The blows of a patch, in order of time. Points that meet slower than `slowest` are at rest.
pub(crate) fn step_impacts(manifold: &Manifold, span: Span, slowest: f64) -> Vec<StepImpact> {
    let mut met: Vec<Met<'_>> = manifold
        .points
        .iter()
        .filter_map(|point| {
            let (time, speed) = meeting(point, span);
            let sinking = if point.held { point.pull.abs() } else { 0.0 };
            let lift = if point.beside_held { point.turning } else { 0.0 };
            let least = slowest + (sinking + lift) * span.step_s;
            let blow = blow(point, span, time, speed);
            (speed >= least && blow > 0.0).then_some(Met { time, speed, blow, point })
        })
        .collect();
    met.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut step_impacts = Vec::new();
    let mut rest = met.as_slice();
    while let Some(first) = rest.first() {
        let end = first.time + ONE_BLOW_S;
        let (together, later) = rest.split_at(rest.partition_point(|met| met.time <= end));
        step_impacts.push(merge(together));
        rest = later;
    }
    step_impacts
}

/// One blow of several points: their sum, where and when they are in the mean.
fn merge(met: &[Met<'_>]) -> StepImpact {
    let impulse: f64 = met.iter().map(|met| met.blow).sum();
    let mean = |of: fn(&Met<'_>) -> f64| met.iter().map(|m| of(m) * m.blow).sum::<f64>() / impulse;
    StepImpact {
        after_s: mean(|met| met.time),
        places: mean_places(met.iter().map(|met| (met.point, met.blow))),
        impulse,
        speed: mean(|met| met.speed),
    }
}

//! Framing: the view from the listener's side, around moving and struck objects.

use foley_scene::scene::Listener;
use glam::DVec3;

use super::collider_mesh::ColliderMesh;
use super::pose_timeline::PoseTimeline;
use crate::surface::view::View;

/// Elevation of the view, degrees.
const ELEVATION: f64 = 24.0;
/// Number of sampled times.
const MOMENTS: usize = 60;
/// Fraction of positions ignored at either end: objects that fly away are not followed.
const LEFT_OUT: f64 = 0.01;
/// Distance from struck objects within which moving ones are followed, as a fraction of their extent.
const ABOUT: f64 = 0.35;

/// Returns centre and radius of the moving objects, or of all if none moves, m.
pub(crate) fn bounds(
    timeline: &PoseTimeline<'_>,
    meshes: &[ColliderMesh],
    seconds: f64,
) -> (DVec3, f64) {
    let drawn = |object: &usize| !meshes[*object].points.is_empty();
    let all: Vec<usize> = (0..meshes.len()).filter(drawn).collect();
    let moving: Vec<usize> = all.iter().copied().filter(|o| timeline.moves(*o)).collect();
    let chosen = if moving.is_empty() { &all } else { &moving };
    let places: Vec<[f64; 3]> = chosen
        .iter()
        .flat_map(|object| moments(seconds).map(|at_s| timeline.at(*object, at_s).position_m))
        .collect();
    if places.is_empty() {
        return (DVec3::ZERO, 1.0);
    }
    let ends = [0, 1, 2].map(|k| ends(places.iter().map(|p| p[k]).collect(), LEFT_OUT));
    let largest = chosen.iter().map(|o| meshes[*o].radius_m()).fold(1e-3, f64::max);
    let middle = DVec3::from(ends.map(|[low, high]| 0.5 * (low + high)));
    let half = DVec3::from(ends.map(|[low, high]| 0.5 * (high - low)));
    (middle, half.length() + largest)
}

/// Returns the view from the listener's side.
pub(crate) fn view(listener: &Listener, middle: DVec3) -> View {
    let (listener_m, forward) = listener.at(0.0);
    let across = |way: DVec3| (way.x.hypot(way.y) > 1e-6).then(|| way.y.atan2(way.x));
    let back = across(-DVec3::from(forward)).or(across(DVec3::from(listener_m) - middle));
    View::from(back.map_or(-90.0, f64::to_degrees), ELEVATION, "")
}

/// Returns the framed area in the view's plane: fixed objects that are struck, and those that move nearby.
pub(crate) fn frame(
    timeline: &PoseTimeline<'_>,
    meshes: &[ColliderMesh],
    seconds: f64,
    view: &View,
    (middle, radius_m): (DVec3, f64),
    is_struck: &dyn Fn(usize) -> bool,
) -> [[f64; 2]; 2] {
    let (mut standing, mut moving): ([Vec<f64>; 2], [Vec<f64>; 2]) = Default::default();
    for (object, mesh) in meshes.iter().enumerate().filter(|(_, s)| !s.points.is_empty()) {
        let own = mesh.radius_m();
        let moves = timeline.moves(object);
        // Large fixed objects, such as walls, need not fit.
        if !moves && own > 3.0 * radius_m {
            continue;
        }
        let times: Vec<f64> = if moves { moments(seconds).collect() } else { vec![0.0] };
        for at_s in times {
            let pose = timeline.at(object, at_s);
            if middle.distance(pose.position_m.into()) > 4.0 * radius_m + own {
                continue;
            }
            // Moving objects are sampled at fewer vertices.
            let step = if moves { mesh.points.len().div_ceil(24).max(1) } else { 1 };
            let seen = if !moves && is_struck(object) { &mut standing } else { &mut moving };
            for point in mesh.points.iter().step_by(step) {
                let place = view.of(pose.apply(point.to_array()).into());
                seen[0].push(place.x);
                seen[1].push(place.y);
            }
        }
    }
    let [x, y] = match (standing[0].is_empty(), moving[0].is_empty()) {
        (true, true) => [[-1.0, 1.0]; 2],
        (true, false) => moving.map(|values| ends(values, LEFT_OUT)),
        (false, true) => standing.map(|values| ends(values, 0.0)),
        (false, false) => {
            let stand = standing.map(|values| ends(values, 0.0));
            let move_ = moving.map(|values| ends(values, LEFT_OUT));
            let about = stand.iter().map(|[low, high]| ABOUT * (high - low)).fold(0.0, f64::max);
            [0, 1].map(|k| together(stand[k], move_[k], about))
        }
    };
    [[x[0], y[0]], [x[1], y[1]]]
}

/// Unites two intervals, the second clipped to `about` around the first.
fn together(stands: [f64; 2], moves: [f64; 2], about: f64) -> [f64; 2] {
    let low = moves[0].max(stands[0] - about).min(stands[0]);
    [low, moves[1].min(stands[1] + about).max(stands[1])]
}

/// Rounds to 1, 2 or 5 times a power of ten.
pub(crate) fn round(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-6).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let near = steps.into_iter().min_by(|a, b| {
        let off = |step: f64| (step * power / value).ln().abs();
        off(*a).total_cmp(&off(*b))
    });
    near.unwrap_or(1.0) * power
}

pub(crate) fn moments(seconds: f64) -> impl Iterator<Item = f64> {
    (0..=MOMENTS).map(move |k| seconds * k as f64 / MOMENTS as f64)
}

/// Returns the lowest and highest values after dropping a fraction at either end.
fn ends(mut values: Vec<f64>, left_out: f64) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let out = (left_out * values.len() as f64) as usize;
    [values[out], values[values.len() - 1 - out]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_have_round_sides() {
        for (value, near) in [(0.9, 1.0), (3.0, 2.0), (0.04, 0.05), (0.0, 1e-6)] {
            assert!((round(value) / near - 1.0).abs() < 1e-9, "{value}: {}", round(value));
        }
    }

    #[test]
    fn what_rolls_away_is_let_go() {
        assert_eq!(together([0.0, 2.0], [-9.0, 1.0], 0.5), [-0.5, 2.0]);
        assert_eq!(together([0.0, 2.0], [0.5, 2.2], 0.5), [0.0, 2.2]);
    }

    #[test]
    fn the_eye_stands_where_the_ears_are() {
        let listener = Listener { forward: [1.0, 0.0, 0.0], ..Listener::default() };
        let view = view(&listener, DVec3::ZERO);
        // Facing along x, y is to the left.
        assert!((view.of(DVec3::Y).x + 1.0).abs() < 1e-9);
        assert!(view.of(DVec3::Z).y > 0.9);
        assert!(view.of(-DVec3::X).z > 0.9);
    }
}

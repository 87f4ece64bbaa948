//! Refusal of crowds: memory and time of a step grow with the pairs of bodies that touch, and bodies at one place all
//! touch each other.

use super::{MAX_OVERLAPPING_PAIRS, World};
use crate::PhysicsError;
use glam::DVec3;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::{Aabb, Collider};

/// Part of their sides by which boxes are smaller here: neighbours that touch do not overlap.
const MARGIN: f32 = 0.05;

/// A body with its bounding box.
struct Bounded<'a> {
    number: u32,
    may_move: bool,
    colliders: Vec<&'a Collider>,
    bounds: Aabb,
}

impl World {
    /// Checks that no more than [`MAX_OVERLAPPING_PAIRS`] pairs with a dynamic body overlap. `together` returns
    /// whether two bodies count as a pair.
    pub fn check_crowding(&self, together: impl Fn(u32, u32) -> bool) -> Result<(), PhysicsError> {
        let mut bodies = self.bounded();
        let axis = widest_axis(&bodies);
        let start = |body: &Bounded<'_>| body.bounds.mins[axis];
        bodies.sort_by(|a, b| start(a).total_cmp(&start(b)).then(a.number.cmp(&b.number)));
        // Boxes overlap more often than bodies, but are compared in no time.
        let boxes = |a: &Bounded<'_>, b: &Bounded<'_>| together(a.number, b.number) && a.meets(b);
        if crowd(&bodies, axis, boxes).is_none() {
            return Ok(());
        }
        let shapes = |a: &Bounded<'_>, b: &Bounded<'_>| boxes(a, b) && self.overlap(a, b);
        let Some(crowded) = crowd(&bodies, axis, shapes) else { return Ok(()) };
        let name = |body: u32| self.bodies[body as usize].name.clone();
        Err(PhysicsError::Crowded { bodies: crowded.map(name), most: MAX_OVERLAPPING_PAIRS })
    }

    /// Returns the bodies with a bounding box; a half-space has none.
    fn bounded(&self) -> Vec<Bounded<'_>> {
        let body = |(number, record): (u32, &super::BodyRecord)| {
            let body = self.physics.bodies.get(record.handle)?;
            let colliders = body.colliders().iter();
            let colliders: Vec<&Collider> = colliders
                .filter_map(|handle| self.physics.colliders.get(*handle))
                .filter(|collider| collider.shape().as_halfspace().is_none())
                .collect();
            let boxes = colliders.iter().map(|collider| collider.compute_aabb());
            let bounds = boxes.reduce(|a, b| a.merged(&b))?;
            let inset = bounds.extents() * (0.5 * MARGIN);
            let bounds = Aabb::new(bounds.mins + inset, bounds.maxs - inset);
            Some(Bounded { number, may_move: self.is_dynamic(number), colliders, bounds })
        };
        (0..).zip(&self.bodies).filter_map(body).collect()
    }

    /// Returns whether two bodies overlap whose boxes do. Shapes of many parts take long to compare: they count if
    /// the centre of one box lies within the other.
    fn overlap(&self, a: &Bounded<'_>, b: &Bounded<'_>) -> bool {
        let is_composite = |body: &Bounded<'_>| {
            body.colliders.len() > 1
                || body.colliders.iter().any(|one| one.shape().as_composite_shape().is_some())
        };
        if is_composite(a) && is_composite(b) {
            return a.bounds.contains_local_point(b.bounds.center())
                || b.bounds.contains_local_point(a.bounds.center());
        }
        let pairs = a.colliders.iter().flat_map(|a| b.colliders.iter().map(move |b| (a, b)));
        let mut near = pairs.filter(|(a, b)| a.compute_aabb().intersects(&b.compute_aabb()));
        near.any(|(a, b)| self.penetration_m(a, b).is_some_and(|depth_m| depth_m > 0.0))
    }
}

impl Bounded<'_> {
    fn meets(&self, other: &Self) -> bool {
        (self.may_move || other.may_move) && self.bounds.intersects(&other.bounds)
    }
}

/// Returns the axis along which the centres are farthest apart: the one to sweep along.
fn widest_axis(bodies: &[Bounded<'_>]) -> usize {
    let centres = bodies.iter().map(|body| body.bounds.center().as_dvec3());
    let size =
        foley_geometry::vector::bounds(centres).map_or(DVec3::ZERO, |[low, high]| high - low);
    size.max_position()
}

/// Returns the pair that is one too many; `None` if there are no more than allowed. The bodies are sorted by the
/// start of their boxes along the axis.
fn crowd(
    bodies: &[Bounded<'_>],
    axis: usize,
    counts: impl Fn(&Bounded<'_>, &Bounded<'_>) -> bool,
) -> Option<[u32; 2]> {
    let mut found = 0;
    for (k, a) in bodies.iter().enumerate() {
        for b in &bodies[k + 1..] {
            if b.bounds.mins[axis] > a.bounds.maxs[axis] {
                break;
            }
            found += usize::from(counts(a, b));
            if found > MAX_OVERLAPPING_PAIRS {
                return Some([a.number.min(b.number), a.number.max(b.number)]);
            }
        }
    }
    None
}

//! Limit on bodies that start inside each other: time and memory of a step grow with the pairs in contact.

use super::sweep::overlapping_boxes;
use super::{MAX_OVERLAPPING_PAIRS, World};
use crate::PhysicsError;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::prelude::{Aabb, Collider};
use std::ops::ControlFlow;

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
    /// Checks that no more than [`MAX_OVERLAPPING_PAIRS`] pairs with a dynamic body overlap now; of bodies that are
    /// added later it says nothing. `together` returns whether two bodies count as a pair.
    pub fn check_overlapping_pairs(
        &self,
        together: impl Fn(u32, u32) -> bool,
    ) -> Result<(), PhysicsError> {
        let bodies = self.bounded();
        let counts = |a: &Bounded<'_>, b: &Bounded<'_>| {
            (a.may_move || b.may_move) && together(a.number, b.number)
        };
        // Boxes overlap more often than bodies, but are compared in no time.
        if pair_beyond_limit(&bodies, counts).is_none() {
            return Ok(());
        }
        let overlap = |a: &Bounded<'_>, b: &Bounded<'_>| counts(a, b) && self.overlap(a, b);
        let Some(pair) = pair_beyond_limit(&bodies, overlap) else { return Ok(()) };
        let name = |body: u32| self.bodies[body as usize].name.clone();
        Err(PhysicsError::TooManyOverlaps { bodies: pair.map(name), most: MAX_OVERLAPPING_PAIRS })
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

/// Returns the pair of bodies, whose boxes overlap, that is one too many; `None` if there are no more than allowed.
fn pair_beyond_limit(
    bodies: &[Bounded<'_>],
    counts: impl Fn(&Bounded<'_>, &Bounded<'_>) -> bool,
) -> Option<[u32; 2]> {
    let boxes: Vec<Aabb> = bodies.iter().map(|body| body.bounds).collect();
    let mut found = 0;
    overlapping_boxes(&boxes, |a, b| {
        let (a, b) = (&bodies[a], &bodies[b]);
        found += usize::from(counts(a, b));
        match found > MAX_OVERLAPPING_PAIRS {
            true => ControlFlow::Break([a.number.min(b.number), a.number.max(b.number)]),
            false => ControlFlow::Continue(()),
        }
    })
}

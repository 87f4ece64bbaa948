//! Overlapping bodies.

use super::World;
use super::sweep::overlapping_boxes;
use rapier3d::geometry::ContactManifold;
use rapier3d::parry::query::contact;
use rapier3d::prelude::{Aabb, Collider};
use std::ops::ControlFlow;

/// A pair of overlapping bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// Indices of the bodies.
    pub bodies: [u32; 2],
    /// Largest penetration depth, m.
    pub depth_m: f64,
}

impl World {
    /// Returns all pairs with a dynamic body that overlap by more than `depth_m`, each with its
    /// largest depth. Slow: it tests shape against shape.
    pub fn overlaps(&self, depth_m: f64) -> Vec<Overlap> {
        let (mut pieces, mut boxes): (Vec<(u32, &Collider)>, Vec<Aabb>) = Default::default();
        for (_, collider) in self.physics.colliders.iter() {
            let parent = collider.parent().and_then(|body| self.physics.bodies.get(body));
            let Some(body) = parent.filter(|_| collider.is_enabled()) else { continue };
            pieces.push((body.user_data as u32, collider));
            boxes.push(collider.compute_aabb());
        }
        let mut found: Vec<Overlap> = Vec::new();
        overlapping_boxes(&boxes, |i, j| {
            let ((a, first), (b, second)) = (pieces[i], pieces[j]);
            let may_move = self.is_dynamic(a) || self.is_dynamic(b);
            if a != b
                && may_move
                && let Some(depth) = self.penetration_m(first, second)
                && depth > depth_m
            {
                found.push(Overlap { bodies: [a.min(b), a.max(b)], depth_m: depth });
            }
            ControlFlow::<()>::Continue(())
        });
        found.sort_by(|a, b| a.bodies.cmp(&b.bodies).then(b.depth_m.total_cmp(&a.depth_m)));
        found.dedup_by_key(|overlap| overlap.bodies);
        found
    }

    /// Returns the penetration depth of two colliders; `None` for pairs that do not touch, or of shapes
    /// that Parry does not compare.
    pub(super) fn penetration_m(&self, first: &Collider, second: &Collider) -> Option<f64> {
        let shapes = [first.shape(), second.shape()];
        if shapes.iter().all(|shape| shape.as_halfspace().is_none()) {
            let pair = contact(first.position(), shapes[0], second.position(), shapes[1], 0.0);
            return Some(-f64::from(pair.ok()??.dist));
        }
        // Parry finds the wrong contact of a half-space with a compound, but the right manifolds.
        let second_in_first = first.position().inverse() * *second.position();
        let mut manifolds: Vec<ContactManifold> = Vec::new();
        let dispatcher = self.physics.narrow_phase.query_dispatcher();
        dispatcher
            .contact_manifolds(
                &second_in_first,
                shapes[0],
                shapes[1],
                0.0,
                &mut manifolds,
                &mut None,
            )
            .ok()?;
        let points = manifolds.iter().flat_map(|manifold| &manifold.points);
        points.map(|point| -f64::from(point.dist)).reduce(f64::max)
    }
}

//! Overlapping bodies.

use super::World;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query::contact;
use rapier3d::prelude::{Aabb, Collider};

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
        let mut pieces: Vec<(u32, &Collider, Aabb)> = Vec::new();
        for (_, collider) in self.physics.colliders.iter() {
            let parent = collider.parent().and_then(|body| self.physics.bodies.get(body));
            let Some(body) = parent.filter(|_| collider.is_enabled()) else { continue };
            pieces.push((body.user_data as u32, collider, collider.compute_aabb()));
        }
        // Sweep and prune along x.
        pieces.sort_by(|a, b| a.2.mins.x.total_cmp(&b.2.mins.x).then(a.0.cmp(&b.0)));
        let mut found: Vec<Overlap> = Vec::new();
        for (k, (a, first, box_a)) in pieces.iter().enumerate() {
            for (b, second, box_b) in &pieces[k + 1..] {
                if box_b.mins.x > box_a.maxs.x {
                    break;
                }
                let may_move = self.is_dynamic(*a) || self.is_dynamic(*b);
                if a == b || !may_move || !box_a.intersects(box_b) {
                    continue;
                }
                let (at_a, at_b) = (first.position(), second.position());
                let pair = contact(at_a, first.shape(), at_b, second.shape(), 0.0);
                // Unsupported pairs of shapes are skipped.
                let Ok(Some(pair)) = pair else { continue };
                let depth = -f64::from(pair.dist);
                if depth > depth_m {
                    let bodies = [*a.min(b), *a.max(b)];
                    found.push(Overlap { bodies, depth_m: depth });
                }
            }
        }
        found.sort_by(|a, b| a.bodies.cmp(&b.bodies).then(b.depth_m.total_cmp(&a.depth_m)));
        found.dedup_by_key(|overlap| overlap.bodies);
        found
    }
}

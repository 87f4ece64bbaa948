//! Bodies that are inside each other.

use super::World;
use rapier3d::parry::bounding_volume::BoundingVolume;
use rapier3d::parry::query::contact;
use rapier3d::prelude::{Aabb, Collider};

/// Two bodies, one of which reaches into the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The two, by their numbers.
    pub bodies: [u32; 2],
    /// How far they would have to be drawn apart, in metres, where they touch deepest.
    pub depth_m: f64,
}

impl World {
    /// All bodies that overlap now by more than `depth_m`, of which one moves; the deepest of each
    /// pair. Not for every step: it asks shape by shape.
    pub fn overlaps(&self, depth_m: f64) -> Vec<Overlap> {
        let mut pieces: Vec<(u32, &Collider, Aabb)> = Vec::new();
        for (_, collider) in self.physics.colliders.iter() {
            let parent = collider.parent().and_then(|body| self.physics.bodies.get(body));
            let Some(body) = parent.filter(|_| collider.is_enabled()) else { continue };
            pieces.push((body.user_data as u32, collider, collider.compute_aabb()));
        }
        // Along x, only what begins before another ends can meet it.
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
                let touch = contact(at_a, first.shape(), at_b, second.shape(), 0.0);
                // Shapes that cannot be compared tell nothing.
                let Ok(Some(touch)) = touch else { continue };
                let depth = -f64::from(touch.dist);
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

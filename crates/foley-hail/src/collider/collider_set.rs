//! The colliders of a scene, with a BVH over them.

use crate::bvh::{Aabb, Bvh};
use crate::collider::{Surface, parts};
use crate::{Collider, HailError, Hit, Part, Shape, Trajectory};

/// The largest number of colliders.
pub const MAX_COLLIDERS: usize = 65_536;

/// A validated collider.
#[derive(Clone, Debug)]
pub struct CheckedCollider {
    shape: Shape,
    surface: Surface,
    parts: Vec<Part>,
    silent: bool,
}

impl CheckedCollider {
    /// Returns its shape as given.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns its surface, prepared for intersection.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Returns its parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns whether it only occludes.
    pub fn is_silent(&self) -> bool {
        self.silent
    }

    /// Returns the number of the part at surface coordinates; none in a hole.
    pub fn part_at(&self, uv: [f64; 2]) -> Option<u32> {
        parts::part_at(&self.parts, uv)
    }
}

/// Colliders with a BVH over them.
#[derive(Clone, Debug, Default)]
pub struct ColliderSet {
    colliders: Vec<CheckedCollider>,
    bvh: Bvh,
    /// The BVH over sounding colliders; none if all sound.
    sounding: Option<Bvh>,
}

impl ColliderSet {
    /// Validates colliders; their order gives their indices. An empty set is allowed.
    pub fn new(colliders: impl IntoIterator<Item = Collider>) -> Result<Self, HailError> {
        let mut checked = Vec::new();
        for (number, Collider { shape, parts, silent }) in colliders.into_iter().enumerate() {
            if number >= MAX_COLLIDERS {
                return Err(HailError::TooMany {
                    what: "colliders",
                    found: number as u64 + 1,
                    limit: MAX_COLLIDERS as u64,
                    remedy: "merge some of them into a mesh",
                });
            }
            parts::validate(&parts, number)?;
            let surface = Surface::new(number, &shape)?;
            checked.push(CheckedCollider { shape, surface, parts, silent });
        }
        let boxes = |some: &dyn Fn(&CheckedCollider) -> bool| -> Vec<Aabb> {
            checked.iter().filter(|c| some(c)).map(|c| c.shape.bounds()).collect()
        };
        let bvh = Bvh::new(&boxes(&|_| true), 1)?;
        let sounding = match checked.iter().any(CheckedCollider::is_silent) {
            true => Some(Bvh::new(&boxes(&|collider| !collider.silent), 1)?),
            false => None,
        };
        Ok(Self { colliders: checked, bvh, sounding })
    }

    /// Returns the colliders by index.
    pub fn as_slice(&self) -> &[CheckedCollider] {
        &self.colliders
    }

    /// Returns the BVH over their bounding boxes.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// Returns the bounding box of all.
    pub fn bounds(&self) -> Aabb {
        self.bvh.bounds()
    }

    /// Returns the first hit between two times since birth.
    pub fn first_hit(&self, trajectory: &Trajectory, from_t: f64, to_t: f64) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        self.bvh.traverse(trajectory, [from_t, to_t], |number, times| {
            let hit = self.hit_on(number, trajectory, times)?;
            if first.is_none_or(|known| hit.t_s < known.t_s) {
                first = Some(hit);
            }
            Some(hit.t_s)
        });
        first
    }

    /// Returns the first hit if it is on a sounding collider. Most trajectories miss the boxes of all sounding
    /// colliders and return early.
    pub fn first_sounding_hit(
        &self,
        trajectory: &Trajectory,
        from_t: f64,
        to_t: f64,
    ) -> Option<Hit> {
        if let Some(sounding) = &self.sounding {
            let mut near = false;
            sounding.traverse(trajectory, [from_t, to_t], |_, _| {
                near = true;
                Some(f64::NEG_INFINITY)
            });
            if !near {
                return None;
            }
        }
        let hit = self.first_hit(trajectory, from_t, to_t)?;
        self.colliders.get(hit.collider as usize).filter(|collider| !collider.silent).map(|_| hit)
    }

    /// Returns the first hit on one collider between two times since birth.
    pub fn hit_on(&self, collider: u32, trajectory: &Trajectory, times: [f64; 2]) -> Option<Hit> {
        let checked = self.colliders.get(collider as usize)?;
        let solid = |uv| checked.parts.is_empty() || checked.part_at(uv).is_some();
        let hit = checked.surface.first_hit(trajectory, times, |hit| solid(hit.uv))?;
        Some(Hit::new(hit, collider, checked.part_at(hit.uv)?))
    }
}

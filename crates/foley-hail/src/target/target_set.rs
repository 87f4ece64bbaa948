//! The targets of a scene, with a BVH over them.

use crate::bvh::{build, clip};
use crate::target::{ImplicitSurface, parts};
use crate::{HailError, Hit, Target, Trajectory};
use foley_geometry::bvh::{Aabb, Bvh};

/// The largest number of targets.
pub const MAX_TARGETS: usize = 65_536;

/// A validated target.
#[derive(Clone, Debug)]
pub struct CheckedTarget {
    target: Target,
    implicit: ImplicitSurface,
}

impl CheckedTarget {
    /// Returns the target as given.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Returns its surface in implicit form, for intersection.
    pub fn implicit(&self) -> &ImplicitSurface {
        &self.implicit
    }

    /// Returns the number of the part at surface coordinates; none in a hole.
    pub fn part_at(&self, uv: [f64; 2]) -> Option<u32> {
        parts::part_at(&self.target.parts, uv)
    }
}

/// Targets with a BVH over them.
#[derive(Clone, Debug, Default)]
pub struct TargetSet {
    targets: Vec<CheckedTarget>,
    bvh: Bvh,
    /// The BVH over sounding targets; none if all sound.
    sounding: Option<Bvh>,
}

impl TargetSet {
    /// Validates targets; their order gives their indices. An empty set is allowed.
    pub fn new(targets: impl IntoIterator<Item = Target>) -> Result<Self, HailError> {
        let mut checked = Vec::new();
        for (number, target) in targets.into_iter().enumerate() {
            if number >= MAX_TARGETS {
                return Err(HailError::TooMany {
                    what: "targets",
                    found: number as u64 + 1,
                    limit: MAX_TARGETS as u64,
                    remedy: "merge some of them into a mesh",
                });
            }
            parts::validate(&target.parts, number)?;
            let implicit = ImplicitSurface::new(number, &target.surface)?;
            checked.push(CheckedTarget { target, implicit });
        }
        let boxes = |some: &dyn Fn(&CheckedTarget) -> bool| -> Vec<Aabb> {
            checked.iter().filter(|c| some(c)).map(|c| c.target.surface.bounds()).collect()
        };
        let bvh = build(&boxes(&|_| true), 1)?;
        let sounding = match checked.iter().any(|c| c.target.silent) {
            true => Some(build(&boxes(&|c| !c.target.silent), 1)?),
            false => None,
        };
        Ok(Self { targets: checked, bvh, sounding })
    }

    /// Returns the targets by index.
    pub fn as_slice(&self) -> &[CheckedTarget] {
        &self.targets
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
        let clip = |bounds: &Aabb, times| clip(trajectory, bounds, times);
        self.bvh.traverse([from_t, to_t], clip, |leaf, times| {
            let hit = self.hit_on(self.bvh.order()[leaf.start], trajectory, times)?;
            if first.is_none_or(|known| hit.t_s < known.t_s) {
                first = Some(hit);
            }
            Some(hit.t_s)
        });
        first
    }

    /// Returns the first hit if it is on a sounding target. Most trajectories miss the boxes of all sounding
    /// targets and return early.
    pub fn first_sounding_hit(
        &self,
        trajectory: &Trajectory,
        from_t: f64,
        to_t: f64,
    ) -> Option<Hit> {
        if let Some(sounding) = &self.sounding {
            let mut near = false;
            let clip = |bounds: &Aabb, times| clip(trajectory, bounds, times);
            sounding.traverse([from_t, to_t], clip, |_, _| {
                near = true;
                Some(f64::NEG_INFINITY)
            });
            if !near {
                return None;
            }
        }
        let hit = self.first_hit(trajectory, from_t, to_t)?;
        self.targets.get(hit.target as usize).filter(|c| !c.target.silent).map(|_| hit)
    }

    /// Returns the first hit on one target between two times since birth.
    pub fn hit_on(&self, target: u32, trajectory: &Trajectory, times: [f64; 2]) -> Option<Hit> {
        let checked = self.targets.get(target as usize)?;
        let solid = |uv| checked.target.parts.is_empty() || checked.part_at(uv).is_some();
        let hit = checked.implicit.first_hit(trajectory, times, |hit| solid(hit.uv))?;
        Some(Hit::new(hit, target, checked.part_at(hit.uv)?))
    }
}

//! All colliders of a scene.

use crate::bvh::{Aabb, Tree};
use crate::collider::{Surface, parts};
use crate::{Collider, Flight, HailError, Hit, Part, Shape};

/// A scene may have so many colliders.
pub const MOST_COLLIDERS: usize = 65_536;

/// A checked collider.
#[derive(Clone, Debug)]
pub struct Target {
    shape: Shape,
    surface: Surface,
    parts: Vec<Part>,
    silent: bool,
}

impl Target {
    /// Its shape, as given.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its surface, ready to be struck.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Its regions.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether it only shields what is behind it.
    pub fn is_silent(&self) -> bool {
        self.silent
    }

    /// The part at surface coordinates; none in a hole.
    pub fn part_at(&self, uv: [f64; 2]) -> Option<u32> {
        parts::part_at(&self.parts, uv)
    }
}

/// Colliders, with a tree over them.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    targets: Vec<Target>,
    tree: Tree,
    /// Over those that sound, where not all do.
    sounding: Option<Tree>,
}

impl Targets {
    /// Checks colliders; they are numbered in their order. None at all is fine: nothing is struck.
    pub fn new(colliders: impl IntoIterator<Item = Collider>) -> Result<Self, HailError> {
        let mut targets = Vec::new();
        for (number, Collider { shape, parts, silent }) in colliders.into_iter().enumerate() {
            if number >= MOST_COLLIDERS {
                return Err(HailError::TooMany {
                    what: "colliders",
                    found: number as u64 + 1,
                    most: MOST_COLLIDERS as u64,
                    remedy: "join some of them into a mesh",
                });
            }
            parts::check(&parts, number)?;
            let surface = Surface::new(number, &shape)?;
            targets.push(Target { shape, surface, parts, silent });
        }
        let boxes = |some: &dyn Fn(&Target) -> bool| -> Vec<Aabb> {
            targets.iter().filter(|t| some(t)).map(|t| t.shape.bounds()).collect()
        };
        let tree = Tree::new(&boxes(&|_| true), 1)?;
        let sounding = match targets.iter().any(Target::is_silent) {
            true => Some(Tree::new(&boxes(&|target| !target.silent), 1)?),
            false => None,
        };
        Ok(Self { targets, tree, sounding })
    }

    /// The colliders, by their numbers.
    pub fn as_slice(&self) -> &[Target] {
        &self.targets
    }

    /// The tree over their boxes.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The box around all.
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// The first hit between two times since birth.
    pub fn first_hit(&self, flight: &Flight, from_t: f64, to_t: f64) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        self.tree.walk(flight, [from_t, to_t], |number, times| {
            let hit = self.hit_on(number, flight, times)?;
            if first.is_none_or(|known| hit.t_s < known.t_s) {
                first = Some(hit);
            }
            Some(hit.t_s)
        });
        first
    }

    /// The first hit, if that is on something that sounds. Most flights come near no such thing: their
    /// hits need not be found.
    pub fn first_sounding_hit(&self, flight: &Flight, from_t: f64, to_t: f64) -> Option<Hit> {
        if let Some(sounding) = &self.sounding {
            let mut near = false;
            sounding.walk(flight, [from_t, to_t], |_, _| {
                near = true;
                Some(f64::NEG_INFINITY)
            });
            if !near {
                return None;
            }
        }
        let hit = self.first_hit(flight, from_t, to_t)?;
        self.targets.get(hit.collider as usize).filter(|target| !target.silent).map(|_| hit)
    }

    /// The first hit on one collider between two times since birth.
    pub fn hit_on(&self, collider: u32, flight: &Flight, times: [f64; 2]) -> Option<Hit> {
        let target = self.targets.get(collider as usize)?;
        let solid = |uv| target.parts.is_empty() || target.part_at(uv).is_some();
        let touch = target.surface.first_touch(flight, times, |touch| solid(touch.uv))?;
        Some(Hit::new(touch, collider, target.part_at(touch.uv)?))
    }
}

//! Colliders and trajectory–surface intersection.
//!
//! A collider is a surface `f(p) = 0` with predicates `c(p) > 0` (\[CS\] section 5): its outline, and
//! regions in its surface coordinates that are separately sounding parts or holes.

mod shape;
mod parts;
mod hit;
mod plane;
mod quadric;
mod surface;
mod collider_set;

pub use collider_set::{CheckedCollider, ColliderSet, MAX_COLLIDERS};
pub use hit::{Hit, SurfaceHit};
pub use parts::{MAX_PARTS, Part, PartRole, Region};
pub use plane::{Outline, Plane};
pub use quadric::Quadric;
pub use shape::Shape;
pub use surface::Surface;

/// A surface and its parts.
#[derive(Clone, Debug)]
pub struct Collider {
    /// Its surface.
    pub shape: Shape,
    /// Its parts. The first whose region contains a point applies; a point in no region is part 0.
    pub parts: Vec<Part>,
    /// Whether it only occludes: [`crate::ImpactFilter::SoundingOnly`] drops its impacts.
    pub silent: bool,
}

impl Collider {
    /// Returns a collider of one part, number 0.
    pub fn new(shape: Shape) -> Self {
        Self { shape, parts: Vec::new(), silent: false }
    }

    /// Returns the collider as one that only occludes.
    pub fn silent(self) -> Self {
        Self { silent: true, ..self }
    }

    /// Returns the collider with one more part, after the others.
    pub fn with_part(mut self, region: Region, role: PartRole) -> Self {
        self.parts.push(Part { region, role });
        self
    }
}

impl From<Shape> for Collider {
    fn from(shape: Shape) -> Self {
        Self::new(shape)
    }
}

//! Targets and trajectory–surface intersection.
//!
//! A target is a surface `f(p) = 0` with predicates `c(p) > 0` (\[CS\] section 5): its outline, and
//! regions in its surface coordinates that are separately sounding parts or holes.

mod surface;
mod of_collider;
mod parts;
mod hit;
mod plane;
mod quadric;
mod implicit_surface;
mod target_set;

pub use hit::{Hit, SurfaceHit};
pub use implicit_surface::ImplicitSurface;
pub use parts::{MAX_PARTS, Part, PartRole, Region};
pub use plane::{Outline, Plane};
pub use quadric::Quadric;
pub use surface::Surface;
pub use target_set::{CheckedTarget, MAX_TARGETS, TargetSet};

/// A surface and its parts.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its surface.
    pub surface: Surface,
    /// Its parts. The first whose region contains a point applies; a point in no region is part 0.
    pub parts: Vec<Part>,
    /// Whether it only occludes: [`crate::ImpactFilter::SoundingOnly`] drops its impacts.
    pub silent: bool,
}

impl Target {
    /// Returns a target of one part, number 0.
    pub fn new(surface: Surface) -> Self {
        Self { surface, parts: Vec::new(), silent: false }
    }

    /// Returns the target as one that only occludes.
    pub fn silent(self) -> Self {
        Self { silent: true, ..self }
    }

    /// Returns the target with one more part, after the others.
    pub fn with_part(mut self, region: Region, role: PartRole) -> Self {
        self.parts.push(Part { region, role });
        self
    }
}

impl From<Surface> for Target {
    fn from(surface: Surface) -> Self {
        Self::new(surface)
    }
}

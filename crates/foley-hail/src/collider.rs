//! What stones strike.
//!
//! A collider is a surface `f(p) = 0` with predicates `c(p) > 0` (\[CS\] section 5): its outline, and
//! regions in its surface coordinates that are parts with a sound of their own, or holes.

mod hit;
pub(crate) mod parts;
mod plane;
mod quadric;
mod shape;
mod surface;

pub use hit::{Hit, Touch};
pub use parts::{Face, MOST_PARTS, Part, Region};
pub use plane::{Outline, Plane};
pub use quadric::Quadric;
pub use shape::Shape;
pub use surface::Surface;

/// A surface and its parts.
#[derive(Clone, Debug)]
pub struct Collider {
    /// Its surface.
    pub shape: Shape,
    /// Regions of it: the first that holds a place decides. What no region holds is part 0.
    pub parts: Vec<Part>,
    /// Whether nobody wants to know of its impacts; it still shields what is behind it.
    pub silent: bool,
}

impl Collider {
    /// A surface of one part, number 0.
    pub fn new(shape: Shape) -> Self {
        Self { shape, parts: Vec::new(), silent: false }
    }

    /// That only shields what is behind it.
    pub fn silent(self) -> Self {
        Self { silent: true, ..self }
    }

    /// With one more region, after the others.
    pub fn with(mut self, region: Region, face: Face) -> Self {
        self.parts.push(Part { region, face });
        self
    }
}

impl From<Shape> for Collider {
    fn from(shape: Shape) -> Self {
        Self::new(shape)
    }
}

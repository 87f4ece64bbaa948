//! The radiating surface: triangles, their sheets, and the unknowns on them.

mod edges;
mod orient;
mod sides;
mod weld;

pub(crate) use sides::Unknowns;

use crate::{NormalVelocity, WavesError};
use foley_geometry::vector::{area_vector, bounds};
use glam::DVec3;

/// How a surface meets the air.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Sheets with air on both sides, and closed bodies with air outside: each connected sheet
    /// without open edges is a body, every other one is thin and open.
    Free,
    /// Sheets with air on both sides, also where they enclose a volume.
    Sheet,
    /// A flat piece of an infinite rigid wall that radiates to one side, that of its normals.
    Baffled,
}

/// A surface of triangles that can radiate.
///
/// Meshes may be of any quality: coincident vertices are welded, triangles without area and
/// duplicates are dropped, closed bodies are oriented outwards, and edges may be shared by any
/// number of triangles. Velocities always refer to the vertices and triangles as given.
#[derive(Debug, Clone)]
pub struct Surface {
    pub(crate) kind: Kind,
    pub(crate) points: Vec<DVec3>,
    pub(crate) triangles: Vec<Triangle>,
    /// Number of vertices as given.
    pub(crate) given: usize,
    pub(crate) center: DVec3,
    pub(crate) radius: f64,
}

/// A triangle with its geometry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    /// Welded vertices.
    pub(crate) corners: [u32; 3],
    /// The same corners as vertices that were given.
    pub(crate) source: [u32; 3],
    /// Whether the winding is opposite to the one given.
    pub(crate) flipped: bool,
    /// Whether it bounds a closed body.
    pub(crate) closed: bool,
    pub(crate) normal: DVec3,
    pub(crate) area: f64,
}

impl Surface {
    /// Makes a surface with air around it; closed bodies are found.
    pub fn new(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, WavesError> {
        Self::of_kind(Kind::Free, points, triangles)
    }

    /// Makes a surface of a given kind.
    pub fn of_kind(
        kind: Kind,
        points: &[[f64; 3]],
        triangles: &[[u32; 3]],
    ) -> Result<Self, WavesError> {
        let welded = weld::weld(points, triangles)?;
        let mut surface = Self {
            kind,
            points: welded.points,
            triangles: welded.triangles,
            given: points.len(),
            center: DVec3::ZERO,
            radius: 0.0,
        };
        surface.measure();
        if kind == Kind::Free {
            orient::orient(&mut surface);
            surface.measure();
        }
        if kind == Kind::Baffled {
            surface.check_flat()?;
        }
        match surface.triangles.is_empty() {
            true => Err(WavesError::NoArea),
            false => Ok(surface),
        }
    }

    /// Returns the number of triangles that radiate.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Returns whether there are no triangles; never the case.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Returns the kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns whether every triangle bounds a closed body.
    pub fn is_closed(&self) -> bool {
        self.triangles.iter().all(|t| t.closed)
    }

    /// Returns the origin of far fields: the middle of the bounding box.
    pub fn center(&self) -> [f64; 3] {
        self.center.to_array()
    }

    /// Returns the radius of the sphere around the center that holds the surface, m.
    pub fn radius_m(&self) -> f64 {
        self.radius
    }

    /// Returns the area of all triangles, one side each, m².
    pub fn area_m2(&self) -> f64 {
        self.triangles.iter().map(|t| t.area).sum()
    }

    /// Returns ∫ v² dA over all sides that touch the air, m⁴/s².
    pub fn square_velocity_m4_s2(&self, velocity: &NormalVelocity) -> f64 {
        let one_sided = self.kind == Kind::Baffled;
        let of = |(t, v): (&Triangle, &[f32; 3])| {
            let [a, b, c] = v.map(f64::from);
            let sides = if one_sided || t.closed { 1.0 } else { 2.0 };
            sides * t.area * (a * a + b * b + c * c + a * b + b * c + c * a) / 6.0
        };
        self.triangles.iter().zip(&velocity.corners).map(of).sum()
    }

    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].corners.map(|v| self.points[v as usize])
    }

    /// Sets normals, areas, center and radius.
    fn measure(&mut self) {
        for t in 0..self.triangles.len() {
            let vector = area_vector(self.corners(t));
            let length = vector.length();
            let triangle = &mut self.triangles[t];
            (triangle.normal, triangle.area) = (vector / length, 0.5 * length);
        }
        let used =
            || self.triangles.iter().flat_map(|t| t.corners).map(|v| self.points[v as usize]);
        if let Some([low, high]) = bounds(used()) {
            let center = low.midpoint(high);
            self.radius = used().map(|p| p.distance_squared(center)).fold(0.0, f64::max).sqrt();
            self.center = center;
        }
    }

    fn check_flat(&self) -> Result<(), WavesError> {
        let sum: DVec3 = self.triangles.iter().map(|t| t.normal * t.area).sum();
        let normal = sum.normalize_or_zero();
        let height = |t: &Triangle| {
            let heights = t.corners.map(|v| (self.points[v as usize] - self.center).dot(normal));
            heights.into_iter().fold(0.0, |most: f64, h| most.max(h.abs()))
        };
        let height_m = self.triangles.iter().map(height).fold(0.0, f64::max);
        let facing = self.triangles.iter().all(|t| t.normal.dot(normal) > 0.99);
        match facing && height_m <= 1e-3 * self.radius {
            true => Ok(()),
            false => Err(WavesError::NotFlat { height_m }),
        }
    }
}

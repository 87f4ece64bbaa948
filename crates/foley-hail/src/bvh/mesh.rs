//! Triangle meshes.

use super::triangle::meet;
use super::{Aabb, Path, Tree};
use crate::HailError;
use crate::check::near_of;
use glam::DVec3;

/// Triangles with a tree over them.
#[derive(Clone, Debug)]
pub struct Mesh {
    vertices_m: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    tree: Tree,
    bounds: Aabb,
    area_m2: f64,
}

/// Where a path meets a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// When.
    pub t: f64,
    /// The triangle's number.
    pub triangle: u32,
    /// The weights of its second and third corner at that place.
    pub weights: [f64; 2],
}

impl Mesh {
    /// A mesh from places and triangles of their numbers. Triangles without area are never met.
    pub fn new(vertices_m: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, HailError> {
        Self::numbered(0, vertices_m, triangles)
    }

    /// The same as a collider of a number, for errors.
    pub fn numbered(
        number: usize,
        vertices_m: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, HailError> {
        let bad = |why: String| Err(HailError::Shape { collider: number, why });
        near_of(number, "vertices_m", vertices_m.as_flattened())?;
        let known = |i: &u32| (*i as usize) < vertices_m.len();
        if let Some(i) = triangles.as_flattened().iter().find(|i| !known(i)) {
            let n = vertices_m.len();
            return bad(format!("a triangle has corner {i}, but there are only {n} vertices"));
        }
        let mut mesh = Self {
            vertices_m,
            triangles,
            tree: Tree::default(),
            bounds: Aabb::NOTHING,
            area_m2: 0.0,
        };
        let mut boxes = Vec::with_capacity(mesh.triangles.len());
        for k in 0..mesh.triangles.len() {
            let corners = mesh.corners(k as u32);
            let [a, b, c] = corners;
            let area = 0.5 * (b - a).cross(c - a).length();
            let longest = (b - a).length_squared().max((c - a).length_squared());
            let flat = !(area > 1e-12 * longest);
            boxes.push(match flat {
                true => Aabb::NOTHING,
                false => Aabb::around(&corners.map(|c| c.to_array())),
            });
            mesh.area_m2 += area;
            mesh.bounds = mesh.bounds.with(&boxes[k]);
        }
        if !(mesh.area_m2 > 0.0) {
            return bad("the mesh has no triangle with an area; give it some".into());
        }
        mesh.tree = Tree::new(&boxes, 4)?;
        Ok(mesh)
    }

    /// The places of its corners.
    pub fn vertices_m(&self) -> &[[f64; 3]] {
        &self.vertices_m
    }

    /// Its triangles, as numbers of places.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Its tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The area of all its triangles, one side.
    pub fn area_m2(&self) -> f64 {
        self.area_m2
    }

    /// The first meeting between two times.
    pub fn nearest<P: Path>(&self, path: &P, times: [f64; 2]) -> Option<Meeting> {
        self.nearest_where(path, times, |_| true)
    }

    /// Whether anything is met between two times.
    pub fn any<P: Path>(&self, path: &P, times: [f64; 2]) -> bool {
        let flight = path.flight();
        let mut met = false;
        self.tree.walk(path, times, |k, times| {
            met = met || meet(self.corners(k), &flight, times, |_, _| true).is_some();
            met.then_some(f64::NEG_INFINITY)
        });
        met
    }

    /// The first meeting between two times that counts.
    pub fn nearest_where<P: Path>(
        &self,
        path: &P,
        times: [f64; 2],
        counts: impl Fn(&Meeting) -> bool,
    ) -> Option<Meeting> {
        let flight = path.flight();
        let mut first: Option<Meeting> = None;
        self.tree.walk(path, times, |triangle, times| {
            let counts = |t, weights| counts(&Meeting { t, triangle, weights });
            let (t, weights) = meet(self.corners(triangle), &flight, times, counts)?;
            if first.is_none_or(|known| t < known.t) {
                first = Some(Meeting { t, triangle, weights });
            }
            first.map(|known| known.t)
        });
        first
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|i| DVec3::from_array(self.vertices_m[i as usize]))
    }

    /// A place on the mesh as a point of [0, 1]²: a grid of cells, two triangles in each.
    pub fn uv(&self, triangle: u32, [b, c]: [f64; 2]) -> [f64; 2] {
        let pairs = self.triangles.len().div_ceil(2);
        let columns = (pairs as f64).sqrt().ceil() as usize;
        let rows = pairs.div_ceil(columns);
        let cell = triangle as usize / 2;
        let [x, y] = if triangle.is_multiple_of(2) { [b, c] } else { [1.0 - b, 1.0 - c] };
        let of =
            |cell: usize, part: f64, all: usize| (cell as f64 + part.clamp(0.0, 1.0)) / all as f64;
        [of(cell % columns, x, columns), of(cell / columns, y, rows)]
    }
}

//! Triangle meshes.

use super::triangle::intersect;
use super::{build, clip};
use crate::validate::target_in_bounds;
use crate::{HailError, Trajectory};
use foley_geometry::bvh::{Aabb, Bvh};
use glam::DVec3;

/// A triangle mesh with a BVH.
#[derive(Clone, Debug)]
pub struct TargetMesh {
    vertices_m: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    bvh: Bvh,
    bounds: Aabb,
    area_m2: f64,
}

/// The intersection of a trajectory with a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// The time.
    pub t: f64,
    /// The index of the triangle.
    pub triangle: u32,
    /// The barycentric weights of its second and third corner.
    pub weights: [f64; 2],
}

impl TargetMesh {
    /// Builds a mesh from vertices and triangles of vertex indices. Degenerate triangles are never hit.
    pub fn new(vertices_m: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, HailError> {
        Self::numbered(0, vertices_m, triangles)
    }

    /// Builds a mesh with the index of its target, which errors report.
    pub fn numbered(
        number: usize,
        vertices_m: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, HailError> {
        let bad = |why: String| Err(HailError::Surface { target: number, why });
        target_in_bounds(number, "vertices_m", vertices_m.as_flattened())?;
        let known = |i: &u32| (*i as usize) < vertices_m.len();
        if let Some(i) = triangles.as_flattened().iter().find(|i| !known(i)) {
            let n = vertices_m.len();
            return bad(format!("a triangle has corner {i}, but there are only {n} vertices"));
        }
        let mut mesh =
            Self { vertices_m, triangles, bvh: Bvh::default(), bounds: Aabb::EMPTY, area_m2: 0.0 };
        let mut boxes = Vec::with_capacity(mesh.triangles.len());
        for k in 0..mesh.triangles.len() {
            let corners = mesh.corners(k as u32);
            let [a, b, c] = corners;
            let area = 0.5 * (b - a).cross(c - a).length();
            let longest = (b - a).length_squared().max((c - a).length_squared());
            let flat = !(area > 1e-12 * longest);
            boxes.push(match flat {
                true => Aabb::EMPTY,
                false => Aabb::from_points(corners),
            });
            mesh.area_m2 += area;
            mesh.bounds = mesh.bounds.union(&boxes[k]);
        }
        if !(mesh.area_m2 > 0.0) {
            return bad("no triangle of the mesh has an area; check its vertices".into());
        }
        mesh.bvh = build(&boxes, 4)?;
        Ok(mesh)
    }

    /// Returns the vertices.
    pub fn vertices_m(&self) -> &[[f64; 3]] {
        &self.vertices_m
    }

    /// Returns the triangles as vertex indices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns its BVH.
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// Returns its bounding box.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the area of one side of all triangles.
    pub fn area_m2(&self) -> f64 {
        self.area_m2
    }

    /// Returns the first intersection between two times.
    pub fn first_hit(&self, trajectory: &Trajectory, times: [f64; 2]) -> Option<TriangleHit> {
        self.first_hit_where(trajectory, times, |_| true)
    }

    /// Returns the first intersection between two times that `accept` accepts.
    pub fn first_hit_where(
        &self,
        trajectory: &Trajectory,
        times: [f64; 2],
        accept: impl Fn(&TriangleHit) -> bool,
    ) -> Option<TriangleHit> {
        let mut first: Option<TriangleHit> = None;
        let clip = |bounds: &Aabb, times| clip(trajectory, bounds, times);
        self.bvh.traverse(times, clip, |leaf, [from, to]| {
            for &triangle in &self.bvh.order()[leaf] {
                let until = first.map_or(to, |known| known.t.min(to));
                let accept = |t, weights| accept(&TriangleHit { t, triangle, weights });
                let corners = self.corners(triangle);
                if let Some((t, weights)) = intersect(corners, trajectory, [from, until], accept)
                    && first.is_none_or(|known| t < known.t)
                {
                    first = Some(TriangleHit { t, triangle, weights });
                }
            }
            first.map(|known| known.t)
        });
        first
    }

    /// Returns the corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|i| DVec3::from_array(self.vertices_m[i as usize]))
    }

    /// Returns the surface coordinates of a point on the mesh: a grid of cells with two triangles in each.
    pub fn uv(&self, triangle: u32, [b, c]: [f64; 2]) -> [f64; 2] {
        let pairs = self.triangles.len().div_ceil(2);
        let columns = (pairs as f64).sqrt().ceil() as usize;
        let rows = pairs.div_ceil(columns);
        let cell = triangle as usize / 2;
        let [x, y] = if triangle.is_multiple_of(2) { [b, c] } else { [1.0 - b, 1.0 - c] };
        let coordinate =
            |cell: usize, part: f64, all: usize| (cell as f64 + part.clamp(0.0, 1.0)) / all as f64;
        [coordinate(cell % columns, x, columns), coordinate(cell / columns, y, rows)]
    }
}

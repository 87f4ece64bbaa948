//! Wall thickness of closed meshes, by rays cast inward from the surface.

use super::{Measures, Mesh, MeshError};
use crate::bvh::{Aabb, Bvh, Split};
use crate::vector::{area_vector, bounds, unit_or_zero};
use foley_parallel::prelude::*;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Triangles in a leaf of the tree.
const LEAF: usize = 8;
const RAYS: usize = 4096;
/// Limit on box tests of all rays together. A normal mesh needs a few hundred for each ray; a mesh
/// of large overlapping triangles is measured in part.
const WORK: u64 = 200_000_000;
/// A wall is thin when its thickness is below this fraction of its span.
const THIN: f64 = 0.1;
/// Volume over area: half the thickness in a sheet, a quarter in a rod.
const SHEET: f64 = 0.7;

/// Wall thickness of a closed mesh, measured along inward normals, evenly over its surface.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WallThickness {
    /// Number of rays that hit the opposite side.
    pub rays: usize,
    /// 10th percentile over the surface.
    pub p10_m: f64,
    /// Median over the surface.
    pub median_m: f64,
    /// 90th percentile over the surface.
    pub p90_m: f64,
    /// Share of the surface within 30 % of the median.
    pub uniform: f64,
    /// Twice the volume over the area: the thickness if the mesh were a sheet.
    pub mean_m: f64,
    /// Side of a square sheet of the same area.
    pub span_m: f64,
    /// Whether the mesh is a sheet, flat or bent, rather than a block or a rod: its median
    /// thickness is below a tenth of its span and accounts for its volume.
    pub thin_walled: bool,
}

/// Measures distances through the inside of a closed mesh by ray casting.
///
/// ```
/// use foley_geometry::mesh::{Density, WallProbe, builtin};
/// let mug = builtin("mug-closed", Density::Medium)?;
/// let wall = WallProbe::new(&mug)?.thickness().expect("the mesh is closed");
/// assert!(wall.thin_walled);
/// assert!((wall.median_m - 0.004).abs() < 1e-4);
///
/// let die = builtin("die", Density::Medium)?;
/// assert!(!WallProbe::new(&die)?.thickness().expect("the mesh is closed").thin_walled);
/// # Ok::<(), foley_geometry::mesh::MeshError>(())
/// ```
pub struct WallProbe<'a> {
    mesh: &'a Mesh,
    measures: Measures,
    bvh: Bvh,
}

impl<'a> WallProbe<'a> {
    /// Builds the tree over a mesh, which should be [repaired](super::repair()).
    pub fn new(mesh: &'a Mesh) -> Result<Self, MeshError> {
        let measures = Measures::of(mesh)?;
        let box_of = |t: u32| Aabb::from_points(mesh.corners(t as usize));
        // Sorted once instead of at every level: there may be ten million triangles.
        let bvh = Bvh::new(morton_order(mesh), LEAF, Split::Ordered, box_of);
        Ok(Self { mesh, measures, bvh })
    }

    /// Returns the wall thickness behind the centroid of a triangle; `None` without an opposite
    /// side.
    ///
    /// # Panics
    /// When the mesh has no such triangle.
    pub fn behind(&self, triangle: usize) -> Option<f64> {
        Some(self.opposite(triangle)?.0)
    }

    /// Returns the wall thickness behind the centroid of a triangle and the triangle hit.
    pub fn opposite(&self, triangle: usize) -> Option<(f64, u32)> {
        self.cast(triangle, [1.0 / 3.0; 3], &mut { WORK })
    }

    /// Returns the distance from a point inside to the surface along a direction.
    pub fn distance(&self, from: DVec3, along: DVec3) -> Option<f64> {
        Some(self.exit([from, unit_or_zero(along)], None, &mut { WORK })?.0)
    }

    fn cast(&self, triangle: usize, weights: [f64; 3], work: &mut u64) -> Option<(f64, u32)> {
        let corners = self.mesh.corners(triangle);
        let from = corners.into_iter().zip(weights).map(|(corner, weight)| corner * weight).sum();
        let inward = -unit_or_zero(area_vector(corners));
        self.exit([from, inward], Some(triangle as u32), work)
    }

    /// Returns the distance, in lengths of the direction, to the nearest triangle that a ray hits
    /// from behind, and its index; `but` is skipped. `None` also when more than `work` boxes would
    /// be tested.
    fn exit(&self, ray: [DVec3; 2], but: Option<u32>, work: &mut u64) -> Option<(f64, u32)> {
        let mut which = 0;
        let distance = self.bvh.ray(ray, work, &mut |leaf, mut nearest| {
            for place in leaf {
                let t = self.bvh.order()[place];
                // Of two triangles at the same distance, as at an edge, the first in order counts.
                if Some(t) != but
                    && let Some(distance) = leaves(self.mesh.corners(t as usize), ray)
                    && (distance < nearest || distance == nearest && place < which)
                {
                    (nearest, which) = (distance, place);
                }
            }
            nearest
        })?;
        Some((distance, self.bvh.order()[which]))
    }

    /// Measures the walls; `None` when the mesh is open or encloses no volume.
    pub fn thickness(&self) -> Option<WallThickness> {
        let volume = self.measures.volume_m3.filter(|volume| *volume > 0.0)?;
        let area = self.measures.area_m2;
        let mut found = self.samples();
        found.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| found.get((share * (found.len() - 1) as f64).round() as usize);
        let median_m = *found.get(found.len() / 2)?;
        let near = found.iter().filter(|t| (*t - median_m).abs() <= 0.3 * median_m).count();
        let (mean_m, span_m) = (2.0 * volume / area, (0.5 * area).sqrt());
        Some(WallThickness {
            rays: found.len(),
            p10_m: *at(0.1)?,
            median_m,
            p90_m: *at(0.9)?,
            uniform: near as f64 / found.len() as f64,
            mean_m,
            span_m,
            thin_walled: median_m < THIN * span_m && mean_m > SHEET * median_m,
        })
    }

    /// Returns thicknesses at points spread evenly over the area.
    fn samples(&self) -> Vec<f64> {
        let step = self.measures.area_m2 / RAYS as f64;
        let mut samples = Vec::with_capacity(RAYS);
        let (mut passed, mut k, mut work) = (0.0, 0, WORK);
        for t in 0..self.mesh.triangles.len() {
            passed += 0.5 * area_vector(self.mesh.corners(t)).length();
            while k < RAYS && (k as f64 + 0.5) * step < passed {
                k += 1;
                samples.extend(
                    self.cast(t, low_discrepancy(k), &mut work).map(|(thickness, _)| thickness),
                );
            }
        }
        samples
    }
}

/// Returns barycentric coordinates of the k-th point of a low-discrepancy sequence (Roberts' R2,
/// folded into the triangle).
fn low_discrepancy(k: usize) -> [f64; 3] {
    let [u, v] = [0.754_877_666_246_693, 0.569_840_290_998_053].map(|a| (a * k as f64).fract());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    [u, v, 1.0 - u - v]
}

/// Returns the triangles in Morton order of their centroids.
fn morton_order(mesh: &Mesh) -> Vec<u32> {
    let Some([low, high]) = bounds(mesh.vertices.iter().map(|&p| p.into())) else {
        return Vec::new();
    };
    let extent = (high - low).max_element();
    let cells = f64::from(1 << 21) / (3.0 * extent);
    let code = |t: usize| {
        let sum: DVec3 = mesh.corners(t).into_iter().sum();
        (0..3).fold(0, |code, a| code | spread_bits(((sum[a] - 3.0 * low[a]) * cells) as u64) << a)
    };
    let mut order: Vec<(u64, u32)> =
        (0..mesh.triangles.len()).map(|t| (code(t), t as u32)).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, t)| t).collect()
}

/// Spreads the lowest 21 bits three apart.
fn spread_bits(x: u64) -> u64 {
    let steps = [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ];
    steps.iter().fold(x.min((1 << 21) - 1), |x, (by, mask)| (x | x << by) & mask)
}

/// Returns the distance to a triangle hit from behind (Möller & Trumbore 1997).
fn leaves([a, b, c]: [DVec3; 3], [from, along]: [DVec3; 2]) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let p = along.cross(ac);
    let det = ab.dot(p);
    // Negative: normal and ray point the same way.
    if !(det < 0.0) {
        return None;
    }
    let s = from - a;
    let u = s.dot(p) / det;
    let q = s.cross(ab);
    let v = along.dot(q) / det;
    let slack = -1e-9;
    let distance = ac.dot(q) / det;
    (u >= slack && v >= slack && u + v <= 1.0 - slack && distance > 0.0).then_some(distance)
}

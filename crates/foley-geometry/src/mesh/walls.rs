//! How thick the walls of a closed mesh are.

use super::bvh::Bvh;
use super::vector::{V, add, area_vector, norm, scale, unit};
use super::{Facts, Mesh, MeshError};
use serde::{Deserialize, Serialize};

/// How many rays are cast.
const RAYS: usize = 4096;
/// How many boxes all rays together may look into. An honest mesh needs a few hundred
/// for a ray; one of large triangles that all overlap is left half measured.
const WORK: u64 = 200_000_000;
/// Walls thinner than this fraction of the sheet they make are thin.
const THIN: f64 = 0.1;
/// In a sheet, volume is half the area times the thickness; in a rod it is a quarter.
const SHEET: f64 = 0.7;

/// The wall thickness of a closed mesh, measured along rays that enter it at right
/// angles, evenly over its surface.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Thickness {
    /// Rays that met the other side of the wall.
    pub rays: usize,
    /// A tenth of the surface has thinner walls.
    pub p10_m: f64,
    /// Half of the surface has thinner walls.
    pub median_m: f64,
    /// Nine tenths of the surface have thinner walls.
    pub p90_m: f64,
    /// The share of the surface within 30 % of the median.
    pub uniform: f64,
    /// Twice the volume over the area: what the thickness of a sheet would be.
    pub mean_m: f64,
    /// The side of a square sheet of the same area.
    pub span_m: f64,
    /// Whether it is a sheet, flat or bent, rather than a block or a rod: its median
    /// thickness is less than a tenth of its span, and accounts for its volume.
    pub thin_walled: bool,
}

/// Measures distances through the inside of a closed mesh.
///
/// ```
/// use foley_geometry::mesh::{Density, Walls, builtin};
/// let mug = builtin("mug-closed", Density::Medium)?;
/// let wall = Walls::new(&mug)?.thickness().expect("the mesh is closed");
/// assert!(wall.thin_walled);
/// assert!((wall.median_m - 0.004).abs() < 1e-4);
///
/// let die = builtin("die", Density::Medium)?;
/// assert!(!Walls::new(&die)?.thickness().expect("the mesh is closed").thin_walled);
/// # Ok::<(), foley_geometry::mesh::MeshError>(())
/// ```
pub struct Walls<'a> {
    mesh: &'a Mesh,
    facts: Facts,
    bvh: Bvh,
}

impl<'a> Walls<'a> {
    /// Prepares a mesh, which should be [repaired](super::repair()).
    pub fn new(mesh: &'a Mesh) -> Result<Self, MeshError> {
        let facts = Facts::of(mesh)?;
        Ok(Self { mesh, facts, bvh: Bvh::new(mesh) })
    }

    /// What lies behind the middle of a triangle: the distance to the other side of the
    /// wall. `None` where there is no other side.
    ///
    /// # Panics
    /// When the mesh has no such triangle.
    pub fn behind(&self, triangle: usize) -> Option<f64> {
        Some(self.opposite(triangle)?.0)
    }

    /// The same, with the triangle that is met there.
    pub fn opposite(&self, triangle: usize) -> Option<(f64, u32)> {
        self.cast(triangle, [1.0 / 3.0; 3], &mut { WORK })
    }

    /// The distance from a point inside to the surface along a direction.
    pub fn distance(&self, from: [f64; 3], along: [f64; 3]) -> Option<f64> {
        Some(self.bvh.exit(self.mesh, [from, unit(along)], None, &mut { WORK })?.0)
    }

    fn cast(&self, triangle: usize, weights: [f64; 3], work: &mut u64) -> Option<(f64, u32)> {
        let corners = self.mesh.corners(triangle);
        let from = corners
            .into_iter()
            .zip(weights)
            .fold([0.0; 3], |p: V, (corner, weight)| add(p, scale(corner, weight)));
        let inward = scale(unit(area_vector(corners)), -1.0);
        self.bvh.exit(self.mesh, [from, inward], Some(triangle as u32), work)
    }

    /// Measures the walls; `None` when the mesh is open or encloses nothing.
    pub fn thickness(&self) -> Option<Thickness> {
        let volume = self.facts.volume_m3.filter(|volume| *volume > 0.0)?;
        let area = self.facts.area_m2;
        let mut found = self.samples();
        found.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| found.get((share * (found.len() - 1) as f64).round() as usize);
        let median_m = *found.get(found.len() / 2)?;
        let near = found.iter().filter(|t| (*t - median_m).abs() <= 0.3 * median_m).count();
        let (mean_m, span_m) = (2.0 * volume / area, (0.5 * area).sqrt());
        Some(Thickness {
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

    /// Thicknesses at points spread evenly over the area.
    fn samples(&self) -> Vec<f64> {
        let step = self.facts.area_m2 / RAYS as f64;
        let mut samples = Vec::with_capacity(RAYS);
        let (mut passed, mut k, mut work) = (0.0, 0, WORK);
        for t in 0..self.mesh.triangles.len() {
            passed += 0.5 * norm(area_vector(self.mesh.corners(t)));
            while k < RAYS && (k as f64 + 0.5) * step < passed {
                k += 1;
                samples.extend(self.cast(t, spread(k), &mut work).map(|(thickness, _)| thickness));
            }
        }
        samples
    }
}

/// The k-th point of a sequence that fills a triangle evenly (Roberts' R2, folded).
fn spread(k: usize) -> [f64; 3] {
    let [u, v] = [0.754_877_666_246_693, 0.569_840_290_998_053].map(|a| (a * k as f64).fract());
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    [u, v, 1.0 - u - v]
}

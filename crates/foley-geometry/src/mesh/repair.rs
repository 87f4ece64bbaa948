//! Mesh repair: triangle soup into a welded, consistently wound mesh.

mod edges;
mod clean;
mod weld;
mod winding;
mod cavities;
mod report;

pub(super) use clean::{check, drop_unused};
pub use edges::{Edges, endpoints};
pub use report::{Repairs, Report};

use super::{Measures, Mesh, MeshError, Units};
use crate::vector::bounds;
use derive_setters::Setters;

/// Options of [`repair`].
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct RepairOptions {
    /// Weld tolerance as a fraction of the bounding box's diagonal, 0 to 0.01. Values below
    /// 1e-9 count as 1e-9.
    pub weld: f64,
    /// Unit in which the file was read, for the hint about an implausible size.
    #[setters(into)]
    pub units: Option<Units>,
}

impl Default for RepairOptions {
    /// Welds vertices that single precision cannot tell apart.
    fn default() -> Self {
        Self { weld: 1e-6, units: None }
    }
}

/// A repaired mesh and its report.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The mesh: welded, without degenerate or duplicate triangles, consistently wound.
    pub mesh: Mesh,
    /// Findings and changes.
    pub report: Report,
}

impl From<Repaired> for (Mesh, Report) {
    fn from(repaired: Repaired) -> Self {
        (repaired.mesh, repaired.report)
    }
}

/// Welds coincident vertices, drops degenerate and duplicate triangles, and flips triangles so
/// that neighbours agree and closed surfaces face outward (the walls of a cavity face into it).
/// Nothing else changes: open, self-intersecting and non-manifold meshes stay so, and the
/// [`Report`] says it.
///
/// Part ranges that do not cover all triangles in order are dropped.
///
/// ```
/// use foley_geometry::mesh::{Mesh, RepairOptions, repair};
/// // Two triangles of a sheet: common corners written twice, one triangle flipped.
/// let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 0.], [0., 1.], [1., 1.]];
/// let vertices = corners.map(|[x, y]| [x, y, 0.0]).to_vec();
/// let soup = Mesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]]);
/// let sheet = repair(soup, &RepairOptions::default())?;
/// assert_eq!(sheet.mesh.vertices.len(), 4);
/// assert_eq!((sheet.report.repairs.welded, sheet.report.repairs.flipped), (2, 1));
/// # Ok::<(), foley_geometry::mesh::MeshError>(())
/// ```
pub fn repair(mut mesh: Mesh, options: &RepairOptions) -> Result<Repaired, MeshError> {
    if !(0.0..=0.01).contains(&options.weld) {
        return Err(MeshError::Tolerance(options.weld));
    }
    check(&mesh)?;
    let mut repairs = Repairs {
        vertices_read: mesh.vertices.len(),
        triangles_read: mesh.triangles.len(),
        ..Repairs::default()
    };
    clean::check_parts(&mut mesh);
    let used = || mesh.triangles.iter().flatten().map(|&v| mesh.vertex(v));
    let [low, high] = bounds(used()).ok_or(MeshError::NoTriangles)?;
    let diagonal = low.distance(high);
    if !(diagonal > 0.0) {
        return Err(MeshError::NoSize { at: low.to_array() });
    }
    repairs.welded = weld::weld(&mut mesh, low, diagonal, options.weld);
    repairs.degenerate = clean::drop_degenerate(&mut mesh);
    if mesh.triangles.is_empty() {
        return Err(MeshError::NoArea { triangles: repairs.triangles_read });
    }
    repairs.duplicate = clean::drop_duplicates(&mut mesh);
    repairs.unused = drop_unused(&mut mesh) - repairs.welded;
    repairs.flipped = winding::unify(&mut mesh);
    let measures = Measures::of(&mesh)?;
    let units = options.units.unwrap_or(Units::Metres).hint(measures.size_m);
    Ok(Repaired { mesh, report: Report::new(repairs, measures, units) })
}

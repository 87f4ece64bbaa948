//! Any triangle soup into a mesh that can be calculated with.

mod clean;
mod edges;
mod nesting;
mod weld;
mod winding;

pub(super) use clean::{check, drop_unused};
pub use edges::{Edges, ends};

use super::vector::{bounds, norm, sub};
use super::{Facts, Mesh, MeshError, Repairs, Report, Units};

/// How a mesh is repaired.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// Vertices closer than this become one; in diagonals of the bounding box, at
    /// most 0.01. Below 1e-9 it counts as 1e-9.
    pub weld: f64,
    /// The unit the file was read in, for the guess when its size looks absurd.
    pub units: Option<Units>,
}

impl Default for RepairOptions {
    /// Welds what single precision cannot tell apart.
    fn default() -> Self {
        Self { weld: 1e-6, units: None }
    }
}

/// A mesh and its report.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// Welded, without useless triangles, wound consistently.
    pub mesh: Mesh,
    /// What was found and done.
    pub report: Report,
}

impl From<Repaired> for (Mesh, Report) {
    fn from(repaired: Repaired) -> Self {
        (repaired.mesh, repaired.report)
    }
}

/// Welds vertices that lie together, drops triangles without area and triangles that
/// are there twice, and turns the rest so that neighbours agree and closed surfaces
/// face outward (the walls of a cavity face into it). Nothing else moves: open, crossed
/// and non-manifold meshes stay what they are, and the [`Report`] says so.
///
/// Part ranges that do not hold all triangles in order are forgotten.
///
/// ```
/// use foley_geometry::mesh::{Mesh, RepairOptions, repair};
/// // Two triangles of a sheet: their common corners written twice, one turned over.
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
    let used = || mesh.triangles.iter().flatten().map(|&v| mesh.vertices[v as usize]);
    let [low, high] = bounds(used()).ok_or(MeshError::NoTriangles)?;
    let diagonal = norm(sub(high, low));
    if !(diagonal > 0.0) {
        return Err(MeshError::NoSize { at: low });
    }
    repairs.welded = weld::weld(&mut mesh, low, diagonal, options.weld);
    repairs.degenerate = clean::drop_degenerate(&mut mesh);
    if mesh.triangles.is_empty() {
        return Err(MeshError::NoArea { triangles: repairs.triangles_read });
    }
    repairs.duplicate = clean::drop_duplicates(&mut mesh);
    repairs.unused = drop_unused(&mut mesh) - repairs.welded;
    repairs.flipped = winding::unify(&mut mesh);
    let facts = Facts::of(&mesh)?;
    let units = options.units.unwrap_or(Units::Metres).hint(facts.size_m);
    Ok(Repaired { mesh, report: Report::new(repairs, facts, units) })
}

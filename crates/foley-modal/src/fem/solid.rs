//! Solid bodies by the finite cell method: closed triangle meshes, without a volume mesh.
//!
//! ```
//! use foley_eigen as eigen;
//! use foley_modal::fem::Elastic;
//! use foley_modal::fem::solid::{SolidOptions, discretise};
//! use foley_geometry::mesh::{self, Density};
//!
//! let die = mesh::builtin("die", Density::Coarse)?;
//! let ivory = Elastic { young_pa: 12e9, poisson: 0.3, density: 1900.0 };
//! let solid = discretise(&die, &ivory, &SolidOptions::default().with_max_hz(60e3))?;
//! let modes = eigen::lowest(&solid.problem, 8, &mut eigen::Options::default())?;
//! assert_eq!(modes.zero_modes, 6);
//!
//! // Displacements of the mesh vertices in the first elastic mode.
//! let motion = solid.at(&die.vertices).displacements(modes.vector(6));
//! assert_eq!(motion.len(), die.vertices.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The finite cell method (J. Parvizian, A. Düster, E. Rank, *Comput. Mech.* 41, 2007)
//! with quadratic cells: a grid of boxes over the body, displacements quadratic in each
//! box and continuous between boxes, and all integrals taken exactly over the filled part of
//! each box. This is the Rayleigh–Ritz method on the exact shape of the mesh: no volume mesh
//! is needed, frequencies are upper bounds that fall as the cells shrink, a wall that bends
//! within one cell does not lock, and a free body has six zero modes at any position in the
//! grid.
//!
//! Everything in one cell moves together: walls with a gap narrower than a cell are joined,
//! and so are bodies that almost touch.
//!
//! The modules stand in the order of the data: open rims are closed (`hole_filling`), the cell
//! size is chosen (`cell_size`, `grid`), the filled part of each cell is integrated
//! (`polygon_clipping`, `moments`, `cells`), the matrices are assembled (`hexahedron`,
//! `assembly`), and displacements are interpolated at points (`interpolation`).

mod hole_filling;
mod cell_size;
mod grid;
mod polygon_clipping;
mod moments;
mod cells;
mod hexahedron;
mod assembly;
mod interpolation;

pub use interpolation::Interpolation;

use super::watch::{self, Watch};
use super::{Elastic, FemError};
use assembly::Nodes;
use cells::Cells;
use derive_setters::Setters;
use foley_eigen::Problem;
use foley_geometry::mesh::Mesh;
use grid::Grid;
use hexahedron::MomentTemplates;
use interpolation::CellLocator;

/// Smallest filled fraction of a cell; emptier cells are dropped. With 1e-3, coarse cells
/// lose a measurable part of a rod; below 1e-7 nothing changes; nearly empty cells move
/// independently and add spurious modes.
const MIN_FILLED: f64 = 1e-5;

/// Upper bound of the unknowns: the factor of more would take a terabyte.
const MAX_UNKNOWNS: usize = 2_000_000;
/// Fraction of the volume that dropped cells may hold.
const MAX_LOSS: f64 = 1e-2;

/// Resolution of the discretisation.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SolidOptions {
    /// Highest frequency, Hz.
    pub max_hz: f64,
    /// Maximum number of unknowns; cells grow until it suffices. A block of 56,000 takes
    /// 1.4 GiB to solve, one of 25,000 a third of that; thin walls take half. Values above
    /// two million are clamped.
    pub max_unknowns: usize,
    /// Cell size, m; by default chosen from the walls and `max_hz`.
    #[setters(into)]
    pub cell_m: Option<f64>,
}

impl Default for SolidOptions {
    fn default() -> Self {
        Self { max_hz: 20e3, max_unknowns: 80_000, cell_m: None }
    }
}

/// A discretised solid.
pub struct Solid {
    /// K u = ω² M u; unknowns 3n, 3n+1, 3n+2 are the displacement of node n along x, y, z.
    pub problem: Problem,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Enclosed volume, m³.
    pub volume_m3: f64,
    /// Edges of a cell, m.
    pub cell_m: [f64; 3],
    /// Number of separate bodies; each has six zero modes.
    pub bodies: usize,
    /// Number of cells.
    pub cells: usize,
    /// Number of cells that the surface cuts.
    pub cut_cells: usize,
    /// Fraction of the volume in dropped cells.
    pub lost_volume: f64,
    /// Number of rims of an open mesh that were closed.
    pub filled_rims: usize,
    /// Notes for the user, in sentences.
    pub notes: Vec<String>,
    locator: CellLocator,
}

impl Solid {
    /// Returns the interpolation of displacements at points, in metres as in the mesh. Points
    /// outside all cells use the nearest point of a cell.
    pub fn at(&self, points: &[[f64; 3]]) -> Interpolation {
        self.locator.at(points)
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> usize {
        self.locator.nodes()
    }
}

/// Divides the inside of a mesh into cells and assembles its eigenproblem. An open mesh is
/// closed with a fan of triangles over each rim.
pub fn discretise(
    mesh: &Mesh,
    elastic: &Elastic,
    options: &SolidOptions,
) -> Result<Solid, FemError> {
    discretise_watched(mesh, elastic, options, &mut |_| true)
}

/// Discretises like [`discretise`]; `watch` is called with the part that is done and cancels by
/// returning false.
pub fn discretise_watched(
    mesh: &Mesh,
    elastic: &Elastic,
    options: &SolidOptions,
    watch: &mut Watch<'_>,
) -> Result<Solid, FemError> {
    elastic.check()?;
    options.check()?;
    let options =
        &SolidOptions { max_unknowns: options.max_unknowns.min(MAX_UNKNOWNS), ..*options };
    let (mesh, filled_rims, facts) = hole_filling::closed(mesh)?;
    let volume = facts.volume_m3.unwrap_or(0.0);
    if !(volume.abs() > 1e-9 * facts.area_m2 * facts.size_m) {
        return Err(FemError::NoVolume { volume_m3: volume, size_m: facts.size_m });
    }
    let mut notes = Vec::new();
    if filled_rims > 0 {
        notes.push(format!("{filled_rims} open rims were filled: the inside is solid"));
    }
    if volume < 0.0 {
        notes.push("the mesh is turned inside out: its other side was taken".to_owned());
    }
    let wanted = cell_size::wanted(&mesh, &facts, elastic, options)?;
    let mut size = cell_size::affordable(&mesh, &facts, wanted, options)?;
    let (grid, cells, nodes) = loop {
        watch::check(watch, 0.0)?;
        let grid = Grid::new(facts.bounds_m, size);
        let cells = Cells::new(&mesh, &grid, volume.signum(), MIN_FILLED);
        if !(cells.dropped.1 <= MAX_LOSS * cells.filled) {
            let wall_m = 2.0 * volume.abs() / facts.area_m2;
            return Err(FemError::TooThin { wall_m, cell_m: size });
        }
        watch::check(watch, 0.1)?;
        let nodes = Nodes::new(&cells);
        let unknowns = 3 * nodes.len();
        if unknowns <= options.max_unknowns {
            break (grid, cells, nodes);
        }
        if size > 2.0 * facts.size_m {
            return Err(FemError::Budget { found: unknowns, limit: options.max_unknowns });
        }
        size *= cell_size::coarser(unknowns, options.max_unknowns);
    };
    if size > 1.001 * wanted {
        notes.push(format!(
            "cells of {size:.2e} m instead of {wanted:.2e} m, to stay within {} unknowns: \
             high modes, and those of thin walls and joints, come out higher than they are",
            options.max_unknowns
        ));
    }
    let bodies = nodes.bodies();
    if facts.pieces > bodies {
        notes.push(format!(
            "{} pieces of surface are {bodies} bodies: those that overlap, enclose each other or \
             lie within a cell of each other move as one",
            facts.pieces
        ));
    }
    let [lambda, mu] = elastic.lame();
    let templates = MomentTemplates::new(grid.edge, lambda, mu, elastic.density);
    let problem = assembly::problem(&cells, &nodes, &grid, &templates, watch)?;
    Ok(Solid {
        problem,
        mass_kg: elastic.density * volume.abs(),
        volume_m3: volume.abs(),
        cell_m: grid.edge,
        bodies,
        cells: cells.indices.len(),
        cut_cells: cells.cut.iter().flatten().count(),
        lost_volume: cells.dropped.1 / cells.filled,
        filled_rims,
        notes,
        locator: CellLocator::new(grid, cells, nodes),
    })
}

impl SolidOptions {
    fn check(&self) -> Result<(), FemError> {
        let test = |ok: bool, what, value, must| match ok {
            true => Ok(()),
            false => Err(FemError::Value { what, value, must }),
        };
        test(self.max_hz > 0.0 && self.max_hz < 1e12, "max_hz", self.max_hz, "0 to 1e12 Hz")?;
        let cell = self.cell_m.unwrap_or(1.0);
        test(cell > 0.0 && cell.is_finite(), "the size of the cells", cell, "positive")
    }
}

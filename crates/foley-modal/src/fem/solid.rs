//! Solid bodies, given as closed triangle meshes, without a volume mesh.
//!
//! ```
//! use foley_eigen;
//! use foley_modal::fem::Elastic;
//! use foley_modal::fem::solid::{SolidOptions, discretise};
//! use foley_geometry::mesh::{self, Density};
//!
//! let die = mesh::builtin("die", Density::Coarse)?;
//! let ivory = Elastic { young_pa: 12e9, poisson: 0.3, density: 1900.0 };
//! let solid = discretise(&die, &ivory, &SolidOptions { max_hz: 60e3, ..Default::default() })?;
//! let modes = eigen::lowest(&solid.problem, 8, &mut eigen::Options::default())?;
//! assert_eq!(modes.zero_modes, 6);
//!
//! // How the corners of the mesh move in the first mode.
//! let motion = solid.at(&die.vertices).displacements(modes.vector(6));
//! assert_eq!(motion.len(), die.vertices.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The finite cell method (J. Parvizian, A. Düster, E. Rank, *Comput. Mech.* 41, 2007)
//! with quadratic cells: a grid of boxes over the body, displacements quadratic in each
//! box and continuous between them, and all integrals taken over the part of each box that
//! the body really fills, exactly. That makes it the Rayleigh–Ritz method on the shape of
//! the mesh itself: no volume mesh is needed, frequencies are upper bounds that fall as
//! the cells shrink, bending of a wall within one cell does not lock, and a free body has
//! its six zero modes however it lies in the grid.
//!
//! What lies in one cell moves together: walls with a gap between them that is narrower
//! than a cell are glued, and so are bodies that almost touch.
//!
//! The folders stand in the order of use: lids on open rims (`fill`), the size of the
//! cells (`size`, `grid`), what the body fills of each (`cells`, `clip`, `moments`), their
//! matrices (`element`, `assembly`), displacements at points (`points`).

mod assembly;
mod cells;
mod clip;
mod element;
mod fill;
mod grid;
mod moments;
mod points;
mod size;

pub use points::Interpolation;

use super::{Elastic, FemError};
use assembly::Nodes;
use cells::Cells;
use element::Templates;
use foley_eigen::Problem;
use foley_geometry::mesh::Mesh;
use grid::Grid;
use points::Finder;

/// Cells of which the body fills less than this fraction are left out. Where 1e-3 is left
/// out, coarse cells lose enough of a rod to show; below 1e-7 nothing changes any more; cells
/// that are all but empty move on their own and bring false modes.
const SLIVER: f64 = 1e-5;

/// Unknowns beyond all sense: their factor would take a terabyte.
const MOST: usize = 2_000_000;
/// The share of a body that may be lost so.
const LOSS: f64 = 1e-2;

/// How finely a body is divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidOptions {
    /// The highest frequency wanted, Hz.
    pub max_hz: f64,
    /// The most unknowns; cells are made larger until they suffice. A block of 56,000 takes
    /// 1.4 GiB to solve, one of 25,000 a third of that; thin walls take half.
    /// Never more than two million.
    pub max_unknowns: usize,
    /// The size of the cells, m, instead of one that suits the walls and `max_hz`.
    pub cell_m: Option<f64>,
}

impl Default for SolidOptions {
    fn default() -> Self {
        Self { max_hz: 20e3, max_unknowns: 80_000, cell_m: None }
    }
}

/// A body made ready for its modes.
pub struct Solid {
    /// K u = ω² M u; unknowns 3n, 3n+1, 3n+2 are the displacement of node n along x, y, z.
    pub problem: Problem,
    /// What the body weighs, kg.
    pub mass_kg: f64,
    /// What the mesh encloses, m³.
    pub volume_m3: f64,
    /// The edges of a cell, m.
    pub cell_m: [f64; 3],
    /// Bodies that do not touch: each has six zero modes.
    pub bodies: usize,
    /// Cells that are kept.
    pub cells: usize,
    /// Those of them that the surface cuts.
    pub cut_cells: usize,
    /// Share of the volume that lay in slivers and was left out.
    pub lost_volume: f64,
    /// Rims of an open mesh that were filled.
    pub filled_rims: usize,
    /// What its owner should know, in sentences.
    pub notes: Vec<String>,
    finder: Finder,
}

impl Solid {
    /// How to find the displacements at some points, in metres as the mesh has them.
    /// Points outside all cells take those of the nearest point of a cell.
    pub fn at(&self, points: &[[f64; 3]]) -> Interpolation {
        self.finder.at(points)
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.finder.nodes()
    }
}

/// Divides the inside of a mesh into cells and sets up the problem of its modes. An open
/// mesh is closed with a fan of triangles over each of its rims.
pub fn discretise(
    mesh: &Mesh,
    elastic: &Elastic,
    options: &SolidOptions,
) -> Result<Solid, FemError> {
    elastic.check()?;
    options.check()?;
    let options = &SolidOptions { max_unknowns: options.max_unknowns.min(MOST), ..*options };
    let (mesh, filled_rims, facts) = fill::closed(mesh)?;
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
    let wanted = size::wanted(&mesh, &facts, elastic, options)?;
    let mut size = size::affordable(&mesh, &facts, wanted, options)?;
    let (grid, cells, nodes) = loop {
        let grid = Grid::new(facts.bounds_m, size);
        let cells = Cells::new(&mesh, &grid, volume.signum(), SLIVER);
        if !(cells.dropped.1 <= LOSS * cells.filled) {
            let wall_m = 2.0 * volume.abs() / facts.area_m2;
            return Err(FemError::TooThin { wall_m, cell_m: size });
        }
        let nodes = Nodes::new(&cells);
        let unknowns = 3 * nodes.len();
        if unknowns <= options.max_unknowns {
            break (grid, cells, nodes);
        }
        if size > 2.0 * facts.size_m {
            return Err(FemError::Budget { found: unknowns, limit: options.max_unknowns });
        }
        size *= size::coarser(unknowns, options.max_unknowns);
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
    let templates = Templates::new(grid.edge, lambda, mu, elastic.density);
    let problem = assembly::problem(&cells, &nodes, &grid, &templates)?;
    Ok(Solid {
        problem,
        mass_kg: elastic.density * volume.abs(),
        volume_m3: volume.abs(),
        cell_m: grid.edge,
        bodies,
        cells: cells.places.len(),
        cut_cells: cells.cut.iter().flatten().count(),
        lost_volume: cells.dropped.1 / cells.filled,
        filled_rims,
        notes,
        finder: Finder::new(grid, cells, nodes),
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

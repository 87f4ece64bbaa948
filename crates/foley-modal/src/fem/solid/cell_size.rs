//! Cell size: the size that the accuracy needs, and the size that the limits allow.

use super::super::FemError;
use super::SolidOptions;
use super::grid::Grid;
use super::polygon_clipping::span;
use crate::fem::Elastic;
use foley_geometry::mesh::{Measures, Mesh, WallProbe};
use std::f64::consts::TAU;

/// Cells per shear wavelength: the twelfth mode of a cube is 1 % too high with 4.1 cells,
/// 0.1 % with 8.2.
const PER_SHEAR: f64 = 4.5;
/// Cells per bending wavelength: the modes of a bell up to 20 kHz are at most 1.4 % too high
/// with 5.1 cells.
const PER_BENDING: f64 = 6.0;
/// Minimum number of cells along the longest side of the body.
const MIN_CELLS: f64 = 4.0;
/// Maximum cell size of a sheet, in wall thicknesses. Smooth walls are accurate to 1 % with
/// cells of three thicknesses; corners, joints and torsion need smaller cells.
const SHEET: f64 = 1.5;
/// The same for rods and blocks, whose section warps in torsion: one cell across a square rod
/// is 9 % too stiff, two by two cells 0.7 %.
const ROD: f64 = 0.7;
/// Maximum number of clipped surface pieces, beyond a few per triangle.
const MAX_PIECES: f64 = 5e6;

/// Returns the size that the walls and the highest frequency need, m.
pub(super) fn wanted(
    mesh: &Mesh,
    facts: &Measures,
    elastic: &Elastic,
    options: &SolidOptions,
) -> Result<f64, FemError> {
    if let Some(size) = options.cell_m {
        return Ok(size);
    }
    let [_, mu] = elastic.lame();
    let shear = (mu / elastic.density).sqrt() / options.max_hz;
    let mut size = (facts.size_m / MIN_CELLS).min(shear / PER_SHEAR);
    if let Some(walls) = WallProbe::new(mesh)?.thickness() {
        let t = walls.p10_m;
        let bending = TAU / (TAU * options.max_hz / elastic.bending(t)).sqrt();
        let wall = if walls.thin_walled { SHEET * t } else { ROD * t };
        size = size.min(bending / PER_BENDING).min(wall);
    }
    Ok(size.max(1e-4 * facts.size_m))
}

/// Returns that size or a larger one that keeps the work and the unknowns within bounds.
pub(super) fn affordable(
    mesh: &Mesh,
    facts: &Measures,
    wanted: f64,
    options: &SolidOptions,
) -> Result<f64, FemError> {
    let box_volume: f64 = (0..3).map(|a| facts.bounds_m[1][a] - facts.bounds_m[0][a]).product();
    let mut size = wanted;
    loop {
        let grid = Grid::new(facts.bounds_m, size);
        let cell = grid.cell_volume();
        // Mean number of cells that a body with large faces intersects (Steiner's formula),
        // bounded by the cells of the bounding box.
        let volume = facts.volume_m3.unwrap_or(0.0).abs();
        let met =
            (volume / cell + 0.75 * facts.area_m2 / cell.powf(2.0 / 3.0)).min(box_volume / cell);
        let coarsest = size > 2.0 * facts.size_m;
        // At least twelve unknowns per cell; the exact number is checked later.
        let unknowns = 12.0 * met;
        if unknowns > 1.5 * options.max_unknowns as f64 && !coarsest {
            size *= coarser(unknowns as usize, options.max_unknowns);
            continue;
        }
        let work = pieces(mesh, &grid);
        if work <= MAX_PIECES + 4.0 * mesh.triangles.len() as f64 {
            return Ok(size);
        }
        if coarsest {
            return Err(FemError::TooComplex { triangles: mesh.triangles.len() });
        }
        size *= 1.5;
    }
}

/// Returns the factor by which cells must grow to meet the limit.
pub(super) fn coarser(unknowns: usize, limit: usize) -> f64 {
    let ratio = unknowns as f64 / limit.max(1) as f64;
    // Between the square root of sheets and the cube root of blocks, at least 1.1.
    ratio.powf(0.4).clamp(1.1, 1e3)
}

/// Estimates the number of pieces into which the grid clips the surface.
fn pieces(mesh: &Mesh, grid: &Grid) -> f64 {
    let cut = |t: usize| {
        let p = mesh.corners(t).map(|p| grid.inside(p.to_array()));
        let n: [f64; 3] = std::array::from_fn(|a| {
            let (low, high) = span(&p, a, grid.cells[a]);
            (high - low) as f64
        });
        1.0 + n[0] + n[1] + n[2] + n[0] * n[1] + n[1] * n[2] + n[2] * n[0]
    };
    (0..mesh.triangles.len()).map(cut).sum()
}

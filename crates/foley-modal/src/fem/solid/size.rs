//! How large the cells should be, and how large they have to be.

use super::super::FemError;
use super::SolidOptions;
use super::clip::span;
use super::grid::Grid;
use crate::fem::Elastic;
use foley_geometry::mesh::{Measures, Mesh, WallProbe};
use std::f64::consts::TAU;

/// Cells for a wavelength of shear: the twelfth mode of a cube comes out 1 % too high with
/// 4.1 of them, 0.1 % with 8.2.
const PER_SHEAR: f64 = 4.5;
/// Cells for a wavelength of bending: the modes of a bell up to 20 kHz come out at most
/// 1.4 % too high with 5.1 of them.
const PER_BENDING: f64 = 6.0;
/// Cells along the longest side of the body, at least.
const LEAST: f64 = 4.0;
/// Thicknesses of the wall of a sheet in one cell, at most. Smooth walls are right to 1 %
/// with cells of three thicknesses; corners, joints and torsion need smaller ones.
const SHEET: f64 = 1.5;
/// The same for rods and blocks, whose section warps in torsion: one cell for a square rod
/// is 9 % too stiff, two by two are 0.7 %.
const ROD: f64 = 0.7;
/// Pieces of surface that may be looked at, beyond a few for each triangle.
const WORK: f64 = 5e6;

/// The size that suits the walls and the highest frequency, m.
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
    let mut size = (facts.size_m / LEAST).min(shear / PER_SHEAR);
    if let Some(walls) = WallProbe::new(mesh)?.thickness() {
        let t = walls.p10_m;
        let bending = TAU / (TAU * options.max_hz / elastic.bending(t)).sqrt();
        let wall = if walls.thin_walled { SHEET * t } else { ROD * t };
        size = size.min(bending / PER_BENDING).min(wall);
    }
    Ok(size.max(1e-4 * facts.size_m))
}

/// That size or a larger one, for which the work and the unknowns stay within bounds.
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
        // The mean number of cells that a body meets (Steiner's formula), where its faces
        // are large; never more than there are.
        let volume = facts.volume_m3.unwrap_or(0.0).abs();
        let met =
            (volume / cell + 0.75 * facts.area_m2 / cell.powf(2.0 / 3.0)).min(box_volume / cell);
        let coarsest = size > 2.0 * facts.size_m;
        // At least twelve unknowns a cell; what is above the limit then shows later.
        let unknowns = 12.0 * met;
        if unknowns > 1.5 * options.max_unknowns as f64 && !coarsest {
            size *= coarser(unknowns as usize, options.max_unknowns);
            continue;
        }
        let work = pieces(mesh, &grid);
        if work <= WORK + 4.0 * mesh.triangles.len() as f64 {
            return Ok(size);
        }
        if coarsest {
            return Err(FemError::TooComplex { triangles: mesh.triangles.len() });
        }
        size *= 1.5;
    }
}

/// By how much cells must grow for fewer unknowns.
pub(super) fn coarser(unknowns: usize, limit: usize) -> f64 {
    let ratio = unknowns as f64 / limit.max(1) as f64;
    // Between the square root of sheets and the cube root of blocks, and never too little.
    ratio.powf(0.4).clamp(1.1, 1e3)
}

/// About how many pieces the grid cuts the surface into.
fn pieces(mesh: &Mesh, grid: &Grid) -> f64 {
    let cut = |t: usize| {
        let p = mesh.corners(t).map(|p| grid.inside(p));
        let n: [f64; 3] = std::array::from_fn(|a| {
            let (low, high) = span(&p, a, grid.cells[a]);
            (high - low) as f64
        });
        1.0 + n[0] + n[1] + n[2] + n[0] * n[1] + n[1] * n[2] + n[2] * n[0]
    };
    (0..mesh.triangles.len()).map(cut).sum()
}

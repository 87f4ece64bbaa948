//! Resolution: the surface again with as few triangles as the waves allow.

mod coarsen;
mod quadric;
mod transfer;
mod wavelength;

pub(crate) use transfer::Transfer;
pub(crate) use wavelength::structural_wave_number;

use crate::WavesError;
use crate::surface::Surface;
use foley_geometry::mesh::{self, Mesh};

/// Vertices of a refined mesh: more than any solve can use.
const MOST_VERTICES: usize = 200_000;

/// Returns the surface with edges of about `edge_m`: long edges are split, short ones collapsed.
pub(crate) fn resample(surface: &Surface, edge_m: f64) -> Result<Surface, WavesError> {
    let points = surface.points.iter().map(|p| p.to_array()).collect();
    let triangles = surface.triangles.iter().map(|t| t.corners).collect();
    let fine = mesh::refine(&Mesh::new(points, triangles), 1.6 * edge_m, MOST_VERTICES);
    let coarse = coarsen::collapse_short_edges(fine, edge_m);
    Surface::of_kind(surface.kind, &coarse.vertices, &coarse.triangles)
}

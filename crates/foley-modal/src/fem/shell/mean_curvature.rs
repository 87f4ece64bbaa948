//! Mean curvature of a shell's modes: the share of their energy in bending that compresses one side of
//! the wall and stretches the other, `s = D ∫(κ_x + κ_y)² dA / ω²` for mass-normalised modes.
//!
//! Heat flow damps this part (`material/thermoelastic.rs`); twisting, saddles and stretching of the
//! midsurface change no volume across the wall or all of it alike. The curvature is taken at the
//! centre of each triangle. Where the wall is thinner than its reference thickness t₀ more heat
//! flows: the energy is weighted by (t₀/t)², the ratio of the losses far above their peak.

use super::bending;
use crate::fem::local_frame::LocalFrame;
use crate::fem::{Discretisation, Elastic};
use foley_geometry::mesh::Mesh;
use glam::DVec3;

/// A linear form of the displacements u and rotations θ of a triangle's corners: κ_x + κ_y.
struct Triangle {
    corners: [u32; 3],
    u: [DVec3; 3],
    theta: [DVec3; 3],
    /// A D (t₀/t)².
    weight: f64,
}

/// κ_x + κ_y of all triangles of a shell.
pub struct MeanCurvature {
    triangles: Vec<Triangle>,
}

impl MeanCurvature {
    /// Prepares the shell that `mesh` was discretised to; `reference_m` is t₀.
    pub fn new(
        mesh: &Mesh,
        elastic: &Elastic,
        thickness_m: &[f64],
        reference_m: f64,
        body: &Discretisation,
    ) -> Self {
        let unit = 1.0 / body.units.length_m;
        let flexural = 1.0 / (12.0 * (1.0 - elastic.poisson * elastic.poisson));
        let triangle = |(index, (corners, t)): (usize, (&[u32; 3], &f64))| {
            let frame = LocalFrame::new(mesh.corners(index).map(|p| p * unit))?;
            let b = bending::curvature(&frame, 1.0 / 3.0, 1.0 / 3.0);
            let [x, y, z] = frame.axes;
            let trace = |i: usize| b[0][i] + b[1][i];
            Some(Triangle {
                corners: *corners,
                u: [0, 1, 2].map(|c| z * trace(3 * c)),
                theta: [0, 1, 2].map(|c| x * trace(3 * c + 1) + y * trace(3 * c + 2)),
                weight: frame.area * flexural * t * unit * (reference_m * unit).powi(2),
            })
        };
        let walls = mesh.triangles.iter().zip(thickness_m);
        Self { triangles: walls.enumerate().filter_map(triangle).collect() }
    }

    /// Returns the share of a mode with the displacements and rotations of all vertices; ω² in the
    /// units of the problem.
    pub fn share(&self, u: &[[f64; 3]], theta: &[[f64; 3]], omega_squared: f64) -> f64 {
        let energy = |triangle: &Triangle| {
            let corner = |c: usize| {
                let vertex = triangle.corners[c] as usize;
                triangle.u[c].dot(DVec3::from(u[vertex]))
                    + triangle.theta[c].dot(DVec3::from(theta[vertex]))
            };
            triangle.weight * (corner(0) + corner(1) + corner(2)).powi(2)
        };
        self.triangles.iter().map(energy).sum::<f64>() / omega_squared
    }
}

//! Finite elements: the eigenproblem K u = ω² M u of a mesh and an elastic material.
//!
//! | method | unknowns | for |
//! |---|---|---|
//! | [`mass_spring`] | three per vertex | quick estimates, any triangle soup |
//! | [`shell`] | six per vertex | sheets and walls, thin compared with their extent |
//! | [`solid`] | three per node of a grid | filled bodies and thick walls |
//!
//! The first two work in natural units (lengths in mean edges, E = ρ = 1), so that the numbers do
//! not depend on the size of the body; [`Units`] converts back. [`cyclic_symmetry`] solves shells
//! with an N-fold axis order by order.

mod error;
mod elastic;
mod local_frame;
mod discretisation;
mod watch;
pub mod mass_spring;
pub mod shell;
pub mod solid;
pub mod cyclic_symmetry;

pub use discretisation::{Discretisation, DisplacementMap, Units};
pub use elastic::Elastic;
pub use error::FemError;
pub use watch::Watch;

use foley_geometry::mesh::Mesh;

/// Triangles that are assembled between two calls of a [`Watch`].
const TRIANGLES_PER_CALL: usize = 1 << 12;

/// Returns the mean edge length of all triangles; `None` when it is zero.
pub(crate) fn mean_edge(mesh: &Mesh) -> Option<f64> {
    let sides = (0..mesh.triangles.len()).flat_map(|t| {
        let [a, b, c] = mesh.corners(t);
        [b.distance(a), c.distance(b), a.distance(c)]
    });
    let mean = sides.sum::<f64>() / (3 * mesh.triangles.len()) as f64;
    (mean > 0.0 && mean.is_finite()).then_some(mean)
}

//! Finite elements: from a mesh and an elastic material to K u = ω² M u.
//!
//! | method | unknowns | for |
//! |---|---|---|
//! | [`springs`] | three a vertex | a quick guess, any triangle soup |
//! | [`shell`] | six a vertex | sheets and walls, thin against their extent |
//! | [`solid`] | three a node of a grid | filled bodies, and walls that are not thin |
//!
//! The first two work in natural units, lengths in mean edges, E = ρ = 1, so that a grain of sand and a
//! mountain give the same numbers; [`Discrete`] knows the way back.

mod discrete;
mod elastic;
mod error;
mod frame;
pub mod shell;
pub mod solid;
pub mod springs;

pub use discrete::{Discrete, Reading, Units};
pub use elastic::Elastic;
pub use error::FemError;

use foley_geometry::mesh::Mesh;
use foley_geometry::mesh::vector::{norm, sub};

/// The mean length of the sides of all triangles; `None` when they have none.
fn mean_edge(mesh: &Mesh) -> Option<f64> {
    let sides = (0..mesh.triangles.len()).flat_map(|t| {
        let [a, b, c] = mesh.corners(t);
        [norm(sub(b, a)), norm(sub(c, b)), norm(sub(a, c))]
    });
    let mean = sides.sum::<f64>() / (3 * mesh.triangles.len()) as f64;
    (mean > 0.0 && mean.is_finite()).then_some(mean)
}

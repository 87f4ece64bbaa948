//! Thin shells: flat triangles with `membrane` and `bending` stiffness, six unknowns per
//! vertex.
//!
//! Kirchhoff theory: valid where the wall is thin compared with the wavelength. Meshes may be
//! open or closed, and an edge may have any number of triangles: they are rigidly joined.

mod bending;
mod mass;
mod mean_curvature;
mod membrane;

pub use mean_curvature::MeanCurvature;

use super::discretisation::{self, Discretisation, DisplacementMap, Units, scatter};
use super::local_frame::LocalFrame;
use super::watch::{self, Watch};
use super::{Elastic, FemError, TRIANGLES_PER_CALL};
use foley_geometry::mesh::Mesh;

/// Flags of the fixed unknowns (u, v, w, θ_x, θ_y, θ_z) of a vertex, along the global axes.
pub type FixedDofs = [bool; 6];

/// Returns K and M of a mesh whose triangles have the given wall thicknesses in metres.
///
/// `fixed` returns the supports of each vertex; [`free`] has none.
///
/// ```
/// use foley_geometry::mesh;
/// use foley_modal::{Material, fem};
/// let bowl = mesh::builtin("bowl", mesh::Density::Coarse)?;
/// let steel = fem::Elastic::from(Material::named("steel")?);
/// let wall = vec![3e-3; bowl.triangles.len()];
/// let bowl = fem::shell::discretise(&bowl, &steel, &wall, fem::shell::free)?;
/// let modes = foley_eigen::lowest(&bowl.problem, 8, &mut foley_eigen::Options::default())?;
/// // Six rigid motions, then a degenerate pair of rim modes.
/// assert_eq!(modes.zero_modes, 6);
/// let [a, b] = [6, 7].map(|n| modes.omega_squared[n]);
/// assert!((a / b - 1.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn discretise(
    mesh: &Mesh,
    elastic: &Elastic,
    thickness_m: &[f64],
    fixed: impl Fn(usize) -> FixedDofs,
) -> Result<Discretisation, FemError> {
    discretise_watched(mesh, elastic, thickness_m, fixed, &mut |_| true)
}

/// Discretises like [`discretise`]; `watch` is called with the part that is done and cancels by
/// returning false.
pub fn discretise_watched(
    mesh: &Mesh,
    elastic: &Elastic,
    thickness_m: &[f64],
    fixed: impl Fn(usize) -> FixedDofs,
    watch: &mut Watch<'_>,
) -> Result<Discretisation, FemError> {
    elastic.check()?;
    let length_m = super::mean_edge(mesh).ok_or(FemError::Flat)?;
    if thickness_m.len() != mesh.triangles.len() {
        let (found, expected) = (thickness_m.len(), mesh.triangles.len());
        return Err(FemError::Thicknesses { found, expected });
    }
    let units = Units::new(length_m, elastic);
    let c = elastic.plane_stress();

    let unknowns = Unknowns::new(mesh, fixed);
    let (mut stiffness, mut mass) = (Vec::new(), Vec::new());
    let mut total = 0.0;
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if triangle % TRIANGLES_PER_CALL == 0 {
            watch::check(watch, 0.3 * triangle as f64 / mesh.triangles.len() as f64)?;
        }
        let t = thickness_m[triangle] / length_m;
        if !(t > 0.0 && t.is_finite()) {
            return Err(FemError::Thickness { triangle, value_m: thickness_m[triangle] });
        }
        let corners_unit = mesh.corners(triangle).map(|p| p * (1.0 / length_m));
        let Some(frame) = LocalFrame::new(corners_unit) else { continue };
        total += frame.area * t;
        let at: [Option<u32>; 18] =
            std::array::from_fn(|i| unknowns.number[6 * corners[i / 6] as usize + i % 6]);
        let local = local_stiffness(&frame, t, &c, elastic.poisson);
        scatter(&mut stiffness, &to_global(&local, &frame), at);
        scatter(&mut mass, &to_global(&mass::mass(&frame, t), &frame), at);
    }
    let problem = discretisation::problem(
        unknowns.count,
        stiffness,
        mass,
        unknowns.coordinates.clone(),
        watch,
    )?;
    let map = |first: usize| {
        let mut map = DisplacementMap::new();
        for at in (0..mesh.vertices.len()).flat_map(|v| (0..3).map(move |a| 6 * v + first + a)) {
            map.push(unknowns.number[at].map(|unknown| (unknown, 1.0)));
        }
        map
    };
    let (displacement, rotation) = (map(0), Some(map(3)));
    let mass_kg = total * units.mass();
    Ok(Discretisation { problem, units, displacement, rotation, mass_kg, notes: Vec::new() })
}

/// Fixes nothing: a free body.
pub fn free(_vertex: usize) -> FixedDofs {
    [false; 6]
}

/// The numbers of the six unknowns of each vertex; `None` where fixed, or where no triangle
/// uses the vertex.
struct Unknowns {
    number: Vec<Option<u32>>,
    count: usize,
    coordinates: Vec<[f64; 3]>,
}

impl Unknowns {
    fn new(mesh: &Mesh, fixed: impl Fn(usize) -> FixedDofs) -> Self {
        let mut used = vec![false; mesh.vertices.len()];
        mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
        let (mut number, mut coordinates) = (Vec::with_capacity(6 * used.len()), Vec::new());
        for (vertex, position) in mesh.vertices.iter().enumerate() {
            for fixed in fixed(vertex) {
                let free = used[vertex] && !fixed;
                number.push(free.then_some(coordinates.len() as u32));
                coordinates.extend(free.then_some(*position));
            }
        }
        Self { number, count: coordinates.len(), coordinates }
    }
}

/// Returns membrane and bending stiffness combined: unknowns (u, v, w, θ_x, θ_y, θ_z) in the local
/// axes.
fn local_stiffness(frame: &LocalFrame, t: f64, c: &[[f64; 3]; 3], nu: f64) -> [[f64; 18]; 18] {
    let mut k = [[0.0; 18]; 18];
    let membrane = membrane::stiffness(frame, t, c, nu);
    let bending = bending::stiffness(frame, t, c);
    for i in 0..9 {
        for j in 0..9 {
            let at = |own: [usize; 3], i: usize| 6 * (i / 3) + own[i % 3];
            k[at([0, 1, 5], i)][at([0, 1, 5], j)] = membrane[i][j];
            k[at([2, 3, 4], i)][at([2, 3, 4], j)] = bending[i][j];
        }
    }
    k
}

/// Returns Rᵀ A R, where R rotates each triple of unknowns into the local axes.
fn to_global(a: &[[f64; 18]; 18], frame: &LocalFrame) -> [[f64; 18]; 18] {
    let r = &frame.axes;
    let mut rotated = [[0.0; 18]; 18];
    for (i, row) in rotated.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            let (block, axis) = (3 * (j / 3), j % 3);
            *value = (0..3).map(|s| a[i][block + s] * r[s][axis]).sum();
        }
    }
    let mut global = [[0.0; 18]; 18];
    for (i, row) in global.iter_mut().enumerate() {
        let (block, axis) = (3 * (i / 3), i % 3);
        for (j, value) in row.iter_mut().enumerate() {
            *value = (0..3).map(|s| r[s][axis] * rotated[block + s][j]).sum();
        }
    }
    global
}

//! Thin shells: flat triangles that stretch (`membrane`) and bend (`bending`), six unknowns
//! at every vertex.
//!
//! Kirchhoff's theory: right where the wall is thin against the waves in it. Any mesh will
//! do, open or closed, with edges of any number of triangles: what meets is welded stiff.

mod bending;
mod mass;
mod membrane;

use super::discrete::{self, Discrete, Reading, Units, scatter};
use super::frame::Frame;
use super::{Elastic, FemError};
use foley_geometry::mesh::Mesh;
use foley_geometry::mesh::vector::scale;

/// Which of (u, v, w, θ_x, θ_y, θ_z) of a vertex, along the global axes, are held.
pub type Held = [bool; 6];

/// K and M of a mesh whose triangles are walls of the given thicknesses in metres.
///
/// `held` says of each vertex what a support holds; [`free`] holds nothing.
///
/// ```
/// use foley_geometry::mesh;
/// use foley_modal::{Material, fem};
/// let bowl = mesh::builtin("bowl", mesh::Density::Coarse)?;
/// let steel = fem::Elastic::from(Material::named("steel")?);
/// let wall = vec![3e-3; bowl.triangles.len()];
/// let bowl = fem::shell::discretise(&bowl, &steel, &wall, fem::shell::free)?;
/// let modes = foley_eigen::lowest(&bowl.problem, 8, &mut foley_eigen::Options::default())?;
/// // Six rigid motions, then the rim breathes in two directions alike.
/// assert_eq!(modes.zero_modes, 6);
/// let [a, b] = [6, 7].map(|n| modes.omega_squared[n]);
/// assert!((a / b - 1.0).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn discretise(
    mesh: &Mesh,
    elastic: &Elastic,
    thickness_m: &[f64],
    held: impl Fn(usize) -> Held,
) -> Result<Discrete, FemError> {
    elastic.check()?;
    let length_m = super::mean_edge(mesh).ok_or(FemError::Flat)?;
    if thickness_m.len() != mesh.triangles.len() {
        let (found, expected) = (thickness_m.len(), mesh.triangles.len());
        return Err(FemError::Thicknesses { found, expected });
    }
    let units = Units::new(length_m, elastic);
    let c = elastic.plane_stress();

    let unknowns = Unknowns::new(mesh, held);
    let (mut stiffness, mut mass) = (Vec::new(), Vec::new());
    let mut total = 0.0;
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        let t = thickness_m[triangle] / length_m;
        if !(t > 0.0 && t.is_finite()) {
            return Err(FemError::Thickness { triangle, value_m: thickness_m[triangle] });
        }
        let places = mesh.corners(triangle).map(|p| scale(p, 1.0 / length_m));
        let Some(frame) = Frame::new(places) else { continue };
        total += frame.area * t;
        let at: [Option<u32>; 18] =
            std::array::from_fn(|i| unknowns.number[6 * corners[i / 6] as usize + i % 6]);
        let local = local_stiffness(&frame, t, &c, elastic.poisson);
        scatter(&mut stiffness, &to_global(&local, &frame), at);
        scatter(&mut mass, &to_global(&mass::mass(&frame, t), &frame), at);
    }
    let problem = discrete::problem(unknowns.count, stiffness, mass, unknowns.places.clone())?;
    let read = |first: usize| {
        let mut reading = Reading::new();
        for at in (0..mesh.vertices.len()).flat_map(|v| (0..3).map(move |a| 6 * v + first + a)) {
            reading.push(unknowns.number[at].map(|unknown| (unknown, 1.0)));
        }
        reading
    };
    let (reading, turning) = (read(0), Some(read(3)));
    let mass_kg = total * units.mass();
    Ok(Discrete { problem, units, reading, turning, mass_kg, notes: Vec::new() })
}

/// Holds nothing.
pub fn free(_vertex: usize) -> Held {
    [false; 6]
}

/// The number of each of the six motions of each vertex; none where it is held or where no
/// triangle needs the vertex.
struct Unknowns {
    number: Vec<Option<u32>>,
    count: usize,
    places: Vec<[f64; 3]>,
}

impl Unknowns {
    fn new(mesh: &Mesh, held: impl Fn(usize) -> Held) -> Self {
        let mut used = vec![false; mesh.vertices.len()];
        mesh.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
        let (mut number, mut places) = (Vec::with_capacity(6 * used.len()), Vec::new());
        for (vertex, place) in mesh.vertices.iter().enumerate() {
            for held in held(vertex) {
                let free = used[vertex] && !held;
                number.push(free.then_some(places.len() as u32));
                places.extend(free.then_some(*place));
            }
        }
        Self { number, count: places.len(), places }
    }
}

/// Membrane and bending side by side: unknowns (u, v, w, θ_x, θ_y, θ_z) in the local axes.
fn local_stiffness(frame: &Frame, t: f64, c: &[[f64; 3]; 3], nu: f64) -> [[f64; 18]; 18] {
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

/// Rᵀ A R, where R turns each triple of unknowns into the local axes.
fn to_global(a: &[[f64; 18]; 18], frame: &Frame) -> [[f64; 18]; 18] {
    let r = &frame.axes;
    let mut turned = [[0.0; 18]; 18];
    for (i, row) in turned.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            let (block, axis) = (3 * (j / 3), j % 3);
            *value = (0..3).map(|s| a[i][block + s] * r[s][axis]).sum();
        }
    }
    let mut global = [[0.0; 18]; 18];
    for (i, row) in global.iter_mut().enumerate() {
        let (block, axis) = (3 * (i / 3), i % 3);
        for (j, value) in row.iter_mut().enumerate() {
            *value = (0..3).map(|s| r[s][axis] * turned[block + s][j]).sum();
        }
    }
    global
}

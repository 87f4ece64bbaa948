//! Mass-spring system \[LS\] §3.1, with the spring constants of an elastic sheet.
//!
//! - Masses `m_i = ρ t a_i` at the vertices; a_i is a third of the area of the triangles there.
//! - A spring along each edge, `k = E t Σ A / l²` over its triangles (Van Gelder 1998).
//!   The paper's `k = E t` is 15 % too stiff on equilateral triangles and depends on the mesh.
//! - Bending springs (`hinge`). Edge springs alone give a flat sheet no stiffness along its
//!   normal; with these it has exactly six zero modes.

mod hinge;

use super::discretisation::{self, Discretisation, DisplacementMap, Units};
use super::local_frame::LocalFrame;
use super::watch::{self, Watch};
use super::{Elastic, FemError, TRIANGLES_PER_CALL, mean_edge};
use foley_geometry::mesh::Mesh;
use glam::DVec3;
use hinge::Curvature;

/// Returns K and M of a mesh whose triangles have the given wall thicknesses in metres.
pub fn discretise(
    mesh: &Mesh,
    elastic: &Elastic,
    thickness_m: &[f64],
) -> Result<Discretisation, FemError> {
    discretise_watched(mesh, elastic, thickness_m, &mut |_| true)
}

/// Discretises like [`discretise`]; `watch` is called with the part that is done and cancels by
/// returning false.
pub fn discretise_watched(
    mesh: &Mesh,
    elastic: &Elastic,
    thickness_m: &[f64],
    watch: &mut Watch<'_>,
) -> Result<Discretisation, FemError> {
    elastic.check()?;
    let length_m = mean_edge(mesh).ok_or(FemError::Flat)?;
    if thickness_m.len() != mesh.triangles.len() {
        let (found, expected) = (thickness_m.len(), mesh.triangles.len());
        return Err(FemError::Thicknesses { found, expected });
    }
    let units = Units::new(length_m, elastic);
    let number = numbers(mesh);
    let unknowns = 3 * number.iter().flatten().count();
    let mut assembler = Assembler { number, stiffness: Vec::new(), mass: Vec::new() };
    let unit_position = |v: u32| mesh.vertex(v) * (1.0 / length_m);
    let c = elastic.plane_stress();
    let neighbours = hinge::neighbours(mesh);
    let mut walls: Vec<Option<BendingTriangle>> = Vec::with_capacity(mesh.triangles.len());
    let mut total = 0.0;
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if triangle % TRIANGLES_PER_CALL == 0 {
            watch::check(watch, 0.1 * triangle as f64 / mesh.triangles.len() as f64)?;
        }
        let t = thickness_m[triangle] / length_m;
        if !(t > 0.0 && t.is_finite()) {
            return Err(FemError::Thickness { triangle, value_m: thickness_m[triangle] });
        }
        let positions = corners.map(unit_position);
        let Some(frame) = LocalFrame::new(positions) else {
            walls.push(None);
            continue;
        };
        total += frame.area * t;
        for k in 0..3 {
            let [i, j] = [k, (k + 1) % 3];
            let along = positions[j] - positions[i];
            let squared = along.length_squared();
            let spring = t * frame.area / squared / squared;
            assembler.add_spring([(corners[i], -along), (corners[j], along)], spring);
            assembler.add_mass(corners[k], t * frame.area / 3.0);
        }
        let apexes = neighbours[triangle].map(|half| {
            let far = hinge::far_corner(mesh, half?);
            Some((far, unit_position(far)))
        });
        let curvature = Curvature::new(&frame, (*corners, positions), apexes, &c);
        walls.push(curvature.map(|curvature| BendingTriangle {
            bend: frame.area * t.powi(3) / 12.0,
            frame,
            curvature,
        }));
    }
    let root = cholesky(&c);
    for (triangle, wall) in walls.iter().enumerate() {
        if triangle % TRIANGLES_PER_CALL == 0 {
            watch::check(watch, 0.1 + 0.2 * triangle as f64 / walls.len() as f64)?;
        }
        let Some(wall) = wall else { continue };
        assembler.add_curvature(&wall.curvature.vertices, &wall.curvature.rows, &root, wall.bend);
        for (side, half) in neighbours[triangle].iter().enumerate() {
            // Each pair once.
            let Some(half) = half.filter(|half| *half as usize / 3 > triangle) else { continue };
            let Some(other) = &walls[half as usize / 3] else { continue };
            smooth_curvature(&mut assembler, wall, side, other, half as usize % 3, &root);
        }
    }
    let used = mesh.vertices.iter().zip(&assembler.number).filter(|(_, n)| n.is_some());
    let coordinates = used.flat_map(|(position, _)| [*position; 3]).collect();
    let mut displacement = DisplacementMap::new();
    for number in &assembler.number {
        (0..3).for_each(|axis| displacement.push(number.map(|n| (3 * n + axis, 1.0))));
    }
    let Assembler { stiffness, mass, .. } = assembler;
    let problem = discretisation::problem(unknowns, stiffness, mass, coordinates, watch)?;
    let mass_kg = total * units.mass();
    Ok(Discretisation { problem, units, displacement, rotation: None, mass_kg, notes: Vec::new() })
}

/// Numbers the vertices that triangles use.
fn numbers(mesh: &Mesh) -> Vec<Option<u32>> {
    let mut number = vec![None; mesh.vertices.len()];
    mesh.triangles.iter().flatten().for_each(|&v| number[v as usize] = Some(0));
    number.iter_mut().flatten().zip(0..).for_each(|(number, n)| *number = n);
    number
}

/// A triangle with bending stiffness.
struct BendingTriangle {
    frame: LocalFrame,
    curvature: Curvature,
    /// Area times t³/12.
    bend: f64,
}

/// Stiffness of curvature differences between neighbours. Without it, meshes whose vertices
/// have alternately four and eight neighbours have a spurious alternating motion, and their
/// frequencies are a quarter too low at any resolution. Constant curvature costs nothing.
const CURVATURE_SMOOTHING: f64 = 1.0;

/// Adds springs on the difference of the curvatures of two neighbours, in axes along their
/// common side.
fn smooth_curvature(
    assembler: &mut Assembler,
    one: &BendingTriangle,
    side: usize,
    two: &BendingTriangle,
    other_side: usize,
    root: &[[f64; 3]; 3],
) {
    let direction = |wall: &BendingTriangle, side: usize| {
        let (p, q) = (wall.frame.corners[side], wall.frame.corners[(side + 1) % 3]);
        let length = (q[0] - p[0]).hypot(q[1] - p[1]);
        [(q[0] - p[0]) / length, (q[1] - p[1]) / length]
    };
    let a = one.curvature.along(direction(one, side));
    // Reversing the side does not change curvature.
    let b = two.curvature.along(direction(two, other_side));
    let vertices: [u32; 12] = std::array::from_fn(|i| match i {
        0..6 => one.curvature.vertices[i],
        _ => two.curvature.vertices[i - 6],
    });
    let rows =
        [0, 1, 2].map(|r| std::array::from_fn(|i| if i < 6 { a[r][i] } else { -b[r][i - 6] }));
    assembler.add_curvature(&vertices, &rows, root, CURVATURE_SMOOTHING * one.bend.min(two.bend));
}

/// Returns L with L Lᵀ = C.
fn cholesky(c: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let mut l = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            let sum = c[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { sum.max(0.0).sqrt() } else { sum / l[j][j] };
        }
    }
    l
}

/// Entries of K and M during assembly.
struct Assembler {
    number: Vec<Option<u32>>,
    stiffness: Vec<(usize, usize, f64)>,
    mass: Vec<(usize, usize, f64)>,
}

impl Assembler {
    fn add_mass(&mut self, vertex: u32, mass: f64) {
        if let Some(n) = self.number[vertex as usize] {
            let n = 3 * n as usize;
            self.mass.extend((n..n + 3).map(|i| (i, i, mass)));
        }
    }

    /// Adds the energy ½ κᵀ (L Lᵀ) κ times a weight: a spring on each row of Lᵀ κ.
    fn add_curvature<const N: usize>(
        &mut self,
        vertices: &[u32; N],
        rows: &[[DVec3; N]; 3],
        root: &[[f64; 3]; 3],
        weight: f64,
    ) {
        for r in 0..3 {
            let column = root.map(|row| row[r]);
            let gradient = |i: usize| (0..3).map(|s| column[s] * rows[s][i]).sum();
            let terms = (0..N).map(|i| (vertices[i], gradient(i)));
            self.add_spring(terms, weight);
        }
    }

    /// Adds a spring on the elongation Σ gradient · displacement.
    fn add_spring(&mut self, terms: impl IntoIterator<Item = (u32, DVec3)>, stiffness: f64) {
        let mut sum: Vec<(usize, f64)> = Vec::with_capacity(18);
        for (vertex, gradient) in terms {
            let Some(n) = self.number[vertex as usize] else { continue };
            let first = 3 * n as usize;
            // Two neighbours of a triangle may be the same vertex.
            match sum.iter().position(|(i, _)| *i == first) {
                Some(at) => (0..3).for_each(|a| sum[at + a].1 += gradient[a]),
                None => sum.extend([0, 1, 2].map(|a| (first + a, gradient[a]))),
            }
        }
        for (k, &(i, a)) in sum.iter().enumerate() {
            let pairs = sum[..=k].iter();
            self.stiffness.extend(pairs.map(|&(j, b)| (i.max(j), i.min(j), stiffness * a * b)));
        }
    }
}

//! Masses and springs: "Large-scale environments" 2006, §3.1, with the constants of a sheet.
//!
//! - Masses `m_i = ρ t a_i` at the vertices, a third of the area of each triangle.
//! - A spring along each edge, `k = E t Σ A / l²` over the triangles at it (Van Gelder 1998).
//!   The paper's `k = E t` is 15 % too stiff on equilateral triangles and depends on the mesh.
//! - Springs that turn (`hinge`). Edge springs alone leave a flat sheet without any stiffness
//!   along its normal; with these it has six zero modes and no more.

mod hinge;

use super::discrete::{self, Discrete, Reading, Units};
use super::frame::Frame;
use super::{Elastic, FemError, mean_edge};
use foley_geometry::mesh::Mesh;
use foley_geometry::mesh::vector::{V, dot, scale, sub};
use hinge::Curvature;

/// K and M of a mesh whose triangles are walls of the given thicknesses in metres.
pub fn discretise(
    mesh: &Mesh,
    elastic: &Elastic,
    thickness_m: &[f64],
) -> Result<Discrete, FemError> {
    elastic.check()?;
    let length_m = mean_edge(mesh).ok_or(FemError::Flat)?;
    if thickness_m.len() != mesh.triangles.len() {
        let (found, expected) = (thickness_m.len(), mesh.triangles.len());
        return Err(FemError::Thicknesses { found, expected });
    }
    let units = Units::new(length_m, elastic);
    let number = numbers(mesh);
    let unknowns = 3 * number.iter().flatten().count();
    let mut sheet = Sheet { number, stiffness: Vec::new(), mass: Vec::new() };
    let unit_place = |v: u32| scale(mesh.vertices[v as usize], 1.0 / length_m);
    let c = elastic.plane_stress();
    let neighbours = hinge::neighbours(mesh);
    let mut walls: Vec<Option<Wall>> = Vec::with_capacity(mesh.triangles.len());
    let mut total = 0.0;
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        let t = thickness_m[triangle] / length_m;
        if !(t > 0.0 && t.is_finite()) {
            return Err(FemError::Thickness { triangle, value_m: thickness_m[triangle] });
        }
        let places = corners.map(unit_place);
        let Some(frame) = Frame::new(places) else {
            walls.push(None);
            continue;
        };
        total += frame.area * t;
        for k in 0..3 {
            let [i, j] = [k, (k + 1) % 3];
            let along = sub(places[j], places[i]);
            let squared = dot(along, along);
            let spring = t * frame.area / squared / squared;
            sheet.pull([(corners[i], scale(along, -1.0)), (corners[j], along)], spring);
            sheet.weigh(corners[k], t * frame.area / 3.0);
        }
        let apexes = neighbours[triangle].map(|half| {
            let far = hinge::far_corner(mesh, half?);
            Some((far, unit_place(far)))
        });
        let curvature = Curvature::new(&frame, (*corners, places), apexes, &c);
        walls.push(curvature.map(|curvature| Wall {
            bend: frame.area * t.powi(3) / 12.0,
            frame,
            curvature,
        }));
    }
    let root = cholesky(&c);
    for (triangle, wall) in walls.iter().enumerate() {
        let Some(wall) = wall else { continue };
        sheet.bend(&wall.curvature.vertices, &wall.curvature.rows, &root, wall.bend);
        for (side, half) in neighbours[triangle].iter().enumerate() {
            // Each pair once.
            let Some(half) = half.filter(|half| *half as usize / 3 > triangle) else { continue };
            let Some(other) = &walls[half as usize / 3] else { continue };
            smooth(&mut sheet, wall, side, other, half as usize % 3, &root);
        }
    }
    let places = mesh.vertices.iter().zip(&sheet.number).filter(|(_, n)| n.is_some());
    let places = places.flat_map(|(place, _)| [*place; 3]).collect();
    let mut reading = Reading::new();
    for number in &sheet.number {
        (0..3).for_each(|axis| reading.push(number.map(|n| (3 * n + axis, 1.0))));
    }
    let problem = discrete::problem(unknowns, sheet.stiffness, sheet.mass, places)?;
    let mass_kg = total * units.mass();
    Ok(Discrete { problem, units, reading, turning: None, mass_kg, notes: Vec::new() })
}

/// Vertices that some triangle needs, counted.
fn numbers(mesh: &Mesh) -> Vec<Option<u32>> {
    let mut number = vec![None; mesh.vertices.len()];
    mesh.triangles.iter().flatten().for_each(|&v| number[v as usize] = Some(0));
    number.iter_mut().flatten().zip(0..).for_each(|(number, n)| *number = n);
    number
}

/// A triangle that bends.
struct Wall {
    frame: Frame,
    curvature: Curvature,
    /// Area times t³/12.
    bend: f64,
}

/// How strongly neighbours want the same curvature. Without it, on meshes whose vertices
/// have four and eight neighbours by turns, the two kinds move against each other and the
/// sheet comes out a quarter too low, however fine it is. A sheet bent evenly feels nothing.
const SMOOTH: f64 = 1.0;

/// Springs on the differences of two neighbours' curvatures, seen along their common side.
fn smooth(
    sheet: &mut Sheet,
    one: &Wall,
    side: usize,
    two: &Wall,
    other_side: usize,
    root: &[[f64; 3]; 3],
) {
    let direction = |wall: &Wall, side: usize| {
        let (p, q) = (wall.frame.corners[side], wall.frame.corners[(side + 1) % 3]);
        let length = (q[0] - p[0]).hypot(q[1] - p[1]);
        [(q[0] - p[0]) / length, (q[1] - p[1]) / length]
    };
    let a = one.curvature.along(direction(one, side));
    // Turning the side round changes no curvature.
    let b = two.curvature.along(direction(two, other_side));
    let vertices: [u32; 12] = std::array::from_fn(|i| match i {
        0..6 => one.curvature.vertices[i],
        _ => two.curvature.vertices[i - 6],
    });
    let rows = [0, 1, 2]
        .map(|r| std::array::from_fn(|i| if i < 6 { a[r][i] } else { scale(b[r][i - 6], -1.0) }));
    sheet.bend(&vertices, &rows, root, SMOOTH * one.bend.min(two.bend));
}

/// L with L Lᵀ = C.
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

/// Entries under construction.
struct Sheet {
    number: Vec<Option<u32>>,
    stiffness: Vec<(usize, usize, f64)>,
    mass: Vec<(usize, usize, f64)>,
}

impl Sheet {
    fn weigh(&mut self, vertex: u32, mass: f64) {
        if let Some(n) = self.number[vertex as usize] {
            let n = 3 * n as usize;
            self.mass.extend((n..n + 3).map(|i| (i, i, mass)));
        }
    }

    /// Energy ½ κᵀ (L Lᵀ) κ times a weight: a spring on each row of Lᵀ κ.
    fn bend<const N: usize>(
        &mut self,
        vertices: &[u32; N],
        rows: &[[V; N]; 3],
        root: &[[f64; 3]; 3],
        weight: f64,
    ) {
        for r in 0..3 {
            let column = root.map(|row| row[r]);
            let gradient = |i: usize, a: usize| (0..3).map(|s| column[s] * rows[s][i][a]).sum();
            let terms = (0..N).map(|i| (vertices[i], [0, 1, 2].map(|a| gradient(i, a))));
            self.pull(terms, weight);
        }
    }

    /// A spring on the length Σ gradient · displacement.
    fn pull(&mut self, terms: impl IntoIterator<Item = (u32, V)>, stiffness: f64) {
        let mut sum: Vec<(usize, f64)> = Vec::with_capacity(18);
        for (vertex, gradient) in terms {
            let Some(n) = self.number[vertex as usize] else { continue };
            let first = 3 * n as usize;
            // Two neighbours of a triangle may be one.
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

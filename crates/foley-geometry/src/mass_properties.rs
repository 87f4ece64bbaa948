//! Mass properties: mass, centre of mass and inertia tensor.
//!
//! A closed mesh is summed over the tetrahedra between its triangles and one point (divergence
//! theorem). With a, b, c the corners relative to that point, s = a + b + c and V = a·(b × c)/6, a
//! tetrahedron has the second moments `∫ x xᵀ dV = V/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)`; a triangle
//! of area A has `A/12 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)`. The inertia tensor about the centre is
//! `I = tr(C) 1 − C`, with C the second moments there.

#[cfg(feature = "readers")]
use crate::Mesh;
use crate::vector::area_vector;
use glam::{DMat3, DQuat, DVec3};

/// Mass, centre of mass and inertia tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass_kg: f64,
    /// Centre of mass in the object's coordinates, m.
    pub centre_m: [f64; 3],
    /// Inertia tensor about the centre of mass, along the object's axes, kg m².
    pub inertia_kg_m2: [[f64; 3]; 3],
}

/// Zeroth, first and second moments about a point.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    zeroth: f64,
    first: DVec3,
    second: [DVec3; 3],
}

impl Moments {
    /// Adds a simplex; its centre lies at s / `corners`.
    fn add(&mut self, measure: f64, [a, b, c]: [DVec3; 3], corners: f64, spread: f64) {
        let s = a + b + c;
        self.zeroth += measure;
        self.first += measure * s / corners;
        for i in 0..3 {
            self.second[i] += measure * (s[i] * s + a[i] * a + b[i] * b + c[i] * c) / spread;
        }
    }

    /// Returns the mass properties; `density` is mass per measure, `origin` the moments' point.
    fn mass_properties(&self, density: f64, origin: DVec3) -> MassProperties {
        let centre = self.first / self.zeroth;
        let c = [0, 1, 2].map(|i| density * (self.second[i] - self.zeroth * centre[i] * centre));
        let trace = c[0].x + c[1].y + c[2].z;
        let mut inertia_kg_m2 = c.map(|row| (-row).to_array());
        (0..3).for_each(|i| inertia_kg_m2[i][i] = trace - c[i][i]);
        let centre_m = (origin + centre).to_array();
        MassProperties { mass_kg: density * self.zeroth, centre_m, inertia_kg_m2 }
    }
}

/// Returns the mean of points. Moments about it keep their digits far from the origin.
fn mean(points: &[[f64; 3]]) -> DVec3 {
    points.iter().map(|&p| DVec3::from(p)).sum::<DVec3>() / points.len().max(1) as f64
}

impl MassProperties {
    /// Returns those of the volume of a closed mesh; density in kg/m³.
    #[cfg(feature = "readers")]
    pub fn of_solid(mesh: &Mesh, density: f64) -> Self {
        let from = mean(&mesh.vertices);
        let mut moments = Moments::default();
        for t in 0..mesh.triangles.len() {
            let corners = mesh.corners(t).map(|p| p - from);
            let volume = corners[0].dot(corners[1].cross(corners[2])) / 6.0;
            moments.add(volume, corners, 4.0, 20.0);
        }
        moments.mass_properties(density, from)
    }

    /// Returns those of a sheet; density in kg/m².
    pub fn of_sheet(vertices: &[[f64; 3]], triangles: &[[u32; 3]], area_density: f64) -> Self {
        let from = mean(vertices);
        let mut moments = Moments::default();
        for t in triangles {
            let corners = t.map(|v| DVec3::from(vertices[v as usize]) - from);
            moments.add(0.5 * area_vector(corners).length(), corners, 3.0, 12.0);
        }
        moments.mass_properties(area_density, from)
    }

    /// Returns those of points of equal mass.
    pub fn of_points(points: &[[f64; 3]], mass_kg: f64) -> Self {
        let from = mean(points);
        let mut moments = Moments::default();
        for p in points {
            let p = DVec3::from(*p) - from;
            moments.zeroth += 1.0;
            moments.first += p;
            (0..3).for_each(|i| moments.second[i] += p[i] * p);
        }
        moments.mass_properties(mass_kg / points.len().max(1) as f64, from)
    }

    /// Returns those of a body centred on the origin with these moments about x, y and z.
    pub fn centred(mass_kg: f64, [x, y, z]: [f64; 3]) -> Self {
        let inertia_kg_m2 = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
        Self { mass_kg, centre_m: [0.0; 3], inertia_kg_m2 }
    }

    /// Returns those of a box: m/12 (b² + c²) about each axis.
    pub fn cuboid(mass_kg: f64, [x, y, z]: [f64; 3]) -> Self {
        let about = |b: f64, c: f64| mass_kg / 12.0 * (b * b + c * c);
        Self::centred(mass_kg, [about(y, z), about(z, x), about(x, y)])
    }

    /// Returns those of a cylinder along an axis: m r²/2 about it, m (3 r² + l²)/12 across.
    pub fn cylinder(mass_kg: f64, length: f64, radius: f64, axis: usize) -> Self {
        let mut about = [mass_kg * (3.0 * radius * radius + length * length) / 12.0; 3];
        about[axis] = 0.5 * mass_kg * radius * radius;
        Self::centred(mass_kg, about)
    }

    /// Returns those of a torus about z: m (R² + ¾ r²) about it, m (R²/2 + ⅝ r²) across.
    pub fn torus(mass_kg: f64, radius_m: f64, tube_m: f64) -> Self {
        let (big, small) = (radius_m * radius_m, tube_m * tube_m);
        let across = mass_kg * (0.5 * big + 0.625 * small);
        Self::centred(mass_kg, [across, across, mass_kg * (big + 0.75 * small)])
    }

    /// Changes the mass of the same body.
    pub fn with_mass(mut self, mass_kg: f64) -> Self {
        let factor = mass_kg / self.mass_kg;
        self.inertia_kg_m2 = self.inertia_kg_m2.map(|row| row.map(|x| x * factor));
        Self { mass_kg, ..self }
    }

    /// Scales all lengths: the mass by size³, the inertia by size⁵.
    pub fn scaled(self, size: f64) -> Self {
        Self {
            mass_kg: self.mass_kg * size.powi(3),
            centre_m: self.centre_m.map(|x| x * size),
            inertia_kg_m2: self.inertia_kg_m2.map(|row| row.map(|x| x * size.powi(5))),
        }
    }

    /// Returns the principal moments of inertia, kg m², and the rotation from the principal axes to the
    /// object's axes (unit quaternion x, y, z, w), by Jacobi's method.
    pub fn principal(&self) -> ([f64; 3], [f64; 4]) {
        let mut a = self.inertia_kg_m2;
        let mut axes = DMat3::IDENTITY;
        // Converges quadratically: six sweeps reach rounding.
        for _ in 0..MAX_SWEEPS {
            let off = a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
            if !(off > f64::EPSILON * (a[0][0] + a[1][1] + a[2][2]).abs()) {
                break;
            }
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                rotate(&mut a, &mut axes, p, q);
            }
        }
        ([a[0][0], a[1][1], a[2][2]], DQuat::from_mat3(&axes).normalize().to_array())
    }

    /// Returns whether a body can have them: a positive mass, and principal moments of which none is
    /// negative, two are positive and each is at most the sum of the other two.
    pub fn is_possible(&self) -> bool {
        let all = self.centre_m.iter().chain(self.inertia_kg_m2.as_flattened());
        if !(self.mass_kg > 0.0 && self.mass_kg.is_finite() && all.clone().all(|x| x.is_finite())) {
            return false;
        }
        let mut moments = self.principal().0;
        moments.sort_by(f64::total_cmp);
        let [least, middle, most] = moments;
        let rounding = 1e-6 * most;
        middle > 0.0 && least >= -rounding && most <= least + middle + rounding
    }

    /// Raises each moment of inertia to that of a rod a fiftieth as thick as long: a body as thin as
    /// a line would have none about its axis.
    pub fn with_min_inertia(mut self, size_m: f64) -> Self {
        let min = self.mass_kg * (0.01 * size_m).powi(2);
        (0..3).for_each(|i| self.inertia_kg_m2[i][i] = self.inertia_kg_m2[i][i].max(min));
        self
    }
}

/// Most sweeps of Jacobi's method over the three pairs of axes.
const MAX_SWEEPS: usize = 16;

/// Rotates axes p and q so that the product of inertia between them vanishes.
fn rotate(a: &mut [[f64; 3]; 3], axes: &mut DMat3, p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let c = t.hypot(1.0).recip();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (row_p, row_q) = (a[p], a[q]);
    a[p] = std::array::from_fn(|k| c * row_p[k] - s * row_q[k]);
    a[q] = std::array::from_fn(|k| s * row_p[k] + c * row_q[k]);
    let (x, y) = (axes.col(p), axes.col(q));
    *axes.col_mut(p) = c * x - s * y;
    *axes.col_mut(q) = s * x + c * y;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_moments_of_a_turned_body_are_its_own() {
        let moments = DVec3::new(1e-9, 3.0, 3.0);
        for turn in [
            DQuat::IDENTITY,
            DQuat::from_rotation_z(0.3),
            DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0),
        ] {
            let turn = DMat3::from_quat(turn);
            let tensor = turn * DMat3::from_diagonal(moments) * turn.transpose();
            let body = MassProperties {
                mass_kg: 1.0,
                centre_m: [0.0; 3],
                inertia_kg_m2: tensor.transpose().to_cols_array_2d(),
            };
            let (mut found, rotation) = body.principal();
            let axes = DMat3::from_quat(DQuat::from_array(rotation));
            let again = axes * DMat3::from_diagonal(found.into()) * axes.transpose();
            assert!((again - tensor).to_cols_array().iter().all(|x| x.abs() < 1e-14), "{again}");
            found.sort_by(f64::total_cmp);
            assert!((DVec3::from(found) - moments).abs().max_element() < 1e-14, "{found:?}");
        }
    }

    #[test]
    fn a_closed_sheet_has_two_thirds_and_a_solid_two_fifths_of_m_r2() {
        // A ball of triangles between 64 meridians and 32 parallels.
        use std::f64::consts::PI;
        let (around, down) = (64_u32, 32_u32);
        let mut points = vec![[0.0, 0.0, 1.0]];
        for i in 1..down {
            let polar = PI * f64::from(i) / f64::from(down);
            for j in 0..around {
                let azimuth = 2.0 * PI * f64::from(j) / f64::from(around);
                let (s, z) = polar.sin_cos();
                points.push([s * azimuth.cos(), s * azimuth.sin(), z]);
            }
        }
        points.push([0.0, 0.0, -1.0]);
        let at = |i: u32, j: u32| 1 + (i - 1) * around + j % around;
        let last = points.len() as u32 - 1;
        let mut triangles = Vec::new();
        for j in 0..around {
            triangles.push([0, at(1, j), at(1, j + 1)]);
            triangles.push([last, at(down - 1, j + 1), at(down - 1, j)]);
            for i in 1..down - 1 {
                triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
        let mut cases = vec![(MassProperties::of_sheet(&points, &triangles, 1.0), 2.0 / 3.0)];
        #[cfg(feature = "readers")]
        cases.push((MassProperties::of_solid(&Mesh::new(points, triangles), 1.0), 0.4));
        for (body, share) in cases {
            for k in 0..3 {
                let found = body.inertia_kg_m2[k][k] / body.mass_kg;
                // A polyhedron lies inside its ball, by 0.24 % of the radius at most.
                assert!((found / share - 1.0).abs() < 5e-3, "{found} of {share}");
            }
        }
    }
}

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
use glam::DVec3;

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

    /// Raises each moment of inertia to that of a rod a fiftieth as thick as long: a body as thin as
    /// a line would have none about its axis.
    pub fn with_min_inertia(mut self, size_m: f64) -> Self {
        let min = self.mass_kg * (0.01 * size_m).powi(2);
        (0..3).for_each(|i| self.inertia_kg_m2[i][i] = self.inertia_kg_m2[i][i].max(min));
        self
    }
}

//! MassProperties, centre and inertia.
//!
//! Of a closed mesh by the divergence theorem, as a sum over the tetrahedra between its triangles
//! and one point. With a, b, c for the corners seen from that point and V = a·(b × c)/6, a
//! tetrahedron has the second moments `∫ x xᵀ dV = V/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)`, with
//! s = a + b + c; a triangle of area A has `A/12 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)`. The inertia about
//! the centre is `I = tr(C) 1 − C`, with C the second moments there.

use foley_geometry::mesh::Mesh;

type V = [f64; 3];
type Matrix = [V; 3];

/// How heavy something is, where its centre of mass lies, and how hard it is to turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// kg.
    pub mass_kg: f64,
    /// In the object's own coordinates, m.
    pub centre_m: V,
    /// About the centre, along the object's own axes, kg m².
    pub inertia_kg_m2: Matrix,
}

fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Zeroth, first and second moments about a point.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    zeroth: f64,
    first: V,
    second: Matrix,
}

impl Moments {
    /// Adds a simplex of this measure; its centre lies at s / `corners`.
    fn add(&mut self, measure: f64, [a, b, c]: [V; 3], corners: f64, spread: f64) {
        let s = [0, 1, 2].map(|i| a[i] + b[i] + c[i]);
        self.zeroth += measure;
        for i in 0..3 {
            self.first[i] += measure * s[i] / corners;
            for j in 0..3 {
                let sum = s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                self.second[i][j] += measure * sum / spread;
            }
        }
    }

    /// With so many kilograms for each unit of measure, seen from `origin`.
    fn mass(&self, density: f64, origin: V) -> MassProperties {
        let centre = self.first.map(|m| m / self.zeroth);
        let c = |i: usize, j: usize| {
            density * (self.second[i][j] - self.zeroth * centre[i] * centre[j])
        };
        let trace = c(0, 0) + c(1, 1) + c(2, 2);
        MassProperties {
            mass_kg: density * self.zeroth,
            centre_m: [0, 1, 2].map(|i| origin[i] + centre[i]),
            inertia_kg_m2: [0, 1, 2]
                .map(|i| [0, 1, 2].map(|j| if i == j { trace - c(i, i) } else { -c(i, j) })),
        }
    }
}

/// A point amid the vertices: far from the origin no digits are lost.
fn middle(points: &[V]) -> V {
    let n = points.len().max(1) as f64;
    [0, 1, 2].map(|i| points.iter().map(|p| p[i]).sum::<f64>() / n)
}

impl MassProperties {
    /// Of what a closed mesh encloses; kg/m³.
    pub fn of_solid(mesh: &Mesh, density: f64) -> Self {
        let from = middle(&mesh.vertices);
        let mut moments = Moments::default();
        for t in 0..mesh.triangles.len() {
            let corners = mesh.corners(t).map(|p| sub(p, from));
            let volume = dot(corners[0], cross(corners[1], corners[2])) / 6.0;
            moments.add(volume, corners, 4.0, 20.0);
        }
        moments.mass(density, from)
    }

    /// Of the sheet that a mesh is; kg/m².
    pub fn of_sheet(vertices: &[V], triangles: &[[u32; 3]], area_density: f64) -> Self {
        let from = middle(vertices);
        let mut moments = Moments::default();
        for t in triangles {
            let [a, b, c] = t.map(|v| sub(vertices[v as usize], from));
            let across = cross(sub(b, a), sub(c, a));
            moments.add(0.5 * dot(across, across).sqrt(), [a, b, c], 3.0, 12.0);
        }
        moments.mass(area_density, from)
    }

    /// Of points that share a mass equally.
    pub fn of_points(points: &[V], mass_kg: f64) -> Self {
        let from = middle(points);
        let mut moments = Moments::default();
        for p in points {
            let p = sub(*p, from);
            moments.zeroth += 1.0;
            for i in 0..3 {
                moments.first[i] += p[i];
                (0..3).for_each(|j| moments.second[i][j] += p[i] * p[j]);
            }
        }
        moments.mass(mass_kg / points.len().max(1) as f64, from)
    }

    /// Centred on the origin, with these moments about x, y and z.
    pub(super) fn symmetric(mass_kg: f64, [x, y, z]: V) -> Self {
        let inertia_kg_m2 = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
        Self { mass_kg, centre_m: [0.0; 3], inertia_kg_m2 }
    }

    /// A box: m/12 (b² + c²) about each axis.
    pub(super) fn cuboid(mass_kg: f64, [x, y, z]: V) -> Self {
        let about = |b: f64, c: f64| mass_kg / 12.0 * (b * b + c * c);
        Self::symmetric(mass_kg, [about(y, z), about(z, x), about(x, y)])
    }

    /// A cylinder along an axis: m r²/2 about it, m (3 r² + l²)/12 across.
    pub(super) fn cylinder(mass_kg: f64, length: f64, radius: f64, axis: usize) -> Self {
        let mut about = [mass_kg * (3.0 * radius * radius + length * length) / 12.0; 3];
        about[axis] = 0.5 * mass_kg * radius * radius;
        Self::symmetric(mass_kg, about)
    }

    /// The same form with another mass.
    pub(super) fn with_mass(mut self, mass_kg: f64) -> Self {
        let factor = mass_kg / self.mass_kg;
        self.inertia_kg_m2 = self.inertia_kg_m2.map(|row| row.map(|x| x * factor));
        Self { mass_kg, ..self }
    }

    /// Every length times `size`: mass grows with its cube, inertia with its fifth power.
    pub(super) fn scaled(self, size: f64) -> Self {
        Self {
            mass_kg: self.mass_kg * size.powi(3),
            centre_m: self.centre_m.map(|x| x * size),
            inertia_kg_m2: self.inertia_kg_m2.map(|row| row.map(|x| x * size.powi(5))),
        }
    }

    /// No axis may be free: what is as thin as a line is taken for a rod a fiftieth as thick as
    /// it is long.
    pub(super) fn never_free(mut self, size_m: f64) -> Self {
        let least = self.mass_kg * (0.01 * size_m).powi(2);
        (0..3).for_each(|i| self.inertia_kg_m2[i][i] = self.inertia_kg_m2[i][i].max(least));
        self
    }
}

//! A body made discrete, and the way back to metres and kilograms.

use super::Elastic;
use foley_eigen::{EigenError, Problem};

/// Natural units: a length, E = 1, ρ = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// The length that counts as one, m.
    pub length_m: f64,
    /// √(E/ρ), m/s.
    pub speed: f64,
    /// ρ, kg/m³.
    pub density: f64,
}

impl Units {
    /// The units of a body.
    pub fn new(length_m: f64, elastic: &Elastic) -> Self {
        let speed = (elastic.young_pa / elastic.density).sqrt();
        Self { length_m, speed, density: elastic.density }
    }

    /// ω in rad/s of an ω in natural units.
    pub fn omega(&self) -> f64 {
        self.speed / self.length_m
    }

    /// A mass-normalised displacement in 1/√kg of one in natural units.
    pub fn shape(&self) -> f64 {
        (self.density * self.length_m.powi(3)).sqrt().recip()
    }

    /// Kilograms of a mass in natural units.
    pub fn mass(&self) -> f64 {
        self.density * self.length_m.powi(3)
    }
}

/// K and M of a body, in natural units, and how its surface moves with the unknowns.
#[derive(Debug, Clone)]
pub struct Discrete {
    /// K u = ω² M u.
    pub problem: Problem,
    /// What the numbers mean.
    pub units: Units,
    /// The motion of the surface.
    pub reading: Reading,
    /// How the points of a shell turn; `None` where points do not.
    pub turning: Option<Reading>,
    /// kg.
    pub mass_kg: f64,
    /// What its owner should know, in sentences.
    pub notes: Vec<String>,
}

impl Discrete {
    /// The displacement (x, y, z) of every surface point under a solution vector, in the
    /// vector's own units, point after point.
    pub fn displacements(&self, vector: &[f64]) -> Vec<[f64; 3]> {
        self.reading.displacements(vector)
    }
}

/// A sparse linear map from unknowns to displacements of points.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    starts: Vec<u32>,
    unknowns: Vec<u32>,
    weights: Vec<f64>,
}

impl Reading {
    /// An empty map, to be filled coordinate by coordinate: x, y, z of the first point,
    /// x, y, z of the second, …
    pub fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// Adds the next coordinate as a weighted sum of unknowns.
    pub fn push(&mut self, terms: impl IntoIterator<Item = (u32, f64)>) {
        for (unknown, weight) in terms {
            self.unknowns.push(unknown);
            self.weights.push(weight);
        }
        self.starts.push(self.unknowns.len() as u32);
    }

    /// How many points.
    pub fn points(&self) -> usize {
        (self.starts.len() - 1) / 3
    }

    /// The displacement of every point under a solution vector.
    pub fn displacements(&self, vector: &[f64]) -> Vec<[f64; 3]> {
        let coordinate = |i: usize| -> f64 {
            let terms = self.starts[i] as usize..self.starts[i + 1] as usize;
            terms.map(|p| self.weights[p] * vector[self.unknowns[p] as usize]).sum()
        };
        (0..self.points()).map(|k| [0, 1, 2].map(|a| coordinate(3 * k + a))).collect()
    }
}

/// Entries of element matrices, lower triangle, unknowns renumbered; those that are held
/// do not appear.
pub(super) fn scatter<const N: usize>(
    into: &mut Vec<(usize, usize, f64)>,
    element: &[[f64; N]; N],
    unknowns: [Option<u32>; N],
) {
    for i in 0..N {
        for j in 0..=i {
            if let (Some(a), Some(b)) = (unknowns[i], unknowns[j]) {
                let (row, column) = (a.max(b) as usize, a.min(b) as usize);
                into.push((row, column, element[i][j]));
            }
        }
    }
}

/// Symmetric matrices as the eigensolver takes them.
pub(super) fn problem(
    unknowns: usize,
    stiffness: Vec<(usize, usize, f64)>,
    mass: Vec<(usize, usize, f64)>,
    places: Vec<[f64; 3]>,
) -> Result<Problem, EigenError> {
    use foley_eigen::{Matrix, Triangles::Lower};
    let stiffness = Matrix::from_triplets("stiffness", unknowns, Lower, stiffness)?;
    let mass = Matrix::from_triplets("mass", unknowns, Lower, mass)?;
    Problem::new(stiffness, mass)?.with_coordinates(places)
}

//! A discretised body: its matrices, units and displacement maps.

use super::Elastic;
use super::watch::{self, Watch};
use foley_eigen::{EigenError, Problem};

/// Natural units: a length, E = 1, ρ = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// Unit of length, m.
    pub length_m: f64,
    /// √(E/ρ), m/s.
    pub speed: f64,
    /// ρ, kg/m³.
    pub density: f64,
}

impl Units {
    /// Creates the natural units of a body.
    pub fn new(length_m: f64, elastic: &Elastic) -> Self {
        let speed = (elastic.young_pa / elastic.density).sqrt();
        Self { length_m, speed, density: elastic.density }
    }

    /// Returns the unit of ω, rad/s.
    pub fn omega(&self) -> f64 {
        self.speed / self.length_m
    }

    /// Returns the unit of mass-normalised displacements, 1/√kg.
    pub fn shape(&self) -> f64 {
        (self.density * self.length_m.powi(3)).sqrt().recip()
    }

    /// Returns the unit of mass, kg.
    pub fn mass(&self) -> f64 {
        self.density * self.length_m.powi(3)
    }
}

/// K and M of a body in natural units, and the maps from unknowns to its surface.
#[derive(Debug, Clone)]
pub struct Discretisation {
    /// The eigenproblem K u = ω² M u.
    pub problem: Problem,
    /// Units of the matrices.
    pub units: Units,
    /// Displacements of the surface points.
    pub displacement: DisplacementMap,
    /// Rotations of the surface points of a shell; `None` without rotational unknowns.
    pub rotation: Option<DisplacementMap>,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Notes for the user, in sentences.
    pub notes: Vec<String>,
}

impl Discretisation {
    /// Returns the displacement (x, y, z) of each surface point for a solution vector, in the
    /// units of the vector.
    pub fn displacements(&self, vector: &[f64]) -> Vec<[f64; 3]> {
        self.displacement.displacements(vector)
    }
}

/// A sparse linear map from unknowns to displacements of points.
#[derive(Debug, Clone, Default)]
pub struct DisplacementMap {
    starts: Vec<u32>,
    unknowns: Vec<u32>,
    weights: Vec<f64>,
}

impl DisplacementMap {
    /// Creates an empty map, to be filled coordinate by coordinate: x, y, z of the first
    /// point, x, y, z of the second, …
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

    /// Returns the number of points.
    pub fn points(&self) -> usize {
        (self.starts.len() - 1) / 3
    }

    /// Returns the displacement of each point for a solution vector.
    pub fn displacements(&self, vector: &[f64]) -> Vec<[f64; 3]> {
        let coordinate = |i: usize| -> f64 {
            let terms = self.starts[i] as usize..self.starts[i + 1] as usize;
            terms.map(|p| self.weights[p] * vector[self.unknowns[p] as usize]).sum()
        };
        (0..self.points()).map(|k| [0, 1, 2].map(|a| coordinate(3 * k + a))).collect()
    }
}

/// Scatters an element matrix into the entries of the global lower triangle. Fixed unknowns
/// are `None`.
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

/// Builds the eigenproblem from entries of the lower triangles.
pub(super) fn problem(
    unknowns: usize,
    stiffness: Vec<(usize, usize, f64)>,
    mass: Vec<(usize, usize, f64)>,
    coordinates: Vec<[f64; 3]>,
    watch: &mut Watch<'_>,
) -> Result<Problem, EigenError> {
    let stiffness = (stiffness.len(), stiffness);
    let stiffness = watch::matrix("stiffness", unknowns, stiffness, [0.3, 0.8], watch)?;
    let mass = watch::matrix("mass", unknowns, (mass.len(), mass), [0.8, 1.0], watch)?;
    Problem::new(stiffness, mass)?.with_coordinates(coordinates)
}

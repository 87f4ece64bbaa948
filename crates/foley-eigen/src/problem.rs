//! The generalised eigenproblem K u = ω² M u.

use crate::{EigenError, Matrix};

/// Stiffness K (positive semi-definite) and mass M (positive definite) of an object.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(crate) stiffness: Matrix,
    pub(crate) mass: Matrix,
    pub(crate) coordinates: Option<Vec<[f64; 3]>>,
}

impl Problem {
    /// Creates a problem from its two matrices.
    pub fn new(stiffness: Matrix, mass: Matrix) -> Result<Self, EigenError> {
        let (expected, found) = (stiffness.unknowns(), mass.unknowns());
        if expected != found {
            return Err(EigenError::Size { what: "the mass matrix", expected, found });
        }
        if mass.diagonal().iter().any(|m| !(*m > 0.0)) {
            return Err(EigenError::MassNotDefinite);
        }
        if stiffness.diagonal().iter().any(|k| *k < 0.0) {
            return Err(EigenError::StiffnessNegative);
        }
        Ok(Self { stiffness, mass, coordinates: None })
    }

    /// Sets the position of each unknown, so that nested dissection can bisect space. The
    /// factorisation is then twice as fast as with an order found from the pattern alone.
    /// The unknowns of a node share its position.
    pub fn with_coordinates(mut self, coordinates: Vec<[f64; 3]>) -> Result<Self, EigenError> {
        let (expected, found) = (self.unknowns(), coordinates.len());
        if expected != found {
            return Err(EigenError::Size { what: "the list of coordinates", expected, found });
        }
        if let Some(row) = coordinates.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
            return Err(EigenError::NotFinite { matrix: "coordinates", row, column: 0 });
        }
        self.coordinates = Some(coordinates);
        Ok(self)
    }

    /// Returns K.
    pub fn stiffness(&self) -> &Matrix {
        &self.stiffness
    }

    /// Returns M.
    pub fn mass(&self) -> &Matrix {
        &self.mass
    }

    /// Returns the number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.stiffness.unknowns()
    }
}

//! The problem K u = ω² M u.

use super::{EigenError, Matrix};

/// Stiffness K, positive semi-definite, and mass M, positive definite, of an object.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(super) stiffness: Matrix,
    pub(super) mass: Matrix,
    pub(super) places: Option<Vec<[f64; 3]>>,
}

impl Problem {
    /// Puts the two matrices together.
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
        Ok(Self { stiffness, mass, places: None })
    }

    /// Tells where each unknown lies, so that the elimination can cut space in halves:
    /// twice as fast as an order found from the pattern alone. Unknowns of one node
    /// share a place.
    pub fn with_places(mut self, places: Vec<[f64; 3]>) -> Result<Self, EigenError> {
        let (expected, found) = (self.unknowns(), places.len());
        if expected != found {
            return Err(EigenError::Size { what: "the list of places", expected, found });
        }
        if let Some(row) = places.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
            return Err(EigenError::NotFinite { matrix: "places", row, column: 0 });
        }
        self.places = Some(places);
        Ok(self)
    }

    /// K.
    pub fn stiffness(&self) -> &Matrix {
        &self.stiffness
    }

    /// M.
    pub fn mass(&self) -> &Matrix {
        &self.mass
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.stiffness.unknowns()
    }
}

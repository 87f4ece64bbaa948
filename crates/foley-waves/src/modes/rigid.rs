//! Acceleration noise: far fields of a body that is accelerated as a whole.
//!
//! J. N. Chadwick, C. Zheng, D. L. James, *Precomputed acceleration noise for improved rigid-body
//! sound*, SIGGRAPH 2012: a contact that changes a body's velocity makes a pulse of pressure, the
//! field of its six rigid motions. For small hard bodies it is all one hears.

use super::{CoarseMesh, Options, cost};
use crate::WavesError;
use crate::exterior::Exterior;
use crate::far_field::{FarField, SphereGrid};
use crate::surface::Surface;
use crate::velocity::NormalVelocity;
use foley_geometry::constants::SOUND_SPEED_M_S;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// Far fields of a unit acceleration at one frequency.
#[derive(Debug, Clone)]
pub struct RigidRadiation {
    /// Frequency, Hz.
    pub frequency_hz: f64,
    /// Far fields at unit peak acceleration, 1 m/s² along x, y, z, then 1 rad/s² about them.
    pub far_fields: Vec<FarField>,
}

/// Elements per wavelength.
const PER_WAVELENGTH: f64 = 6.0;
/// Elements along the radius, also where waves are longer.
const PER_RADIUS: f64 = 7.0;

/// Returns the far fields of a body's rigid motions about `pivot`, its centre of mass, at
/// frequencies in ascending order. Frequencies beyond the budget or the unknowns are left out of
/// the answer, highest first.
pub fn radiate_rigid_body(
    surface: &Surface,
    pivot: [f64; 3],
    frequencies_hz: &[f64],
    options: &mut Options<'_>,
) -> Result<Vec<RigidRadiation>, WavesError> {
    let motions = NormalVelocity::rigid_body(surface, pivot);
    let velocities: Vec<&NormalVelocity> = motions.iter().collect();
    let mut answers = Vec::new();
    let mut spent_s = 0.0;
    for (i, &frequency_hz) in frequencies_hz.iter().enumerate() {
        if !(frequency_hz > 0.0 && frequency_hz < 1e7) {
            return Err(WavesError::NotPositive { what: "frequency", value: frequency_hz });
        }
        let omega = TAU * frequency_hz;
        let k = omega / SOUND_SPEED_M_S;
        let edge_m = (TAU / (PER_WAVELENGTH * k)).min(surface.radius / PER_RADIUS);
        let unknowns = cost::unknowns(surface.area_m2(), edge_m);
        let grid = SphereGrid::for_source(k * surface.radius);
        spent_s += cost::solve_s(unknowns, surface.is_closed(), 6.0, grid.len() as f64);
        if spent_s > options.budget_s || unknowns > 0.95 * options.max_unknowns as f64 {
            break;
        }
        let mesh = CoarseMesh::new(surface, edge_m, options.max_unknowns)?;
        let limit = options.max_unknowns;
        let count = frequencies_hz.len() as f64;
        let exterior = Exterior::with_progress(&mesh.surface, k, limit, &mut |done| {
            options.report((i as f64 + done) / count)
        })?;
        let densities = exterior.solve_loads(&mesh.transfer.loads(&velocities))?;
        let mut far_fields = exterior.far_fields_about(surface.center, &densities, &grid);
        // e^{−iωt}: the velocity of a unit acceleration is i/ω.
        let per_acceleration = Complex64::new(0.0, 1.0 / omega);
        for c in far_fields.iter_mut().flat_map(|field| &mut field.coefficients) {
            *c *= per_acceleration;
        }
        let degree = options.max_degree;
        let far_fields = far_fields.into_iter().map(|field| field.truncated(degree)).collect();
        answers.push(RigidRadiation { frequency_hz, far_fields });
    }
    Ok(answers)
}

//! Damped frequencies, decays and radiated gains of the modes on the surface.

use super::solve::Solved;
use super::{BakeError, DecayLaw, Options};
use crate::radiation;
use foley_geometry::mesh::{Measures, Mesh};
use foley_geometry::vector::{area_vector, unit_or_zero};
use glam::Vec3;
use std::f64::consts::{PI, TAU};

/// Modes within the band, with their gains.
#[derive(Default)]
pub(super) struct AudibleModes {
    pub(super) frequencies_hz: Vec<f64>,
    pub(super) decays: Vec<f64>,
    /// p_n, Pa at 1 m for unit modal velocity.
    pub(super) pressures_pa: Vec<f32>,
    /// p_n without the limit of the mode's losses.
    pub(super) free_pressures_pa: Vec<f64>,
    /// Share of each mode's energy that heat flow damps; see `decay.rs`.
    pub(super) thermoelastic_shares: Vec<f64>,
    /// Gains of each mode at all surface points, Pa at 1 m per N·s.
    pub(super) gains: Vec<Vec<[f32; 3]>>,
}

/// Returns the radius a of the equivalent source, m: a disc with the area of a sheet, or a sphere
/// with the surface of a body.
pub(super) fn radiator(facts: &Measures, sheet: bool) -> f64 {
    match (sheet, facts.closed) {
        (true, false) => (facts.area_m2 / PI).sqrt(),
        (true, true) => (0.5 * facts.area_m2 / PI).sqrt(),
        (false, _) => (0.25 * facts.area_m2 / PI).sqrt(),
    }
}

/// Applies damping, drops modes outside the band and overdamped ones, and multiplies mode shapes
/// by their radiated pressure. `sides` is the number of faces of each triangle that radiate.
pub(super) fn audible_modes(
    solved: &Solved,
    law: DecayLaw,
    radiator_m: f64,
    sides: f64,
    options: &Options<'_>,
) -> Result<AudibleModes, BakeError> {
    let mut modes = AudibleModes::default();
    let shares = &solved.thermoelastic_shares;
    for ((omega, shape), share) in solved.omegas.iter().zip(&solved.shapes).zip(shares) {
        let Some(f) = law.damped_hz(*omega, *share) else { continue };
        if !(options.min_hz..=options.max_hz).contains(&f)
            || modes.frequencies_hz.len() == options.max_modes
        {
            continue;
        }
        let square = sides * normal_square(&solved.surface, shape);
        let decay = law.decay(*omega, *share);
        let free = radiation::free_pressure(f, radiator_m, square);
        let p = free.min(radiation::most_pressure(decay));
        modes.frequencies_hz.push(f);
        modes.decays.push(decay);
        modes.pressures_pa.push(p as f32);
        modes.free_pressures_pa.push(free);
        modes.thermoelastic_shares.push(*share);
        modes.gains.push(shape.iter().map(|u| u.map(|x| (f64::from(x) * p) as f32)).collect());
    }
    match modes.frequencies_hz.is_empty() {
        false => Ok(modes),
        true => Err(BakeError::Silent {
            min_hz: options.min_hz,
            max_hz: options.max_hz,
            lowest: match solved.omegas.first() {
                Some(omega) if law.damped_hz(*omega, shares[0]).is_none() => {
                    format!("{:.1} Hz, but is overdamped", omega / TAU)
                }
                Some(omega) => format!("{:.1} Hz", omega / TAU),
                None => format!("more than {:.0} Hz", options.max_hz),
            },
        }),
    }
}

/// ∫ (u·n)² dA with u linear over each triangle: A/6 (Σ q_i² + Σ_{i<j} q_i q_j).
fn normal_square(surface: &Mesh, shape: &[[f32; 3]]) -> f64 {
    let each = |t: usize| {
        let vector = area_vector(surface.corners(t));
        let n = unit_or_zero(vector);
        let q = surface.triangles[t].map(|v| Vec3::from(shape[v as usize]).as_dvec3().dot(n));
        let products =
            q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[0] * q[1] + q[1] * q[2] + q[2] * q[0];
        0.5 * vector.length() * products / 6.0
    };
    (0..surface.triangles.len()).map(each).sum()
}

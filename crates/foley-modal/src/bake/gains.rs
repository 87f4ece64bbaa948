//! Damped frequencies, decays and radiated gains of the modes on the surface.

use super::solve::Solved;
use super::{BakeError, DecayLaw, Options, Stage};
use crate::radiation::directivity::in_bands;
use crate::radiation::{self, Powers, RadiatingSurface};
use foley_dsp::model::Directivity;
use std::f64::consts::TAU;

/// Modes within the band, with their gains.
#[derive(Default)]
pub(super) struct AudibleModes {
    pub(super) frequencies_hz: Vec<f64>,
    /// By all losses.
    pub(super) decays: Vec<f64>,
    /// By radiation alone.
    pub(super) radiation_decays: Vec<f64>,
    /// p_n, Pa at 1 m for unit modal velocity.
    pub(super) pressures_pa: Vec<f32>,
    /// Share of each mode's energy that heat flow damps; see `decay.rs`.
    pub(super) thermoelastic_shares: Vec<f64>,
    /// Gains of each mode at all surface points, Pa at 1 m per N·s.
    pub(super) gains: Vec<Vec<[f32; 3]>>,
    /// In which directions they are louder.
    pub(super) directivity: Option<Directivity>,
}

/// Applies the damping of the material, drops modes outside the band and overdamped ones, solves the radiation of the
/// others, which damps them too, and multiplies mode shapes by their radiated pressure. Returns a note on what was
/// approximated.
pub(super) fn audible_modes(
    solved: &Solved,
    law: DecayLaw,
    options: &mut Options<'_>,
) -> Result<(AudibleModes, Option<String>), BakeError> {
    let mut modes = AudibleModes::default();
    let shares = &solved.thermoelastic_shares;
    let mut kept = Vec::new();
    for (n, (omega, share)) in solved.omegas.iter().zip(shares).enumerate() {
        let Some(f) = law.damped_hz(*omega, *share) else { continue };
        if !(options.min_hz..=options.max_hz).contains(&f) || kept.len() == options.max_modes {
            continue;
        }
        kept.push(n);
        modes.frequencies_hz.push(f);
        modes.decays.push(law.decay(*omega, *share));
        modes.thermoelastic_shares.push(*share);
    }
    if kept.is_empty() {
        return Err(silent(solved, law, options));
    }

    options.report(Stage::Radiation, 0.0)?;
    let surface = RadiatingSurface {
        points: &solved.surface.vertices,
        triangles: &solved.surface.triangles,
        frequencies_hz: &modes.frequencies_hz,
        budget_s: options.radiation_budget_s,
    };
    let shape = |n: usize| solved.shapes[kept[n]].iter().map(|u| u.map(f64::from)).collect();
    let powers = surface.powers(&shape, &mut |done| options.report(Stage::Radiation, done).is_ok());
    let Powers { watts, directivities, note } = powers.ok_or(BakeError::Cancelled)?;

    options.report(Stage::Gains, 0.0)?;
    for (n, watts) in watts.into_iter().enumerate() {
        let (decay, p) = radiation::damping_and_pressure(modes.frequencies_hz[n], watts);
        modes.decays[n] += decay;
        modes.radiation_decays.push(decay);
        modes.pressures_pa.push(p as f32);
        let shape = &solved.shapes[kept[n]];
        modes.gains.push(shape.iter().map(|u| u.map(|x| (f64::from(x) * p) as f32)).collect());
    }
    let energy = |(mode, decay): (&Vec<[f32; 3]>, &f64)| {
        let squares: f64 = mode.iter().flatten().map(|a| f64::from(*a).powi(2)).sum();
        squares / decay.max(1e-9)
    };
    let energies: Vec<f64> = modes.gains.iter().zip(&modes.decays).map(energy).collect();
    modes.directivity = in_bands(&modes.frequencies_hz, &directivities, &energies);
    options.report(Stage::Gains, 1.0)?;
    Ok((modes, note))
}

fn silent(solved: &Solved, law: DecayLaw, options: &Options<'_>) -> BakeError {
    let lowest = match solved.omegas.first().zip(solved.thermoelastic_shares.first()) {
        Some((omega, share)) if law.damped_hz(*omega, *share).is_none() => {
            format!("{:.1} Hz, but is overdamped", omega / TAU)
        }
        Some((omega, _)) => format!("{:.1} Hz", omega / TAU),
        None => format!("more than {:.0} Hz", options.max_hz),
    };
    BakeError::Silent { min_hz: options.min_hz, max_hz: options.max_hz, lowest }
}

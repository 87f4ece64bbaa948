//! Interpolation near coincidence, guided by the Rayleigh integral.
//!
//! Close to coincidence the power of a mode changes by decibels within a few per cent of frequency,
//! more than solved frequencies can follow: the lobes of the mode's own spectrum pass the circle of
//! audible wave numbers. The Rayleigh integral over visible triangles has the same lobes and needs
//! no solve. So the *ratio* of the solver to it is interpolated there, which is smooth.

use super::high_frequency::walls;
use super::plan::{Plan, PlannedSolve};
use super::{ModeVelocity, Options, cost};
use crate::WavesError;
use crate::far_field::SphereGrid;
use crate::resolution::resample;
use crate::surface::{Kind, Surface};
use crate::velocity::NormalVelocity;
use foley_geometry::constants::SOUND_SPEED_M_S;
use std::f64::consts::TAU;

/// k/κ of the modes that are guided.
const RATIOS: [f64; 2] = [0.7, 1.3];
/// Least ka: smaller sources have no lobes.
const LEAST_KA: f64 = 6.0;
/// Part of the budget that it may use.
pub(super) const SHARE: f64 = 0.2;

/// Returns for every mode the factor of its interpolated power.
pub(super) fn factors(
    surface: &Surface,
    modes: &[ModeVelocity],
    plan: &Plan,
    options: &mut Options<'_>,
) -> Result<Vec<f64>, WavesError> {
    let mut factors = vec![1.0; modes.len()];
    if surface.kind == Kind::Baffled {
        return Ok(factors);
    }
    let mut left_s = SHARE * options.budget_s;
    // Highest first: they have most lobes.
    for pair in plan.solves.windows(2).rev() {
        let group = group(surface, modes, &pair[0], &pair[1]);
        let Some(kappa) = group.iter().map(|(_, kappa)| *kappa).reduce(f64::max) else { continue };
        let k = TAU * pair[1].frequency_hz / SOUND_SPEED_M_S;
        let edge_m = 1.5 * TAU / (4.0 * kappa.max(k));
        let mut own: Vec<f64> = group.iter().map(|(m, _)| modes[*m].frequency_hz).collect();
        own.sort_by(f64::total_cmp);
        own.dedup();
        let unknowns = cost::unknowns(surface.area_m2(), edge_m);
        let directions = SphereGrid::for_source(k * surface.radius).len() as f64;
        let each_s = cost::far_field_s(2.0 * unknowns, 6.0 * unknowns, 2.0, directions);
        left_s -= each_s * (own.len() + 2) as f64;
        if left_s < 0.0 {
            break;
        }
        let coarse = resample(surface, edge_m)?;
        let powers = |hz: f64, of: &[usize]| -> Vec<f64> {
            let k = TAU * hz / SOUND_SPEED_M_S;
            let grid = SphereGrid::for_source(k * surface.radius);
            let velocities: Vec<&NormalVelocity> = of.iter().map(|&m| &modes[m].velocity).collect();
            let fields = walls(surface, &coarse, k, &grid, &velocities);
            fields.iter().map(|field| field.power_w()).collect()
        };
        let all: Vec<usize> = group.iter().map(|(m, _)| *m).collect();
        let [low, high] = [0, 1].map(|i| powers(pair[i].frequency_hz, &all));
        for hz in own {
            let here: Vec<usize> =
                all.iter().copied().filter(|&m| modes[m].frequency_hz == hz).collect();
            let t = (hz / pair[0].frequency_hz).ln()
                / (pair[1].frequency_hz / pair[0].frequency_hz).ln();
            for (&m, power) in here.iter().zip(powers(hz, &here)) {
                let Some(at) = all.iter().position(|&other| other == m) else { continue };
                let factor = power / (low[at].powf(1.0 - t) * high[at].powf(t));
                if factor.is_finite() && factor > 0.0 {
                    factors[m] = factor;
                }
            }
        }
        if !options.report(0.98) {
            return Err(WavesError::Cancelled);
        }
    }
    Ok(factors)
}

/// Returns the modes between two solved frequencies that are near coincidence, and their κ.
fn group(
    surface: &Surface,
    modes: &[ModeVelocity],
    low: &PlannedSolve,
    high: &PlannedSolve,
) -> Vec<(usize, f64)> {
    let wanted = |(&m, &kappa): (&usize, &f64)| {
        let hz = modes[m].frequency_hz;
        let k = TAU * hz / SOUND_SPEED_M_S;
        let between = hz > low.frequency_hz * 1.005 && hz < high.frequency_hz / 1.005;
        let near = (RATIOS[0]..=RATIOS[1]).contains(&(k / kappa));
        (between && near && k * surface.radius > LEAST_KA && low.modes.contains(&m))
            .then_some((m, kappa))
    };
    high.modes.iter().zip(&high.kappas).filter_map(wanted).collect()
}

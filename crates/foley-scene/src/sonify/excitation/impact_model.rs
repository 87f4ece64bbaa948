//! Impact model: the force pulse of two colliding bodies.
//!
//! The force is that of the solved collision (`foley_dsp::excitation::Collision`): striker, contact and the modes of
//! what is struck. The simulation gives speed and effective mass of two bodies. Their hard impacts
//! become bursts of micro-collisions (\[FA\] 4.1).

use crate::prepare::PreparedObject;
use crate::scene::Strike;
use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use foley_dsp::excitation::{
    Approach, ContactError, DEFAULT_RESTITUTION, HertzPair, Impact, MicroBurst, PATIENCE_S,
    PointMobility, Striker,
};
use foley_dsp::model::{Blow, ModalModel};
use foley_engine::SurfacePoint;
use foley_physics::HailImpact;
use std::f64::consts::{PI, TAU};

use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, ICE};

/// The excitation of a body by one impact.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImpactExcitation {
    pub(crate) impact: Impact,
    /// Energy that the modes of the struck bodies take, J.
    pub(crate) taken_j: f64,
    /// A single pulse, without micro-collisions.
    pub(crate) single: bool,
}

/// Returns the excitation by a hailstone; `None` for an impact too weak to have one.
pub(crate) fn hail_excitation(
    stone: &HailImpact,
    model: &ModalModel,
    gains: &[f32],
) -> Result<Option<ImpactExcitation>, ContactError> {
    let HailImpact { mass_kg, radius_m, speed_m_s, restitution, .. } = *stone;
    let [_, young_pa, poisson] = ICE;
    let striker = Striker { mass_kg, radius_m, young_pa, poisson };
    // A stone rebounds, breaks or slips: it is not followed.
    let blow = model.strike(&striker, gains, speed_m_s, restitution, 0.0)?;
    Ok(blow.map(ImpactExcitation::of_blow))
}

/// Returns the gains of a model where a scripted strike hits it.
pub(crate) fn strike_gains(strike: &Strike, model: &ModalModel) -> Vec<f32> {
    let place = strike.place.unwrap_or_else(|| SurfacePoint::default_of(model)).position(model);
    match strike.direction {
        Some(direction) => model.gains_along(place, direction),
        None => model.gains_at(place),
    }
}

/// Returns the excitation by a scripted strike; `None` without speed.
pub(crate) fn strike_excitation(
    strike: &Strike,
    model: &ModalModel,
    gains: &[f32],
) -> Result<Option<ImpactExcitation>, ContactError> {
    let blow =
        model.strike(&strike.with, gains, strike.speed_m_s, DEFAULT_RESTITUTION, PATIENCE_S)?;
    Ok(blow.map(ImpactExcitation::of_blow))
}

/// Returns the excitation by the collision of two objects; `None` if the parameters describe none. The
/// simulation gives speed and impulse, hence the effective mass m = J / (1 + e) v; what gives way besides it are
/// the modes of both.
pub(crate) fn body_excitation(
    objects: [Option<&PreparedObject>; 2],
    mobilities: [PointMobility; 2],
    impulse_ns: f64,
    speed_m_s: f64,
    restitution: f64,
) -> Result<Option<ImpactExcitation>, ContactError> {
    let mass_kg = impulse_ns / ((1.0 + restitution) * speed_m_s);
    if !(mass_kg > 0.0 && mass_kg.is_finite() && speed_m_s > 0.0) {
        return Ok(None);
    }
    let [Some(a), Some(b)] = objects else { return Ok(None) };
    let [first, second] = mobilities;
    let [first, second] = [first.with_mass(mass_kg), second.with_mass(f64::INFINITY)];
    let approach = Approach {
        pair: HertzPair::of_bodies(&a.contact_body, &b.contact_body)?,
        speed_m_s,
        contact_restitution: restitution,
        bodies: [&first, &second],
        patience_s: PATIENCE_S,
    };
    let Some(collision) = approach.collide()? else { return Ok(None) };
    let taken_j = collision.energy.modes_j;
    let impact = Impact::of_curve(collision.force)?;
    Ok(Some(ImpactExcitation { impact, taken_j, single: false }))
}

impl ImpactExcitation {
    fn of_blow(blow: Blow) -> Self {
        Self { impact: blow.impact, taken_j: blow.energy.modes_j, single: true }
    }

    /// Returns the factor for `gains` that limits the radiated energy to what the modes took.
    /// Modes radiate `(4π/ρc) Σ (g J H)² / 4d` in all directions.
    pub(crate) fn energy_limit_gain(&self, model: &ModalModel, gains: &[f32]) -> f64 {
        let most_j = self.taken_j;
        let to_all_sides = 4.0 * PI / AIR_IMPEDANCE_PA_S_M;
        let modes = ExcitedModes { model, gains, impulse_ns: self.impact.impulse_ns() };
        // |H| ≤ 1 bounds the energy from above: most impacts need no spectrum.
        if to_all_sides * modes.energy(|_| 1.0) <= most_j {
            return 1.0;
        }
        let radiated_j = to_all_sides * modes.energy(|f| self.impact.response(TAU * f).norm());
        if radiated_j > most_j { (most_j / radiated_j).sqrt() } else { 1.0 }
    }

    /// Returns the micro-collisions of the impact on a body with these modes.
    pub(crate) fn burst(&self, model: &ModalModel, seed: u64) -> MicroBurst {
        MicroBurst::new(&self.impact, &model.frequencies_hz, seed)
    }
}

/// Modes after an impulse.
#[derive(Clone, Copy)]
struct ExcitedModes<'a> {
    model: &'a ModalModel,
    gains: &'a [f32],
    impulse_ns: f64,
}

/// Independent partial sums, a fixed number: the result is the same on every machine.
const LANES: usize = 16;

impl ExcitedModes<'_> {
    /// Returns `Σ (g J H)² / 4d`; `spectrum` gives |H| at a frequency in Hz.
    fn energy(self, spectrum: impl Fn(f64) -> f64) -> f64 {
        dispatch!(Level::new(), simd => energy(simd, self, spectrum))
    }
}

#[simd]
fn energy<S: Simd>(_: S, modes: ExcitedModes<'_>, spectrum: impl Fn(f64) -> f64) -> f64 {
    let ExcitedModes { model, gains, impulse_ns } = modes;
    let of = |f: f64, d: f64, gain: f32| {
        let p = f64::from(gain) * impulse_ns * spectrum(f);
        p * p / (4.0 * if d > 1e-3 { d } else { 1e-3 })
    };
    let (f, last_f) = model.frequencies_hz.as_chunks::<LANES>();
    let (d, last_d) = model.decays.as_chunks::<LANES>();
    let (gains, last_gains) = gains.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for ((f, d), gains) in f.iter().zip(d).zip(gains) {
        for l in 0..LANES {
            sums[l] += of(f[l], d[l], gains[l]);
        }
    }
    let last = last_f.iter().zip(last_d).zip(last_gains);
    for (sum, ((f, d), gain)) in sums.iter_mut().zip(last) {
        *sum += of(*f, *d, *gain);
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_dsp::model::ModalParts;

    /// Compares with a loop over the standard functions.
    #[test]
    fn all_modes_radiate_as_each_alone() {
        for modes in [1u32, 16, 21, 240] {
            let f: Vec<f64> = (0..modes).map(|i| 50.0 + 83.0 * f64::from(i)).collect();
            let decays: Vec<f64> = (0..modes).map(|i| 0.7 * f64::from(i)).collect();
            let gains: Vec<f32> = (0..modes).map(|i| 3.0 - (i * 7 % 11) as f32).collect();
            let body = foley_dsp::model::ContactBody {
                mass_kg: 1.0,
                young_pa: 1e9,
                poisson: 0.3,
                radius_m: 1.0,
            };
            let model = ModalModel::new(ModalParts {
                name: "test".into(),
                frequencies_hz: f.clone(),
                decays: decays.clone(),
                points: vec![[0.0; 3]],
                triangles: vec![],
                gains: gains.clone().into(),
                body,
                vibration: None,
            })
            .unwrap();
            let impact = Impact::new(0.4, 3e-4).unwrap();
            let each = |n: usize| {
                let p = f64::from(gains[n]) * 0.4 * impact.spectrum(2.0 * PI * f[n]);
                p * p / (4.0 * decays[n].max(1e-3))
            };
            let radiated_j = 4.0 * PI / AIR_IMPEDANCE_PA_S_M * (0..f.len()).map(each).sum::<f64>();
            for part in [1e-6, 0.5, 0.999, 1.001, 1e3] {
                let impact = impact.clone();
                let excitation =
                    ImpactExcitation { impact, taken_j: part * radiated_j, single: true };
                let (got, want) =
                    (excitation.energy_limit_gain(&model, &gains), part.sqrt().min(1.0));
                assert!((got / want - 1.0).abs() < 1e-12, "{modes} {part}: {got} {want}");
            }
        }
    }
}

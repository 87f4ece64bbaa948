//! Impact model: the force pulse of two colliding bodies.
//!
//! The impulse `J` comes from the simulation. The duration follows from Hertz's theory for the
//! pair, with the effective mass `m = J / (1 + e) v`, so that hardness comes from the materials. Hard
//! impacts become bursts of micro-collisions (\[FA\] 4.1).

use crate::prepare::PreparedObject;
use crate::scene::Strike;
use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use foley_dsp::excitation::{
    ContactError, DEFAULT_RESTITUTION, HertzPair, Impact, MicroBurst, Striker, pulse_spectrum,
};
use foley_dsp::model::{ContactBody, ModalModel};
use foley_physics::HailImpact;
use std::f64::consts::PI;

use foley_geometry::constants::{AIR_IMPEDANCE_PA_S_M, ICE};

/// The excitation of a body by one impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ImpactExcitation {
    pub(crate) impact: Impact,
    /// Energy that the pair loses, J.
    pub(crate) lost_j: f64,
    /// A single pulse, without micro-collisions.
    pub(crate) single: bool,
}

/// Returns the excitation by a hailstone; `None` for an impact too weak to have one. A stone
/// rebounds at metres per second: it is gone before the body has swung back, and strikes once.
pub(crate) fn hail_excitation(
    stone: &HailImpact,
    body: &ContactBody,
) -> Result<Option<ImpactExcitation>, ContactError> {
    let HailImpact { mass_kg, radius_m, speed_m_s, restitution, .. } = *stone;
    let [_, young_pa, poisson] = ICE;
    let striker = Striker { mass_kg, radius_m, young_pa, poisson };
    let pair = HertzPair::new(&striker, body)?;
    let impact = pair.impact(speed_m_s, restitution)?;
    let lost_j = 0.5 * pair.mass_kg() * speed_m_s * speed_m_s * (1.0 - restitution * restitution);
    Ok(impact.map(|impact| ImpactExcitation { impact, lost_j, single: true }))
}

/// Returns the excitation by a scripted strike; `None` without speed.
pub(crate) fn strike_excitation(
    strike: &Strike,
    body: &ContactBody,
) -> Result<Option<ImpactExcitation>, ContactError> {
    let pair = HertzPair::new(&strike.with, body)?;
    let impact = pair.impact(strike.speed_m_s, DEFAULT_RESTITUTION)?;
    let lost_j = 0.5
        * pair.mass_kg()
        * strike.speed_m_s.powi(2)
        * (1.0 - DEFAULT_RESTITUTION * DEFAULT_RESTITUTION);
    Ok(impact.map(|impact| ImpactExcitation { impact, lost_j, single: false }))
}

/// Returns the excitation by the collision of two objects; `None` if the parameters describe none.
pub(crate) fn body_excitation(
    objects: [Option<&PreparedObject>; 2],
    impulse_ns: f64,
    speed_m_s: f64,
    restitution: f64,
) -> Result<Option<ImpactExcitation>, ContactError> {
    let mass_kg = impulse_ns / ((1.0 + restitution) * speed_m_s);
    if !(mass_kg > 0.0 && mass_kg.is_finite() && speed_m_s > 0.0) {
        return Ok(None);
    }
    let [Some(a), Some(b)] = objects else { return Ok(None) };
    // Two bodies of twice the mass have this reduced mass.
    let heavy =
        |object: &PreparedObject| ContactBody { mass_kg: 2.0 * mass_kg, ..object.contact_body };
    let pair = HertzPair::of_bodies(&heavy(a), &heavy(b))?;
    let impact = Impact::new(impulse_ns, pair.contact_time_s(speed_m_s))?;
    let lost_j = 0.5 * mass_kg * speed_m_s * speed_m_s * (1.0 - restitution * restitution);
    Ok(Some(ImpactExcitation { impact, lost_j, single: false }))
}

impl ImpactExcitation {
    /// Returns the factor for `gains` that limits the radiated energy to `share` of the lost energy.
    /// Modes radiate `(4π/ρc) Σ (g J H)² / 4d` in all directions.
    pub(crate) fn energy_limit_gain(&self, model: &ModalModel, gains: &[f32], share: f64) -> f64 {
        let most_j = share * self.lost_j;
        let to_all_sides = 4.0 * PI / AIR_IMPEDANCE_PA_S_M;
        let modes = ExcitedModes { model, gains, impulse_ns: self.impact.impulse_ns() };
        // |H| ≤ 1 bounds the energy from above: most impacts need no spectrum.
        if to_all_sides * modes.energy(|_| 1.0) <= most_j {
            return 1.0;
        }
        let duration_s = self.impact.duration_s();
        let radiated_j = to_all_sides * modes.energy(|f| pulse_spectrum(f * duration_s));
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
            let body = ContactBody { mass_kg: 1.0, young_pa: 1e9, poisson: 0.3, radius_m: 1.0 };
            let model = ModalModel::new(ModalParts {
                name: "test".into(),
                frequencies_hz: f.clone(),
                decays: decays.clone(),
                points: vec![[0.0; 3]],
                triangles: vec![],
                gains: gains.clone().into(),
                body,
            })
            .unwrap();
            let impact = Impact::new(0.4, 3e-4).unwrap();
            let each = |n: usize| {
                let p = f64::from(gains[n]) * 0.4 * impact.spectrum(2.0 * PI * f[n]);
                p * p / (4.0 * decays[n].max(1e-3))
            };
            let radiated_j = 4.0 * PI / AIR_IMPEDANCE_PA_S_M * (0..f.len()).map(each).sum::<f64>();
            for part in [1e-6, 0.5, 0.999, 1.001, 1e3] {
                let excitation =
                    ImpactExcitation { impact, lost_j: 2.0 * part * radiated_j, single: true };
                let (got, want) =
                    (excitation.energy_limit_gain(&model, &gains, 0.5), part.sqrt().min(1.0));
                assert!((got / want - 1.0).abs() < 1e-12, "{modes} {part}: {got} {want}");
            }
        }
    }
}

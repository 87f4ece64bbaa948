//! Blows: what two bodies do to each other when they meet.
//!
//! The impulse is the simulation's. How long the blow lasts follows from Hertz's theory for the
//! pair, with the mass that takes part, `m = J / (1 + e) v`, so that hardness comes from the
//! materials. Hard blows become bursts of smaller ones ([FA 4.1]).

use crate::prepare::Thing;
use foley_dsp::contact::{ContactError, HertzPair, Impact, MicroBurst, Striker};
use foley_dsp::model::{Body, ModalModel};
use foley_physics::Stone;
use std::f64::consts::PI;

/// Edges and corners of things that count as flat are this round, m.
const EDGE_M: f64 = 2e-3;

/// ρ c of air, kg/(m² s).
const AIR: f64 = 413.0;

/// A blow on one of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Blow {
    pub(super) impact: Impact,
    /// What the pair loses, J.
    pub(super) lost_j: f64,
    /// Whether the bodies part for good.
    pub(super) once: bool,
}

/// Young's modulus and Poisson's ratio of polycrystalline ice near 0 °C, as of the hailstone that
/// strikes by hand.
const ICE_PA: f64 = 9.3e9;
const ICE_POISSON: f64 = 0.33;

/// The blow of a stone of hail; `None` for what is no blow. A stone leaps off at metres a second: it
/// is far away before the body has swung back, and strikes once.
pub(super) fn stone_blow(stone: &Stone, body: &Body) -> Result<Option<Blow>, ContactError> {
    let Stone { mass_kg, radius_m, speed_m_s, restitution, .. } = *stone;
    let striker = Striker { mass_kg, radius_m, young_pa: ICE_PA, poisson: ICE_POISSON };
    let pair = HertzPair::new(&striker, body)?;
    let impact = pair.impact(speed_m_s, restitution)?;
    let lost_j = 0.5 * pair.mass_kg() * speed_m_s * speed_m_s * (1.0 - restitution * restitution);
    Ok(impact.map(|impact| Blow { impact, lost_j, once: true }))
}

/// The blow of two things at a speed, with an impulse; `None` for what is no blow.
pub(super) fn blow(
    things: [Option<&Thing>; 2],
    impulse_ns: f64,
    speed_m_s: f64,
    restitution: f64,
) -> Result<Option<Blow>, ContactError> {
    let mass_kg = impulse_ns / ((1.0 + restitution) * speed_m_s);
    if !(mass_kg > 0.0 && mass_kg.is_finite() && speed_m_s > 0.0) {
        return Ok(None);
    }
    let [Some(a), Some(b)] = things else { return Ok(None) };
    let (a, b) = (a.elastic, b.elastic);
    // Twice the mass each: together they are reduced to it.
    let radius = if a.radius_m.is_finite() || b.radius_m.is_finite() { a.radius_m } else { EDGE_M };
    let striker = Striker {
        mass_kg: 2.0 * mass_kg,
        radius_m: radius,
        young_pa: a.young_pa,
        poisson: a.poisson,
    };
    let pair = HertzPair::new(&striker, &Body { mass_kg: 2.0 * mass_kg, ..b })?;
    let impact = Impact::new(impulse_ns, pair.contact_time_s(speed_m_s))?;
    let lost_j = 0.5 * mass_kg * speed_m_s * speed_m_s * (1.0 - restitution * restitution);
    Ok(Some(Blow { impact, lost_j, once: false }))
}

impl Blow {
    /// By what gains must be multiplied so that the sound takes no more than its part of what the
    /// blow loses: modes radiate `(4π/ρc) Σ (g J H)² / 4d` to all sides.
    pub(super) fn allowed(&self, model: &ModalModel, gains: &[f32], share: f64) -> f64 {
        let most_j = share * self.lost_j;
        let to_all_sides = 4.0 * PI / AIR;
        // A push hears no frequency better than the lowest, |H| ≤ 1: most blows need no spectrum.
        let j = self.impact.impulse_ns();
        let bound = |(d, gain): (&f64, &f32)| {
            let p = f64::from(*gain) * j;
            p * p / (4.0 * d.max(1e-3))
        };
        if to_all_sides * model.decays.iter().zip(gains).map(bound).sum::<f64>() <= most_j {
            return 1.0;
        }
        let modes = model.frequencies_hz.iter().zip(&model.decays).zip(gains);
        let energy = |((f, d), gain): ((&f64, &f64), &f32)| {
            let p =
                f64::from(*gain) * self.impact.impulse_ns() * self.impact.spectrum(2.0 * PI * f);
            p * p / (4.0 * d.max(1e-3))
        };
        let radiated_j = to_all_sides * modes.map(energy).sum::<f64>();
        if radiated_j > most_j { (most_j / radiated_j).sqrt() } else { 1.0 }
    }

    /// The small blows it is made of, on a body with these modes.
    pub(super) fn burst(&self, model: &ModalModel, seed: u64) -> MicroBurst {
        MicroBurst::new(&self.impact, &model.frequencies_hz, seed)
    }
}

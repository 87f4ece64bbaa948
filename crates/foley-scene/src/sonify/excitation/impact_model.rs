//! Impact model: the force pulse of two colliding bodies.
//!
//! The force is that of the solved collision (`foley_dsp::excitation::Collision`): striker, contact and the modes of
//! what is struck. The simulation gives speed and effective mass of two bodies.

use crate::prepare::PreparedObject;
use crate::scene::Strike;
use foley_dsp::excitation::{
    Approach, ContactError, HertzPair, Impact, PATIENCE_S, PointMobility, Striker,
};
use foley_dsp::model::{ContactBody, ModalModel, StrikeSolution};
use foley_engine::SurfacePoint;
use foley_physics::HailImpact;

use foley_geometry::constants::ICE;

/// The excitation of a body by one impact.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImpactExcitation {
    pub(crate) impact: Impact,
    /// Energy that the bodies lose as rigid ones, J.
    pub(crate) lost_j: f64,
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
    let solution = model.strike(&striker, gains, speed_m_s, restitution, 0.0)?;
    Ok(solution.map(ImpactExcitation::of_solution))
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
    let solution = model.strike(
        &strike.with,
        gains,
        strike.speed_m_s,
        strike.with.contact_restitution(),
        PATIENCE_S,
    )?;
    Ok(solution.map(ImpactExcitation::of_solution))
}

/// Returns the excitation of a body without modes by a scripted strike; `None` without speed. `mass_kg` is infinite for a body
/// that is held.
pub(crate) fn strike_of_rigid_body(
    strike: &Strike,
    body: &ContactBody,
    mass_kg: f64,
) -> Result<Option<ImpactExcitation>, ContactError> {
    let bodies = [strike.with.mass_kg, mass_kg].map(PointMobility::rigid);
    let approach = Approach {
        pair: HertzPair::of_bodies(&strike.with, body)?,
        speed_m_s: strike.speed_m_s,
        contact_restitution: strike.with.contact_restitution(),
        bodies: bodies.each_ref(),
        patience_s: PATIENCE_S,
    };
    ImpactExcitation::of_approach(&approach)
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
    ImpactExcitation::of_approach(&approach)
}

impl ImpactExcitation {
    fn of_approach(approach: &Approach<'_>) -> Result<Option<Self>, ContactError> {
        let Some(collision) = approach.collide()? else { return Ok(None) };
        let lost_j = collision.energy.lost_j();
        let impact = Impact::of_curve(collision.force)?;
        Ok(Some(Self { impact, lost_j }))
    }

    fn of_solution(solution: StrikeSolution) -> Self {
        Self { impact: solution.impact, lost_j: solution.energy.lost_j() }
    }
}

//! Contacts of a model: its point mobility, and how a striker collides with it.

use super::{ModalModel, Vibration};
use crate::excitation::{
    AcceleratedBody, Approach, CollisionEnergy, ContactError, HertzPair, Impact, MobilityMode,
    PointMobility, RigidRadiation, Striker,
};
use std::f64::consts::TAU;

/// The impact of a striker on an object that gives way.
#[derive(Debug, Clone, PartialEq)]
pub struct StrikeSolution {
    /// Its force.
    pub impact: Impact,
    /// Rebound: speed of separation over speed of approach.
    pub restitution: f64,
    /// Where the energy of the striker went.
    pub energy: CollisionEnergy,
}

impl Vibration {
    /// Returns the mass-normalised mode shapes u_n·e, 1/√kg, where a force along e has these gains.
    pub fn mode_shapes(&self, gains: &[f32]) -> impl Iterator<Item = f64> {
        let shape = |(gain, p): (&f32, &f32)| match *p > 0.0 {
            true => f64::from(*gain) / f64::from(*p),
            false => 0.0,
        };
        gains.iter().zip(&self.pressures_pa).map(shape)
    }
}

impl ModalModel {
    /// Returns the mobility of the object at a contact with these gains, along their direction: that of its
    /// modes, and of its mass where it is free. Where only the sound is known, the mass alone gives way.
    pub fn mobility(&self, gains: &[f32]) -> PointMobility {
        let Some(vibration) = &self.vibration else {
            return PointMobility::rigid(self.body.mass_kg);
        };
        let mass_kg = if vibration.free { self.body.mass_kg } else { f64::INFINITY };
        let modes = self.frequencies_hz.iter().zip(&self.decays);
        let shapes = vibration.mode_shapes(gains);
        PointMobility::rigid(mass_kg).with_modes(modes.zip(shapes).map(|((f, d), shape)| {
            MobilityMode { omega: TAU * f, decay: *d, weight: shape * shape }
        }))
    }

    /// Returns how the object radiates when a force along `direction` accelerates it as a whole; `None` where its edges are
    /// held, or where it is not known.
    pub fn accelerated_body(&self, direction: [f64; 3]) -> Option<AcceleratedBody> {
        let free = self.vibration.as_ref().is_none_or(|vibration| vibration.free);
        let radiation = RigidRadiation::along(&self.rigid.filter(|_| free)?, direction);
        Some(AcceleratedBody::new(radiation, self.body.mass_kg))
    }

    /// Lets a rigid striker hit the object where it has these gains; `None` at speed 0. `restitution` is that of
    /// the contact itself ([`Striker::contact_restitution`]), `patience_s` the time for which they are followed when they part; see [`Approach`].
    pub fn strike(
        &self,
        striker: &Striker,
        gains: &[f32],
        speed_m_s: f64,
        restitution: f64,
        patience_s: f64,
    ) -> Result<Option<StrikeSolution>, ContactError> {
        let approach = Approach {
            pair: HertzPair::new(striker, &self.body)?,
            speed_m_s,
            contact_restitution: restitution,
            bodies: [&PointMobility::rigid(striker.mass_kg), &self.mobility(gains)],
            patience_s,
        };
        let Some(collision) = approach.collide()? else { return Ok(None) };
        let (restitution, energy) = (collision.restitution, collision.energy);
        let impact = Impact::of_curve(collision.force)?;
        Ok(Some(StrikeSolution { impact, restitution, energy }))
    }
}

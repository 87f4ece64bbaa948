//! Checks surfaces and strikes of a scene before anything moves: otherwise a damaged file would be noticed at
//! the first contact.

use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair};
use foley_engine::Settings;

use super::{SurfaceProfiles, strike_excitation, strike_gains};
use crate::prepare::Prepared;
use crate::scene::Scene;
use crate::sonify::SonifyError;

/// Reads all surfaces and computes all strikes.
pub(crate) fn check_excitations(scene: &Scene, prepared: &Prepared) -> Result<(), SonifyError> {
    let rate_hz = f64::from(Settings::default().sample_rate_hz);
    let mut surfaces = SurfaceProfiles::new(scene, rate_hz);
    for (number, object) in scene.objects.iter().enumerate() {
        if object.surface.is_some() {
            surfaces.between(scene, [number, number])?;
        }
    }
    for strike in &scene.strikes {
        if let Some(object) = prepared.objects.get(strike.object) {
            match &object.model {
                Some(model) => {
                    strike_excitation(strike, model, &strike_gains(strike, model))?;
                }
                None => {
                    let pair = HertzPair::new(&strike.with, &object.contact_body)?;
                    pair.impact(strike.speed_m_s, DEFAULT_RESTITUTION)?;
                }
            }
        }
    }
    Ok(())
}

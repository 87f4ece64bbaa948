//! Checks surfaces and strikes of a scene before anything moves: otherwise a damaged file would be noticed at
//! the first contact.

use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair};
use foley_engine::Settings;

use super::{SurfaceProfiles, strike_excitation, strike_gains};
use crate::prepare::Prepared;
use crate::scene::{Scene, Strike, SurfacePoint};
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
                    check_place(scene, strike, model.point_count())?;
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

/// Checks that the model of the struck object has the surface point that a strike names.
fn check_place(scene: &Scene, strike: &Strike, count: usize) -> Result<(), SonifyError> {
    match strike.place {
        Some(SurfacePoint::Point(place)) if place >= count => {
            let object = scene.objects.get(strike.object);
            let object = object.map(|object| object.name.clone()).unwrap_or_default();
            Err(SonifyError::NoPlace { object, at_s: strike.at_s, place, count })
        }
        _ => Ok(()),
    }
}

/// Returns a note on strikes at numbered surface points of objects whose modes a check does not compute: how many
/// points they have is not known before.
pub(crate) fn unchecked_places(scene: &Scene, prepared: &Prepared) -> Option<String> {
    let is_unknown = |strike: &&Strike| {
        let object = scene.objects.get(strike.object).filter(|object| !object.silent);
        let prepared = prepared.objects.get(strike.object);
        object.is_some()
            && matches!(strike.place, Some(SurfacePoint::Point(_)))
            && prepared.is_some_and(|object| object.model.is_none())
    };
    let mut unknown = scene.strikes.iter().filter(is_unknown);
    let object = scene.objects.get(unknown.next()?.object)?;
    Some(format!(
        "\"{}\": whether it has the surface point of a strike is only known when its modes are computed",
        object.name
    ))
}

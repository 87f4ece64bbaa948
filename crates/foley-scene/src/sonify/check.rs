//! Checks a scene as far as it can be checked without computing modes of meshes and without moving anything.

use foley_dsp::output::OutputSettings;
use foley_engine::Settings;
use std::sync::Arc;

use super::excitation::unchecked_places;
use super::{EventSource, Sonifier, SonifyError};
use crate::prepare::Prepared;
use crate::scene::Scene;

/// Checks a scene by what [`render`](super::render) and [`LiveScene`](super::LiveScene) start with: geometry,
/// models, bodies, hail, surfaces, strikes, the positions of objects and listener. A trace is read to its end.
/// Returns the scene prepared without the modes of meshes.
pub fn check(scene: &Arc<Scene>) -> Result<Prepared, SonifyError> {
    let mut prepared = scene.prepare_without_bakes()?;
    let mut events = EventSource::new(scene, &prepared)?;
    if scene.trace.is_some() {
        events.advance_to(scene.seconds, &mut |_| ())?;
        prepared.notes.extend(events.read_rest_of_trace(scene.seconds)?);
    }
    prepared.notes.extend(unchecked_places(scene, &prepared));
    let settings = Settings::default().audible();
    Sonifier::new(Arc::clone(scene), &prepared, settings, OutputSettings::default())?;
    Ok(prepared)
}

//! A scene on its way to the ears.

use anyhow::Result;
use foley::backend::Source;
use foley::{Engine, EngineError, Object, Offline, Settings};
use foley_dsp::contact::Impact;

use super::{Scene, Thing};

impl Scene {
    /// All objects and blows in an engine, everything on the first channel. The first frame is
    /// the beginning of the scene.
    pub(crate) fn offline(&self, settings: Settings) -> Result<Offline> {
        let settings = Settings {
            objects: self.objects.len().max(settings.objects),
            strikes: self.blows.len().max(settings.strikes),
            ..settings
        };
        let (engine, renderer) = Engine::new(settings)?;
        let mut offline = Offline::new(engine, renderer);
        let mut passed = 0;
        let mut objects = Vec::with_capacity(self.objects.len());
        for thing in &self.objects {
            objects.push(add(&mut offline, thing, &mut passed)?);
        }
        // What was rendered to make room for so many objects is before the beginning.
        let start_s = offline.engine.now_s();
        for blow in &self.blows {
            let Thing { distance_m, .. } = self.objects[blow.object];
            let impulse_ns = blow.impact.impulse_ns() / distance_m;
            let impact = Impact::new(impulse_ns, blow.impact.duration_s())?;
            let at_s = start_s + blow.at_s;
            offline.engine.strike_with(objects[blow.object], blow.place, impact, at_s)?;
        }
        let start = (start_s * f64::from(offline.sample_rate_hz())).round() as usize;
        skip(&mut offline, start.saturating_sub(passed));
        Ok(offline)
    }
}

/// Adds an object, after a block of silence when too many wait for the audio thread.
fn add(offline: &mut Offline, thing: &Thing, passed: &mut usize) -> Result<Object, EngineError> {
    match offline.engine.add_with(thing.model.clone(), 0, 0) {
        Err(EngineError::Busy(_)) => {
            let block = offline.engine.settings().block;
            skip(offline, block);
            *passed += block;
            offline.engine.add_with(thing.model.clone(), 0, 0)
        }
        added => added,
    }
}

fn skip(offline: &mut Offline, frames: usize) {
    offline.fill(&mut vec![0.0; frames * offline.channels()]);
}

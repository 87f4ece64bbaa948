//! A scene on its way to the ears.

use anyhow::Result;
use foley_dsp::excitation::Impact;
use foley_engine::Source;
use foley_engine::{Engine, EngineError, Object, Offline, Renderer, Settings};

use super::{Blow, Scene, Thing};

/// A scene whose objects stand ready in an engine; nothing was struck yet.
pub(crate) struct Ready {
    pub(crate) engine: Engine,
    pub(crate) renderer: Renderer,
    objects: Vec<Object>,
    /// When the scene begins, in the engine's time, s: at the renderer's next frame.
    start_s: f64,
}

impl Scene {
    /// All objects in an engine, everything on the first channel.
    pub(crate) fn ready(&self, settings: Settings) -> Result<Ready> {
        let settings = Settings {
            objects: self.objects.len().max(settings.objects),
            strikes: self.blows.len().max(settings.strikes),
            ..settings
        };
        let (mut engine, mut renderer) = Engine::new(settings)?;
        let mut objects = Vec::with_capacity(self.objects.len());
        for thing in &self.objects {
            objects.push(add(&mut engine, &mut renderer, thing)?);
        }
        // What was rendered to make room for so many objects is before the beginning.
        let start_s = engine.now_s();
        Ok(Ready { engine, renderer, objects, start_s })
    }

    /// All objects and blows in an engine, everything on the first channel. The first frame is
    /// the beginning of the scene.
    pub(crate) fn offline(&self, settings: Settings) -> Result<Offline> {
        let mut ready = self.ready(settings)?;
        for blow in &self.blows {
            ready.strike(self, blow)?;
        }
        Ok(Offline::new(ready.engine, ready.renderer))
    }
}

impl Ready {
    /// Prepares one of the scene's blows.
    pub(crate) fn strike(&mut self, scene: &Scene, blow: &Blow) -> Result<()> {
        let Thing { distance_m, .. } = scene.objects[blow.object];
        let impulse_ns = blow.impact.impulse_ns() / distance_m;
        let impact = Impact::new(impulse_ns, blow.impact.duration_s())?;
        let at_s = self.start_s + blow.at_s;
        Ok(self.engine.strike_with(self.objects[blow.object], blow.place, impact, at_s)?)
    }
}

/// Adds an object, after a block of silence when too many wait for the audio thread.
fn add(engine: &mut Engine, renderer: &mut Renderer, thing: &Thing) -> Result<Object, EngineError> {
    match engine.add_with(thing.model.clone(), 0, 0) {
        Err(EngineError::Busy(_)) => {
            renderer.fill(&mut vec![0.0; renderer.block() * renderer.channels()]);
            engine.add_with(thing.model.clone(), 0, 0)
        }
        added => added,
    }
}

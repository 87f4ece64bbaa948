//! A benchmark scene loaded into an engine.

use anyhow::Result;
use foley_dsp::excitation::Impact;
use foley_engine::{Engine, EngineError, ObjectHandle, Offline, Renderer, Settings, Source};

use super::{BenchScene, SceneObject, Strike};

/// An engine that holds the objects of a scene; nothing was struck yet.
pub(crate) struct LoadedScene {
    pub engine: Engine,
    pub renderer: Renderer,
    objects: Vec<ObjectHandle>,
    /// Engine time at which the scene begins, s: the renderer's next frame.
    start_s: f64,
}

impl BenchScene {
    /// Adds all objects to a new engine, on its first channel.
    pub(crate) fn load(&self, settings: Settings) -> Result<LoadedScene> {
        let settings = Settings {
            objects: self.objects.len().max(settings.objects),
            strikes: self.strikes.len().max(settings.strikes),
            ..settings
        };
        let (mut engine, mut renderer) = Engine::new(settings)?;
        let mut objects = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            objects.push(add(&mut engine, &mut renderer, object)?);
        }
        // Blocks that `add` rendered lie before the beginning.
        let start_s = engine.now_s();
        Ok(LoadedScene { engine, renderer, objects, start_s })
    }

    /// Adds all objects and strikes to a new engine, on its first channel. The first frame is the
    /// beginning of the scene.
    pub(crate) fn offline(&self, settings: Settings) -> Result<Offline> {
        let mut loaded = self.load(settings)?;
        for strike in &self.strikes {
            loaded.strike(self, strike)?;
        }
        Ok(Offline::new(loaded.engine, loaded.renderer))
    }
}

impl LoadedScene {
    /// Sends one of the scene's strikes to the engine.
    pub(crate) fn strike(&mut self, scene: &BenchScene, strike: &Strike) -> Result<()> {
        let SceneObject { distance_m, .. } = scene.objects[strike.object];
        let impulse_ns = strike.impact.impulse_ns() / distance_m;
        let impact = Impact::new(impulse_ns, strike.impact.duration_s())?;
        let at_s = self.start_s + strike.at_s;
        Ok(self.engine.strike_with(self.objects[strike.object], strike.place, impact, at_s)?)
    }
}

/// Adds an object; renders a block of silence first when the engine's queue is full.
fn add(
    engine: &mut Engine,
    renderer: &mut Renderer,
    object: &SceneObject,
) -> Result<ObjectHandle, EngineError> {
    match engine.add_with(object.model.clone(), 0, 0) {
        Err(EngineError::Busy(_)) => {
            renderer.fill(&mut vec![0.0; renderer.block() * renderer.channels()]);
            engine.add_with(object.model.clone(), 0, 0)
        }
        added => added,
    }
}

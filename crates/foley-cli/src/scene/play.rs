//! A scene on its way to the ears.

use anyhow::Result;
use foley::backend::Source;
use foley::{Engine, EngineError, Offline, Settings};
use foley_dsp::contact::Impact;

use super::Scene;

impl Scene {
    /// All objects and blows in an engine. The scene begins at the second returned: so many
    /// objects do not go to the audio thread at once, and silence is rendered between them.
    pub(crate) fn offline(&self, settings: Settings) -> Result<(Offline, f64)> {
        let settings = Settings {
            objects: self.objects.len().max(settings.objects),
            strikes: self.blows.len().max(settings.strikes),
            ..settings
        };
        let mut silence = vec![0.0; settings.block * settings.channels.max(1)];
        let (engine, renderer) = Engine::new(settings)?;
        let mut offline = Offline::new(engine, renderer);
        let mut objects = Vec::with_capacity(self.objects.len());
        for thing in &self.objects {
            let added = match offline.engine.add_with(thing.model.clone(), 0, 0) {
                Err(EngineError::Busy(_)) => {
                    offline.fill(&mut silence);
                    offline.engine.add_with(thing.model.clone(), 0, 0)
                }
                added => added,
            };
            objects.push(added?);
        }
        let start_s = offline.engine.now_s();
        for blow in &self.blows {
            let distance_m = self.objects[blow.object].distance_m;
            let impact =
                Impact::new(blow.impact.impulse_ns() / distance_m, blow.impact.duration_s())?;
            offline.engine.strike_with(
                objects[blow.object],
                blow.place,
                impact,
                start_s + blow.at_s,
            )?;
        }
        Ok((offline, start_s))
    }
}

//! Impulses of all impacts of a scene: simulated, of hail, and of scripted strikes.

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_physics::Event;

use super::SceneEvent;
use super::excitation::{hail_excitation, strike_excitation, strike_gains};

/// Time and impulse of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactRecord {
    /// Time, s.
    pub at_s: f64,
    /// Impulse, N s.
    pub impulse_ns: f64,
    /// Whether it is a strike of the scene file.
    pub is_scripted: bool,
}

/// Returns the impacts with their impulses in order of time.
pub fn impulses(scene: &Scene, prepared: &Prepared, events: &[SceneEvent]) -> Vec<ImpactRecord> {
    let model = |object: usize| prepared.objects.get(object)?.model.as_ref();
    let record = |event: &SceneEvent| {
        let (at_s, impulse_ns) = match event {
            SceneEvent::Physics(Event::Impact(impact)) => (impact.at_s, impact.impulse_ns),
            SceneEvent::Physics(Event::HailImpact(stone)) => {
                let model = model(stone.body as usize)?;
                let gains = model.gains_at(stone.place);
                let excitation = hail_excitation(stone, model, &gains).ok()??;
                (stone.at_s, excitation.impact.impulse_ns())
            }
            SceneEvent::Physics(_) => return None,
            SceneEvent::Strike(number) => {
                let strike = scene.strikes.get(*number)?;
                let strike = Some(strike).filter(|s| scene.is_present(s.object, s.at_s))?;
                let model = model(strike.object)?;
                let gains = strike_gains(strike, model);
                let excitation = strike_excitation(strike, model, &gains).ok()??;
                (strike.at_s, excitation.impact.impulse_ns())
            }
        };
        let is_scripted = matches!(event, SceneEvent::Strike(_));
        Some(ImpactRecord { at_s, impulse_ns, is_scripted })
    };
    let mut impulses: Vec<ImpactRecord> = events.iter().filter_map(record).collect();
    impulses.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    impulses
}

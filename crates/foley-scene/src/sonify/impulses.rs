//! Impulses of all impacts of a scene: simulated, of hail, and of scripted strikes.

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair};
use foley_physics::{Event, HailImpact};

use super::SceneEvent;

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
    let record = |event: &SceneEvent| {
        let (at_s, impulse_ns) = match event {
            SceneEvent::Physics(Event::Impact(impact)) => (impact.at_s, impact.impulse_ns),
            SceneEvent::Physics(Event::HailImpact(stone)) => {
                (stone.at_s, hail_impulse(prepared, stone)?)
            }
            SceneEvent::Physics(_) => return None,
            SceneEvent::Strike(number) => strike_impulse(scene, prepared, *number)?,
        };
        let is_scripted = matches!(event, SceneEvent::Strike(_));
        Some(ImpactRecord { at_s, impulse_ns, is_scripted })
    };
    let mut impulses: Vec<ImpactRecord> = events.iter().filter_map(record).collect();
    impulses.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    impulses
}

/// Returns (1 + e) m* v.
fn hail_impulse(prepared: &Prepared, stone: &HailImpact) -> Option<f64> {
    let body_kg = prepared.objects.get(stone.body as usize)?.model.as_ref()?.body.mass_kg;
    let reduced_kg = 1.0 / (1.0 / stone.mass_kg + 1.0 / body_kg);
    Some((1.0 + stone.restitution) * reduced_kg * stone.speed_m_s)
}

/// Returns time and impulse of a strike, by the Hertz contact that the sonifier uses.
fn strike_impulse(scene: &Scene, prepared: &Prepared, number: usize) -> Option<(f64, f64)> {
    let strike = scene.strikes.get(number)?;
    let model = prepared.objects.get(strike.object)?.model.as_ref()?;
    let pair = HertzPair::new(&strike.with, &model.body).ok()?;
    let impact = pair.impact(strike.speed_m_s, DEFAULT_RESTITUTION).ok()??;
    Some((strike.at_s, impact.impulse_ns()))
}

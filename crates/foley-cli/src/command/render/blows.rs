//! All blows of a scene with their impulses: those that happened, and those by hand.

use foley_dsp::excitation::{DEFAULT_RESTITUTION, HertzPair};
use foley_physics::{Event, HailImpact};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::sonify::SceneEvent;

/// One blow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Blow {
    pub(super) at_s: f64,
    pub(super) impulse_ns: f64,
    pub(super) by_hand: bool,
}

/// In order of time.
pub(super) fn all(scene: &Scene, prepared: &Prepared, events: &[SceneEvent]) -> Vec<Blow> {
    let blow = |one: &SceneEvent| match one {
        SceneEvent::Physics(Event::Impact(impact)) => {
            Some(Blow { at_s: impact.at_s, impulse_ns: impact.impulse_ns, by_hand: false })
        }
        SceneEvent::Physics(Event::HailImpact(stone)) => of_stone(prepared, stone),
        SceneEvent::Physics(_) => None,
        SceneEvent::Strike(number) => by_hand(scene, prepared, *number),
    };
    let mut all: Vec<Blow> = events.iter().filter_map(blow).collect();
    all.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
    all
}

/// (1 + e) m* v.
fn of_stone(prepared: &Prepared, stone: &HailImpact) -> Option<Blow> {
    let body_kg = prepared.objects.get(stone.body as usize)?.model.as_ref()?.body.mass_kg;
    let reduced_kg = 1.0 / (1.0 / stone.mass_kg + 1.0 / body_kg);
    let impulse_ns = (1.0 + stone.restitution) * reduced_kg * stone.speed_m_s;
    Some(Blow { at_s: stone.at_s, impulse_ns, by_hand: false })
}

/// The impulse is that of Hertz's pair, as it sounds.
fn by_hand(scene: &Scene, prepared: &Prepared, number: usize) -> Option<Blow> {
    let strike = scene.strikes.get(number)?;
    let model = prepared.objects.get(strike.object)?.model.as_ref()?;
    let pair = HertzPair::new(&strike.with, &model.body).ok()?;
    let impact = pair.impact(strike.speed_m_s, DEFAULT_RESTITUTION).ok()??;
    Some(Blow { at_s: strike.at_s, impulse_ns: impact.impulse_ns(), by_hand: true })
}

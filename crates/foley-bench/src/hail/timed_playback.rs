//! Playback of a scene under hail, block by block, with the load of each stage.

use anyhow::Result;
use foley_dsp::output::OutputSettings;
use foley_engine::{Settings, Source};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::sonify::{EventSource, SceneEvent, Sonifier};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::Task;
use crate::cpu_time::{median, process_cpu_s};

/// Plays a scene and returns the load of each stage, in cores.
pub(crate) fn play_timed(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &Settings,
    rounds: usize,
    task: &dyn Task,
) -> Result<Value> {
    let mut loads: [Vec<f64>; 3] = Default::default();
    let mut facts = json!({});
    for _ in 0..rounds {
        let (parts, report) = once(scene, prepared, settings)?;
        loads.iter_mut().zip(parts).for_each(|(all, part)| all.push(part / scene.seconds));
        facts = report;
        task.advance();
    }
    let [particles, excitation, synthesis] = loads.each_mut().map(|load| median(load));
    facts["particles_load"] = json!(particles);
    facts["blows_load"] = json!(excitation);
    facts["synthesis_load"] = json!(synthesis);
    facts["real_time"] = json!(particles + excitation + synthesis < 1.0);
    Ok(facts)
}

/// Returns processor times of particles, excitation and synthesis, s, and counts of impacts.
fn once(scene: &Arc<Scene>, prepared: &Prepared, settings: &Settings) -> Result<([f64; 3], Value)> {
    let settings =
        Settings { full_scale_pa: 20.0, measure_decision_time: true, ..settings.clone() };
    let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
    let mut event_source = EventSource::new(scene, prepared)?;
    let output = OutputSettings::default();
    let (mut sonifier, mut panner) = Sonifier::new(Arc::clone(scene), prepared, settings, output)?;
    let (mut spent, mut events) = ([0.0; 3], Vec::<SceneEvent>::new());
    let (mut computed, mut modes, mut deciding_ns) = (0, 0, 0);
    let mut sound = vec![0.0; 2 * block];
    for number in 0..(scene.seconds * rate) as usize / block {
        let mut at = process_cpu_s();
        let mut lap = |part: &mut f64| {
            let now = process_cpu_s();
            *part += now - at;
            at = now;
        };
        events.clear();
        event_source
            .advance_to(((number + 1) * block) as f64 / rate, &mut |event| events.push(event))?;
        lap(&mut spent[0]);
        events.iter().try_for_each(|event| sonifier.handle(event))?;
        sonifier.engine().update();
        lap(&mut spent[1]);
        panner.fill(&mut sound);
        lap(&mut spent[2]);
        let report = sonifier.engine().report();
        (computed, modes) = (computed + report.computed, modes + report.modes);
        deciding_ns += report.deciding_ns;
    }
    let stats = sonifier.stats().with_hail(event_source.hail_counts());
    let report = json!({
        "stones_per_s": stats.hail.emitted as f64 / scene.seconds,
        "impacts_per_s": stats.hail.sounded as f64 / scene.seconds,
        "refused": stats.refused,
        "deciding_load": 1e-9 * deciding_ns as f64 / scene.seconds,
        "share_of_modes": computed as f64 / modes.max(1) as f64,
    });
    Ok((spent, report))
}

//! Playback of a scene under hail, block by block, with the load of each stage.

use anyhow::Result;
use foley_dsp::output::OutputSettings;
use foley_engine::{Settings, Source};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::stage::{Happening, Performer, Told};
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
        let (parts, told) = once(scene, prepared, settings)?;
        loads.iter_mut().zip(parts).for_each(|(all, part)| all.push(part / scene.seconds));
        facts = told;
        task.advance();
    }
    let [particles, blows, synthesis] = loads.each_mut().map(|load| median(load));
    facts["particles_load"] = json!(particles);
    facts["blows_load"] = json!(blows);
    facts["synthesis_load"] = json!(synthesis);
    facts["real_time"] = json!(particles + blows + synthesis < 1.0);
    Ok(facts)
}

/// Returns processor times of particles, excitation and synthesis, s, and counts of impacts.
fn once(scene: &Arc<Scene>, prepared: &Prepared, settings: &Settings) -> Result<([f64; 3], Value)> {
    let settings =
        Settings { full_scale_pa: 20.0, measure_decision_time: true, ..settings.clone() };
    let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
    let mut happening = Happening::new(scene, prepared)?;
    let output = OutputSettings::default();
    let (mut performer, mut mix) = Performer::new(Arc::clone(scene), prepared, settings, output)?;
    let (mut spent, mut told) = ([0.0; 3], Vec::<Told>::new());
    let (mut computed, mut modes, mut deciding_ns) = (0, 0, 0);
    let mut sound = vec![0.0; 2 * block];
    for number in 0..(scene.seconds * rate) as usize / block {
        let mut at = process_cpu_s();
        let mut lap = |part: &mut f64| {
            let now = process_cpu_s();
            *part += now - at;
            at = now;
        };
        told.clear();
        happening.until(((number + 1) * block) as f64 / rate, &mut |one| told.push(one))?;
        lap(&mut spent[0]);
        told.iter().try_for_each(|one| performer.hear(one))?;
        performer.engine().update();
        lap(&mut spent[1]);
        mix.fill(&mut sound);
        lap(&mut spent[2]);
        let report = performer.engine().report();
        (computed, modes) = (computed + report.computed, modes + report.modes);
        deciding_ns += report.deciding_ns;
    }
    let heard = performer.heard().under(happening.stones());
    let told = json!({
        "stones_per_s": heard.stones.fell as f64 / scene.seconds,
        "impacts_per_s": heard.stones.heard as f64 / scene.seconds,
        "refused": heard.refused,
        "deciding_load": 1e-9 * deciding_ns as f64 / scene.seconds,
        "share_of_modes": computed as f64 / modes.max(1) as f64,
    });
    Ok((spent, told))
}

//! Many moving steel plates in real time on one core.

use anyhow::Result;
use serde_json::{Value, json};

use super::{Options, accelerations};
use crate::Progress;
use crate::memory::peak_mib;
use crate::scene::BenchScene;
use crate::timed_render::{
    Method, SimulatedScene, StepTimes, TimedRender, median_load, median_times,
};

const MODES_EACH: usize = 100;
/// Long, because the cost per block and object dominates.
const BLOCK: usize = 512;

/// Measures many plates. Call it before the rings: its figures include peak memory.
pub fn measure(options: &Options, progress: &dyn Progress) -> Result<Value> {
    let Options { objects, impacts_per_s, contacts, seconds, rounds } = *options;
    let scene = BenchScene::plates(objects, MODES_EACH, impacts_per_s, seconds, progress)?;
    let simulated = SimulatedScene::new(&scene)?.moving(contacts);
    let methods = accelerations().into_iter().map(|method| Method { block: BLOCK, ..method });
    let methods: Vec<Method> = methods.collect();
    // The default first, so that peak memory is its own. The others are slower than real time and
    // rendered once.
    let (others, default) = methods.split_at(methods.len() - 1);
    let task = progress.begin("plates", (others.len() + rounds) as u64);
    let own = simulated.render_rounds(default, BLOCK, rounds, &*task)?;
    let peak_mib = peak_mib();
    let peak_mb = peak_mib.map(|mib| 1.048_576 * mib);
    let mut renders = simulated.render_rounds(others, BLOCK, 1, &*task)?;
    renders.extend(own);
    let own = &renders[renders.len() - 1];
    let total = 100.0 * median_load(own, |step| step.excitation_s + step.render_s);
    let rows = methods.iter().zip(&renders).map(|(method, renders)| row(method, renders));
    let name = "rendering and preparing together, % of one core";
    Ok(json!({
        "objects": objects, "modes": scene.mode_count(), "impacts": own[0].stats.excitations,
        "contacts": own[0].stats.sustained, "refused": own[0].stats.refused,
        "emitters": own[0].emitters, "emitter_separation": own[0].emitter_separation,
        "simulation_percent": 100.0 * median_load(own, |step| step.simulation_s),
        "seconds": seconds, "peak_mib": peak_mib, "rules": rows.collect::<Vec<_>>(),
        "targets": [{
            "key": "real_time", "name": name, "figure": total, "sign": "<", "target": 100.0,
            "met": total < 100.0,
        }, {
            "key": "memory", "name": "peak memory, MB", "figure": peak_mb, "sign": "<",
            "target": 300.0, "met": peak_mb.is_some_and(|mb| mb < 300.0),
        }, {
            "key": "refused", "name": "contacts refused", "figure": own[0].stats.refused, "sign": "≤",
            "target": 0, "met": own[0].stats.refused == 0,
        }],
    }))
}

fn row(method: &Method, renders: &[TimedRender]) -> Value {
    let percent = |time: fn(&StepTimes) -> f64| 100.0 * median_load(renders, time);
    let (seconds, steps) = (renders[0].seconds, median_times(renders, |step| step.render_s));
    // The busiest second.
    let second = (steps.len() as f64 / seconds).round().max(1.0) as usize;
    let sums = steps.windows(second.min(steps.len())).map(|second| second.iter().sum::<f64>());
    let busiest = 100.0 * sums.fold(0.0, f64::max) / seconds.min(1.0);
    json!({
        "rule": method.key, "name": method.name, "block": method.block,
        "share_of_modes": renders[0].share(), "cpu_percent": percent(|step| step.render_s),
        "busiest_percent": busiest,
        "preparing_percent": percent(|step| step.excitation_s),
        "deciding_percent": percent(|step| step.deciding_s),
    })
}

//! Many steel plates in real time on one core.

use anyhow::Result;
use foley_engine::DEFAULT_PLAYBACK_DB;
use serde_json::{Value, json};

use super::{Options, accelerations};
use crate::Progress;
use crate::loudness::full_scale_pa;
use crate::memory::peak_mib;
use crate::scene::{BenchScene, many_plates};
use crate::timed_render::{
    Method, PlaybackLevel, StepTimes, TimedRender, median_times, render_timed,
};

const MODES_EACH: usize = 100;
/// Long, because the cost per block and object dominates.
const BLOCK: usize = 512;

pub(crate) fn measure(options: &Options, progress: &dyn Progress) -> Result<Value> {
    let Options { objects, impacts_per_s, seconds, rounds } = *options;
    let scene = many_plates(objects, MODES_EACH, impacts_per_s, seconds, 1)?;
    let full_scale_pa = full_scale_pa(&scene, progress)?;
    let level = PlaybackLevel { full_scale_pa, playback_db: DEFAULT_PLAYBACK_DB };
    let methods = accelerations().into_iter().map(|method| Method { block: BLOCK, ..method });
    let mut methods: Vec<Method> = methods.collect();
    // The default first, so that peak memory is its own. The others are slower than real time and
    // rendered once.
    methods.reverse();
    let task = progress.begin("plates", (methods.len() + rounds - 1) as u64);
    let mut renders: Vec<Vec<TimedRender>> = vec![Vec::new(); methods.len()];
    let mut mib = None;
    for round in 0..rounds {
        let now = if round == 0 { methods.len() } else { 1 };
        for (method, renders) in methods.iter().zip(&mut renders).take(now) {
            renders.push(render_timed(&scene, method, level, BLOCK)?);
            mib = mib.or_else(peak_mib);
            task.advance();
        }
    }
    let figures = methods.iter().zip(&renders).map(|(method, renders)| figures(method, renders));
    let mut figures: Vec<Value> = figures.collect();
    let total = figures[0]["cpu_percent"].as_f64().unwrap_or_default()
        + figures[0]["preparing_percent"].as_f64().unwrap_or_default();
    figures.reverse();
    Ok(report(&scene, figures, total, mib))
}

fn figures(method: &Method, renders: &[TimedRender]) -> Value {
    let all: Vec<Vec<StepTimes>> = renders.iter().map(|render| render.steps.clone()).collect();
    let seconds = renders[0].seconds;
    let percent = |time: fn(&StepTimes) -> f64| {
        let steps = median_times(&all, time);
        (100.0 * steps.iter().sum::<f64>() / seconds, steps)
    };
    let (cpu, steps) = percent(|step| step.render_s);
    // The busiest second.
    let second = (steps.len() as f64 / seconds).round().max(1.0) as usize;
    let sums = steps.windows(second.min(steps.len())).map(|second| second.iter().sum::<f64>());
    let busiest = 100.0 * sums.fold(0.0, f64::max) / seconds.min(1.0);
    json!({
        "rule": method.key, "name": method.name, "block": method.block,
        "share_of_modes": renders[0].share(), "cpu_percent": cpu, "busiest_percent": busiest,
        "preparing_percent": percent(|step| step.preparing_s).0,
        "deciding_percent": percent(|step| step.deciding_s).0,
    })
}

fn report(scene: &BenchScene, methods: Vec<Value>, total: f64, peak_mib: Option<f64>) -> Value {
    let name = "rendering and preparing together, % of one core";
    json!({
        "objects": scene.objects.len(), "modes": scene.mode_count(), "impacts": scene.strikes.len(),
        "seconds": scene.seconds, "peak_mib": peak_mib, "rules": methods,
        "promises": [{
            "key": "real_time", "name": name, "figure": total, "sign": "<", "promised": 100.0,
            "kept": total < 100.0,
        }],
    })
}

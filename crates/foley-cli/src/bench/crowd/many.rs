//! A crowd in real time on one core.

use anyhow::Result;
use foley_engine::DEFAULT_PLAYBACK_DB;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::{Args, accelerations};
use crate::bench::level::full_scale_pa;
use crate::bench::memory::peak_mib;
use crate::bench::take::{Level, Part, Rule, Take, medians, take};
use crate::scene::{Scene, crowd};

const MODES_EACH: usize = 100;
/// Long: with so many objects what is done once per block and object counts.
const BLOCK: usize = 512;

pub(super) fn measure(args: &Args, bar: &ProgressBar) -> Result<Value> {
    let scene = crowd(args.objects, MODES_EACH, args.impacts, args.seconds, 1)?;
    let level = Level { full_scale_pa: full_scale_pa(&scene)?, playback_db: DEFAULT_PLAYBACK_DB };
    let rules = accelerations().into_iter().map(|rule| Rule { block: BLOCK, ..rule });
    let mut rules: Vec<Rule> = rules.collect();
    // The default first, as nobody else has taken memory then. The others take longer than real
    // time: once is enough for them.
    rules.reverse();
    bar.set_message("crowd");
    bar.set_length((rules.len() + args.rounds - 1) as u64);
    let mut takes: Vec<Vec<Take>> = vec![Vec::new(); rules.len()];
    let mut mib = None;
    for round in 0..args.rounds {
        let now = if round == 0 { rules.len() } else { 1 };
        for (rule, takes) in rules.iter().zip(&mut takes).take(now) {
            takes.push(take(&scene, rule, level, BLOCK)?);
            mib = mib.or_else(peak_mib);
            bar.inc(1);
        }
    }
    let figures = rules.iter().zip(&takes).map(|(rule, takes)| figures(rule, takes));
    let mut figures: Vec<Value> = figures.collect();
    let total = figures[0]["cpu_percent"].as_f64().unwrap_or_default()
        + figures[0]["preparing_percent"].as_f64().unwrap_or_default();
    figures.reverse();
    Ok(report(&scene, args, figures, total, mib))
}

fn figures(rule: &Rule, takes: &[Take]) -> Value {
    let all: Vec<Vec<Part>> = takes.iter().map(|take| take.parts.clone()).collect();
    let seconds = takes[0].seconds;
    let percent = |time: fn(&Part) -> f64| {
        let parts = medians(&all, time);
        (100.0 * parts.iter().sum::<f64>() / seconds, parts)
    };
    let (cpu, parts) = percent(|part| part.render_s);
    // The second that took most.
    let second = (parts.len() as f64 / seconds).round().max(1.0) as usize;
    let sums = parts.windows(second.min(parts.len())).map(|second| second.iter().sum::<f64>());
    let busiest = 100.0 * sums.fold(0.0, f64::max) / seconds.min(1.0);
    json!({
        "rule": rule.key, "name": rule.name, "block": rule.block,
        "share_of_modes": takes[0].share(), "cpu_percent": cpu, "busiest_percent": busiest,
        "preparing_percent": percent(|part| part.preparing_s).0,
        "deciding_percent": percent(|part| part.deciding_s).0,
    })
}

fn report(
    scene: &Scene,
    args: &Args,
    rules: Vec<Value>,
    total: f64,
    peak_mib: Option<f64>,
) -> Value {
    let name = "rendering and preparing together, % of one core";
    json!({
        "objects": args.objects, "modes": scene.mode_count(), "impacts": scene.blows.len(),
        "seconds": scene.seconds, "peak_mib": peak_mib, "rules": rules,
        "promises": [{
            "key": "real_time", "name": name, "figure": total, "sign": "<", "promised": 100.0,
            "kept": total < 100.0,
        }],
    })
}

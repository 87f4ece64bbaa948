//! A crowd in real time on one core.

use anyhow::Result;
use foley::DEFAULT_PLAYBACK_DB;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::{Args, accelerations};
use crate::bench::clock::median;
use crate::bench::level::full_scale_pa;
use crate::bench::memory::peak_mib;
use crate::bench::take::{Level, Rule, Take, take};
use crate::scene::{Scene, crowd};

const MODES_EACH: usize = 100;
/// Long: with so many objects what is done once per block and object counts.
const BLOCK: usize = 512;

pub(super) fn measure(args: &Args, bar: &ProgressBar) -> Result<Value> {
    let scene = crowd(args.objects, MODES_EACH, args.impacts, args.seconds, 1)?;
    let level = Level { full_scale_pa: full_scale_pa(&scene)?, playback_db: DEFAULT_PLAYBACK_DB };
    let rules = accelerations().into_iter().map(|rule| Rule { block: BLOCK, ..rule });
    let mut rules: Vec<Rule> = rules.collect();
    // The default first, as nobody else has taken memory then. Sample by sample takes longer
    // than real time: once is enough.
    rules.reverse();
    let slow = rules.len() - 1;
    bar.set_message("crowd");
    bar.set_length((slow * args.rounds + 1) as u64);
    let mut takes: Vec<Vec<Take>> = vec![Vec::new(); rules.len()];
    let mut mib = None;
    for round in 0..args.rounds {
        for (rule, takes) in
            rules.iter().zip(&mut takes).take(if round == 0 { slow + 1 } else { slow })
        {
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
    let middle = |figure: fn(&Take) -> f64| {
        median(&mut takes.iter().map(|t| 100.0 * figure(t) / t.seconds).collect::<Vec<_>>())
    };
    json!({
        "rule": rule.key, "name": rule.name, "block": rule.block,
        "share_of_modes": takes[0].share(), "cpu_percent": middle(|t| t.render_s),
        "preparing_percent": middle(|t| t.preparing_s),
        "deciding_percent": middle(|t| t.deciding_s),
        "busiest_percent": middle(busiest_second),
    })
}

/// Processor time of the second that took most, for as long as the whole sound.
fn busiest_second(take: &Take) -> f64 {
    let second = (take.parts.len() as f64 / take.seconds).round().max(1.0) as usize;
    let sums = take.parts.windows(second.min(take.parts.len())).map(|w| w.iter().sum::<f64>());
    sums.fold(0.0, f64::max) * take.seconds.max(1.0)
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

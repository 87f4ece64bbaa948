//! `foley bench hail`: the picnic of [CS] under hail of any rate, and what each part of it costs.
//!
//! The paper's table has 280 % of a processor for all modes and 38 % with pruning; here particles,
//! blows, deciding and synthesis are timed apart, for stones that fall in straight lines and in parabolas;
//! a GPU, where there is one, decides the same stones.

mod gpu;
mod played;

use anyhow::{Context, Result};
use foley_engine::Settings;
use foley_hail::{Cloud, Wanted};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::scene::hail::{Fall, Hail};
use foley_scene::sonify::HailGeometry;
use serde_json::{Value, json};
use std::sync::Arc;

use super::clock::{all_cpu_seconds, median};
use crate::command::demo::picnic;
use crate::command::render::prepare;
use crate::progress;
use crate::say::say;
use played::played;

/// Hail on the picnic.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Rounds; the median of each time is reported
    #[arg(long, default_value_t = 3, value_parser = super::modes::rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Seconds of sound
    #[arg(long, default_value_t = 3.0, value_parser = seconds)]
    seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x| (0.1..=60.0).contains(x));
    number.ok_or_else(|| "choose between 0.1 and 60 seconds".into())
}

/// Impacts a second on what sounds, about.
const RATES: [f64; 3] = [100.0, 1_000.0, 10_000.0];
/// Stones a second that a GPU is asked to decide.
const DENSE: f64 = 400_000.0;
/// Stones that are decided to know how fast that goes.
const STONES: u64 = 200_000;

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let folder = tempfile::tempdir().context("no folder for the scene")?;
    let (mut scene, _) = picnic::scene(folder.path())?;
    scene.seconds = args.seconds;
    let prepared = prepare(&scene)?;
    // Still, and over everything: the same for every second.
    let hail = scene.hail.as_mut().context("the picnic has hail")?;
    hail.cloud = Cloud::rectangle([-0.3, 2.0, 9.0], [4.4, 3.4]);
    let on_gpu =
        gpu::decided(&hail_geometry(&with(&scene, |hail| hail.per_second = DENSE), &prepared)?)?;
    let bar = progress::bar("hail", (2 + 4 * RATES.len() * args.rounds) as u64);
    let (mut particles, mut rows) = (Vec::new(), Vec::new());
    for (fall, how) in [("straight", Fall::Straight), ("accelerated", Fall::Accelerated)] {
        let scene = with(&scene, |hail| hail.fall = how);
        let decided = decided(&hail_geometry(&scene, &prepared)?, fall, args.rounds);
        let share = number(&decided, "sound_of_all")?;
        particles.push(decided);
        bar.inc(1);
        for rate in RATES {
            let scene = with(&scene, |hail| hail.per_second = (rate / share).clamp(1.0, 1e6));
            for (rule, settings) in
                [("heard", Settings::default().audible()), ("all modes", Settings::default())]
            {
                let mut row = played(&scene, &prepared, &settings, args.rounds, &bar)?;
                row["fall"] = json!(fall);
                row["rule"] = json!(rule);
                rows.push(row);
            }
        }
    }
    bar.finish_and_clear();
    let modes: usize =
        prepared.things.iter().filter_map(|t| t.model.as_ref()).map(|m| m.mode_count()).sum();
    let report = json!({
        "modes": modes, "seconds": args.seconds, "rounds": args.rounds,
        "particles": particles, "gpu": on_gpu, "rates": rows,
    });
    if json { say!("{report}") } else { print(&report) }
}

/// The scene with another hail.
fn with(scene: &Scene, change: impl FnMut(&mut Hail)) -> Arc<Scene> {
    let mut scene = scene.clone();
    scene.hail.iter_mut().for_each(change);
    Arc::new(scene)
}

fn hail_geometry(scene: &Scene, prepared: &Prepared) -> Result<HailGeometry> {
    HailGeometry::new(scene, prepared)?.context("the picnic has hail")
}

/// How many stones are decided in a second of processor time.
fn decided(geometry: &HailGeometry, fall: &str, rounds: usize) -> Value {
    let shower = geometry.shower();
    let of = |wanted| (0..STONES).filter_map(move |k| shower.wanted_impact_of(k, wanted));
    let (mut times, mut heard) = (Vec::new(), 0);
    for _ in 0..rounds {
        let start = all_cpu_seconds();
        heard = of(Wanted::Sounding).count();
        times.push(all_cpu_seconds() - start);
    }
    json!({
        "fall": fall,
        "stones_per_s": STONES as f64 / median(&mut times),
        "struck_of_all": of(Wanted::All).count() as f64 / STONES as f64,
        "sound_of_all": heard as f64 / STONES as f64,
    })
}

fn number(value: &Value, key: &str) -> Result<f64> {
    value[key].as_f64().with_context(|| format!("the measurement lacks {key}"))
}

fn print(report: &Value) -> Result<()> {
    say!("hail on {} modes; processor time of one core", report["modes"])?;
    for row in report["particles"].as_array().into_iter().flatten() {
        say!(
            "{:12} {:6.2} million stones decided in a second; {:.0} % strike something, {:.1} % something that sounds",
            row["fall"].as_str().unwrap_or_default(),
            number(row, "stones_per_s")? / 1e6,
            100.0 * number(row, "struck_of_all")?,
            100.0 * number(row, "sound_of_all")?,
        )?;
    }
    let on_gpu = &report["gpu"];
    match on_gpu["adapter"].as_str() {
        Some(name) => say!(
            "{name}: {:.2} million stones decided in a second, {:.2} s of a core for a million; {} \
             impacts, {} the CPU's",
            number(on_gpu, "stones_per_s")? / 1e6,
            number(on_gpu, "processor_s_of_a_million")?,
            on_gpu["impacts"],
            if on_gpu["same_impacts"] == true { "exactly" } else { "NOT" },
        )?,
        None => say!("no GPU: {}", on_gpu["missing"].as_str().unwrap_or_default())?,
    }
    say!(
        "{:11} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "",
        "stones/s",
        "impacts/s",
        "rule",
        "particles",
        "blows",
        "synthesis",
        "deciding",
        "computed"
    )?;
    for row in report["rates"].as_array().into_iter().flatten() {
        let percent = |key| number(row, key).map(|x| format!("{:.2} %", 100.0 * x));
        say!(
            "{:11} {:10.0} {:10.0} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            row["fall"].as_str().unwrap_or_default(),
            number(row, "stones_per_s")?,
            number(row, "impacts_per_s")?,
            row["rule"].as_str().unwrap_or_default(),
            percent("particles_load")?,
            percent("blows_load")?,
            percent("synthesis_load")?,
            percent("deciding_load")?,
            percent("share_of_modes")?,
        )?;
    }
    Ok(())
}

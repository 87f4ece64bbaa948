//! `foley bench hail`: the picnic of [CS] under hail of any rate, and what each part of it costs.
//!
//! The paper's table has 280 % of a processor for all modes and 38 % with pruning; here particles,
//! blows, deciding and synthesis are timed apart, for stones that fall in straight lines and in parabolas;
//! a GPU, where there is one, decides the same stones.

mod gpu;

use anyhow::{Context, Result};
use foley::Settings;
use foley::backend::Source;
use foley_dsp::output::OutputSettings;
use foley_hail::{Cloud, Wanted};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::scene::hail::Fall;
use foley_scene::stage::{Happening, Performer, Storm, Told};
use serde_json::{Value, json};
use std::sync::Arc;

use super::clock::{all_cpu_seconds, median};
use crate::command::demo::picnic;
use crate::command::render::prepare;
use crate::progress;
use crate::say::say;

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
    let bar = progress::bar("hail", (2 + 2 * RATES.len() * args.rounds) as u64);
    let mut particles = Vec::new();
    for (name, fall) in [("straight", Fall::Straight), ("accelerated", Fall::Accelerated)] {
        let mut scene = scene.clone();
        scene.hail.as_mut().context("the picnic has hail")?.fall = fall;
        particles.push(decided(&scene, &prepared, name, args.rounds)?);
        bar.inc(1);
    }
    let share = number(&particles[0], "sound_of_all")?;
    let mut dense = scene.clone();
    dense.hail.as_mut().context("the picnic has hail")?.per_second = DENSE;
    let on_gpu = gpu::decided(&Storm::over(&dense, &prepared)?.context("the picnic has hail")?)?;
    let mut rows = Vec::new();
    for rate in RATES {
        scene.hail.as_mut().context("the picnic has hail")?.per_second =
            (rate / share).clamp(1.0, 1e6);
        let shared = Arc::new(scene.clone());
        for (name, settings) in
            [("heard", Settings::default().audible()), ("all modes", Settings::default())]
        {
            rows.push(played(&shared, &prepared, name, &settings, args.rounds, &bar)?);
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

/// How many stones are decided in a second of processor time.
fn decided(scene: &Scene, prepared: &Prepared, fall: &str, rounds: usize) -> Result<Value> {
    let storm = Storm::over(scene, prepared)?.context("the picnic has hail")?;
    let shower = storm.shower();
    let of = |wanted| (0..STONES).filter_map(move |k| shower.wanted_impact_of(k, wanted));
    let (mut times, mut heard) = (Vec::new(), 0);
    for _ in 0..rounds {
        let start = all_cpu_seconds();
        heard = of(Wanted::Sounding).count();
        times.push(all_cpu_seconds() - start);
    }
    Ok(json!({
        "fall": fall,
        "stones_per_s": STONES as f64 / median(&mut times),
        "struck_of_all": of(Wanted::All).count() as f64 / STONES as f64,
        "sound_of_all": heard as f64 / STONES as f64,
    }))
}

/// Plays the scene block by block, and says what each part took of a core.
fn played(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    rule: &str,
    settings: &Settings,
    rounds: usize,
    bar: &indicatif::ProgressBar,
) -> Result<Value> {
    let mut loads: [Vec<f64>; 3] = Default::default();
    let mut facts = json!({});
    for _ in 0..rounds {
        let (parts, told) = once(scene, prepared, settings)?;
        loads.iter_mut().zip(parts).for_each(|(all, part)| all.push(part / scene.seconds));
        facts = told;
        bar.inc(1);
    }
    let [particles, blows, synthesis] = loads.each_mut().map(|load| median(load));
    facts["rule"] = json!(rule);
    facts["particles_load"] = json!(particles);
    facts["blows_load"] = json!(blows);
    facts["synthesis_load"] = json!(synthesis);
    facts["real_time"] = json!(particles + blows + synthesis < 1.0);
    Ok(facts)
}

/// Processor time of particles, blows and synthesis, s, and what was heard.
fn once(scene: &Arc<Scene>, prepared: &Prepared, settings: &Settings) -> Result<([f64; 3], Value)> {
    let settings = Settings { full_scale_pa: 20.0, timed: true, ..settings.clone() };
    let (rate, block) = (f64::from(settings.sample_rate_hz), settings.block);
    let mut happening = Happening::new(scene, prepared)?;
    let output = OutputSettings::default();
    let (mut performer, mut mix) = Performer::new(Arc::clone(scene), prepared, settings, output)?;
    let (mut spent, mut told) = ([0.0; 3], Vec::<Told>::new());
    let (mut computed, mut modes, mut deciding_ns) = (0, 0, 0);
    let mut sound = vec![0.0; 2 * block];
    for number in 0..(scene.seconds * rate) as usize / block {
        let mut at = all_cpu_seconds();
        let mut lap = |part: &mut f64| {
            let now = all_cpu_seconds();
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
        "{:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
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
            "{:10.0} {:10.0} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
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

//! Hail on the picnic of \[CS\] at several rates, and the cost of each stage.
//!
//! The paper's table has 280 % of a processor for all modes and 38 % with pruning. Here particles,
//! excitation, deciding and synthesis are timed separately, for stones that fall in straight lines and in
//! parabolas; a GPU, where there is one, computes the same stones.

mod gpu_throughput;
mod timed_playback;

use anyhow::{Context, Result};
use foley_engine::Settings;
use foley_hail::{Cloud, ImpactFilter};
use foley_scene::Scene;
use foley_scene::prepare::Prepared;
use foley_scene::scene::hail::{Fall, Hail};
use foley_scene::sonify::HailGeometry;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::Progress;
use crate::cpu_time::{median, process_cpu_s};
use timed_playback::play_timed;

/// Approximate rates of impacts on sounding objects, 1/s.
const RATES: [f64; 3] = [100.0, 1_000.0, 10_000.0];
/// Rate of stones on the GPU, 1/s.
const DENSE: f64 = 400_000.0;
/// Number of stones whose impacts are computed on the CPU.
const STONES: u64 = 200_000;

/// Measures hail on the picnic; the scene is played for its own duration.
pub fn measure(
    mut scene: Scene,
    prepared: &Prepared,
    rounds: usize,
    progress: &dyn Progress,
) -> Result<Value> {
    // A cloud at rest over everything: the rate is constant.
    let hail = scene.hail.as_mut().context("the scene has no hail")?;
    hail.cloud = Cloud::rectangle([-0.3, 2.0, 9.0], [4.4, 3.4]);
    let dense = with_hail(&scene, |hail| hail.per_second = DENSE);
    let on_gpu = gpu_throughput::measure(&hail_geometry(&dense, prepared)?)?;
    let task = progress.begin("hail", (2 + 4 * RATES.len() * rounds) as u64);
    let (mut particles, mut rows) = (Vec::new(), Vec::new());
    for (fall, how) in [("straight", Fall::Straight), ("accelerated", Fall::Accelerated)] {
        let scene = with_hail(&scene, |hail| hail.fall = how);
        let (throughput, share) = cpu_throughput(&hail_geometry(&scene, prepared)?, fall, rounds);
        particles.push(throughput);
        task.advance();
        for rate in RATES {
            let scene = with_hail(&scene, |hail| hail.per_second = (rate / share).clamp(1.0, 1e6));
            for (rule, settings) in
                [("heard", Settings::default().audible()), ("all modes", Settings::default())]
            {
                let mut row = play_timed(&scene, prepared, &settings, rounds, &*task)?;
                row["fall"] = json!(fall);
                row["rule"] = json!(rule);
                rows.push(row);
            }
        }
    }
    let models = prepared.objects.iter().filter_map(|t| t.model.as_ref());
    let modes: usize = models.map(|m| m.mode_count()).sum();
    Ok(json!({
        "modes": modes, "seconds": scene.seconds, "rounds": rounds,
        "particles": particles, "gpu": on_gpu, "rates": rows,
    }))
}

/// Returns the scene with its hail changed.
fn with_hail(scene: &Scene, change: impl FnMut(&mut Hail)) -> Arc<Scene> {
    let mut scene = scene.clone();
    scene.hail.iter_mut().for_each(change);
    Arc::new(scene)
}

fn hail_geometry(scene: &Scene, prepared: &Prepared) -> Result<HailGeometry> {
    HailGeometry::new(scene, prepared)?.context("the scene has no hail")
}

/// Measures how many stones a second of processor time computes; also returns the share that hits sounding
/// objects.
fn cpu_throughput(geometry: &HailGeometry, fall: &str, rounds: usize) -> (Value, f64) {
    let simulation = geometry.simulation();
    let of = |filter| (0..STONES).filter_map(move |k| simulation.filtered_impact_of(k, filter));
    let (mut times, mut sounding) = (Vec::new(), 0);
    for _ in 0..rounds {
        let start = process_cpu_s();
        sounding = of(ImpactFilter::SoundingOnly).count();
        times.push(process_cpu_s() - start);
    }
    let share = sounding as f64 / STONES as f64;
    let figures = json!({
        "fall": fall,
        "stones_per_s": STONES as f64 / median(&mut times),
        "struck_of_all": of(ImpactFilter::All).count() as f64 / STONES as f64,
        "sound_of_all": share,
    });
    (figures, share)
}

//! Hail on the picnic of \[CS\] at several rates, and the cost of each stage.
//!
//! The paper's table has 280 % of a processor for all modes and 38 % with pruning. Here particles,
//! excitation, deciding and synthesis are timed separately, for stones that fall in straight lines and in
//! parabolas; a GPU, where there is one, computes the same stones.

mod gpu_throughput;

use anyhow::Result;
use foley_dsp::resonator::Kernel;
use foley_hail::{Cloud, ImpactFilter};
use foley_scene::scene::Level;
use foley_scene::scene::hail::Fall;
use foley_scene::sonify::HailGeometry;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::measurement::median;
use crate::scene::{BenchScene, hail, hail_geometry, picnic, set_impact_rate};
use crate::timed_render::{Method, SimulatedScene, StepTimes, median_load};
use crate::{Progress, Task};
use foley_engine::cpu_time::process_cpu_s;

/// Approximate rates of impacts on sounding objects, 1/s.
const RATES: [f64; 3] = [100.0, 1_000.0, 10_000.0];
/// Rate of stones on the GPU, 1/s.
const DENSE: f64 = 400_000.0;
/// Number of stones whose impacts are computed on the CPU.
const STONES: u64 = 200_000;
/// Pressure of full scale, Pa.
const FULL_SCALE_PA: f64 = 20.0;
/// Frames between clock readings, two blocks.
const STEP: usize = 1024;

/// Measures hail on the picnic over `seconds`.
pub fn measure(seconds: f64, rounds: usize, progress: &dyn Progress) -> Result<Value> {
    let (mut scene, prepared) = picnic(progress)?;
    (scene.seconds, scene.level) = (seconds, Level::FullScale(FULL_SCALE_PA));
    // A cloud at rest over everything: the rate is constant.
    hail(&mut scene)?.cloud = Cloud::rectangle([-0.3, 2.0, 9.0], [4.4, 3.4]);
    let mut dense = scene.clone();
    hail(&mut dense)?.per_second = DENSE;
    let on_gpu = gpu_throughput::measure(&hail_geometry(&dense, &prepared)?)?;
    let mut bench =
        BenchScene { name: "hail", about: "hail on the picnic", scene: Arc::new(scene), prepared };
    let task = progress.begin("hail", (2 + 4 * RATES.len() * rounds) as u64);
    let (mut particles, mut rows) = (Vec::new(), Vec::new());
    for (fall, how) in [("straight", Fall::Straight), ("accelerated", Fall::Accelerated)] {
        hail(Arc::make_mut(&mut bench.scene))?.fall = how;
        let geometry = hail_geometry(&bench.scene, &bench.prepared)?;
        particles.push(cpu_throughput(&geometry, fall, rounds));
        task.advance();
        for rate in RATES {
            set_impact_rate(Arc::make_mut(&mut bench.scene), &bench.prepared, rate)?;
            for (rule, method) in
                [("heard", Method::partials()), ("all modes", Method::every_mode(Kernel::Auto))]
            {
                let mut row = play_timed(&bench, &method, rounds, &*task)?;
                row["fall"] = json!(fall);
                row["rule"] = json!(rule);
                rows.push(row);
            }
        }
    }
    Ok(json!({
        "modes": bench.mode_count(), "seconds": seconds, "rounds": rounds,
        "particles": particles, "gpu": on_gpu, "rates": rows,
    }))
}

/// Simulates and renders a scene and returns the load of each stage, in cores.
fn play_timed(
    bench: &BenchScene,
    method: &Method,
    rounds: usize,
    task: &dyn Task,
) -> Result<Value> {
    let mut renders = Vec::new();
    for _ in 0..rounds {
        renders.push(SimulatedScene::new(bench)?.render(method, STEP)?);
        task.advance();
    }
    let load = |time: fn(&StepTimes) -> f64| median_load(&renders, time);
    let (seconds, stats) = (bench.scene.seconds, renders[0].stats);
    Ok(json!({
        "stones_per_s": stats.hail.emitted as f64 / seconds,
        "impacts_per_s": stats.hail.sounded as f64 / seconds,
        "refused": stats.refused,
        "particles_load": load(|step| step.simulation_s),
        "excitation_load": load(|step| step.excitation_s),
        "synthesis_load": load(|step| step.render_s),
        "deciding_load": load(|step| step.deciding_s),
        "share_of_modes": renders[0].share(),
        "real_time": load(|step| step.preparing_s() + step.render_s) < 1.0,
    }))
}

/// Measures how many stones a second of processor time computes, and the shares that hit.
fn cpu_throughput(geometry: &HailGeometry, fall: &str, rounds: usize) -> Value {
    let simulation = geometry.simulation();
    let of = |filter| (0..STONES).filter_map(move |k| simulation.filtered_impact_of(k, filter));
    let (mut times, mut sounding) = (Vec::new(), 0);
    for _ in 0..rounds {
        let start = process_cpu_s();
        sounding = of(ImpactFilter::SoundingOnly).count();
        times.push(process_cpu_s() - start);
    }
    json!({
        "fall": fall,
        "stones_per_s": STONES as f64 / median(&mut times),
        "struck_of_all": of(ImpactFilter::All).count() as f64 / STONES as f64,
        "sound_of_all": sounding as f64 / STONES as f64,
    })
}

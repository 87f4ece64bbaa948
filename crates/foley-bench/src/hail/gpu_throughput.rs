//! Throughput of the GPU, where there is one, on the same stones.

use anyhow::Result;
use foley_gpu::{AdapterPreference, Gpu, GpuHail, GpuOptions, Slots};
use foley_hail::{ImpactFilter, ImpactStream};
use foley_scene::sonify::HailGeometry;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

use foley_engine::cpu_time::process_cpu_s;

/// Duration of the hail that is compared, s.
const SECONDS: f64 = 0.5;

/// Measures stones computed in a second of real time and compares the impacts with the CPU's, bit for bit.
/// Returns the reason where there is no GPU.
pub(crate) fn measure(geometry: &HailGeometry) -> Result<Value> {
    let gpu = match Gpu::open(AdapterPreference::Fastest) {
        Ok(gpu) => Arc::new(gpu),
        Err(why) => return Ok(json!({ "missing": why.to_string() })),
    };
    let simulation = Arc::clone(geometry.simulation());
    let (slots, filter) = (Slots::None, ImpactFilter::SoundingOnly);
    let options = GpuOptions::default().with_slots(slots).with_filter(filter);
    let mut on_gpu = GpuHail::new(Arc::clone(&gpu), Arc::clone(&simulation), options)?;
    let (mut found, mut truth) = (Vec::new(), Vec::new());
    // Builds pipelines and computes stones that are in the air already, outside the measured time.
    on_gpu.advance(0.05, &mut found)?;
    let (began, busy_s) = (Instant::now(), process_cpu_s());
    on_gpu.advance(0.05 + SECONDS, &mut found)?;
    let (took_s, busy_s) = (began.elapsed().as_secs_f64(), process_cpu_s() - busy_s);
    let stones = SECONDS * simulation.emitter().settings().per_second;
    let mut on_cpu = ImpactStream::new(Arc::clone(&simulation), 0.0)?.with_filter(filter);
    on_cpu.advance(0.05 + SECONDS, &mut truth)?;
    Ok(json!({
        "adapter": gpu.name(),
        "software": gpu.is_software(),
        "stones_per_s": stones / took_s,
        "processor_s_of_a_million": 1e6 * busy_s / stones,
        "impacts": found.len(),
        "same_impacts": found == truth,
    }))
}

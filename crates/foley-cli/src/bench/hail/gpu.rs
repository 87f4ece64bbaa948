//! The same stones on the GPU, where there is one.

use anyhow::Result;
use foley_gpu::{Choice, Gpu, GpuShower, Options, Slots};
use foley_hail::{Stream, Wanted};
use foley_scene::sonify::HailGeometry;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

use crate::bench::clock::all_cpu_seconds;

/// Of the hail that is compared, s.
const SECONDS: f64 = 0.5;

/// Stones decided in a second of real time, and whether the impacts are the CPU's, bit for bit.
/// Where there is no GPU, why.
pub(super) fn decided(geometry: &HailGeometry) -> Result<Value> {
    let gpu = match Gpu::open(Choice::Fastest) {
        Ok(gpu) => Arc::new(gpu),
        Err(why) => return Ok(json!({ "missing": why.to_string() })),
    };
    let shower = Arc::clone(geometry.shower());
    let (slots, wanted) = (Slots::None, Wanted::Sounding);
    let options = Options { slots, wanted, ..Options::default() };
    let mut on_gpu = GpuShower::new(Arc::clone(&gpu), Arc::clone(&shower), options)?;
    let (mut found, mut truth) = (Vec::new(), Vec::new());
    // Pipelines are made, and stones that are in the air already are decided, before the clock runs.
    on_gpu.advance(0.05, &mut found)?;
    let (began, busy_s) = (Instant::now(), all_cpu_seconds());
    on_gpu.advance(0.05 + SECONDS, &mut found)?;
    let (took_s, busy_s) = (began.elapsed().as_secs_f64(), all_cpu_seconds() - busy_s);
    let stones = SECONDS * shower.sky().hail().per_second;
    let mut on_cpu = Stream::new(Arc::clone(&shower), 0.0)?.of(wanted);
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

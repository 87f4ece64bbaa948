//! Complete frames: new stones tested, all stones advected, impacts read back.

use crate::Failure;
use crate::speed::scene;
use foley_gpu::{Camera, Gpu, GpuHail, GpuOptions, PictureRenderer, RawHitTest, TransferMode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const FRAME_S: f64 = 1.0 / 60.0;
/// The longest time and the largest number of frames of a measurement.
const LONGEST: Duration = Duration::from_secs(8);
const MOST: u32 = 240;

pub(crate) fn measure(gpu: &Arc<Gpu>, stones: u64) -> Result<Value, Failure> {
    let simulation = scene::in_flight(stones)?;
    let begin_s = simulation.max_flight_s();
    let options = GpuOptions::default()
        .with_from_s(begin_s)
        .with_batch(1 << 18)
        .with_timeout(Duration::from_secs(120));
    let on = |options| GpuHail::new(Arc::clone(gpu), Arc::clone(&simulation), options);

    let mut hail = on(options)?;
    let (mut impacts, mut at_s) = (Vec::new(), begin_s);
    let warm = Instant::now();
    hail.advance(at_s, &mut impacts)?;
    let filled_s = warm.elapsed().as_secs_f64();
    let sound = rate(|| {
        at_s += FRAME_S;
        impacts.clear();
        hail.advance(at_s, &mut impacts)
    })?;
    let moving = rate(|| {
        at_s += FRAME_S;
        impacts.clear();
        hail.advance(at_s, &mut impacts)?;
        hail.advect_stones()
    })?;
    let in_frame = impacts.len();
    let mut renderer = PictureRenderer::new(&hail, [1280, 720])?;
    let camera = Camera::default();
    let drawing = rate(|| {
        at_s += FRAME_S;
        impacts.clear();
        hail.advance(at_s, &mut impacts)?;
        renderer.render(&hail, &camera).map(|_| ())
    })?;
    drop((hail, renderer));

    let mut mapped =
        on(options.with_transfer(TransferMode::Map { size: [512, 512] }).with_frame_s(FRAME_S))?;
    let mut at_s = begin_s;
    mapped.advance(at_s, &mut impacts)?;
    let map = rate(|| {
        at_s += FRAME_S;
        impacts.clear();
        mapped.advance(at_s, &mut impacts)
    })?;
    if stones == 10_000_000 && !gpu.is_software() {
        foley_measured::check!(
            "hail.gpu_frames",
            drawing,
            "cargo run --release -p foley-gpu --example hail_speed"
        );
        foley_measured::check!(
            "hail.gpu_frames_map",
            map,
            "cargo run --release -p foley-gpu --example hail_speed"
        );
        foley_measured::check!(
            "hail.gpu_frames_moved",
            moving,
            "cargo run --release -p foley-gpu --example hail_speed"
        );
    }
    Ok(json!({
        "stones_in_flight": (simulation.max_flight_s() * simulation.emitter().settings().per_second) as u64,
        "stones_a_second": simulation.emitter().settings().per_second,
        "impacts_in_a_frame": in_frame,
        "seconds_to_fill_the_sky": filled_s,
        "frames_per_second": {
            "newborn_and_readback": sound,
            "newborn_fall_and_readback": moving,
            "newborn_fall_map_and_readback": map,
            "newborn_fall_readback_and_picture_1280x720": drawing,
        },
    }))
}

/// Hit tests per second, batch by batch, including the readback of candidates.
pub(crate) fn decided(gpu: &Gpu, stones: u64) -> Result<Value, Failure> {
    let (mut rates, mut slower) = (Vec::new(), f64::INFINITY);
    for (name, fall) in [("straight", scene::straight()), ("accelerated", scene::accelerated())] {
        let simulation = scene::near(fall)?;
        let mut raw = RawHitTest::new(gpu, &simulation)?;
        raw.impacts(0..stones.min(65_536))?;
        let begin = Instant::now();
        raw.impacts(0..stones)?;
        let gpu_rate = stones as f64 / begin.elapsed().as_secs_f64();
        slower = slower.min(gpu_rate);
        let begin = Instant::now();
        let few = stones.min(100_000);
        let struck = (0..few).filter(|stone| simulation.impact_of(*stone).is_some()).count();
        let cpu_rate = few as f64 / begin.elapsed().as_secs_f64();
        rates.push(json!({
            "fall": name,
            "gpu_per_second": gpu_rate,
            "one_cpu_core_per_second": cpu_rate,
            "part_that_strikes": struck as f64 / few as f64,
        }));
    }
    if stones == 1_000_000 && !gpu.is_software() {
        foley_measured::check!(
            "hail.gpu_decided",
            1e-6 * slower,
            "cargo run --release -p foley-gpu --example hail_speed"
        );
    }
    Ok(json!({ "stones": stones, "rates": rates }))
}

/// Returns frames per second.
fn rate(mut frame: impl FnMut() -> Result<(), foley_gpu::GpuError>) -> Result<f64, Failure> {
    // The first frame compiles shaders and fills buffers.
    frame()?;
    let begin = Instant::now();
    let mut frames = 0;
    while frames < MOST && begin.elapsed() < LONGEST {
        frame()?;
        frames += 1;
    }
    Ok(f64::from(frames) / begin.elapsed().as_secs_f64())
}

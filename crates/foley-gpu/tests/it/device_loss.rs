//! Device loss: no impact is missing or repeated.

use crate::common;

use common::{accelerated, assert_same, different, gpu, heavy, simulation};
use foley_gpu::{GpuHail, GpuOptions, GpuOrCpu, Slots, TransferMode};
use foley_hail::FallModel;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Tests measure times, so they run one after the other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

const FRAME_S: f64 = 1.0 / 60.0;

#[test]
fn the_cpu_takes_over_at_the_very_next_stone() {
    let _alone = alone();
    let Some(gpu) = gpu("takeover") else { return };
    let simulation = simulation(heavy(accelerated()).with_per_second(100_000.0));
    let options = GpuOptions::default().with_from_s(6.0).with_slots(Slots::None);
    let mut hail = GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options).unwrap();
    let mut impacts = Vec::new();
    for frame in 1..=60 {
        let until_s = 6.0 + f64::from(frame) * FRAME_S;
        // Half a frame ahead: work is in progress when the GPU is lost.
        hail.request(until_s + 0.5 * FRAME_S).unwrap();
        if frame == 31 {
            assert!(hail.gpu().is_some() && hail.fallback_reason().is_none());
            gpu.destroy();
        }
        let (begin, before) = (Instant::now(), impacts.len());
        hail.advance(until_s, &mut impacts).unwrap();
        assert!(impacts.len() > before + 500);
        if frame >= 31 {
            foley_measured::check!("hail.gpu_lost_gap", 1e3 * begin.elapsed().as_secs_f64());
            assert!(hail.gpu().is_none() && hail.fallback_reason().is_some());
        }
    }
    let expected = simulation.impacts(6.0, hail.now_s()).unwrap();
    foley_measured::check!("hail.gpu_lost_differ", different(&impacts, &expected));
}

#[test]
fn polling_goes_on_without_a_gpu() {
    let _alone = alone();
    let Some(gpu) = gpu("polling takeover") else { return };
    let simulation = simulation(heavy(FallModel::straight([0.5, 0.0])).with_per_second(50_000.0));
    let options = GpuOptions::default().with_from_s(7.0).with_slots(Slots::None);
    let mut hail = GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options).unwrap();
    let (mut impacts, mut given_s, mut lost) = (Vec::new(), 7.0, None);
    let begin = Instant::now();
    while given_s < 8.0 {
        hail.request((given_s + 0.1_f64).min(8.0)).unwrap();
        let before = impacts.len();
        given_s = hail.poll(8.0, &mut impacts).unwrap();
        if given_s > 7.5 && hail.gpu().is_some() {
            gpu.destroy();
            lost = Some(Instant::now());
        } else if let Some(since) = lost
            && impacts.len() > before
        {
            foley_measured::check!("hail.gpu_lost_gap", 1e3 * since.elapsed().as_secs_f64());
            lost = None;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing came");
    }
    assert!(hail.gpu().is_none() && lost.is_none());
    let expected = simulation.impacts(7.0, 8.0).unwrap();
    foley_measured::check!("hail.gpu_lost_differ", different(&impacts, &expected));
}

#[test]
fn a_lost_gpu_is_an_error_that_says_so() {
    let _alone = alone();
    let Some(gpu) = gpu("lost") else { return };
    let simulation = simulation(heavy(accelerated()).with_per_second(1000.0));
    let mut hail = GpuHail::new(gpu.clone(), simulation.clone(), GpuOptions::default()).unwrap();
    let mut impacts = Vec::new();
    hail.advance(6.0, &mut impacts).unwrap();
    let before = impacts.len();
    assert!(before > 500);
    gpu.destroy();
    let error = hail.advance(7.0, &mut impacts).unwrap_err();
    assert!(error.to_string().contains("lost") && error.cpu_can_continue(), "{error}");
    assert_eq!(impacts.len(), before);
    // Another simulation on it is an error, not a panic.
    assert!(GpuHail::new(gpu, simulation, GpuOptions::default()).is_err());
}

#[test]
fn invalid_options_do_not_fall_back_to_the_cpu() {
    let _alone = alone();
    let Some(gpu) = gpu("mistakes") else { return };
    let simulation = simulation(heavy(accelerated()).with_per_second(1000.0));
    let on = |options| GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options);
    assert!(on(GpuOptions::default().with_restitution(f64::NAN)).is_err());
    assert!(on(GpuOptions::default().with_frame_s(0.0)).is_err());
    assert!(on(GpuOptions::default().with_from_s(f64::NAN)).is_err());
    let mut hail = on(GpuOptions::default()).unwrap();
    let mut impacts = Vec::new();
    hail.advance(5.0, &mut impacts).unwrap();
    assert!(hail.advance(4.0, &mut impacts).is_err());
    assert!(hail.advance(f64::NAN, &mut impacts).is_err());
    assert!(hail.gpu().is_some());
    // Too few slots for the GPU; the CPU needs none.
    let few = GpuOptions::default().with_slots(Slots::Exactly(10));
    assert!(GpuHail::new(gpu.clone(), simulation.clone(), few).is_err());
    let mut by_cpu = on(few).unwrap();
    assert!(by_cpu.fallback_reason().is_some());
    by_cpu.advance(5.0, &mut impacts).unwrap();
    assert!(by_cpu.advance(4.0, &mut impacts).is_err());
    assert!(by_cpu.advance(f64::NAN, &mut impacts).is_err());
    assert!(by_cpu.advance(1e8, &mut impacts).is_err());
}

#[test]
fn buffers_too_large_for_the_gpu_fall_back_to_the_cpu() {
    let _alone = alone();
    let Some(gpu) = gpu("too large") else { return };
    // Fifteen million stones in flight exceed a buffer of 128 MB.
    let cloud = foley_hail::Cloud::disc([0.0, 0.0, 105.0], 6.5);
    let high = heavy(FallModel::straight([0.0; 2])).with_per_second(1e6).with_cloud(cloud);
    let simulation = simulation(high);
    let options = GpuOptions::default().with_from_s(3.0);
    let error = GpuHail::new(gpu.clone(), simulation.clone(), options).unwrap_err().to_string();
    assert!(error.contains("stones need") && error.contains("at once"), "{error}");
    let mut hail = GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options).unwrap();
    assert!(hail.gpu().is_none() && hail.fallback_reason().is_some());
    hail.advance(3.1, &mut Vec::new()).unwrap();
    // Without slots there is room; too large steps are rejected.
    let deaf = options.with_slots(Slots::None);
    let mut hail = GpuHail::new(gpu, simulation, deaf).unwrap();
    let error = hail.advance(100.0, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("shorter steps"), "{error}");
}

#[test]
fn after_a_lost_map_the_cpu_returns_every_impact() {
    let _alone = alone();
    let Some(gpu) = gpu("lost map") else { return };
    let simulation = simulation(heavy(accelerated()).with_per_second(50_000.0));
    let transfer = TransferMode::Map { size: [64, 64] };
    let options = GpuOptions::default().with_from_s(6.0).with_transfer(transfer);
    let mut hail = GpuOrCpu::on_gpu(gpu.clone(), simulation.clone(), options).unwrap();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    hail.advance(6.2, &mut before).unwrap();
    assert!(hail.gpu_hail().is_some());
    // Frames are in progress when the GPU is lost.
    hail.request(6.25).unwrap();
    gpu.destroy();
    hail.advance(6.4, &mut after).unwrap();
    assert!(hail.gpu().is_none());
    let all = simulation.impacts(6.0, 6.2).unwrap();
    assert!(before.len() > 3000 && before.len() < all.len());
    assert_same(&after, &simulation.impacts(6.2, 6.4).unwrap());
    let stones = before.iter().chain(&after).map(|impact| impact.stone);
    assert_eq!(stones.collect::<BTreeSet<u64>>().len(), before.len() + after.len());
}

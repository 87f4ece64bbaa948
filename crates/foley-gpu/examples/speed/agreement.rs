//! Agreement of the GPU with the CPU.

use crate::Failure;
use crate::speed::scene;
use foley_gpu::{Gpu, RawHitTest};
use foley_hail::{FallModel, Impact};
use serde_json::{Value, json};

pub(crate) fn measure(
    gpu: &Gpu,
    name: &str,
    fall: FallModel,
    stones: u64,
) -> Result<Value, Failure> {
    let simulation = scene::near(fall)?;
    let raw = RawHitTest::new(gpu, &simulation)?.impacts(0..stones)?;
    let exact: Vec<Impact> = (0..stones).filter_map(|stone| simulation.impact_of(stone)).collect();
    let mut next = raw.iter().peekable();
    let (mut missing, mut elsewhere, mut over) = (0_u64, 0_u64, 0_u64);
    let (mut worst, mut worst_steep, mut worst_place) = (0.0_f64, 0.0_f64, 0.0_f64);
    for impact in &exact {
        while next.next_if(|raw| raw.stone < impact.stone).is_some() {}
        match next.peek().filter(|raw| raw.stone == impact.stone) {
            None => missing += 1,
            Some(raw) if raw.target != impact.target => elsewhere += 1,
            Some(raw) => {
                let samples = 48_000.0 * (f64::from(raw.t_s) - impact.t_s).abs();
                let steep = impact.normal_speed_m_s() / impact.speed_m_s();
                let off =
                    (0..3).map(|i| (raw.position_m[i] - impact.position_m[i]).powi(2)).sum::<f64>();
                let bounds = simulation.targets().as_slice()[impact.target as usize]
                    .target()
                    .surface
                    .bounds();
                let size = (0..3).map(|i| (bounds.hi[i] - bounds.lo[i]).powi(2)).sum::<f64>();
                worst = worst.max(samples);
                worst_steep = worst_steep.max(samples * steep);
                worst_place = worst_place.max((off / size).sqrt() * steep);
                over += u64::from(samples > 0.1);
            }
        }
    }
    if stones == 1_000_000 && !gpu.is_software() {
        foley_measured::check!(
            "hail.gpu_hardware_missing",
            missing as f64,
            "cargo run --release -p foley-gpu --example hail_speed"
        );
    }
    Ok(json!({
        "fall": name,
        "stones": stones,
        "impacts": exact.len(),
        "same_impacts_after_judging": missing == 0,
        "missing": missing,
        "proposed_in_vain": raw.len() as u64 + missing - exact.len() as u64,
        "raw": {
            "on_another_collider": elsewhere,
            "off_by_more_than_a_tenth_of_a_sample": over,
            "worst_time_samples_at_48_kHz": worst,
            "worst_time_samples_along_the_normal": worst_steep,
            "worst_place_along_the_normal_in_collider_sizes": worst_place,
        },
    }))
}

//! Measures speed and accuracy of hail on the GPU of this machine; prints JSON.
//!
//! `hail_speed [--stones N]`: N stones in flight (default 1,000,000, then 10,000,000).
//! `hail_speed --hardware`: the default, but nothing without a hardware GPU.
//!
//! Figures of a hardware GPU are targets of MEASURED.md.

mod speed {
    pub(crate) mod agreement;
    pub(crate) mod frames;
    pub(crate) mod scene;
}

use foley_gpu::{AdapterPreference, Gpu};
use serde_json::json;
use speed::{agreement, frames, scene};
use std::sync::Arc;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let stones = match &arguments[..] {
        [] => vec![1_000_000, 10_000_000],
        [flag] if flag == "--hardware" => vec![1_000_000, 10_000_000],
        [flag, n] if flag == "--stones" => vec![n.parse::<u64>()?],
        _ => return Err("usage: hail_speed [--stones N | --hardware]".into()),
    };
    let hardware_only = arguments.iter().any(|argument| argument == "--hardware");
    let gpu = match Gpu::open(AdapterPreference::Fastest) {
        Ok(gpu) if !(hardware_only && gpu.is_software()) => Arc::new(gpu),
        Err(error) if !hardware_only => return Err(error.into()),
        _ => {
            eprintln!("hail_speed: there is no hardware GPU; nothing is measured");
            return Ok(());
        }
    };
    let small = stones.iter().all(|n| *n < 1_000_000);
    let verified = if small { 100_000 } else { 1_000_000 };
    let mut simulations = Vec::new();
    for n in stones {
        simulations.push(frames::measure(&gpu, n)?);
    }
    let report = json!({
        "adapter": gpu.name(),
        "software": gpu.is_software(),
        "frames": simulations,
        "stones_decided": frames::decided(&gpu, verified)?,
        "agreement": [
            agreement::measure(&gpu, "straight", scene::straight(), verified)?,
            agreement::measure(&gpu, "accelerated", scene::accelerated(), verified)?,
        ],
    });
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}

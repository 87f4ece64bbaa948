//! Modal synthesis throughput: modes that one core runs in real time.

mod fma_peak;
mod naive;

use anyhow::{Context, Result};
use foley_dsp::resonator::{Bank, BankSettings, Kernel, Voice};
use foley_dsp::simd::Cpu;
use serde_json::{Value, json};

use crate::measurement::{median, per_call};
use crate::{Progress, klank};
use fma_peak::fma_lanes_per_second;
use naive::NaiveBank;

const RATE: f64 = 48_000.0;
/// Multiply-add pipe operations per mode and sample of the driven per-sample kernel.
const RECURRENCE_OPS: f64 = 6.0;

/// A kernel at one size.
struct Job {
    name: &'static str,
    cpu: Cpu,
    kernel: Kernel,
    modes: usize,
    block: usize,
    driven: bool,
    /// Target of the ratio to the naive loop.
    target: Option<f64>,
}

const fn job(
    name: &'static str,
    cpu: Cpu,
    kernel: Kernel,
    (modes, block): (usize, usize),
    driven: bool,
    target: Option<f64>,
) -> Job {
    Job { name, cpu, kernel, modes, block, driven, target }
}

const JOBS: &[Job] = {
    use Cpu::{Avx2, Best};
    use Kernel::{PerSample, Spectral};
    &[
        job("per-sample, driven", Best, PerSample, (1_920, 512), true, Some(12.0)),
        job("per-sample, free", Best, PerSample, (1_920, 512), false, None),
        job("spectral, dense force", Best, Spectral, (15_360, 512), true, Some(150.0)),
        job("spectral, dense force", Best, Spectral, (122_880, 512), true, None),
        job("spectral, dense force", Best, Spectral, (15_360, 64), true, Some(30.0)),
        job("spectral, dense force", Best, Spectral, (15_360, 128), true, None),
        job("spectral, free", Best, Spectral, (15_360, 512), false, None),
        job("spectral, free", Best, Spectral, (122_880, 512), false, None),
        job("per-sample, driven, AVX2", Avx2, PerSample, (1_920, 512), true, None),
        job("spectral, dense force, AVX2", Avx2, Spectral, (15_360, 512), true, Some(100.0)),
    ]
};

/// A bank and its force.
struct Running {
    bank: Bank,
    force: Vec<f32>,
    out: Vec<f32>,
    driven: bool,
    blocks: usize,
}

impl Running {
    fn new(job: &Job) -> Result<Self> {
        let (f, d, gains) = mixed_modes(job.modes);
        let mut bank = Bank::new(
            BankSettings::default()
                .with_sample_rate_hz(RATE)
                .with_block(job.block)
                .with_voices(1)
                .with_kernel(job.kernel)
                .with_cpu(job.cpu),
        )?;
        let layout = bank.layout(&f, &d);
        let mut voice = Voice::new(layout.clone(), 1, 0);
        let _ = voice.move_contact(0, layout.gains(&gains));
        let _ = bank.insert(0, Box::new(voice));
        let force = (0..job.block).map(|i| 1e-3 * ((i * 7919 % 1000) as f32 / 1000.0 - 0.5));
        let mut running = Self {
            bank,
            force: force.collect(),
            out: vec![0.0; job.block],
            driven: true,
            blocks: 0,
        };
        running.block();
        running.driven = job.driven;
        Ok(running)
    }

    fn block(&mut self) {
        self.blocks += 1;
        // A force now and then keeps a free bank far from silence.
        if (self.driven || self.blocks.is_multiple_of(100))
            && let Some(x) = self.bank.voice_mut(0).and_then(|v| v.force(0))
        {
            x.copy_from_slice(&self.force);
        }
        self.bank.render(&mut self.out);
        std::hint::black_box(&self.out);
    }
}

/// Returns frequencies (60 Hz to 15 kHz, evenly in pitch), decay rates (T60 of 50 ms to 2 s) and gains.
fn mixed_modes(n: usize) -> (Vec<f64>, Vec<f64>, Vec<f32>) {
    let f = (0..n).map(|i| 60.0 * 250f64.powf((i as f64 + 0.5) / n as f64)).collect();
    let d = (0..n)
        .map(|i| 3.0 * 10f64.ln() / (0.05 * 40f64.powf((i as f64 * 0.618_034) % 1.0)))
        .collect();
    let gains = (0..n).map(|i| ((i * 7919) % 97) as f32 / 97.0 - 0.5).collect();
    (f, d, gains)
}

/// Measures every kernel `rounds` times and reports medians; with `klank` also SuperCollider's.
pub fn measure(rounds: usize, klank: bool, progress: &dyn Progress) -> Result<Value> {
    let task = progress.begin("measuring", (rounds * (JOBS.len() + 2)) as u64);
    let n = 1_920;
    let (f, d, gains) = mixed_modes(n);
    let mut naive = NaiveBank::new(&f, &d, &gains, RATE);
    let mut running = JOBS.iter().map(Running::new).collect::<Result<Vec<_>>>()?;
    let x = vec![1e-3; 512];
    let mut out = vec![0.0; 512];
    let mut naive_times = [Vec::new(), Vec::new()];
    let mut peaks = [Vec::new(), Vec::new()];
    let mut times = vec![Vec::new(); JOBS.len()];
    for _ in 0..rounds {
        naive_times[0].push(per_call(0.04, || naive.by_sample(&x, &mut out)));
        naive_times[1].push(per_call(0.04, || naive.by_mode(&x, &mut out)));
        task.advance();
        peaks[0].push(fma_lanes_per_second(Cpu::Best, 0.02));
        peaks[1].push(fma_lanes_per_second(Cpu::Avx2, 0.02));
        task.advance();
        for (running, times) in running.iter_mut().zip(&mut times) {
            times.push(per_call(0.04, || running.block()));
            task.advance();
        }
    }
    drop(task);
    let in_real_time = |modes: usize, block: usize, t: f64| modes as f64 * block as f64 / RATE / t;
    let [a, b] = naive_times.map(|mut t| median(&mut t));
    let naive_modes = in_real_time(n, 512, a.min(b));
    let peaks = peaks.map(|mut p| median(&mut p));
    let mut rows = Vec::new();
    for (job, times) in JOBS.iter().zip(&mut times) {
        let modes = in_real_time(job.modes, job.block, median(times));
        let ratio = modes / naive_modes;
        let peak = peaks[usize::from(job.cpu == Cpu::Avx2)];
        let driven_recurrence = job.kernel == Kernel::PerSample && job.driven;
        let share = driven_recurrence.then(|| modes * RATE * RECURRENCE_OPS / peak);
        let met = job.target.is_none_or(|p| ratio >= p)
            && (job.cpu != Cpu::Best || share.is_none_or(|s| s >= 0.85));
        rows.push(json!({
            "name": job.name, "cpu": job.cpu.name(), "modes": job.modes, "block": job.block,
            "modes_in_real_time": modes.round(), "ratio_to_naive": ratio,
            "target_ratio": job.target, "share_of_fma_peak": share, "met": met,
        }));
    }
    let klank = if klank { Some(klank_row(naive_modes, &rows)?) } else { None };
    Ok(json!({
        "sample_rate_hz": RATE, "rounds": rounds, "naive_modes": naive_modes.round(),
        "fma_peak_glanes": peaks[0] / 1e9, "fma_peak_glanes_avx2": peaks[1] / 1e9,
        "jobs": rows, "klank": klank,
    }))
}

/// Measures SuperCollider's Klank on the same core, where it is installed.
fn klank_row(naive_modes: f64, rows: &[Value]) -> Result<Value> {
    let modes = klank::modes_in_real_time(1_920, 10.0).context("cannot run SuperCollider")?;
    let Some(modes) = modes else {
        return Ok(json!({ "installed": false }));
    };
    let best = rows.iter().filter_map(|r| r["modes_in_real_time"].as_f64()).fold(0.0, f64::max);
    Ok(json!({
        "installed": true, "modes_in_real_time": modes.round(), "ratio_to_naive": modes / naive_modes,
        "foley_best_over_klank": best / modes,
    }))
}

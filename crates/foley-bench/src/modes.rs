//! `foley bench modes`: modes in real time on one core.

use anyhow::{Context, Result};
use foley_dsp::resonator::{Bank, BankSettings, Kernel, Voice};
use foley_dsp::simd::Cpu;
use serde_json::{Value, json};

use super::clock::{median, per_call};
use super::klank;
use super::naive::Naive;
use super::peak::fma_lanes_per_second;
use crate::progress;
use crate::say::say;

const RATE: f64 = 48_000.0;
/// Multiply-add pipe operations per mode and sample of the driven per-sample kernel.
const WALK_OPS: f64 = 6.0;

/// How many modes sound at once.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// Rounds; the median of each figure is reported
    #[arg(long, default_value_t = 9, value_parser = rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Leave SuperCollider out
    #[arg(long)]
    no_klank: bool,
}

impl Default for Args {
    fn default() -> Self {
        Self { rounds: 9, no_klank: false }
    }
}

pub(super) fn rounds(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=1000).contains(n));
    number.ok_or_else(|| "choose between 1 and 1000".into())
}

/// One job of the benchmark.
struct Job {
    name: &'static str,
    cpu: Cpu,
    kernel: Kernel,
    modes: usize,
    block: usize,
    driven: bool,
    /// The ratio to the naive loop that we promise, if any.
    promise: Option<f64>,
}

const fn job(
    name: &'static str,
    cpu: Cpu,
    kernel: Kernel,
    (modes, block): (usize, usize),
    driven: bool,
    promise: Option<f64>,
) -> Job {
    Job { name, cpu, kernel, modes, block, driven, promise }
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

/// The bank and its force, ready to render.
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
        let mut bank = Bank::new(BankSettings {
            sample_rate_hz: RATE,
            block: job.block,
            voices: 1,
            kernel: job.kernel,
            cpu: job.cpu,
            ..BankSettings::default()
        })?;
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
        // Free ringing is pushed now and then, so that it stays far from silence.
        if (self.driven || self.blocks.is_multiple_of(100))
            && let Some(x) = self.bank.voice_mut(0).and_then(|v| v.force(0))
        {
            x.copy_from_slice(&self.force);
        }
        self.bank.render(&mut self.out);
        std::hint::black_box(&self.out);
    }
}

/// 60 Hz to 15 kHz, evenly in pitch; 50 ms to 2 s.
fn mixed_modes(n: usize) -> (Vec<f64>, Vec<f64>, Vec<f32>) {
    let f = (0..n).map(|i| 60.0 * 250f64.powf((i as f64 + 0.5) / n as f64)).collect();
    let d = (0..n)
        .map(|i| 3.0 * 10f64.ln() / (0.05 * 40f64.powf((i as f64 * 0.618_034) % 1.0)))
        .collect();
    let gains = (0..n).map(|i| ((i * 7919) % 97) as f32 / 97.0 - 0.5).collect();
    (f, d, gains)
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let rounds = args.rounds;
    let bar = progress::bar("measuring", (rounds * (JOBS.len() + 2)) as u64);
    let n = 1_920;
    let (f, d, gains) = mixed_modes(n);
    let mut naive = Naive::new(&f, &d, &gains, RATE);
    let mut running = JOBS.iter().map(Running::new).collect::<Result<Vec<_>>>()?;
    let x = vec![1e-3; 512];
    let mut out = vec![0.0; 512];
    let mut naive_times = [Vec::new(), Vec::new()];
    let mut peaks = [Vec::new(), Vec::new()];
    let mut times = vec![Vec::new(); JOBS.len()];
    for _ in 0..rounds {
        naive_times[0].push(per_call(0.04, || naive.by_sample(&x, &mut out)));
        naive_times[1].push(per_call(0.04, || naive.by_mode(&x, &mut out)));
        bar.inc(1);
        peaks[0].push(fma_lanes_per_second(Cpu::Best, 0.02));
        peaks[1].push(fma_lanes_per_second(Cpu::Avx2, 0.02));
        bar.inc(1);
        for (running, times) in running.iter_mut().zip(&mut times) {
            times.push(per_call(0.04, || running.block()));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let in_real_time = |modes: usize, block: usize, t: f64| modes as f64 * block as f64 / RATE / t;
    let [a, b] = naive_times.map(|mut t| median(&mut t));
    let naive_modes = in_real_time(n, 512, a.min(b));
    let peaks = peaks.map(|mut p| median(&mut p));
    let mut rows = Vec::new();
    for (job, times) in JOBS.iter().zip(&mut times) {
        let modes = in_real_time(job.modes, job.block, median(times));
        let ratio = modes / naive_modes;
        let peak = peaks[usize::from(job.cpu == Cpu::Avx2)];
        let driven_walk = job.kernel == Kernel::PerSample && job.driven;
        let share = driven_walk.then(|| modes * RATE * WALK_OPS / peak);
        let kept = job.promise.is_none_or(|p| ratio >= p)
            && (job.cpu != Cpu::Best || share.is_none_or(|s| s >= 0.85));
        rows.push(json!({
            "name": job.name, "cpu": job.cpu.name(), "modes": job.modes, "block": job.block,
            "modes_in_real_time": modes.round(), "ratio_to_naive": ratio,
            "promised_ratio": job.promise, "share_of_fma_peak": share, "kept": kept,
        }));
    }
    let klank = if args.no_klank { None } else { Some(klank(naive_modes, &rows)?) };
    let report = json!({
        "sample_rate_hz": RATE, "rounds": rounds, "naive_modes": naive_modes.round(),
        "fma_peak_glanes": peaks[0] / 1e9, "fma_peak_glanes_avx2": peaks[1] / 1e9,
        "jobs": rows, "klank": klank,
    });
    if json { say!("{report}") } else { print(&report) }
}

/// SuperCollider's Klank on the same core, when it is installed.
fn klank(naive_modes: f64, rows: &[Value]) -> Result<Value> {
    let Some(figure) = klank::measure(1_920, 10.0).context("cannot run SuperCollider")? else {
        return Ok(json!({ "installed": false }));
    };
    let modes = figure.modes_in_real_time;
    let best = rows.iter().filter_map(|r| r["modes_in_real_time"].as_f64()).fold(0.0, f64::max);
    Ok(json!({
        "installed": true, "modes_in_real_time": modes.round(), "ratio_to_naive": modes / naive_modes,
        "foley_best_over_klank": best / modes,
    }))
}

fn print(report: &Value) -> Result<()> {
    say!("modes in real time on one core, 48 kHz, median of {} rounds", report["rounds"])?;
    say!("{:<30} {:>8} {:>6} {:>12} {:>8}", "", "modes", "block", "real time", "× naive")?;
    let naive = report["naive_modes"].as_f64().unwrap_or_default();
    say!("{:<30} {:>8} {:>6} {naive:>12.0} {:>8}", "naive scalar loop", 1920, 512, 1)?;
    for row in report["jobs"].as_array().into_iter().flatten() {
        let number = |key: &str| row[key].as_f64().unwrap_or_default();
        let mut remark = String::new();
        if let Some(share) = row["share_of_fma_peak"].as_f64() {
            remark += &format!("  {:.0} % of FMA peak", 100.0 * share);
        }
        if row["kept"] == false {
            remark += "  BELOW TARGET";
        }
        say!(
            "{:<30} {:>8} {:>6} {:>12.0} {:>8.1}{remark}",
            row["name"].as_str().unwrap_or_default(),
            number("modes"),
            number("block"),
            number("modes_in_real_time"),
            number("ratio_to_naive"),
        )?;
    }
    match report["klank"]["modes_in_real_time"].as_f64() {
        Some(modes) => say!(
            "{:<30} {:>8} {:>6} {modes:>12.0} {:>8.1}  Foley's best is {:.0} ×",
            "SuperCollider Klank",
            1920,
            64,
            report["klank"]["ratio_to_naive"].as_f64().unwrap_or_default(),
            report["klank"]["foley_best_over_klank"].as_f64().unwrap_or_default(),
        ),
        None if report["klank"]["installed"] == false => {
            say!("SuperCollider Klank: not installed (Debian: supercollider-server)")
        }
        None => Ok(()),
    }
}

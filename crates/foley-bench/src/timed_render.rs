//! Timed render: one scene by one synthesis method, with the processor time of each part.
//!
//! Strikes are prepared shortly before they are due, as a game would do it; that time is kept apart
//! from the time of the audio thread.

use anyhow::Result;
use foley_dsp::output::OutputSettings;
use foley_dsp::resonator::Kernel;
use foley_engine::{Budget, Listening, Settings, Source, Synthesis};

use crate::cpu_time::{median, thread_cpu_s};
use crate::scene::{BenchScene, LoadedScene};

/// Strikes are prepared this long before they are due, s.
const AHEAD_S: f64 = 0.1;

/// A synthesis method with its settings.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Method {
    /// Name in tables.
    pub name: String,
    /// Name in files and JSON.
    pub key: String,
    pub synthesis: Synthesis,
    pub kernel: Kernel,
    pub block: usize,
    pub budget: Option<Budget>,
}

impl Method {
    /// Computes every mode.
    pub(crate) fn every_mode(kernel: Kernel) -> Self {
        let (name, key) = match kernel {
            Kernel::PerSample => ("every mode, sample by sample", "samples"),
            _ => ("every mode, in spectral blocks", "blocks"),
        };
        Self { kernel, block: 512, ..Self::new(name, key, Synthesis::Exact) }
    }

    /// Computes audible modes, in blocks of the default length.
    pub(crate) fn new(
        name: impl Into<String>,
        key: impl Into<String>,
        synthesis: Synthesis,
    ) -> Self {
        let (name, key) = (name.into(), key.into());
        let Settings { block, kernel, .. } = Settings::default().audible();
        Self { name, key, synthesis, kernel, block, budget: None }
    }

    /// Foley's perceptual synthesis with default settings.
    pub(crate) fn partials() -> Self {
        Self::new("our partials", "partials", Synthesis::Perceptual(Listening::default()))
    }
}

/// The playback level, the same for all methods.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlaybackLevel {
    /// Pressure of a full-scale sample, Pa.
    pub full_scale_pa: f64,
    /// Level of a full-scale sine, dB SPL.
    pub playback_db: f64,
}

/// A rendered scene and its cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimedRender {
    pub samples: Vec<f32>,
    pub seconds: f64,
    /// Modes of all ringing objects, summed over blocks.
    pub modes: u64,
    /// Oscillators computed, summed over blocks.
    pub computed: u64,
    /// Modes dropped by the budget, summed over blocks.
    pub left_out: u64,
    /// The longest time of a block by the budget's clock, µs.
    pub most_used_us: f64,
    /// Times of each step.
    pub steps: Vec<StepTimes>,
}

/// Times of a step of some samples, s.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepTimes {
    /// Processor time of the audio thread.
    pub render_s: f64,
    /// Wall time within it of deciding which modes are audible.
    pub deciding_s: f64,
    /// Processor time of preparing strikes.
    pub preparing_s: f64,
}

/// Returns the median time of each step over several renders, which rejects disturbances by other
/// programs: they fall on one step of one render.
pub(crate) fn median_times(
    renders: &[Vec<StepTimes>],
    time: impl Fn(&StepTimes) -> f64,
) -> Vec<f64> {
    let steps = renders.iter().map(Vec::len).min().unwrap_or_default();
    let middle = |i: usize| median(&mut renders.iter().map(|t| time(&t[i])).collect::<Vec<_>>());
    (0..steps).map(middle).collect()
}

/// Renders a scene and times every `step` samples.
pub(crate) fn render_timed(
    scene: &BenchScene,
    method: &Method,
    level: PlaybackLevel,
    step: usize,
) -> Result<TimedRender> {
    let PlaybackLevel { full_scale_pa, playback_db } = level;
    let mut loaded = scene.load(Settings {
        block: method.block,
        kernel: method.kernel,
        synthesis: method.synthesis,
        budget: method.budget,
        output: OutputSettings { limiter: None },
        full_scale_pa,
        playback_db,
        measure_decision_time: true,
        ..Settings::default()
    })?;
    let rate = f64::from(loaded.renderer.sample_rate_hz());
    let frames = (scene.seconds * rate).ceil() as usize;
    let mut timed = TimedRender { seconds: scene.seconds, ..TimedRender::default() };
    let mut samples = vec![0.0; frames];
    let mut strikes = 0;
    for (i, part) in samples.chunks_mut(step).enumerate() {
        let began = thread_cpu_s();
        let until_s = (i * step) as f64 / rate + AHEAD_S;
        while let Some(strike) = scene.strikes.get(strikes).filter(|strike| strike.at_s < until_s) {
            loaded.strike(scene, strike)?;
            strikes += 1;
        }
        loaded.engine.update();
        let prepared = thread_cpu_s();
        let deciding_s = timed.render_step(&mut loaded, method.block, part);
        let render_s = thread_cpu_s() - prepared;
        timed.steps.push(StepTimes { render_s, deciding_s, preparing_s: prepared - began });
    }
    timed.samples = samples;
    Ok(timed)
}

impl TimedRender {
    /// Returns oscillators computed, as a share of all modes.
    pub(crate) fn share(&self) -> f64 {
        self.computed as f64 / self.modes.max(1) as f64
    }

    /// Renders a step block by block; returns the time of deciding, s.
    fn render_step(&mut self, loaded: &mut LoadedScene, block: usize, part: &mut [f32]) -> f64 {
        let mut deciding_s = 0.0;
        for block in part.chunks_mut(block) {
            loaded.renderer.fill(block);
            let report = loaded.engine.report();
            self.modes += report.modes;
            self.computed += report.computed;
            self.left_out += report.left_out;
            deciding_s += report.deciding_ns as f64 * 1e-9;
            self.most_used_us = self.most_used_us.max(report.used_ns as f64 * 1e-3);
        }
        deciding_s
    }
}

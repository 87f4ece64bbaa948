//! One render of a scene by one rule, and what it took.
//!
//! Blows are prepared a moment before they are due, as a game would; that time is kept apart
//! from what the audio thread takes.

use anyhow::Result;
use foley_dsp::output::OutputSettings;
use foley_dsp::resonator::Kernel;
use foley_engine::Source;
use foley_engine::{Budget, Listening, Settings, Synthesis};

use super::clock::{cpu_seconds, median};
use crate::scene::{Ready, Scene};

/// Blows are prepared this long before they are due, s.
const AHEAD_S: f64 = 0.1;

/// A way to compute a scene.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rule {
    /// For people.
    pub(crate) name: String,
    /// For files and JSON.
    pub(crate) key: String,
    pub(crate) hearing: Synthesis,
    pub(crate) kernel: Kernel,
    pub(crate) block: usize,
    pub(crate) budget: Option<Budget>,
}

impl Rule {
    /// Every mode.
    pub(crate) fn every_mode(kernel: Kernel) -> Self {
        let (name, key) = match kernel {
            Kernel::PerSample => ("every mode, sample by sample", "samples"),
            _ => ("every mode, in spectral blocks", "blocks"),
        };
        Self { kernel, block: 512, ..Self::new(name, key, Synthesis::Exact) }
    }

    /// What is heard, in blocks of the usual length.
    pub(crate) fn new(name: impl Into<String>, key: impl Into<String>, hearing: Synthesis) -> Self {
        let (name, key) = (name.into(), key.into());
        let Settings { block, kernel, .. } = Settings::default().audible();
        Self { name, key, hearing, kernel, block, budget: None }
    }

    /// Our rule as it is by default.
    pub(crate) fn partials() -> Self {
        Self::new("our partials", "partials", Synthesis::Perceptual(Listening::default()))
    }
}

/// How loud everything is, for all rules alike.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level {
    pub(crate) full_scale_pa: f64,
    pub(crate) playback_db: f64,
}

/// A render.
#[derive(Debug, Clone, Default)]
pub(crate) struct Take {
    pub(crate) samples: Vec<f32>,
    pub(crate) seconds: f64,
    /// Sums over all blocks.
    pub(crate) modes: u64,
    pub(crate) computed: u64,
    pub(crate) left_out: u64,
    /// The most time a block took by the budget's clock, µs.
    pub(crate) most_used_us: f64,
    /// What each part of `step` samples took.
    pub(crate) parts: Vec<Part>,
}

/// What a part of a sound took, s.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Part {
    /// Processor time of the audio thread.
    pub(crate) render_s: f64,
    /// Of it, for deciding what is heard, by the clock on the wall.
    pub(crate) deciding_s: f64,
    /// Processor time that preparing blows took.
    pub(crate) preparing_s: f64,
}

/// What each part took, the median over several takes: what the machine did besides falls on
/// one part of one take, and is left out.
pub(crate) fn medians(takes: &[Vec<Part>], time: impl Fn(&Part) -> f64) -> Vec<f64> {
    let parts = takes.iter().map(Vec::len).min().unwrap_or_default();
    let middle = |i: usize| median(&mut takes.iter().map(|t| time(&t[i])).collect::<Vec<_>>());
    (0..parts).map(middle).collect()
}

impl Take {
    /// Oscillators computed, as a part of all modes.
    pub(crate) fn share(&self) -> f64 {
        self.computed as f64 / self.modes.max(1) as f64
    }
}

/// Renders a scene; the time is taken for every `step` samples.
pub(crate) fn take(scene: &Scene, rule: &Rule, level: Level, step: usize) -> Result<Take> {
    let Level { full_scale_pa, playback_db } = level;
    let mut ready = scene.ready(Settings {
        block: rule.block,
        kernel: rule.kernel,
        synthesis: rule.hearing,
        budget: rule.budget,
        output: OutputSettings { limiter: None },
        full_scale_pa,
        playback_db,
        measure_decision_time: true,
        ..Settings::default()
    })?;
    let rate = f64::from(ready.renderer.sample_rate_hz());
    let frames = (scene.seconds * rate).ceil() as usize;
    let mut take = Take { samples: vec![0.0; frames], seconds: scene.seconds, ..Take::default() };
    let mut samples = std::mem::take(&mut take.samples);
    let mut blows = 0;
    for (i, part) in samples.chunks_mut(step).enumerate() {
        let began = cpu_seconds();
        let until_s = (i * step) as f64 / rate + AHEAD_S;
        while let Some(blow) = scene.blows.get(blows).filter(|blow| blow.at_s < until_s) {
            ready.strike(scene, blow)?;
            blows += 1;
        }
        ready.engine.update();
        let prepared = cpu_seconds();
        let deciding_s = take.hear(&mut ready, rule.block, part);
        let render_s = cpu_seconds() - prepared;
        take.parts.push(Part { render_s, deciding_s, preparing_s: prepared - began });
    }
    take.samples = samples;
    Ok(take)
}

impl Take {
    /// Renders a part, block by block; the time for deciding, s.
    fn hear(&mut self, ready: &mut Ready, block: usize, part: &mut [f32]) -> f64 {
        let mut deciding_s = 0.0;
        for block in part.chunks_mut(block) {
            ready.renderer.fill(block);
            let report = ready.engine.report();
            self.modes += report.modes;
            self.computed += report.computed;
            self.left_out += report.left_out;
            deciding_s += report.deciding_ns as f64 * 1e-9;
            self.most_used_us = self.most_used_us.max(report.used_ns as f64 * 1e-3);
        }
        deciding_s
    }
}

//! Figures of one scene by all methods.

use anyhow::Result;
use foley_engine::audio_file::Format;
use foley_engine::{AudioBuffer, Synthesis};
use serde_json::{Value, json};
use std::path::Path;

use super::quality_metric::Score;
use super::targets;
use crate::Task;
use crate::scene::BenchScene;
use crate::timed_render::{Method, SimulatedScene, StepTimes, TimedRender, median_load};

/// Frames between clock readings.
const STEP: usize = 4096;

/// Figures of a scene.
pub(crate) struct Measured {
    pub scene: &'static str,
    about: &'static str,
    modes: usize,
    seconds: f64,
    full_scale_pa: f64,
    pub rows: Vec<Row>,
}

/// Figures of one method.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub method: Method,
    /// Oscillators computed, as a share of all modes.
    pub share: f64,
    /// Processor time per second of sound.
    pub cpu: f64,
    /// Part of it for deciding which modes are audible.
    pub deciding: f64,
    /// Processor time of simulation and excitation, outside the audio thread, per second of sound.
    preparing: f64,
    pub score: Option<Score>,
}

impl Row {
    /// Makes a row without score.
    fn new(method: Method, renders: &[TimedRender]) -> Self {
        Self {
            method,
            share: renders[0].share(),
            cpu: median_load(renders, |step| step.render_s),
            deciding: median_load(renders, |step| step.deciding_s),
            preparing: median_load(renders, StepTimes::preparing_s),
            score: None,
        }
    }

    pub(crate) fn is_paper(&self) -> bool {
        matches!(self.method.synthesis, Synthesis::Masking2004(..))
    }

    pub(crate) fn is_ours(&self) -> bool {
        matches!(self.method.synthesis, Synthesis::Perceptual(..))
    }

    /// Returns share of modes and quality.
    pub(crate) fn point(&self) -> Option<(f64, f64)> {
        self.score.map(|score| (self.share, score.zimtohrli_mos))
    }

    /// Returns the time of deciding as a share of the time saved against `full`; `None` where nothing is
    /// decided, infinite where nothing is saved.
    pub(crate) fn deciding_of_saved(&self, full: &Row) -> Option<f64> {
        let saved = full.cpu - self.cpu;
        let part = if saved > 0.0 { self.deciding / saved } else { f64::INFINITY };
        (self.method.synthesis != Synthesis::Exact).then_some(part)
    }

    /// Returns the time saved against `full` over that of deciding, negative where this method is slower;
    /// `None` where nothing is decided.
    fn saved_per_deciding(&self, full: &Row) -> Option<f64> {
        (self.method.synthesis != Synthesis::Exact).then_some((full.cpu - self.cpu) / self.deciding)
    }
}

impl Measured {
    /// Renders `rounds` times by each method. Writes sounds to `folder`.
    pub(crate) fn new(
        bench: &BenchScene,
        methods: &[Method],
        rounds: usize,
        folder: Option<&Path>,
        task: &dyn Task,
    ) -> Result<Self> {
        let scene = SimulatedScene::new(bench)?;
        let mut measured = Self {
            scene: bench.name,
            about: bench.about,
            modes: bench.mode_count(),
            seconds: bench.scene.seconds,
            full_scale_pa: scene.full_scale_pa,
            rows: Vec::new(),
        };
        let renders = scene.render_rounds(methods, STEP, rounds, task)?;
        for (method, mut renders) in methods.iter().zip(renders) {
            if let Some(folder) = folder {
                let samples = std::mem::take(&mut renders[0].samples);
                save(samples, &folder.join(measured.file(&method.key)))?;
            }
            measured.rows.push(Row::new(method.clone(), &renders));
        }
        Ok(measured)
    }

    /// Returns the file name of a sound.
    pub(crate) fn file(&self, key: &str) -> String {
        format!("{}-{key}.wav", self.scene)
    }

    pub(crate) fn report(&self) -> Value {
        let full = &self.rows[0];
        let rows = self.rows.iter().map(|row| {
            json!({
                "rule": row.method.key, "name": row.method.name, "block": row.method.block,
                "share_of_modes": row.share, "cpu_percent": 100.0 * row.cpu,
                "times_faster": full.cpu / row.cpu, "deciding_percent": 100.0 * row.deciding,
                "preparing_percent": 100.0 * row.preparing,
                "deciding_of_saved_percent": row.deciding_of_saved(full).map(|part| 100.0 * part),
                // Also a number where nothing is saved.
                "saved_per_deciding": row.saved_per_deciding(full),
                "zimtohrli_mos": row.score.map(|score| score.zimtohrli_mos),
                "visqol_mos": row.score.map(|score| score.visqol_mos),
            })
        });
        json!({
            "name": self.scene, "about": self.about, "modes": self.modes,
            "seconds": self.seconds, "full_scale_pa": self.full_scale_pa,
            "rules": rows.collect::<Vec<_>>(), "targets": targets::check(&self.rows),
        })
    }
}

fn save(samples: Vec<f32>, path: &Path) -> Result<()> {
    let mut sound = AudioBuffer { samples, channels: 2, sample_rate_hz: 48_000 };
    sound.limit_and_trim()?;
    Ok(sound.write(path, Format::from_path(path)?)?.keep()?)
}

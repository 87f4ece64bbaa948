//! Figures of one scene by all methods.

use anyhow::Result;
use foley_engine::audio_file::{Format, write};
use foley_engine::{AudioBuffer, Synthesis};
use serde_json::{Value, json};
use std::path::Path;

use super::quality_metric::Score;
use super::{PLAYBACK_DB, targets};
use crate::loudness::full_scale_pa;
use crate::scene::BenchScene;
use crate::timed_render::{Method, PlaybackLevel, StepTimes, median_times, render_timed};
use crate::{Progress, Task};

/// Samples between clock readings.
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
    /// Processor time of preparing strikes, outside the audio thread, per second of sound.
    preparing: f64,
    pub score: Option<Score>,
}

impl Row {
    /// Makes a row without times and score.
    fn new(method: Method, share: f64) -> Self {
        Self { method, share, cpu: 0.0, deciding: 0.0, preparing: 0.0, score: None }
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
}

impl Measured {
    /// Finds the level of a scene.
    pub(crate) fn level(scene: &BenchScene, progress: &dyn Progress) -> Result<PlaybackLevel> {
        let full_scale_pa = full_scale_pa(scene, progress)?;
        Ok(PlaybackLevel { full_scale_pa, playback_db: PLAYBACK_DB })
    }

    /// Renders `rounds` times by each method, alternating, so that other load of the machine falls on all.
    /// Writes sounds to `folder`.
    pub(crate) fn new(
        scene: &BenchScene,
        methods: &[Method],
        level: PlaybackLevel,
        rounds: usize,
        folder: Option<&Path>,
        task: &dyn Task,
    ) -> Result<Self> {
        let mut measured = Self {
            scene: scene.name,
            about: scene.about,
            modes: scene.mode_count(),
            seconds: scene.seconds,
            full_scale_pa: level.full_scale_pa,
            rows: Vec::new(),
        };
        let mut steps = vec![Vec::new(); methods.len()];
        for round in 0..rounds {
            for (method, steps) in methods.iter().zip(&mut steps) {
                let mut render = render_timed(scene, method, level, STEP)?;
                steps.push(std::mem::take(&mut render.steps));
                task.advance();
                if round > 0 {
                    continue;
                }
                let (method, share) = (method.clone(), render.share());
                if let Some(folder) = folder {
                    save(render.samples, &folder.join(measured.file(&method.key)))?;
                }
                measured.rows.push(Row::new(method, share));
            }
        }
        for (row, steps) in measured.rows.iter_mut().zip(steps) {
            let per_second = |time: fn(&StepTimes) -> f64| {
                median_times(&steps, time).iter().sum::<f64>() / scene.seconds
            };
            row.cpu = per_second(|step| step.render_s);
            row.deciding = per_second(|step| step.deciding_s);
            row.preparing = per_second(|step| step.preparing_s);
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
                "zimtohrli_mos": row.score.map(|score| score.zimtohrli_mos),
                "visqol_mos": row.score.map(|score| score.visqol_mos),
            })
        });
        json!({
            "name": self.scene, "about": self.about, "modes": self.modes,
            "seconds": self.seconds, "full_scale_pa": self.full_scale_pa,
            "rules": rows.collect::<Vec<_>>(), "promises": targets::check(&self.rows),
        })
    }
}

fn save(samples: Vec<f32>, path: &Path) -> Result<()> {
    let mut source = AudioBuffer { samples, channels: 1, sample_rate_hz: 48_000 }.into_source();
    let frames = source.frames();
    write(path, Format::from_path(path)?, &mut source, frames, |_| true)?;
    Ok(())
}

//! A scene by all rules.

use anyhow::Result;
use foley_engine::Synthesis;
use foley_engine::audio_file::{Format, write};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::path::Path;

use super::ear::Score;
use super::{PLAYBACK_DB, promises};
use crate::bench::level::full_scale_pa;
use crate::bench::take::{Level, Part, Rule, medians, take};
use crate::scene::Scene;
use foley_engine::AudioBuffer;

/// The time is taken for so many samples at once: a moment between clock readings.
const STEP: usize = 4096;

/// A scene and what each rule made of it.
pub(super) struct Measured {
    pub(super) scene: &'static str,
    about: &'static str,
    modes: usize,
    seconds: f64,
    full_scale_pa: f64,
    pub(super) rows: Vec<Row>,
}

/// What one rule made of a scene.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) rule: Rule,
    /// Oscillators computed, as a part of all modes.
    pub(super) share: f64,
    /// Processor time per second of sound.
    pub(super) cpu: f64,
    /// Of it, for deciding what is heard.
    pub(super) deciding: f64,
    /// Processor time of preparing blows, beside the audio thread, per second of sound.
    preparing: f64,
    pub(super) score: Option<Score>,
}

impl Row {
    /// Times and scores come later.
    fn new(rule: Rule, share: f64) -> Self {
        Self { rule, share, cpu: 0.0, deciding: 0.0, preparing: 0.0, score: None }
    }

    pub(super) fn is_paper(&self) -> bool {
        matches!(self.rule.hearing, Synthesis::Masking2004(..))
    }

    pub(super) fn is_ours(&self) -> bool {
        matches!(self.rule.hearing, Synthesis::Perceptual(..))
    }

    /// Share of modes and quality.
    pub(super) fn point(&self) -> Option<(f64, f64)> {
        self.score.map(|score| (self.share, score.zimtohrli_mos))
    }

    /// Time for deciding, as a part of what it saves against `full`; `None` where it decides
    /// nothing, infinite where it saves nothing.
    pub(super) fn deciding_of_saved(&self, full: &Row) -> Option<f64> {
        let saved = full.cpu - self.cpu;
        let part = if saved > 0.0 { self.deciding / saved } else { f64::INFINITY };
        (self.rule.hearing != Synthesis::Exact).then_some(part)
    }
}

impl Measured {
    /// Renders `rounds` times by each rule, in turn: a busy moment of the machine does not fall
    /// on one of them only. Sounds are written to `folder`.
    pub(super) fn new(
        scene: &Scene,
        rules: &[Rule],
        rounds: usize,
        folder: Option<&Path>,
        bar: &ProgressBar,
    ) -> Result<Self> {
        let level = Level { full_scale_pa: full_scale_pa(scene)?, playback_db: PLAYBACK_DB };
        let mut measured = Self {
            scene: scene.name,
            about: scene.about,
            modes: scene.mode_count(),
            seconds: scene.seconds,
            full_scale_pa: level.full_scale_pa,
            rows: Vec::new(),
        };
        bar.set_message(scene.name);
        let mut parts = vec![Vec::new(); rules.len()];
        for round in 0..rounds {
            for (rule, parts) in rules.iter().zip(&mut parts) {
                let mut take = take(scene, rule, level, STEP)?;
                parts.push(std::mem::take(&mut take.parts));
                bar.inc(1);
                if round > 0 {
                    continue;
                }
                let (rule, share) = (rule.clone(), take.share());
                if let Some(folder) = folder {
                    save(take.samples, &folder.join(measured.file(&rule.key)))?;
                }
                measured.rows.push(Row::new(rule, share));
            }
        }
        for (row, parts) in measured.rows.iter_mut().zip(parts) {
            let per_second =
                |time: fn(&Part) -> f64| medians(&parts, time).iter().sum::<f64>() / scene.seconds;
            row.cpu = per_second(|part| part.render_s);
            row.deciding = per_second(|part| part.deciding_s);
            row.preparing = per_second(|part| part.preparing_s);
        }
        Ok(measured)
    }

    /// The name of a sound.
    pub(super) fn file(&self, key: &str) -> String {
        format!("{}-{key}.wav", self.scene)
    }

    pub(super) fn report(&self) -> Value {
        let full = &self.rows[0];
        let rows = self.rows.iter().map(|row| {
            json!({
                "rule": row.rule.key, "name": row.rule.name, "block": row.rule.block,
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
            "rules": rows.collect::<Vec<_>>(), "promises": promises::of(&self.rows),
        })
    }
}

fn save(samples: Vec<f32>, path: &Path) -> Result<()> {
    let mut source = AudioBuffer { samples, channels: 1, sample_rate_hz: 48_000 }.into_source();
    let frames = source.frames();
    write(path, Format::from_path(path)?, &mut source, frames, |_| true)?;
    Ok(())
}

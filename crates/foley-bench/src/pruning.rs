//! Perceptual pruning: cost and quality of each method, as in Tables 1 and 2 of \[CS\].
//!
//! Each scene is rendered by each method at one level, round after round; medians of the processor
//! times are compared, and the sounds by a quality metric where one is given.
//!
//! Full scale is 80 dB SPL, as Zimtohrli assumes; the hearing threshold depends on it.

mod methods;
mod measure;
mod quality_metric;
mod pareto_front;
mod self_masking;
mod targets;
mod picture;

use anyhow::{Context, Result};
use derive_setters::Setters;
use foley_plot::AtomicFile;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Progress;
use crate::scene::BenchScene;
use measure::Measured;

/// Level of a full-scale sine, dB SPL.
const PLAYBACK_DB: f64 = 80.0;

/// Options of the benchmark.
#[derive(Debug, Clone, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Options {
    /// Number of rounds.
    pub rounds: usize,
    /// Adds coarser and finer settings of each method.
    pub curve: bool,
    /// A program that compares sounds: lines `REFERENCE TEST` in, JSON with `zimtohrli_mos` and
    /// `visqol_mos` out.
    #[setters(into)]
    pub quality_metric: Option<PathBuf>,
    /// Folder for all sounds, SCENE-METHOD.wav.
    #[setters(into)]
    pub sounds: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { rounds: 5, curve: false, quality_metric: None, sounds: None }
    }
}

/// Figures of all scenes.
pub struct Pruning {
    options: Options,
    self_masking: Option<Vec<Value>>,
    scenes: Vec<Measured>,
}

/// Measures scenes by all methods.
pub fn measure(
    scenes: Vec<BenchScene>,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Pruning> {
    // The metric reads sounds from files.
    let (folder, _temporary) = match (&options.sounds, &options.quality_metric) {
        (Some(folder), _) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            (Some(folder.clone()), None)
        }
        (None, Some(_)) => {
            let folder = tempfile::tempdir().context("cannot make a folder for sounds")?;
            (Some(folder.path().to_owned()), Some(folder))
        }
        (None, None) => (None, None),
    };
    let methods = methods::all(options.curve);
    let task = progress.begin("rendering", (scenes.len() * methods.len() * options.rounds) as u64);
    let (mut self_masking, mut measured) = (None, Vec::new());
    for mut scene in scenes {
        Arc::make_mut(&mut scene.scene).playback_db = PLAYBACK_DB;
        task.set_name(scene.name);
        let folder = folder.as_deref();
        measured.push(Measured::new(&scene, &methods, options.rounds, folder, &*task)?);
        self_masking = self_masking.or_else(|| self_masking::table(&scene));
    }
    drop(task);
    if let (Some(program), Some(folder)) = (&options.quality_metric, &folder) {
        rate_quality(program, folder, &mut measured, progress)?;
    }
    Ok(Pruning { options: options.clone(), self_masking, scenes: measured })
}

impl Pruning {
    /// Returns all figures as JSON.
    pub fn report(&self) -> Value {
        json!({
            "playback_db": PLAYBACK_DB, "rounds": self.options.rounds,
            "quality_metric": self.options.quality_metric, "objects": self.self_masking,
            "scenes": self.scenes.iter().map(Measured::report).collect::<Vec<Value>>(),
        })
    }

    /// Draws quality over the share of modes computed.
    pub fn draw(&self, path: &Path) -> Result<AtomicFile> {
        picture::draw(&self.scenes, path)
    }
}

/// Compares every sound with that of the first method.
fn rate_quality(
    program: &Path,
    folder: &Path,
    measured: &mut [Measured],
    progress: &dyn Progress,
) -> Result<()> {
    let mut pairs = Vec::new();
    for scene in &*measured {
        let file = |key: &str| folder.join(scene.file(key));
        let reference = file(&scene.rows[0].method.key);
        pairs.extend(scene.rows.iter().map(|row| [reference.clone(), file(&row.method.key)]));
    }
    let mut scores = quality_metric::compare(program, &pairs, progress)?.into_iter();
    for row in measured.iter_mut().flat_map(|scene| &mut scene.rows) {
        row.score = scores.next();
    }
    Ok(())
}

//! `foley bench pruning`: Tables 1 and 2 of [CS], on the machine at hand.
//!
//! Each scene is rendered by each rule at one level, in turn, round after round; the medians of
//! the processor times are compared, and the sounds by an ear when there is one.
//!
//! Full scale is 80 dB SPL here: Zimtohrli assumes that, and what is too soft to be heard
//! depends on it.

mod curve;
mod ear;
mod measure;
mod objects;
mod picture;
mod promises;
mod report;
mod rules;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use crate::progress;
use crate::say::say;
use crate::scene::{Scene, crowd};
use foley_plot::AtomicFile;
use foley_plot::check_ending;
use measure::Measured;
pub(crate) use report::print_promises;

/// The level of a full-scale sine, dB SPL.
const PLAYBACK_DB: f64 = 80.0;

/// What pruning saves and how it sounds.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Args {
    /// A scene to measure; may be given several times [default: hail]
    #[arg(long = "scene", value_name = "NAME")]
    scenes: Vec<String>,
    /// All scenes
    #[arg(long, conflicts_with = "scenes")]
    all: bool,
    /// Instead of them a crowd of so many objects of 20 modes
    #[arg(long, value_name = "OBJECTS", hide = true, conflicts_with_all = ["scenes", "all"])]
    crowd: Option<usize>,
    /// Rounds; the median of each time is reported
    #[arg(long, default_value_t = 5, value_parser = super::modes::rounds, allow_hyphen_values = true)]
    rounds: usize,
    /// Both rules at coarser and finer settings, too
    #[arg(long)]
    curve: bool,
    /// A program that compares sounds, as `scripts/ears` does: lines `REFERENCE TEST` in,
    /// JSON with `zimtohrli_mos` and `visqol_mos` out
    #[arg(long, value_name = "COMMAND")]
    ear: Option<PathBuf>,
    /// A folder for all sounds, SCENE-RULE.wav; it is made when it is not there
    #[arg(long, value_name = "FOLDER")]
    wavs: Option<PathBuf>,
    /// A picture of quality over the share of modes computed (.png or .svg)
    #[arg(long, value_name = "FILE", requires = "ear")]
    picture: Option<PathBuf>,
    /// A file for the figures as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    args.picture.iter().try_for_each(|path| check_ending(path))?;
    let scenes = scenes(args)?;
    // Sounds go through files to an ear, whoever else wants them.
    let (folder, _temporary) = match (&args.wavs, &args.ear) {
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

    let rules = rules::all(args.curve);
    let bar = progress::bar("rendering", (scenes.len() * rules.len() * args.rounds) as u64);
    let mut measured = Vec::new();
    for scene in &scenes {
        measured.push(Measured::new(scene, &rules, args.rounds, folder.as_deref(), &bar)?);
    }
    bar.finish_and_clear();
    if let (Some(ear), Some(folder)) = (&args.ear, &folder) {
        judge(ear, folder, &mut measured)?;
    }

    let report = json!({
        "playback_db": PLAYBACK_DB, "rounds": args.rounds, "ear": args.ear,
        "objects": scenes.iter().find_map(objects::table),
        "scenes": measured.iter().map(Measured::report).collect::<Vec<Value>>(),
    });
    if let Some(path) = &args.picture {
        picture::draw(&measured, path)?.keep()?;
    }
    if let Some(path) = &args.report {
        AtomicFile::new(path, format!("{report}\n").as_bytes())?.keep()?;
    }
    if json { say!("{report}") } else { report::print(&report) }
}

fn scenes(args: &Args) -> Result<Vec<Scene>> {
    if let Some(objects) = args.crowd {
        return Ok(vec![crowd(objects, 20, 100.0, 1.5, 1)?]);
    }
    let names: Vec<&str> = match (args.all, &args.scenes[..]) {
        (true, _) => Scene::names().collect(),
        (false, []) => vec!["hail"],
        (false, some) => some.iter().map(String::as_str).collect(),
    };
    // A wrong name is told before anything takes time.
    names.iter().try_for_each(|name| Scene::check_name(name))?;
    names.into_iter().map(Scene::named).collect()
}

/// Lets the ear compare every sound with that of the first rule.
fn judge(ear: &Path, folder: &Path, measured: &mut [Measured]) -> Result<()> {
    let mut pairs = Vec::new();
    for scene in &*measured {
        let file = |key: &str| folder.join(scene.file(key));
        let reference = file(&scene.rows[0].rule.key);
        pairs.extend(scene.rows.iter().map(|row| [reference.clone(), file(&row.rule.key)]));
    }
    let mut scores = ear::compare(ear, &pairs)?.into_iter();
    for row in measured.iter_mut().flat_map(|scene| &mut scene.rows) {
        row.score = scores.next();
    }
    Ok(())
}

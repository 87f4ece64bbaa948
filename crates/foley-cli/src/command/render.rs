//! `foley render`: a scene in motion, to a sound file.

mod timed_render;
mod plots;
mod stats;

use anyhow::{Result, bail};
use foley::Settings;
use foley::audio_file::Format;
use foley::geometry::file_plan::FilePlan;
use foley::scene::Scene;
use foley::scene::prepare::Prepared;
use foley::scene::sonify::{RenderSettings, Rendered};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::gpu::GpuArgs;
use crate::output::{OrMisuse, misuse, print_line};
use crate::progress;
use foley::plot;
use foley::plot::{AtomicFile, SceneView, TexelCollisions};
pub(crate) use plots::modes;
pub(crate) use stats::Stats;
use timed_render::CpuTimes;
pub(crate) use timed_render::{load, prepare, render_timed};

/// Timeout of a GPU when rendering offline.
const GPU_TIMEOUT: Duration = Duration::from_secs(5);

/// A scene in motion, to a sound file.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A scene: .toml, .gltf or .glb
    scene: PathBuf,
    /// The sound file, .wav or .flac [default: the scene's name with .wav]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write all impacts, contacts, poses and hail as a contact trace; a scene that names it
    /// sounds the same. Strikes and scrapes are not in it: the scene file has them
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Write what happened, how loud it was and what it took, as JSON
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Draw forces and speeds, impulses over the sound, modes in use and the spectrogram into
    /// this folder; it is made when it is not there
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
    /// Draw the scene when most happens, .png or .svg
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Draw where hail struck what sounds, .png or .svg
    #[arg(long, value_name = "FILE")]
    impact_map: Option<PathBuf>,
    /// Film the scene with its sound, .mp4; needs ffmpeg
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
    /// Compute every mode, heard or not
    #[arg(long)]
    all_modes: bool,
    #[command(flatten)]
    gpu: GpuArgs,
}

/// Why there is no film, and what to do.
pub(crate) const NO_FFMPEG: &str = "ffmpeg is not installed; install it";

/// What was made of a scene.
pub(crate) struct Made<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) prepared: &'a Prepared,
    pub(crate) rendered: &'a Rendered,
    pub(crate) stats: Stats,
}

impl Made<'_> {
    pub(crate) fn view(&self) -> SceneView<'_> {
        SceneView::new(self.scene, self.prepared, &self.rendered.events)
    }
}

/// Films a scene with its sound file; returns false when ffmpeg is not installed.
pub(crate) fn film(made: &Made<'_>, sound: &Path, path: &Path) -> Result<bool> {
    let bar = progress::bar("film", 100);
    let show = &mut |done: f64| bar.set_position((100.0 * done) as u64);
    let film = plot::film(&made.view(), sound, path, show)?;
    bar.finish_and_clear();
    Ok(film.map(AtomicFile::keep).transpose()?.is_some())
}

/// Describes the counts of an impact map.
pub(crate) fn in_words(counts: &TexelCollisions) -> String {
    let TexelCollisions { impacts, collisions, expected } = counts;
    format!(
        "impact map: {impacts} impacts, {collisions} met in a texel within a frame ({expected:.1} by chance)"
    )
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let output = args.output.clone().unwrap_or_else(|| stem(&args.scene).with_extension("wav"));
    let format = Format::from_path(&output).or_misuse()?;
    args.check_endings()?;
    let (scene, files) = load(&args.scene)?;
    let plan = args.plan(&output, files);
    plan.check()?;
    if let Some(video) = &args.video
        && plot::find_ffmpeg().is_none()
    {
        bail!("cannot film {}: {NO_FFMPEG}, or leave --video out", video.display());
    }
    if args.impact_map.is_some() && scene.hail.is_none() {
        bail!(
            "no impact map of {}: it does not hail there; give it a [hail]",
            args.scene.display()
        );
    }
    let prepared = prepare(&scene)?;
    let mut rendering =
        RenderSettings::default().with_hail_backend(args.gpu.hail_backend(&scene, GPU_TIMEOUT)?);
    if args.all_modes {
        rendering.engine = Settings::default();
    }
    let (rendered, took) = render_timed(&scene, &prepared, &rendering)?;
    let sound = &rendered.sound;
    let stats = Stats::new(&scene, &prepared, &rendered, &took, sound)?;
    let made = Made { scene: &scene, prepared: &prepared, rendered: &rendered, stats };
    plan.create_folders()?;
    let mut written = Vec::new();
    if let Some(path) = &args.trace {
        rendered.write_trace(&scene, path)?;
        written.push(path.clone());
    }
    if let Some(path) = &args.stats {
        AtomicFile::new(path, format!("{:#}\n", made.stats.to_json()).as_bytes())?.keep()?;
        written.push(path.clone());
    }
    if let Some(folder) = &args.plots {
        written.extend(plots::draw(&made, sound, folder)?);
    }
    if let Some(path) = &args.picture {
        plot::draw_still(&made.view(), path)?.keep()?;
        written.push(path.clone());
    }
    let mut notes = [&prepared.notes[..], &rendered.notes, rendered.level_note.as_slice()].concat();
    if let Some(path) = &args.impact_map {
        let (drawn, collisions) = plot::draw_impact_map(&scene, &prepared, path)?;
        drawn.keep()?;
        written.push(path.clone());
        notes.push(in_words(&collisions));
    }
    sound.write(&output, format)?.keep()?;
    if let Some(path) = &args.video {
        match film(&made, &output, path)? {
            true => written.push(path.clone()),
            // Found before the work began.
            false => bail!("cannot film {}: {NO_FFMPEG}", path.display()),
        }
    }
    written.insert(0, output);
    print_summary(&made.stats, &written, &notes, json)
}

impl Args {
    /// Returns the files that are read and written.
    fn plan(&self, output: &Path, files: Vec<PathBuf>) -> FilePlan {
        let mut plan = FilePlan::default();
        files.into_iter().for_each(|file| plan.read("a file of the scene", file));
        plan.write("--output", output);
        let named = [
            ("--trace", &self.trace),
            ("--stats", &self.stats),
            ("--picture", &self.picture),
            ("--impact-map", &self.impact_map),
            ("--video", &self.video),
        ];
        for (option, path) in named {
            path.iter().for_each(|path| plan.write(option, path));
        }
        if let Some(folder) = &self.plots {
            plan.write_folder("--plots", folder, plots::NAMES);
        }
        plan
    }

    /// Refuses names that cannot be written, before any work is done.
    fn check_endings(&self) -> Result<()> {
        for picture in self.picture.iter().chain(&self.impact_map) {
            plot::check_extension(picture).or_misuse()?;
        }
        if let Some(video) = &self.video
            && !crate::values::has_ending(video, "mp4")
        {
            misuse!("cannot film {}: end its name with .mp4", video.display());
        }
        Ok(())
    }
}

fn print_summary(stats: &Stats, written: &[PathBuf], notes: &[String], json: bool) -> Result<()> {
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    if json {
        let mut facts = stats.to_json();
        if let Value::Object(facts) = &mut facts {
            facts.insert("written".into(), json!(names[0]));
            facts.insert("beside".into(), json!(names[1..]));
            facts.insert("notes".into(), json!(notes));
        }
        return print_line!("{facts}");
    }
    stats.lines().iter().try_for_each(|line| print_line!("{line}"))?;
    notes.iter().try_for_each(|note| print_line!("note: {note}"))?;
    names.iter().try_for_each(|name| print_line!("written: {name}"))
}

fn stem(scene: &Path) -> PathBuf {
    PathBuf::from(scene.file_stem().unwrap_or_default())
}

//! `foley demo`: hail on a picnic; or another of the built-in scenes.

pub(crate) mod picnic;
mod staged;

use anyhow::{Context, Result, bail};
use foley::audio_file::{Format, write};
use foley::{Engine, Offline, Place, Settings};
use foley_bench::scene::dozen::{STRIKER, STRIKES, models, point_towards_edge};
use foley_dsp::excitation::Striker;
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use foley_scene::demos::{DEMOS, named};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::progress::{self, Bars};
use crate::say::say;
use foley_engine::AudioBuffer;
use foley_plot as plot;

/// A built-in scene: sound and pictures.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which scene
    #[arg(default_value = picnic::NAME)]
    name: String,
    /// List the scenes
    #[arg(long)]
    list: bool,
    /// The folder for sound and pictures; it is made when it is not there
    #[arg(long, short, default_value = "out", value_name = "FOLDER")]
    output: PathBuf,
}

impl Default for Args {
    fn default() -> Self {
        Self { name: picnic::NAME.into(), list: false, output: "out".into() }
    }
}

const DOZEN: &str = "dozen";
const ABOUT: &str = "one striker, a dozen objects of different materials and sizes";
/// Loudness of the demo, LUFS.
const LOUDNESS: f64 = -16.0;
/// A knock on a drum skin is as loud as a bar that rings only with a peak far above it.
const MOST_LIMITING_DB: f64 = 24.0;
/// Seconds between objects.
const PAUSE: f64 = 1.5;
/// Seconds each object rings, and over which it then fades under the next ones.
const RING: (f64, f64) = (2.0, 2.0);

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    if args.list {
        return list(json);
    }
    let scene = named(&args.name);
    if scene.is_none() && ![picnic::NAME, DOZEN].contains(&&*args.name) {
        bail!("there is no demo `{}`; `foley demo --list` shows them", args.name);
    }
    let folder = &args.output;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    match scene {
        Some(demo) => staged::run(demo, folder, json),
        None if args.name == DOZEN => dozen(folder, json),
        None => picnic::run(folder, json),
    }
}

fn list(json: bool) -> Result<()> {
    let scenes = DEMOS.iter().map(|demo| (demo.name, demo.about));
    let all = [(picnic::NAME, picnic::ABOUT), (DOZEN, ABOUT)].into_iter().chain(scenes);
    if json {
        let all: Vec<_> =
            all.map(|(name, about)| json!({ "name": name, "about": about })).collect();
        return say!("{}", json!({ "demos": all }));
    }
    for (name, about) in all {
        say!("{name:9}  {about}")?;
    }
    Ok(())
}

fn dozen(folder: &Path, json: bool) -> Result<()> {
    let [sound_path, spectrogram, sheet] =
        ["demo.wav", "demo-spectrogram.png", "demo-modes.png"].map(|name| folder.join(name));

    let models = models(&Bars)?;
    let mut sound = sound(&models)?;
    sound.level(LOUDNESS, MOST_LIMITING_DB)?;
    let bar = progress::bar("drawing", 2);
    let title = format!("A {STRIKER} on a dozen objects");
    let drawn_sound =
        plot::draw_spectrogram(&sound.planar(), sound.sample_rate_hz, &title, &spectrogram)?;
    bar.inc(1);
    let tiles: Vec<(String, &ModalModel)> =
        models.iter().map(|(name, model)| ((*name).to_owned(), &**model)).collect();
    let drawn_sheet = plot::draw_contact_sheet(&tiles, &sheet)?;
    bar.finish_and_clear();

    let (loudness, peak) = (sound.loudness_lufs()?, sound.peak_dbfs());
    let mut source = sound.into_source();
    let frames = source.frames();
    write(&sound_path, Format::from_path(&sound_path)?, &mut source, frames, |_| true)?;
    drawn_sound.keep()?;
    drawn_sheet.keep()?;
    let files = [sound_path, spectrogram, sheet].map(|path| path.display().to_string());
    if json {
        return say!(
            "{}",
            json!({ "written": files, "loudness_lufs": loudness, "peak_dbfs": peak })
        );
    }
    say!("{title}: {loudness:.1} LUFS, peak {peak:.1} dBFS")?;
    files.iter().try_for_each(|file| say!("written: {file}"))
}

/// Renders the sequence. Every object is heard from where it is as loud as the others.
fn sound(models: &[(&str, Arc<ModalModel>)]) -> Result<AudioBuffer> {
    let striker = Striker::named(STRIKER)?;
    let bar = progress::bar("rendering", models.len() as u64);
    let mut whole: Option<AudioBuffer> = None;
    for (i, (_, model)) in models.iter().enumerate() {
        let output = OutputSettings { limiter: None };
        let (mut engine, renderer) = Engine::new(Settings { output, ..Settings::default() })?;
        let object = engine.add(Arc::clone(model))?;
        for (at, speed, out) in STRIKES {
            engine.strike(
                object,
                Place::At(point_towards_edge(model, out)),
                &striker,
                speed,
                at,
            )?;
        }
        let mut part =
            AudioBuffer::render(&mut Offline::new(engine, renderer), RING.0 + RING.1, |_| ());
        part.fade_out(RING.1);
        let gain = 10f64.powf((LOUDNESS - part.loudness_lufs()?) / 20.0) as f32;
        part.samples.iter_mut().for_each(|s| *s *= gain);
        let start = (i as f64 * PAUSE * f64::from(part.sample_rate_hz)) as usize;
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => {
                whole.samples.resize(start + part.samples.len(), 0.0);
                for (sum, s) in whole.samples[start..].iter_mut().zip(&part.samples) {
                    *sum += s;
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    whole.context("nothing to render")
}

//! `foley demo`: hail on a picnic; or another of the built-in scenes.

mod render_demo;

use anyhow::Result;
use foley::audio_file::Format;
use foley::dsp::model::ModalModel;
use foley::geometry::file_plan::FilePlan;
use foley::scene::demos::{self, DEMOS, dozen, named};
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::output::{misuse, print_line};
use crate::progress;
use foley::plot;

/// A built-in scene: sound and pictures.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which scene
    #[arg(default_value = DEMOS[0].name)]
    name: String,
    /// List the scenes
    #[arg(long, conflicts_with_all = ["name", "output"])]
    list: bool,
    /// The folder for sound and pictures; it is made when it is not there
    #[arg(long, short, default_value = "out", value_name = "FOLDER")]
    output: PathBuf,
}

impl Default for Args {
    fn default() -> Self {
        Self { name: DEMOS[0].name.into(), list: false, output: "out".into() }
    }
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    if args.list {
        return list(json);
    }
    let scene = named(&args.name);
    if scene.is_none() && args.name != dozen::NAME {
        misuse!("there is no demo `{}`; `foley demo --list` shows them", args.name);
    }
    let folder = &args.output;
    let names = scene.map_or(dozen_names(), render_demo::names);
    let mut plan = FilePlan::default();
    plan.write_folder("--output", folder, names);
    plan.check()?;
    plan.create_folders()?;
    match scene {
        Some(demo) => render_demo::run(demo, folder, json),
        None => twelve_objects(folder, json),
    }
}

fn list(json: bool) -> Result<()> {
    let mut all: Vec<_> = DEMOS.iter().map(|demo| (demo.name, demo.about)).collect();
    all.insert(1, (dozen::NAME, dozen::ABOUT));
    if json {
        let all: Vec<_> =
            all.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
        return print_line!("{}", json!({ "demos": all }));
    }
    for (name, about) in all {
        print_line!("{name:9}  {about}")?;
    }
    Ok(())
}

/// Names of what is written of the twelve objects.
const DOZEN: [&str; 3] = ["demo.wav", "demo-spectrogram.png", "demo-modes.png"];

fn dozen_names() -> Vec<String> {
    DOZEN.map(String::from).to_vec()
}

fn twelve_objects(folder: &Path, json: bool) -> Result<()> {
    let [sound_path, spectrogram, sheet] = DOZEN.map(|name| folder.join(name));

    let bar = progress::bar("modal analysis", dozen::OBJECTS.len() as u64);
    let models = dozen::models(|| bar.inc(1)).map_err(anyhow::Error::from_boxed)?;
    bar.finish_and_clear();
    let bar = progress::bar("rendering", models.len() as u64);
    let mut sound = dozen::render(&models, || bar.inc(1)).map_err(anyhow::Error::from_boxed)?;
    bar.finish_and_clear();
    demos::level(&mut sound)?;
    let bar = progress::bar("drawing", 2);
    let title = format!("A {} on a dozen objects", dozen::STRIKER);
    let drawn_sound = plot::draw_spectrogram(&sound, &title, &spectrogram)?;
    bar.inc(1);
    let tiles: Vec<(String, &ModalModel)> =
        models.iter().map(|(name, model)| ((*name).to_owned(), &**model)).collect();
    let drawn_sheet = plot::contact_sheet_picture(&tiles)?.draw(&sheet)?;
    bar.finish_and_clear();

    let (loudness, peak) = (sound.loudness_lufs()?, sound.peak_dbfs());
    sound.write(&sound_path, Format::from_path(&sound_path)?)?.keep()?;
    drawn_sound.keep()?;
    drawn_sheet.keep()?;
    let files = [sound_path, spectrogram, sheet].map(|path| path.display().to_string());
    if json {
        let facts = json!({ "written": files, "loudness_lufs": loudness, "peak_dbfs": peak });
        return print_line!("{facts}");
    }
    print_line!("{title}: {loudness:.1} LUFS, peak {peak:.1} dBFS")?;
    files.iter().try_for_each(|file| print_line!("written: {file}"))
}

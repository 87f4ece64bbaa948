//! `foley plot`: pictures.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::plot;
use crate::say::say;
use crate::target::{check_is_file, has_ending};
use crate::whole::Whole;

/// A picture of a model (modes over frequency and decay, one mode's shape, or where the
/// surface sounds bright) or of a sound (spectrogram).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .modal or .wav file
    file: PathBuf,
    /// The picture, .png or .svg [default: the file's name with .png, and with -mode-3 or
    /// -sound-map before it]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the loudness of a model's modes at this surface point, instead of over all
    #[arg(long)]
    point: Option<usize>,
    /// Show the model's surface in this mode, counted from 1 in order of frequency
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["point", "sound_map"])]
    mode: Option<usize>,
    /// Show where the model's surface sounds dark and where bright when it is struck
    #[arg(long, conflicts_with = "point")]
    sound_map: bool,
}

impl Args {
    /// Where the picture goes: each kind has a name of its own.
    fn output(&self) -> PathBuf {
        let kind = match self.mode {
            Some(number) => format!("-mode-{number}"),
            None if self.sound_map => "-sound-map".to_owned(),
            None => return self.output.clone().unwrap_or_else(|| self.file.with_extension("png")),
        };
        self.output.clone().unwrap_or_else(|| {
            let mut name = self.file.file_stem().unwrap_or_default().to_owned();
            name.push(kind + ".png");
            self.file.with_file_name(name)
        })
    }
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let file = &args.file;
    let output = args.output();
    plot::check_ending(&output)?;
    let picture = if has_ending(file, "modal") {
        let (model, origin) = foley_modal::file::load_with_origin(file)?;
        let merged = origin.and_then(|o| o.compression).map(|c| c.merged).unwrap_or_default();
        draw_model(args, &model, &merged, &output)?
    } else if has_ending(file, "wav") {
        let asked = [
            (args.point.is_some(), "--point"),
            (args.mode.is_some(), "--mode"),
            (args.sound_map, "--sound-map"),
        ];
        if let Some((_, flag)) = asked.into_iter().find(|(asked, _)| *asked) {
            bail!("{} is a sound and has no surface points; leave {flag} out", file.display());
        }
        check_is_file(file)?;
        plot::draw_spectrogram_of_wav(file, &output)?
    } else {
        bail!("{}: only .modal and .wav files can be drawn", file.display());
    };
    picture.keep()?;
    if json {
        say!("{}", json!({ "written": output.display().to_string() }))
    } else {
        say!("written: {}", output.display())
    }
}

fn draw_model(args: &Args, model: &ModalModel, merged: &[usize], output: &Path) -> Result<Whole> {
    let (file, points, modes) = (args.file.display(), model.point_count(), model.mode_count());
    match (args.point, args.mode) {
        (Some(k), _) if k >= points => {
            bail!("--point {k}: {file} has points 0 to {}", points - 1)
        }
        (_, Some(n)) if n == 0 || n > modes => bail!("--mode {n}: {file} has modes 1 to {modes}"),
        (Some(k), _) => plot::draw_model_at_point(model, k, output),
        (_, Some(n)) => plot::draw_mode_shape(model, n, merged, output),
        _ if args.sound_map => plot::draw_sound_map(model, output),
        _ => plot::draw_model(model, output),
    }
}

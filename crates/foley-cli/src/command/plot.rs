//! `foley plot`: pictures.

use anyhow::{Result, bail};
use serde_json::json;
use std::path::PathBuf;

use crate::plot;
use crate::say::say;
use crate::target::{check_is_file, has_ending};

/// A picture of a model (modes over frequency and decay) or a sound (spectrogram).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .modal or .wav file
    file: PathBuf,
    /// The picture, .png or .svg [default: the file's name with .png]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the loudness of a model's modes at this surface point, instead of over all
    #[arg(long)]
    point: Option<usize>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let file = &args.file;
    let output = args.output.clone().unwrap_or_else(|| file.with_extension("png"));
    plot::check_ending(&output)?;
    let picture = if has_ending(file, "modal") {
        let model = foley_modal::file::load(file)?;
        match args.point {
            Some(k) if k >= model.point_count() => {
                bail!("--point {k}: {} has points 0 to {}", file.display(), model.point_count() - 1)
            }
            Some(k) => plot::draw_model_at_point(&model, k, &output)?,
            None => plot::draw_model(&model, &output)?,
        }
    } else if has_ending(file, "wav") {
        if args.point.is_some() {
            bail!("{} is a sound and has no surface points; leave --point out", file.display());
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

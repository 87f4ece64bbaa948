//! `foley plot`: pictures.

use anyhow::{Result, bail};
use serde_json::json;
use std::path::PathBuf;

use crate::plot;

/// A picture of a model (modes over frequency and decay) or a sound (spectrogram).
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .modal or .wav file.
    file: PathBuf,
    /// The picture, .png or .svg (default: the file's name with .png).
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Show the loudness of a model's modes at this surface point, instead of over all.
    #[arg(long)]
    point: Option<usize>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let output = args.output.clone().unwrap_or_else(|| args.file.with_extension("png"));
    let extension = args.file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "modal" => {
            let model = foley_modal::file::load(&args.file)?;
            match args.point {
                Some(k) if k >= model.point_count() => {
                    bail!("--point {k}: the model has points 0 to {}", model.point_count() - 1)
                }
                Some(k) => plot::plot_model_at_point(&model, k, &output)?,
                None => plot::plot_model(&model, &output)?,
            }
        }
        "wav" => plot::plot_spectrogram_of_wav(&args.file, &output)?,
        _ => bail!("{}: only .modal and .wav files can be drawn", args.file.display()),
    }
    if json {
        println!("{}", json!({ "written": output }));
    } else {
        println!("written: {}", output.display());
    }
    Ok(())
}

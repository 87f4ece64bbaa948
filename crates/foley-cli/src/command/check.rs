//! `foley check`: is a file fit for use?

use anyhow::{Context, Result, bail};
use serde_json::json;
use std::path::PathBuf;

use crate::command::modes;

/// Is this file fit for use? What is wrong with it?
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .modal or .wav file.
    file: PathBuf,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let path = &args.file;
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "modal" => check_model(args, json),
        "wav" => {
            let reader = hound::WavReader::open(path)
                .with_context(|| format!("{} is not a sound file", path.display()))?;
            let spec = reader.spec();
            let seconds = f64::from(reader.duration()) / f64::from(spec.sample_rate.max(1));
            if json {
                let (rate, channels) = (spec.sample_rate, spec.channels);
                let facts = json!({ "ok": true, "seconds": seconds, "sample_rate_hz": rate, "channels": channels });
                println!("{facts}");
            } else {
                println!(
                    "{}: good, {seconds:.2} s, {} channels at {} Hz",
                    path.display(),
                    spec.channels,
                    spec.sample_rate
                );
            }
            Ok(())
        }
        _ => bail!("{}: only .modal and .wav files can be checked", path.display()),
    }
}

fn check_model(args: &Args, json: bool) -> Result<()> {
    let model = foley_modal::file::load(&args.file)?;
    let remarks = remarks(&model);
    if json {
        let mut facts = modes::facts(&model, None);
        facts["ok"] = true.into();
        facts["remarks"] = remarks.into();
        println!("{facts}");
    } else {
        modes::print(&model);
        for remark in &remarks {
            println!("note: {remark}");
        }
        println!("{}: good", args.file.display());
    }
    Ok(())
}

/// What is allowed but worth knowing.
fn remarks(model: &foley_dsp::model::ModalModel) -> Vec<String> {
    let count = |test: fn(f64) -> bool, values: &[f64]| values.iter().filter(|v| test(**v)).count();
    let mut remarks = Vec::new();
    let above = count(|f| f >= 24_000.0, &model.frequencies_hz);
    if above > 0 {
        remarks.push(format!("{above} modes lie above 24 kHz and are silent at 48 kHz"));
    }
    let below = count(|f| f < 20.0, &model.frequencies_hz);
    if below > 0 {
        remarks.push(format!("{below} modes lie below 20 Hz: felt rather than heard"));
    }
    let endless = count(|d| d == 0.0, &model.decays);
    if endless > 0 {
        remarks.push(format!("{endless} modes never decay"));
    }
    if model.gains.iter().all(|g| *g == 0.0) {
        remarks.push("all gains are zero: this model is silent wherever it is struck".into());
    }
    remarks
}

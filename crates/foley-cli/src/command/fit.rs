//! `foley fit`: modes from recorded strikes.

use anyhow::{Context, Result, bail};
use foley::backend::file::{Format, write};
use foley_modal::fit::{Fitted, Options, Recording, fit};
use serde_json::json;
use std::path::{Path, PathBuf};

use crate::command::modes::t60;
use crate::listen::Sound;
use crate::plot;

/// Modes from recorded strikes at one or several places.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Recorded strikes, .wav, one for each place; channels are averaged.
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// Where each recording was struck, in metres, e.g. --at 0.1,0,0 (one for each, in
    /// the same order; default: all at the origin).
    #[arg(long, value_parser = place, allow_hyphen_values = true, value_name = "X,Y,Z")]
    at: Vec<[f64; 3]>,
    /// Where to write the model (default: named after the first recording).
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Also write what the modes leave over, .wav or .flac, one channel for each
    /// recording.
    #[arg(long)]
    residual: Option<PathBuf>,
    /// Also write the recording (left) beside the modes alone (right), .wav or .flac;
    /// several recordings one after the other.
    #[arg(long)]
    resynthesis: Option<PathBuf>,
    /// Also draw the spectrograms of the recording (above) and the modes (below), .png
    /// or .svg; of the first recording.
    #[arg(long)]
    picture: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    if !args.at.is_empty() && args.at.len() != args.recordings.len() {
        bail!(
            "{} places (--at) for {} recordings: give --at once for each recording, or never",
            args.at.len(),
            args.recordings.len()
        );
    }
    for path in [&args.residual, &args.resynthesis].into_iter().flatten() {
        Format::from_path(path)?;
    }
    let recordings =
        args.recordings.iter().map(|path| read(path)).collect::<Result<Vec<Recording>>>()?;
    let name = args.recordings[0].file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let options = Options { name, places: args.at.clone(), ..Options::default() };
    let fitted = fit(&recordings, &options).with_context(|| {
        let names: Vec<String> =
            args.recordings.iter().map(|path| path.display().to_string()).collect();
        format!("cannot fit {}", names.join(", "))
    })?;

    let output = args.output.clone().unwrap_or_else(|| args.recordings[0].with_extension("modal"));
    foley_modal::file::save(&fitted.model, &output)?;
    let rate = recordings[0].sample_rate_hz as u32;
    if let Some(path) = &args.residual {
        let parts: Vec<&[f32]> = fitted.strikes.iter().map(|s| &s.residual[..]).collect();
        save(path, side_by_side(&parts), parts.len(), rate)?;
    }
    if let Some(path) = &args.resynthesis {
        let pairs = recordings.iter().zip(&fitted.strikes);
        let samples = pairs.flat_map(|(r, s)| side_by_side(&[&r.samples, &s.resynthesis]));
        save(path, samples.collect(), 2, rate)?;
    }
    if let Some(path) = &args.picture {
        let channels = [recordings[0].samples.clone(), fitted.strikes[0].resynthesis.clone()];
        let title = format!(
            "{}: the recording (left channel) and its {} modes (right channel)",
            fitted.model.name,
            fitted.modes.len()
        );
        plot::plot_audio(&channels, rate, &title, path)?;
    }
    if json {
        println!("{}", facts(args, &fitted, &output));
    } else {
        print(args, &fitted);
        println!("written: {}", output.display());
    }
    Ok(())
}

fn place(text: &str) -> Result<[f64; 3], String> {
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err(format!("`{text}` is not a place; write metres as 0.1,0,0")),
    }
}

/// Reads a recording; its channels are averaged.
fn read(path: &Path) -> Result<Recording> {
    let sound = plot::wav::read(path)?;
    let part = 1.0 / sound.channels.len() as f32;
    let mix = |i: usize| sound.channels.iter().map(|c| part * c[i]).sum();
    let samples = (0..sound.channels[0].len()).map(mix).collect();
    Ok(Recording { samples, sample_rate_hz: f64::from(sound.sample_rate) })
}

/// Interleaves channels; shorter ones end in silence.
fn side_by_side(channels: &[&[f32]]) -> Vec<f32> {
    let frames = channels.iter().map(|c| c.len()).max().unwrap_or(0);
    let frame = |i: usize| channels.iter().map(move |c| c.get(i).copied().unwrap_or(0.0));
    (0..frames).flat_map(frame).collect()
}

fn save(path: &Path, samples: Vec<f32>, channels: usize, sample_rate_hz: u32) -> Result<()> {
    let mut source = Sound { samples, channels, sample_rate_hz }.into_source();
    let frames = source.frames();
    write(path, Format::from_path(path)?, &mut source, frames, |_| true)?;
    Ok(())
}

fn facts(args: &Args, fitted: &Fitted, output: &Path) -> serde_json::Value {
    let model = &fitted.model;
    let strike = |(path, s): (&PathBuf, &foley_modal::fit::FittedStrike)| {
        json!({
            "file": path,
            "onset_s": s.onset_s,
            "residual_db": s.residual_db,
            "noise_db": s.noise_db,
            "clipped_samples": s.clipped_samples,
        })
    };
    let mode = |n: usize| {
        json!({
            "frequency_hz": model.frequencies_hz[n],
            "decay_per_s": model.decays[n],
            "t60_s": t60(model.decays[n]),
            "above_noise_db": fitted.modes[n].level_db,
            "gains": (0..model.point_count())
                .map(|k| model.gains_of_point(k)[n])
                .collect::<Vec<_>>(),
        })
    };
    json!({
        "name": model.name,
        "modes": (0..model.mode_count()).map(mode).collect::<Vec<_>>(),
        "recordings": args.recordings.iter().zip(&fitted.strikes).map(strike).collect::<Vec<_>>(),
        "written": output,
        "residual": args.residual,
        "resynthesis": args.resynthesis,
        "picture": args.picture,
    })
}

/// The loudest modes as a table, and what each recording has left.
fn print(args: &Args, fitted: &Fitted) {
    let model = &fitted.model;
    println!("{}: {} modes, {} places", model.name, model.mode_count(), model.point_count());
    println!("  mode        Hz    T60 s   gain dB   above noise dB");
    let gain =
        |n: usize| (0..model.point_count()).fold(0.0f32, |g, k| g.max(model.gains_of_point(k)[n]));
    let mut loudest: Vec<usize> = (0..model.mode_count()).collect();
    loudest.sort_by(|a, b| gain(*b).total_cmp(&gain(*a)));
    loudest.truncate(12);
    loudest.sort_unstable();
    for n in &loudest {
        println!(
            "  {:>4} {:>9.1} {:>8.3} {:>9.1} {:>16.0}",
            n + 1,
            model.frequencies_hz[*n],
            t60(model.decays[*n]),
            20.0 * gain(*n).log10(),
            fitted.modes[*n].level_db
        );
    }
    if loudest.len() < model.mode_count() {
        println!("     … and {} quieter ones", model.mode_count() - loudest.len());
    }
    for (path, strike) in args.recordings.iter().zip(&fitted.strikes) {
        println!(
            "{}: struck at {:.3} s, residual {:.1} dB (its noise {:.1} dB)",
            path.display(),
            strike.onset_s,
            strike.residual_db,
            strike.noise_db
        );
        if strike.clipped_samples > 0 {
            println!(
                "  {} samples look clipped: record it again at a lower level, or distrust \
                 the weaker modes",
                strike.clipped_samples
            );
        }
    }
}

//! `foley fit --surface`: what was scraped.

use anyhow::{Context, Result};
use foley::dsp::excitation::Surface;
use foley::geometry::file_plan::FilePlan;
use foley::modal::fit::{FittedReson, FittedSurface, SurfaceOptions, fit_surface};
use serde_json::json;
use std::path::{Path, PathBuf};

use super::{Args, inputs};
use crate::output::{misuse, print_line};
use crate::values::has_ending;
use foley::plot::AtomicFile;

/// Speed of a scrape whose speed is unknown, m/s.
const DEFAULT_SPEED: f64 = 1.0;

pub(super) fn run(args: &Args, json: bool) -> Result<()> {
    let [path] = &args.recordings[..] else {
        misuse!("--surface takes one recording, and {} are given", args.recordings.len());
    };
    let output = output(args, path)?;
    let heard = inputs::read(&args.recordings)?;
    let cannot = || format!("cannot fit {}", path.display());
    let fitted = fit_surface(&heard.recordings[0], &SurfaceOptions::default());
    let fitted = rounded(fitted.with_context(cannot)?);
    let speed = args.speed.unwrap_or(DEFAULT_SPEED);
    let surface = fitted.surface(speed).with_context(|| {
        format!("{}: at {speed} m/s (see --speed) this is no surface", path.display())
    })?;
    let table = table(path, &fitted, &surface, speed)?;
    AtomicFile::new(&output, table.as_bytes())?.keep()?;
    match json {
        true => facts(path, heard.channels[0], &fitted, &surface, speed, &output),
        false => {
            heard.channel_note(0, path).iter().try_for_each(|note| print_line!("note: {note}"))?;
            print(args, path, &fitted, speed, &output)
        }
    }
}

fn output(args: &Args, recording: &Path) -> Result<PathBuf> {
    let output = args.output.clone().unwrap_or_else(|| recording.with_extension("toml"));
    if !has_ending(&output, "toml") {
        misuse!("cannot write {}: end its name with .toml", output.display());
    }
    let mut plan = FilePlan::default();
    plan.read("the recording", recording);
    plan.write("--output", &output);
    plan.check()?;
    Ok(output)
}

/// Four digits: no recording says more.
fn rounded(mut fitted: FittedSurface) -> FittedSurface {
    let digits = |x: f64| format!("{x:.3e}").parse().unwrap_or(x);
    fitted.beta = digits(fitted.beta);
    if let Some(reson) = &mut fitted.reson {
        reson.frequency_hz = digits(reson.frequency_hz);
        reson.bandwidth_hz = digits(reson.bandwidth_hz);
    }
    fitted
}

/// The surface as a table of a scene file.
fn table(path: &Path, fitted: &FittedSurface, surface: &Surface, speed: f64) -> Result<String> {
    // A file's name may hold anything, a comment only one line.
    let name: String = path.display().to_string().chars().filter(|c| !c.is_control()).collect();
    let dimension = fitted.dimension();
    let table = toml::to_string(surface).context("cannot write the surface as TOML")?;
    Ok(format!("# {name}, scraped at {speed} m/s; fractal dimension {dimension:.2}\n{table}"))
}

fn facts(
    path: &Path,
    channel: usize,
    fitted: &FittedSurface,
    surface: &Surface,
    speed: f64,
    output: &Path,
) -> Result<()> {
    let reson =
        |r: FittedReson| json!({ "frequency_hz": r.frequency_hz, "bandwidth_hz": r.bandwidth_hz });
    let facts = json!({
        "file": path.display().to_string(),
        "channel": channel,
        "speed_m_s": speed,
        "beta": fitted.beta,
        "dimension": fitted.dimension(),
        "reson": fitted.reson.map(reson),
        "misfit_db": fitted.misfit_db,
        "band_hz": fitted.band_hz,
        "seconds": fitted.seconds,
        "surface": surface,
        "written": output.display().to_string(),
    });
    print_line!("{facts}")
}

fn print(
    args: &Args,
    path: &Path,
    fitted: &FittedSurface,
    speed: f64,
    output: &Path,
) -> Result<()> {
    let FittedSurface { beta, misfit_db, band_hz: [low, high], seconds, .. } = *fitted;
    let dimension = fitted.dimension();
    print_line!("{}: power ∝ f^{beta:.2}, fractal dimension {dimension:.2}", path.display())?;
    match fitted.reson {
        Some(FittedReson { frequency_hz, bandwidth_hz, .. }) => {
            let wavelength_mm = speed / frequency_hz * 1e3;
            print_line!(
                "  a peak at {frequency_hz:.0} Hz, {bandwidth_hz:.0} Hz wide: waves of \
                 {wavelength_mm:.3} mm at {speed} m/s"
            )?;
            if args.speed.is_none() {
                print_line!("note: scraping speed assumed 1 m/s; set it with --speed")?;
            }
        }
        None => print_line!("  no peak")?,
    }
    print_line!(
        "  from {seconds:.1} s between {low:.0} and {high:.0} Hz, misfit {misfit_db:.1} dB"
    )?;
    print_line!("written: {}", output.display())
}

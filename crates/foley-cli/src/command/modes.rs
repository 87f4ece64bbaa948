//! `foley modes`: modal analysis.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use serde_json::json;
use std::path::PathBuf;

use crate::say::say;
use crate::target::{self, Making, has_ending};
use crate::whole::Whole;

/// Modal analysis of a shape.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A shape, e.g. bar:300x30x8mm, plate:300x200x2mm,edges=clamped, disc:200x2mm,
    /// rod:300x12mm, membrane:350mm,tension=2000N/m,density=0.26kg/m2, string:650x1mm,tension=70N
    shape: String,
    #[command(flatten)]
    making: Making,
    /// Where to write the model, .modal or .json [default: after shape and material, such
    /// as bar-steel.modal]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write all of the model as JSON instead of a .modal file
    #[arg(long)]
    export_json: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let as_json = is_json(args)?;
    let model = target::analyse(&args.shape, &args.making)?;
    let path = args.output.clone().unwrap_or_else(|| {
        let kind = args.shape.split(':').next().unwrap_or_default().trim().to_lowercase();
        let material = args.making.material.as_deref().unwrap_or_default();
        let material = material.trim().to_lowercase().replace(' ', "-");
        PathBuf::from(format!("{kind}-{material}.{}", if as_json { "json" } else { "modal" }))
    });
    let bytes = match as_json {
        true => foley_modal::file::to_json(&model).into_bytes(),
        false => foley_modal::file::write(&model),
    };
    Whole::new(&path, &bytes)?.keep()?;
    if json {
        return say!("{}", facts(&model, Some(path.display().to_string())));
    }
    print(&model)?;
    say!("written: {}", path.display())
}

/// Whether the file will be JSON: when it is asked for, or when its name ends so.
fn is_json(args: &Args) -> Result<bool> {
    let Some(path) = &args.output else { return Ok(args.export_json) };
    let ending = |ending| has_ending(path, ending);
    if ending("json") || ending("modal") && !args.export_json {
        return Ok(ending("json"));
    }
    let must = if args.export_json { ".json" } else { ".modal or .json" };
    bail!("cannot write {}: end its name with {must}", path.display())
}

/// What is worth knowing about a model.
pub(crate) fn facts(model: &ModalModel, written: Option<String>) -> serde_json::Value {
    json!({
        "name": model.name,
        "modes": model.mode_count(),
        "points": model.point_count(),
        "mass_kg": model.body.mass_kg,
        "frequencies_hz": model.frequencies_hz,
        "t60_s": model.decays.iter().map(|d| t60(*d)).collect::<Vec<_>>(),
        "written": written,
    })
}

pub(crate) fn t60(decay: f64) -> f64 {
    3.0 * 10f64.ln() / decay
}

/// The first modes as a table.
pub(crate) fn print(model: &ModalModel) -> Result<()> {
    let (modes, points, mass) = (model.mode_count(), model.point_count(), model.body.mass_kg);
    say!("{}: {modes} modes, {points} places, {mass:.3} kg", model.name)?;
    say!("  mode        Hz    T60 s")?;
    for (n, (f, d)) in model.frequencies_hz.iter().zip(&model.decays).take(8).enumerate() {
        say!("  {:>4} {f:>9.1} {:>8.3}", n + 1, t60(*d))?;
    }
    if modes > 8 {
        say!(
            "     … {:>9.1} {:>8.3}",
            model.frequencies_hz[modes - 1],
            t60(model.decays[modes - 1])
        )?;
    }
    Ok(())
}

//! `foley modes`: modal analysis.

use anyhow::Result;
use foley_dsp::model::ModalModel;
use serde_json::json;
use std::path::PathBuf;

use crate::target::{self, Making};

/// Modal analysis of a shape.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A shape, e.g. bar:300x30x8mm, plate:300x200x2mm,edges=clamped, disc:200x2mm,
    /// rod:300x12mm, membrane:350mm,tension=2000N/m,density=0.26kg/m2, string:650x1mm,tension=70N
    shape: String,
    #[command(flatten)]
    making: Making,
    /// Where to write the model (default: named after shape and material).
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Write all of the model as JSON instead of a .modal file.
    #[arg(long)]
    export_json: bool,
}

pub(crate) fn run(args: &Args, json: bool) -> Result<()> {
    let model = target::analyse(&args.shape, &args.making)?;
    let path = args.output.clone().unwrap_or_else(|| {
        let kind = args.shape.split(':').next().unwrap_or("shape");
        let material = args.making.material.as_deref().unwrap_or_default().replace(' ', "-");
        let extension = if args.export_json { "json" } else { "modal" };
        PathBuf::from(format!("{kind}-{material}.{extension}"))
    });
    if args.export_json {
        let text = foley_modal::file::to_json(&model);
        std::fs::write(&path, text)
            .map_err(|e| anyhow::anyhow!("cannot write {}: {e}", path.display()))?;
    } else {
        foley_modal::file::save(&model, &path)?;
    }
    if json {
        println!("{}", facts(&model, Some(path.display().to_string())));
    } else {
        print(&model);
        println!("written: {}", path.display());
    }
    Ok(())
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
pub(crate) fn print(model: &ModalModel) {
    println!(
        "{}: {} modes, {} places, {:.3} kg",
        model.name,
        model.mode_count(),
        model.point_count(),
        model.body.mass_kg
    );
    println!("  mode        Hz    T60 s");
    for (n, (f, d)) in model.frequencies_hz.iter().zip(&model.decays).take(8).enumerate() {
        println!("  {:>4} {f:>9.1} {:>8.3}", n + 1, t60(*d));
    }
    if model.mode_count() > 8 {
        println!("     … {:>9.1}", model.frequencies_hz[model.mode_count() - 1]);
    }
}

//! What a command works on: a model file, or a shape in a few characters.

use anyhow::{Context, Result, bail};
use clap::Args;
use foley_dsp::model::ModalModel;
use foley_modal::{Material, Options, Shape};
use std::path::Path;

/// Which modes of a shape to keep.
#[derive(Debug, Args, Clone)]
pub(crate) struct Making {
    /// What it is made of: steel, glass, wood, … (needed for shapes)
    #[arg(long, short)]
    pub(crate) material: Option<String>,
    /// Modes above this are dropped, e.g. 20kHz or 8000.
    #[arg(long, value_parser = hertz, default_value = "20kHz")]
    pub(crate) max_frequency: f64,
    /// At most this many modes, the lowest.
    #[arg(long, default_value_t = 512)]
    pub(crate) max_modes: usize,
}

fn hertz(text: &str) -> Result<f64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (number, factor) = match lower.strip_suffix("khz") {
        Some(number) => (number, 1e3),
        None => (lower.strip_suffix("hz").unwrap_or(&lower), 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value * factor),
        _ => Err(format!("`{text}` is not a frequency; write 20kHz or 8000")),
    }
}

/// Analyses a shape.
pub(crate) fn analyse(shape: &str, making: &Making) -> Result<ModalModel> {
    let parsed: Shape = shape.parse()?;
    let name = making.material.as_deref().with_context(|| {
        format!("`{shape}` is a shape: say what it is made of, e.g. --material steel")
    })?;
    let material = Material::named(name)?;
    let options =
        Options { max_hz: making.max_frequency, max_modes: making.max_modes, ..Options::default() };
    parsed.model(material, &options).with_context(|| format!("cannot analyse {shape}"))
}

/// Loads a model file, or analyses a shape.
pub(crate) fn model(target: &str, making: &Making) -> Result<ModalModel> {
    let path = Path::new(target);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("modal")) || path.is_file() {
        if making.material.is_some() {
            bail!("{target} is a model: its material is already in it; leave --material out");
        }
        return Ok(foley_modal::file::load(path)?);
    }
    if !target.contains(':') {
        bail!("{target}: no such file, and not a shape such as `bar:300x30x8mm`");
    }
    analyse(target, making)
}

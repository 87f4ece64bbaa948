//! What a command works on: a model file, or a shape in a few characters.

use anyhow::{Context, Result, bail};
use clap::Args;
use foley_dsp::model::{MAX_MODES, ModalModel};
use foley_modal::{Material, Options, Shape};
use std::path::Path;

/// Which modes of a shape to keep.
#[derive(Debug, Args, Clone)]
pub(crate) struct Making {
    /// What it is made of: steel, glass, wood, … (needed for shapes)
    #[arg(long, short)]
    pub(crate) material: Option<String>,
    /// Modes of a shape above this are dropped, e.g. 8kHz or 8000 [default: 20kHz]
    #[arg(long, value_parser = hertz, allow_hyphen_values = true, value_name = "HZ")]
    max_frequency: Option<f64>,
    /// At most this many modes of a shape, the lowest [default: 512]
    #[arg(long, value_parser = count, allow_hyphen_values = true, value_name = "COUNT")]
    max_modes: Option<usize>,
}

/// A number in a range, as a flag's value.
pub(crate) fn within(text: &str, [min, max]: [f64; 2], unit: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|x| (min..=max).contains(x));
    number.ok_or_else(|| format!("choose between {min} and {max}{unit}"))
}

pub(crate) fn hertz(text: &str) -> Result<f64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (number, factor) = match lower.strip_suffix("khz") {
        Some(number) => (number, 1e3),
        None => (lower.strip_suffix("hz").unwrap_or(&lower), 1.0),
    };
    let value = number.trim().parse::<f64>().ok().map(|value| value * factor);
    value
        .filter(|f| *f > Options::default().min_hz && *f <= 1e6)
        .ok_or_else(|| "write a frequency above 20 Hz and up to 1000kHz, e.g. 8kHz or 8000".into())
}

pub(crate) fn count(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=MAX_MODES).contains(n));
    number.ok_or_else(|| format!("choose between 1 and {MAX_MODES}"))
}

/// Analyses a shape.
pub(crate) fn analyse(shape: &str, making: &Making) -> Result<ModalModel> {
    let parsed: Shape = shape.parse()?;
    let name = making.material.as_deref().with_context(|| {
        format!("`{shape}` is a shape: say what it is made of, e.g. --material steel")
    })?;
    let material = Material::named(name)?;
    let all = Options::default();
    let options = Options {
        max_hz: making.max_frequency.unwrap_or(all.max_hz),
        max_modes: making.max_modes.unwrap_or(all.max_modes),
        ..all
    };
    parsed.model(material, &options).with_context(|| format!("cannot analyse {shape}"))
}

/// Loads a model file, or analyses a shape.
pub(crate) fn model(target: &str, making: &Making) -> Result<ModalModel> {
    let path = Path::new(target);
    if has_ending(path, "modal") || path.exists() {
        let Making { material, max_frequency, max_modes } = making;
        if material.is_some() || max_frequency.is_some() || max_modes.is_some() {
            bail!(
                "{target} is a model, its material and modes are chosen; \
                 leave --material, --max-frequency and --max-modes out"
            );
        }
        return Ok(foley_modal::file::load(path)?);
    }
    if !target.contains(':') {
        bail!("{target}: no such file, and not a shape such as `bar:300x30x8mm`");
    }
    analyse(target, making)
}

/// Whether a file's name ends so, in whatever case.
pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// Refuses folders, and pipes that would be waited for.
pub(crate) fn check_is_file(path: &Path) -> Result<()> {
    let found = std::fs::metadata(path)
        .with_context(|| format!("{}: cannot open the file", path.display()))?;
    if !found.is_file() {
        bail!("{}: this is not a regular file", path.display());
    }
    Ok(())
}

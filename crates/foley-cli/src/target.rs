//! What a command works on: a model file, a mesh, or a shape in a few characters.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use foley_dsp::model::{MAX_MODES, ModalModel};
use foley_geometry::mesh::{self, Builtin, Density, Units};
use foley_modal::bake::Method;
use foley_modal::{Material, Shape, ShapeOptions};
use std::path::{Path, PathBuf};

use crate::bake;

/// How modes are made of a shape or a mesh.
#[derive(Debug, Args, Clone)]
pub(crate) struct Making {
    /// What it is made of: steel, glass, wood, … (needed for shapes and meshes)
    #[arg(long, short)]
    pub(crate) material: Option<String>,
    /// Modes above this are dropped, e.g. 8kHz or 8000 [default: 20kHz]
    #[arg(long, value_parser = hertz, allow_hyphen_values = true, value_name = "HZ")]
    pub(crate) max_frequency: Option<f64>,
    /// At most this many modes, the lowest [default: 512 of a shape, 1000 of a mesh]
    #[arg(long, value_parser = count, allow_hyphen_values = true, value_name = "COUNT")]
    pub(crate) max_modes: Option<usize>,
    /// Thickness of a mesh's wall, e.g. 2mm [default: measured where the mesh has two sides]
    #[arg(long, value_parser = metres, allow_hyphen_values = true, value_name = "LENGTH")]
    pub(crate) thickness: Option<f64>,
    /// How a mesh is analysed: auto, spring-mass, shell or solid [default: auto]
    #[arg(long)]
    pub(crate) method: Option<Method>,
    /// The unit of a mesh's coordinates: m, cm, mm, in or ft [default: metres]
    #[arg(long)]
    pub(crate) units: Option<Units>,
    /// How fine a built-in mesh is: coarse, medium or fine [default: medium]
    #[arg(long, value_parser = detail)]
    pub(crate) detail: Option<Density>,
    /// Keep modes apart that nobody can tell apart
    #[arg(long)]
    pub(crate) no_compression: bool,
    /// Most memory for a mesh, GiB [default: 4]
    #[arg(long, value_parser = memory, allow_hyphen_values = true, value_name = "GIB")]
    pub(crate) memory: Option<f64>,
}

/// What a command was given.
pub(crate) enum Target {
    /// A model file.
    Model(PathBuf),
    /// A mesh file.
    Mesh(PathBuf),
    /// A mesh that is built in.
    Builtin(&'static Builtin),
    /// A shape in a few characters.
    Shape(Shape),
}

const MESHES: [&str; 5] = ["obj", "ply", "stl", "gltf", "glb"];

/// Whether a file's name ends as those of meshes do.
pub(crate) fn is_mesh(path: &Path) -> bool {
    MESHES.iter().any(|ending| has_ending(path, ending))
}

impl Target {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let path = Path::new(text);
        if is_mesh(path) {
            return Ok(Self::Mesh(path.to_owned()));
        }
        if has_ending(path, "modal") || path.exists() {
            return Ok(Self::Model(path.to_owned()));
        }
        if text.contains(':') {
            return Ok(Self::Shape(text.parse()?));
        }
        mesh::builtin_info(text).map(Self::Builtin).map_err(|error| {
            anyhow!("{text}: no such file, and not a shape such as `bar:300x30x8mm`; {}", error)
        })
    }
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
        .filter(|f| *f > ShapeOptions::default().min_hz && *f <= 1e6)
        .ok_or_else(|| "write a frequency above 20 Hz and up to 1000kHz, e.g. 8kHz or 8000".into())
}

pub(crate) fn count(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=MAX_MODES).contains(n));
    number.ok_or_else(|| format!("choose between 1 and {MAX_MODES}"))
}

fn metres(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let unit = if unit.is_empty() { "m" } else { &unit };
    let metres = unit.parse::<Units>().ok().map(Units::metres);
    let value = digits.trim().parse::<f64>().ok().zip(metres).map(|(x, unit)| x * unit);
    value
        .filter(|x| (1e-9..=1e6).contains(x))
        .ok_or_else(|| "write a positive length with its unit, e.g. 2mm or 0.1in".into())
}

fn detail(text: &str) -> Result<Density, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "coarse" => Ok(Density::Coarse),
        "medium" => Ok(Density::Medium),
        "fine" => Ok(Density::Fine),
        _ => Err("choose coarse, medium or fine".into()),
    }
}

fn memory(text: &str) -> Result<f64, String> {
    within(text, [0.1, 1024.0], " GiB")
}

impl Making {
    /// The material, which shapes and meshes need.
    pub(crate) fn material(&self, target: &str) -> Result<&'static Material> {
        let name = self.material.as_deref().with_context(|| {
            format!("`{target}`: say what it is made of, e.g. --material steel")
        })?;
        Ok(Material::named(name)?)
    }

    /// Refuses what only meshes have.
    fn no_mesh(&self, target: &str, what: &str) -> Result<()> {
        let flags = [
            (self.thickness.is_some(), "--thickness"),
            (self.method.is_some(), "--method"),
            (self.units.is_some(), "--units"),
            (self.detail.is_some(), "--detail"),
            (self.no_compression, "--no-compression"),
            (self.memory.is_some(), "--memory"),
        ];
        match flags.iter().find(|(given, _)| *given) {
            Some((_, flag)) => bail!("{target} is a {what}: {flag} is for meshes; leave it out"),
            None => Ok(()),
        }
    }
}

/// Analyses a shape.
pub(crate) fn analyse(shape: &Shape, text: &str, making: &Making) -> Result<ModalModel> {
    making.no_mesh(text, "shape")?;
    let material = making.material(text)?;
    let all = ShapeOptions::default();
    let options = ShapeOptions {
        max_hz: making.max_frequency.unwrap_or(all.max_hz),
        max_modes: making.max_modes.unwrap_or(all.max_modes),
        ..all
    };
    shape.model(material, &options).with_context(|| format!("cannot analyse {text}"))
}

/// Loads a model file, analyses a shape, or bakes a mesh.
pub(crate) fn model(text: &str, making: &Making) -> Result<ModalModel> {
    match Target::parse(text)? {
        Target::Model(path) => {
            making.no_mesh(text, "model")?;
            let Making { material, max_frequency, max_modes, .. } = making;
            if material.is_some() || max_frequency.is_some() || max_modes.is_some() {
                bail!(
                    "{text} is a model, its material and modes are chosen; \
                     leave --material, --max-frequency and --max-modes out"
                );
            }
            Ok(foley_modal::file::load(path)?)
        }
        Target::Shape(shape) => analyse(&shape, text, making),
        Target::Mesh(path) => Ok(bake::file(&path, making)?.model),
        Target::Builtin(builtin) => Ok(bake::builtin(builtin, making)?.model),
    }
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

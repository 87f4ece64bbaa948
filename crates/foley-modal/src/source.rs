//! Where a model comes from: one text names a model file, a mesh file, a built-in mesh or a
//! shape, and [`ModelSource::load`] reads, bakes or analyses it.
//!
//! ```
//! use foley_modal::source::{ModelOptions, ModelSource};
//! let bar = ModelSource::parse("bar:300x30x8mm")?;
//! let steel = ModelOptions::default().with_material("steel");
//! let loaded = bar.load(&steel, None)?;
//! assert_eq!(loaded.model.frequencies_hz[0].round(), 461.0);
//!
//! let error = bar.load(&ModelOptions::default(), None).unwrap_err();
//! assert_eq!(error.to_string(), "`bar:300x30x8mm`: it needs a material");
//! # Ok::<(), foley_modal::source::SourceError>(())
//! ```

use crate::bake::{self, BakeError, Method, Progress};
use crate::file::{self, FileError};
use crate::material::{Material, MaterialError};
use crate::provenance::Provenance;
use crate::shape::{Shape, ShapeError, ShapeOptions};
use derive_setters::Setters;
use foley_dsp::model::ModalModel;
use foley_geometry::mesh::{
    self, Builtin, Density, Format, Mesh, MeshError, ReadOptions, Repaired, Units,
};
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Where a model comes from.
#[derive(Debug, Clone)]
pub enum ModelSource {
    /// A `.modal` file.
    File(PathBuf),
    /// A mesh file, to be repaired and baked.
    Mesh(PathBuf),
    /// A built-in mesh, to be baked.
    Builtin(&'static Builtin),
    /// An analytic shape.
    Shape(Shape),
}

/// How a shape or a mesh becomes a model. `None` takes the default of [`ShapeOptions`] or of
/// [`bake::Options`].
#[derive(Debug, Clone, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ModelOptions {
    /// Name of the material in the [library](crate::material::library()); shapes and meshes need
    /// one.
    #[setters(into, strip_option)]
    pub material: Option<String>,
    /// Modes above this are dropped, Hz.
    #[setters(into)]
    pub max_hz: Option<f64>,
    /// At most this many modes, the lowest.
    #[setters(into)]
    pub max_modes: Option<usize>,
    /// Wall thickness of a mesh, m.
    #[setters(into)]
    pub thickness_m: Option<f64>,
    /// Discretisation of a mesh.
    #[setters(into)]
    pub method: Option<Method>,
    /// Unit of the coordinates in a mesh file.
    #[setters(into)]
    pub units: Option<Units>,
    /// Fineness of a built-in mesh.
    #[setters(into)]
    pub density: Option<Density>,
    /// Time to spend on the radiation of the modes, s, on two processor cores of 2022.
    #[setters(into)]
    pub radiation_budget_s: Option<f64>,
    /// Whether modes of a mesh that cannot be distinguished are merged.
    #[setters(into)]
    pub compress: Option<bool>,
    /// Most memory for baking a mesh, bytes.
    #[setters(into)]
    pub memory_limit: Option<u64>,
}

/// A model as it was loaded.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The modal model.
    pub model: ModalModel,
    /// How it was made; shapes have no provenance.
    pub provenance: Option<Provenance>,
    /// The part of each mode's decay by the viscosity of the air, 1/s; empty for all but rods and strings.
    pub viscosity_decays: Vec<f64>,
    /// What was changed, left out or approximated, in sentences.
    pub notes: Vec<String>,
}

impl From<(ModalModel, Option<Provenance>)> for Loaded {
    fn from((model, provenance): (ModalModel, Option<Provenance>)) -> Self {
        let notes = provenance.as_ref().map_or(Vec::new(), |made| made.notes.clone());
        Self { model, provenance, viscosity_decays: Vec::new(), notes }
    }
}

/// A field of [`ModelOptions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the fields")]
pub enum ModelOption {
    Material,
    MaxHz,
    MaxModes,
    Thickness,
    Method,
    Units,
    Density,
    RadiationBudget,
    Compress,
    MemoryLimit,
}

impl fmt::Display for ModelOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Material => "material",
            Self::MaxHz => "highest frequency",
            Self::MaxModes => "number of modes",
            Self::Thickness => "wall thickness",
            Self::Method => "method of discretisation",
            Self::Units => "unit of the coordinates",
            Self::Density => "fineness",
            Self::RadiationBudget => "time for radiation",
            Self::Compress => "merging of modes",
            Self::MemoryLimit => "limit of memory",
        })
    }
}

/// Why a source gives no model.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum SourceError {
    /// The text names no file, shape or built-in mesh.
    #[error("{text}: no such file, and not a shape such as `bar:300x30x8mm`; {error}")]
    Unknown { text: String, error: MeshError },
    /// A shape or a mesh without a material.
    #[error("`{source_name}`: it needs a material")]
    NoMaterial { source_name: String },
    /// An option that this kind of source does not have.
    #[error("{source_name} is {kind}: its {option} cannot be chosen")]
    Unsuitable { source_name: String, kind: &'static str, option: ModelOption },
    /// No such material.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A text that starts like a shape and is none.
    #[error(transparent)]
    ShapeText(ShapeError),
    /// The model file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The mesh file cannot be read or repaired.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The analysis of a shape failed.
    #[error("cannot analyse {source_name}")]
    Shape {
        source_name: String,
        #[source]
        error: ShapeError,
    },
    /// Baking a mesh failed.
    #[error("cannot find the modes of {source_name}")]
    Bake {
        source_name: String,
        #[source]
        error: BakeError,
    },
}

/// Returns whether a file name has the ending of a mesh format.
pub fn is_mesh_file(path: &Path) -> bool {
    Format::detect(path, &[]).is_some()
}

impl ModelSource {
    /// Resolves a text: a mesh file by its ending, an existing or `.modal` file, a shape by its
    /// colon, else a built-in mesh.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        let path = Path::new(text);
        if is_mesh_file(path) {
            return Ok(Self::Mesh(path.to_owned()));
        }
        if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("modal")) || path.exists() {
            return Ok(Self::File(path.to_owned()));
        }
        if text.contains(':') {
            return text.parse().map(Self::Shape).map_err(SourceError::ShapeText);
        }
        mesh::builtin_info(text)
            .map(Self::Builtin)
            .map_err(|error| SourceError::Unknown { text: text.to_owned(), error })
    }

    /// Returns the shape; `None` for files and meshes.
    pub fn shape(&self) -> Option<&Shape> {
        match self {
            Self::Shape(shape) => Some(shape),
            Self::File(_) | Self::Mesh(_) | Self::Builtin(_) => None,
        }
    }

    /// Returns the files that [`load`](Self::load) reads.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::File(path) => vec![path.clone()],
            Self::Mesh(path) => mesh::files(path),
            Self::Builtin(_) | Self::Shape(_) => Vec::new(),
        }
    }

    /// Reads a model file, analyses a shape, or reads, repairs and bakes a mesh. `progress` is called while a mesh is
    /// baked.
    pub fn load<'a>(
        &self,
        options: &ModelOptions,
        progress: Option<&'a mut Progress<'a>>,
    ) -> Result<Loaded, SourceError> {
        self.check(options)?;
        match self {
            Self::File(path) => Ok(file::load_with_provenance(path)?.into()),
            Self::Shape(shape) => analyse(shape, self.material(options)?, options),
            Self::Mesh(path) => {
                let material = self.material(options)?;
                let read = ReadOptions::default().with_units(options.units);
                let Repaired { mesh, report, .. } = mesh::load(path, &read)?;
                let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let name = stem.unwrap_or_else(|| self.to_string());
                let (model, mut provenance) =
                    self.bake(&mesh, &name, material, None, options, progress)?;
                let r = report.repairs;
                if r.welded + r.degenerate + r.duplicate + r.flipped > 0 {
                    provenance.notes.push(format!(
                        "the mesh was repaired: {} vertices welded, {} triangles dropped, {} \
                         reversed",
                        r.welded,
                        r.degenerate + r.duplicate,
                        r.flipped
                    ));
                }
                let notes = report.notes.into_iter().filter(|note| !note.starts_with("open:"));
                provenance.notes.extend(notes);
                Ok((model, Some(provenance)).into())
            }
            Self::Builtin(builtin) => {
                let material = self.material(options)?;
                let mesh = builtin.mesh(options.density.unwrap_or_default());
                let wall_m = builtin.thickness_m.filter(|_| !builtin.closed);
                let (model, provenance) =
                    self.bake(&mesh, builtin.name, material, wall_m, options, progress)?;
                Ok((model, Some(provenance)).into())
            }
        }
    }

    /// Refuses options that this kind of source does not have.
    fn check(&self, options: &ModelOptions) -> Result<(), SourceError> {
        use ModelOption::*;
        let o = options;
        let mesh = [
            (o.thickness_m.is_some(), Thickness),
            (o.method.is_some(), Method),
            (o.units.is_some(), Units),
            (o.density.is_some(), Density),
            (o.compress.is_some(), Compress),
            (o.memory_limit.is_some(), MemoryLimit),
        ];
        let all = [
            (o.material.is_some(), Material),
            (o.max_hz.is_some(), MaxHz),
            (o.max_modes.is_some(), MaxModes),
            (o.radiation_budget_s.is_some(), RadiationBudget),
        ];
        let (kind, unsuitable) = match self {
            Self::File(_) => ("a model file", [&mesh[..], &all].concat()),
            Self::Shape(_) => ("a shape", mesh.to_vec()),
            Self::Mesh(_) => ("a mesh file", vec![(o.density.is_some(), Density)]),
            Self::Builtin(_) => ("a built-in mesh, in metres", vec![(o.units.is_some(), Units)]),
        };
        match unsuitable.iter().find(|(given, _)| *given) {
            Some(&(_, option)) => {
                Err(SourceError::Unsuitable { source_name: self.to_string(), kind, option })
            }
            None => Ok(()),
        }
    }

    fn material(&self, options: &ModelOptions) -> Result<&'static Material, SourceError> {
        let missing = || SourceError::NoMaterial { source_name: self.to_string() };
        Ok(Material::named(options.material.as_deref().ok_or_else(missing)?)?)
    }

    fn bake<'a>(
        &self,
        mesh: &Mesh,
        name: &str,
        material: &Material,
        wall_m: Option<f64>,
        options: &ModelOptions,
        progress: Option<&'a mut Progress<'a>>,
    ) -> Result<(ModalModel, Provenance), SourceError> {
        let default = bake::Options::default();
        let options = bake::Options {
            method: options.method.unwrap_or_default(),
            thickness_m: options.thickness_m.or(wall_m),
            max_hz: options.max_hz.unwrap_or(default.max_hz),
            max_modes: options.max_modes.unwrap_or(default.max_modes),
            radiation_budget_s: options.radiation_budget_s.unwrap_or(default.radiation_budget_s),
            compress: options.compress.unwrap_or(default.compress),
            memory_limit: options.memory_limit.unwrap_or(default.memory_limit),
            progress,
            ..default
        };
        let baked = bake::bake(mesh, &format!("{} {name}", material.name), material, options)
            .map_err(|error| SourceError::Bake { source_name: self.to_string(), error })?;
        Ok((baked.model, baked.provenance))
    }
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) | Self::Mesh(path) => path.display().fmt(f),
            Self::Builtin(builtin) => f.write_str(builtin.name),
            Self::Shape(shape) => shape.fmt(f),
        }
    }
}

fn analyse(
    shape: &Shape,
    material: &Material,
    options: &ModelOptions,
) -> Result<Loaded, SourceError> {
    let default = ShapeOptions::default();
    let options = ShapeOptions {
        max_hz: options.max_hz.unwrap_or(default.max_hz),
        max_modes: options.max_modes.unwrap_or(default.max_modes),
        radiation_budget_s: options.radiation_budget_s.unwrap_or(default.radiation_budget_s),
        ..default
    };
    let failed = |error| SourceError::Shape { source_name: shape.to_string(), error };
    let modes = shape.modes(material, &options).map_err(failed)?;
    let model = modes.model(shape.model_name(material)).map_err(failed)?;
    let notes = modes.notes(options.max_modes);
    Ok(Loaded { model, provenance: None, viscosity_decays: modes.viscosity_decays(), notes })
}

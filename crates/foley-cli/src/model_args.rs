//! The flags that say how a shape or a mesh becomes a model.

use anyhow::Result;
use clap::Args;
use foley::geometry::mesh::{Density, Units};
use foley::modal::Material;
use foley::modal::bake::{Method, Stage};
use foley::modal::provenance::Provenance;
use foley::modal::source::{Loaded, ModelOption, ModelOptions, ModelSource, SourceError};
use indicatif::ProgressBar;

use crate::output::Misuse;
use crate::progress;
use crate::values::{count, hertz, metres, within};

/// How modes are made of a shape or a mesh.
#[derive(Debug, Args, Clone)]
pub(crate) struct ModelArgs {
    /// What it is made of: steel, glass, wood, … (needed for shapes and meshes)
    #[arg(long, short)]
    pub(crate) material: Option<String>,
    /// Modes above this are dropped, e.g. 8kHz or 8000 [default: 20kHz]
    #[arg(long, value_parser = hertz, allow_hyphen_values = true, value_name = "HZ")]
    pub(crate) max_frequency: Option<f64>,
    /// At most this many modes, the lowest [default: 512 of a shape, 1000 of a mesh]
    #[arg(long, value_parser = count, allow_hyphen_values = true, value_name = "COUNT")]
    max_modes: Option<usize>,
    /// Thickness of a mesh's wall, e.g. 2mm [default: measured where the mesh has two sides]
    #[arg(long, value_parser = metres, allow_hyphen_values = true, value_name = "LENGTH")]
    thickness: Option<f64>,
    /// How a mesh is analysed: auto, spring-mass, shell or solid [default: auto]
    #[arg(long)]
    method: Option<Method>,
    /// The unit of a mesh's coordinates: m, cm, mm, in or ft [default: metres]
    #[arg(long)]
    units: Option<Units>,
    /// How fine a built-in mesh is: coarse, medium or fine [default: medium]
    #[arg(long)]
    detail: Option<Density>,
    /// Seconds to spend on the sound radiation of the modes; those above the frequency that is reached are
    /// approximated [default: 2]
    #[arg(long, value_parser = within([0.0, 1e4], " s"), allow_hyphen_values = true, value_name = "SECONDS")]
    radiation_time: Option<f64>,
    /// Keep modes separate that cannot be distinguished by ear
    #[arg(long)]
    no_compression: bool,
    /// Most memory for a mesh, GiB [default: 4]
    #[arg(long, value_parser = within([0.1, 1024.0], " GiB"), allow_hyphen_values = true, value_name = "GIB")]
    memory: Option<f64>,
}

impl ModelArgs {
    /// Loads a model, with a bar that shows the progress of a bake.
    pub(crate) fn load(&self, source: &ModelSource) -> Result<Loaded> {
        let mut options = ModelOptions::default()
            .with_max_hz(self.max_frequency)
            .with_max_modes(self.max_modes)
            .with_thickness_m(self.thickness)
            .with_method(self.method)
            .with_units(self.units)
            .with_density(self.detail)
            .with_radiation_budget_s(self.radiation_time)
            .with_compress(self.no_compression.then_some(false))
            .with_memory_limit(self.memory.map(|gib| (gib * 2f64.powi(30)) as u64));
        options.material.clone_from(&self.material);
        let (mut bar, mut last): (Option<ProgressBar>, Option<Stage>) = (None, None);
        let mut progress = |stage: Stage, done: f64| {
            let bar = bar.get_or_insert_with(|| progress::bar("measuring", 100));
            if last != Some(stage) {
                progress::name(bar, stage);
                last = Some(stage);
            }
            bar.set_position((100.0 * done) as u64);
            true
        };
        let loaded = source.load(&options, Some(&mut progress));
        bar.iter().for_each(ProgressBar::finish_and_clear);
        loaded.map_err(|error| match &error {
            SourceError::NoMaterial { .. } => {
                Misuse(format!("{error}, e.g. --material steel")).into()
            }
            SourceError::Unsuitable { option, .. } => {
                Misuse(format!("{error}; leave {} out", flag(*option))).into()
            }
            SourceError::Material(_) => Misuse(error.to_string()).into(),
            _ => error.into(),
        })
    }

    /// Returns the loss factor of the material, given or of the model, 0 where none is known.
    pub(crate) fn loss_factor(&self, provenance: Option<&Provenance>) -> f64 {
        let made_of = provenance.map(|made| &*made.material);
        let material = self.material.as_deref().or(made_of);
        let material = material.and_then(|name| Material::named(name).ok());
        material.map_or(0.0, foley::modal::support::loss_factor)
    }

    /// Returns a given option that only matters while modes are computed, not when they are rescaled.
    pub(crate) fn option_of_modal_analysis(&self) -> Option<&'static str> {
        let given = [
            (self.max_modes.is_some(), ModelOption::MaxModes),
            (self.thickness.is_some(), ModelOption::Thickness),
            (self.method.is_some(), ModelOption::Method),
            (self.units.is_some(), ModelOption::Units),
            (self.detail.is_some(), ModelOption::Density),
            (self.radiation_time.is_some(), ModelOption::RadiationBudget),
            (self.no_compression, ModelOption::Compress),
            (self.memory.is_some(), ModelOption::MemoryLimit),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, option)| flag(option))
    }
}

fn flag(option: ModelOption) -> &'static str {
    match option {
        ModelOption::Material => "--material",
        ModelOption::MaxHz => "--max-frequency",
        ModelOption::MaxModes => "--max-modes",
        ModelOption::Thickness => "--thickness",
        ModelOption::Method => "--method",
        ModelOption::Units => "--units",
        ModelOption::Density => "--detail",
        ModelOption::RadiationBudget => "--radiation-time",
        ModelOption::Compress => "--no-compression",
        ModelOption::MemoryLimit => "--memory",
    }
}

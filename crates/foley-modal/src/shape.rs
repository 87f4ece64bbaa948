//! Analytic shapes: bodies whose modes are known in closed form or by Rayleigh–Ritz.
//!
//! A shape gives undamped frequencies and mode shapes. It is centred on the origin: bars and
//! strings along x, plates and membranes in the xy plane. It moves along z, and is struck
//! along z.
//!
//! ```
//! use foley_modal::{Edge, End, Material, ShapeOptions, Shape};
//! let glass = Material::named("glass")?;
//! for shape in [
//!     Shape::bar(0.3, 0.03, 0.008, End::Free)?,
//!     Shape::rod(0.3, 0.012, End::Cantilever)?,
//!     Shape::plate(0.3, 0.2, 0.002, Edge::Free)?,
//!     Shape::disc(0.2, 0.002, Edge::Clamped)?,
//!     Shape::membrane(0.35, 2000.0, 0.26)?,
//!     Shape::string(0.65, 0.001, 70.0)?,
//! ] {
//!     let model = shape.model(glass, &ShapeOptions::default())?;
//!     println!("{shape}: {} modes from {:.1} Hz", model.mode_count(), model.frequencies_hz[0]);
//! }
//! # Ok::<(), foley_modal::ShapeError>(())
//! ```

mod text;
mod dimension;
mod options;
mod air_viscosity;
mod beam;
mod bar;
mod taut_string;
mod plate;
mod circular;
mod solid;
mod radiator;
mod air_load;
mod surface;
mod modes;
mod error;

pub use bar::{Bar, End, Section};
pub use circular::{Disc, Membrane};
pub use error::ShapeError;
pub use modes::Modes;
pub use options::ShapeOptions;
pub use plate::{Edge, Plate};
pub use solid::Solid;
pub use taut_string::TautString;

use crate::material::Material;
use crate::radiation::rigid;
use foley_dsp::model::ModalModel;
use options::Band;
use std::f64::consts::PI;

/// A body of simple form, with checked dimensions.
///
/// For its text form see [`Shape::from_str`](#impl-FromStr-for-Shape).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A straight bar or rod in flexure.
    Bar(Bar),
    /// A thin rectangular plate.
    Plate(Plate),
    /// A thin circular plate.
    Disc(Disc),
    /// A circular membrane, as on a drum.
    Membrane(Membrane),
    /// A stretched string.
    String(TautString),
}

impl Shape {
    /// A bar of rectangular section that bends in its thickness; metres.
    pub fn bar(length: f64, width: f64, thickness: f64, end: End) -> Result<Self, ShapeError> {
        Bar::rectangular(length, width, thickness, end).map(Self::Bar)
    }

    /// A round, solid rod; metres.
    pub fn rod(length: f64, diameter: f64, end: End) -> Result<Self, ShapeError> {
        Bar::round(length, diameter, end).map(Self::Bar)
    }

    /// A rectangular plate, all four edges held alike; metres.
    pub fn plate(length: f64, width: f64, thickness: f64, edge: Edge) -> Result<Self, ShapeError> {
        Plate::new(length, width, thickness, edge).map(Self::Plate)
    }

    /// A circular plate; metres.
    pub fn disc(diameter: f64, thickness: f64, edge: Edge) -> Result<Self, ShapeError> {
        Disc::new(diameter, thickness, edge).map(Self::Disc)
    }

    /// A circular membrane: diameter in m, tension in N/m, density in kg/m². The
    /// material gives damping only.
    pub fn membrane(diameter: f64, tension: f64, density: f64) -> Result<Self, ShapeError> {
        Membrane::new(diameter, tension, density).map(Self::Membrane)
    }

    /// A string without stiffness: length and diameter in m, tension in N. See
    /// [`TautString::stiff`] for stiff strings.
    pub fn string(length: f64, diameter: f64, tension: f64) -> Result<Self, ShapeError> {
        TautString::new(length, diameter, tension).map(Self::String)
    }

    /// Computes the modes of this shape, exact at every place on it.
    pub fn modes(&self, material: &Material, options: &ShapeOptions) -> Result<Modes, ShapeError> {
        self.radiating(self.silent_modes(material, options)?, material, options)
    }

    /// Computes the modes of this shape [scaled](Self::scaled) to each size, whose radiation is solved once, and calls `take`
    /// with each, in the order of the sizes, until it returns false. Membranes are solved at each size: the air loads large
    /// ones more.
    pub fn modes_of_sizes(
        &self,
        sizes: &[f64],
        material: &Material,
        options: &ShapeOptions,
        mut take: impl FnMut(Result<Modes, ShapeError>) -> bool,
    ) {
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let smallest = sizes.iter().copied().fold(largest, f64::min);
        // The lowest modes of the smallest size lie below the band at the largest.
        let low = options.with_min_hz(options.min_hz * (smallest / largest).min(1.0) * 0.999);
        let largest_modes = || self.scaled(largest)?.modes(material, &low);
        let shared = sizes.len() > 1 && !matches!(self, Self::Membrane(_));
        let solved = shared.then(largest_modes).and_then(Result::ok);
        for size in sizes {
            let scaled = || {
                let shape = self.scaled(*size)?;
                let mut modes = shape.silent_modes(material, options)?;
                match &solved {
                    Some(known) if modes.radiate_like(known, size / largest) => Ok(modes),
                    _ => shape.radiating(modes, material, options),
                }
            };
            if !take(scaled()) {
                return;
            }
        }
    }

    /// Computes the modes without radiation.
    fn silent_modes(
        &self,
        material: &Material,
        options: &ShapeOptions,
    ) -> Result<Modes, ShapeError> {
        material.check()?;
        options.check()?;
        let silent = || self.silent(material, options);
        let band = Band::new(options, material.damping).ok_or_else(silent)?;
        let modes = match self {
            Self::Bar(bar) => bar.modes(material, &band),
            Self::Plate(plate) => plate.modes(material, &band)?,
            Self::Disc(disc) => disc.modes(material, &band)?,
            Self::Membrane(membrane) => membrane.modes(material, &band)?,
            Self::String(string) => string.modes(material, &band),
        };
        if modes.is_empty() { Err(silent()) } else { Ok(modes.with_rigid(rigid::of_shape(self))) }
    }

    /// Solves the radiation of modes; the load of the air lowers those of membranes, perhaps out of the band.
    fn radiating(
        &self,
        modes: Modes,
        material: &Material,
        options: &ShapeOptions,
    ) -> Result<Modes, ShapeError> {
        let modes = modes.radiating(options.radiation_budget_s);
        if modes.is_empty() { Err(self.silent(material, options)) } else { Ok(modes) }
    }

    fn silent(&self, material: &Material, options: &ShapeOptions) -> ShapeError {
        ShapeError::Silent {
            shape: self.to_string(),
            material: material.name.to_string(),
            min_hz: options.min_hz,
            max_hz: options.max_hz,
        }
    }

    /// Computes the modal model: the modes, sampled at points that form the surface.
    pub fn model(
        &self,
        material: &Material,
        options: &ShapeOptions,
    ) -> Result<ModalModel, ShapeError> {
        self.modes(material, options)?.model(self.model_name(material))
    }

    /// Returns whether this is a sheet, whose radiation takes seconds to solve.
    pub fn is_sheet(&self) -> bool {
        matches!(self, Self::Plate(_) | Self::Disc(_) | Self::Membrane(_))
    }

    /// Returns the name of the model: material and shape.
    pub fn model_name(&self, material: &Material) -> String {
        format!("{} {self}", material.name)
    }

    /// Multiplies every length by `size`. Tensions, and the density of a membrane, stay.
    ///
    /// ```
    /// use foley_modal::Shape;
    /// let bar: Shape = "bar:300x30x8mm".parse()?;
    /// assert_eq!(bar.scaled(0.5)?.to_string(), "bar:150x15x4mm");
    /// # Ok::<(), foley_modal::ShapeError>(())
    /// ```
    pub fn scaled(&self, size: f64) -> Result<Self, ShapeError> {
        Ok(match self {
            Self::Bar(bar) => {
                let length = bar.length() * size;
                Self::Bar(match bar.section() {
                    Section::Rectangle { width, thickness } => {
                        Bar::rectangular(length, width * size, thickness * size, bar.end)?
                    }
                    Section::Round { diameter } => Bar::round(length, diameter * size, bar.end)?,
                })
            }
            Self::Plate(p) => {
                let [length, width, h] = [p.length(), p.width(), p.thickness()].map(|x| x * size);
                Self::Plate(Plate::new(length, width, h, p.edge)?)
            }
            Self::Disc(d) => {
                Self::Disc(Disc::new(d.diameter() * size, d.thickness() * size, d.edge)?)
            }
            Self::Membrane(m) => {
                Self::Membrane(Membrane::new(m.diameter() * size, m.tension, m.density)?)
            }
            Self::String(s) => {
                let string = TautString::new(s.length() * size, s.diameter() * size, s.tension)?;
                Self::String(if s.stiff { string.stiff() } else { string })
            }
        })
    }

    /// Returns the mass for a material of this density in kg/m³; a membrane has its own.
    pub fn mass_kg(&self, density: f64) -> f64 {
        let disc = |diameter: f64| PI / 4.0 * diameter * diameter;
        match self {
            Self::Bar(bar) => density * bar.section().area() * bar.length(),
            Self::Plate(p) => density * p.length() * p.width() * p.thickness(),
            Self::Disc(d) => density * disc(d.diameter()) * d.thickness(),
            Self::Membrane(m) => m.density * disc(m.diameter()),
            Self::String(s) => density * disc(s.diameter()) * s.length(),
        }
    }
}

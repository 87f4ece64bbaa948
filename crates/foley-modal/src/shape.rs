//! Bodies whose vibration is known in closed form, or nearly so.
//!
//! Every shape knows its undamped frequencies and its mode shapes, so where it is
//! struck matters. It lies centred on the origin: bars and strings along x, plates
//! and membranes in the xy plane. It moves along z, and is struck along z.
//!
//! ```
//! use foley_modal::{Edge, End, Material, Options, Shape};
//! let glass = Material::named("glass")?;
//! for shape in [
//!     Shape::bar(0.3, 0.03, 0.008, End::Free)?,
//!     Shape::rod(0.3, 0.012, End::Cantilever)?,
//!     Shape::plate(0.3, 0.2, 0.002, Edge::Free)?,
//!     Shape::disc(0.2, 0.002, Edge::Clamped)?,
//!     Shape::membrane(0.35, 2000.0, 0.26)?,
//!     Shape::string(0.65, 0.001, 70.0)?,
//! ] {
//!     let model = shape.model(glass, &Options::default())?;
//!     println!("{shape}: {} modes from {:.1} Hz", model.mode_count(), model.frequencies_hz[0]);
//! }
//! # Ok::<(), foley_modal::ShapeError>(())
//! ```

mod band;
mod bar;
mod beam;
mod circular;
mod dimension;
mod disc;
mod error;
mod membrane;
mod modes;
mod plate;
mod radiation;
mod ritz;
mod scaled;
mod solid;
mod surface;
mod taut_string;
mod text;
mod trial;

pub use band::Options;
pub use bar::{Bar, End, Section};
pub use disc::Disc;
pub use error::ShapeError;
pub use membrane::Membrane;
pub use modes::Modes;
pub use plate::{Edge, Plate};
pub use solid::Solid;
pub use taut_string::TautString;

use crate::material::Material;
use band::Band;
use foley_dsp::model::ModalModel;

/// A body of simple form. Its dimensions were checked when it was made.
///
/// It can be written in a few characters, see [`Shape::from_str`](#impl-FromStr-for-Shape).
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
    /// [`TautString::stiff`] for the other kind.
    pub fn string(length: f64, diameter: f64, tension: f64) -> Result<Self, ShapeError> {
        TautString::new(length, diameter, tension).map(Self::String)
    }

    /// The modes of this shape, exact at every place on it.
    pub fn modes(&self, material: &Material, options: &Options) -> Result<Modes, ShapeError> {
        material.check()?;
        options.check()?;
        let silent = || ShapeError::Silent {
            shape: self.to_string(),
            material: material.name.to_string(),
            min_hz: options.min_hz,
            max_hz: options.max_hz,
        };
        let band = Band::new(options, material.damping).ok_or_else(silent)?;
        let modes = match self {
            Self::Bar(bar) => bar.modes(material, &band),
            Self::Plate(plate) => plate.modes(material, &band)?,
            Self::Disc(disc) => disc.modes(material, &band)?,
            Self::Membrane(membrane) => membrane.modes(material, &band)?,
            Self::String(string) => string.modes(material, &band),
        };
        if modes.is_empty() { Err(silent()) } else { Ok(modes) }
    }

    /// The modal model: the modes, sampled at points that form the surface.
    pub fn model(&self, material: &Material, options: &Options) -> Result<ModalModel, ShapeError> {
        let name = format!("{} {self}", material.name);
        self.modes(material, options)?.model(name)
    }
}

//! The same shape, larger or smaller, and how heavy it is.

use super::{Bar, Disc, Membrane, Plate, Section, Shape, ShapeError, TautString};
use std::f64::consts::PI;

impl Shape {
    /// Every length times `size`. Tensions, and the density of a membrane, stay.
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
                        Bar::rectangular(length, width * size, thickness * size, bar.end())?
                    }
                    Section::Round { diameter } => Bar::round(length, diameter * size, bar.end())?,
                })
            }
            Self::Plate(p) => {
                let [length, width, h] = [p.length(), p.width(), p.thickness()].map(|x| x * size);
                Self::Plate(Plate::new(length, width, h, p.edge())?)
            }
            Self::Disc(d) => {
                Self::Disc(Disc::new(d.diameter() * size, d.thickness() * size, d.edge())?)
            }
            Self::Membrane(m) => {
                Self::Membrane(Membrane::new(m.diameter() * size, m.tension(), m.density())?)
            }
            Self::String(s) => {
                let string = TautString::new(s.length() * size, s.diameter() * size, s.tension())?;
                Self::String(if s.is_stiff() { string.stiff() } else { string })
            }
        })
    }

    /// Its mass when its material has this density in kg/m³; a membrane brings its own.
    pub fn mass_kg(&self, density: f64) -> f64 {
        let disc = |diameter: f64| PI / 4.0 * diameter * diameter;
        match self {
            Self::Bar(bar) => density * bar.section().area() * bar.length(),
            Self::Plate(p) => density * p.length() * p.width() * p.thickness(),
            Self::Disc(d) => density * disc(d.diameter()) * d.thickness(),
            Self::Membrane(m) => m.density() * disc(m.diameter()),
            Self::String(s) => density * disc(s.diameter()) * s.length(),
        }
    }
}

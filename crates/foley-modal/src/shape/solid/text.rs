//! Text form of solids; see the table one level up.

use super::Solid;
use crate::shape::ShapeError;
use crate::shape::text::{fields::Fields, shorten};
use std::fmt;
use std::str::FromStr;

impl FromStr for Solid {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let (kind, dimensions) = text.split_once(':').unwrap_or((text, ""));
        let kind = kind.trim().to_lowercase();
        let example = match &*kind {
            "box" => "box:60x40x20mm",
            "cylinder" => "cylinder:80x30mm",
            "ring" => "ring:80x8mm",
            _ => "ball:16mm",
        };
        let mut fields = Fields::new(text, dimensions, example)?;
        let solid = match &*kind {
            "ball" => fields.lengths(["diameter"]).map(|[diameter_m]| Self::Ball { diameter_m }),
            "box" => {
                fields.lengths(["length", "width", "height"]).map(|sides_m| Self::Box { sides_m })
            }
            "cylinder" => fields
                .lengths(["length", "diameter"])
                .map(|[length_m, diameter_m]| Self::Cylinder { length_m, diameter_m }),
            "ring" => fields
                .lengths(["diameter", "wire"])
                .map(|[diameter_m, wire_m]| Self::Ring { diameter_m, wire_m }),
            _ => {
                let known = Self::KINDS.join(", ");
                let problem = format!("there is no kind `{}`, only {known}", shorten(&kind));
                Err(ShapeError::Text { text: shorten(text), problem, example })
            }
        };
        let solid = solid?;
        fields.finish()?;
        solid.checked()
    }
}

impl fmt::Display for Solid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |sides: &[f64]| sides.iter().map(|s| format!("{s}m")).collect::<Vec<_>>().join("x");
        match self {
            Self::Ball { diameter_m } => write!(f, "ball:{}", list(&[*diameter_m])),
            Self::Box { sides_m } => write!(f, "box:{}", list(sides_m)),
            Self::Cylinder { length_m, diameter_m } => {
                write!(f, "cylinder:{}", list(&[*length_m, *diameter_m]))
            }
            Self::Ring { diameter_m, wire_m } => {
                write!(f, "ring:{}", list(&[*diameter_m, *wire_m]))
            }
        }
    }
}

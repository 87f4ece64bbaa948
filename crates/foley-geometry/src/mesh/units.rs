//! Units of length of mesh files: STL, OBJ and PLY do not specify theirs.

use super::MeshError;
use std::fmt;
use std::str::FromStr;

/// Unit of the coordinates in a mesh file.
///
/// ```
/// use foley_geometry::mesh::Units;
/// assert_eq!("mm".parse::<Units>()?, Units::Millimetres);
/// assert_eq!(Units::Inches.metres(), 0.0254);
/// // A mug that is 104 "metres" tall was drawn in millimetres.
/// assert_eq!(Units::Metres.guess(104.0), Some(Units::Millimetres));
/// # Ok::<(), foley_geometry::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// 1 m.
    Metres,
    /// 0.01 m.
    Centimetres,
    /// 0.001 m.
    Millimetres,
    /// 0.0254 m.
    Inches,
    /// 0.3048 m.
    Feet,
}

/// Plausible sizes of sounding objects, in metres.
const LIKELY_SIZE: std::ops::RangeInclusive<f64> = 5e-3..=20.0;

impl Units {
    /// Every unit by its symbol.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("m", Self::Metres),
        ("cm", Self::Centimetres),
        ("mm", Self::Millimetres),
        ("in", Self::Inches),
        ("ft", Self::Feet),
    ];

    /// Returns its length in metres.
    pub fn metres(self) -> f64 {
        self.properties().0
    }

    /// Returns its length in metres, singular and plural.
    fn properties(self) -> (f64, [&'static str; 2]) {
        match self {
            Units::Metres => (1.0, ["metre", "metres"]),
            Units::Centimetres => (0.01, ["centimetre", "centimetres"]),
            Units::Millimetres => (0.001, ["millimetre", "millimetres"]),
            Units::Inches => (0.0254, ["inch", "inches"]),
            Units::Feet => (0.3048, ["foot", "feet"]),
        }
    }

    /// Returns a more plausible unit for a file whose largest extent, read in `self`, is `size_m`.
    /// `None` when that size is plausible, or when no unit makes it so.
    pub fn guess(self, size_m: f64) -> Option<Units> {
        if LIKELY_SIZE.contains(&size_m) {
            return None;
        }
        let drawn = size_m / self.metres();
        let likely = |unit: &Units| LIKELY_SIZE.contains(&(drawn * unit.metres()));
        [Units::Metres, Units::Millimetres, Units::Centimetres].into_iter().find(likely)
    }

    /// Returns a remark on an implausible size.
    pub(super) fn hint(self, size_m: f64) -> Option<String> {
        match self.guess(size_m) {
            Some(unit) => Some(format!("bounding box {size_m:.3} m: {unit}?")),
            None if LIKELY_SIZE.contains(&size_m) => None,
            None => Some(format!("bounding box {size_m:.3e} m: are the units right?")),
        }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.properties().1[1])
    }
}

impl FromStr for Units {
    type Err = MeshError;

    fn from_str(text: &str) -> Result<Self, MeshError> {
        let name = text.trim().to_ascii_lowercase().replace("meter", "metre");
        let is_named = |(symbol, unit): &(&str, Self)| {
            *symbol == name || unit.properties().1.contains(&name.as_str())
        };
        match (Self::NAMES.into_iter().find(is_named), name.as_str()) {
            (Some((_, unit)), _) => Ok(unit),
            (None, "\"") => Ok(Units::Inches),
            (None, "'") => Ok(Units::Feet),
            _ => Err(MeshError::UnknownUnit(text.chars().take(40).collect())),
        }
    }
}

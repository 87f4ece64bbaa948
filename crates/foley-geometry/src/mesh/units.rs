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
        match self {
            Units::Metres => 1.0,
            Units::Centimetres => 0.01,
            Units::Millimetres => 0.001,
            Units::Inches => 0.0254,
            Units::Feet => 0.3048,
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
            Some(unit) => Some(format!("bounding box {size_m:.3} m: {}?", unit.plural())),
            None if LIKELY_SIZE.contains(&size_m) => None,
            None => Some(format!("bounding box {size_m:.3e} m: are the units right?")),
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Units::Metres => "metres",
            Units::Centimetres => "centimetres",
            Units::Millimetres => "millimetres",
            Units::Inches => "inches",
            Units::Feet => "feet",
        }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.plural())
    }
}

impl FromStr for Units {
    type Err = MeshError;

    fn from_str(text: &str) -> Result<Self, MeshError> {
        let name = text.trim().to_ascii_lowercase();
        if let Some((_, unit)) = Self::NAMES.iter().find(|(symbol, _)| *symbol == name) {
            return Ok(*unit);
        }
        match name.as_str() {
            "metre" | "metres" | "meter" | "meters" => Ok(Units::Metres),
            "centimetre" | "centimetres" | "centimeter" | "centimeters" => Ok(Units::Centimetres),
            "millimetre" | "millimetres" | "millimeter" | "millimeters" => Ok(Units::Millimetres),
            "inch" | "inches" | "\"" => Ok(Units::Inches),
            "foot" | "feet" | "'" => Ok(Units::Feet),
            _ => Err(MeshError::UnknownUnit(text.chars().take(40).collect())),
        }
    }
}

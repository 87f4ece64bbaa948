//! Regions of a surface: several sounds, and holes, on one collider.

use crate::HailError;

/// A region in surface coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// An ellipse along u and v.
    Ellipse {
        /// Its middle.
        centre_uv: [f64; 2],
        /// Half its width and height.
        radii_uv: [f64; 2],
    },
    /// A rectangle along u and v.
    Rectangle {
        /// Its least u and v.
        from_uv: [f64; 2],
        /// Its greatest.
        to_uv: [f64; 2],
    },
    /// Everything else.
    Rest,
}

/// What a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A part that sounds, by its number.
    Sounds(u32),
    /// No surface at all: stones pass.
    Hole,
}

/// A region and what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Where.
    pub region: Region,
    /// What.
    pub face: Face,
}

/// A collider may have so many regions.
pub const MOST_PARTS: usize = 256;

impl Region {
    /// `c(p) > 0`.
    pub fn holds(&self, [u, v]: [f64; 2]) -> bool {
        match self {
            Self::Ellipse { centre_uv, radii_uv } => {
                let [x, y] = [(u - centre_uv[0]) / radii_uv[0], (v - centre_uv[1]) / radii_uv[1]];
                1.0 - (x * x + y * y) > 0.0
            }
            Self::Rectangle { from_uv, to_uv } => {
                u > from_uv[0] && u < to_uv[0] && v > from_uv[1] && v < to_uv[1]
            }
            Self::Rest => true,
        }
    }

    fn check(&self, collider: usize) -> Result<(), HailError> {
        let bad = |key, value, must| Err(HailError::Number { collider, key, value, must });
        let finite = |key, values: &[f64]| match values.iter().find(|x| !(x.abs() <= 1e3)) {
            Some(value) => bad(key, *value, "a surface coordinate, between -1000 and 1000"),
            None => Ok(()),
        };
        match self {
            Self::Ellipse { centre_uv, radii_uv } => {
                finite("parts.centre_uv", centre_uv)?;
                match radii_uv.iter().find(|r| !(**r >= 1e-9 && **r <= 1e3)) {
                    Some(r) => bad("parts.radii_uv", *r, "more than 0 (at least 1e-9)"),
                    None => Ok(()),
                }
            }
            Self::Rectangle { from_uv, to_uv } => {
                finite("parts.from_uv", from_uv)?;
                finite("parts.to_uv", to_uv)?;
                match (0..2).find(|i| !(from_uv[*i] < to_uv[*i])) {
                    Some(i) => bad("parts.to_uv", to_uv[i], "more than parts.from_uv"),
                    None => Ok(()),
                }
            }
            Self::Rest => Ok(()),
        }
    }
}

/// The part at a place: none in a hole.
pub(crate) fn part_at(parts: &[Part], uv: [f64; 2]) -> Option<u32> {
    match parts.iter().find(|part| part.region.holds(uv)).map(|part| part.face) {
        None => Some(0),
        Some(Face::Sounds(number)) => Some(number),
        Some(Face::Hole) => None,
    }
}

pub(crate) fn check(parts: &[Part], collider: usize) -> Result<(), HailError> {
    if parts.len() > MOST_PARTS {
        return Err(HailError::TooMany {
            what: "regions of one collider",
            found: parts.len() as u64,
            most: MOST_PARTS as u64,
            remedy: "split the collider",
        });
    }
    parts.iter().try_for_each(|part| part.region.check(collider))
}

//! Parts of a target: regions with their own sound, and holes.

use crate::HailError;

/// A region in surface coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// An ellipse aligned with u and v.
    Ellipse {
        /// Its centre.
        centre_uv: [f64; 2],
        /// Its semi-axes.
        radii_uv: [f64; 2],
    },
    /// A rectangle aligned with u and v.
    Rectangle {
        /// Its smallest u and v.
        from_uv: [f64; 2],
        /// Its largest u and v.
        to_uv: [f64; 2],
    },
    /// The whole surface.
    Everywhere,
}

/// What a region stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRole {
    /// A sounding part with a number.
    Sounding(u32),
    /// A hole: stones pass through.
    Hole,
}

/// A region and its role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The region.
    pub region: Region,
    /// Its role.
    pub role: PartRole,
}

/// The largest number of parts of a target.
pub const MAX_PARTS: usize = 256;

impl Region {
    /// Returns whether a point is inside, `c(p) > 0`.
    pub fn contains(&self, [u, v]: [f64; 2]) -> bool {
        match self {
            Self::Ellipse { centre_uv, radii_uv } => {
                let [x, y] = [(u - centre_uv[0]) / radii_uv[0], (v - centre_uv[1]) / radii_uv[1]];
                1.0 - (x * x + y * y) > 0.0
            }
            Self::Rectangle { from_uv, to_uv } => {
                u > from_uv[0] && u < to_uv[0] && v > from_uv[1] && v < to_uv[1]
            }
            Self::Everywhere => true,
        }
    }

    fn validate(&self, target: usize) -> Result<(), HailError> {
        let bad = |key, value, must| Err(HailError::Number { target, key, value, must });
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
            Self::Everywhere => Ok(()),
        }
    }
}

/// Returns the number of the part at a point; none in a hole.
pub(crate) fn part_at(parts: &[Part], uv: [f64; 2]) -> Option<u32> {
    match parts.iter().find(|part| part.region.contains(uv)).map(|part| part.role) {
        None => Some(0),
        Some(PartRole::Sounding(number)) => Some(number),
        Some(PartRole::Hole) => None,
    }
}

pub(crate) fn validate(parts: &[Part], target: usize) -> Result<(), HailError> {
    if parts.len() > MAX_PARTS {
        return Err(HailError::TooMany {
            what: "regions of one target",
            found: parts.len() as u64,
            limit: MAX_PARTS as u64,
            remedy: "split the target",
        });
    }
    parts.iter().try_for_each(|part| part.region.validate(target))
}

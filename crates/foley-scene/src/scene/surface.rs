//! How rough a surface is: what is heard when something slides or rolls on it.
//!
//! A needle that follows the profile feels its slopes as a force (FoleyAutomatic 2001, §4.2).
//!
//! | key of `surface` | kind | |
//! |---|---|---|
//! | `kind` | | `"fractal"`, `"ribbed"` or `"recorded"` |
//! | `beta` | fractal | its power spectrum goes as ω^β; default −1.5 |
//! | `roughness_m` | fractal | root mean square of its height, m; default 1e-5 |
//! | `reson_wavelength_m` | fractal | wavelength that stands out, m; default none |
//! | `reson_bandwidth` | fractal | width of that resonance against its frequency; default 0.5 |
//! | `period_m` | ribbed | from rib to rib, m |
//! | `depth_m` | ribbed | depth of the grooves, m |
//! | `file` | recorded | a sound file whose samples are heights |
//! | `metres_per_sample` | recorded | how far apart they lie, m |

use crate::assets::Assets;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::write;
use std::path::PathBuf;

/// The profile of a surface.
#[derive(Debug, Clone, PartialEq)]
pub enum Surface {
    /// Self-affine noise, and perhaps one wavelength that stands out.
    Fractal {
        /// β of the power spectrum ω^β.
        beta: f64,
        /// Root mean square of the height, m.
        roughness_m: f64,
        /// Wavelength of the reson, m.
        reson_wavelength_m: Option<f64>,
        /// Its width against its frequency.
        reson_bandwidth: f64,
    },
    /// Ribs across the way.
    Ribbed {
        /// From rib to rib, m.
        period_m: f64,
        /// From top to bottom, m.
        depth_m: f64,
    },
    /// Heights from a file.
    Recorded {
        /// A sound file, relative to the scene's folder.
        file: PathBuf,
        /// Distance between samples, m.
        metres_per_sample: f64,
    },
}

#[derive(Clone, Copy)]
enum Kind {
    Fractal,
    Ribbed,
    Recorded,
}

impl Surface {
    pub(crate) fn read(fields: &mut Fields<'_>, assets: &Assets) -> Option<Self> {
        let inside = format!("{}, surface", fields.inside);
        let mut table = fields.table("surface", inside)?;
        let words =
            [("fractal", Kind::Fractal), ("ribbed", Kind::Ribbed), ("recorded", Kind::Recorded)];
        let kind = table.choice("kind", &words);
        if kind.is_none() && !table.has("kind") {
            table.wrong("kind", "is missing; choose fractal, ribbed or recorded");
        }
        // Without its kind nothing can be said about the other keys.
        let surface = match kind? {
            Kind::Fractal => Some(Self::Fractal {
                beta: table.number("beta", -6.0..=2.0).unwrap_or(-1.5),
                roughness_m: table.number("roughness_m", 0.0..=0.1).unwrap_or(1e-5),
                reson_wavelength_m: table.number("reson_wavelength_m", 1e-7..=10.0),
                reson_bandwidth: table.number("reson_bandwidth", 1e-3..=10.0).unwrap_or(0.5),
            }),
            Kind::Ribbed => Some(Self::Ribbed {
                period_m: needed(&mut table, "period_m", 1e-6..=100.0)?,
                depth_m: needed(&mut table, "depth_m", 0.0..=1.0)?,
            }),
            Kind::Recorded => {
                let metres_per_sample = needed(&mut table, "metres_per_sample", 1e-9..=1.0);
                let file = assets.take(&mut table, "file");
                if !table.has("file") {
                    table.wrong("file", "is missing: name a sound file");
                }
                file.zip(metres_per_sample)
                    .map(|(file, metres_per_sample)| Self::Recorded { file, metres_per_sample })
            }
        };
        table.finish();
        surface
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let mut own = Table::new(table.span.clone());
        match self {
            Self::Fractal { beta, roughness_m, reson_wavelength_m, reson_bandwidth } => {
                own.put("kind", write::text("fractal"));
                own.put("beta", Data::Float(*beta));
                own.put("roughness_m", Data::Float(*roughness_m));
                if let Some(wavelength) = reson_wavelength_m {
                    own.put("reson_wavelength_m", Data::Float(*wavelength));
                }
                own.put("reson_bandwidth", Data::Float(*reson_bandwidth));
            }
            Self::Ribbed { period_m, depth_m } => {
                own.put("kind", write::text("ribbed"));
                own.put("period_m", Data::Float(*period_m));
                own.put("depth_m", Data::Float(*depth_m));
            }
            Self::Recorded { file, metres_per_sample } => {
                own.put("kind", write::text("recorded"));
                own.put("file", write::path(file));
                own.put("metres_per_sample", Data::Float(*metres_per_sample));
            }
        }
        table.put("surface", Data::Table(own));
    }
}

/// A number that must be there.
pub(crate) fn needed(
    fields: &mut Fields<'_>,
    key: &'static str,
    range: std::ops::RangeInclusive<f64>,
) -> Option<f64> {
    let (low, high) = range.clone().into_inner();
    let value = fields.number(key, range);
    if !fields.has(key) {
        fields.wrong(key, format!("is missing: write a number from {low} to {high}"));
    }
    value
}

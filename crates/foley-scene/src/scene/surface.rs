//! Roughness of a surface: a contact that slides or rolls follows the height profile and feels its
//! slopes as a force \[FA\] §4.2.

use crate::read::fields::Fields;
use crate::read::files::SceneFiles;
use crate::read::value::{Data, Table};
use crate::schema::keys::{object, surface};
use crate::write;
use std::path::PathBuf;

/// The profile of a surface.
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceDescription {
    /// Self-affine (fractal) noise, optionally with a reson at one wavelength.
    Fractal {
        /// Exponent β of the power spectrum ω^β.
        beta: f64,
        /// Root mean square of the height, m.
        roughness_m: f64,
        /// Wavelength of the reson, m.
        reson_wavelength_m: Option<f64>,
        /// Bandwidth of the reson relative to its frequency.
        reson_bandwidth: f64,
    },
    /// Ribs across the path.
    Ribbed {
        /// Distance between ribs, m.
        period_m: f64,
        /// Depth of the grooves, m.
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
pub(crate) enum Kind {
    Fractal,
    Ribbed,
    Recorded,
}

/// The words of `kind`.
pub(crate) const KINDS: [(&str, Kind); 3] =
    [("fractal", Kind::Fractal), ("ribbed", Kind::Ribbed), ("recorded", Kind::Recorded)];

impl SurfaceDescription {
    pub(crate) fn read(fields: &mut Fields<'_>, files: &SceneFiles<'_>) -> Option<Self> {
        let context = format!("{}, surface", fields.context);
        let mut table = fields.table(&object::SURFACE, context)?;
        let kind = table.choice(&surface::KIND, &KINDS);
        if kind.is_none() && !table.has(&surface::KIND) {
            table.report(&surface::KIND, "is missing; choose fractal, ribbed or recorded");
        }
        // The other keys depend on the kind.
        let surface = match kind? {
            Kind::Fractal => Some(Self::Fractal {
                beta: table
                    .number(&surface::BETA)
                    .unwrap_or(const { surface::BETA.default_number() }),
                roughness_m: table
                    .number(&surface::ROUGHNESS_M)
                    .unwrap_or(const { surface::ROUGHNESS_M.default_number() }),
                reson_wavelength_m: table.number(&surface::RESON_WAVELENGTH_M),
                reson_bandwidth: table
                    .number(&surface::RESON_BANDWIDTH)
                    .unwrap_or(const { surface::RESON_BANDWIDTH.default_number() }),
            }),
            Kind::Ribbed => Some(Self::Ribbed {
                period_m: table.required_number(&surface::PERIOD_M)?,
                depth_m: table.required_number(&surface::DEPTH_M)?,
            }),
            Kind::Recorded => {
                let metres_per_sample = table.required_number(&surface::METRES_PER_SAMPLE);
                let file = files.take(&mut table, &surface::FILE);
                if !table.has(&surface::FILE) {
                    table.report(&surface::FILE, "is missing: name a sound file");
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
                own.put(surface::KIND.name, write::text("fractal"));
                own.put(surface::BETA.name, Data::Float(*beta));
                own.put(surface::ROUGHNESS_M.name, Data::Float(*roughness_m));
                let wavelength = reson_wavelength_m.map(Data::Float);
                own.put_some(surface::RESON_WAVELENGTH_M.name, wavelength);
                own.put(surface::RESON_BANDWIDTH.name, Data::Float(*reson_bandwidth));
            }
            Self::Ribbed { period_m, depth_m } => {
                own.put(surface::KIND.name, write::text("ribbed"));
                own.put(surface::PERIOD_M.name, Data::Float(*period_m));
                own.put(surface::DEPTH_M.name, Data::Float(*depth_m));
            }
            Self::Recorded { file, metres_per_sample } => {
                own.put(surface::KIND.name, write::text("recorded"));
                own.put(surface::FILE.name, write::path(file));
                own.put(surface::METRES_PER_SAMPLE.name, Data::Float(*metres_per_sample));
            }
        }
        table.put(object::SURFACE.name, Data::Table(own));
    }
}

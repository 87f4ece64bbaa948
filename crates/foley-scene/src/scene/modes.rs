//! Limits and method of an object's modal analysis.

use super::body::BodySource;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::object;
use derive_setters::Setters;
use foley_geometry::mesh::Density;
use foley_modal::bake::Method;

/// Limits and method of an object's modal analysis.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct ModeLimits {
    /// Largest number of modes, the lowest; `None` for 512 of a shape and 1000 of a mesh.
    #[setters(into)]
    pub max_modes: Option<usize>,
    /// Highest frequency, Hz.
    pub max_hz: f64,
    /// Discretisation of a mesh.
    pub method: Method,
    /// Resolution of a built-in mesh.
    pub detail: Density,
}

impl Default for ModeLimits {
    fn default() -> Self {
        Self {
            max_modes: None,
            max_hz: const { object::MAX_HZ.default_number() },
            method: Method::Auto,
            detail: Density::Coarse,
        }
    }
}

impl ModeLimits {
    pub(crate) fn read(fields: &mut Fields<'_>, body: &BodySource) -> Self {
        let defaults = Self::default();
        let limits = Self {
            max_modes: fields.integer(&object::MAX_MODES).map(|n| n as usize),
            max_hz: fields.number(&object::MAX_HZ).unwrap_or(defaults.max_hz),
            method: fields.choice(&object::METHOD, &Method::NAMES).unwrap_or(defaults.method),
            detail: fields.choice(&object::DETAIL, &Density::NAMES).unwrap_or(defaults.detail),
        };
        if fields.has(&object::DETAIL) && !matches!(body, BodySource::Builtin(_)) {
            fields.report(
                &object::DETAIL,
                "is for built-in meshes; others have a resolution of their own",
            );
        }
        if fields.has(&object::METHOD)
            && !matches!(body, BodySource::Builtin(_) | BodySource::Mesh { .. })
        {
            fields.report(&object::METHOD, "is for meshes");
        }
        if matches!(body, BodySource::Model(_)) {
            for key in [&object::MAX_MODES, &object::MAX_HZ] {
                if fields.has(key) {
                    fields.report(key, "does not apply to a model file; remove it");
                }
            }
        }
        limits
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let defaults = Self::default();
        let max_modes = self.max_modes.map(|max| Data::Integer(max as i64));
        table.put_some(object::MAX_MODES.name, max_modes);
        if self.max_hz != defaults.max_hz {
            table.put(object::MAX_HZ.name, Data::Float(self.max_hz));
        }
        table.put_choice(object::METHOD.name, &Method::NAMES, [self.method, defaults.method]);
        table.put_choice(object::DETAIL.name, &Density::NAMES, [self.detail, defaults.detail]);
    }
}

//! Which modes an object has, and how they are found.

use super::body::Body;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::object;
use crate::write;
use foley_geometry::mesh::Density;
use foley_modal::bake::Method;

/// Which modes an object has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeLimits {
    /// At most so many, the lowest; `None` for 512 of a shape and 1000 of a mesh.
    pub max_modes: Option<usize>,
    /// None above, Hz.
    pub max_hz: f64,
    /// How a mesh is made discrete.
    pub method: Method,
    /// How fine a built-in mesh is.
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

pub(crate) const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("shell", Method::Shell),
    ("solid", Method::Solid),
    ("spring-mass", Method::SpringMass),
];
pub(crate) const DETAILS: [(&str, Density); 3] =
    [("coarse", Density::Coarse), ("medium", Density::Medium), ("fine", Density::Fine)];

impl ModeLimits {
    pub(crate) fn read(fields: &mut Fields<'_>, body: &Body) -> Self {
        let all = Self::default();
        let limits = Self {
            max_modes: fields.integer(&object::MAX_MODES).map(|n| n as usize),
            max_hz: fields.number(&object::MAX_HZ).unwrap_or(all.max_hz),
            method: fields.choice(&object::METHOD, &METHODS).unwrap_or(all.method),
            detail: fields.choice(&object::DETAIL, &DETAILS).unwrap_or(all.detail),
        };
        if fields.has(&object::DETAIL) && !matches!(body, Body::Builtin(_)) {
            fields.wrong(&object::DETAIL, "is for built-in meshes; others are as fine as they are");
        }
        if fields.has(&object::METHOD) && !matches!(body, Body::Builtin(_) | Body::Mesh { .. }) {
            fields.wrong(&object::METHOD, "is for meshes");
        }
        if matches!(body, Body::Model(_)) {
            for key in [&object::MAX_MODES, &object::MAX_HZ] {
                if fields.has(key) {
                    fields.wrong(key, "a model file has the modes it has; leave it out");
                }
            }
        }
        limits
    }

    pub(crate) fn write(&self, table: &mut Table) {
        let all = Self::default();
        if let Some(max) = self.max_modes {
            table.put(object::MAX_MODES.name, Data::Integer(max as i64));
        }
        if self.max_hz != all.max_hz {
            table.put(object::MAX_HZ.name, Data::Float(self.max_hz));
        }
        let method = METHODS.iter().find(|(_, method)| *method == self.method);
        if let Some((name, _)) = method.filter(|_| self.method != all.method) {
            table.put(object::METHOD.name, write::text(*name));
        }
        let detail = DETAILS.iter().find(|(_, detail)| *detail == self.detail);
        if let Some((name, _)) = detail.filter(|_| self.detail != all.detail) {
            table.put(object::DETAIL.name, write::text(*name));
        }
    }
}

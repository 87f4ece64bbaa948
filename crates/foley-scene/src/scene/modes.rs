//! Which modes an object has, and how they are found.

use super::body::Body;
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
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
        Self { max_modes: None, max_hz: 20e3, method: Method::Auto, detail: Density::Coarse }
    }
}

const METHODS: [(&str, Method); 4] = [
    ("auto", Method::Auto),
    ("shell", Method::Shell),
    ("solid", Method::Solid),
    ("spring-mass", Method::SpringMass),
];
const DETAILS: [(&str, Density); 3] =
    [("coarse", Density::Coarse), ("medium", Density::Medium), ("fine", Density::Fine)];

impl ModeLimits {
    pub(crate) fn read(fields: &mut Fields<'_>, body: &Body) -> Self {
        let all = Self::default();
        let limits = Self {
            max_modes: fields.integer("max_modes", 1..=20_000).map(|n| n as usize),
            max_hz: fields.number("max_hz", 21.0..=1e5).unwrap_or(all.max_hz),
            method: fields.choice("method", &METHODS).unwrap_or(all.method),
            detail: fields.choice("detail", &DETAILS).unwrap_or(all.detail),
        };
        if fields.has("detail") && !matches!(body, Body::Builtin(_)) {
            fields.wrong("detail", "is for built-in meshes; others are as fine as they are");
        }
        if fields.has("method") && !matches!(body, Body::Builtin(_) | Body::Mesh { .. }) {
            fields.wrong("method", "is for meshes");
        }
        if matches!(body, Body::Model(_)) {
            for key in ["max_modes", "max_hz"] {
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
            table.put("max_modes", Data::Integer(max as i64));
        }
        if self.max_hz != all.max_hz {
            table.put("max_hz", Data::Float(self.max_hz));
        }
        let method = METHODS.iter().find(|(_, method)| *method == self.method);
        if let Some((name, _)) = method.filter(|_| self.method != all.method) {
            table.put("method", write::text(*name));
        }
        let detail = DETAILS.iter().find(|(_, detail)| *detail == self.detail);
        if let Some((name, _)) = detail.filter(|_| self.detail != all.detail) {
            table.put("detail", write::text(*name));
        }
    }
}

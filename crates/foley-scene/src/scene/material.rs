//! Materials of a scene's own, beside those of the library.
//!
//! | key of `[[material]]` | |
//! |---|---|
//! | `name` | what objects call it |
//! | `like` | the library's material it begins as; default `"wood"` |
//! | `density` | kg/m³ |
//! | `young_pa` | Young's modulus, Pa |
//! | `poisson` | Poisson's ratio |
//! | `loss_factor` | constant loss factor tan φ |
//! | `alpha`, `beta` | or Rayleigh damping, 1/s and s |

use crate::diagnostics::{known, short};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::write;
use foley_modal::material::{LIBRARY, names};
use foley_modal::{Damping, Material};

/// The materials that objects of a scene may be made of.
#[derive(Debug, Default)]
pub(crate) struct Materials(Vec<Material>);

impl Materials {
    pub(crate) fn read(scene: &mut Fields<'_>) -> Self {
        let mut all = Self::default();
        for mut fields in scene.tables("material", |i| format!("material {}", i + 1)) {
            let name = fields.text("name").map(|name| name.trim().to_owned());
            if let Some(name) = &name {
                fields.inside = format!("material \"{}\"", short(name));
            } else if !fields.has("name") {
                fields.wrong("name", "is missing: objects need it to name the material");
            }
            let like = fields.text("like").unwrap_or("wood");
            let base = match Material::named(like) {
                Ok(base) => base,
                Err(error) => {
                    fields.wrong("like", error.to_string());
                    &LIBRARY[0]
                }
            };
            let mut material = Material {
                density: fields.number("density", 1e-3..=1e6).unwrap_or(base.density),
                young_pa: fields.number("young_pa", 1.0..=1e15).unwrap_or(base.young_pa),
                poisson: fields.number("poisson", -0.99..=0.499).unwrap_or(base.poisson),
                damping: damping(&mut fields).unwrap_or(base.damping),
                source: "the scene".into(),
                name: name.unwrap_or_default().into(),
            };
            if Material::named(&material.name).is_ok() {
                let why = "the library has a material of this name; choose another";
                fields.wrong("name", format!("`{}`: {why}", material.name));
            } else if all.0.iter().any(|m| m.name == material.name) {
                fields.wrong("name", format!("`{}` is there already", short(&material.name)));
            } else if material.check().is_err() {
                material = base.clone();
            }
            fields.finish();
            all.0.push(material);
        }
        all
    }

    /// The material that a key names.
    pub(crate) fn take(&self, fields: &mut Fields<'_>, key: &'static str) -> Option<Material> {
        let name = fields.text(key)?.trim();
        let found = self.find(name);
        if found.is_none() {
            let mut all: Vec<String> = self.0.iter().map(|m| m.name.to_string()).collect();
            all.extend(names().map(str::to_owned));
            let hint = known(name, all.iter().map(String::as_str));
            fields.wrong(key, format!("there is no material `{}`{hint}", short(name)));
        }
        found
    }

    pub(crate) fn find(&self, name: &str) -> Option<Material> {
        let own = self.0.iter().find(|m| m.name == name);
        own.or(Material::named(name).ok()).cloned()
    }

    /// The materials in use that the library does not have.
    pub(crate) fn write<'a>(used: impl Iterator<Item = &'a Material>, table: &mut Table) {
        let mut own: Vec<&Material> = Vec::new();
        for material in used {
            let foreign = Material::named(&material.name).is_err();
            if foreign && !own.iter().any(|m| m.name == material.name) {
                own.push(material);
            }
        }
        let row = |m: &&Material| {
            let mut row = Table::new(table.span.clone());
            row.put("name", write::text(m.name.clone().into_owned()));
            row.put("density", Data::Float(m.density));
            row.put("young_pa", Data::Float(m.young_pa));
            row.put("poisson", Data::Float(m.poisson));
            match m.damping {
                Damping::LossFactor(tan) => row.put("loss_factor", Data::Float(tan)),
                Damping::Rayleigh { alpha, beta } => {
                    row.put("alpha", Data::Float(alpha));
                    row.put("beta", Data::Float(beta));
                }
            }
            Data::Table(row)
        };
        let rows = write::list(own.iter().map(row), &table.span);
        if !own.is_empty() {
            table.put("material", rows);
        }
    }
}

fn damping(fields: &mut Fields<'_>) -> Option<Damping> {
    let loss = fields.number("loss_factor", 0.0..=1e3);
    let alpha = fields.number("alpha", 0.0..=1e7);
    let beta = fields.number("beta", 0.0..=1.0);
    let rayleigh = fields.has("alpha") || fields.has("beta");
    if rayleigh && fields.has("loss_factor") {
        fields
            .wrong("loss_factor", "stands beside `alpha` or `beta`; one law of damping is enough");
    }
    match (loss, rayleigh) {
        (Some(loss), _) => Some(Damping::LossFactor(loss)),
        (None, true) => {
            let (alpha, beta) = (alpha.unwrap_or(0.0), beta.unwrap_or(0.0));
            Some(Damping::Rayleigh { alpha, beta })
        }
        _ => None,
    }
}

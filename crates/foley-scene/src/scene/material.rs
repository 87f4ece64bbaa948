//! Materials of a scene, in addition to those of the library.

use crate::diagnostics::{suggestion, truncated};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::Key;
use crate::schema::keys::{material, scene};
use crate::write;
use foley_modal::material::{LossTable, Thermal, names};
use foley_modal::{Damping, Material};

/// The materials that a scene defines.
#[derive(Debug, Default)]
pub(crate) struct Materials(Vec<Material>);

impl Materials {
    pub(crate) fn new(materials: Vec<Material>) -> Self {
        Self(materials)
    }

    pub(crate) fn read(scene: &mut Fields<'_>) -> Self {
        let mut all = Self::default();
        for mut fields in scene.tables(&scene::MATERIAL, |i| format!("material {}", i + 1)) {
            let name = fields.text(&material::NAME).map(|name| name.trim().to_owned());
            if let Some(name) = &name {
                fields.context = format!("material \"{}\"", truncated(name));
            } else if !fields.has(&material::NAME) {
                fields.report(
                    &material::NAME,
                    "is missing: objects refer to the material by its name",
                );
            }
            let like =
                fields.text(&material::LIKE).unwrap_or(const { material::LIKE.default_word() });
            let base = match Material::named(like) {
                Ok(base) => base,
                Err(error) => {
                    fields.report(&material::LIKE, error.to_string());
                    &foley_modal::material::FAMILIES[0].1[0]
                }
            };
            let mut material = Material {
                density: fields.number(&material::DENSITY).unwrap_or(base.density),
                young_pa: fields.number(&material::YOUNG_PA).unwrap_or(base.young_pa),
                poisson: fields.number(&material::POISSON).unwrap_or(base.poisson),
                damping: damping(&mut fields).unwrap_or(base.damping),
                thermal: thermal(&mut fields, base.thermal),
                source: "the scene".into(),
                name: name.unwrap_or_default().into(),
            };
            if Material::named(&material.name).is_ok() {
                let problem = "the library has a material of this name; choose another";
                fields.report(&material::NAME, format!("`{}`: {problem}", material.name));
            } else if all.0.iter().any(|m| m.name == material.name) {
                let name = truncated(&material.name);
                fields.report(&material::NAME, format!("two materials have the name `{name}`"));
            } else if material.check().is_err() {
                material = base.clone();
            }
            fields.finish();
            all.0.push(material);
        }
        all
    }

    /// Returns the material that a key names.
    pub(crate) fn take(&self, fields: &mut Fields<'_>, key: &Key) -> Option<Material> {
        let name = fields.text(key)?.trim();
        let found = self.find(name);
        if found.is_none() {
            let mut all: Vec<String> = self.0.iter().map(|m| m.name.to_string()).collect();
            all.extend(names().map(str::to_owned));
            let hint = suggestion(name, all.iter().map(String::as_str));
            fields.report(key, format!("there is no material `{}`{hint}", truncated(name)));
        }
        found
    }

    pub(crate) fn find(&self, name: &str) -> Option<Material> {
        let own = self.0.iter().find(|m| m.name == name);
        own.or(Material::named(name).ok()).cloned()
    }

    /// Writes the materials in use that the library does not have.
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
            row.put(material::NAME.name, write::text(m.name.clone().into_owned()));
            row.put(material::DENSITY.name, Data::Float(m.density));
            row.put(material::YOUNG_PA.name, Data::Float(m.young_pa));
            row.put(material::POISSON.name, Data::Float(m.poisson));
            match m.damping {
                Damping::LossFactor(tan) => row.put(material::LOSS_FACTOR.name, Data::Float(tan)),
                Damping::LossFactorTable(loss) => {
                    let pair =
                        |p: &[f64; 2]| write::list(p.iter().map(|x| Data::Float(*x)), &table.span);
                    let pairs = write::list(loss.points().iter().map(pair), &table.span);
                    row.put(material::LOSS_FACTOR.name, pairs);
                }
                Damping::Rayleigh { alpha, beta } => {
                    row.put(material::ALPHA.name, Data::Float(alpha));
                    row.put(material::BETA.name, Data::Float(beta));
                }
            }
            if let Some(thermal) = m.thermal {
                for (key, value) in [
                    (&material::THERMAL_EXPANSION, thermal.expansion_per_k),
                    (&material::SPECIFIC_HEAT, thermal.specific_heat_j_kg_k),
                    (&material::THERMAL_CONDUCTIVITY, thermal.conductivity_w_m_k),
                ] {
                    row.put(key.name, Data::Float(value));
                }
            }
            Data::Table(row)
        };
        let rows = write::list(own.iter().map(row), &table.span);
        if !own.is_empty() {
            table.put(scene::MATERIAL.name, rows);
        }
    }
}

/// Reads a number, or `[[frequency, number], …]`.
fn loss_factor(fields: &mut Fields<'_>) -> Option<Damping> {
    let key = &material::LOSS_FACTOR;
    let Data::Array(items) = &fields.take(key)?.data else {
        return fields.number(key).map(Damping::LossFactor);
    };
    if items.len() > LossTable::MAX_POINTS {
        let (found, most) = (items.len(), LossTable::MAX_POINTS);
        fields.report(key, format!("has {found} pairs; the limit is {most}"));
        return None;
    }
    let pair = |item| fields.numbers_of::<2>(key, item, 0.0..=1e6);
    let points: Vec<[f64; 2]> = items.iter().map(pair).collect::<Option<_>>()?;
    match LossTable::new(&points) {
        Ok(table) => Some(Damping::LossFactorTable(table)),
        Err(error) => {
            let example = "write a number or pairs such as [[100, 0.01], [5000, 0.02]]";
            fields.report(key, format!("{error}; {example}"));
            None
        }
    }
}

/// Reads the thermal constants; those that are absent are taken from `base`.
fn thermal(fields: &mut Fields<'_>, base: Option<Thermal>) -> Option<Thermal> {
    let keys =
        [&material::THERMAL_EXPANSION, &material::SPECIFIC_HEAT, &material::THERMAL_CONDUCTIVITY];
    let given = keys.map(|key| fields.number(key));
    if !keys.iter().any(|key| fields.has(key)) {
        return base;
    }
    for key in keys.iter().filter(|key| base.is_none() && !fields.has(key)) {
        fields.report(key, "is missing: thermal expansion, heat and conductivity go together");
    }
    Some(Thermal {
        expansion_per_k: given[0].or(base.map(|b| b.expansion_per_k))?,
        specific_heat_j_kg_k: given[1].or(base.map(|b| b.specific_heat_j_kg_k))?,
        conductivity_w_m_k: given[2].or(base.map(|b| b.conductivity_w_m_k))?,
    })
}

fn damping(fields: &mut Fields<'_>) -> Option<Damping> {
    let loss = loss_factor(fields);
    let alpha = fields.number(&material::ALPHA);
    let beta = fields.number(&material::BETA);
    let rayleigh = fields.has(&material::ALPHA) || fields.has(&material::BETA);
    fields.exclude(&material::LOSS_FACTOR, &material::ALPHA);
    fields.exclude(&material::LOSS_FACTOR, &material::BETA);
    match (loss, rayleigh) {
        (Some(loss), _) => Some(loss),
        (None, true) => {
            let (alpha, beta) = (alpha.unwrap_or(0.0), beta.unwrap_or(0.0));
            Some(Damping::Rayleigh { alpha, beta })
        }
        _ => None,
    }
}

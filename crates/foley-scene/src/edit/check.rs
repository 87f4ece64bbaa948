//! Checks the values of edits: each is written as in a scene file and read like one, so that limits
//! and messages are those of the reader, and an edited scene can be written.

use super::{Edit, EditError};
use crate::diagnostics::{Diagnostics, Problem, SceneError, Span, truncated};
use crate::read::fields::{Fields, MAX_LIST};
use crate::read::files::SceneFiles;
use crate::read::value::{Data, Table};
use crate::scene::listener::{read_air, write_air};
use crate::scene::material::Materials;
use crate::scene::pose::{read_pose, write_pose};
use crate::scene::{Hail, Listener, MAX_OBJECTS, Object, Scene, SceneSettings, Scrape, Strike};
use crate::schema::Key;
use crate::schema::keys::{material, object, scene};
use crate::write;
use foley_modal::Material;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Reads a table that an edit writes.
fn read<T>(
    context: String,
    table: &Table,
    read: impl FnOnce(&mut Fields<'_>) -> T,
) -> Result<T, EditError> {
    let log = Diagnostics::default();
    let mut fields = Fields::new(&log, table, context);
    let value = read(&mut fields);
    fields.finish();
    Ok(log.result(value)?)
}

/// Returns the error of a key.
fn refused<T>(context: String, key: &Key, problem: String) -> Result<T, EditError> {
    let problem = Problem {
        file: PathBuf::new(),
        line: None,
        column: None,
        table: context,
        key: Some(key.name.to_owned()),
        message: format!("`{}`: {problem}", key.name),
    };
    Err(SceneError { problems: vec![problem], count: 1 }.into())
}

fn span() -> Span {
    Span::file(Path::new(""))
}

fn context(name: &str) -> String {
    format!("object \"{}\"", truncated(name))
}

impl Scene {
    /// Returns an edit, except a group, with its values as they would be read from a file.
    pub(super) fn checked(&self, edit: Edit) -> Result<Edit, EditError> {
        let mut table = Table::new(span());
        Ok(match edit {
            Edit::AddObject { object, index } => {
                if self.objects.len() >= MAX_OBJECTS {
                    let problem = format!("a scene has at most {MAX_OBJECTS} objects; remove some");
                    return refused(context(&object.name), &object::NAME, problem);
                }
                Edit::AddObject { object: Box::new(self.checked_object(&object, None)?), index }
            }
            Edit::SetObject(object) => {
                let index = self.existing(object.id)?;
                Edit::SetObject(Box::new(self.checked_object(&object, Some(index))?))
            }
            Edit::Rename { object, name } => {
                let index = self.existing(object)?;
                table.put(object::NAME.name, write::text(name));
                let context = context(&self.objects[index].name);
                let name = read(context, &table, |fields| self.checked_name(fields, Some(index)))?;
                Edit::Rename { object, name }
            }
            Edit::SetPose { object, pose } => {
                let index = self.existing(object)?;
                write_pose(&pose, &mut table);
                let pose = read(context(&self.objects[index].name), &table, read_pose)?;
                Edit::SetPose { object, pose }
            }
            Edit::SetMotion { object, motion } => {
                let old = &self.objects[self.existing(object)?];
                let mut new = Object { motion, ..old.clone() };
                new.write_mechanics(&mut table);
                read(context(&old.name), &table, |fields| new.read_mechanics(fields))?;
                Edit::SetMotion { object, motion: new.motion }
            }
            Edit::SetMaterial { object, material } => {
                let index = self.existing(object)?;
                let material =
                    self.checked_material(&material, &self.objects[index].name, Some(index))?;
                Edit::SetMaterial { object, material }
            }
            Edit::SetGain { object, gain_db } => {
                let old = &self.objects[self.existing(object)?];
                table.put(object::GAIN_DB.name, Data::Float(gain_db));
                let read_gain = |fields: &mut Fields<'_>| fields.number(&object::GAIN_DB);
                let gain_db = read(context(&old.name), &table, read_gain)?.unwrap_or(gain_db);
                Edit::SetGain { object, gain_db }
            }
            Edit::RedefineMaterial(material) => Edit::RedefineMaterial(checked_values(&material)?),
            Edit::AddStrike { object, strike, index } => {
                let name = &*self.objects[self.existing(object)?].name;
                check_length("strike", self.strikes.len(), &scene::STRIKE)?;
                let strike = Strike { object: 0, ..strike }.write(&[name], &span());
                let names = HashMap::from([(name, 0)]);
                let strike = read_event("strike", strike, |fields| Strike::read(fields, &names))?;
                let Some(strike) = strike else { return Err(EditError::NoObject { id: object }) };
                Edit::AddStrike { object, strike, index }
            }
            Edit::AddScrape { object, scrape, index } => {
                let name = &*self.objects[self.existing(object)?].name;
                check_length("scrape", self.scrapes.len(), &scene::SCRAPE)?;
                let scrape = Scrape { object: 0, ..*scrape }.write(&[name], &span());
                let names = HashMap::from([(name, 0)]);
                let scrape = read_event("scrape", scrape, |fields| Scrape::read(fields, &names))?;
                let Some(scrape) = scrape else { return Err(EditError::NoObject { id: object }) };
                Edit::AddScrape { object, scrape: Box::new(scrape), index }
            }
            Edit::SetListener(listener) => {
                listener.write(&mut table);
                Edit::SetListener(read(String::new(), &table, Listener::read)?)
            }
            Edit::SetAir(air) => {
                write_air(&air, &mut table);
                Edit::SetAir(read(String::new(), &table, read_air)?)
            }
            Edit::SetHail(hail) => Edit::SetHail(match hail {
                Some(hail) => checked_hail(&hail, self.seed, self.gravity_m_s2)?,
                None => None,
            }),
            Edit::SetSettings(settings) => {
                settings.write(&mut table);
                let files = SceneFiles::new(&self.assets, &self.folder);
                let settings = read(String::new(), &table, |fields| {
                    let seed = SceneSettings::read_seed(fields);
                    SceneSettings::read(fields, seed, "", &files)
                })?;
                if let Some(hail) = &self.hail {
                    checked_hail(hail, settings.seed, settings.gravity_m_s2)?;
                }
                Edit::SetSettings(Box::new(settings))
            }
            // Those that only name objects and positions, which are checked when they are applied.
            edit @ (Edit::Group(_)
            | Edit::RemoveObject(_)
            | Edit::SetOrder(_)
            | Edit::RemoveStrike(_)
            | Edit::RemoveScrape(_)) => edit,
        })
    }

    /// Checks an object that is new, or that replaces the one at an index.
    fn checked_object(
        &self,
        object: &Object,
        replaced: Option<usize>,
    ) -> Result<Object, EditError> {
        let material = self.checked_material(&object.material, &object.name, replaced)?;
        let materials = Materials::new(vec![material]);
        let files = SceneFiles::new(&self.assets, &self.folder);
        let table = object.write(&span());
        let found = read(context(&object.name), &table, |fields| {
            let name = self.checked_name(fields, replaced);
            let found = Object::read(fields, &files, &materials)?;
            if found.body != object.body {
                let problem = "has characters that a scene file cannot hold; rename the file";
                fields.report(&object::MESH, format!("`{}` {problem}", object.body));
            }
            Some(Object { id: object.id, name, ..found })
        })?;
        // Without an object there is a problem.
        Ok(found.unwrap_or_else(|| object.clone()))
    }

    /// Takes the name of an object, which no other object than the one at `replaced` may have.
    fn checked_name(&self, fields: &mut Fields<'_>, replaced: Option<usize>) -> String {
        let name = fields.text(&object::NAME).unwrap_or_default().trim();
        let mut others = self.objects.iter().enumerate().filter(|(i, _)| Some(*i) != replaced);
        if others.any(|(_, other)| other.name == name) {
            let name = truncated(name);
            let problem = format!("another object has the name \"{name}\"; choose another name");
            fields.report(&object::NAME, problem);
        }
        name.to_owned()
    }

    /// Checks the material of an object. Those of one name must be equal: files name materials.
    fn checked_material(
        &self,
        material: &Material,
        name: &str,
        replaced: Option<usize>,
    ) -> Result<Material, EditError> {
        if let Ok(library) = Material::named(&material.name) {
            let Material { density, young_pa, poisson, damping, thermal, .. } = *material;
            let given =
                Material { density, young_pa, poisson, damping, thermal, ..library.clone() };
            if given == *library {
                return Ok(given);
            }
            let problem = "the library has a material of this name with other values";
            let problem = format!("`{}`: {problem}; choose another name", library.name);
            return refused(context(name), &object::MATERIAL, problem);
        }
        let material = checked_values(material)?;
        let mut others = self.objects.iter().enumerate().filter(|(i, _)| Some(*i) != replaced);
        let other =
            others.find(|(_, o)| o.material.name == material.name && o.material != material);
        match other {
            None => Ok(material),
            Some((_, other)) => {
                let (material, other) = (truncated(&material.name), truncated(&other.name));
                let problem = format!("object \"{other}\" has a `{material}` of other values");
                let remedy = "redefine that material, or choose another name";
                refused(context(name), &object::MATERIAL, format!("{problem}; {remedy}"))
            }
        }
    }
}

/// Checks the values of a material that the library does not have.
fn checked_values(material: &Material) -> Result<Material, EditError> {
    let context = || format!("material \"{}\"", truncated(&material.name));
    if Material::named(&material.name).is_ok() {
        let problem = "it is a material of the library, which cannot change; choose another name";
        return refused(context(), &material::NAME, problem.into());
    }
    let mut table = Table::new(span());
    Materials::write([material].into_iter(), &mut table);
    let materials = read(String::new(), &table, Materials::read)?;
    Ok(materials.find(material.name.trim()).unwrap_or_else(|| material.clone()))
}

fn checked_hail(hail: &Hail, seed: u64, gravity_m_s2: [f64; 3]) -> Result<Option<Hail>, EditError> {
    let mut table = Table::new(span());
    hail.write(&mut table);
    read(String::new(), &table, |fields| Hail::read(fields, seed, gravity_m_s2))
}

/// Reads a strike or a scrape, whose reader finishes its fields.
fn read_event<T>(
    item: &str,
    table: Table,
    read: impl FnOnce(Fields<'_>) -> Option<T>,
) -> Result<Option<T>, EditError> {
    let log = Diagnostics::default();
    let event = read(Fields::new(&log, &table, item));
    Ok(log.result(event)?)
}

fn check_length(item: &str, count: usize, key: &Key) -> Result<(), EditError> {
    match count < MAX_LIST {
        true => Ok(()),
        false => refused(item.into(), key, format!("a scene has at most {MAX_LIST}; remove some")),
    }
}

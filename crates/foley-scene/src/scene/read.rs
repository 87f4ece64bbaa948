//! Reads a scene from a table of values.

use super::event::{Scrape, Strike};
use super::hail::Hail;
use super::instances::{Instances, MAX_OBJECTS};
use super::listener::{Listener, read_air};
use super::material::Materials;
use super::{BodySource, Level, Object, Scene};
use crate::assets::Assets;
use crate::diagnostics::{Diagnostics, truncated};
use crate::read::fields::Fields;
use crate::read::value::{Data, Table};
use crate::schema::keys::{object, scene};
use std::collections::{HashMap, HashSet};

impl Scene {
    /// Reads a scene; problems go to `log`.
    pub(crate) fn read(table: &Table, title: &str, assets: &Assets, log: &Diagnostics) -> Self {
        let defaults = Self::default();
        let mut fields = Fields::new(log, table, "");
        let materials = Materials::read(&mut fields);
        let seed = fields.integer(&scene::SEED).unwrap_or(defaults.seed);
        let objects = objects(&mut fields, assets, &materials, seed);
        let names: HashMap<&str, usize> =
            objects.iter().enumerate().map(|(i, object)| (&*object.name, i)).collect();
        let strikes = fields.tables(&scene::STRIKE, |i| format!("strike {}", i + 1));
        let scrapes = fields.tables(&scene::SCRAPE, |i| format!("scrape {}", i + 1));
        let gravity_m_s2 = gravity(&mut fields).unwrap_or(defaults.gravity_m_s2);
        let scene = Self {
            title: fields.text(&scene::TITLE).unwrap_or(title).to_owned(),
            seconds: fields.number(&scene::SECONDS).unwrap_or(defaults.seconds),
            seed,
            gravity_m_s2,
            physics_hz: fields.number(&scene::PHYSICS_HZ).unwrap_or(defaults.physics_hz),
            playback_db: fields.number(&scene::PLAYBACK_DB).unwrap_or(defaults.playback_db),
            level: level(&mut fields),
            listener: Listener::read(&mut fields),
            air: read_air(&mut fields),
            strikes: strikes.into_iter().filter_map(|s| Strike::read(s, &names)).collect(),
            scrapes: scrapes.into_iter().filter_map(|s| Scrape::read(s, &names)).collect(),
            hail: Hail::read(&mut fields, seed, gravity_m_s2),
            trace: assets.take(&mut fields, &scene::TRACE),
            folder: assets.folder().to_owned(),
            objects: Vec::new(),
        };
        drop(names);
        // The table contains the glTF file's content already.
        fields.take(&scene::GLTF);
        if objects.is_empty() && log.is_empty() {
            fields.report(&scene::OBJECT, "the scene has no objects; add an [[object]]");
        }
        fields.finish();
        Self { objects, ..scene }
    }
}

fn gravity(fields: &mut Fields<'_>) -> Option<[f64; 3]> {
    let value = fields.take(&scene::GRAVITY)?;
    match value.data {
        Data::Array(_) => fields.numbers_of(&scene::GRAVITY, value, scene::GRAVITY.list_range()),
        _ => fields.number(&scene::GRAVITY).map(|g| [0.0, 0.0, -g]),
    }
}

fn level(fields: &mut Fields<'_>) -> Level {
    let loudness = fields.number(&scene::LOUDNESS_LUFS);
    let full_scale = fields.number(&scene::FULL_SCALE_PA);
    fields.exclude(&scene::FULL_SCALE_PA, &scene::LOUDNESS_LUFS);
    match (loudness, full_scale) {
        (_, Some(pascal)) => Level::FullScale(pascal),
        (Some(lufs), _) => Level::Loudness(lufs),
        _ => Level::default(),
    }
}

/// The names of objects.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    /// The last number given to each word.
    numbers: HashMap<String, usize>,
}

impl Names {
    /// Returns the word with the next number that is not taken.
    fn numbered(&mut self, word: &str) -> String {
        let number = self.numbers.entry(word.to_owned()).or_default();
        loop {
            *number += 1;
            let name = format!("{word} {number}");
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

fn objects(
    scene: &mut Fields<'_>,
    assets: &Assets,
    materials: &Materials,
    seed: u64,
) -> Vec<Object> {
    let mut all = Vec::new();
    let mut names = Names::default();
    if let Some(material) = materials.take(scene, &scene::GROUND) {
        names.taken.insert("ground".into());
        all.push(Object::new("ground", BodySource::Ground, material));
    }
    let tables = scene.tables(&scene::OBJECT, |i| format!("object {}", i + 1));
    for mut fields in tables {
        let name = fields.text(&object::NAME).map(|name| name.trim().to_owned());
        if let Some(name) = &name {
            fields.context = format!("object \"{}\"", truncated(name));
        }
        let object = Object::read(&mut fields, assets, materials);
        let instances = Instances::read(&mut fields);
        let free = MAX_OBJECTS.saturating_sub(all.len());
        if instances.count() > free {
            let problem = format!("a scene has at most {MAX_OBJECTS} objects; remove some");
            fields.report(if free == 0 { &object::NAME } else { &object::COPIES }, problem);
            return all;
        }
        if let Some(mut object) = object {
            object.name = name.clone().unwrap_or(object.name);
            for mut object in instances.instantiate(&object, seed) {
                match &name {
                    None if object.body == BodySource::Ground
                        && !names.taken.contains("ground") =>
                    {
                        object.name = "ground".into();
                    }
                    None => object.name = names.numbered(&object.body.default_name()),
                    Some(_) if names.taken.contains(&object.name) => {
                        let name = truncated(&object.name);
                        let problem = format!("two objects have the name \"{name}\"; rename one");
                        fields.report(&object::NAME, problem);
                    }
                    Some(_) => (),
                }
                names.taken.insert(object.name.clone());
                all.push(object);
            }
        }
        fields.finish();
    }
    all
}

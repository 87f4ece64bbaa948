//! Scenes with many objects, for measuring: who strikes what, where, how hard and when.
//!
//! The picnic of [CS] (`picnic`) under hail (`hail`), the rings of [LS] on a table (`rings`),
//! the objects of the demo (`dozen`), and a crowd of any size (`crowd`).

mod cache;
mod can;
mod chance;
mod crowd;
mod dozen;
mod hail;
mod picnic;
mod play;
mod rings;
#[cfg(test)]
mod tests;
mod thing;
mod turned;

use anyhow::{Result, bail};
use foley_dsp::excitation::Impact;
use foley_engine::Place;

pub(crate) use can::can as garbage_can;
pub(crate) use crowd::crowd;
pub(crate) use play::Ready;
pub(crate) use thing::Thing;

/// One impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Blow {
    /// Which of the scene's objects is struck.
    pub(crate) object: usize,
    /// Where on it.
    pub(crate) place: Place,
    /// With what.
    pub(crate) impact: Impact,
    /// When the two touch, s.
    pub(crate) at_s: f64,
}

/// Objects and what happens to them.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) objects: Vec<Thing>,
    /// In the order of time.
    pub(crate) blows: Vec<Blow>,
    /// How long it lasts.
    pub(crate) seconds: f64,
}

/// How long a scene lasts unless it says otherwise, and its end without impacts, s.
const SECONDS: f64 = 5.0;
const SILENCE: f64 = 0.5;

type Make = fn(&'static str, &'static str) -> Result<Scene>;

const SCENES: [(&str, &str, Make); 7] = [
    ("drizzle", "20 hailstones a second on the picnic", |name, about| {
        hail::on_all(name, about, 20.0)
    }),
    ("hail", "300 hailstones a second on the picnic", |name, about| {
        hail::on_all(name, about, 300.0)
    }),
    ("downpour", "3,000 hailstones a second on the picnic", |name, about| {
        hail::on_all(name, about, 3000.0)
    }),
    ("roof", "300 hailstones a second on the roof, now and then one on a plate", hail::on_roof),
    ("table", "8 hailstones a second on the table and the plates", hail::on_table),
    ("dozen", "the objects of the demo, all at once", dozen::dozen),
    ("rings", "100 steel rings fall on a wooden table", rings::rings),
];

impl Scene {
    /// The names of all scenes.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        SCENES.iter().map(|(name, ..)| *name)
    }

    /// Whether there is a scene of this name.
    pub(crate) fn check_name(name: &str) -> Result<()> {
        find(name).map(|_| ())
    }

    /// Makes the scene of this name.
    pub(crate) fn named(name: &str) -> Result<Self> {
        let (name, about, make) = find(name)?;
        make(name, about)
    }

    /// Makes all scenes.
    pub(crate) fn all() -> Result<Vec<Self>> {
        Self::names().map(Self::named).collect()
    }

    /// The modes of all objects.
    pub(crate) fn mode_count(&self) -> usize {
        self.objects.iter().map(|thing| thing.model.mode_count()).sum()
    }
}

fn find(name: &str) -> Result<(&'static str, &'static str, Make)> {
    let found = SCENES.into_iter().find(|(known, ..)| *known == name);
    let Some(found) = found else {
        let known = Scene::names().collect::<Vec<_>>().join(", ");
        bail!("there is no scene `{name}`; choose one of {known}");
    };
    Ok(found)
}

//! Benchmark scenes: objects and the strikes on them, as lists.
//!
//! The picnic of \[CS\] (`picnic_objects`) under hail (`poisson_hail`), the rings of \[LS\] on a table
//! (`rings`), twelve shapes (`dozen`), and any number of steel plates (`many_plates`).

mod object;
mod picnic_objects;
mod poisson_hail;
mod rings;
mod dozen;
mod many_plates;
mod loaded_scene;
#[cfg(test)]
mod tests;

use anyhow::{Result, bail};
use foley_dsp::excitation::Impact;
use foley_engine::SurfacePoint;

use crate::Progress;

pub(crate) use loaded_scene::LoadedScene;
pub use many_plates::many_plates;
pub use object::SceneObject;

/// A strike on an object of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strike {
    /// Index of the struck object.
    pub object: usize,
    /// The point that is struck.
    pub place: SurfacePoint,
    /// The impact force.
    pub impact: Impact,
    /// When the contact begins, s.
    pub at_s: f64,
}

/// Objects and the strikes on them.
#[derive(Debug, Clone)]
pub struct BenchScene {
    /// Name.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// The objects.
    pub objects: Vec<SceneObject>,
    /// The strikes, in order of time.
    pub strikes: Vec<Strike>,
    /// Duration, s.
    pub seconds: f64,
}

/// Default duration of a scene, and its last part without strikes, s.
const SECONDS: f64 = 5.0;
const SILENCE: f64 = 0.5;

/// Makes a scene from its name and description.
type Make = fn(&'static str, &'static str, &dyn Progress) -> Result<BenchScene>;

const SCENES: [(&str, &str, Make); 7] = [
    ("drizzle", "20 hailstones a second on the picnic", |name, about, progress| {
        poisson_hail::on_all(name, about, 20.0, progress)
    }),
    ("hail", "300 hailstones a second on the picnic", |name, about, progress| {
        poisson_hail::on_all(name, about, 300.0, progress)
    }),
    ("downpour", "3,000 hailstones a second on the picnic", |name, about, progress| {
        poisson_hail::on_all(name, about, 3000.0, progress)
    }),
    (
        "roof",
        "300 hailstones a second on the roof, now and then one on a plate",
        poisson_hail::on_roof,
    ),
    ("table", "8 hailstones a second on the table and the plates", poisson_hail::on_table),
    ("dozen", "the objects of the demo, all at once", dozen::dozen),
    ("rings", "100 steel rings fall on a wooden table", rings::rings),
];

impl BenchScene {
    /// Returns the names of all scenes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SCENES.iter().map(|(name, ..)| *name)
    }

    /// Checks that there is a scene of this name.
    pub fn check_name(name: &str) -> Result<()> {
        find(name).map(|_| ())
    }

    /// Makes the scene of this name.
    pub fn named(name: &str, progress: &dyn Progress) -> Result<Self> {
        let (name, about, make) = find(name)?;
        make(name, about, progress)
    }

    /// Makes all scenes.
    pub fn all(progress: &dyn Progress) -> Result<Vec<Self>> {
        Self::names().map(|name| Self::named(name, progress)).collect()
    }

    /// Returns the number of modes of all objects.
    pub fn mode_count(&self) -> usize {
        self.objects.iter().map(|object| object.model.mode_count()).sum()
    }
}

fn find(name: &str) -> Result<(&'static str, &'static str, Make)> {
    let found = SCENES.into_iter().find(|(known, ..)| *known == name);
    let Some(found) = found else {
        let known = BenchScene::names().collect::<Vec<_>>().join(", ");
        bail!("there is no scene `{name}`; choose one of {known}");
    };
    Ok(found)
}

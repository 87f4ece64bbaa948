//! Benchmark scenes: the picnic of \[CS\] under hail of several rates, the rings of \[LS\], a dozen
//! shapes, and any number of steel plates.

#[cfg(test)]
mod tests;

use anyhow::{Context, Result, bail};
use foley_dsp::excitation::Striker;
use foley_geometry::rng::SplitMix64;
use foley_hail::{Cloud, ImpactFilter};
use foley_modal::{Edge, Material, Shape};
use foley_scene::Scene;
use foley_scene::demos::dozen::{OBJECTS, STRIKER, STRIKES, point_towards_edge};
use foley_scene::demos::{self, DEMOS};
use foley_scene::prepare::{ModelCache, Prepared};
use foley_scene::scene::{BodySource, Hail, Motion, Object, Strike, SurfacePoint};
use foley_scene::sonify::HailGeometry;
use std::sync::Arc;

use crate::Progress;

/// A scene that is prepared for rendering.
#[derive(Debug, Clone)]
pub struct BenchScene {
    /// Name.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// The scene.
    pub scene: Arc<Scene>,
    /// Its prepared objects.
    pub prepared: Prepared,
}

/// Duration of the scenes without a duration of their own, s.
const SECONDS: f64 = 5.0;

/// Time of the first stones, s: the slowest have landed at 0 s.
const FROM_S: f64 = -0.3;

/// Centre and sides of clouds over the picnic, m. Wind carries the stones by 0.1 m to the objects.
type Area = ([f64; 3], [f64; 2]);
/// Everything that sounds.
const EVERYTHING: Area = ([-0.5, 1.8, 2.0], [3.8, 1.3]);
/// The roof, and an edge of the table and of the plate on it: hail on the roof masks the plate (\[CS\],
/// section 4).
const ROOF: Area = ([-1.42, 1.99, 2.0], [1.92, 0.78]);
/// The table with the plates.
const TABLE: Area = ([-0.13, 1.7, 2.0], [0.86, 0.48]);

enum Source {
    /// The picnic under a cloud, with this many impacts per second on sounding objects.
    Picnic(Area, f64),
    Dozen,
    Rings,
}

static SCENES: [(&str, &str, Source); 7] = [
    ("drizzle", "20 hailstones a second on the picnic", Source::Picnic(EVERYTHING, 20.0)),
    ("hail", "300 hailstones a second on the picnic", Source::Picnic(EVERYTHING, 300.0)),
    ("downpour", "3,000 hailstones a second on the picnic", Source::Picnic(EVERYTHING, 3000.0)),
    (
        "roof",
        "300 hailstones a second on the roof, now and then one on a plate",
        Source::Picnic(ROOF, 300.0),
    ),
    ("table", "8 hailstones a second on the table and the plates", Source::Picnic(TABLE, 8.0)),
    ("dozen", "the objects of the demo, all at once", Source::Dozen),
    ("rings", "100 metal rings fall on a wooden table", Source::Rings),
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
        let (name, about, source) = find(name)?;
        let (scene, prepared) = match source {
            Source::Picnic(area, impacts_per_s) => picnic_under(*area, *impacts_per_s, progress),
            Source::Dozen => dozen(progress),
            Source::Rings => rings(progress),
        }?;
        Ok(Self { name, about, scene: Arc::new(scene), prepared })
    }

    /// Makes `objects` steel plates of `modes_each` modes under `impacts_per_s` hailstones a second, in
    /// a square field before the listener.
    pub fn plates(
        objects: usize,
        modes_each: usize,
        impacts_per_s: f64,
        seconds: f64,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let plates = (0..PLATE_SIZES.min(objects)).map(|i| {
            let (aspect, area) = (1.3 + 0.1 * i as f64, 1.0 + 0.05 * i as f64);
            plate(modes_each, aspect, area)
        });
        let plates = plates.collect::<Result<Vec<_>>>()?;
        let columns = (objects as f64).sqrt().ceil() as usize;
        let [width, depth] = [columns, objects.div_ceil(columns)].map(|n| n as f64);
        // The longest plate, of an aspect of 2 and 1.35 times the area.
        let spacing_m = 1.01 * (2.0 * 1.35 * plate_area_m2(modes_each)).sqrt();
        let object = |i: usize| {
            let mut object = plates[i % plates.len()].clone();
            let [column, row] = [i % columns, i / columns].map(|n| n as f64);
            object.name = format!("plate {}", i + 1);
            object.pose.position_m =
                [spacing_m * (column + 0.5 - 0.5 * width), spacing_m * (row + 0.5) - 1.0, 0.0];
            object
        };
        let centre = [0.0, 0.5 * spacing_m * depth - 1.0, 1.0];
        let cloud = Cloud::rectangle(centre, [spacing_m * width, spacing_m * depth]);
        let mut scene = Scene {
            title: "plates".into(),
            seconds,
            objects: (0..objects).map(object).collect(),
            hail: Some(Hail { cloud, from_s: Some(FROM_S), ..Hail::default() }),
            ..Scene::default()
        };
        scene.assign_ids();
        let prepared = prepare(&scene, progress)?;
        set_impact_rate(&mut scene, &prepared, impacts_per_s)?;
        let (name, about) = ("plates", "many steel sheets, struck at random");
        Ok(Self { name, about, scene: Arc::new(scene), prepared })
    }

    /// Returns the number of modes of all objects.
    pub fn mode_count(&self) -> usize {
        let models = self.prepared.objects.iter().filter_map(|object| object.model.as_ref());
        models.map(|model| model.mode_count()).sum()
    }
}

fn find(name: &str) -> Result<&'static (&'static str, &'static str, Source)> {
    let Some(found) = SCENES.iter().find(|(known, ..)| *known == name) else {
        let known = BenchScene::names().collect::<Vec<_>>().join(", ");
        bail!("there is no scene `{name}`; choose one of {known}");
    };
    Ok(found)
}

/// Returns the cache of models: the user's; in tests, one in memory that all tests share.
fn model_cache() -> ModelCache {
    #[cfg(test)]
    {
        static CACHE: std::sync::LazyLock<ModelCache> =
            std::sync::LazyLock::new(ModelCache::in_memory);
        CACHE.clone()
    }
    #[cfg(not(test))]
    ModelCache::user()
}

/// Finds the modes of all objects.
fn prepare(scene: &Scene, progress: &dyn Progress) -> Result<Prepared> {
    let task = progress.begin("modal analysis", 100);
    let prepared = scene.prepare(&model_cache(), &mut |step| {
        task.set_name(step.object);
        task.set_position((100.0 * (step.done as f64 + step.part) / step.of.max(1) as f64) as u64);
        true
    })?;
    Ok(prepared)
}

/// Returns the picnic of \[CS\] with its prepared objects: 2,904 modes. (The paper's own sum, 2,873, is not
/// that of the rows of its Table 1.)
pub(crate) fn picnic(progress: &dyn Progress) -> Result<(Scene, Prepared)> {
    // The scene names a model file beside it.
    let folder = tempfile::tempdir().context("cannot make a folder for the scene")?;
    let task = progress.begin("garbage can", 100);
    let (scene, _) = DEMOS[0].save(folder.path(), &model_cache(), &mut |_, done| {
        task.set_position((100.0 * done) as u64);
        true
    })?;
    let prepared = prepare(&scene, progress)?;
    Ok((scene, prepared))
}

/// Returns the picnic under a cloud at rest, with so many impacts a second on objects that sound.
fn picnic_under(
    (centre_m, size_m): Area,
    impacts_per_s: f64,
    progress: &dyn Progress,
) -> Result<(Scene, Prepared)> {
    let (mut scene, prepared) = picnic(progress)?;
    scene.seconds = SECONDS;
    let hail = hail(&mut scene)?;
    (hail.cloud, hail.from_s) = (Cloud::rectangle(centre_m, size_m), Some(FROM_S));
    set_impact_rate(&mut scene, &prepared, impacts_per_s)?;
    Ok((scene, prepared))
}

pub(crate) fn hail(scene: &mut Scene) -> Result<&mut Hail> {
    scene.hail.as_mut().context("the scene has no hail")
}

pub(crate) fn hail_geometry(scene: &Scene, prepared: &Prepared) -> Result<HailGeometry> {
    HailGeometry::new(scene, prepared)?.context("the scene has no hail")
}

/// Number of stones from which the share of those that strike is estimated.
const STONES: u64 = 50_000;

/// Chooses the rate of stones for a rate of impacts on objects that sound.
pub(crate) fn set_impact_rate(
    scene: &mut Scene,
    prepared: &Prepared,
    impacts_per_s: f64,
) -> Result<()> {
    let geometry = hail_geometry(scene, prepared)?;
    let simulation = geometry.simulation();
    let struck = |k: &u64| simulation.filtered_impact_of(*k, ImpactFilter::SoundingOnly).is_some();
    let share = (0..STONES).filter(struck).count() as f64 / STONES as f64;
    hail(scene)?.per_second = (impacts_per_s / share).clamp(1.0, 1e6);
    Ok(())
}

fn rings(progress: &dyn Progress) -> Result<(Scene, Prepared)> {
    let scene = demos::named("rings").context("there is no demo of rings")?.scene()?;
    let prepared = prepare(&scene, progress)?;
    Ok((scene, prepared))
}

/// Distances from the listener at which the objects of the dozen are about equally loud, m.
const DOZEN_M: [f64; 12] = [1.9, 5.4, 12.0, 3.9, 1.1, 1.1, 8.4, 6.6, 5.4, 4.9, 1.6, 3.0];
/// Time between the objects of the dozen and its random part, s.
const STEP_S: f64 = 0.28;
const LOOSE_S: f64 = 0.06;

/// Returns the objects of the demo, struck all at once in a loose rhythm.
fn dozen(progress: &dyn Progress) -> Result<(Scene, Prepared)> {
    let mut scene = Scene { title: "dozen".into(), seconds: SECONDS, ..Scene::default() };
    let listener_m = scene.listener.position_m;
    for (i, ((name, shape, material), distance_m)) in OBJECTS.iter().zip(DOZEN_M).enumerate() {
        let body = BodySource::Shape(shape.parse()?);
        let mut object = Object::new(*name, body, Material::named(material)?.clone());
        let (sin, cos) = (120.0 * (i as f64 / 11.0 - 0.5)).to_radians().sin_cos();
        object.motion = Motion::Fixed;
        object.pose.position_m =
            [listener_m[0] + distance_m * sin, listener_m[1] + distance_m * cos, listener_m[2]];
        scene.objects.push(object);
    }
    scene.assign_ids();
    let prepared = prepare(&scene, progress)?;
    let striker = Striker::named(STRIKER)?;
    let mut rng = SplitMix64::new(1);
    for (object, prepared) in prepared.objects.iter().enumerate() {
        let model = prepared.model.as_ref().context("an object of the dozen is silent")?;
        scene.strikes.extend(STRIKES.map(|(after_s, speed_m_s, out)| Strike {
            object,
            at_s: STEP_S * object as f64 + after_s + LOOSE_S * rng.unit(),
            with: striker,
            speed_m_s,
            place: Some(SurfacePoint::At(point_towards_edge(model, out))),
            direction: None,
        }));
    }
    Ok((scene, prepared))
}

/// Number of different sizes of plates.
const PLATE_SIZES: usize = 8;
/// Approximate frequency of the last mode of a plate, Hz.
const TOP_HZ: f64 = 10e3;
const PLATE_THICKNESS_M: f64 = 1e-3;

/// Returns the area of a steel plate with this number of modes: by Weyl's law `f = 2 n √(D/ρh) / A`, with
/// √(D/ρh) = 1520 h for steel.
fn plate_area_m2(modes: usize) -> f64 {
    2.0 * modes as f64 * 1520.0 * PLATE_THICKNESS_M / TOP_HZ
}

/// Returns a fixed plate; `area` is relative to that of [`plate_area_m2`].
fn plate(modes: usize, aspect: f64, area: f64) -> Result<Object> {
    let width = (area * plate_area_m2(modes) / aspect).sqrt();
    let shape = Shape::plate(aspect * width, width, PLATE_THICKNESS_M, Edge::Supported)?;
    let steel = Material::named("steel")?.clone();
    let mut plate = Object::new("plate", BodySource::Shape(shape), steel);
    plate.motion = Motion::Fixed;
    plate.modes.max_modes = Some(modes);
    Ok(plate)
}

//! The description of a scene: objects, scripted events, hail, listener, air.

mod read;
pub mod settings;
pub mod id;
pub mod object;
pub mod body;
pub mod material;
pub mod modes;
pub mod surface;
pub mod pose;
pub mod motion;
pub mod instances;
pub mod event;
pub mod curve;
pub mod hail;
pub mod listener;

pub use body::BodySource;
pub use curve::Curve;
pub use event::{Scrape, Strike};
pub use foley_engine::{Air, SurfacePoint};
pub use foley_geometry::Pose;
pub use hail::Hail;
pub use id::{ObjectId, ObjectIds};
pub use instances::MAX_OBJECTS;
pub use listener::{Listener, ListenerKey};
pub use modes::ModeLimits;
pub use motion::{Keyframe, Motion};
pub use object::{ColliderKind, Object};
pub use settings::SceneSettings;
pub use surface::SurfaceDescription;

use crate::assets::Assets;
use crate::diagnostics::Span;
use crate::read::value::{Data, Table};
use crate::schema::keys::scene;
use crate::write;
use std::path::{Path, PathBuf};

/// A scene that was read and checked.
///
/// ```
/// let scene = foley_scene::Scene::parse(
///     r#"
///     ground = "concrete"
///     [[object]]
///     shape = "bar:300x30x8mm"
///     material = "steel"
///     position = [0, 0, 1]
///     "#,
/// )?;
/// assert_eq!(scene.objects[1].name, "bar 1");
/// assert_eq!(scene.seconds, 5.0);
/// # Ok::<(), foley_scene::SceneError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Title.
    pub title: String,
    /// Duration, s.
    pub seconds: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// Gravity, m/s².
    pub gravity_m_s2: [f64; 3],
    /// Steps of the rigid-body simulation per second.
    pub physics_hz: f64,
    /// Sound pressure level at the ears of a sine of full scale, dB SPL.
    pub playback_db: f64,
    /// Whether free bodies click when an impact accelerates them as a whole.
    pub acceleration_noise: bool,
    /// Whether dynamic objects are damped by what they touch.
    pub support_damping: bool,
    /// Whether objects are heard as they radiate in the direction of the listener, or alike in all directions.
    pub directivity: bool,
    /// Level of the rendered sound.
    pub level: Level,
    /// Listener.
    pub listener: Listener,
    /// Air between objects and listener.
    pub air: Air,
    /// Objects.
    pub objects: Vec<Object>,
    /// Scripted strikes.
    pub strikes: Vec<Strike>,
    /// Scripted scrapes.
    pub scrapes: Vec<Scrape>,
    /// Hail.
    pub hail: Option<Hail>,
    /// Contact trace that replaces the simulation, relative to the folder.
    pub trace: Option<PathBuf>,
    /// Folder that paths are relative to.
    pub folder: PathBuf,
    /// Loader of the files.
    pub assets: Assets,
    /// Ids that were given to objects, also to removed ones.
    pub ids: ObjectIds,
}

/// Level of the rendered sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// Normalised to this loudness, LUFS.
    Loudness(f64),
    /// Physical: this pressure is full scale, Pa.
    FullScale(f64),
}

impl Default for Level {
    fn default() -> Self {
        Self::Loudness(const { scene::LOUDNESS_LUFS.default_number() })
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: "scene".into(),
            seconds: const { scene::SECONDS.default_number() },
            seed: const { scene::SEED.default_number() as u64 },
            gravity_m_s2: [0.0, 0.0, -const { scene::GRAVITY.default_number() }],
            physics_hz: const { scene::PHYSICS_HZ.default_number() },
            playback_db: const { scene::PLAYBACK_DB.default_number() },
            acceleration_noise: true,
            support_damping: true,
            directivity: false,
            level: Level::default(),
            listener: Listener::default(),
            air: Air::default(),
            objects: Vec::new(),
            strikes: Vec::new(),
            scrapes: Vec::new(),
            hail: None,
            trace: None,
            folder: PathBuf::new(),
            assets: Assets::default(),
            ids: ObjectIds::default(),
        }
    }
}

impl Scene {
    /// Returns the object of this name.
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.name == name)
    }

    /// Returns whether an object is in the scene at a time: it is not before its release, except where a trace has
    /// its motion.
    pub fn is_present(&self, object: usize, at_s: f64) -> bool {
        let release_s = self.objects.get(object).map_or(0.0, |object| object.release_s);
        self.trace.is_some() || at_s >= release_s
    }

    /// Returns a scene file that reads back as the same scene, with the ids 0, 1, 2, … Instances
    /// and glTF nodes become single objects.
    pub fn to_toml(&self) -> String {
        let span = Span::file(Path::new(""));
        let mut table = Table::new(span.clone());
        self.settings().write(&mut table);
        self.listener.write(&mut table);
        listener::write_air(&self.air, &mut table);
        if let Some(hail) = &self.hail {
            hail.write(&mut table);
        }
        material::Materials::write(self.objects.iter().map(|o| &o.material), &mut table);
        let names: Vec<&str> = self.objects.iter().map(|o| &*o.name).collect();
        let rows = |rows: Vec<Table>| write::list(rows.into_iter().map(Data::Table), &span);
        let objects = rows(self.objects.iter().map(|o| o.write(&span)).collect());
        let strikes = rows(self.strikes.iter().map(|s| s.write(&names, &span)).collect());
        let scrapes = rows(self.scrapes.iter().map(|s| s.write(&names, &span)).collect());
        let lists = [(scene::OBJECT, objects), (scene::STRIKE, strikes), (scene::SCRAPE, scrapes)];
        for (key, rows) in lists {
            // Without the key, a scene file without objects would be a mistake.
            let is_objects = key.name == scene::OBJECT.name;
            if is_objects || matches!(&rows, Data::Array(items) if !items.is_empty()) {
                table.put(key.name, rows);
            }
        }
        write::document(&table)
    }
}

//! A scene, described completely.

pub mod body;
pub mod instances;
pub mod curve;
pub mod event;
pub mod hail;
pub mod listener;
pub mod material;
pub mod modes;
pub mod motion;
pub mod object;
pub mod pose;
mod read;
pub mod surface;

pub use body::Body;
pub use curve::Curve;
pub use event::{Scrape, Strike};
pub use foley_engine::SurfacePoint;
pub use hail::Hail;
pub use instances::MAX_OBJECTS;
pub use listener::{Air, Listener, ListenerKey};
pub use modes::ModeLimits;
pub use motion::{Keyframe, Motion};
pub use object::{ColliderKind, Object};
pub use pose::Pose;
pub use surface::Surface;

use crate::diagnostics::Span;
use crate::read::value::{Data, Table};
use crate::schema::keys::scene;
use crate::write;
use std::path::{Path, PathBuf};

/// A scene, described completely and checked.
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
    /// What people call it.
    pub title: String,
    /// How long it lasts, s.
    pub seconds: f64,
    /// Of everything that is left to chance.
    pub seed: u64,
    /// Acceleration of everything that falls, m/s².
    pub gravity_m_s2: [f64; 3],
    /// Steps of the simulation in a second.
    pub physics_hz: f64,
    /// How loud a sine of full scale is at the ears, dB SPL.
    pub playback_db: f64,
    /// How loud the rendered sound is.
    pub level: Level,
    /// Who hears it.
    pub listener: Listener,
    /// Through what.
    pub air: Air,
    /// What is there.
    pub objects: Vec<Object>,
    /// Blows by hand.
    pub strikes: Vec<Strike>,
    /// What is drawn along objects by hand.
    pub scrapes: Vec<Scrape>,
    /// Hail that falls on it.
    pub hail: Option<Hail>,
    /// Contacts to sound instead of simulating, relative to the folder.
    pub trace: Option<PathBuf>,
    /// Where names of files begin.
    pub folder: PathBuf,
}

/// How loud the rendered sound is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// Brought to this loudness, LUFS.
    Loudness(f64),
    /// Physical: full scale is this pressure, Pa.
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
            level: Level::default(),
            listener: Listener::default(),
            air: Air::default(),
            objects: Vec::new(),
            strikes: Vec::new(),
            scrapes: Vec::new(),
            hail: None,
            trace: None,
            folder: PathBuf::new(),
        }
    }
}

impl Scene {
    /// The object of this name.
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|object| object.name == name)
    }

    /// The scene as a file that reads as the same scene. Instances and nodes of glTF are written
    /// one by one.
    pub fn to_toml(&self) -> String {
        let span = Span::file(Path::new(""));
        let mut table = Table::new(span.clone());
        table.put(scene::TITLE.name, write::text(&*self.title));
        table.put(scene::SECONDS.name, Data::Float(self.seconds));
        table.put(scene::SEED.name, Data::Integer(self.seed as i64));
        table.put_numbers(scene::GRAVITY.name, &self.gravity_m_s2);
        table.put(scene::PHYSICS_HZ.name, Data::Float(self.physics_hz));
        table.put(scene::PLAYBACK_DB.name, Data::Float(self.playback_db));
        match self.level {
            Level::Loudness(lufs) => table.put(scene::LOUDNESS_LUFS.name, Data::Float(lufs)),
            Level::FullScale(pascal) => table.put(scene::FULL_SCALE_PA.name, Data::Float(pascal)),
        }
        if let Some(trace) = &self.trace {
            table.put(scene::TRACE.name, write::path(trace));
        }
        self.listener.write(&mut table);
        self.air.write(&mut table);
        if let Some(hail) = &self.hail {
            hail.write(&mut table);
        }
        material::Materials::write(self.objects.iter().map(|o| &o.material), &mut table);
        let names: Vec<&str> = self.objects.iter().map(|o| &*o.name).collect();
        let rows = |rows: Vec<Table>| write::list(rows.into_iter().map(Data::Table), &span);
        let objects = rows(self.objects.iter().map(|o| o.write(&span)).collect());
        let strikes = rows(self.strikes.iter().map(|s| s.write(&names, &span)).collect());
        let scrapes = rows(self.scrapes.iter().map(|s| s.write(&names, &span)).collect());
        for (key, rows) in [("object", objects), ("strike", strikes), ("scrape", scrapes)] {
            if matches!(&rows, Data::Array(items) if !items.is_empty()) {
                table.put(key, rows);
            }
        }
        write::document(&table)
    }
}

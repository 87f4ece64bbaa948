//! Built-in demos: scenes, each of which shows one effect, and the [`dozen`].
//!
//! ```
//! let demo = foley_scene::demos::named("bell").ok_or("no bell")?;
//! let scene = demo.scene()?;
//! assert_eq!(scene.strikes.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dozen;
pub mod score;
pub mod tuning;
pub mod xylophone;

use crate::{Scene, SceneError};
use foley_engine::{AudioBuffer, LevelError};
use foley_geometry::atomic_file::{AtomicFile, WriteError};
use foley_modal::bake::{BakeError, Progress, garbage_can};
use foley_modal::cache::ModelCache;
use foley_modal::file::{self, FileError};
use foley_modal::{MaterialError, ShapeError};
use std::path::{Path, PathBuf};

/// Most gain reduction by the limiter, dB: a knock on a drum skin is as loud as a bar that rings
/// only with a peak far above it.
const MOST_LIMITING_DB: f64 = 24.0;

/// Brings the sound of a demo to its loudness. Few impacts and long pauses are softer than the
/// level of a scene, whose limiter does less.
pub fn level(sound: &mut AudioBuffer) -> Result<(), LevelError> {
    sound.level(dozen::LOUDNESS_LUFS, MOST_LIMITING_DB)
}

/// A built-in scene.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// Name.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    source: Source,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Text(&'static str),
    /// A text that names a model file beside it: the garbage can's.
    TextWithCan(&'static str, &'static str),
    Code(fn() -> Result<Scene, DemoError>),
}

/// An error of a built-in scene.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Its text is invalid.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A shape is invalid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A material is unknown.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A bar for a note was not found.
    #[error("no bar sounds at {0} Hz")]
    Untunable(f64),
    /// A model was not baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// A model was not written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The scene file was not written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The scene names a model file; [`Demo::save`] writes both.
    #[error("the scene needs the model file {0} beside it")]
    NeedsModel(&'static str),
}

/// All scenes; the first is the default.
pub const DEMOS: [Demo; 7] = [
    Demo {
        name: "picnic",
        about: "a cloud of hail drifts over a house, a laid table and a garbage can",
        source: Source::TextWithCan(include_str!("demos/picnic.toml"), "picnic-can.modal"),
    },
    Demo {
        name: "rings",
        about: "a hundred metal rings of several sizes fall on a wooden table",
        source: Source::Text(include_str!("demos/rings.toml")),
    },
    Demo {
        name: "cylinder",
        about: "a steel cylinder, thrown on the middle and on the edge of a table, rolls off",
        source: Source::Text(include_str!("demos/cylinder.toml")),
    },
    Demo {
        name: "ribbed",
        about: "a ball rolls back and forth on a rocking plate of ribbed steel",
        source: Source::Text(include_str!("demos/ribbed.toml")),
    },
    Demo {
        name: "bell",
        about: "a bronze bell, tapped from lip to crown, then scraped along a path",
        source: Source::Text(include_str!("demos/bell.toml")),
    },
    Demo {
        name: "marbles",
        about: "marbles of five materials bounce down a run of steps",
        source: Source::Text(include_str!("demos/marbles.toml")),
    },
    Demo {
        name: "xylophone",
        about: "dice fall on tuned bars and play The Entertainer (Scott Joplin, 1902)",
        source: Source::Code(xylophone::entertainer),
    },
];

/// Returns the scene of this name.
pub fn named(name: &str) -> Option<&'static Demo> {
    DEMOS.iter().find(|demo| demo.name == name)
}

impl Demo {
    /// Returns the scene, unless it needs a file.
    pub fn scene(&self) -> Result<Scene, DemoError> {
        match self.source {
            Source::Text(text) => Ok(Scene::parse(text)?),
            Source::Code(make) => make(),
            Source::TextWithCan(_, can) => Err(DemoError::NeedsModel(can)),
        }
    }

    /// Writes the scene file, and the model it needs, into a folder, which is made when it is not
    /// there; returns scene and file.
    pub fn save(
        &self,
        folder: &Path,
        cache: &ModelCache,
        progress: &mut Progress<'_>,
    ) -> Result<(Scene, PathBuf), DemoError> {
        let no_folder = |source| WriteError::Io { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(no_folder)?;
        let path = folder.join(format!("{}.toml", self.name));
        if let Source::TextWithCan(text, can) = self.source {
            file::save(&garbage_can::load_or_bake(cache, progress)?, folder.join(can))?;
            AtomicFile::new(&path, text.as_bytes())?.keep()?;
            return Ok((Scene::load(&path)?, path));
        }
        let scene = self.scene()?;
        scene.save(&path)?;
        Ok((scene, path))
    }
}

//! Built-in scenes: each shows one thing that physics does to sound.
//!
//! ```
//! let demo = foley_scene::demos::named("bell").ok_or("no bell")?;
//! let scene = demo.scene()?;
//! assert_eq!(scene.strikes.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod score;
pub mod tuning;
pub mod xylophone;

use crate::{Scene, SceneError};
use foley_modal::{MaterialError, ShapeError};

/// A built-in scene.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// What people call it.
    pub name: &'static str,
    /// What happens, in a line.
    pub about: &'static str,
    source: Source,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    Text(&'static str),
    Code(fn() -> Result<Scene, DemoError>),
}

/// What can go wrong with a built-in scene.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Its text.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A bar that cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// What bars are made of.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A note for which no bar is found.
    #[error("no bar sounds at {0} Hz")]
    Untunable(f64),
}

/// All of them.
pub const DEMOS: [Demo; 6] = [
    Demo {
        name: "rings",
        about: "a hundred metal rings of several sizes fall on a wooden table",
        source: Source::Text(include_str!("rings.toml")),
    },
    Demo {
        name: "cylinder",
        about: "a steel cylinder, thrown on the middle and on the edge of a table, rolls off",
        source: Source::Text(include_str!("cylinder.toml")),
    },
    Demo {
        name: "ribbed",
        about: "a ball rolls back and forth on a rocking plate of ribbed steel",
        source: Source::Text(include_str!("ribbed.toml")),
    },
    Demo {
        name: "bell",
        about: "a bronze bell, tapped from lip to crown, then scraped along a path",
        source: Source::Text(include_str!("bell.toml")),
    },
    Demo {
        name: "marbles",
        about: "marbles of five materials bounce down a run of steps",
        source: Source::Text(include_str!("marbles.toml")),
    },
    Demo {
        name: "xylophone",
        about: "dice fall on tuned bars and play The Entertainer (Scott Joplin, 1902)",
        source: Source::Code(xylophone::entertainer),
    },
];

/// The one of this name.
pub fn named(name: &str) -> Option<&'static Demo> {
    DEMOS.iter().find(|demo| demo.name == name)
}

impl Demo {
    /// Its scene.
    pub fn scene(&self) -> Result<Scene, DemoError> {
        match self.source {
            Source::Text(text) => Ok(Scene::parse(text)?),
            Source::Code(make) => make(),
        }
    }
}

//! Scenes to sound: one call from a scene to a stream.

use foley_engine::Settings;
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::scene::Level;
use foley_scene::sonify::{ImpactBackend, SceneStream, live_full_scale_pa};
use std::sync::Arc;

use crate::Error;

/// How a scene is rendered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RenderOptions {
    /// Of the engine. Positions, playback level and air come from the scene.
    pub engine: Settings,
    /// The sound pressure that fills the digital scale, Pa. By default that of the scene, or what a
    /// preview of its beginning needs for the loudness it asks for.
    pub full_scale_pa: Option<f64>,
    /// Where modes are kept.
    pub cache: ModelCache,
    /// Finds the impacts of hail.
    pub hail_backend: ImpactBackend,
}

impl Default for RenderOptions {
    /// Computes what can be heard, and keeps modes in the user's cache.
    fn default() -> Self {
        Self {
            engine: Settings::default().audible(),
            full_scale_pa: None,
            cache: ModelCache::user(),
            hail_backend: ImpactBackend::default(),
        }
    }
}

impl RenderOptions {
    /// Sets the engine, for instance to compute every mode.
    pub fn with_engine(self, engine: Settings) -> Self {
        Self { engine, ..self }
    }

    /// Sets the physical level: the sound pressure that fills the digital scale, Pa.
    pub fn with_full_scale_pa(self, full_scale_pa: f64) -> Self {
        Self { full_scale_pa: Some(full_scale_pa), ..self }
    }

    /// Sets where modes are kept.
    pub fn with_cache(self, cache: ModelCache) -> Self {
        Self { cache, ..self }
    }

    /// Sets what finds the impacts of hail.
    pub fn with_hail_backend(self, hail_backend: ImpactBackend) -> Self {
        Self { hail_backend, ..self }
    }
}

/// Renders a scene as a stream: the first second is there before the last is simulated.
///
/// ```
/// # fn main() -> Result<(), foley::Error> {
/// let scene = foley::Scene::parse(
///     "ground = \"concrete\"\nseconds = 1\n[[object]]\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n\
///      position = [0, 0, 0.3]",
/// )?;
/// # let folder = tempfile::tempdir().unwrap();
/// # std::env::set_current_dir(&folder).unwrap();
/// foley::render(&scene)?.write("bar.wav")?;
/// # Ok(())
/// # }
/// ```
pub fn render(scene: &Scene) -> Result<SceneStream, Error> {
    render_with(scene, &RenderOptions::default())
}

/// Renders a scene as a stream, with options.
pub fn render_with(scene: &Scene, options: &RenderOptions) -> Result<SceneStream, Error> {
    let RenderOptions { engine, full_scale_pa, cache, hail_backend } = options;
    let scene = Arc::new(scene.clone());
    let prepared = scene.prepare(cache, &mut |_| true)?;
    let full_scale_pa = match (full_scale_pa, scene.level) {
        (Some(pascal), _) => *pascal,
        (None, Level::FullScale(pascal)) => pascal,
        (None, Level::Loudness(_)) => live_full_scale_pa(&scene, &prepared, hail_backend)?,
    };
    let engine = Settings { full_scale_pa, ..engine.clone() };
    Ok(SceneStream::new(&scene, &prepared, engine, hail_backend)?)
}

//! Scenes to sound: one call from a scene to a stream.

use derive_setters::Setters;
use foley_engine::Settings;
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::scene::Level;
use foley_scene::sonify::{ImpactBackend, SceneStream, live_full_scale_pa};
use std::sync::Arc;

use crate::Error;

/// How a scene is rendered.
#[derive(Debug, Clone, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct RenderOptions {
    /// Of the engine. Positions, playback level and air come from the scene.
    pub engine: Settings,
    /// The sound pressure that fills the digital scale, Pa. By default that of the scene, or what a
    /// preview of its beginning needs for the loudness it asks for.
    #[setters(into)]
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
    let engine = engine.clone().with_full_scale_pa(full_scale_pa);
    Ok(SceneStream::new(&scene, &prepared, engine, hail_backend)?)
}

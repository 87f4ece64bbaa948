//! A scene as a stream of sound: simulated as far as it is heard, on one thread.

use crate::Scene;
use crate::prepare::Prepared;
use foley_engine::audio_file::{Format, Written, write};
use foley_engine::{AudioBuffer, Renderer, Settings, Source};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{ImpactBackend, LiveScene, SonifyError};

/// Renders a scene while it is simulated: the first second is there before the last is simulated, and
/// memory does not grow with the length of the scene. The first frame is time zero.
///
/// ```
/// use foley_engine::{Settings, Source};
/// use foley_scene::{Scene, prepare::ModelCache, sonify::{ImpactBackend, SceneStream}};
/// use std::sync::Arc;
///
/// let scene = Arc::new(Scene::parse(
///     r#"
///     full_scale_pa = 5
///     ground = "concrete"
///     [[object]]
///     shape = "bar:300x30x8mm"
///     material = "steel"
///     position = [0, 0, 0.2]
///     "#,
/// )?);
/// let prepared = scene.prepare(&ModelCache::none(), &mut |_| true)?;
/// let settings = Settings::default().audible().with_full_scale_pa(5.0);
/// let mut stream = SceneStream::new(&scene, &prepared, settings, &ImpactBackend::default())?;
/// let mut half_a_second = vec![0.0; 48_000];
/// stream.fill(&mut half_a_second);
/// stream.take_error()?;
/// assert!(half_a_second.iter().any(|y| y.abs() > 1e-3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SceneStream {
    live: LiveScene,
    renderer: Renderer,
    /// Frames of the block under way that were not taken yet.
    block: Vec<f32>,
    taken: usize,
    skip: usize,
    /// Frames handed out.
    handed_out: u64,
    error: Option<SonifyError>,
    has_failed: Arc<AtomicBool>,
}

impl SceneStream {
    /// Starts a scene.
    pub fn new(
        scene: &Arc<Scene>,
        prepared: &Prepared,
        settings: Settings,
        hail_backend: &ImpactBackend,
    ) -> Result<Self, SonifyError> {
        let (live, renderer) = LiveScene::new(scene, prepared, settings, hail_backend)?;
        let block = vec![0.0; 2 * renderer.block()];
        let (taken, skip) = (block.len(), 2 * renderer.latency_frames());
        let has_failed = Arc::new(AtomicBool::new(false));
        Ok(Self { live, renderer, block, taken, skip, handed_out: 0, error: None, has_failed })
    }

    /// Returns the scene, to be changed between calls of `fill`.
    pub fn scene(&mut self) -> &mut LiveScene {
        &mut self.live
    }

    /// Returns the length of the scene in frames.
    pub fn frames(&self) -> u64 {
        (self.live.seconds() * f64::from(self.renderer.sample_rate_hz())).ceil() as u64
    }

    /// Returns the error that stopped the scene, if one did; the sound after it is what rang on.
    pub fn take_error(&mut self) -> Result<(), SonifyError> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// Writes what is left of the scene to a .wav or .flac file, whole or not at all.
    pub fn write(&mut self, path: impl AsRef<Path>) -> Result<Written, SonifyError> {
        let (path, frames) = (path.as_ref(), self.frames().saturating_sub(self.handed_out));
        let has_failed = Arc::clone(&self.has_failed);
        let written =
            write(path, Format::from_path(path)?, self, frames, |_| !has_failed.load(Relaxed));
        self.take_error()?;
        Ok(written?)
    }

    /// Renders the next seconds to memory.
    pub fn samples(&mut self, seconds: f64) -> Result<AudioBuffer, SonifyError> {
        let sound = AudioBuffer::render(self, seconds, |_| ());
        self.take_error()?;
        Ok(sound)
    }

    /// Renders the next block.
    fn advance(&mut self) {
        if self.error.is_none() {
            self.error = self.live.update().err();
            self.has_failed.store(self.error.is_some(), Relaxed);
        }
        self.renderer.fill(&mut self.block);
        self.taken = self.skip.min(self.block.len());
        self.skip -= self.taken;
    }
}

impl Source for SceneStream {
    fn sample_rate_hz(&self) -> u32 {
        self.renderer.sample_rate_hz()
    }

    fn channels(&self) -> usize {
        2
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        self.handed_out += interleaved.len() as u64 / 2;
        let mut rest = interleaved;
        while !rest.is_empty() {
            while self.taken == self.block.len() {
                self.advance();
            }
            let count = rest.len().min(self.block.len() - self.taken);
            let (now, later) = rest.split_at_mut(count);
            now.copy_from_slice(&self.block[self.taken..self.taken + count]);
            self.taken += count;
            rest = later;
        }
    }
}

//! Rendering without a clock.

use foley_dsp::excitation::Striker;
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use std::path::Path;
use std::sync::Arc;

use crate::audio_file::{FileError, Format, Written, write};
use crate::{
    AudioBuffer, Engine, EngineError, MetresPerSecond, Renderer, Settings, Source, SurfacePoint,
    Time,
};

/// An engine and its renderer on one thread: for files. The first frame is time zero,
/// whatever the latency of the output stage.
pub struct Offline {
    /// The scene, to be changed between frames.
    pub engine: Engine,
    renderer: Renderer,
    late: usize,
}

impl Offline {
    /// Takes both halves.
    pub fn new(engine: Engine, renderer: Renderer) -> Self {
        Self { engine, late: renderer.latency_frames(), renderer }
    }

    /// Returns the renderer of a model that is struck at time zero, without a limiter.
    pub fn of_strike(
        model: impl Into<Arc<ModalModel>>,
        point: SurfacePoint,
        striker: &Striker,
        speed: MetresPerSecond,
        settings: Settings,
    ) -> Result<Self, EngineError> {
        let output = OutputSettings::default().with_limiter(None);
        let (mut engine, renderer) = Engine::new(Settings { output, ..settings })?;
        let object = engine.add(model)?;
        engine.strike(object, point, striker, speed, Time::Now)?;
        Ok(Self::new(engine, renderer))
    }

    /// Returns the pressure of full scale at which a strike peaks at −6 dBFS, Pa.
    pub fn full_scale_of_strike_pa(
        model: &ModalModel,
        point: SurfacePoint,
        striker: &Striker,
        speed: MetresPerSecond,
    ) -> Result<f64, EngineError> {
        let settings = Settings::default();
        let mut scene = Self::of_strike(model.clone(), point, striker, speed, settings)?;
        let peak = AudioBuffer::render(&mut scene, 0.3, |_| ()).peak();
        Ok((f64::from(peak) * 2.0).clamp(1e-9, 1e9))
    }

    /// Writes the next `seconds` to a .wav or .flac file, whole or not at all.
    pub fn write(&mut self, path: impl AsRef<Path>, seconds: f64) -> Result<Written, FileError> {
        let path = path.as_ref();
        let frames = (seconds.max(0.0) * f64::from(self.sample_rate_hz())).ceil() as u64;
        write(path, Format::from_path(path)?, self, frames, |_| true)
    }

    fn fill_in_step(&mut self, mut rest: &mut [f32]) {
        let channels = self.renderer.channels();
        while !rest.is_empty() {
            if self.renderer.is_between_blocks() {
                self.engine.update();
            }
            let count = self.renderer.ready_samples().min(rest.len());
            let (now, later) = rest.split_at_mut(count);
            self.renderer.fill(now);
            debug_assert!(count.is_multiple_of(channels));
            rest = later;
        }
    }
}

impl Source for Offline {
    fn sample_rate_hz(&self) -> u32 {
        self.renderer.sample_rate_hz()
    }

    fn channels(&self) -> usize {
        self.renderer.channels()
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        let channels = self.renderer.channels();
        let mut skipped = [0.0; 256];
        while self.late > 0 {
            let frames = self.late.min(skipped.len() / channels.clamp(1, 256)).max(1);
            self.fill_in_step(&mut skipped[..frames * channels.min(256)]);
            self.late -= frames;
        }
        self.fill_in_step(interleaved);
    }
}

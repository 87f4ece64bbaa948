//! Rendering without a clock.

use crate::backend::Source;
use crate::{Engine, Renderer};

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

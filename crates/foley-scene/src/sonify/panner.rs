//! From directions to two channels.

use foley_dsp::output::{OutputError, OutputSettings, OutputStage};
use foley_engine::Renderer;
use foley_engine::Source;

use super::directions::{DIRECTIONS, pan};

/// A renderer with a channel for each direction, heard by two loudspeakers.
///
/// Real-time: never allocates, locks or panics.
pub struct Mix {
    renderer: Renderer,
    output: OutputStage,
    frames: Vec<f32>,
}

impl Mix {
    /// Guard and limiter come last, after everything has been added.
    pub fn new(renderer: Renderer, output: OutputSettings) -> Result<Self, OutputError> {
        let output = OutputStage::new(output, f64::from(renderer.sample_rate_hz()), 2)?;
        let frames = vec![0.0; renderer.block() * DIRECTIONS];
        Ok(Self { renderer, output, frames })
    }

    /// Frames by which the output stage is late.
    pub fn latency_frames(&self) -> usize {
        self.output.latency_frames()
    }
}

impl Source for Mix {
    fn sample_rate_hz(&self) -> u32 {
        self.renderer.sample_rate_hz()
    }

    fn channels(&self) -> usize {
        2
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        for part in interleaved.chunks_mut(2 * self.renderer.block()) {
            let frames = &mut self.frames[..part.len() / 2 * DIRECTIONS];
            self.renderer.fill(frames);
            let (mixed, _) = part.as_chunks_mut::<2>();
            let (frames, _) = frames.as_chunks::<DIRECTIONS>();
            for (mixed, frame) in mixed.iter_mut().zip(frames) {
                *mixed = [0.0; 2];
                for (direction, y) in frame.iter().enumerate() {
                    let [left, right] = pan(direction);
                    mixed[0] += left * y;
                    mixed[1] += right * y;
                }
            }
            self.output.process(part);
        }
    }
}

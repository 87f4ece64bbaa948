//! The one thing every backend plays.

/// Fills interleaved frames on the audio thread: never allocates, locks, waits or panics.
pub trait Source: Send {
    /// Frames per second this source was built for; it never changes.
    fn sample_rate_hz(&self) -> u32;

    /// Samples per frame; it never changes and is at least 1.
    fn channels(&self) -> usize;

    /// Writes the next `interleaved.len() / channels()` frames.
    ///
    /// `interleaved.len()` is a multiple of `channels()`; any length, any time. What was in the
    /// buffer before is undefined and must be overwritten.
    fn fill(&mut self, interleaved: &mut [f32]);
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn sample_rate_hz(&self) -> u32 {
        (**self).sample_rate_hz()
    }

    fn channels(&self) -> usize {
        (**self).channels()
    }

    fn fill(&mut self, interleaved: &mut [f32]) {
        (**self).fill(interleaved);
    }
}

//! The interface between a renderer and whatever plays or writes its frames.

/// Fills interleaved frames on the audio thread: never allocates, locks, waits or panics.
///
/// ```
/// use foley_engine::{Source, mock::MockDevice};
///
/// /// A 440 Hz tone.
/// struct Tone(u64);
///
/// impl Source for Tone {
///     fn sample_rate_hz(&self) -> u32 {
///         48_000
///     }
///     fn channels(&self) -> usize {
///         1
///     }
///     fn fill(&mut self, interleaved: &mut [f32]) {
///         for sample in interleaved {
///             let t = self.0 as f64 / 48_000.0;
///             *sample = (std::f64::consts::TAU * 440.0 * t).sin() as f32;
///             self.0 += 1;
///         }
///     }
/// }
///
/// let played = MockDevice::default().play(&mut Tone(0), 480);
/// assert_eq!(played.samples.len(), 480);
/// ```
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

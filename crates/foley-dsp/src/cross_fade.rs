//! Cross-fade of raised-cosine shape over several blocks.
//!
//! The shape keeps a steady tone within its critical band, whatever the phase between the two
//! sounds. Where gains are linear within each half of a block, so is the shape.

use std::f32::consts::PI;

/// Length between places, samples: 69 ms at 48 kHz. Longer, two sounds of opposite phase would cancel
/// each other for an audible time.
pub(crate) const BETWEEN_PLACES: usize = 3_328;
/// Length between gains, samples: 91 ms at 48 kHz. Nothing cancels, and a longer fade stays closer to
/// the tone.
pub(crate) const BETWEEN_GAINS: usize = 4_352;
/// Smallest number of half blocks.
const MIN_HALVES: usize = 7;

/// A cross-fade under way. Lengths are counted in half blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CrossFade {
    done: u32,
    length: u32,
}

impl CrossFade {
    /// Returns a cross-fade of a length in samples, for blocks of this length, that has not begun.
    pub(crate) fn new(samples: usize, block: usize) -> Self {
        let length = (2 * samples).div_ceil(block.max(1)).max(MIN_HALVES);
        Self { done: 0, length: length as u32 }
    }

    /// Advances by a block. Returns the share of the new sound at its start, middle and end.
    pub(crate) fn advance(&mut self) -> [f32; 3] {
        let Self { done, length } = *self;
        let part = |half: u32| (done + half).min(length) as f32 / length as f32;
        self.done += 2;
        [0, 1, 2].map(|half| 0.5 - 0.5 * (PI * part(half)).cos())
    }

    /// Advances by a block of both sounds and fades them.
    pub(crate) fn apply(&mut self, new: &mut [f32], old: &mut [f32]) {
        let angle = f64::from(PI) / f64::from(self.length);
        let (mut sin, mut cos) = (angle * f64::from(self.done)).sin_cos();
        let (step_sin, step_cos) = (2.0 * angle / new.len() as f64).sin_cos();
        let left = self.length.saturating_sub(self.done) as usize * new.len() / 2;
        for (n, (new, old)) in new.iter_mut().zip(old).enumerate() {
            let share = if n < left { (0.5 - 0.5 * cos) as f32 } else { 1.0 };
            *new *= share;
            *old *= 1.0 - share;
            (sin, cos) = (sin * step_cos + cos * step_sin, cos * step_cos - sin * step_sin);
        }
        self.done += 2;
    }

    /// Returns whether the new sound has replaced the old one.
    pub(crate) fn is_over(&self) -> bool {
        self.done >= self.length
    }
}

//! Cross-fade of raised-cosine shape over several blocks.
//!
//! The shape keeps a steady tone within its critical band, whatever the phase between the two
//! sounds. Where gains are linear within a block, so is the shape.

use std::f32::consts::PI;

/// Length between places, samples: 69 ms at 48 kHz. Longer, two sounds of opposite phase would cancel
/// each other for an audible time.
pub(crate) const BETWEEN_PLACES: usize = 3_328;
/// Length between gains, samples: 91 ms at 48 kHz. Nothing cancels, and a longer fade stays closer to
/// the tone.
pub(crate) const BETWEEN_GAINS: usize = 4_352;
/// Smallest number of blocks.
const MIN_BLOCKS: usize = 7;

/// A cross-fade under way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CrossFade {
    done: u32,
    blocks: u32,
}

impl CrossFade {
    /// Returns a cross-fade of a length in samples, for blocks of this length, that has not begun.
    pub(crate) fn new(samples: usize, block: usize) -> Self {
        let blocks = samples.div_ceil(block.max(1)).max(MIN_BLOCKS);
        Self { done: 0, blocks: blocks as u32 }
    }

    /// Advances by a block. Returns the share of the new sound at its start and end.
    pub(crate) fn advance(&mut self) -> [f32; 2] {
        let share = |done: u32| 0.5 - 0.5 * (PI * done as f32 / self.blocks as f32).cos();
        let shares = [share(self.done), share(self.done + 1)];
        self.done += 1;
        shares
    }

    /// Advances by a block of both sounds and fades them.
    pub(crate) fn apply(&mut self, new: &mut [f32], old: &mut [f32]) {
        let angle = |done: u32| f64::from(PI) * f64::from(done) / f64::from(self.blocks);
        let (mut sin, mut cos) = angle(self.done).sin_cos();
        let (step_sin, step_cos) = (angle(1) / new.len() as f64).sin_cos();
        for (new, old) in new.iter_mut().zip(old) {
            let share = (0.5 - 0.5 * cos) as f32;
            *new *= share;
            *old *= 1.0 - share;
            (sin, cos) = (sin * step_cos + cos * step_sin, cos * step_cos - sin * step_sin);
        }
        self.done += 1;
    }

    /// Returns whether the new sound has replaced the old one.
    pub(crate) fn is_over(&self) -> bool {
        self.done >= self.blocks
    }
}

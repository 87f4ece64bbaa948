//! Which modes of an object are computed, under the paper's rule: one bit per mode.

use crate::resonator::perceptual::modes::band_layout::Gathering;
use crate::simd::{LANES, Row};

/// One bit per lane, one number per row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    /// Modes that sound in this block.
    pub(crate) on: Box<[u16]>,
    /// Modes that sounded in the last one.
    pub(crate) was: Box<[u16]>,
}

impl Flags {
    pub(crate) fn new(rows: usize) -> Self {
        Self { on: vec![0; rows].into(), was: vec![0; rows].into() }
    }

    /// Takes a mode out.
    pub(crate) fn clear(&mut self, slot: usize) {
        if let Some(row) = self.on.get_mut(slot / LANES) {
            *row &= !(1 << (slot % LANES));
        }
    }

    /// Every mode that an ear could hear is on.
    pub(crate) fn fill(&mut self, gathering: &Gathering) {
        for (on, hears) in self.on.iter_mut().zip(&gathering.hears) {
            *on = above(&[f32::MAX; LANES], hears);
        }
    }

    /// The end of a block.
    pub(crate) fn settle(&mut self) {
        self.was.copy_from_slice(&self.on);
    }
}

/// The lanes in which `x` reaches `least`.
#[inline(always)]
pub(crate) fn above(x: &[f32; LANES], least: &Row) -> u16 {
    let reached = x.iter().zip(least.0).enumerate();
    reached.fold(0, |bits, (lane, (x, least))| bits | (u16::from(*x >= least) << lane))
}

/// The slots of the bits of a row.
pub(crate) fn slots(row: usize, mut bits: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(row * LANES + lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_slots_agree() {
        let mut x = [0.0; LANES];
        (x[0], x[3], x[15]) = (1.0, 2.0, f32::MAX);
        let mut least = Row([1.0; LANES]);
        assert_eq!(slots(2, above(&x, &least)).collect::<Vec<_>>(), [32, 35, 47]);
        least.0[15] = f32::INFINITY;
        let mut flags = Flags::new(3);
        flags.on[2] = above(&x, &least);
        flags.clear(35);
        flags.clear(1000);
        assert_eq!(slots(2, flags.on[2]).collect::<Vec<_>>(), [32]);
        assert_eq!(above(&[f32::NAN; LANES], &least), 0);
    }
}

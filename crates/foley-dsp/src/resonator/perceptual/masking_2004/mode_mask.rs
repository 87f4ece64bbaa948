//! Which modes of a voice are computed under the rule of \[CS\] §4: one bit per mode.

use crate::resonator::perceptual::modes::band_layout::BandLayout;
use crate::simd::{LANES, Row};

/// One bit per lane, one word per row.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModeMask {
    /// Modes that sound in this block.
    pub(crate) active: Box<[u16]>,
    /// Modes that sounded in the last block.
    pub(crate) previous: Box<[u16]>,
}

impl ModeMask {
    pub(crate) fn new(rows: usize) -> Self {
        Self { active: vec![0; rows].into(), previous: vec![0; rows].into() }
    }

    /// Deactivates a mode.
    pub(crate) fn clear(&mut self, slot: usize) {
        if let Some(row) = self.active.get_mut(slot / LANES) {
            *row &= !(1 << (slot % LANES));
        }
    }

    /// Activates every mode that can be audible at all.
    pub(crate) fn set_all_audible(&mut self, band_layout: &BandLayout) {
        for (active, audible_energy) in self.active.iter_mut().zip(&band_layout.audible_energy) {
            *active = lanes_at_least(&[f32::MAX; LANES], audible_energy);
        }
    }

    /// Returns the number of modes that sounded in the last block.
    pub(crate) fn previous_count(&self) -> usize {
        self.previous.iter().map(|row| row.count_ones() as usize).sum()
    }

    pub(crate) fn end_block(&mut self) {
        self.previous.copy_from_slice(&self.active);
    }
}

/// Returns the lanes in which `x` reaches `least`.
#[inline(always)]
pub(crate) fn lanes_at_least(x: &[f32; LANES], least: &Row) -> u16 {
    let reached = x.iter().zip(least.0).enumerate();
    reached.fold(0, |bits, (lane, (x, least))| bits | (u16::from(*x >= least) << lane))
}

/// Returns the slots of the set bits of a row.
pub(crate) fn slots_of(row: usize, mut bits: u16) -> impl Iterator<Item = usize> {
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
        assert_eq!(slots_of(2, lanes_at_least(&x, &least)).collect::<Vec<_>>(), [32, 35, 47]);
        least.0[15] = f32::INFINITY;
        let mut mode_mask = ModeMask::new(3);
        mode_mask.active[2] = lanes_at_least(&x, &least);
        mode_mask.clear(35);
        mode_mask.clear(1000);
        assert_eq!(slots_of(2, mode_mask.active[2]).collect::<Vec<_>>(), [32]);
        assert_eq!(lanes_at_least(&[f32::NAN; LANES], &least), 0);
    }
}

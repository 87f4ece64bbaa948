//! An impulse prepared for banded modes: its contribution at the end of its block, per mode and per
//! band. Prepared off the audio thread, where powers of z are cheap.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::band_layout::BandLayout;
use crate::resonator::layout::{Jump, Layout};
use crate::simd::{LANES, Row};

/// The effect of an impulse on one band.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BandImpulse {
    pub(crate) band: u32,
    /// Sum of the amplitudes at the impulse.
    pub(crate) initial: [f32; 2],
    /// Sum of the amplitudes at the end of the block.
    pub(crate) at_end: [f32; 2],
    /// Σ |a|², and the same weighted with frequency offset, its square, and decay rate.
    pub(crate) energy: f32,
    pub(crate) energy_offset: f32,
    pub(crate) energy_offset_sq: f32,
    pub(crate) energy_decay: f32,
}

/// An impulse and its state at the end of its block.
#[derive(Debug, Clone)]
pub(crate) struct PreparedImpulse {
    /// The jump of each mode, decayed to the end of the block.
    pub(crate) after: Jump,
    /// Sorted by band.
    pub(crate) bands: Vec<BandImpulse>,
    pub(crate) energy: f32,
}

impl PreparedImpulse {
    /// Prepares a jump at sample `at` of a block; None for a layout without bands.
    pub(crate) fn new(layout: &Layout, jump: &Jump, at: usize) -> Option<Self> {
        let band_layout = layout.band_layout.as_ref()?;
        let level = Level::new();
        let mut after = jump.clone();
        let remaining = (layout.block - at) as f32;
        layout.pole_powers.multiply_by_power(level, remaining, &mut after.re, &mut after.im);
        // One allocation that is large enough: growing would copy.
        let mut bands = Vec::with_capacity(LANES * band_layout.tiles.len());
        sum_bands(level, layout, (&jump.re, &jump.im), (&after.re, &after.im), |c| bands.push(c));
        let energy = bands.iter().map(|c| c.energy).sum();
        Some(Self { after, bands, energy })
    }
}

/// Sums a jump and its contribution at the end of the block over bands. Real-time.
pub(crate) fn sum_bands(
    level: Level,
    layout: &Layout,
    jump: (&[Row], &[Row]),
    after: (&[Row], &[Row]),
    each: impl FnMut(BandImpulse),
) {
    let Some(band_layout) = &layout.band_layout else { return };
    dispatch!(level, simd => sum_tiles(simd, band_layout, jump, after, each));
}

#[simd]
fn sum_tiles<S: Simd>(
    _: S,
    band_layout: &BandLayout,
    jump: (&[Row], &[Row]),
    after: (&[Row], &[Row]),
    mut each: impl FnMut(BandImpulse),
) {
    for tile in &band_layout.tiles {
        let mut sums = [[0f32; LANES]; 8];
        for row in tile.first_row..tile.first_row + tile.rows {
            let (offset, decay) = (&band_layout.offset[row].0, &band_layout.decay[row].0);
            let (re, im) = (&jump.0[row].0, &jump.1[row].0);
            let (end_re, end_im) = (&after.0[row].0, &after.1[row].0);
            let [a, b, end_a, end_b, all, energy_offsets, energy_offsets_sq, energy_decays] =
                &mut sums;
            for l in 0..LANES {
                let energy = re[l] * re[l] + im[l] * im[l];
                let (energy_offset, energy_decay) = (energy * offset[l], energy * decay[l]);
                a[l] += re[l];
                b[l] += im[l];
                end_a[l] += end_re[l];
                end_b[l] += end_im[l];
                all[l] += energy;
                energy_offsets[l] += energy_offset;
                energy_offsets_sq[l] += energy_offset * offset[l];
                energy_decays[l] += energy_decay;
            }
        }
        let [re, im, end_re, end_im, energy, energy_offset, energy_offset_sq, energy_decay] = sums;
        for (l, band) in tile.cells.iter().enumerate().filter(|(l, _)| energy[*l] > 0.0) {
            let (initial, at_end) = ([re[l], im[l]], [end_re[l], end_im[l]]);
            let (energy, energy_offset, energy_offset_sq, energy_decay) =
                (energy[l], energy_offset[l], energy_offset_sq[l], energy_decay[l]);
            each(BandImpulse {
                band: *band,
                initial,
                at_end,
                energy,
                energy_offset,
                energy_offset_sq,
                energy_decay,
            });
        }
    }
}

//! An impulse prepared for gathered modes: what it leaves at the end of its block, mode by
//! mode and cell by cell. Made off the audio thread, where powers of z are cheap.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use crate::resonator::layout::{Jump, Layout};
use crate::resonator::perceptual::modes::band_layout::Gathering;
use crate::simd::{LANES, Row};

/// What an impulse does to one cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CellJump {
    pub(crate) cell: u32,
    /// The sum of amplitudes where it falls.
    pub(crate) at_once: [f32; 2],
    /// The same at the end of the block.
    pub(crate) at_end: [f32; 2],
    /// Σ |a|², and the same weighted with frequency offset, its square, and decay.
    pub(crate) energy: f32,
    pub(crate) tilt: f32,
    pub(crate) spread: f32,
    pub(crate) loss: f32,
}

/// An impulse after it has landed.
#[derive(Debug, Clone)]
pub(crate) struct Landing {
    /// What is left of each mode's jump at the end of the block.
    pub(crate) after: Jump,
    /// In order of their cells.
    pub(crate) cells: Vec<CellJump>,
    pub(crate) energy: f32,
}

impl Landing {
    /// A jump at sample `at` of a block, on a layout that gathers its modes.
    pub(crate) fn new(layout: &Layout, jump: &Jump, at: usize) -> Option<Self> {
        let gathering = layout.gathering.as_ref()?;
        let level = Level::new();
        let mut after = jump.clone();
        let rest = (layout.block - at) as f32;
        layout.phasors.turn(level, rest, &mut after.re, &mut after.im);
        // One piece of memory, large enough: growing would copy it again and again.
        let mut cells = Vec::with_capacity(LANES * gathering.tiles.len());
        sum_cells(level, layout, (&jump.re, &jump.im), (&after.re, &after.im), |c| cells.push(c));
        let energy = cells.iter().map(|c| c.energy).sum();
        Some(Self { after, cells, energy })
    }
}

/// Sums a jump and what it leaves over cells. Real-time.
pub(crate) fn sum_cells(
    level: Level,
    layout: &Layout,
    jump: (&[Row], &[Row]),
    after: (&[Row], &[Row]),
    each: impl FnMut(CellJump),
) {
    let Some(gathering) = &layout.gathering else { return };
    dispatch!(level, simd => sum_tiles(simd, gathering, jump, after, each));
}

#[simd]
fn sum_tiles<S: Simd>(
    _: S,
    gathering: &Gathering,
    jump: (&[Row], &[Row]),
    after: (&[Row], &[Row]),
    mut each: impl FnMut(CellJump),
) {
    for tile in &gathering.tiles {
        let mut sums = [[0f32; LANES]; 8];
        for row in tile.first_row..tile.first_row + tile.rows {
            let (offset, decay) = (&gathering.offset[row].0, &gathering.decay[row].0);
            let (re, im) = (&jump.0[row].0, &jump.1[row].0);
            let (end_re, end_im) = (&after.0[row].0, &after.1[row].0);
            let [a, b, end_a, end_b, all, tilts, spreads, losses] = &mut sums;
            for l in 0..LANES {
                let energy = re[l] * re[l] + im[l] * im[l];
                let (tilt, loss) = (energy * offset[l], energy * decay[l]);
                a[l] += re[l];
                b[l] += im[l];
                end_a[l] += end_re[l];
                end_b[l] += end_im[l];
                all[l] += energy;
                tilts[l] += tilt;
                spreads[l] += tilt * offset[l];
                losses[l] += loss;
            }
        }
        let [re, im, end_re, end_im, energy, tilt, spread, loss] = sums;
        for (l, cell) in tile.cells.iter().enumerate().filter(|(l, _)| energy[*l] > 0.0) {
            let (at_once, at_end) = ([re[l], im[l]], [end_re[l], end_im[l]]);
            let (energy, tilt, spread, loss) = (energy[l], tilt[l], spread[l], loss[l]);
            each(CellJump { cell: *cell, at_once, at_end, energy, tilt, spread, loss });
        }
    }
}

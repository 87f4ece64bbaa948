//! An impulse prepared for gathered modes: what it leaves at the end of its block, mode by
//! mode and cell by cell. Made off the audio thread, where powers of z are cheap.

use num_complex::Complex64;

use crate::resonator::layout::{Jump, Layout};
use crate::simd::{LANES, Row};

/// What an impulse does to one cell.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CellJump {
    pub(crate) cell: u32,
    /// The sum of amplitudes where it falls.
    pub(crate) at_once: [f32; 2],
    /// The same at the end of the block.
    pub(crate) at_end: [f32; 2],
    /// Σ |a|², and the same weighted with frequency offset and decay.
    pub(crate) energy: f32,
    pub(crate) tilt: f32,
    pub(crate) loss: f32,
}

/// An impulse after it has landed.
#[derive(Debug, Clone)]
pub(crate) struct Landing {
    /// What is left of each mode's jump at the end of the block.
    pub(crate) after: Jump,
    /// In order of their cells.
    pub(crate) cells: Box<[CellJump]>,
    pub(crate) energy: f32,
}

impl Landing {
    /// A jump at sample `at` of a block, on a layout that gathers its modes.
    pub(crate) fn new(layout: &Layout, jump: &Jump, at: usize) -> Option<Self> {
        layout.gathering.as_ref()?;
        let rest = (layout.block - at) as f64;
        let slots = layout.mode_of_slot();
        let after = layout.jump_of(|slot| {
            let mode = slots.get(slot).copied().flatten();
            mode.map_or(Complex64::ZERO, |m| jump.get(slot) * layout.poles[m].power(rest))
        });
        let mut cells = Vec::new();
        sum_cells(layout, (&jump.re, &jump.im), (&after.re, &after.im), |c| cells.push(c));
        let energy = cells.iter().map(|c| c.energy).sum();
        Some(Self { after, cells: cells.into_boxed_slice(), energy })
    }
}

/// Sums a jump and what it leaves over cells. Real-time.
pub(crate) fn sum_cells(
    layout: &Layout,
    jump: (&[Row], &[Row]),
    after: (&[Row], &[Row]),
    mut each: impl FnMut(CellJump),
) {
    let Some(gathering) = &layout.gathering else { return };
    for tile in &gathering.tiles {
        for lane in 0..LANES {
            let mut sum = CellJump { cell: tile.cells[lane], ..CellJump::default() };
            for row in tile.first_row..tile.first_row + tile.rows {
                let at = |rows: &[Row]| rows[row].0[lane];
                let (re, im) = (at(jump.0), at(jump.1));
                let energy = re * re + im * im;
                sum.at_once[0] += re;
                sum.at_once[1] += im;
                sum.at_end[0] += at(after.0);
                sum.at_end[1] += at(after.1);
                sum.energy += energy;
                sum.tilt += energy * at(&gathering.offset);
                sum.loss += energy * at(&gathering.decay);
            }
            if sum.energy > 0.0 {
                each(sum);
            }
        }
    }
}

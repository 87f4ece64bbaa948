//! Advances modes by a block and accumulates them in their bands: 14 operations per mode and block,
//! ten more when energies are measured.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::band_layout::BandLayout;
use super::lazy_decay::LazyDecay;
use crate::resonator::layout::Layout;
use crate::resonator::layout::modes::{Constants, Modes, SILENCE};
use crate::resonator::perceptual::bands::band_accumulators::{
    BandAccumulator, END, ENERGY, ENERGY_DECAY, ENERGY_OFFSET, ENERGY_OFFSET_SQ, NUMBERS,
    add_bands, add_ends,
};
use crate::simd::{LANES, Pair, Row};

/// Results of advancing one voice.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct AdvanceStats {
    /// Energy at the start of the block, when measured.
    pub(crate) energy: f32,
    /// Modes that were advanced.
    pub(crate) modes: usize,
    /// Rows that were advanced, and modes left out by the budget.
    pub(crate) rows: usize,
    pub(crate) left_out: usize,
}

/// The modes of a voice, borrowed for one pass.
pub(crate) struct ModesMut<'a> {
    pub(crate) constants: &'a Constants,
    pub(crate) band_layout: &'a BandLayout,
    pub(crate) state: &'a mut Pair,
    pub(crate) decay: &'a mut LazyDecay,
}

impl<'a> ModesMut<'a> {
    /// Borrows the parts of a voice; `None` when its modes have no bands.
    pub(crate) fn new(
        layout: &'a Layout,
        modes: &'a mut Modes,
        decay: &'a mut LazyDecay,
    ) -> Option<Self> {
        let band_layout = layout.band_layout.as_ref()?;
        Some(Self { constants: &layout.constants, band_layout, state: &mut modes.state, decay })
    }
}

/// Whether a pass accumulates amplitudes only, or measures energies and their moments as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnergyUpdate {
    Reuse,
    Measure,
}

/// Advances the sounding rows from the start of block `now` to its end and adds them to the bands:
/// amplitudes times the first gain, energies times the second.
pub(crate) fn advance(
    level: Level,
    energy_update: EnergyUpdate,
    modes: ModesMut<'_>,
    now: u32,
    gains: [f32; 2],
    bands: &mut [BandAccumulator],
) -> AdvanceStats {
    match energy_update {
        EnergyUpdate::Reuse => {
            dispatch!(level, simd => advance_tiles::<_, false>(simd, modes, now, gains, bands))
        }
        EnergyUpdate::Measure => {
            dispatch!(level, simd => advance_tiles::<_, true>(simd, modes, now, gains, bands))
        }
    }
}

#[simd]
fn advance_tiles<S: Simd, const MEASURE: bool>(
    simd: S,
    modes: ModesMut<'_>,
    now: u32,
    [gain, energy_gain]: [f32; 2],
    bands: &mut [BandAccumulator],
) -> AdvanceStats {
    let ModesMut { constants, band_layout, state, decay } = modes;
    let width = S::f32s::LEN;
    let zero = S::f32s::splat(simd, 0.0);
    let mut stats = AdvanceStats::default();
    let mut total = zero;
    for tile in &band_layout.tiles {
        let rows = tile.first_row..tile.first_row + tile.rows;
        let before = stats.rows;
        for row in rows.clone() {
            if decay.any_skipped && decay.left_out[row] {
                stats.left_out += usize::from(band_layout.mode_counts[row]);
            } else if decay.catch_up(constants, state, row, now) {
                stats.rows += 1;
                stats.modes += usize::from(band_layout.mode_counts[row]);
            }
        }
        if stats.rows == before {
            continue;
        }
        for lane in (0..LANES).step_by(width) {
            let mut sums = [zero; NUMBERS];
            for row in rows.clone() {
                if decay.valid_at[row] != now {
                    continue;
                }
                let load =
                    |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[lane..lane + width]);
                let (r, m) = (load(&state.re), load(&state.im));
                let (sr, si) = (load(&constants.step.re), load(&constants.step.im));
                if MEASURE {
                    let energy = r.mul_add(r, m * m);
                    sums[ENERGY] += energy;
                    let offset = load(&band_layout.offset);
                    let energy_offset = energy * offset;
                    sums[ENERGY_OFFSET] += energy_offset;
                    sums[ENERGY_OFFSET_SQ] = energy_offset.mul_add(offset, sums[ENERGY_OFFSET_SQ]);
                    sums[ENERGY_DECAY] =
                        energy.mul_add(load(&band_layout.decay), sums[ENERGY_DECAY]);
                }
                let (r, m) = (sr.mul_sub(r, si * m), sr.mul_add(m, si * r));
                let sounds = r.abs().max(m.abs()).simd_ge(SILENCE);
                let (r, m) = (sounds.select(r, zero), sounds.select(m, zero));
                sums[END] += r;
                sums[END + 1] += m;
                r.store_slice(&mut state.re[row].0[lane..lane + width]);
                m.store_slice(&mut state.im[row].0[lane..lane + width]);
            }
            total += sums[ENERGY];
            let which = &tile.cells[lane..lane + width];
            for (number, sum) in sums.iter_mut().enumerate() {
                *sum *= if number < ENERGY { gain } else { energy_gain };
            }
            if MEASURE {
                add_bands::<S>(bands, which, sums);
            } else {
                add_ends::<S>(bands, which, [sums[END], sums[END + 1]]);
            }
        }
        for valid_at in &mut decay.valid_at[rows] {
            *valid_at += u32::from(*valid_at == now);
        }
    }
    stats.energy = total.reduce_sum();
    stats
}

/// Adds `sign` times the amplitudes at the start of a block to `start`, band by band: for voices
/// that enter or leave the partials without a fade.
pub(crate) fn add_start(modes: &ModesMut<'_>, sign: f32, start: &mut Pair) {
    for tile in &modes.band_layout.tiles {
        for (lane, band) in tile.cells.iter().enumerate() {
            let (at, place) = (*band as usize / LANES, *band as usize % LANES);
            for row in tile.first_row..tile.first_row + tile.rows {
                start.re[at].0[place] += sign * modes.state.re[row].0[lane];
                start.im[at].0[place] += sign * modes.state.im[row].0[lane];
            }
        }
    }
}

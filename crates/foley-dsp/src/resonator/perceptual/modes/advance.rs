//! Modes move on by a block and add up in their cells: 14 operations a mode and block, and ten
//! more now and then, when cells are weighed anew.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use crate::resonator::layout::modes::{Constants, SILENCE};
use crate::resonator::perceptual::bands::band_accumulators::{
    Cell, END, ENERGY, LOSS, NUMBERS, SPREAD, TILT, add_cells, add_ends,
};
use crate::resonator::perceptual::modes::band_layout::Gathering;
use crate::resonator::perceptual::modes::lazy_decay::Rest;
use crate::simd::{LANES, Pair, Row};

/// What a pass over an object found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Found {
    /// Energy at the start of the block, when it was weighed.
    pub(crate) energy: f32,
    /// Modes that were moved.
    pub(crate) modes: usize,
    /// Rows that were moved, and modes the budget left out.
    pub(crate) rows: usize,
    pub(crate) left_out: usize,
}

/// An object's modes and where its rows stand.
pub(crate) struct Herd<'a> {
    pub(crate) constants: &'a Constants,
    pub(crate) gathering: &'a Gathering,
    pub(crate) state: &'a mut Pair,
    pub(crate) rest: &'a mut Rest,
}

/// What is wanted of a pass: amplitudes alone, or energies and what goes with them, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    Lean,
    Weighing,
}

/// Moves the rows that sound from the start of block `now` to its end and adds them to the
/// cells.
pub(crate) fn advance(
    level: Level,
    pass: Pass,
    herd: Herd<'_>,
    now: u32,
    cells: &mut [Cell],
) -> Found {
    match pass {
        Pass::Lean => dispatch!(level, simd => advance_tiles::<_, false>(simd, herd, now, cells)),
        Pass::Weighing => {
            dispatch!(level, simd => advance_tiles::<_, true>(simd, herd, now, cells))
        }
    }
}

#[simd]
fn advance_tiles<S: Simd, const WEIGH: bool>(
    simd: S,
    herd: Herd<'_>,
    now: u32,
    cells: &mut [Cell],
) -> Found {
    let Herd { constants, gathering, state, rest } = herd;
    let width = S::f32s::LEN;
    let zero = S::f32s::splat(simd, 0.0);
    let mut found = Found::default();
    let mut total = zero;
    for tile in &gathering.tiles {
        let rows = tile.first_row..tile.first_row + tile.rows;
        let before = found.rows;
        for row in rows.clone() {
            if rest.thinned && rest.left_out[row] {
                found.left_out += usize::from(gathering.population[row]);
            } else if rest.wake(constants, state, row, now) {
                found.rows += 1;
                found.modes += usize::from(gathering.population[row]);
            }
        }
        if found.rows == before {
            continue;
        }
        for lane in (0..LANES).step_by(width) {
            let mut sums = [zero; NUMBERS];
            for row in rows.clone() {
                if rest.since[row] != now {
                    continue;
                }
                let load =
                    |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[lane..lane + width]);
                let (r, m) = (load(&state.re), load(&state.im));
                let (sr, si) = (load(&constants.step.re), load(&constants.step.im));
                if WEIGH {
                    let energy = r.mul_add(r, m * m);
                    sums[ENERGY] += energy;
                    let offset = load(&gathering.offset);
                    let tilt = energy * offset;
                    sums[TILT] += tilt;
                    sums[SPREAD] = tilt.mul_add(offset, sums[SPREAD]);
                    sums[LOSS] = energy.mul_add(load(&gathering.decay), sums[LOSS]);
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
            if WEIGH {
                add_cells::<S>(cells, which, sums);
            } else {
                add_ends::<S>(cells, which, [sums[END], sums[END + 1]]);
            }
        }
        for since in &mut rest.since[rows] {
            *since += u32::from(*since == now);
        }
    }
    found.energy = total.reduce_sum();
    found
}

/// Adds `sign` times the amplitudes at the start of a block to `start`, cell by cell: for
/// objects that join the choir or leave it without a fade.
pub(crate) fn add_start(herd: &Herd<'_>, sign: f32, start: &mut Pair) {
    for tile in &herd.gathering.tiles {
        for (lane, cell) in tile.cells.iter().enumerate() {
            let (at, place) = (*cell as usize / LANES, *cell as usize % LANES);
            for row in tile.first_row..tile.first_row + tile.rows {
                start.re[at].0[place] += sign * herd.state.re[row].0[lane];
                start.im[at].0[place] += sign * herd.state.im[row].0[lane];
            }
        }
    }
}

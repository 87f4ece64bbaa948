//! The spectral block: modes → moments of cells → one grid → one inverse FFT.
//!
//! See [`nufft_taps`](super::nufft_taps) for the mathematics. A free mode costs 43 operations of
//! the multiply-add pipes per block and a driven one 73, whatever the block length; 32 bytes are
//! read, 8 written.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use crate::resonator::kernels::nufft_taps::MOMENTS;
use crate::resonator::layout::modes::Modes;
use crate::resonator::layout::tiles::Tile;
use crate::simd::{LANES, Pair, Row, flat, flat_mut};

/// Numbers per cell: eight complex moments.
const NUMBERS: usize = 2 * MOMENTS;

/// A force at the cells, and the gains it acts on.
#[derive(Clone, Copy)]
pub(crate) struct Drive<'a> {
    /// ν of every cell: the spectrum of the force gathered with the taps of the cell.
    pub(crate) cells: &'a [Row],
    pub(crate) gains: &'a [Row],
}

/// Adds the free sound of the modes to the cells and advances the modes by one block, with one
/// force if there is one.
pub(crate) fn advance(
    level: Level,
    modes: &mut Modes,
    tiles: &[Tile],
    cells: &mut [Row],
    drive: Option<Drive<'_>>,
) {
    dispatch!(level, simd => match drive {
        Some(drive) => advance_tiles::<_, true>(simd, modes, tiles, cells, drive),
        None => {
            advance_tiles::<_, false>(simd, modes, tiles, cells, Drive { cells: &[], gains: &[] })
        }
    });
}

#[simd]
fn advance_tiles<S: Simd, const DRIVEN: bool>(
    simd: S,
    modes: &mut Modes,
    tiles: &[Tile],
    cells: &mut [Row],
    drive: Drive<'_>,
) {
    let width = S::f32s::LEN;
    let Modes { state, constants } = modes;
    for tile in tiles {
        for lane in (0..LANES).step_by(width) {
            let nu = if DRIVEN {
                load_cells(simd, drive.cells, &tile.cells[lane..lane + width])
            } else {
                [S::f32s::splat(simd, 0.0); NUMBERS]
            };
            let mut mu = [S::f32s::splat(simd, 0.0); NUMBERS];
            let rows = tile.first_row..tile.first_row + tile.rows;
            let state_re = &mut state.re[rows.clone()];
            let state_im = &mut state.im[rows.clone()];
            let zeta = constants.zeta.re[rows.clone()].iter().zip(&constants.zeta.im[rows.clone()]);
            let step = constants.step.re[rows.clone()].iter().zip(&constants.step.im[rows.clone()]);
            let gains: &[Row] = if DRIVEN { &drive.gains[rows] } else { &[] };
            let mut gains = gains.iter();
            for (((re, im), (zr, zi)), (sr, si)) in
                state_re.iter_mut().zip(state_im).zip(zeta).zip(step)
            {
                let load = |row: &Row| S::f32s::from_slice(simd, &row.0[lane..lane + width]);
                let (mut tr, mut ti) = (load(re), load(im));
                let zeta = (load(zr), load(zi));
                accumulate(&mut mu, (tr, ti), zeta);
                if DRIVEN && let Some(gain) = gains.next() {
                    let (ur, ui) = horner(&nu, zeta);
                    let gain = load(gain);
                    tr = gain.mul_add(ur, tr);
                    ti = gain.mul_add(ui, ti);
                }
                let (sr, si) = (load(sr), load(si));
                sr.mul_sub(tr, si * ti).store_slice(&mut re.0[lane..lane + width]);
                sr.mul_add(ti, si * tr).store_slice(&mut im.0[lane..lane + width]);
            }
            add_cells(simd, cells, &tile.cells[lane..lane + width], mu);
        }
    }
}

/// `T += z^B g u`: a further force, or an impulse with complex gains, on modes that [`advance`] has
/// already advanced.
pub(crate) fn inject(
    level: Level,
    modes: &mut Modes,
    tiles: &[Tile],
    drive: Drive<'_>,
    gains_im: Option<&[Row]>,
) {
    dispatch!(level, simd => inject_tiles(simd, modes, tiles, drive, gains_im));
}

#[simd]
fn inject_tiles<S: Simd>(
    simd: S,
    modes: &mut Modes,
    tiles: &[Tile],
    drive: Drive<'_>,
    gains_im: Option<&[Row]>,
) {
    let width = S::f32s::LEN;
    let Modes { state, constants } = modes;
    for tile in tiles {
        for lane in (0..LANES).step_by(width) {
            let nu = load_cells(simd, drive.cells, &tile.cells[lane..lane + width]);
            for row in tile.first_row..tile.first_row + tile.rows {
                let load =
                    |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[lane..lane + width]);
                let (ur, ui) = horner(&nu, (load(&constants.zeta.re), load(&constants.zeta.im)));
                let g = load(drive.gains);
                let (mut pr, mut pi) = (g * ur, g * ui);
                if let Some(gains_im) = gains_im {
                    let h = load(gains_im);
                    pr -= h * ui;
                    pi = h.mul_add(ur, pi);
                }
                let (sr, si) = (load(&constants.step.re), load(&constants.step.im));
                let re = sr.mul_add(pr, load(&state.re)) - si * pi;
                let im = sr.mul_add(pi, load(&state.im)) + si * pr;
                re.store_slice(&mut state.re[row].0[lane..lane + width]);
                im.store_slice(&mut state.im[row].0[lane..lane + width]);
            }
        }
    }
}

/// Adds to the cells the first B samples of the impulse response of modes with the given gains.
pub(crate) fn spread_gains(
    level: Level,
    modes: &Modes,
    tiles: &[Tile],
    cells: &mut [Row],
    gains: &[Row],
    gains_im: Option<&[Row]>,
) {
    dispatch!(level, simd => spread_gain_tiles(simd, modes, tiles, cells, gains, gains_im));
}

#[simd]
fn spread_gain_tiles<S: Simd>(
    simd: S,
    modes: &Modes,
    tiles: &[Tile],
    cells: &mut [Row],
    gains: &[Row],
    gains_im: Option<&[Row]>,
) {
    let width = S::f32s::LEN;
    let constants = &*modes.constants;
    for tile in tiles {
        for lane in (0..LANES).step_by(width) {
            let mut mu = [S::f32s::splat(simd, 0.0); NUMBERS];
            for row in tile.first_row..tile.first_row + tile.rows {
                let load =
                    |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[lane..lane + width]);
                let (hr, hi) = (load(&constants.to_middle.re), load(&constants.to_middle.im));
                let g = load(gains);
                let (mut tr, mut ti) = (g * hr, g * hi);
                if let Some(gains_im) = gains_im {
                    let h = load(gains_im);
                    tr -= h * hi;
                    ti = h.mul_add(hr, ti);
                }
                accumulate(&mut mu, (tr, ti), (load(&constants.zeta.re), load(&constants.zeta.im)));
            }
            add_cells(simd, cells, &tile.cells[lane..lane + width], mu);
        }
    }
}

/// `μ_p += t ζ^p`.
#[inline(always)]
fn accumulate<S: Simd, V: SimdFloat<S, Element = f32>>(
    mu: &mut [V; NUMBERS],
    (mut tr, mut ti): (V, V),
    (zr, zi): (V, V),
) {
    // Two powers at a time: the odd moments then need no product of their own.
    let (sr, si) = (zr.mul_sub(zr, zi * zi), (zr + zr) * zi);
    for p in (0..MOMENTS).step_by(2) {
        if p > 0 {
            (tr, ti) = (sr.mul_sub(tr, si * ti), sr.mul_add(ti, si * tr));
        }
        mu[2 * p] += tr;
        mu[2 * p + 1] += ti;
        mu[2 * p + 2] = (-zi).mul_add(ti, zr.mul_add(tr, mu[2 * p + 2]));
        mu[2 * p + 3] = zi.mul_add(tr, zr.mul_add(ti, mu[2 * p + 3]));
    }
}

/// `u = Σ_p ν_p ζ^p`.
#[inline(always)]
fn horner<S: Simd, V: SimdFloat<S, Element = f32>>(nu: &[V; NUMBERS], (zr, zi): (V, V)) -> (V, V) {
    let (mut ur, mut ui) = (nu[NUMBERS - 2], nu[NUMBERS - 1]);
    for p in (0..MOMENTS - 1).rev() {
        let next = (-zi).mul_add(ui, zr.mul_add(ur, nu[2 * p]));
        ui = zr.mul_add(ui, zi.mul_add(ur, nu[2 * p + 1]));
        ur = next;
    }
    (ur, ui)
}

/// Returns the numbers of as many cells as a vector has lanes, one vector per number.
#[inline(always)]
fn load_cells<S: Simd>(simd: S, cells: &[Row], which: &[u32]) -> [S::f32s; NUMBERS] {
    let width = S::f32s::LEN;
    let mut numbers = [S::f32s::splat(simd, 0.0); NUMBERS];
    for part in (0..NUMBERS).step_by(width) {
        for (i, cell) in which.iter().enumerate() {
            let row = &cells[*cell as usize].0;
            numbers[part + i] = S::f32s::from_slice(simd, &row[part..part + width]);
        }
        transpose::<S>(&mut numbers[part..part + width]);
    }
    numbers
}

/// Adds vectors of numbers to the cells of their lanes.
#[inline(always)]
fn add_cells<S: Simd>(simd: S, cells: &mut [Row], which: &[u32], mut numbers: [S::f32s; NUMBERS]) {
    let width = S::f32s::LEN;
    for part in (0..NUMBERS).step_by(width) {
        transpose::<S>(&mut numbers[part..part + width]);
        for (i, cell) in which.iter().enumerate() {
            let row = &mut cells[*cell as usize].0[part..part + width];
            (S::f32s::from_slice(simd, row) + numbers[part + i]).store_slice(row);
        }
    }
}

/// Transposes a square of vectors: interleaves its halves log₂ times.
#[inline(always)]
fn transpose<S: Simd>(square: &mut [S::f32s]) {
    let n = S::f32s::LEN;
    let mut stage = 1;
    while stage < n {
        let mut next: [S::f32s; NUMBERS] = std::array::from_fn(|i| square[i % n]);
        for i in 0..n / 2 {
            next[2 * i] = square[i].zip_low(square[i + n / 2]);
            next[2 * i + 1] = square[i].zip_high(square[i + n / 2]);
        }
        square.copy_from_slice(&next[..n]);
        stage *= 2;
    }
}

/// Zeroes inaudible amplitudes in a range of rows.
pub(crate) fn flush_silent(level: Level, state: &mut Pair, rows: Range<usize>, silence: f32) {
    dispatch!(level, simd => flush_rows(simd, state, rows, silence));
}

#[simd]
fn flush_rows<S: Simd>(simd: S, state: &mut Pair, rows: Range<usize>, silence: f32) {
    let zero = S::f32s::splat(simd, 0.0);
    for at in (rows.start * LANES..rows.end * LANES).step_by(S::f32s::LEN) {
        let range = at..at + S::f32s::LEN;
        let load = |rows: &[Row]| S::f32s::from_slice(simd, &flat(rows)[range.clone()]);
        let (r, m) = (load(&state.re), load(&state.im));
        let sounds = r.abs().max(m.abs()).simd_ge(silence);
        sounds.select(r, zero).store_slice(&mut flat_mut(&mut state.re)[range.clone()]);
        sounds.select(m, zero).store_slice(&mut flat_mut(&mut state.im)[range]);
    }
}

/// Corrects the rounding of `z^B` and zeroes inaudible amplitudes. Returns whether anything still
/// sounds.
pub(crate) fn correct_rounding(
    level: Level,
    state: &mut Pair,
    correction: &Pair,
    silence: f32,
) -> bool {
    dispatch!(level, simd => correct_rows(simd, state, correction, silence))
}

#[simd]
fn correct_rows<S: Simd>(simd: S, state: &mut Pair, correction: &Pair, silence: f32) -> bool {
    let width = S::f32s::LEN;
    let mut loudest = S::f32s::splat(simd, 0.0);
    let zero = S::f32s::splat(simd, 0.0);
    let parts = flat_mut(&mut state.re)
        .chunks_exact_mut(width)
        .zip(flat_mut(&mut state.im).chunks_exact_mut(width))
        .zip(
            flat(&correction.re).chunks_exact(width).zip(flat(&correction.im).chunks_exact(width)),
        );
    for ((re, im), (er, ei)) in parts {
        let load = |part: &[f32]| S::f32s::from_slice(simd, part);
        let (r, m, er, ei) = (load(re), load(im), load(er), load(ei));
        let (r, m) = (er.mul_add(r, r) - ei * m, er.mul_add(m, m) + ei * r);
        let size = r.abs().max(m.abs());
        let sounds = size.simd_ge(silence);
        sounds.select(r, zero).store_slice(re);
        sounds.select(m, zero).store_slice(im);
        loudest = loudest.max(sounds.select(size, zero));
    }
    loudest.reduce_max() > 0.0
}

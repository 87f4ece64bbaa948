//! From the sums of cells to carriers.
//!
//! A partial's carrier has the mean frequency and decay of its modes, weighted with their
//! energy, so that an object's loud lone mode is its partial, exactly.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use crate::resonator::perceptual::bands::Cells;
use crate::resonator::perceptual::bands::band_accumulators::{
    Cell, END, ENERGY, LOSS, SPREAD, TILT, load_cells,
};
use crate::resonator::perceptual::partials::oscillators::Partials;
use crate::simd::{LANES, Pair, Row};
use num_complex::Complex64;
use std::ops::Range;

/// Largest mean decay over a block, in nepers: beyond it a carrier would have to grow back
/// too steeply for the slow modes of its cell.
const DAMPEST: f32 = 3.0;

/// Largest turn of a mode against the middle of its cell over a block, radians: a little more than
/// the widest cells have, and what three doublings of an angle below π/2 reach.
const FARTHEST: f32 = 12.5;

/// Carriers of the middles of cells.
#[derive(Debug, Clone)]
pub(crate) struct Middles {
    /// e^{iω} and e^{−iωB}.
    turn: Pair,
    unturn: Pair,
}

/// What the sums of one block come to, sixteen cells to a row.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    pub(crate) energy: Vec<Row>,
    /// Outside of these rows there is no energy.
    pub(crate) rows: Range<usize>,
    pub(crate) end: Pair,
    /// z^{−B}: what turns amplitudes at the end of the block back to the carrier's start.
    pub(crate) back: Pair,
    /// How much stronger partials are in the middle of the block than halfway between their
    /// ends, where modes drift apart.
    pub(crate) swell: Vec<Row>,
}

impl Sums {
    pub(crate) fn new(rows: usize) -> Self {
        let energy = vec![Row::default(); rows];
        Self {
            energy,
            rows: 0..0,
            end: Pair::zeros(rows),
            back: Pair::zeros(rows),
            swell: vec![Row([1.0; LANES]); rows],
        }
    }
}

impl Middles {
    pub(crate) fn new(cells: &Cells, rows: usize, sample_rate_hz: f64, block: usize) -> Self {
        let (mut turn, mut unturn) = (Pair::zeros(rows), Pair::zeros(rows));
        for c in 0..rows * LANES {
            let hz = if c < cells.len() { cells.centre_hz(c) } else { 0.0 };
            let omega = hz * std::f64::consts::TAU / sample_rate_hz;
            turn.set(c, Complex64::from_polar(1.0, omega));
            unturn.set(c, Complex64::from_polar(1.0, -omega * block as f64));
        }
        Self { turn, unturn }
    }

    /// Finds sums and carriers of the cells.
    pub(crate) fn find(
        &self,
        level: Level,
        block: usize,
        cells: &[Cell],
        sums: &mut Sums,
        partials: &mut Partials,
    ) {
        dispatch!(level, simd => find_rows(simd, self, block, cells, sums, partials));
    }
}

#[simd]
fn find_rows<S: Simd>(
    simd: S,
    middles: &Middles,
    block: usize,
    cells: &[Cell],
    sums: &mut Sums,
    partials: &mut Partials,
) {
    let width = S::f32s::LEN;
    let b = block as f32;
    let (mut first, mut end) = (usize::MAX, 0);
    for row in 0..sums.energy.len() {
        for lane in (0..LANES).step_by(width) {
            let numbers = load_cells(simd, &cells[row * LANES + lane..]);
            let part = lane..lane + width;
            let load = |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[part.clone()]);
            let energy = numbers[ENERGY];
            energy.store_slice(&mut sums.energy[row].0[part.clone()]);
            numbers[END].store_slice(&mut sums.end.re[row].0[part.clone()]);
            numbers[END + 1].store_slice(&mut sums.end.im[row].0[part.clone()]);
            if energy.reduce_max() == 0.0 {
                // What fades keeps the carrier it had.
                continue;
            }
            (first, end) = (first.min(row), row + 1);
            let share = energy.max(1e-37);
            let most = FARTHEST / b;
            let mean = numbers[TILT] / share;
            let offset = mean.min(most).max(-most);
            let spread = (numbers[SPREAD] / share - mean * mean) * (b * b);
            swell(simd, spread).store_slice(&mut sums.swell[row].0[part.clone()]);
            let decay = (numbers[LOSS] / share).min(DAMPEST / b);
            // e^{(−d + iδ)}, and e^{(d − iδ)B}.
            let (gain, back) = (exp(simd, -decay), exp(simd, decay * b));
            let (sin, cos) = sin_cos(simd, offset);
            let (tr, ti) = (load(&middles.turn.re), load(&middles.turn.im));
            let zr = gain * tr.mul_sub(cos, ti * sin);
            let zi = gain * tr.mul_add(sin, ti * cos);
            let (mut sin, mut cos) = sin_cos(simd, offset * (0.125 * b));
            for _ in 0..3 {
                (sin, cos) = (sin * cos * 2.0, cos.mul_sub(cos, sin * sin));
            }
            let (ur, ui) = (load(&middles.unturn.re), load(&middles.unturn.im));
            let hr = back * ur.mul_add(cos, ui * sin);
            let hi = back * ui.mul_sub(cos, ur * sin);
            hr.store_slice(&mut sums.back.re[row].0[part.clone()]);
            hi.store_slice(&mut sums.back.im[row].0[part.clone()]);
            zr.store_slice(&mut partials.carrier.re[row].0[part.clone()]);
            zi.store_slice(&mut partials.carrier.im[row].0[part.clone()]);
        }
    }
    sums.rows = first.min(end)..end;
}

/// Modes whose turns φ over a block have the variance `spread` lose power on the straight way
/// between the two ends: in its middle `p = (1 + E cos φ)/2` is left, with φ even over an interval
/// E cos φ = sin Φ/Φ, Φ² = 3 · spread. A middle g times as strong makes up for it: over both
/// halves of the way, (1 + p g² + p g)/3 = 1.
#[inline(always)]
fn swell<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, spread: V) -> V {
    let of = |c: f32| V::splat(simd, c);
    let half = (spread * 0.75).max(of(1e-8)).sqrt().min(of(std::f32::consts::FRAC_PI_2));
    let (sin, cos) = sin_cos(simd, half);
    let p = (sin * cos / half).mul_add(of(0.5), of(0.5));
    ((of(8.0) / p + 1.0).sqrt() - 1.0) * 0.5
}

/// e^x for |x| ≤ 3, to 1e-6: the square of a square of a Taylor series.
#[inline(always)]
fn exp<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, x: V) -> V {
    let of = |c: f32| V::splat(simd, c);
    let x = x * 0.125;
    let mut sum = of(1.0 / 720.0);
    for c in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum.mul_add(x, of(c));
    }
    for _ in 0..3 {
        sum = sum * sum;
    }
    sum
}

/// Sine and cosine for |x| ≤ π/2, to 1e-6.
#[inline(always)]
fn sin_cos<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, x: V) -> (V, V) {
    let of = |c: f32| V::splat(simd, c);
    let q = x * x;
    let mut sin = of(-1.0 / 39_916_800.0);
    for c in [1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
        sin = sin.mul_add(q, of(c));
    }
    let mut cos = of(1.0 / 479_001_600.0);
    for c in [-1.0 / 3_628_800.0, 1.0 / 40_320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0] {
        cos = cos.mul_add(q, of(c));
    }
    (sin * x, cos)
}

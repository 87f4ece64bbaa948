//! From the sums of the bands to the carriers of their partials.
//!
//! A carrier has the energy-weighted mean frequency and decay rate of the modes of its band, so
//! that a single loud mode is its partial exactly.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::Bands;
use super::band_accumulators::{
    BEND, BandAccumulator, END, ENERGY, ENERGY_DECAY, ENERGY_OFFSET, ENERGY_OFFSET_SQ, load_bands,
};
use crate::resonator::perceptual::partials::oscillators::Partials;
use crate::simd::{LANES, Pair, Row};
use num_complex::Complex64;
use std::ops::Range;

/// Largest mean decay over a block, in nepers: beyond it the amplitude of a carrier would have to
/// grow too steeply for the slow modes of its band.
const MAX_DECAY_NEPERS: f32 = 3.0;

/// Largest phase drift of a mode against the centre of its band over a block: a little more than
/// the widest bands have, and within reach of three doublings of an angle below π/2.
const MAX_OFFSET_RADIANS: f32 = 12.5;

/// Carriers of the band centres.
#[derive(Debug, Clone)]
pub(crate) struct BandCentres {
    /// e^{iω} and e^{−iωB}.
    rotation: Pair,
    inverse_block_rotation: Pair,
}

/// Carriers of one block, sixteen bands to a row.
#[derive(Debug, Clone)]
pub(crate) struct BandCarriers {
    pub(crate) energy: Vec<Row>,
    /// Rows with energy.
    pub(crate) rows: Range<usize>,
    pub(crate) end: Pair,
    /// Amplitudes at the end times the bend of gains.
    pub(crate) bend: Pair,
    /// z^{−B}: from amplitudes at the end of the block to amplitudes relative to the carrier.
    pub(crate) back: Pair,
    /// Factor on the amplitude at the middle of the block that makes up for the dephasing of the
    /// modes.
    pub(crate) power_compensation: Vec<Row>,
}

impl BandCarriers {
    pub(crate) fn new(rows: usize) -> Self {
        let energy = vec![Row::default(); rows];
        Self {
            energy,
            rows: 0..0,
            end: Pair::zeros(rows),
            bend: Pair::zeros(rows),
            back: Pair::zeros(rows),
            power_compensation: vec![Row([1.0; LANES]); rows],
        }
    }
}

impl BandCentres {
    pub(crate) fn new(bands: &Bands, rows: usize, sample_rate_hz: f64, block: usize) -> Self {
        let (mut rotation, mut inverse_block_rotation) = (Pair::zeros(rows), Pair::zeros(rows));
        for c in 0..rows * LANES {
            let hz = if c < bands.len() { bands.centre_hz(c) } else { 0.0 };
            let omega = hz * std::f64::consts::TAU / sample_rate_hz;
            rotation.set(c, Complex64::from_polar(1.0, omega));
            inverse_block_rotation.set(c, Complex64::from_polar(1.0, -omega * block as f64));
        }
        Self { rotation, inverse_block_rotation }
    }

    /// Sets all carriers to those of the band centres. A band whose modes were never measured may
    /// have an amplitude to fade out, of a voice that was computed exactly until now: a carrier of
    /// zero would stop it within a sample, and impulses divide by it.
    pub(crate) fn reset_carriers(&self, carriers: &mut BandCarriers, partials: &mut Partials) {
        let columns = [
            (&self.rotation, &mut partials.carrier),
            (&self.inverse_block_rotation, &mut carriers.back),
        ];
        for (centres, pair) in columns {
            pair.re.copy_from_slice(&centres.re);
            pair.im.copy_from_slice(&centres.im);
        }
        carriers.power_compensation.fill(Row([1.0; LANES]));
    }

    /// Computes the energies and carriers of all bands.
    pub(crate) fn compute_carriers(
        &self,
        level: Level,
        block: usize,
        bands: &[BandAccumulator],
        carriers: &mut BandCarriers,
        partials: &mut Partials,
    ) {
        dispatch!(level, simd => compute_carrier_rows(simd, self, block, bands, carriers, partials));
    }
}

#[simd]
fn compute_carrier_rows<S: Simd>(
    simd: S,
    band_centres: &BandCentres,
    block: usize,
    bands: &[BandAccumulator],
    carriers: &mut BandCarriers,
    partials: &mut Partials,
) {
    let width = S::f32s::LEN;
    let b = block as f32;
    let (mut first, mut end) = (usize::MAX, 0);
    for row in 0..carriers.energy.len() {
        for lane in (0..LANES).step_by(width) {
            let numbers = load_bands(simd, &bands[row * LANES + lane..]);
            let part = lane..lane + width;
            let load = |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[part.clone()]);
            let energy = numbers[ENERGY];
            energy.store_slice(&mut carriers.energy[row].0[part.clone()]);
            numbers[END].store_slice(&mut carriers.end.re[row].0[part.clone()]);
            numbers[END + 1].store_slice(&mut carriers.end.im[row].0[part.clone()]);
            numbers[BEND].store_slice(&mut carriers.bend.re[row].0[part.clone()]);
            numbers[BEND + 1].store_slice(&mut carriers.bend.im[row].0[part.clone()]);
            if energy.reduce_max() == 0.0 {
                // A band that fades out keeps its carrier.
                continue;
            }
            (first, end) = (first.min(row), row + 1);
            let share = energy.max(1e-37);
            let most = MAX_OFFSET_RADIANS / b;
            let mean = numbers[ENERGY_OFFSET] / share;
            let offset = mean.min(most).max(-most);
            let phase_variance = (numbers[ENERGY_OFFSET_SQ] / share - mean * mean) * (b * b);
            power_compensation(simd, phase_variance)
                .store_slice(&mut carriers.power_compensation[row].0[part.clone()]);
            let decay = (numbers[ENERGY_DECAY] / share).min(MAX_DECAY_NEPERS / b);
            // e^{(−d + iδ)}, and e^{(d − iδ)B}.
            let (gain, back) = (exp(simd, -decay), exp(simd, decay * b));
            let (sin, cos) = sin_cos(simd, offset);
            let (tr, ti) = (load(&band_centres.rotation.re), load(&band_centres.rotation.im));
            let zr = gain * tr.mul_sub(cos, ti * sin);
            let zi = gain * tr.mul_add(sin, ti * cos);
            let (mut sin, mut cos) = sin_cos(simd, offset * (0.125 * b));
            for _ in 0..3 {
                (sin, cos) = (sin * cos * 2.0, cos.mul_sub(cos, sin * sin));
            }
            let (ur, ui) = (
                load(&band_centres.inverse_block_rotation.re),
                load(&band_centres.inverse_block_rotation.im),
            );
            let hr = back * ur.mul_add(cos, ui * sin);
            let hi = back * ui.mul_sub(cos, ur * sin);
            hr.store_slice(&mut carriers.back.re[row].0[part.clone()]);
            hi.store_slice(&mut carriers.back.im[row].0[part.clone()]);
            zr.store_slice(&mut partials.carrier.re[row].0[part.clone()]);
            zi.store_slice(&mut partials.carrier.im[row].0[part.clone()]);
        }
    }
    carriers.rows = first.min(end)..end;
}

/// Returns the amplitude factor g at the middle of the block.
///
/// Modes whose phase drifts φ over a block have the variance `phase_variance` lose power along the
/// linear path between the two ends: at its middle `p = (1 + E cos φ)/2` is left, where `E cos φ =
/// sin Φ/Φ`, Φ² = 3 · phase_variance, for uniformly distributed φ. The factor g restores the power
/// over both halves of the path: (1 + p g² + p g)/3 = 1.
#[inline(always)]
fn power_compensation<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, phase_variance: V) -> V {
    let of = |c: f32| V::splat(simd, c);
    let half = (phase_variance * 0.75).max(of(1e-8)).sqrt().min(of(std::f32::consts::FRAC_PI_2));
    let (sin, cos) = sin_cos(simd, half);
    let p = (sin * cos / half).mul_add(of(0.5), of(0.5));
    ((of(8.0) / p + 1.0).sqrt() - 1.0) * 0.5
}

/// e^x for |x| ≤ 3, to 1e-6: a Taylor series at x/8, squared three times.
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

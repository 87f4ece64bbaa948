//! Oscillator bank of the partials: a rotating, decaying carrier times an amplitude that is
//! piecewise linear in time.
//!
//! `y_n = Im((A + n D) z^n)`. Two samples share one rotation of the carrier: six operations of the
//! multiply-add pipes per partial and sample. An impulse adds to A at its sample and changes D so
//! that the amplitude at the end of the block is met.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::cmp::Ordering;

use crate::simd::{LANES, Pair, Row, flat, lane_sums};

/// Impulses per pass.
pub(crate) const MAX_IMPULSES: usize = 32;

/// Fade-out of a row over the budget, samples.
pub(crate) const FADE_SAMPLES: usize = 32;

/// The part of a block that is computed for a row of partials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    Skip,
    /// Fades out within [`FADE_SAMPLES`].
    ShortFade,
    Full,
}

/// The partials of a block, one per band, sixteen to a row.
#[derive(Debug, Clone)]
pub(crate) struct Partials {
    /// z.
    pub(crate) carrier: Pair,
    /// A, D, and the change of D at the middle of the block.
    pub(crate) amplitude: Pair,
    pub(crate) slope: Pair,
    pub(crate) slope_change: Pair,
    /// The computed part of each row.
    pub(crate) spans: Vec<Span>,
}

impl Partials {
    pub(crate) fn new(rows: usize) -> Self {
        let zeros = || Pair::zeros(rows);
        Self {
            carrier: zeros(),
            amplitude: zeros(),
            slope: zeros(),
            slope_change: zeros(),
            spans: vec![Span::Skip; rows],
        }
    }
}

/// An impulse on all bands at sample `at`: its amplitudes there, and at the end of the block
/// relative to the carrier.
#[derive(Debug, Clone)]
pub(crate) struct TimedImpulse {
    pub(crate) at: usize,
    pub(crate) initial: Pair,
    pub(crate) at_end: Pair,
}

/// Adds a block of sound to `out`. Impulses are sorted by time; `lanes` is scratch, one row per
/// sample.
pub(crate) fn render(
    level: Level,
    partials: &Partials,
    impulses: &[TimedImpulse],
    lanes: &mut [Row],
    out: &mut [f32],
) {
    dispatch!(level, simd => render_rows(simd, partials, impulses, lanes, out));
}

#[simd]
fn render_rows<S: Simd>(
    simd: S,
    partials: &Partials,
    impulses: &[TimedImpulse],
    lanes: &mut [Row],
    out: &mut [f32],
) {
    let lanes = &mut lanes[..out.len()];
    let width = S::f32s::LEN;
    let brief = FADE_SAMPLES.min(lanes.len());
    let mut fresh = true;
    let mut row = 0;
    while let Some(span) = partials.spans.get(row) {
        let run = partials.spans[row..].iter().take(2).take_while(|s| *s == span).count();
        let (length, impulses) = match span {
            Span::Skip => (0, impulses),
            Span::ShortFade => (brief, &[][..]),
            Span::Full => (lanes.len(), impulses),
        };
        if length > 0 && std::mem::take(&mut fresh) {
            lanes.fill(Row::default());
        }
        let lanes = &mut lanes[..length];
        for lane in (0..LANES).step_by(width).filter(|_| length > 0) {
            let at = row * LANES + lane;
            match run {
                2 => chunk::<S, 2>(simd, partials, impulses, at, lanes),
                _ => chunk::<S, 1>(simd, partials, impulses, at, lanes),
            }
        }
        row += run;
    }
    if fresh {
        return;
    }
    for (out, lanes) in out.chunks_exact_mut(width).zip(lanes.chunks_exact(width)) {
        (lane_sums(simd, lanes) + S::f32s::from_slice(simd, out)).store_slice(out);
    }
}

/// Renders the block for V rows of partials, the same lanes of each.
#[inline(always)]
fn chunk<S: Simd, const V: usize>(
    simd: S,
    partials: &Partials,
    impulses: &[TimedImpulse],
    at: usize,
    lanes: &mut [Row],
) {
    let width = S::f32s::LEN;
    let load = |rows: &[Row]| -> [S::f32s; V] {
        std::array::from_fn(|v| {
            let at = at + v * LANES;
            S::f32s::from_slice(simd, &flat(rows)[at..at + width])
        })
    };
    let Partials { carrier, amplitude, slope, slope_change, .. } = partials;
    let (zr, zi) = (load(&carrier.re), load(&carrier.im));
    let (mut ar, mut ai) = (load(&amplitude.re), load(&amplitude.im));
    let (mut dr, mut di) = (load(&slope.re), load(&slope.im));
    let mut cr = [S::f32s::splat(simd, 1.0); V];
    let mut ci = [S::f32s::splat(simd, 0.0); V];
    let length = lanes.len();
    let mut from = 0;
    let middle = length / 2;
    let before_middle = impulses.partition_point(|impulse| impulse.at < middle);
    for event in 0..=impulses.len() + 1 {
        let impulse = match event.cmp(&before_middle) {
            Ordering::Less => impulses.get(event),
            Ordering::Equal => None,
            Ordering::Greater => impulses.get(event - 1),
        };
        let at = if event == before_middle {
            middle
        } else {
            impulse.map_or(length, |impulse| impulse.at)
        };
        let to = at.min(length).max(from);
        let (pairs, last) = lanes[from..to].as_chunks_mut::<2>();
        let mut odd_r = [S::f32s::splat(simd, 0.0); V];
        let (mut odd_i, mut step_r, mut step_i) = (odd_r, odd_r, odd_r);
        let (mut odd_step_r, mut odd_step_i) = (odd_r, odd_r);
        let (mut pair_r, mut pair_i) = (odd_r, odd_r);
        for v in 0..V {
            // Amplitude of the odd samples, rotated by z; increments over two samples; z².
            (odd_r[v], odd_i[v]) = times::<S>((ar[v] + dr[v], ai[v] + di[v]), (zr[v], zi[v]));
            (step_r[v], step_i[v]) = (dr[v] + dr[v], di[v] + di[v]);
            (odd_step_r[v], odd_step_i[v]) = times::<S>((step_r[v], step_i[v]), (zr[v], zi[v]));
            (pair_r[v], pair_i[v]) = times::<S>((zr[v], zi[v]), (zr[v], zi[v]));
        }
        for [even, odd] in pairs {
            let (even, odd) = (&mut even.0[..width], &mut odd.0[..width]);
            let mut first = S::f32s::from_slice(simd, even);
            let mut second = S::f32s::from_slice(simd, odd);
            for v in 0..V {
                first = ar[v].mul_add(ci[v], first);
                first = ai[v].mul_add(cr[v], first);
                second = odd_r[v].mul_add(ci[v], second);
                second = odd_i[v].mul_add(cr[v], second);
                ar[v] += step_r[v];
                ai[v] += step_i[v];
                odd_r[v] += odd_step_r[v];
                odd_i[v] += odd_step_i[v];
                (cr[v], ci[v]) = times::<S>((pair_r[v], pair_i[v]), (cr[v], ci[v]));
            }
            first.store_slice(even);
            second.store_slice(odd);
        }
        for lane in last {
            let lane = &mut lane.0[..width];
            let mut sound = S::f32s::from_slice(simd, lane);
            for v in 0..V {
                sound = ar[v].mul_add(ci[v], sound);
                sound = ai[v].mul_add(cr[v], sound);
                ar[v] += dr[v];
                ai[v] += di[v];
                (cr[v], ci[v]) = times::<S>((zr[v], zi[v]), (cr[v], ci[v]));
            }
            sound.store_slice(lane);
        }
        if event == before_middle {
            let (br, bi) = (load(&slope_change.re), load(&slope_change.im));
            for v in 0..V {
                dr[v] += br[v];
                di[v] += bi[v];
            }
        }
        if let Some(impulse) = impulse {
            let (jr, ji) = (load(&impulse.initial.re), load(&impulse.initial.im));
            let (er, ei) = (load(&impulse.at_end.re), load(&impulse.at_end.im));
            let share = S::f32s::splat(simd, 1.0 / (length - to).max(1) as f32);
            for v in 0..V {
                // The amplitude is relative to the carrier: divide by its current value.
                let size = cr[v].mul_add(cr[v], ci[v] * ci[v]);
                let (jr, ji) = (
                    cr[v].mul_add(jr[v], ci[v] * ji[v]) / size,
                    cr[v].mul_sub(ji[v], ci[v] * jr[v]) / size,
                );
                ar[v] += jr;
                ai[v] += ji;
                dr[v] = (er[v] - jr).mul_add(share, dr[v]);
                di[v] = (ei[v] - ji).mul_add(share, di[v]);
            }
        }
        from = to;
    }
}

#[inline(always)]
fn times<S: Simd>(
    (ar, ai): (S::f32s, S::f32s),
    (br, bi): (S::f32s, S::f32s),
) -> (S::f32s, S::f32s) {
    (ar.mul_sub(br, ai * bi), ar.mul_add(bi, ai * br))
}

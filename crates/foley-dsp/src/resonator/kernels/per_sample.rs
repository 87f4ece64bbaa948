//! The per-sample recurrence: `S ← z (S + a x_n)`, sound `Σ Im S`, modes in lanes.
//!
//! Six operations of the multiply-add pipes per mode and sample with one force, five without. The
//! rotation is accurate at every frequency, where the usual two-pole recurrence loses pitch in the
//! bass; the rounding of z is corrected every [`ANCHOR`](crate::resonator::layout::modes::ANCHOR)
//! samples.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::ops::Range;

use crate::resonator::layout::modes::{ANCHOR, Modes, SILENCE};
use crate::resonator::strike::TimedJump;
use crate::simd::{LANES, Pair, Row, flat, flat_mut, lane_sums};

/// Forces per pass.
pub(crate) const FORCES: usize = 4;

/// A force on a vector of gains, over one block.
pub(crate) type Force<'a> = (&'a [Row], &'a [f32]);

/// Buffer of the kernel, allocated once.
#[derive(Debug)]
pub(crate) struct RowBuffer {
    lanes: Vec<Row>,
}

impl RowBuffer {
    pub(crate) fn new() -> Self {
        Self { lanes: vec![Row::default(); ANCHOR] }
    }
}

/// The rotation of the modes per sample.
#[derive(Clone, Copy)]
pub(crate) struct Rotation<'a> {
    pub(crate) pole: &'a Pair,
    pub(crate) anchor: &'a Pair,
}

impl<'a> From<&'a Modes> for Rotation<'a> {
    fn from(modes: &'a Modes) -> Self {
        Self { pole: &modes.constants.pole, anchor: &modes.constants.anchor }
    }
}

/// One pass over one block.
pub(crate) struct Pass<'a> {
    /// z and its anchor, for every mode.
    pub(crate) rotation: Rotation<'a>,
    pub(crate) rows: Range<usize>,
    /// S at the start of the block; at its end afterwards.
    pub(crate) recurrence: &'a mut Pair,
    /// At most [`FORCES`].
    pub(crate) forces: &'a [Force<'a>],
    /// Impulses, sorted by sample.
    pub(crate) jumps: &'a [TimedJump<'a>],
    pub(crate) out: &'a mut [f32],
}

/// Adds the sound of a pass to `pass.out` and advances `pass.recurrence` to the end of the block.
pub(crate) fn run(level: Level, buffer: &mut RowBuffer, pass: Pass<'_>) {
    dispatch!(level, simd => match *pass.forces {
        [] => block::<_, 0>(simd, buffer, pass, []),
        [a] => block::<_, 1>(simd, buffer, pass, [a]),
        [a, b] => block::<_, 2>(simd, buffer, pass, [a, b]),
        [a, b, c] => block::<_, 4>(simd, buffer, pass, [a, b, c, (a.0, &[])]),
        [a, b, c, d, ..] => block::<_, 4>(simd, buffer, pass, [a, b, c, d]),
    });
}

#[simd]
fn block<S: Simd, const K: usize>(
    simd: S,
    buffer: &mut RowBuffer,
    pass: Pass<'_>,
    forces: [Force<'_>; K],
) {
    let Pass { rotation, rows, recurrence, jumps, out, .. } = pass;
    let run = out.len().min(ANCHOR);
    for (i, out) in out.chunks_exact_mut(run).enumerate() {
        let start = i * run;
        let lanes = &mut buffer.lanes[..run];
        lanes.fill(Row::default());
        let first = jumps.partition_point(|j| j.at < start);
        let last = jumps.partition_point(|j| j.at < start + run);
        let mut x = [[0.0; K]; ANCHOR];
        for (k, (_, force)) in forces.iter().enumerate() {
            for (x, f) in x.iter_mut().zip(force.get(start..start + run).unwrap_or_default()) {
                x[k] = *f;
            }
        }
        let gains = forces.map(|(g, _)| g);
        let run = Run { start, x: &x[..run], gains, jumps: &jumps[first..last] };
        let width = S::f32s::LEN;
        let (mut at, end) = (rows.start * LANES, rows.end * LANES);
        while at + 5 * width <= end {
            chunk::<S, K, 5>(simd, rotation, recurrence, &run, at, lanes);
            at += 5 * width;
        }
        while at + 2 * width <= end {
            chunk::<S, K, 2>(simd, rotation, recurrence, &run, at, lanes);
            at += 2 * width;
        }
        if at + width <= end {
            chunk::<S, K, 1>(simd, rotation, recurrence, &run, at, lanes);
        }
        for (out, lanes) in out.chunks_exact_mut(width).zip(lanes.chunks_exact(width)) {
            (lane_sums(simd, lanes) + S::f32s::from_slice(simd, out)).store_slice(out);
        }
    }
}

/// The excitation of all modes during one run between anchors.
struct Run<'a, const K: usize> {
    start: usize,
    x: &'a [[f32; K]],
    gains: [&'a [Row]; K],
    jumps: &'a [TimedJump<'a>],
}

/// Computes V vectors of modes through one run.
#[inline(always)]
fn chunk<S: Simd, const K: usize, const V: usize>(
    simd: S,
    rotation: Rotation<'_>,
    recurrence: &mut Pair,
    run: &Run<'_, K>,
    at: usize,
    lanes: &mut [Row],
) {
    let width = S::f32s::LEN;
    let load = |rows: &[Row]| -> [S::f32s; V] {
        let part = &flat(rows)[at..at + V * width];
        std::array::from_fn(|v| S::f32s::from_slice(simd, &part[v * width..(v + 1) * width]))
    };
    let poles = (load(&rotation.pole.re), load(&rotation.pole.im));
    let gains = run.gains.map(load);
    let (r0, m0) = (load(&recurrence.re), load(&recurrence.im));
    let (mut r, mut m) = (r0, m0);
    let mut from = 0;
    for next in 0..=run.jumps.len() {
        let to = run.jumps.get(next).map_or(run.x.len(), |j| j.at - run.start);
        // Two samples per iteration save register moves.
        let (pairs, last) = run.x[from..to].as_chunks::<2>();
        let (lane_pairs, last_lane) = lanes[from..to].as_chunks_mut::<2>();
        for (x, lane) in pairs.iter().zip(lane_pairs) {
            step_sample(simd, &poles, &gains, (&mut r, &mut m), &x[0], &mut lane[0]);
            step_sample(simd, &poles, &gains, (&mut r, &mut m), &x[1], &mut lane[1]);
        }
        if let ([x], [lane]) = (last, last_lane) {
            step_sample(simd, &poles, &gains, (&mut r, &mut m), x, lane);
        }
        if let Some(jump) = run.jumps.get(next) {
            let (jr, ji) = (load(jump.re), load(jump.im));
            for v in 0..V {
                r[v] += jr[v];
                m[v] += ji[v];
            }
        }
        from = to;
    }
    // Anchor: z^Q exactly, instead of its rounded factor Q times. Silence is detected here, too: a
    // mode of T60 = 1 ms would reach denormal numbers within a long block.
    let (er, ei) = (load(&rotation.anchor.re), load(&rotation.anchor.im));
    let zero = S::f32s::splat(simd, 0.0);
    for v in 0..V {
        r[v] = er[v].mul_add(r0[v], r[v]) - ei[v] * m0[v];
        m[v] = er[v].mul_add(m0[v], m[v]) + ei[v] * r0[v];
        let sounds = r[v].abs().max(m[v].abs()).simd_ge(SILENCE);
        let range = at + v * width..at + (v + 1) * width;
        sounds.select(r[v], zero).store_slice(&mut flat_mut(&mut recurrence.re)[range.clone()]);
        sounds.select(m[v], zero).store_slice(&mut flat_mut(&mut recurrence.im)[range]);
    }
}

/// One sample: drive, output, rotate.
#[inline(always)]
fn step_sample<S: Simd, const K: usize, const V: usize>(
    simd: S,
    (c, s): &([S::f32s; V], [S::f32s; V]),
    gains: &[[S::f32s; V]; K],
    (r, m): (&mut [S::f32s; V], &mut [S::f32s; V]),
    x: &[f32; K],
    lane: &mut Row,
) {
    let lane = &mut lane.0[..S::f32s::LEN];
    let mut sound = S::f32s::from_slice(simd, lane);
    let x = x.map(|x| S::f32s::splat(simd, x));
    for v in 0..V {
        let mut driven = r[v];
        for k in 0..K {
            driven = gains[k][v].mul_add(x[k], driven);
        }
        sound += m[v];
        r[v] = c[v].mul_sub(driven, s[v] * m[v]);
        m[v] = s[v].mul_add(driven, c[v] * m[v]);
    }
    sound.store_slice(lane);
}

/// `recurrence = z^{−B/2} T`: from the state at the middle of the block to its start.
pub(crate) fn start_state(level: Level, modes: &Modes, rows: Range<usize>, recurrence: &mut Pair) {
    dispatch!(level, simd => start_state_rows(simd, modes, rows, recurrence));
}

#[simd]
fn start_state_rows<S: Simd>(simd: S, modes: &Modes, rows: Range<usize>, recurrence: &mut Pair) {
    let width = S::f32s::LEN;
    for at in (rows.start * LANES..rows.end * LANES).step_by(width) {
        let load = |rows: &[Row]| S::f32s::from_slice(simd, &flat(rows)[at..at + width]);
        let (tr, ti) = (load(&modes.state.re), load(&modes.state.im));
        let (hr, hi) = (load(&modes.constants.to_start.re), load(&modes.constants.to_start.im));
        let put = |v: S::f32s, rows: &mut [Row]| v.store_slice(&mut flat_mut(rows)[at..at + width]);
        put(hr.mul_sub(tr, hi * ti), &mut recurrence.re);
        put(hr.mul_add(ti, hi * tr), &mut recurrence.im);
    }
}

/// Computes the state after the block: `T ← z^{B/2} recurrence + drift T` when forces or impulses
/// acted, exactly `T ← z^B T` otherwise.
pub(crate) fn end_state(
    level: Level,
    modes: &mut Modes,
    rows: Range<usize>,
    recurrence: Option<&Pair>,
) {
    dispatch!(level, simd => match recurrence {
        Some(recurrence) => end_state_rows::<_, true>(simd, modes, rows, recurrence),
        None => end_state_rows::<_, false>(simd, modes, rows, &Pair::default()),
    });
}

#[simd]
fn end_state_rows<S: Simd, const DRIVEN: bool>(
    simd: S,
    modes: &mut Modes,
    rows: Range<usize>,
    recurrence: &Pair,
) {
    let width = S::f32s::LEN;
    let Modes { state, constants } = modes;
    for at in (rows.start * LANES..rows.end * LANES).step_by(width) {
        let load = |rows: &[Row]| S::f32s::from_slice(simd, &flat(rows)[at..at + width]);
        let factor = if DRIVEN { &constants.drift } else { &constants.step };
        let (tr, ti) = (load(&state.re), load(&state.im));
        let (fr, fi) = (load(&factor.re), load(&factor.im));
        let (mut re, mut im) = (fr.mul_sub(tr, fi * ti), fr.mul_add(ti, fi * tr));
        if DRIVEN {
            let (wr, wi) = (load(&recurrence.re), load(&recurrence.im));
            let (hr, hi) = (load(&constants.to_middle.re), load(&constants.to_middle.im));
            re += hr.mul_sub(wr, hi * wi);
            im += hr.mul_add(wi, hi * wr);
        }
        re.store_slice(&mut flat_mut(&mut state.re)[at..at + width]);
        im.store_slice(&mut flat_mut(&mut state.im)[at..at + width]);
    }
}

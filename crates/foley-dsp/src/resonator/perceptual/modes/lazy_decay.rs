//! Rows that are not computed: they keep decaying in closed form.
//!
//! Each row remembers the block its state belongs to. When it is wanted again it is moved on
//! by `(z^B)^n` at once, by repeated squaring; nothing is lost but rounding (n · 6e-8).

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::advance::Herd;
use crate::resonator::layout::modes::{Constants, SILENCE};
use crate::resonator::perceptual::modes::band_layout::Gathering;
use crate::simd::{LANES, Pair, Row};

/// A row whose state is zero.
pub(crate) const DEAD: u32 = u32::MAX;

/// Where an object's gathered rows stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rest {
    /// The block at whose start the state holds, or [`DEAD`].
    pub(crate) since: Box<[u32]>,
    /// The block from which on a row is too weak to matter ([LS 14]).
    pub(crate) until: Box<[u32]>,
    /// Whether `until` is known.
    pub(crate) foreseen: bool,
    /// The block from which on all rows are; meant only when it is.
    pub(crate) end: u32,
    /// Left out by the budget in this block, if any is.
    pub(crate) thinned: bool,
    pub(crate) left_out: Box<[bool]>,
}

impl Rest {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            since: vec![DEAD; rows].into(),
            until: vec![0; rows].into(),
            foreseen: true,
            end: u32::MAX,
            thinned: false,
            left_out: vec![false; rows].into(),
        }
    }

    /// Brings a row to the start of block `now`; returns whether anything is left of it.
    #[inline(always)]
    pub(crate) fn wake(
        &mut self,
        constants: &Constants,
        state: &mut Pair,
        row: usize,
        now: u32,
    ) -> bool {
        // The usual case first.
        (self.since[row] == now && self.until[row] > now)
            || self.wake_up(constants, state, row, now)
    }

    #[inline(never)]
    fn wake_up(&mut self, constants: &Constants, state: &mut Pair, row: usize, now: u32) -> bool {
        let since = self.since[row];
        if since == DEAD {
            return false;
        }
        if self.until[row] <= now {
            self.kill(state, row);
            return false;
        }
        if since > now {
            return false;
        }
        decay(constants, state, row, now.saturating_sub(since));
        self.since[row] = now;
        true
    }

    /// Impulses changed the rows: nobody knows how long they last.
    pub(crate) fn forget(&mut self) {
        self.until.fill(u32::MAX);
        self.foreseen = false;
    }

    /// Ends a row.
    pub(crate) fn kill(&mut self, state: &mut Pair, row: usize) {
        state.re[row] = Row::default();
        state.im[row] = Row::default();
        self.since[row] = DEAD;
    }

    /// Computes when rows become too weak to matter, from their state at the start of block
    /// `now`: a mode of energy E has fallen to τ² after `ln(E/τ²)/2d` ([LS 14] with energies).
    /// `cut_log2` is log2 of how many times a mode that just matters is below the hearing
    /// threshold's reference.
    pub(crate) fn foresee(
        &mut self,
        level: Level,
        gathering: &Gathering,
        state: &Pair,
        block: usize,
        now: u32,
        cut_log2: f32,
    ) {
        dispatch!(level, simd => foresee_rows(simd, self, gathering, state, block, now, cut_log2));
    }
}

#[simd]
fn foresee_rows<S: Simd>(
    simd: S,
    rest: &mut Rest,
    gathering: &Gathering,
    state: &Pair,
    block: usize,
    now: u32,
    cut_log2: f32,
) {
    let per_block = 0.5 * std::f32::consts::LN_2 / block as f32;
    rest.foreseen = true;
    rest.end = now;
    for (tile, threshold) in gathering.tiles.iter().zip(&gathering.threshold) {
        for row in tile.first_row..tile.first_row + tile.rows {
            if rest.since[row] == DEAD {
                continue;
            }
            let (re, im, decay) = (&state.re[row].0, &state.im[row].0, &gathering.decay[row].0);
            let mut blocks = [0f32; LANES];
            for lane in 0..LANES {
                let energy = re[lane] * re[lane] + im[lane] * im[lane];
                let above = log2_bound(energy) + cut_log2 - threshold.0[lane];
                blocks[lane] = above * per_block / decay[lane].max(1e-12);
            }
            let parts = blocks.chunks_exact(S::f32s::LEN);
            let longest = parts.map(|part| S::f32s::from_slice(simd, part).reduce_max());
            let longest = longest.fold(0.0, f32::max);
            rest.until[row] = now.saturating_add(longest.min(1e9) as u32 + 1);
            rest.end = rest.end.max(rest.until[row]);
        }
    }
}

/// Moves all rows that hold at the start of block `now` to its end.
pub(crate) fn step(level: Level, herd: Herd<'_>, now: u32) {
    dispatch!(level, simd => step_rows(simd, herd, now));
}

#[simd]
fn step_rows<S: Simd>(simd: S, herd: Herd<'_>, now: u32) {
    let Herd { constants, state, rest, .. } = herd;
    let width = S::f32s::LEN;
    let zero = S::f32s::splat(simd, 0.0);
    for row in (0..rest.since.len()).filter(|row| rest.since[*row] == now) {
        for lane in (0..LANES).step_by(width) {
            let part = lane..lane + width;
            let load = |rows: &[Row]| S::f32s::from_slice(simd, &rows[row].0[part.clone()]);
            let (r, m) = (load(&state.re), load(&state.im));
            let (sr, si) = (load(&constants.step.re), load(&constants.step.im));
            let (r, m) = (sr.mul_sub(r, si * m), sr.mul_add(m, si * r));
            let sounds = r.abs().max(m.abs()).simd_ge(SILENCE);
            sounds.select(r, zero).store_slice(&mut state.re[row].0[part.clone()]);
            sounds.select(m, zero).store_slice(&mut state.im[row].0[part.clone()]);
        }
    }
    for since in &mut rest.since {
        *since += u32::from(*since == now);
    }
}

/// log2 of a positive number, at most 0.09 too large, from the bits of the float.
#[inline(always)]
fn log2_bound(x: f32) -> f32 {
    x.to_bits() as i32 as f32 * (1.0 / (1u32 << 23) as f32) - 126.91
}

/// `state ← (z^B)^n state`, by repeated squaring.
fn decay(constants: &Constants, state: &mut Pair, row: usize, mut n: u32) {
    let (mut pr, mut pi) = (constants.step.re[row].0, constants.step.im[row].0);
    let (re, im) = (&mut state.re[row].0, &mut state.im[row].0);
    while n > 0 {
        if n & 1 == 1 {
            for l in 0..re.len() {
                let r = pr[l] * re[l] - pi[l] * im[l];
                im[l] = pr[l] * im[l] + pi[l] * re[l];
                re[l] = r;
            }
        }
        for l in 0..re.len() {
            let r = pr[l] * pr[l] - pi[l] * pi[l];
            pi[l] *= 2.0 * pr[l];
            pr[l] = r;
        }
        n >>= 1;
    }
    for x in re.iter_mut().chain(im) {
        if x.abs() < SILENCE {
            *x = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_on_log2_is_tight_and_never_short() {
        for i in 1..20_000 {
            let x = (i as f32 * 0.37).exp2().min(1e30) * (1.0 + (i % 97) as f32 / 97.0) * 1e-12;
            let (bound, exact) = (log2_bound(x), x.log2());
            assert!(bound >= exact - 1e-3 && bound < exact + 0.1, "{x}: {bound}, {exact}");
        }
    }
}

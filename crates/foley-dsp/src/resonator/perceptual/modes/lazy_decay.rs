//! Lazy decay: rows that are not computed decay in closed form.
//!
//! Each row stores the block its state belongs to. When it is needed again it is multiplied by
//! `(z^B)^n`, by repeated squaring; the only loss is rounding (n · 6e-8).

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::advance::ModesMut;
use super::band_layout::BandLayout;
use crate::resonator::layout::modes::{Constants, SILENCE};
use crate::simd::{LANES, Pair, Row};

/// Marks a row whose state is zero.
pub(crate) const SILENT: u32 = u32::MAX;

/// The times at which the rows of a voice are valid and become irrelevant.
#[derive(Debug, Clone, Default)]
pub(crate) struct LazyDecay {
    /// The block at whose start the state is valid, or [`SILENT`].
    pub(crate) valid_at: Box<[u32]>,
    /// The block from which on a row is too weak to matter (\[LS\] eq. 14).
    pub(crate) cutoff: Box<[u32]>,
    /// Whether `cutoff` is up to date.
    pub(crate) cutoff_known: bool,
    /// Largest cut-off of all rows; valid only when `cutoff_known`.
    pub(crate) last_cutoff: u32,
    /// Whether the budget skips rows in this block, and which.
    pub(crate) any_skipped: bool,
    pub(crate) left_out: Box<[bool]>,
}

impl LazyDecay {
    pub(crate) fn new(rows: usize) -> Self {
        Self {
            valid_at: vec![SILENT; rows].into(),
            cutoff: vec![0; rows].into(),
            cutoff_known: true,
            last_cutoff: u32::MAX,
            any_skipped: false,
            left_out: vec![false; rows].into(),
        }
    }

    /// Advances a row to the start of block `now`. Returns whether it still sounds.
    #[inline(always)]
    pub(crate) fn catch_up(
        &mut self,
        constants: &Constants,
        state: &mut Pair,
        row: usize,
        now: u32,
    ) -> bool {
        // The common case.
        (self.valid_at[row] == now && self.cutoff[row] > now)
            || self.catch_up_slow(constants, state, row, now)
    }

    #[inline(never)]
    fn catch_up_slow(
        &mut self,
        constants: &Constants,
        state: &mut Pair,
        row: usize,
        now: u32,
    ) -> bool {
        let valid_at = self.valid_at[row];
        if valid_at == SILENT {
            return false;
        }
        if self.cutoff[row] <= now {
            self.silence(state, row);
            return false;
        }
        if valid_at > now {
            return false;
        }
        decay(constants, state, row, now.saturating_sub(valid_at));
        self.valid_at[row] = now;
        true
    }

    /// Marks the cut-offs as unknown, after impulses changed the state.
    pub(crate) fn invalidate_cutoffs(&mut self) {
        self.cutoff.fill(u32::MAX);
        self.cutoff_known = false;
    }

    /// Zeroes a row.
    pub(crate) fn silence(&mut self, state: &mut Pair, row: usize) {
        state.re[row] = Row::default();
        state.im[row] = Row::default();
        self.valid_at[row] = SILENT;
    }

    /// Predicts the cut-off times of the rows from their state at the start of block `now`: a mode
    /// of energy E has fallen to τ² after `ln(E/τ²)/2d` (\[LS\] eq. 14 with energies). `cut_log2`: see
    /// [`Listening::cut_log2`](crate::resonator::Listening::cut_log2).
    pub(crate) fn predict_cutoffs(
        &mut self,
        level: Level,
        band_layout: &BandLayout,
        state: &Pair,
        block: usize,
        now: u32,
        cut_log2: f32,
    ) {
        dispatch!(level, simd => predict_cutoff_rows(simd, self, band_layout, state, block, now, cut_log2));
    }
}

#[simd]
fn predict_cutoff_rows<S: Simd>(
    simd: S,
    lazy_decay: &mut LazyDecay,
    band_layout: &BandLayout,
    state: &Pair,
    block: usize,
    now: u32,
    cut_log2: f32,
) {
    let per_block = 0.5 * std::f32::consts::LN_2 / block as f32;
    lazy_decay.cutoff_known = true;
    lazy_decay.last_cutoff = now;
    for (tile, threshold) in band_layout.tiles.iter().zip(&band_layout.threshold) {
        for row in tile.first_row..tile.first_row + tile.rows {
            if lazy_decay.valid_at[row] == SILENT {
                continue;
            }
            let (re, im, decay) = (&state.re[row].0, &state.im[row].0, &band_layout.decay[row].0);
            let mut blocks = [0f32; LANES];
            for lane in 0..LANES {
                let energy = re[lane] * re[lane] + im[lane] * im[lane];
                let lanes_at_least = log2_bound(energy) + cut_log2 - threshold.0[lane];
                blocks[lane] = lanes_at_least * per_block / decay[lane].max(1e-12);
            }
            let parts = blocks.chunks_exact(S::f32s::LEN);
            let longest = parts.map(|part| S::f32s::from_slice(simd, part).reduce_max());
            let longest = longest.fold(0.0, f32::max);
            lazy_decay.cutoff[row] = now.saturating_add(longest.min(1e9) as u32 + 1);
            lazy_decay.last_cutoff = lazy_decay.last_cutoff.max(lazy_decay.cutoff[row]);
        }
    }
}

/// Advances all rows that are valid at the start of block `now` to its end.
pub(crate) fn advance_rows(level: Level, modes: ModesMut<'_>, now: u32) {
    dispatch!(level, simd => advance_rows_simd(simd, modes, now));
}

#[simd]
fn advance_rows_simd<S: Simd>(simd: S, modes: ModesMut<'_>, now: u32) {
    let ModesMut { constants, state, decay: lazy_decay, .. } = modes;
    let width = S::f32s::LEN;
    let zero = S::f32s::splat(simd, 0.0);
    for row in (0..lazy_decay.valid_at.len()).filter(|row| lazy_decay.valid_at[*row] == now) {
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
    for valid_at in &mut lazy_decay.valid_at {
        *valid_at += u32::from(*valid_at == now);
    }
}

/// Returns log2 of a positive number from the bits of the float, at most 0.09 too large.
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

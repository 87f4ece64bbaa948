//! The state of an object's modes and the constants that move it.
//!
//! The complex amplitude of a mode is kept at the *middle* of the coming block: its
//! sound is `Im(T z^{n − B/2})`, n = 0 … B−1, and after a block with force x on gains a,
//! `T ← z^B (T + a Σ_j x_j z^{B/2 − j})`.
//!
//! `z^B` is rounded to 24 bits. All kernels use the same rounded step, and every
//! [`RENEWAL`] blocks a correction computed in f64 takes the accumulated error out.

use super::layout::Layout;
use crate::simd::{LANES, Pair};

/// Blocks between two corrections of the rounding of `z^B`.
pub(crate) const RENEWAL: u64 = 16;
/// Longest run of the per-sample recurrence before it is anchored to an exact power.
pub(crate) const ANCHOR: usize = 128;
/// Amplitudes below this (−400 dB of a pascal) are silence: no denormal numbers arise.
pub(crate) const SILENCE: f32 = 1e-20;

/// Amplitudes above this (180 dB above a pascal) are no sound: something went wrong, and
/// their sums would overflow.
pub(crate) const LOUDEST: f32 = 1e9;

/// Structure of arrays over the slots of a [`Layout`].
#[derive(Debug, Clone)]
pub(crate) struct Modes {
    /// T.
    pub(crate) state: Pair,
    /// z^B, rounded.
    pub(crate) step: Pair,
    /// ζ / RADIUS.
    pub(crate) zeta: Pair,
    /// z, rounded.
    pub(crate) pole: Pair,
    /// z^Q − (rounded z)^Q, Q = min(B, ANCHOR).
    pub(crate) anchor: Pair,
    /// z^{−B/2}: from the middle of the block to its start.
    pub(crate) to_start: Pair,
    /// z^{B/2}: from the end of the block to the middle of the next.
    pub(crate) to_middle: Pair,
    /// What start, samples and middle together fall short of `step`.
    pub(crate) drift: Pair,
    /// z^{B·RENEWAL} / step^RENEWAL − 1.
    pub(crate) renewal: Pair,
}

impl Modes {
    pub(crate) fn new(layout: &Layout) -> Self {
        let zeros = || Pair::zeros(layout.rows);
        let mut modes = Self {
            state: zeros(),
            step: zeros(),
            zeta: zeros(),
            pole: zeros(),
            anchor: zeros(),
            to_start: zeros(),
            to_middle: zeros(),
            drift: zeros(),
            renewal: zeros(),
        };
        let block = layout.block as f64;
        let run = layout.block.min(ANCHOR);
        for (m, slot) in layout.sounding() {
            let pole = layout.poles[m];
            modes.step.set(slot, pole.power(block));
            modes.zeta.set(slot, layout.zetas[m]);
            modes.pole.set(slot, pole.power(1.0));
            // Fast-decaying modes never meet the grid: their state stays at the start.
            let spectral = slot < layout.spectral_rows * LANES;
            let middle = if spectral { block / 2.0 } else { 0.0 };
            modes.to_start.set(slot, pole.power(-middle));
            modes.to_middle.set(slot, pole.power(middle));
            let walked = modes.pole.get(slot).powu(run as u32);
            modes.anchor.set(slot, pole.power(run as f64) - walked);
            let around = modes.to_start.get(slot) * modes.to_middle.get(slot);
            modes.drift.set(slot, modes.step.get(slot) - pole.power(block) * around);
            let stepped = modes.step.get(slot).powu(RENEWAL as u32);
            let exact = pole.power(block * RENEWAL as f64);
            if stepped.norm() > 1e-30 {
                modes.renewal.set(slot, exact / stepped - 1.0);
            }
        }
        modes
    }
}

//! State of the modes of an object, and the constants that advance it.
//!
//! The complex amplitude of a mode is kept at the *middle* of the coming block: its sound is `Im(T
//! z^{n − B/2})`, n = 0 … B−1, and after a block with force x on gains a, `T ← z^B (T + a Σ_j x_j
//! z^{B/2 − j})`.
//!
//! `z^B` is rounded to 24 bits. All kernels use the same rounded step, and every
//! [`CORRECTION_BLOCKS`] blocks a correction computed in f64 removes the accumulated error.

use num_complex::Complex64;
use std::sync::Arc;

use crate::resonator::layout::{Layout, Pole};
use crate::simd::{LANES, Pair};

/// Blocks between two corrections of the rounding of `z^B`.
pub(crate) const CORRECTION_BLOCKS: u64 = 16;
/// Longest run of the per-sample recurrence before it is anchored to an exact power.
pub(crate) const ANCHOR: usize = 128;
/// Amplitudes below this (−400 dB re 1 Pa) are set to zero, so that no denormal numbers arise.
pub(crate) const SILENCE: f32 = 1e-20;

/// Amplitudes above this (180 dB re 1 Pa) are errors, and their sums would overflow.
pub(crate) const MAX_AMPLITUDE: f32 = 1e9;

/// The state of one object, and the constants shared by all objects of its model.
#[derive(Debug, Clone)]
pub(crate) struct Modes {
    /// T.
    pub(crate) state: Pair,
    pub(crate) constants: Arc<Constants>,
}

impl Modes {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self { state: Pair::zeros(layout.rows), constants: Arc::clone(&layout.constants) }
    }
}

/// Structure of arrays over the slots of a [`Layout`].
#[derive(Debug, Clone)]
pub(crate) struct Constants {
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
    /// Error of start × samples × middle against `step`.
    pub(crate) drift: Pair,
    /// z^{B·CORRECTION_BLOCKS} / step^CORRECTION_BLOCKS − 1.
    pub(crate) correction: Pair,
}

impl Constants {
    /// Computes the constants of poles in their slots; `block` samples, `spectral_rows` as in
    /// [`Layout`].
    pub(crate) fn new(
        sounding: impl Iterator<Item = (usize, Pole, Complex64)>,
        block: usize,
        rows: usize,
        spectral_rows: usize,
    ) -> Self {
        let zeros = || Pair::zeros(rows);
        let mut constants = Self {
            step: zeros(),
            zeta: zeros(),
            pole: zeros(),
            anchor: zeros(),
            to_start: zeros(),
            to_middle: zeros(),
            drift: zeros(),
            correction: zeros(),
        };
        let run = block.min(ANCHOR);
        let block = block as f64;
        for (slot, pole, zeta) in sounding {
            constants.step.set(slot, pole.power(block));
            constants.zeta.set(slot, zeta);
            constants.pole.set(slot, pole.power(1.0));
            // Fast-decaying modes are never spectral: their state is kept at the start of the
            // block.
            let spectral = slot < spectral_rows * LANES;
            let middle = if spectral { block / 2.0 } else { 0.0 };
            constants.to_start.set(slot, pole.power(-middle));
            constants.to_middle.set(slot, pole.power(middle));
            let recurred = constants.pole.get(slot).powu(run as u32);
            constants.anchor.set(slot, pole.power(run as f64) - recurred);
            let around = constants.to_start.get(slot) * constants.to_middle.get(slot);
            constants.drift.set(slot, constants.step.get(slot) - pole.power(block) * around);
            let stepped = constants.step.get(slot).powu(CORRECTION_BLOCKS as u32);
            let exact = pole.power(block * CORRECTION_BLOCKS as f64);
            if stepped.norm() > 1e-30 {
                constants.correction.set(slot, exact / stepped - 1.0);
            }
        }
        constants
    }
}

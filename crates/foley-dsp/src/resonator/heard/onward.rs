//! Modes on their way through a block that nobody follows sample by sample:
//! `S ← z^B S`, and what impulses leave.

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::gather::Herd;
use super::member::Moment;
use crate::resonator::modes::SILENCE;
use crate::resonator::voice::{Acts, Voice};
use crate::resonator::work::Work;
use crate::simd::{LANES, Row};

impl Voice {
    /// Moves all modes, heard or not, from the start of the block to its end.
    pub(super) fn move_on(&mut self, work: &Work, acts: Acts<'_>, moment: Moment) {
        let Some(herd) = self.herd() else { return };
        let keeps = herd.gathering.keeps;
        step(work.level, herd, moment.now);
        self.member.energy *= keeps;
        self.land_all(work.level, acts, moment, None);
        self.member.flags.settle();
    }
}

fn step(level: Level, herd: Herd<'_>, now: u32) {
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

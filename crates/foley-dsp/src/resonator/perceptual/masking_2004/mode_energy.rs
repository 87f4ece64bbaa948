//! How loud each mode of an object is in the coming block: steps 1 to 6 of [CS 4].
//!
//! `E = |S|² + Σ |jump|²`: what rings at the block's start, and what the block's impulses
//! will add (a² E_s, with the gain squared, since it is a gain of amplitudes). Damping within
//! the block is left out, as in the paper.
//!
//! The paper scales all energies so that their sum is the playback level L (step 4). In a bank
//! that would call a dying tail as loud as the blow before it, and bring back, block by block,
//! what had long fallen silent. Here levels are absolute: `10 log10(E · gain)` dB SPL, the
//! gain from [`Ear::pascal_db`](super::Ear).

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use crate::perception::Tone;
use crate::resonator::perceptual::masking_2004::mode_mask::above;
use crate::resonator::perceptual::modes::lazy_decay::DEAD;
use crate::resonator::voice::{Acts, Voice};
use crate::simd::{LANES, flat};

/// Brings the object to the start of block `now` and flags the modes that are heard in
/// silence. Returns whether anything of it moves. Energies lie in `side` until it walks.
pub(super) fn weigh(voice: &mut Voice, level: Level, acts: Acts<'_>, now: u32, gain: f32) -> bool {
    dispatch!(level, simd => weigh_rows(simd, voice, acts, now, gain))
}

/// A mode as the pruner sees it.
pub(super) fn tone(voice: &Voice, slot: usize, acts: Acts<'_>, gain: f32) -> Option<Tone> {
    let mut tone = *voice.layout.gathering.as_ref()?.tones.get(slot)?;
    let mut energy = voice.modes.state.get(slot).norm_sqr();
    for jump in acts.jumps.iter().filter_map(|s| s.jump(acts.start)) {
        let (re, im) = (f64::from(flat(jump.re)[slot]), f64::from(flat(jump.im)[slot]));
        energy += re * re + im * im;
    }
    tone.set_level_db(10.0 * (energy * f64::from(gain)).log10());
    Some(tone)
}

#[simd]
fn weigh_rows<S: Simd>(_: S, voice: &mut Voice, acts: Acts<'_>, now: u32, gain: f32) -> bool {
    let Voice { layout, modes, member, side, .. } = voice;
    let Some(gathering) = &layout.gathering else { return false };
    let mut total = 0.0;
    let mut moves = !acts.jumps.is_empty();
    for row in 0..member.rest.since.len() {
        // Too weak to matter ([LS 14]).
        if member.rest.since[row] != DEAD && member.rest.until[row] <= now {
            member.rest.kill(&mut modes.state, row);
        }
        let rings = member.rest.wake(&layout.constants, &mut modes.state, row, now);
        moves |= rings;
        member.flags.on[row] = 0;
        if !rings && acts.jumps.is_empty() {
            continue;
        }
        let mut energy = [0f32; LANES];
        let (re, im) = (&modes.state.re[row].0, &modes.state.im[row].0);
        for lane in 0..LANES {
            energy[lane] = re[lane] * re[lane] + im[lane] * im[lane];
        }
        total += energy.iter().sum::<f32>();
        for jump in acts.jumps.iter().filter_map(|s| s.jump(acts.start)) {
            let (re, im) = (&jump.re[row].0, &jump.im[row].0);
            for lane in 0..LANES {
                energy[lane] += re[lane] * re[lane] + im[lane] * im[lane];
            }
        }
        member.flags.on[row] = above(&energy.map(|e| e * gain), &gathering.hears[row]);
        side.re[row].0 = energy;
    }
    member.energy = total;
    moves
}

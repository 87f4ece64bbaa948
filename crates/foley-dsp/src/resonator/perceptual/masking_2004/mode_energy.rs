//! Energy of each mode in the coming block: steps 1 to 6 of \[CS\] §4.
//!
//! `E = |S|² + Σ |jump|²`: the ringing at the start of the block, and what its impulses add (a²
//! E_s, with the gain squared since it is a gain of amplitudes). Damping within the block is
//! neglected, as in the paper.
//!
//! The paper scales all energies so that their sum is the playback level L (step 4). In a bank this
//! would make a decaying tail as loud as the impact before it, and modes that had fallen silent
//! would return block by block. Here levels are absolute: `10 log10(E · gain)` dB SPL, with the
//! gain from [`Listening::pascal_db`](crate::resonator::Listening).

use fearless_simd::{Level, dispatch, prelude::*};
use fearless_simd_macros::simd;

use super::mode_mask::lanes_at_least;
use crate::perception::Tone;
use crate::resonator::perceptual::modes::lazy_decay::SILENT;
use crate::resonator::voice::{Events, Voice};
use crate::simd::{LANES, flat};

/// Advances the voice to the start of block `now` and activates the modes that are audible in
/// quiet. Returns whether any mode moves. The energies at the listener are stored in `spare` until
/// the voice is rendered. `gains`: from energies at the listener to multiples of 0 dB SPL, and from
/// the energies of modes to those at the listener.
pub(super) fn measure(
    voice: &mut Voice,
    level: Level,
    events: Events<'_>,
    now: u32,
    gains: [f32; 2],
) -> bool {
    dispatch!(level, simd => measure_rows(simd, voice, events, now, gains))
}

/// Returns a mode as a tone for the pruner.
pub(super) fn tone(voice: &Voice, slot: usize, events: Events<'_>, gain: f32) -> Option<Tone> {
    let mut tone = *voice.layout.band_layout.as_ref()?.tones.get(slot)?;
    let mut energy = voice.modes.state.get(slot).norm_sqr();
    for jump in events.jumps.iter().filter_map(|s| s.jump(events.start)) {
        let (re, im) = (f64::from(flat(jump.re)[slot]), f64::from(flat(jump.im)[slot]));
        energy += re * re + im * im;
    }
    tone.set_level_db(10.0 * (energy * f64::from(gain)).log10());
    Some(tone)
}

#[simd]
fn measure_rows<S: Simd>(
    _: S,
    voice: &mut Voice,
    events: Events<'_>,
    now: u32,
    [gain, at_listener]: [f32; 2],
) -> bool {
    let Voice { layout, modes, perceptual, spare, .. } = voice;
    let Some(band_layout) = &layout.band_layout else { return false };
    let mut total = 0.0;
    let mut moves = !events.jumps.is_empty();
    for row in 0..perceptual.decay.valid_at.len() {
        // Past its cut-off ([LS] eq. 14).
        if perceptual.decay.valid_at[row] != SILENT && perceptual.decay.cutoff[row] <= now {
            perceptual.decay.silence(&mut modes.state, row);
        }
        let rings = perceptual.decay.catch_up(&layout.constants, &mut modes.state, row, now);
        moves |= rings;
        perceptual.mode_mask.active[row] = 0;
        if !rings && events.jumps.is_empty() {
            continue;
        }
        let mut energy = [0f32; LANES];
        let (re, im) = (&modes.state.re[row].0, &modes.state.im[row].0);
        for lane in 0..LANES {
            energy[lane] = re[lane] * re[lane] + im[lane] * im[lane];
        }
        total += energy.iter().sum::<f32>();
        for jump in events.jumps.iter().filter_map(|s| s.jump(events.start)) {
            let (re, im) = (&jump.re[row].0, &jump.im[row].0);
            for lane in 0..LANES {
                energy[lane] += re[lane] * re[lane] + im[lane] * im[lane];
            }
        }
        energy.iter_mut().for_each(|energy| *energy *= at_listener);
        perceptual.mode_mask.active[row] =
            lanes_at_least(&energy.map(|e| e * gain), &band_layout.audible_energy[row]);
        spare.re[row].0 = energy;
    }
    perceptual.energy = total;
    moves
}

//! Mode pruning by the masking rule of \[CS\] §4: modes of all voices and buses mask each other, and
//! each unmasked mode is computed exactly; see [`prune_2004`].
//!
//! A block: measure the energy of every mode, prune, render the audible modes, advance all modes in
//! closed form, so that a mode that returns has the right amplitude and phase.
//!
//! A voice under a sampled force or in a fade-out is computed with all its modes. It masks others
//! with its ringing modes and its impulses, but not with the force: this may keep a mode too many.
//!
//! A [`MaskingPrefilter`] removes clearly masked modes first. It only saves time; the result is the
//! same.
//!
//! Voices are processed from the loudest on. Modes that pass the prefilter but exceed the capacity
//! of the list are all computed, and mask nothing.
//!
//! [`prune_2004`]: crate::perception::prune_2004

pub(super) mod masking_prefilter;
mod mode_batch;
mod mode_energy;
pub(super) mod mode_mask;
mod pruned_synthesis;

use foley_geometry::clock::Instant;

use self::masking_prefilter::MaskingPrefilter;
use self::mode_mask::slots_of;
use self::pruned_synthesis::{ModeCount, PrunedSynthesis};
use crate::perception::{Audibility, EnvelopePruner, Masking, Tone};
use crate::resonator::bank::events_of;
use crate::resonator::perceptual::scheduler::{BlockInputs, elapsed_ns};
use crate::resonator::perceptual::settings::Synthesis;
use crate::resonator::perceptual::voice_priority::Candidate;
use crate::resonator::perceptual::voice_state::BlockContext;
use crate::resonator::route::Tap;
use crate::resonator::scratch::Scratch;
use crate::resonator::strike::Scheduled;
use crate::resonator::voice::{Events, Voice};
use crate::simd::LANES;

/// State of a bank that prunes by \[CS\] §4. Allocated once; real-time.
#[derive(Debug)]
pub(crate) struct Masking2004 {
    masking: Masking,
    /// Factor from energy to multiples of 0 dB SPL.
    gain: f32,
    prefilter: MaskingPrefilter,
    pruner: EnvelopePruner,
    /// Modes that passed the prefilter.
    tones: Vec<Tone>,
    /// Voice and slot of each tone.
    owners: Vec<(usize, usize)>,
    synthesis: PrunedSynthesis,
    /// The synthesis of a voice whose gain is not 1 or changes.
    alone: PrunedSynthesis,
}

impl Masking2004 {
    /// Allocates room for `modes` tones; None for another [`Synthesis`].
    pub(crate) fn new(synthesis: &Synthesis, block: usize, modes: usize) -> Option<Self> {
        let Synthesis::Masking2004(listening, a_v_db) = synthesis else { return None };
        Some(Self {
            masking: Masking::new(*a_v_db),
            gain: listening.gain(),
            prefilter: MaskingPrefilter::new(),
            pruner: EnvelopePruner::with_capacity(modes),
            tones: Vec::with_capacity(modes),
            owners: Vec::with_capacity(modes),
            synthesis: PrunedSynthesis::new(block, listening.gain()),
            alone: PrunedSynthesis::new(block, listening.gain()),
        })
    }

    /// Renders a block of the voices that move.
    pub(super) fn render(
        &mut self,
        candidates: &mut [Candidate],
        inputs: BlockInputs<'_>,
        context: BlockContext,
        gain: f32,
        began: Option<Instant>,
        out: &mut [f32],
    ) {
        self.gain = gain;
        let BlockInputs { start, voices, strikes: due, scratch, report, .. } = inputs;
        candidates
            .sort_unstable_by(|a, b| b.loudness.total_cmp(&a.loudness).then(a.slot.cmp(&b.slot)));
        self.measure_energies(candidates, voices, due, start, context, scratch);
        self.list_tones(candidates, voices, due, start);
        self.prune(voices);
        report.deciding_ns = elapsed_ns(began);
        for bus in 0..out.len() / scratch.block {
            for candidate in candidates.iter() {
                let Some(voice) = voices[candidate.slot].as_deref_mut() else { continue };
                if voice.routing.bus() != bus || !voice.awake {
                    continue;
                }
                let (events, _) = events_of(candidate.slot, start, due);
                if candidate.exact {
                    if let Some(band_layout) = &voice.layout.band_layout {
                        voice.perceptual.mode_mask.set_all_audible(band_layout);
                    }
                    self.synthesis.cancel_new_modes(voice, scratch);
                    voice.render_exact_modes(scratch, events, context, out);
                    voice.perceptual.mode_mask.end_block();
                    report.audible += voice.layout.mode_count();
                    report.computed += voice.layout.mode_count();
                } else {
                    let count = match *voice.routing.taps() {
                        [Tap { start: 1.0, end: 1.0, .. }] => {
                            let out = &mut out[bus * scratch.block..(bus + 1) * scratch.block];
                            self.synthesis.add(voice, events, scratch, out)
                        }
                        _ => self.add_alone(voice, events, scratch, out),
                    };
                    voice.advance_silently(scratch, events, context);
                    report.audible += count.active;
                    report.computed += count.active + count.fading_out;
                }
            }
            self.synthesis
                .finish(scratch, &mut out[bus * scratch.block..(bus + 1) * scratch.block]);
        }
    }

    /// Adds a voice to its buses, with its gains.
    fn add_alone(
        &mut self,
        voice: &Voice,
        events: Events<'_>,
        scratch: &mut Scratch,
        out: &mut [f32],
    ) -> ModeCount {
        let mut sound = std::mem::take(&mut scratch.voice_buffer);
        sound.fill(0.0);
        let count = self.alone.add(voice, events, scratch, &mut sound);
        self.alone.finish(scratch, &mut sound);
        voice.routing.taps().iter().for_each(|tap| tap.mix(&sound, out));
        scratch.voice_buffer = sound;
        count
    }

    /// Fades in the modes that were masked in the last block, by adding their negative with a fade-out
    /// to the sound of all modes.
    pub(crate) fn fade_in_masked(
        &mut self,
        voice: &mut Voice,
        scratch: &mut Scratch,
        out: &mut [f32],
    ) {
        let Some(band_layout) = &voice.layout.band_layout else { return };
        voice.perceptual.mode_mask.set_all_audible(band_layout);
        let mut sound = std::mem::take(&mut scratch.voice_buffer);
        sound.fill(0.0);
        self.alone.cancel_new_modes(voice, scratch);
        self.alone.finish(scratch, &mut sound);
        let taps = voice.routing.taps().iter();
        taps.for_each(|tap| Tap { start: tap.end, bend: 0.0, ..*tap }.mix(&sound, out));
        scratch.voice_buffer = sound;
    }

    /// Advances the voices to the start of the block and measures their modes; puts silent ones to
    /// sleep.
    fn measure_energies(
        &mut self,
        candidates: &[Candidate],
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        start: u64,
        context: BlockContext,
        scratch: &Scratch,
    ) {
        self.prefilter.clear();
        for candidate in candidates {
            let Some(voice) = voices[candidate.slot].as_deref_mut() else { continue };
            let (events, _) = events_of(candidate.slot, start, due);
            let gains = [self.gain, candidate.at_listener];
            if !mode_energy::measure(voice, scratch.level, events, context.now, gains)
                && !candidate.exact
            {
                voice.perceptual.mode_mask.end_block();
                voice.awake = false;
                continue;
            }
            let Some(band_layout) = &voice.layout.band_layout else { continue };
            for (row, &active) in voice.perceptual.mode_mask.active.iter().enumerate() {
                let (prefilter_bins, energies) =
                    (&band_layout.prefilter_bins[row], &voice.spare.re[row].0);
                for slot in slots_of(row, active) {
                    let lane = slot % LANES;
                    self.prefilter.add(
                        prefilter_bins[lane],
                        energies[lane],
                        &band_layout.tones[slot],
                    );
                }
            }
        }
        self.prefilter.build(self.masking, self.gain);
    }

    /// Lists the modes that pass the prefilter.
    fn list_tones(
        &mut self,
        candidates: &[Candidate],
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        start: u64,
    ) {
        self.tones.clear();
        self.owners.clear();
        for candidate in candidates {
            let Some(voice) = voices[candidate.slot].as_deref_mut() else { continue };
            let Voice { layout, perceptual, spare, .. } = voice;
            let Some(band_layout) = &layout.band_layout else { continue };
            let rows = perceptual
                .mode_mask
                .active
                .iter_mut()
                .zip(&band_layout.prefilter_bins)
                .zip(&spare.re);
            for ((active, prefilter_bins), energies) in
                rows.filter(|((active, _), _)| **active != 0)
            {
                *active &= self.prefilter.unmasked_lanes(prefilter_bins, energies);
            }
            let (events, _) = events_of(candidate.slot, start, due);
            for (row, &active) in voice.perceptual.mode_mask.active.iter().enumerate() {
                for slot in slots_of(row, active) {
                    if self.tones.len() < self.pruner.capacity()
                        && let Some(tone) = mode_energy::tone(
                            voice,
                            slot,
                            events,
                            self.gain * candidate.at_listener,
                        )
                    {
                        self.tones.push(tone);
                        self.owners.push((candidate.slot, slot));
                    }
                }
            }
        }
    }

    /// Deactivates the masked modes.
    fn prune(&mut self, voices: &mut [Option<Box<Voice>>]) {
        let Ok(audibilities) = self.pruner.prune(self.masking, &self.tones) else { return };
        for (audibility, &(place, slot)) in audibilities.iter().zip(&self.owners) {
            if *audibility != Audibility::Audible
                && let Some(voice) = &mut voices[place]
            {
                voice.perceptual.mode_mask.clear(slot);
            }
        }
    }
}

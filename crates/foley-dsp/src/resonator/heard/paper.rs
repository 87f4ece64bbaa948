//! The rule of [CS 4] inside the bank: modes of all objects and buses mask each other, and
//! those that survive are computed, each by itself; see [`prune_2004`].
//!
//! A block is: weigh every mode, prune, sing the survivors, move all modes on in closed form,
//! so that a mode that returns has the amplitude and phase it would have had.
//!
//! An object under a sampled force or fading away is computed whole. It masks others with what
//! rings in it and what its impulses add, not with the force: rather a mode too many.
//!
//! A [`Floor`] takes out first what is masked at first sight. It changes nothing but the time
//! it takes.
//!
//! Objects are looked at from the loudest on. Modes above the floor that find no room in the
//! list are all computed, and mask nothing.
//!
//! [`prune_2004`]: crate::perception::prune_2004

use std::time::Instant;

use super::ear::Hearing;
use super::flags::slots;
use super::floor::Floor;
use super::member::Moment;
use super::seats::Seat;
use super::stage::{Lent, since};
use super::survivors::Survivors;
use crate::perception::{Audibility, EnvelopePruner, Masking, Tone};
use crate::resonator::bank::acts_on;
use crate::resonator::strike::Scheduled;
use crate::resonator::voice::Voice;
use crate::resonator::work::Work;
use crate::simd::LANES;

/// What a bank that prunes by the paper's rule has beside its objects. Made once; real-time.
#[derive(Debug)]
pub(crate) struct Paper {
    masking: Masking,
    /// What turns energy into multiples of 0 dB SPL.
    gain: f32,
    floor: Floor,
    pruner: EnvelopePruner,
    /// Modes that may be heard.
    tones: Vec<Tone>,
    /// Whose they are: the place of the object, and the slot.
    owners: Vec<(usize, usize)>,
    survivors: Survivors,
}

impl Paper {
    /// Room for `modes` modes; None when the bank hears otherwise.
    pub(crate) fn new(hearing: &Hearing, block: usize, modes: usize) -> Option<Self> {
        let Hearing::Paper(ear, a_v_db) = hearing else { return None };
        Some(Self {
            masking: Masking::new(*a_v_db),
            gain: ear.gain(),
            floor: Floor::new(),
            pruner: EnvelopePruner::with_capacity(modes),
            tones: Vec::with_capacity(modes),
            owners: Vec::with_capacity(modes),
            survivors: Survivors::new(block, ear.gain()),
        })
    }

    /// Renders a block of the objects that move.
    pub(super) fn render(
        &mut self,
        seats: &mut [Seat],
        lent: Lent<'_>,
        moment: Moment,
        gain: f32,
        began: Option<Instant>,
        out: &mut [f32],
    ) {
        self.gain = gain;
        let Lent { start, voices, strikes: due, work, report, .. } = lent;
        seats
            .sort_unstable_by(|a, b| b.loudness.total_cmp(&a.loudness).then(a.place.cmp(&b.place)));
        self.weigh(seats, voices, due, start, moment, work);
        self.list(seats, voices, due, start);
        self.prune(voices);
        report.deciding_ns = since(began);
        for (bus, out) in out.chunks_exact_mut(work.block).enumerate() {
            for seat in seats.iter() {
                let Some(voice) = voices[seat.place].as_deref_mut() else { continue };
                if voice.bus != bus || !voice.awake {
                    continue;
                }
                let (acts, _) = acts_on(seat.place, start, due);
                if seat.alone {
                    if let Some(gathering) = &voice.layout.gathering {
                        voice.member.flags.fill(gathering);
                    }
                    self.survivors.ease(voice, work);
                    voice.walk(work, acts, moment, out);
                    voice.member.flags.settle();
                    report.audible += voice.layout.mode_count();
                    report.computed += voice.layout.mode_count();
                } else {
                    let count = self.survivors.add(voice, acts, work, out);
                    voice.move_on(work, acts, moment);
                    report.audible += count.on;
                    report.computed += count.on + count.leaving;
                }
            }
            self.survivors.finish(work, out);
        }
    }

    /// Brings the objects to the block's start; those that have died away fall asleep.
    fn weigh(
        &mut self,
        seats: &[Seat],
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        start: u64,
        moment: Moment,
        work: &Work,
    ) {
        self.floor.clear();
        for seat in seats {
            let Some(voice) = voices[seat.place].as_deref_mut() else { continue };
            let (acts, _) = acts_on(seat.place, start, due);
            if !voice.weigh(work.level, acts, moment.now, self.gain) && !seat.alone {
                voice.member.flags.settle();
                voice.awake = false;
                continue;
            }
            let Some(gathering) = &voice.layout.gathering else { continue };
            for (row, &on) in voice.member.flags.on.iter().enumerate() {
                let (steps, energies) = (&gathering.steps[row], &voice.side.re[row].0);
                for slot in slots(row, on) {
                    let lane = slot % LANES;
                    self.floor.add(steps[lane], energies[lane], &gathering.tones[slot]);
                }
            }
        }
        self.floor.rise(self.masking, self.gain);
    }

    /// Lists the modes above the floor.
    fn list(
        &mut self,
        seats: &[Seat],
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        start: u64,
    ) {
        self.tones.clear();
        self.owners.clear();
        for seat in seats {
            let Some(voice) = voices[seat.place].as_deref_mut() else { continue };
            let Voice { layout, member, side, .. } = voice;
            let Some(gathering) = &layout.gathering else { continue };
            let rows = member.flags.on.iter_mut().zip(&gathering.steps).zip(&side.re);
            for ((on, steps), energies) in rows.filter(|((on, _), _)| **on != 0) {
                *on &= self.floor.spares(steps, energies);
            }
            let (acts, _) = acts_on(seat.place, start, due);
            for (row, &on) in voice.member.flags.on.iter().enumerate() {
                for slot in slots(row, on) {
                    if self.tones.len() < self.pruner.capacity()
                        && let Some(tone) = voice.tone(slot, acts, self.gain)
                    {
                        self.tones.push(tone);
                        self.owners.push((seat.place, slot));
                    }
                }
            }
        }
    }

    /// Takes out what others mask.
    fn prune(&mut self, voices: &mut [Option<Box<Voice>>]) {
        let Ok(fates) = self.pruner.prune(self.masking, &self.tones) else { return };
        for (fate, &(place, slot)) in fates.iter().zip(&self.owners) {
            if *fate != Audibility::Audible
                && let Some(voice) = &mut voices[place]
            {
                voice.member.flags.clear(slot);
            }
        }
    }
}

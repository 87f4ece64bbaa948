//! A block of a hearing bank: who is heard, who sings with the others, who walks alone.

use super::choir::Choir;
use super::ear::{Ear, Hearing};
use super::landing::CellJump;
use super::member::Moment;
use super::paper::Paper;
use crate::resonator::bank::{BankReport, Retired, acts_on};
use crate::resonator::strike::Scheduled;
use crate::resonator::voice::Voice;
use crate::resonator::work::Work;

/// Together, objects that are not heard stay this far below every threshold, dB.
const QUIET_DB: f64 = 10.0;

/// An object that moves, in one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub(super) place: usize,
    /// Energy over the least threshold among its frequencies.
    pub(super) loudness: f32,
    /// A force acts on it, or it fades away: every mode is computed by itself.
    pub(super) alone: bool,
}

/// An impulse that is heard in this block.
#[derive(Debug, Clone, Copy)]
struct Heard {
    bus: usize,
    at: usize,
    strike: usize,
}

/// What a hearing bank has beside its objects.
#[derive(Debug)]
pub(crate) struct Stage {
    ear: Ear,
    choirs: Vec<Choir>,
    seats: Vec<Seat>,
    heard: Vec<Heard>,
    /// What each bus masks of each other: a factor on energies.
    releases: Vec<f32>,
    /// The paper's rule, when the bank hears by it.
    paper: Option<Paper>,
}

/// What a bank lends its stage for a block.
pub(crate) struct Lent<'a> {
    pub(crate) start: u64,
    pub(crate) voices: &'a mut [Option<Box<Voice>>],
    /// The impacts of this block, voice by voice, and all there are.
    pub(crate) due: usize,
    pub(crate) strikes: &'a [Scheduled],
    pub(crate) retired: &'a mut Vec<Retired>,
    pub(crate) work: &'a mut Work,
    pub(crate) report: &'a mut BankReport,
}

impl Stage {
    pub(crate) fn new(
        hearing: &Hearing,
        sample_rate_hz: f64,
        block: usize,
        buses: usize,
        voices: usize,
        strikes: usize,
        modes: usize,
    ) -> Option<Self> {
        let ear = *hearing.ear()?;
        let mut choirs: Vec<_> =
            (0..buses).map(|_| Choir::new(sample_rate_hz, block, &ear)).collect();
        choirs.iter_mut().for_each(|choir| choir.masks.note_least());
        let all = 10f64.powf(-ear.mask_db / 10.0) as f32;
        Some(Self {
            ear,
            choirs,
            seats: Vec::with_capacity(voices),
            heard: Vec::with_capacity(strikes),
            releases: vec![all; buses * buses],
            paper: Paper::new(hearing, block, modes),
        })
    }

    /// Renders a block.
    pub(crate) fn render(&mut self, lent: Lent<'_>, out: &mut [f32]) {
        let Lent { start, voices, due, strikes, retired, work, report } = lent;
        let block = work.block;
        let gain = self.ear.gain();
        let moment = Moment { now: (start / block as u64) as u32, hearing_log2: gain.log2() };
        let due = &strikes[..due];
        self.take_seats(voices, due, start, gain, report);
        (report.audible, report.computed) = (0, 0);
        if let Some(paper) = &mut self.paper {
            let lent = Lent { start, voices, due: due.len(), strikes, retired, work, report };
            paper.render(&mut self.seats, lent, moment, out);
            return settle_blocks(voices, strikes, retired, block);
        }
        let quiet = quiet_level(&self.seats);
        self.heard.clear();
        for Seat { place, loudness, alone } in self.seats.iter().copied() {
            let Some(voice) = voices[place].as_deref_mut() else { continue };
            let (acts, _) = acts_on(place, start, due);
            let bus = voice.bus;
            let choir = &mut self.choirs[bus];
            if alone {
                let out = &mut out[bus * block..(bus + 1) * block];
                voice.walk_alone(work, acts, moment, choir, out);
                report.audible += voice.layout.mode_count();
                report.computed += voice.layout.mode_count();
            } else if loudness < quiet {
                voice.pass_by(work, acts, moment);
            } else {
                let found = voice.join(work, acts, moment, choir);
                report.audible += found.modes;
                let first = due.partition_point(|s| s.voice < place);
                for (i, strike) in acts.jumps.iter().enumerate() {
                    let on_time = strike.strike.landing().is_some() && !strike.strike.is_late();
                    if let (true, Some(jump)) = (on_time, strike.jump(start)) {
                        self.heard.push(Heard { bus, at: jump.at, strike: first + i });
                    }
                }
            }
        }
        settle_blocks(voices, strikes, retired, block);
        self.sing(due, gain, work, report, out);
    }

    /// Lists the objects that move, and how loud they are.
    fn take_seats(
        &mut self,
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        start: u64,
        gain: f32,
        report: &mut BankReport,
    ) {
        self.seats.clear();
        (report.awake, report.modes) = (0, 0);
        for (place, slot) in voices.iter_mut().enumerate() {
            let Some(voice) = slot else { continue };
            for contact in voice.contacts.iter_mut().filter(|c| c.pushed) {
                report.bad_forces += u64::from(contact.sanitise());
            }
            let (acts, _) = acts_on(place, start, due);
            let load = voice.load(acts);
            report.modes += voice.layout.mode_count();
            if !voice.is_awake() {
                continue;
            }
            report.awake += 1;
            let energy = voice.member.energy + voice.expected(acts);
            let barks = voice.layout.gathering.as_ref().map_or((0, 0), |g| g.barks);
            let loudness = energy * gain / self.choirs[voice.bus].masks.least(barks);
            let alone = load.forces > 0 || voice.is_fading();
            self.seats.push(Seat { place, loudness, alone });
        }
    }

    fn sing(
        &mut self,
        due: &[Scheduled],
        gain: f32,
        work: &mut Work,
        report: &mut BankReport,
        out: &mut [f32],
    ) {
        let (level, block) = (work.level, work.block);
        let Self { choirs, heard, releases, .. } = self;
        choirs.iter_mut().for_each(|choir| choir.gathered(level, block, gain));
        let buses = choirs.len();
        for bus in 0..buses {
            choirs[bus].masks.in_quiet();
            for other in 0..buses {
                let spread = std::mem::take(&mut choirs[other].masks.spread);
                choirs[bus].masks.masked_by(&spread, releases[bus * buses + other]);
                choirs[other].masks.spread = spread;
            }
            choirs[bus].masks.note_least();
        }
        heard.sort_unstable_by_key(|h| (h.bus, h.at, h.strike));
        for (bus, (choir, out)) in choirs.iter_mut().zip(out.chunks_exact_mut(block)).enumerate() {
            report.computed += choir.prepare(level, block, gain);
            let mine = heard.iter().filter(|h| h.bus == bus);
            let blows = mine.map(|h| (h.at, due[h.strike].strike.landing()));
            let blows = blows.map(|(at, landing)| {
                let cells: &[CellJump] = landing.map_or(&[], |landing| &landing.cells);
                (at, cells)
            });
            choir.sing(level, blows, out);
        }
    }

    /// Forgets everything, after something not finite came by.
    pub(crate) fn clear(&mut self) {
        self.choirs.iter_mut().for_each(Choir::clear);
    }
}

/// The end of a block for all objects; those that have faded out leave.
fn settle_blocks(
    voices: &mut [Option<Box<Voice>>],
    strikes: &[Scheduled],
    retired: &mut Vec<Retired>,
    block: usize,
) {
    for (place, slot) in voices.iter_mut().enumerate() {
        let Some(voice) = slot else { continue };
        let room = retired.len() + strikes.len() < retired.capacity();
        if !voice.settle_block(block) && room {
            retired.extend(slot.take().map(|voice| Retired::Voice(place, voice)));
        }
    }
}

/// The loudness below which objects are left out: all of them together stay inaudible.
fn quiet_level(seats: &[Seat]) -> f32 {
    let mut sums = [0f32; 256];
    for seat in seats.iter().filter(|seat| !seat.alone) {
        sums[(seat.loudness.max(0.0).to_bits() >> 23) as usize & 255] += seat.loudness;
    }
    let mut left = 10f64.powf(-QUIET_DB / 10.0) as f32;
    for (exponent, sum) in sums.iter().enumerate() {
        left -= sum;
        if left.is_nan() || left < 0.0 {
            return f32::from_bits((exponent as u32) << 23);
        }
    }
    f32::INFINITY
}

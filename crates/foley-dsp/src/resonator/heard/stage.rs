//! A block of a hearing bank: who is heard, who sings with the others, who walks alone.

use std::time::Instant;

use super::budget::{Budget, Clock, Watch};
use super::choir::Choir;
use super::ear::Ear;
use super::gather::Pass;
use super::landing::CellJump;
use super::member::Moment;
use super::paper::Paper;
use super::seats::{Seat, quiet_level, share_time};
use super::sing::BRIEF;
use crate::perception::spatial_release_between_db;
use crate::resonator::bank::{BankReport, BankSettings, Retired, acts_on};
use crate::resonator::cost::{Costs, Load};
use crate::resonator::strike::Scheduled;
use crate::resonator::voice::Voice;
use crate::resonator::work::Work;

/// Energies, which only fall between impulses, are weighed every so many blocks.
const WEIGHED: u32 = 4;

/// Who is served because it waited is served for so many blocks.
const TURN: u32 = 16;

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
    directions: Vec<[f64; 3]>,
    /// What each bus masks of each other: a factor on energies.
    releases: Vec<f32>,
    costs: Costs,
    budget: Option<Budget>,
    /// Rows of partials of the last block.
    sung: usize,
    timed: bool,
    /// Microseconds that a microsecond of the table takes.
    pace: f64,
    /// The paper's rule, when the bank hears by it.
    paper: Option<Paper>,
}

/// What a bank lends its stage for a block.
pub(crate) struct Lent<'a> {
    pub(crate) start: u64,
    pub(crate) voices: &'a mut [Option<Box<Voice>>],
    /// The impacts of this block, voice by voice.
    pub(crate) strikes: &'a [Scheduled],
    /// How many strikes there are, those to come included.
    pub(crate) pending: usize,
    pub(crate) retired: &'a mut Vec<Retired>,
    pub(crate) work: &'a mut Work,
    pub(crate) report: &'a mut BankReport,
}

impl Stage {
    pub(crate) fn new(settings: &BankSettings) -> Option<Self> {
        let ear = settings.hearing.ear()?.sane();
        let BankSettings { sample_rate_hz, block, costs, budget, timed, .. } = *settings;
        let buses = settings.buses.max(1);
        let choir = |_| Choir::new(sample_rate_hz, block, &ear);
        let mut stage = Self {
            ear,
            choirs: (0..buses).map(choir).collect(),
            seats: Vec::with_capacity(settings.voices),
            heard: Vec::with_capacity(settings.strikes),
            directions: vec![[0.0, 0.0, -1.0]; buses],
            releases: vec![0.0; buses * buses],
            costs,
            budget,
            sung: 0,
            timed,
            pace: 1.0,
            paper: Paper::new(&settings.hearing, block, settings.modes),
        };
        stage.set_direction(0, [0.0, 0.0, -1.0]);
        Some(stage)
    }

    pub(crate) fn set_pascal_db(&mut self, pascal_db: f64) {
        self.ear = Ear { pascal_db, ..self.ear }.sane();
    }

    pub(crate) fn set_direction(&mut self, bus: usize, direction: [f64; 3]) {
        if let Some(mine) = self.directions.get_mut(bus) {
            *mine = direction;
        }
        let buses = self.directions.len();
        for (i, release) in self.releases.iter_mut().enumerate() {
            let [a, b] = [i / buses, i % buses].map(|bus| self.directions[bus]);
            let less = self.ear.mask_db + spatial_release_between_db(a, b);
            *release = 10f64.powf(-less / 10.0) as f32;
        }
    }

    /// How close together partials are.
    pub(crate) fn detail(&self) -> f64 {
        self.ear.detail
    }

    pub(crate) fn set_load(&mut self, load: f64) {
        self.pace = if load.is_finite() { load.clamp(1e-3, 1e6) } else { 1.0 };
    }

    /// Renders a block.
    pub(crate) fn render(&mut self, lent: Lent<'_>, out: &mut [f32]) {
        let Lent { start, voices, strikes: due, pending, retired, work, report } = lent;
        let block = work.block;
        let gain = self.ear.gain();
        let now = (start / block as u64) as u32;
        let pass = if now.is_multiple_of(WEIGHED) { Pass::Weighing } else { Pass::Lean };
        let moment = Moment { now, pass, cut_log2: self.ear.cut_log2() };
        let clock = self.budget.map_or(Clock::Virtual, |budget| budget.clock);
        let mut watch = Watch::start(clock, self.pace);
        let began = self.timed.then(Instant::now);
        self.take_seats(voices, due, (start, now), gain, report);
        (report.audible, report.computed, report.left_out) = (0, 0, 0);
        if let Some(paper) = &mut self.paper {
            let lent = Lent { start, voices, strikes: due, pending, retired, work, report };
            paper.render(&mut self.seats, lent, moment, gain, began, out);
            return settle_blocks(voices, pending, retired, block);
        }
        let quiet = quiet_level(&self.seats);
        let deadline = self.allot(quiet, block);
        report.deciding_ns = since(began);
        self.heard.clear();
        self.choirs.iter_mut().for_each(|choir| choir.begin(pass));
        for i in 0..self.seats.len() {
            let Seat { place, loudness, alone, cost, grant, turn, struck, .. } = self.seats[i];
            let Some(voice) = voices[place].as_deref_mut() else { continue };
            let (acts, _) = acts_on(place, start, if struck { due } else { &[] });
            let (bus, modes) = (voice.bus, voice.layout.mode_count());
            let choir = &mut self.choirs[bus];
            if !alone && loudness < quiet {
                voice.pass_by(work, acts, moment);
                continue;
            }
            let rows = voice.layout.rows;
            let in_time = deadline.is_none_or(|deadline| watch.spent() <= deadline);
            // Of an object by itself all modes are computed, or none.
            let share = if grant < cost { grant / cost } else { 1.0 };
            let wanted = if in_time { (rows as f64 * share).round() as usize } else { 0 };
            voice.member.waited = if wanted > 0 { 0 } else { voice.member.waited + 1 };
            if turn && now >= voice.member.turn {
                voice.member.turn = now + TURN;
            }
            if wanted == 0 || (alone && wanted < rows) {
                voice.leave_out(work, acts, moment, choir);
                report.left_out += modes;
            } else if alone {
                let out = &mut out[bus * block..(bus + 1) * block];
                voice.walk_alone(work, acts, moment, choir, out);
                watch.charge(cost);
                report.audible += modes;
                report.computed += modes;
            } else {
                voice.thin(wanted);
                let found = voice.join(work, acts, moment, choir);
                watch.charge(cost * share.min(1.0));
                report.audible += found.modes;
                report.left_out += found.left_out;
                let first = due.partition_point(|s| s.voice < place);
                for (i, strike) in acts.jumps.iter().enumerate() {
                    let on_time = strike.strike.landing().is_some() && !strike.strike.is_late();
                    if let (true, Some(jump)) = (on_time, strike.jump(start)) {
                        self.heard.push(Heard { bus, at: jump.at, strike: first + i });
                    }
                }
            }
        }
        settle_blocks(voices, pending, retired, block);
        self.sing(due, gain, work, &mut watch, report, out);
        report.used_ns = self.budget.map_or(0, |_| (watch.spent() * 1e3) as u64);
        if let Some(pace) = watch.measured_pace() {
            self.pace += 0.1 * (pace - self.pace);
        }
    }

    /// Microseconds by the table for the cells of all buses, and for a row of partials.
    fn fixed_cost(&self, block: usize) -> (f64, f64) {
        let Costs { sing_row, cell_row, .. } = self.costs;
        let rows: usize = self.choirs.iter().map(Choir::rows).sum();
        // A row that must fade costs a little, too.
        let fading = sing_row * BRIEF.min(block) as f64;
        (rows as f64 * (cell_row + fading) * 1e-3, sing_row * block as f64 * 1e-3)
    }

    /// Shares the budget among the objects that are heard. Returns the time by which they must
    /// be done, microseconds.
    fn allot(&mut self, quiet: f32, block: usize) -> Option<f64> {
        let budget = self.budget?;
        let (cells, row) = self.fixed_cost(block);
        // Singing takes what it took last, and half of what is left at most.
        let left = (budget.micros - cells * self.pace).max(0.0);
        let available = left - (row * (self.sung + 1) as f64 * self.pace).min(0.5 * left);
        let Self { seats, pace, .. } = self;
        share_time(seats, quiet, available / *pace, budget.slope);
        Some(available)
    }

    /// Lists the objects that move, and how loud they are.
    fn take_seats(
        &mut self,
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        (start, now): (u64, u32),
        gain: f32,
        report: &mut BankReport,
    ) {
        self.seats.clear();
        (report.awake, report.modes) = (0, 0);
        let mut rest = due;
        for (place, slot) in voices.iter_mut().enumerate() {
            let Some(voice) = slot else { continue };
            report.bad_forces += voice.sanitise();
            let acts;
            (acts, rest) = acts_on(place, start, rest);
            let load = voice.load(acts);
            report.modes += voice.layout.mode_count();
            let idle = load == Load::default() && !voice.is_fading();
            if !voice.is_awake() || (idle && voice.falls_asleep(now)) {
                continue;
            }
            report.awake += 1;
            let energy = voice.member.energy + voice.expected(acts);
            let span = voice.layout.gathering.as_ref().map_or((0, 0), |g| g.span);
            let loudness = energy * gain / self.choirs[voice.bus].masks.least(span);
            let loudness = loudness.min(1e37);
            let alone = load.forces > 0 || voice.is_fading();
            let waited = if now < voice.member.turn { u32::MAX } else { voice.member.waited };
            let cost = self.costs.heard(&voice.layout, load, alone) * 1e-3;
            let piece = if alone { cost } else { cost / voice.layout.rows.max(1) as f64 };
            let struck = !(acts.jumps.is_empty() && acts.pulses.is_empty());
            self.seats.push(Seat {
                place,
                loudness,
                waited,
                alone,
                cost,
                grant: cost,
                piece,
                turn: false,
                struck,
            });
        }
    }

    fn sing(
        &mut self,
        due: &[Scheduled],
        gain: f32,
        work: &mut Work,
        watch: &mut Watch,
        report: &mut BankReport,
        out: &mut [f32],
    ) {
        let (level, block) = (work.level, work.block);
        let (fixed, row) = self.fixed_cost(block);
        watch.charge(fixed);
        let left = self.budget.map(|budget| (budget.micros - watch.spent()).max(0.0));
        let mut most = left.map_or(usize::MAX, |left| (left / (row * watch.pace)) as usize);
        let Self { choirs, heard, releases, sung, .. } = self;
        *sung = 0;
        choirs.iter_mut().for_each(|choir| choir.find(level, block));
        let began = self.timed.then(Instant::now);
        choirs.iter_mut().for_each(|choir| choir.spread(gain));
        let buses = choirs.len();
        for bus in 0..buses {
            choirs[bus].masks.in_quiet();
            for other in 0..buses {
                let spread = std::mem::take(&mut choirs[other].masks.spread);
                choirs[bus].masks.masked_by(level, &spread, releases[bus * buses + other]);
                choirs[other].masks.spread = spread;
            }
            choirs[bus].masks.note_least(level);
        }
        report.deciding_ns += since(began);
        heard.sort_unstable_by_key(|h| (h.bus, h.at, h.strike));
        for (bus, (choir, out)) in choirs.iter_mut().zip(out.chunks_exact_mut(block)).enumerate() {
            report.computed += choir.prepare(level, block, gain);
            let rows = choir.limit(most);
            most -= rows;
            *sung += rows;
            watch.charge(row * rows as f64);
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

pub(super) fn since(began: Option<Instant>) -> u64 {
    began.map_or(0, |began| began.elapsed().as_nanos() as u64)
}

/// The end of a block for all objects; those that have faded out leave.
fn settle_blocks(
    voices: &mut [Option<Box<Voice>>],
    pending: usize,
    retired: &mut Vec<Retired>,
    block: usize,
) {
    for (place, slot) in voices.iter_mut().enumerate() {
        let Some(voice) = slot else { continue };
        let room = retired.len() + pending < retired.capacity();
        if !voice.settle_block(block) && room {
            retired.extend(slot.take().map(|voice| Retired::Voice(place, voice)));
        }
    }
}

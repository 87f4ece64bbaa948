//! A block of a hearing bank: who is heard, who sings with the others, who walks alone.

use std::time::Instant;

use super::budget::{Budget, Clock, Watch, share};
use super::choir::Choir;
use super::ear::Ear;
use super::landing::CellJump;
use super::member::Moment;
use crate::perception::release_between_db;
use crate::resonator::bank::{BankReport, BankSettings, Retired, acts_on};
use crate::resonator::cost::Costs;
use crate::resonator::strike::Scheduled;
use crate::resonator::voice::Voice;
use crate::resonator::work::Work;

/// Together, objects that are not heard stay this far below every threshold, dB.
const QUIET_DB: f64 = 10.0;

/// A voice that waited so many blocks counts as twice as loud.
const PATIENCE: f32 = 16.0;

/// An object that moves, in one block.
#[derive(Debug, Clone, Copy)]
struct Seat {
    place: usize,
    /// Energy over the least threshold among its frequencies.
    loudness: f32,
    /// The same, and more the longer it waited.
    urgency: f32,
    /// A force acts on it, or it fades away: every mode is computed by itself.
    alone: bool,
    /// What it costs by the table, microseconds, and what it is granted.
    cost: f64,
    grant: f64,
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
    directions: Vec<[f64; 3]>,
    /// What each bus masks of each other: a factor on energies.
    releases: Vec<f32>,
    costs: Costs,
    budget: Option<Budget>,
    timed: bool,
    /// Microseconds that a microsecond of the table takes.
    pace: f64,
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
    pub(crate) fn new(settings: &BankSettings) -> Option<Self> {
        let ear = *settings.hearing.ear()?;
        let BankSettings { sample_rate_hz, block, costs, budget, timed, .. } = *settings;
        let buses = settings.buses.max(1);
        let choir = |_| {
            let mut choir = Choir::new(sample_rate_hz, block, &ear);
            choir.masks.note_least();
            choir
        };
        let mut stage = Self {
            ear,
            choirs: (0..buses).map(choir).collect(),
            seats: Vec::with_capacity(settings.voices),
            heard: Vec::with_capacity(settings.strikes),
            directions: vec![[0.0, 0.0, -1.0]; buses],
            releases: vec![0.0; buses * buses],
            costs,
            budget,
            timed,
            pace: 1.0,
        };
        stage.set_direction(0, [0.0, 0.0, -1.0]);
        Some(stage)
    }

    pub(crate) fn set_pascal_db(&mut self, pascal_db: f64) {
        self.ear.pascal_db = pascal_db;
    }

    pub(crate) fn set_direction(&mut self, bus: usize, direction: [f64; 3]) {
        if let Some(mine) = self.directions.get_mut(bus) {
            *mine = direction;
        }
        let buses = self.directions.len();
        for (i, release) in self.releases.iter_mut().enumerate() {
            let [a, b] = [i / buses, i % buses].map(|bus| self.directions[bus]);
            let less = self.ear.mask_db + release_between_db(a, b);
            *release = 10f64.powf(-less / 10.0) as f32;
        }
    }

    pub(crate) fn set_load(&mut self, load: f64) {
        self.pace = if load.is_finite() { load.clamp(1e-3, 1e6) } else { 1.0 };
    }

    /// Renders a block.
    pub(crate) fn render(&mut self, lent: Lent<'_>, out: &mut [f32]) {
        let Lent { start, voices, due, strikes, retired, work, report } = lent;
        let block = work.block;
        let gain = self.ear.gain();
        let moment = Moment { now: (start / block as u64) as u32, hearing_log2: gain.log2() };
        let due = &strikes[..due];
        let clock = self.budget.map_or(Clock::Virtual, |budget| budget.clock);
        let mut watch = Watch::start(clock, self.pace);
        let began = self.timed.then(Instant::now);
        self.take_seats(voices, due, start, gain, report);
        let quiet = quiet_level(&self.seats);
        let deadline = self.allot(quiet, block);
        report.deciding_ns = since(began);
        self.heard.clear();
        (report.audible, report.computed, report.left_out) = (0, 0, 0);
        for i in 0..self.seats.len() {
            let Seat { place, loudness, alone, cost, grant, .. } = self.seats[i];
            let Some(voice) = voices[place].as_deref_mut() else { continue };
            let (acts, _) = acts_on(place, start, due);
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
            let wanted = if in_time { (rows as f64 * share) as usize } else { 0 };
            voice.member.waited = match wanted < rows {
                true => voice.member.waited.saturating_add(1),
                false => voice.member.waited.saturating_sub(1),
            };
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
        for (place, slot) in voices.iter_mut().enumerate() {
            let Some(voice) = slot else { continue };
            let room = retired.len() + strikes.len() < retired.capacity();
            if !voice.settle_block(block) && room {
                retired.extend(slot.take().map(|voice| Retired::Voice(place, voice)));
            }
        }
        self.sing(due, gain, work, report, out);
        watch.charge(self.fixed_cost(block));
        report.used_ns = self.budget.map_or(0, |_| (watch.spent() * 1e3) as u64);
        if let Some(pace) = watch.measured_pace() {
            self.pace += 0.1 * (pace - self.pace);
        }
    }

    /// Microseconds by the table that singing takes at most, whoever joins.
    fn fixed_cost(&self, block: usize) -> f64 {
        let Costs { sing_row, cell_row, .. } = self.costs;
        let rows: usize = self.choirs.iter().map(Choir::rows).sum();
        rows as f64 * (sing_row * block as f64 + cell_row) * 1e-3
    }

    /// Shares the budget among the objects that are heard. Returns the time by which they must
    /// be done, microseconds.
    fn allot(&mut self, quiet: f32, block: usize) -> Option<f64> {
        let budget = self.budget?;
        let reserve = self.fixed_cost(block) * self.pace;
        let available = (budget.micros - reserve).max(0.0);
        let heard = |seat: &Seat| seat.alone || seat.loudness >= quiet;
        let needed: f64 = self.seats.iter().filter(|s| heard(s)).map(|s| s.cost).sum();
        if needed * self.pace > available {
            self.seats.sort_unstable_by(|a, b| {
                let louder = b.urgency.total_cmp(&a.urgency);
                heard(b).cmp(&heard(a)).then(louder).then(a.place.cmp(&b.place))
            });
            let count = self.seats.partition_point(heard);
            let (pace, seats) = (self.pace, &mut self.seats[..count]);
            share(seats, |s| s.cost, available / pace, budget.slope, |s, grant| s.grant = grant);
        }
        Some(available)
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
            let urgency = loudness * (voice.member.waited as f32 / PATIENCE).min(100.0).exp2();
            let cost = self.costs.heard(&voice.layout, load, alone) * 1e-3;
            self.seats.push(Seat { place, loudness, urgency, alone, cost, grant: cost });
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
        choirs.iter_mut().for_each(|choir| choir.find(level, block));
        let began = self.timed.then(Instant::now);
        choirs.iter_mut().for_each(|choir| choir.spread(gain));
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
        report.deciding_ns += since(began);
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

fn since(began: Option<Instant>) -> u64 {
    began.map_or(0, |began| began.elapsed().as_nanos() as u64)
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

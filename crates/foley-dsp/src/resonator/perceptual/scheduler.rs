//! Renders one block of a perceptual bank: culls inaudible voices, accumulates the others in the
//! partials of their bus, computes driven voices exactly.

use foley_geometry::clock::{self, Instant};

use super::bands::spreading::{BandMasking, weighted_sum};
use super::budget::{BlockTimer, Budget, Clock};
use super::masking_2004::Masking2004;
use super::modes::advance::EnergyUpdate;
use super::modes::prepared_impulse::BandImpulse;
use super::partials::oscillators::FADE_SAMPLES;
use super::partials::partial_bus::{PartialBus, RoutedImpulse};
use super::settings::Listening;
use super::voice_priority::{Candidate, quiet_level, share_time};
use super::voice_state::BlockContext;
use crate::perception::spatial_release_between_db;
use crate::resonator::bank::{BankReport, BankSettings, Retired, events_of};
use crate::resonator::cost_model::{Costs, Load};
use crate::resonator::route::Tap;
use crate::resonator::scratch::Scratch;
use crate::resonator::strike::Scheduled;
use crate::resonator::voice::Voice;

/// Energies only fall between impulses, so they are measured once in this many blocks.
const MEASURE_INTERVAL: u32 = 4;

/// A voice that is served because it waited is served for this many blocks.
const SERVED_BLOCKS: u32 = 16;

/// Smallest change of the direction of a bus that counts, as a distance of unit vectors: 3 degrees.
const MIN_TURN: f64 = 0.05;

/// An audible impulse of this block.
#[derive(Debug, Clone, Copy)]
struct AudibleImpulse {
    bus: usize,
    at: usize,
    strike: usize,
    /// Gains at the impulse and at the end of the block.
    gain: f32,
    end_gain: f32,
}

/// The state of a perceptual bank besides its voices.
#[derive(Debug)]
pub(crate) struct PerceptualScheduler {
    listening: Listening,
    partial_buses: Vec<PartialBus>,
    candidates: Vec<Candidate>,
    impulses: Vec<AudibleImpulse>,
    directions: Vec<[f64; 3]>,
    /// Masking of each bus by each other: factors on spread energies and on energies in one band.
    releases: Vec<[f32; 2]>,
    /// Factor on the energies of each bus on its way to the listener.
    bus_gains: Vec<f32>,
    costs: Costs,
    budget: Option<Budget>,
    /// Rows of partials rendered in the last block.
    partial_rows: usize,
    measure_decision_time: bool,
    /// Real microseconds per microsecond of the cost model.
    cost_scale: f64,
    /// The rule of \[CS\] §4, when [`Synthesis::Masking2004`](super::Synthesis) selects it.
    masking_2004: Option<Masking2004>,
}

/// What the bank hands to the scheduler for one block.
pub(crate) struct BlockInputs<'a> {
    pub(crate) start: u64,
    pub(crate) voices: &'a mut [Option<Box<Voice>>],
    /// The impacts of this block, sorted by voice.
    pub(crate) strikes: &'a [Scheduled],
    /// Number of scheduled strikes, future ones included.
    pub(crate) pending: usize,
    pub(crate) retired: &'a mut Vec<Retired>,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) report: &'a mut BankReport,
}

impl PerceptualScheduler {
    pub(crate) fn new(settings: &BankSettings) -> Option<Self> {
        let listening = settings.synthesis.listening()?.clamped();
        let BankSettings { sample_rate_hz, block, costs, budget, measure_decision_time, .. } =
            *settings;
        let buses = settings.buses.max(1);
        let partials = |_| PartialBus::new(sample_rate_hz, block, &listening);
        let mut scheduler = Self {
            listening,
            partial_buses: (0..buses).map(partials).collect(),
            candidates: Vec::with_capacity(settings.voices),
            impulses: Vec::with_capacity(2 * settings.strikes),
            directions: vec![[0.0, 0.0, -1.0]; buses],
            releases: vec![[0.0; 2]; buses * buses],
            bus_gains: vec![1.0; buses],
            costs,
            budget,
            partial_rows: 0,
            measure_decision_time,
            cost_scale: 1.0,
            masking_2004: Masking2004::new(&settings.synthesis, block, settings.modes),
        };
        (0..buses).for_each(|bus| scheduler.update_releases(bus));
        Some(scheduler)
    }

    pub(crate) fn set_pascal_db(&mut self, pascal_db: f64) {
        self.listening = Listening { pascal_db, ..self.listening }.clamped();
    }

    /// Sets the direction of a bus and the factor on its amplitudes on the way to the listener.
    pub(crate) fn set_bus(&mut self, bus: usize, direction: [f64; 3], amplitude: f32) {
        let Some(mine) = self.directions.get_mut(bus) else { return };
        self.bus_gains[bus] = amplitude * amplitude;
        let rotated = mine.iter().zip(direction).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        // Releases cost a power for each other bus.
        if rotated > MIN_TURN * MIN_TURN {
            *mine = direction;
            self.update_releases(bus);
        }
    }

    /// Computes the masking between a bus and all others.
    fn update_releases(&mut self, bus: usize) {
        let buses = self.directions.len();
        for other in 0..buses {
            let [a, b] = [bus, other].map(|bus| self.directions[bus]);
            let apart_db = spatial_release_between_db(a, b);
            let [masked, same] = [self.listening.mask_db + apart_db, apart_db]
                .map(|db| 10f64.powf(-db / 10.0) as f32);
            self.releases[bus * buses + other] = [masked, same];
            self.releases[other * buses + bus] = [masked, same];
        }
    }

    /// Returns whether the rule of \[CS\] §4 is used.
    pub(crate) fn is_masking_2004(&self) -> bool {
        self.masking_2004.is_some()
    }

    pub(super) fn partial_bus(&self, bus: usize) -> Option<&PartialBus> {
        self.partial_buses.get(bus)
    }

    /// Returns the factor from the energies of a bus to multiples of 0 dB SPL at the listener.
    pub(super) fn energy_to_spl(&self, bus: usize) -> f32 {
        self.listening.gain() * self.bus_gains.get(bus).copied().unwrap_or(0.0)
    }

    pub(crate) fn partial_buses_mut(&mut self) -> &mut [PartialBus] {
        &mut self.partial_buses
    }

    /// Fades in what the rule of \[CS\] §4 left out of a voice that another synthesis renders now.
    pub(crate) fn fade_in_masked(
        &mut self,
        voice: &mut Voice,
        scratch: &mut Scratch,
        out: &mut [f32],
    ) {
        let masking_2004 = self.masking_2004.iter_mut();
        masking_2004.for_each(|masking_2004| masking_2004.fade_in_masked(voice, scratch, out));
    }

    pub(crate) fn set_budget(&mut self, budget: Option<Budget>) {
        self.budget = budget;
    }

    /// Returns [`Listening::detail`].
    pub(crate) fn detail(&self) -> f64 {
        self.listening.detail
    }

    /// Returns how many times slower than the cost model this machine is.
    pub(crate) fn load(&self) -> f64 {
        self.cost_scale
    }

    pub(crate) fn set_load(&mut self, load: f64) {
        self.cost_scale = if load.is_finite() { load.clamp(1e-3, 1e6) } else { 1.0 };
    }

    pub(crate) fn render(&mut self, inputs: BlockInputs<'_>, out: &mut [f32]) {
        let BlockInputs { start, voices, strikes: due, pending, retired, scratch, report } = inputs;
        let block = scratch.block;
        let gain = self.listening.gain();
        let now = (start / block as u64) as u32;
        let energy_update = if now.is_multiple_of(MEASURE_INTERVAL) {
            EnergyUpdate::Measure
        } else {
            EnergyUpdate::Reuse
        };
        let context = BlockContext { now, energy_update, cut_log2: self.listening.cut_log2() };
        let clock = self.budget.map_or(Clock::Virtual, |budget| budget.clock);
        let mut timer = BlockTimer::start(clock, self.cost_scale);
        let began = self.measure_decision_time.then(clock::now).flatten();
        self.list_candidates(voices, due, (start, now), gain, report);
        (report.audible, report.computed, report.left_out) = (0, 0, 0);
        if let Some(masking_2004) = &mut self.masking_2004 {
            let inputs =
                BlockInputs { start, voices, strikes: due, pending, retired, scratch, report };
            masking_2004.render(&mut self.candidates, inputs, context, gain, began, out);
            return end_blocks(voices, pending, retired, block);
        }
        let quiet = quiet_level(&self.candidates);
        for candidate in self.candidates.iter().filter(|c| c.exact || c.loudness >= quiet) {
            let taps = voices[candidate.slot].iter().flat_map(|voice| voice.routing.taps());
            taps.for_each(|tap| self.partial_buses[tap.bus].wake());
        }
        let deadline = self.allot(quiet, block);
        report.deciding_ns = elapsed_ns(began);
        self.impulses.clear();
        let awake = self.partial_buses.iter_mut().filter(|partials| !partials.is_idle());
        awake.for_each(|partials| partials.begin_block(energy_update));
        for i in 0..self.candidates.len() {
            let Candidate {
                slot,
                loudness,
                exact,
                cost,
                grant,
                served_for_waiting,
                has_impulses,
                ..
            } = self.candidates[i];
            let Some(voice) = voices[slot].as_deref_mut() else { continue };
            let (events, _) = events_of(slot, start, if has_impulses { due } else { &[] });
            let modes = voice.layout.mode_count();
            let buses = &mut self.partial_buses;
            if !exact && loudness < quiet {
                voice.cull(scratch, events, context, buses);
                continue;
            }
            let rows = voice.layout.rows;
            let in_time = deadline.is_none_or(|deadline| timer.spent() <= deadline);
            // An exact voice is computed with all its modes or not at all.
            let share = if grant < cost { grant / cost } else { 1.0 };
            let wanted = if in_time { (rows as f64 * share).round() as usize } else { 0 };
            voice.perceptual.waited = if wanted > 0 { 0 } else { voice.perceptual.waited + 1 };
            if served_for_waiting && now >= voice.perceptual.served_until {
                voice.perceptual.served_until = now + SERVED_BLOCKS;
            }
            if wanted == 0 || (exact && wanted < rows) {
                voice.skip_over_budget(scratch, events, context, buses);
                report.left_out += modes;
            } else if exact {
                voice.render_exact(scratch, events, context, buses, out);
                timer.charge(cost);
                report.audible += modes;
                report.computed += modes;
            } else {
                voice.limit_rows(wanted);
                let stats = voice.accumulate(scratch, events, context, buses);
                timer.charge(cost * share.min(1.0));
                report.audible += stats.modes;
                report.left_out += stats.left_out;
                let first = due.partition_point(|s| s.voice < slot);
                for (i, strike) in events.jumps.iter().enumerate() {
                    let on_time = strike.strike.prepared().is_some() && !strike.strike.is_late();
                    let Some(jump) = strike.jump(start).filter(|_| on_time) else { continue };
                    for tap in voice.routing.taps() {
                        let gain = tap.at(jump.at as f32 / block as f32);
                        let (bus, at, strike, end_gain) = (tap.bus, jump.at, first + i, tap.end);
                        self.impulses.push(AudibleImpulse { bus, at, strike, gain, end_gain });
                    }
                }
            }
        }
        end_blocks(voices, pending, retired, block);
        self.render_partials(due, gain, scratch, &mut timer, report, out);
        report.used_ns = self.budget.map_or(0, |_| (timer.spent() * 1e3) as u64);
        if let Some(cost_scale) = timer.measured_scale() {
            self.cost_scale += 0.1 * (cost_scale - self.cost_scale);
        }
    }

    /// Returns the modelled cost in microseconds of the bands of all buses, and of one row of
    /// partials.
    fn fixed_cost(&self, block: usize) -> (f64, f64) {
        let Costs { partial_row, band_row, .. } = self.costs;
        let awake = self.partial_buses.iter().filter(|partials| !partials.is_idle());
        let rows: usize = awake.map(PartialBus::rows).sum();
        // A row over the budget still needs a short fade.
        let fading = partial_row * FADE_SAMPLES.min(block) as f64;
        (rows as f64 * (band_row + fading) * 1e-3, partial_row * block as f64 * 1e-3)
    }

    /// Shares the budget among the audible voices. Returns their deadline, microseconds.
    fn allot(&mut self, quiet: f32, block: usize) -> Option<f64> {
        let budget = self.budget?;
        let (bands, row) = self.fixed_cost(block);
        // Partials are expected to take as long as in the last block, and at most half of the
        // remaining time.
        let left = (budget.micros - bands * self.cost_scale).max(0.0);
        let available =
            left - (row * (self.partial_rows + 1) as f64 * self.cost_scale).min(0.5 * left);
        let Self { candidates, cost_scale, .. } = self;
        share_time(candidates, quiet, available / *cost_scale, budget.slope);
        Some(available)
    }

    /// Lists the voices that move, with loudness and cost.
    fn list_candidates(
        &mut self,
        voices: &mut [Option<Box<Voice>>],
        due: &[Scheduled],
        (start, now): (u64, u32),
        gain: f32,
        report: &mut BankReport,
    ) {
        self.candidates.clear();
        (report.awake, report.modes) = (0, 0);
        let mut remaining = due;
        for (slot, entry) in voices.iter_mut().enumerate() {
            let Some(voice) = entry else { continue };
            report.bad_forces += voice.sanitise();
            let events;
            (events, remaining) = events_of(slot, start, remaining);
            let load = voice.load(events);
            report.modes += voice.layout.mode_count();
            let idle = load == Load::default() && events.bursts.is_empty() && !voice.is_fading();
            if !voice.is_awake() || (idle && voice.sleep_if_silent(now)) {
                continue;
            }
            report.awake += 1;
            voice.routing.advance();
            let energy = voice.perceptual.energy + voice.impulse_energy(events);
            let span = voice.layout.band_layout.as_ref().map_or((0, 0), |g| g.span);
            let at_listener = |tap: &Tap| tap.energy_gain() * self.bus_gains[tap.bus];
            let loudness = |tap: &Tap| {
                let threshold = self.partial_buses[tap.bus].masking.min_threshold(span);
                energy * gain * at_listener(tap) / threshold
            };
            let taps = voice.routing.taps().iter();
            let loudness = taps.clone().map(loudness).fold(0.0, f32::max);
            let at_listener = taps.map(at_listener).fold(0.0, f32::max);
            let loudness = loudness.min(1e37);
            let exact = load.forces > 0 || voice.is_fading();
            let waited = if now < voice.perceptual.served_until {
                u32::MAX
            } else {
                voice.perceptual.waited
            };
            let cost = self.costs.perceptual(&voice.layout, load, exact) * 1e-3;
            let quantum = if exact { cost } else { cost / voice.layout.rows.max(1) as f64 };
            let has_impulses =
                ![events.jumps, events.pulses, events.bursts].iter().all(|e| e.is_empty());
            self.candidates.push(Candidate {
                slot,
                loudness,
                at_listener,
                waited,
                exact,
                cost,
                grant: cost,
                quantum,
                served_for_waiting: false,
                has_impulses,
            });
        }
    }

    fn render_partials(
        &mut self,
        due: &[Scheduled],
        gain: f32,
        scratch: &mut Scratch,
        timer: &mut BlockTimer,
        report: &mut BankReport,
        out: &mut [f32],
    ) {
        let (level, block) = (scratch.level, scratch.block);
        let (fixed, row) = self.fixed_cost(block);
        timer.charge(fixed);
        let left = self.budget.map(|budget| (budget.micros - timer.spent()).max(0.0));
        let mut most = left.map_or(usize::MAX, |left| (left / (row * timer.cost_scale)) as usize);
        let Self { partial_buses, impulses, releases, bus_gains, partial_rows, .. } = self;
        *partial_rows = 0;
        for partials in partial_buses.iter_mut().filter(|partials| !partials.is_idle()) {
            partials.compute_carriers(level, block);
        }
        let began = self.measure_decision_time.then(clock::now).flatten();
        for (partials, bus_gain) in partial_buses.iter_mut().zip(&*bus_gains) {
            if !partials.is_idle() {
                partials.spread(gain * bus_gain);
            }
        }
        // Energies add (Green 1967): a maximum would make masking depend on how sounds are spread
        // over buses.
        let buses = partial_buses.len();
        for bus in 0..buses {
            if partial_buses[bus].is_idle() {
                continue;
            }
            let BandMasking { threshold, total, .. } = &mut partial_buses[bus].masking;
            let (mut threshold, mut total) = (std::mem::take(threshold), std::mem::take(total));
            let sounding = partial_buses.iter().enumerate();
            let sounding = sounding.filter(|(_, from)| !from.is_idle() && from.is_sounding());
            let maskers = sounding
                .clone()
                .map(|(other, from)| (&*from.masking.spread, releases[bus * buses + other][0]));
            weighted_sum(level, &mut threshold, maskers);
            let energies = sounding.map(|(other, from)| {
                (from.energy(), releases[bus * buses + other][1] * gain * bus_gains[other])
            });
            weighted_sum(level, &mut total, energies);
            let masking = &mut partial_buses[bus].masking;
            (masking.threshold, masking.total) = (threshold, total);
            masking.raise_to_quiet(level);
            masking.update_minima(level);
        }
        report.deciding_ns += elapsed_ns(began);
        impulses.sort_unstable_by_key(|h| (h.bus, h.at, h.strike));
        for (bus, (partials, out)) in
            partial_buses.iter_mut().zip(out.chunks_exact_mut(block)).enumerate()
        {
            if partials.is_idle() {
                continue;
            }
            report.computed += partials.plan_partials(level, block, gain * bus_gains[bus]);
            let rows = partials.limit_rows(most);
            most -= rows;
            *partial_rows += rows;
            timer.charge(row * rows as f64);
            let mine = impulses.iter().filter(|h| h.bus == bus);
            let routed = mine.map(|h| {
                let prepared = due[h.strike].strike.prepared();
                let bands: &[BandImpulse] = prepared.map_or(&[], |prepared| &prepared.bands);
                RoutedImpulse { at: h.at, bands, gain: h.gain, end_gain: h.end_gain }
            });
            partials.render(level, routed, out);
            partials.rest_if_silent(level);
        }
    }

    /// Clears the partials after non-finite output.
    pub(crate) fn clear(&mut self) {
        self.partial_buses.iter_mut().for_each(PartialBus::clear);
    }
}

pub(super) fn elapsed_ns(began: Option<Instant>) -> u64 {
    clock::elapsed(began).as_nanos() as u64
}

/// Ends the block of all voices; retires those that have faded out.
fn end_blocks(
    voices: &mut [Option<Box<Voice>>],
    pending: usize,
    retired: &mut Vec<Retired>,
    block: usize,
) {
    for (slot, entry) in voices.iter_mut().enumerate() {
        let Some(voice) = entry else { continue };
        let room = retired.len() + pending < retired.capacity();
        if !voice.end_block(block) && room {
            retired.extend(entry.take().map(|voice| Retired::Voice(slot, voice)));
        }
    }
}

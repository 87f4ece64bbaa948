//! The mode bank: renders all voices of a scene, block by block.

use derive_setters::Setters;
use std::collections::VecDeque;
use std::sync::Arc;
use thiserror::Error;

use crate::resonator::cost_model::Costs;
use crate::resonator::layout::{Gains, Layout};
use crate::resonator::perceptual::{BlockInputs, Budget, PerceptualScheduler, Synthesis};
use crate::resonator::route::{Route, Tap};
use crate::resonator::scratch::{Bus, Scratch};
use crate::resonator::strike::{Scheduled, Strike};
use crate::resonator::synthesis_switch::SynthesisSwitch;
use crate::resonator::voice::{Events, Voice};
use crate::simd::Cpu;

/// Blocks between two looks at a voice for its silence.
const SILENCE_INTERVAL: usize = 16;

/// How the modes of a voice are computed. All kernels give the same sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kernel {
    /// The cheaper of the two below, for each voice and block.
    #[default]
    Auto,
    /// A recurrence per mode and sample.
    PerSample,
    /// Moments on a shared spectral grid, once per block.
    Spectral,
}

/// Settings of a bank.
#[derive(Debug, Clone, Copy, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct BankSettings {
    /// f_s.
    pub sample_rate_hz: f64,
    /// B: block length in samples, a power of two from 32 to 1024.
    pub block: usize,
    /// Number of separate outputs.
    pub buses: usize,
    /// Largest number of voices.
    pub voices: usize,
    /// Largest number of scheduled or active impacts.
    pub strikes: usize,
    /// The kernel.
    pub kernel: Kernel,
    /// The instruction set.
    pub cpu: Cpu,
    /// The cost model of `Kernel::Auto` and of the budget.
    pub costs: Costs,
    /// Whether all modes are computed, or only what is audible.
    pub synthesis: Synthesis,
    /// Time limit of a block, unless `synthesis` is [`Synthesis::Exact`].
    #[setters(into)]
    pub budget: Option<Budget>,
    /// Whether the time of the audibility decisions is measured ([`BankReport::deciding_ns`]).
    pub measure_decision_time: bool,
    /// Largest number of modes that [`Synthesis::Masking2004`] compares with each other in a block,
    /// after its prefilter. Modes beyond it, in the quietest voices, are all computed.
    pub modes: usize,
}

impl Default for BankSettings {
    fn default() -> Self {
        Self {
            sample_rate_hz: 48_000.0,
            block: 512,
            buses: 1,
            voices: 1024,
            strikes: 4096,
            kernel: Kernel::Auto,
            cpu: Cpu::Best,
            costs: Costs::FIXED,
            synthesis: Synthesis::Exact,
            budget: None,
            measure_decision_time: false,
            modes: 65_536,
        }
    }
}

/// Why a bank cannot be made.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum BankError {
    /// Block length not supported by the spectral kernel.
    #[error("unsupported block length of {0} samples: use 32, 64, 128, 256, 512 or 1024")]
    Block(usize),
    /// Invalid sample rate.
    #[error("unsupported sample rate of {0} Hz: use 8000 to 768000 Hz")]
    SampleRate(f64),
}

/// Statistics of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BankReport {
    /// Voices that moved.
    pub awake: usize,
    /// Voices computed by the spectral kernel.
    pub spectral: usize,
    /// Modes of all voices, silent ones included.
    pub modes: usize,
    /// Audible modes: of voices that moved, or that are not masked.
    pub audible: usize,
    /// Oscillators computed sample by sample: modes, or partials in their place.
    pub computed: usize,
    /// Modes left out by the budget.
    pub left_out: usize,
    /// Time by the clock of the budget, nanoseconds; 0 without a budget.
    pub used_ns: u64,
    /// Time of the audibility decisions, nanoseconds, when measured.
    pub deciding_ns: u64,
    /// Forces with non-finite samples that were silenced, since the start.
    pub bad_forces: u64,
}

impl BankReport {
    /// Adds the figures of voices of the same block.
    fn add(&mut self, other: &Self) {
        self.awake += other.awake;
        self.spectral += other.spectral;
        self.modes += other.modes;
        self.audible += other.audible;
        self.computed += other.computed;
        self.left_out += other.left_out;
        self.used_ns += other.used_ns;
        self.deciding_ns += other.deciding_ns;
    }
}

/// Memory that must be freed off the audio thread.
#[derive(Debug)]
pub enum Retired {
    /// A released voice and its slot, which is free again.
    Voice(usize, Box<Voice>),
    /// A strike that is over.
    Strike(Strike),
    /// A change of synthesis that is complete, with what the old one needed.
    Switch(Box<SynthesisSwitch>),
}

/// All voices of a scene. Real-time: after construction nothing here allocates, locks, waits or
/// panics; retired memory is kept in a list, to be freed elsewhere.
pub struct Bank {
    pub(super) settings: BankSettings,
    pub(super) voices: Vec<Option<Box<Voice>>>,
    /// All slots from here on are empty.
    pub(super) extent: usize,
    /// Future strikes, the earliest first.
    pub(super) waiting: VecDeque<Scheduled>,
    /// Active strikes.
    pub(super) strikes: Vec<Scheduled>,
    pub(super) retired: Vec<Retired>,
    buses: Vec<Bus>,
    /// The bus of a single voice, for one whose gain is not 1 or changes.
    voice_bus: Bus,
    pub(super) scratch: Scratch,
    clock: u64,
    pub(super) report: BankReport,
    pub(super) scheduler: Option<PerceptualScheduler>,
    /// A change of synthesis that is under way.
    pub(super) switch: Option<Box<SynthesisSwitch>>,
    /// A change of synthesis that is complete.
    pub(super) finished_switch: Option<Box<SynthesisSwitch>>,
    /// Voices that the old synthesis still renders.
    pub(super) leaving: Vec<Option<Box<Voice>>>,
    /// Slots of voices of which a part fades in.
    pub(super) fading_in: Vec<usize>,
    /// Number of changes of layouts.
    pub(super) generation: u32,
    /// Strikes in the present layouts, sorted by id.
    pub(super) replacements: Vec<Strike>,
}

impl Bank {
    /// Makes a bank with room for everything its settings allow.
    pub fn new(settings: BankSettings) -> Result<Self, BankError> {
        let block = settings.block;
        if !block.is_power_of_two() || !(32..=1024).contains(&block) {
            return Err(BankError::Block(block));
        }
        if !(8_000.0..=768_000.0).contains(&settings.sample_rate_hz) {
            return Err(BankError::SampleRate(settings.sample_rate_hz));
        }
        let scratch = Scratch::new(block, settings.cpu.level());
        Ok(Self {
            voices: (0..settings.voices).map(|_| None).collect(),
            extent: 0,
            waiting: VecDeque::with_capacity(settings.strikes),
            strikes: Vec::with_capacity(settings.strikes),
            retired: Vec::with_capacity(settings.strikes + settings.voices),
            buses: (0..settings.buses.max(1)).map(|_| Bus::new(&scratch)).collect(),
            voice_bus: Bus::new(&scratch),
            scratch,
            clock: 0,
            report: BankReport::default(),
            scheduler: PerceptualScheduler::new(&settings),
            switch: None,
            finished_switch: None,
            leaving: (0..settings.voices).map(|_| None).collect(),
            fading_in: Vec::with_capacity(settings.voices),
            generation: 0,
            replacements: Vec::new(),
            settings,
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &BankSettings {
        &self.settings
    }

    /// Returns a layout for modes of this bank: frequencies in Hz, decay rates in 1/s.
    pub fn layout(&self, f: &[f64], d: &[f64]) -> Arc<Layout> {
        let BankSettings { sample_rate_hz, block, .. } = self.settings;
        Arc::new(self.settings.synthesis.layout(f, d, sample_rate_hz, block))
    }

    /// Returns the first sample of the next block.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Puts a voice in a free slot. Returns it when the slot is taken or does not exist, or when
    /// it was made for another block length, sample rate or synthesis, or for a bus that does not
    /// exist.
    pub fn insert(&mut self, slot: usize, voice: Box<Voice>) -> Result<(), Box<Voice>> {
        let (layout, settings) = (&voice.layout, &self.settings);
        let fits = layout.block == settings.block
            && layout.sample_rate_hz == settings.sample_rate_hz
            && layout.band_layout.as_ref().map(|g| g.detail)
                == self.scheduler.as_ref().map(PerceptualScheduler::detail)
            && voice.routing.bus() < self.buses.len()
            && self.leaving.get(slot).is_some_and(Option::is_none);
        match self.voices.get_mut(slot) {
            Some(free @ None) if fits => {
                *free = Some(voice);
                self.extent = self.extent.max(slot + 1);
                Ok(())
            }
            _ => Err(voice),
        }
    }

    /// Returns the voice in a slot.
    pub fn voice(&self, slot: usize) -> Option<&Voice> {
        self.voices.get(slot)?.as_deref().or(self.leaving.get(slot)?.as_deref())
    }

    /// Returns the voice in a slot, to move or drive its contacts.
    pub fn voice_mut(&mut self, slot: usize) -> Option<&mut Voice> {
        let leaving = self.leaving.get_mut(slot)?.as_deref_mut();
        self.voices.get_mut(slot)?.as_deref_mut().or(leaving)
    }

    /// Returns the voice in a slot after its hand-over to the present synthesis. Voices without a
    /// replacement end: they are not returned, even where the old synthesis still renders them.
    fn handed_over(&mut self, slot: usize) -> Option<&mut Voice> {
        self.hand_over_early(slot);
        self.voices.get_mut(slot)?.as_deref_mut()
    }

    /// Moves a contact of a voice: see [`Voice::move_contact`]. `gains` have the layout of the present
    /// synthesis.
    pub fn move_contact(&mut self, slot: usize, contact: usize, gains: Gains) -> Option<Gains> {
        match self.handed_over(slot) {
            Some(voice) => voice.move_contact(contact, gains),
            None => Some(gains),
        }
    }

    /// Fades a voice out and retires it.
    pub fn release(&mut self, slot: usize) {
        if let Some(voice) = self.voice_mut(slot) {
            voice.release();
        }
    }

    /// Returns whether another strike can be scheduled.
    pub fn has_room(&self) -> bool {
        self.pending() + self.retired.len() < self.settings.strikes
    }

    /// Returns the number of future and active strikes.
    pub(super) fn pending(&self) -> usize {
        self.waiting.len() + self.strikes.len()
    }

    /// Schedules an impact; a late one acts at once. Returns it when there is no such voice or no
    /// room.
    pub fn strike(&mut self, slot: usize, strike: Strike) -> Result<(), Strike> {
        let has_room = self.has_room();
        match self.handed_over(slot) {
            Some(voice) if has_room && strike.fits(&voice.layout) => {
                voice.strikes += 1;
                voice.pending += 1;
                voice.is_reported = false;
            }
            _ => return Err(strike),
        }
        let (generation, strike) = (self.generation, strike.not_before(self.clock));
        let strike = Scheduled { voice: slot, generation, strike };
        // Strikes mostly arrive in order of time: then this is the end.
        let first = strike.strike.first_sample();
        let at = self.waiting.partition_point(|s| s.strike.first_sample() <= first);
        self.waiting.insert(at, strike);
        Ok(())
    }

    /// Sets the playback level of one pascal, dB SPL ([`Listening::pascal_db`](super::Listening)).
    pub fn set_pascal_db(&mut self, pascal_db: f64) {
        self.schedulers().for_each(|scheduler| scheduler.set_pascal_db(pascal_db));
    }

    /// Sets the direction of a bus as seen from the listener, ahead by default, and the factor on its
    /// amplitudes on the way to the listener, 1 by default. Audibility is judged at the listener;
    /// buses in other directions mask it less
    /// ([`spatial_release_db`](crate::perception::spatial_release_db)). The sound of the bus does not
    /// change.
    pub fn set_bus(&mut self, bus: usize, direction: [f64; 3], amplitude: f32) {
        self.schedulers().for_each(|scheduler| scheduler.set_bus(bus, direction, amplitude));
    }

    /// Sends a voice to another bus, or changes its gain, without a click. Ignores buses that do not
    /// exist.
    pub fn set_route(&mut self, slot: usize, route: Route) {
        if route.bus < self.buses.len()
            && route.gain.is_finite()
            && let Some(voice) = self.voice_mut(slot)
        {
            voice.set_route(route);
        }
    }

    /// Sets how many times slower than the cost model a virtual clock runs, to simulate a loaded
    /// machine.
    pub fn set_load(&mut self, load: f64) {
        self.schedulers().for_each(|scheduler| scheduler.set_load(load));
    }

    /// Returns the scheduler, and that of the old synthesis during a switch.
    fn schedulers(&mut self) -> impl Iterator<Item = &mut PerceptualScheduler> {
        let old = self.switch.iter_mut().filter_map(|switch| switch.scheduler.as_mut());
        self.scheduler.iter_mut().chain(old)
    }

    /// Returns the number of the coming block.
    pub(super) fn block_number(&self) -> u32 {
        (self.clock / self.settings.block as u64) as u32
    }

    /// Returns one retired item, to be freed off the audio thread.
    pub fn take_retired(&mut self) -> Option<Retired> {
        self.finished_switch.take().map(Retired::Switch).or_else(|| self.retired.pop())
    }

    /// Returns the statistics of the last block.
    pub fn report(&self) -> BankReport {
        self.report
    }

    /// Renders the next block: `out` holds the buses one after the other, B samples each.
    pub fn render(&mut self, out: &mut [f32]) {
        let block = self.settings.block;
        out.fill(0.0);
        let end = self.clock + block as u64;
        let before = self.retired.len();
        self.advance_switch();
        self.collect_due(end);
        let leaving = self.render_leaving(out);
        self.render_voices(out);
        self.report.add(&leaving);
        if self.retired.len() > before {
            self.retire_waiting();
        }
        self.retire_strikes(end);
        self.clock = end;
    }

    /// Renders the voices, by the present synthesis.
    pub(super) fn render_voices(&mut self, out: &mut [f32]) {
        self.report = BankReport { bad_forces: self.report.bad_forces, ..BankReport::default() };
        match self.scheduler.take() {
            Some(mut scheduler) => {
                self.render_perceptual(&mut scheduler, out);
                self.scheduler = Some(scheduler);
            }
            None => self.render_exact(out),
        }
        self.add_bursts(out);
    }

    /// Adds the bursts of this block to the buses of their voices, after the voices: whatever computes their modes, and
    /// however few are audible.
    fn add_bursts(&self, out: &mut [f32]) {
        let mut strikes = &self.strikes[..];
        while let Some(slot) = strikes.first().map(|strike| strike.voice) {
            let events;
            (events, strikes) = events_of(slot, self.clock, strikes);
            let Some(Some(voice)) = self.voices.get(slot) else { continue };
            if !events.bursts.is_empty() {
                voice.add_bursts(self.settings.block, events, out);
            }
        }
    }

    fn render_perceptual(&mut self, scheduler: &mut PerceptualScheduler, out: &mut [f32]) {
        let pending = self.pending();
        let Self { voices, extent, strikes, retired, scratch, report, clock, .. } = self;
        let voices = &mut voices[..*extent];
        scheduler.render(
            BlockInputs { start: *clock, voices, strikes, pending, retired, scratch, report },
            out,
        );
    }

    fn render_exact(&mut self, out: &mut [f32]) {
        let (block, start) = (self.settings.block, self.clock);
        let pending = self.pending();
        self.choose_kernels(start);
        let mut strikes = &self.strikes[..];
        for (slot, entry) in self.voices[..self.extent].iter_mut().enumerate() {
            let Some(voice) = entry else { continue };
            let events;
            (events, strikes) = events_of(slot, start, strikes);
            if voice.awake {
                voice.routing.advance();
            }
            let goes_on = match *voice.routing.taps() {
                [Tap { bus, start: 1.0, end: 1.0, .. }] => {
                    let Some(out) = out.get_mut(bus * block..(bus + 1) * block) else { continue };
                    voice.render(&mut self.scratch, events, &mut self.buses[bus].scratch(out))
                }
                _ => {
                    let mut sound = std::mem::take(&mut self.scratch.voice_buffer);
                    sound.fill(0.0);
                    let bus = &mut self.voice_bus;
                    let goes_on =
                        voice.render(&mut self.scratch, events, &mut bus.scratch(&mut sound));
                    bus.finish(&mut self.scratch, &mut sound);
                    voice.routing.taps().iter().for_each(|tap| tap.mix(&sound, out));
                    self.scratch.voice_buffer = sound;
                    goes_on
                }
            };
            // Its strikes are retired with it: they need room, too.
            let room = self.retired.len() + pending < self.retired.capacity();
            if !goes_on && room {
                self.retired.extend(entry.take().map(|voice| Retired::Voice(slot, voice)));
            }
        }
        for (bus, out) in self.buses.iter_mut().zip(out.chunks_exact_mut(block)) {
            bus.finish(&mut self.scratch, out);
        }
    }

    /// Passes each voice that has become silent to `each`, with its slot and the number of strikes it has
    /// accepted; once, until it is struck or driven again. Looks at every sixteenth slot in a block.
    pub fn report_silent(&mut self, mut each: impl FnMut(usize, u64) -> bool) {
        let block = self.clock / self.settings.block as u64;
        let first = (block % SILENCE_INTERVAL as u64) as usize;
        let slots = (first..self.extent).step_by(SILENCE_INTERVAL);
        for slot in slots {
            let Some(voice) = &mut self.voices[slot] else { continue };
            if voice.awake || voice.pending > 0 {
                voice.is_reported = false;
            } else if !voice.is_reported {
                voice.is_reported = each(slot, voice.strikes);
            }
        }
    }

    /// Silences the voices that caused a non-finite block.
    pub fn reset_nonfinite(&mut self) {
        let voices = self.voices.iter_mut().chain(&mut self.leaving);
        voices.flatten().for_each(|voice| voice.reset_nonfinite());
        self.buses.iter_mut().chain([&mut self.voice_bus]).for_each(Bus::clear);
        self.schedulers().for_each(PerceptualScheduler::clear);
    }

    /// Adds the strikes of this block to the active ones, sorted by voice.
    fn collect_due(&mut self, end: u64) {
        while self.waiting.front().is_some_and(|s| s.strike.first_sample() < end) {
            self.strikes.extend(self.waiting.pop_front());
        }
        self.exchange_strikes();
        self.strikes.sort_unstable_by_key(Scheduled::order);
    }

    fn choose_kernels(&mut self, start: u64) {
        let BankSettings { kernel, costs, block, .. } = self.settings;
        let mut strikes = &self.strikes[..];
        let mut gain = -costs.shared(block);
        let report = &mut self.report;
        (report.awake, report.spectral) = (0, 0);
        (report.modes, report.audible) = (0, 0);
        for (slot, entry) in self.voices[..self.extent].iter_mut().enumerate() {
            let Some(voice) = entry else { continue };
            let events;
            (events, strikes) = events_of(slot, start, strikes);
            report.bad_forces += voice.sanitise();
            let load = voice.load(events);
            report.modes += voice.layout.mode_count();
            if !voice.is_awake() {
                continue;
            }
            report.awake += 1;
            report.audible += voice.layout.mode_count();
            let spare = costs.recurrence(&voice.layout, load) - costs.spectral(&voice.layout, load);
            let spectral = kernel == Kernel::Spectral || (kernel == Kernel::Auto && spare > 0.0);
            voice.kernel = if spectral { Kernel::Spectral } else { Kernel::PerSample };
            if spectral && !voice.is_fading() {
                gain += spare;
                report.spectral += 1;
            }
        }
        report.computed = report.audible;
        if kernel == Kernel::Auto && gain <= 0.0 {
            report.spectral = 0;
            for voice in self.voices.iter_mut().flatten() {
                voice.kernel = Kernel::PerSample;
            }
        }
    }

    /// Retires strikes that are over, and those of retired voices.
    pub(super) fn retire_strikes(&mut self, end: u64) {
        for i in (0..self.strikes.len()).rev() {
            let over = self.strikes[i].strike.end(self.settings.sample_rate_hz) <= end;
            let gone = self.is_gone(self.strikes[i].voice);
            if (over || gone) && self.retired.len() < self.retired.capacity() {
                let done = self.strikes.swap_remove(i);
                if let Some(voice) = self.voice_mut(done.voice) {
                    voice.pending -= 1;
                }
                self.retired.push(Retired::Strike(done.strike));
            }
        }
    }

    /// Retires future strikes of retired voices.
    pub(super) fn retire_waiting(&mut self) {
        for i in (0..self.waiting.len()).rev() {
            let room = self.retired.len() < self.retired.capacity();
            if room && self.is_gone(self.waiting[i].voice) {
                let strike = self.waiting.remove(i).map(|s| Retired::Strike(s.strike));
                self.retired.extend(strike);
            }
        }
    }

    pub(super) fn is_gone(&self, slot: usize) -> bool {
        self.voice(slot).is_none()
    }
}

/// Returns the strikes of one voice from a list sorted by voice, and the remaining list.
pub(crate) fn events_of(
    slot: usize,
    start: u64,
    strikes: &[Scheduled],
) -> (Events<'_>, &[Scheduled]) {
    let strikes = &strikes[strikes.partition_point(|s| s.voice < slot)..];
    let (mine, remaining) = strikes.split_at(strikes.partition_point(|s| s.voice == slot));
    let (jumps, sounds) = mine.split_at(mine.partition_point(|s| s.order().1 == 0));
    let (pulses, bursts) = sounds.split_at(sounds.partition_point(|s| s.order().1 == 1));
    (Events { start, jumps, pulses, bursts }, remaining)
}

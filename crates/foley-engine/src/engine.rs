//! The engine: the half of a running scene that belongs to the caller's thread.

mod error;
mod positions;
mod excitation;
mod decays;
mod directivity;
pub(crate) mod spatial;
pub(crate) mod emitter_assignment;
mod voice_table;
mod synthesis;
mod telemetry;

pub use error::EngineError;

use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputStage;
use foley_dsp::propagation::Motion;
use foley_dsp::resonator::{Bank, BankSettings, Gains, Layout, Retired, Synthesis};
use glam::{DQuat, DVec3};
use rtrb::{Consumer, Producer, RingBuffer};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Weak};

use crate::frame_clock::FrameClock;
use crate::message::{Command, Garbage, Published};
use crate::output_tap::output_tap;
use crate::telemetry::TelemetryFrame;
use crate::{Renderer, Settings};
use decays::PendingDecays;
use spatial::Spatial;
use synthesis::{PendingStrike, StrikeRecipe};
use telemetry::TelemetryState;
use voice_table::VoiceTable;

/// Commands that fit between the threads.
const QUEUE: usize = 4096;
/// Strikes that the audio thread can hold besides those that are sent: so that it can always carry out
/// other commands.
const SPARE_STRIKES: usize = 64;
/// Numbers the objects of all engines.
static GENERATIONS: AtomicU64 = AtomicU64::new(1);
/// Strikes are sent this many seconds before they are due.
const SEND_AHEAD_S: f64 = 0.5;

/// Steps of gains near large bodies: 0.06 dB.
const STEPS_PER_OCTAVE: f64 = 96.0;

/// Handle of an object in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ObjectHandle {
    index: usize,
    generation: u64,
}

struct Entry {
    generation: u64,
    model: Arc<ModalModel>,
    /// Decay rates, if they are not those of the model.
    decays: Option<Arc<[f64]>>,
    layout: Arc<Layout>,
    channel: usize,
    motion: Motion,
    rotation: DQuat,
    /// Whether it has been given a position.
    is_placed: bool,
    /// Whether it was put elsewhere since the last tick.
    has_jumped: bool,
    gain: f64,
    /// The slot of its voice.
    voice: Option<usize>,
    /// Gains of its contacts, for a new voice.
    contacts: Vec<Option<Gains>>,
}

impl Entry {
    /// Returns its gain for a listener at a place, if it is at a place itself: large bodies are heard from their whole surface. In steps
    /// that are larger than those that are not sent again, so that it depends on the places alone, not on the way there.
    fn gain_at(&self, position_m: DVec3, listener_m: DVec3) -> f64 {
        let way = self.rotation.inverse() * (listener_m - position_m);
        let gain = self.model.area_source().map_or(1.0, |source| source.gain(way));
        self.gain * ((STEPS_PER_OCTAVE * gain.log2()).round() / STEPS_PER_OCTAVE).exp2()
    }
}

/// A position that is not due yet.
struct PendingMove {
    at_s: f64,
    object: ObjectHandle,
    position_m: [f64; 3],
    velocity_m_s: Option<[f64; 3]>,
}

/// A rotation that is not due yet.
struct PendingTurn {
    at_s: f64,
    object: ObjectHandle,
    rotation: DQuat,
}

/// Counters published by the audio thread.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The first sample not yet computed.
    pub clock: u64,
    /// Blocks that were silenced because they were not finite.
    pub bad_blocks: u64,
    /// Commands that the audio thread refused for lack of room.
    pub refused: u64,
    /// Blocks of forces that were silenced because they were not finite.
    pub bad_forces: u64,
    /// Objects that sounded in the last block.
    pub awake: u64,
    /// Modes of all objects.
    pub modes: u64,
    /// Modes that were audible in the last block.
    pub audible: u64,
    /// Oscillators computed: modes, or the partials that replace them.
    pub computed: u64,
    /// Modes dropped by the budget.
    pub left_out: u64,
    /// Time the last block took by the budget's clock, in nanoseconds; 0 without a budget.
    pub used_ns: u64,
    /// Time spent on audibility decisions, with `Settings::measure_decision_time`.
    pub deciding_ns: u64,
    /// Voices in use: objects that sound, or sounded a moment ago.
    pub voices: u64,
    /// Emitters in use.
    pub emitters: u64,
    /// Largest separation of a voice from its emitter in the last tick: 1 is a radian of direction,
    /// as much of the distance, or a semitone of Doppler shift. 0 while every object has its own.
    pub emitter_separation: f64,
}

/// Adds, strikes and removes objects. It belongs to the caller's thread, its [`Renderer`] to the
/// audio thread. Call [`Engine::update`] once a frame: it sends positions and strikes that are
/// nearly due and frees what the audio thread returned.
pub struct Engine {
    settings: Settings,
    entries: Vec<Option<Entry>>,
    /// Indices of entries that are free, the lowest last.
    free: Vec<usize>,
    voices: VoiceTable,
    spatial: Option<Spatial>,
    struck: u64,
    /// By their first sample and their number.
    waiting: BTreeMap<(u64, u64), PendingStrike>,
    /// Strikes that were sent and are not over, by their ids.
    sent: HashMap<u64, (ObjectHandle, StrikeRecipe)>,
    /// The ids of bursts that were sent and are not over.
    sent_bursts: HashSet<u64>,
    /// Settings of the resonators.
    bank: BankSettings,
    /// A synthesis that is to be switched to.
    wanted_synthesis: Option<Synthesis>,
    /// Whether the audio thread is switching.
    is_switching: bool,
    telemetry: TelemetryState,
    last_frame_s: f64,
    /// Objects that were put elsewhere since the last tick.
    jumped: Vec<usize>,
    /// Voices to be released.
    releases: VecDeque<usize>,
    /// Positions in order of time.
    moves: VecDeque<PendingMove>,
    /// Rotations in order of time.
    turns: VecDeque<PendingTurn>,
    /// Changes of decay rates in order of time.
    decay_changes: VecDeque<PendingDecays>,
    /// Layouts in use, by the address of their models.
    layouts: HashMap<usize, (Weak<ModalModel>, Weak<Layout>)>,
    commands: Producer<Command>,
    garbage: Consumer<Garbage>,
    published: Arc<Published>,
}

impl Engine {
    /// Returns an empty scene and its renderer.
    pub fn new(settings: Settings) -> Result<(Self, Renderer), EngineError> {
        let spatial = settings.spatial.map(|spatial| spatial.clamped());
        let settings = Settings { spatial, ..settings };
        let rate = f64::from(settings.sample_rate_hz);
        settings.validate()?;
        let voices = settings.voices();
        let bank_settings = BankSettings::default()
            .with_sample_rate_hz(rate)
            .with_block(settings.block)
            .with_buses(settings.buses())
            .with_voices(voices)
            .with_strikes(settings.sent_strikes() + SPARE_STRIKES)
            .with_kernel(settings.kernel)
            .with_cpu(settings.cpu)
            .with_costs(settings.costs())
            .with_synthesis(settings.calibrated())
            .with_budget(settings.budget)
            .with_measure_decision_time(settings.measure_decision_time);
        let bank = Bank::new(bank_settings)?;
        let emitters = settings.spatial.map(|spatial| spatial.emitter_set(&settings));
        let channels = if emitters.is_some() { 2 } else { settings.buses() };
        let output = OutputStage::new(settings.output, rate, channels)?;
        let (commands, received) = RingBuffer::new(QUEUE);
        let (discarded, garbage) =
            RingBuffer::new(2 * QUEUE + 2 * voices + settings.sent_strikes());
        let frame_clock = FrameClock::new(rate, settings.real_time);
        let published = Arc::new(Published::new(frame_clock));
        let gain = (1.0 / settings.full_scale_pa) as f32;
        let tap_size = [settings.block, channels];
        let tap = output_tap(settings.tap_s, settings.sample_rate_hz, tap_size, &published);
        let (writer, tap) = tap.unzip();
        let frame = || Box::new(TelemetryFrame::new(voices, settings.buses()));
        let frame = settings.telemetry.then(frame);
        let renderer = Renderer::new(
            bank,
            emitters,
            output,
            received,
            discarded,
            Arc::clone(&published),
            gain,
        )
        .with_forces(voices * settings.contacts)
        .with_tap(writer);
        let engine = Self {
            entries: (0..settings.objects).map(|_| None).collect(),
            free: (0..settings.objects).rev().collect(),
            voices: VoiceTable::new(voices),
            spatial: settings.spatial.map(|spatial| Spatial::new(&spatial, &settings, voices)),
            struck: 0,
            waiting: BTreeMap::new(),
            sent: HashMap::new(),
            sent_bursts: HashSet::new(),
            bank: bank_settings,
            wanted_synthesis: None,
            is_switching: false,
            telemetry: TelemetryState::new(frame, tap),
            last_frame_s: 0.0,
            jumped: Vec::new(),
            releases: VecDeque::new(),
            moves: VecDeque::new(),
            turns: VecDeque::new(),
            decay_changes: VecDeque::new(),
            layouts: HashMap::new(),
            commands,
            garbage,
            published,
            settings,
        };
        Ok((engine, renderer))
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the seconds of sound computed so far.
    pub fn now_s(&self) -> f64 {
        self.published.clock.load(Relaxed) as f64 / f64::from(self.settings.sample_rate_hz)
    }

    /// Returns the time of the caller's frame: not before that of the last one, and a block ahead of
    /// what is heard.
    pub(super) fn frame_s(&mut self) -> f64 {
        let block_s = self.settings.block as f64 / f64::from(self.settings.sample_rate_hz);
        self.last_frame_s = self.last_frame_s.max(self.published.frame_clock.now_s() + block_s);
        self.last_frame_s
    }

    /// Returns the time for which the next [`update`](Self::update) takes the positions of objects and
    /// listener, in seconds from the beginning.
    pub fn next_tick_s(&self) -> f64 {
        let clock = self.published.clock.load(Relaxed);
        let tick = self.spatial.as_ref().map_or(0, Spatial::tick);
        (clock + tick) as f64 / f64::from(self.settings.sample_rate_hz)
    }

    /// Adds an object, at the origin or on the first channel.
    pub fn add(&mut self, model: impl Into<Arc<ModalModel>>) -> Result<ObjectHandle, EngineError> {
        self.add_on(model, 0)
    }

    /// Adds an object at a position, m.
    pub fn add_at(
        &mut self,
        model: impl Into<Arc<ModalModel>>,
        position_m: [f64; 3],
    ) -> Result<ObjectHandle, EngineError> {
        let object = self.add(model)?;
        self.place(object, position_m).inspect_err(|_| {
            let _ = self.remove(object);
        })?;
        Ok(object)
    }

    /// Adds an object on a channel, of an engine without positions.
    pub fn add_on(
        &mut self,
        model: impl Into<Arc<ModalModel>>,
        channel: usize,
    ) -> Result<ObjectHandle, EngineError> {
        let channels = if self.spatial.is_some() { 1 } else { self.settings.channels.max(1) };
        if channel >= channels {
            return Err(EngineError::NoChannel { channel, channels });
        }
        let index = self.free.pop().ok_or(EngineError::TooManyObjects(self.entries.len()))?;
        let model = model.into();
        let layout = self.layout_of(&model, None);
        let generation = GENERATIONS.fetch_add(1, Relaxed);
        self.entries[index] = Some(Entry {
            generation,
            model,
            decays: None,
            layout,
            channel,
            motion: Motion::default(),
            rotation: DQuat::IDENTITY,
            is_placed: false,
            has_jumped: false,
            gain: 1.0,
            voice: None,
            contacts: Vec::new(),
        });
        Ok(ObjectHandle { index, generation })
    }

    /// Returns the layout of a model; objects of one model share it, unless they have decay rates of their own.
    fn layout_of(&mut self, model: &Arc<ModalModel>, decays: Option<&[f64]>) -> Arc<Layout> {
        let rate = f64::from(self.settings.sample_rate_hz);
        if let Some(d) = decays {
            let f = &model.frequencies_hz;
            return Arc::new(self.settings.synthesis.layout(f, d, rate, self.settings.block));
        }
        let key = Arc::as_ptr(model) as usize;
        if let Some((known, layout)) = self.layouts.get(&key)
            && known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, model))
            && let Some(layout) = layout.upgrade()
        {
            return layout;
        }
        let (f, d) = (&model.frequencies_hz, &model.decays);
        let layout = Arc::new(self.settings.synthesis.layout(f, d, rate, self.settings.block));
        self.layouts.retain(|_, (model, _)| model.strong_count() > 0);
        self.layouts.insert(key, (Arc::downgrade(model), Arc::downgrade(&layout)));
        layout
    }

    /// Removes an object; its sound fades out within 25 ms.
    pub fn remove(&mut self, object: ObjectHandle) -> Result<(), EngineError> {
        let voice = self.entry(object)?.voice;
        voice.into_iter().for_each(|slot| self.release(slot));
        self.entries[object.index] = None;
        self.free.push(object.index);
        self.waiting.retain(|_, waiting| waiting.object != object);
        self.moves.retain(|waiting| waiting.object != object);
        self.turns.retain(|waiting| waiting.object != object);
        self.decay_changes.retain(|waiting| waiting.object != object);
        Ok(())
    }

    /// Replaces the model of an object, for instance with that of another material. What rings fades
    /// out within 25 ms; the object is heard again when it is next excited.
    pub fn set_model(
        &mut self,
        object: ObjectHandle,
        model: impl Into<Arc<ModalModel>>,
    ) -> Result<(), EngineError> {
        let voice = self.entry(object)?.voice;
        voice.into_iter().for_each(|slot| self.release(slot));
        let model = model.into();
        let layout = self.layout_of(&model, None);
        let entry = self.entry_mut(object)?;
        (entry.model, entry.layout, entry.decays) = (model, layout, None);
        entry.voice = None;
        entry.contacts.clear();
        // Strikes that are not due yet were prepared for the old modes.
        self.waiting.retain(|_, waiting| waiting.object != object);
        self.decay_changes.retain(|waiting| waiting.object != object);
        Ok(())
    }

    /// Sends strikes that are nearly due, positions of the next tick, and frees what the audio thread
    /// returned.
    pub fn update(&mut self) {
        while let Ok(garbage) = self.garbage.pop() {
            match garbage {
                Garbage::Bank(Retired::Strike(strike))
                | Garbage::Command(Command::Strike { strike, .. }) => {
                    self.sent.remove(&strike.id());
                    self.sent_bursts.remove(&strike.id());
                }
                Garbage::Bank(Retired::Switch(_)) | Garbage::Command(Command::Switch(_)) => {
                    self.is_switching = false;
                }
                Garbage::Bank(Retired::Voice(slot, _)) => {
                    self.voices.give_back(slot);
                    self.spatial.iter_mut().for_each(|spatial| spatial.end(slot));
                }
                Garbage::Force(slot, _) | Garbage::Command(Command::Push { slot, .. }) => {
                    let voice = self.voices.get_mut(slot);
                    voice.into_iter().for_each(|v| v.forces = v.forces.saturating_sub(1));
                }
                Garbage::Silent { slot, strikes } => self.release_silent(slot, strikes),
                Garbage::Telemetry(frame) => self.read_telemetry(frame),
                Garbage::Snapshot(snapshot) => {
                    if let Some(spatial) = &mut self.spatial {
                        spatial.recycle(snapshot);
                    }
                }
                _ => {}
            }
        }
        self.send_releases();
        self.send_decay_changes();
        self.send_switch();
        self.send_telemetry();
        let clock = self.published.clock.load(Relaxed);
        let horizon = clock + (SEND_AHEAD_S * f64::from(self.settings.sample_rate_hz)) as u64;
        while self.commands.slots() > QUEUE / 4
            && let Some(next) = self.waiting.first_key_value()
            && next.0.0 < horizon
            && self.sent_of_kind(next.1) < self.settings.strikes
        {
            let object = next.1.object;
            match self.voice_of(object) {
                Ok(slot) => {
                    let Some((_, PendingStrike { strike, recipe, .. })) = self.waiting.pop_first()
                    else {
                        break;
                    };
                    if let Some(recipe) = recipe {
                        self.sent.insert(strike.id(), (object, recipe));
                    } else {
                        self.sent_bursts.insert(strike.id());
                    }
                    self.voices.get_mut(slot).into_iter().for_each(|voice| voice.strikes += 1);
                    // The queue has room: checked above.
                    let _ = self.send(Command::Strike { slot, strike });
                }
                // All voices are in use: the strike waits for one.
                Err(EngineError::Busy(_)) => break,
                // The object was removed.
                Err(_) => drop(self.waiting.pop_first()),
            }
        }
        self.send_positions(clock);
    }

    /// Returns the number of strikes like this one, impacts or bursts, that were sent and are not over.
    fn sent_of_kind(&self, strike: &PendingStrike) -> usize {
        if strike.recipe.is_some() { self.sent.len() } else { self.sent_bursts.len() }
    }

    /// Releases a voice, as soon as the queue has room.
    fn release(&mut self, slot: usize) {
        self.voices.get_mut(slot).into_iter().for_each(|voice| voice.is_leaving = true);
        self.releases.push_back(slot);
        self.send_releases();
    }

    fn send_releases(&mut self) {
        while !self.commands.is_full()
            && let Some(slot) = self.releases.pop_front()
        {
            // The queue has room: checked above.
            let _ = self.send(Command::Release { slot });
        }
    }

    /// Releases a voice that is silent, unless it was used since.
    fn release_silent(&mut self, slot: usize, strikes: u64) {
        let Some(voice) = self.voices.get_mut(slot) else { return };
        if voice.is_leaving || voice.forces > 0 || voice.strikes != strikes {
            return;
        }
        let object = voice.object;
        self.release(slot);
        if let Some(entry) = &mut self.entries[object]
            && entry.voice == Some(slot)
        {
            entry.voice = None;
        }
    }

    /// Sets the sound pressure level of a full-scale sine at the listener, dB SPL.
    pub fn set_playback_db(&mut self, playback_db: f64) -> Result<(), EngineError> {
        if !playback_db.is_finite() {
            return Err(EngineError::Playback(playback_db));
        }
        self.send(Command::Playback { pascal_db: self.settings.pascal_db(playback_db) })?;
        self.settings.playback_db = playback_db;
        Ok(())
    }

    /// Returns the number of strikes that wait to be sent.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Counters published by the audio thread.
    pub fn report(&self) -> Report {
        Report {
            clock: self.published.clock.load(Relaxed),
            bad_blocks: self.published.bad_blocks.load(Relaxed),
            refused: self.published.refused.load(Relaxed),
            bad_forces: self.published.bad_forces.load(Relaxed),
            awake: self.published.awake.load(Relaxed),
            modes: self.published.modes.load(Relaxed),
            audible: self.published.audible.load(Relaxed),
            computed: self.published.computed.load(Relaxed),
            left_out: self.published.left_out.load(Relaxed),
            used_ns: self.published.used_ns.load(Relaxed),
            deciding_ns: self.published.deciding_ns.load(Relaxed),
            voices: self.voices.len() as u64,
            emitters: self.spatial.as_ref().map_or(0, |s| s.assignment.emitters_in_use() as u64),
            emitter_separation: self.spatial.as_ref().map_or(0.0, |s| s.assignment.separation()),
        }
    }

    fn send(&mut self, command: Command) -> Result<(), EngineError> {
        self.commands.push(command).map_err(|_| EngineError::Busy(QUEUE))
    }

    fn entry(&self, object: ObjectHandle) -> Result<&Entry, EngineError> {
        let entry = self.entries.get(object.index).and_then(Option::as_ref);
        entry.filter(|e| e.generation == object.generation).ok_or(EngineError::NoObject)
    }

    fn entry_mut(&mut self, object: ObjectHandle) -> Result<&mut Entry, EngineError> {
        let entry = self.entries.get_mut(object.index).and_then(Option::as_mut);
        entry.filter(|e| e.generation == object.generation).ok_or(EngineError::NoObject)
    }
}

/// Latest time of a strike or a position, s: beyond, samples would not be counted exactly.
const MAX_TIME_S: f64 = 1e9;

pub(crate) fn check_time(at_s: f64) -> Result<(), EngineError> {
    if (0.0..=MAX_TIME_S).contains(&at_s) { Ok(()) } else { Err(EngineError::Time(at_s)) }
}

fn finite(numbers: &[f64], what: &'static str) -> Result<(), EngineError> {
    let all = numbers.iter().all(|x| x.is_finite());
    if all { Ok(()) } else { Err(EngineError::NotFinite(what)) }
}

//! The engine: the half of a running scene that belongs to the caller's thread.

use foley_dsp::excitation::{ContactError, DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::{ContactBody, ModalModel};
use foley_dsp::output::{OutputError, OutputStage};
use foley_dsp::propagation::{Motion, Position};
use foley_dsp::resonator::{
    Bank, BankError, BankSettings, ContactBuffers, Gains, Layout, Retired, Route, Strike, Voice,
};
use glam::{DQuat, DVec3};
use rtrb::{Consumer, Producer, RingBuffer};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use thiserror::Error;

use crate::emitter_assignment::Change;
use crate::force::Force;
use crate::message::{Command, Garbage, Published};
use crate::spatial::Spatial;
use crate::voice_table::VoiceTable;
use crate::{Listener, Renderer, Settings, SurfacePoint};

/// Commands that fit between the threads.
const QUEUE: usize = 4096;
/// Strikes are sent this many seconds before they are due.
const AHEAD_S: f64 = 0.5;

/// An error of the engine.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum EngineError {
    /// The resonator bank refused the settings.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// The output stage refused the settings.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Invalid impact parameters.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// The number of objects is at its limit.
    #[error("there are {0} objects already; raise Settings::objects or remove some")]
    TooManyObjects(usize),
    /// The output has no such channel.
    #[error("there is no channel {channel}: the output has {channels}")]
    NoChannel { channel: usize, channels: usize },
    /// The object was removed, or belongs to another engine.
    #[error("the object is not in the scene; it was removed or belongs to another engine")]
    NoObject,
    /// The object has no such surface point or contact.
    #[error("there is no {what} {index}: the object has {count}")]
    NoSurfacePoint { what: &'static str, index: usize, count: usize },
    /// Invalid time of a strike or a position.
    #[error("{0} s is no time: it must be finite and not negative")]
    Time(f64),
    /// Invalid position, direction or velocity.
    #[error("the {0} must be finite numbers")]
    NotFinite(&'static str),
    /// The engine was made without positions.
    #[error("objects have no positions here: make the engine with Settings::spatial()")]
    NotSpatial,
    /// Invalid gain.
    #[error("a gain of {0} dB: it must be below 100 dB")]
    Gain(f64),
    /// Invalid playback level.
    #[error("a playback level of {0} dB SPL: it must be finite")]
    Playback(f64),
    /// Invalid full scale.
    #[error("a full scale of {0} Pa: it must be positive")]
    FullScale(f64),
    /// The command queue is full.
    #[error("{0} commands wait for the audio thread already; render or play first")]
    Busy(usize),
}

/// Handle of an object in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ObjectHandle {
    index: usize,
    generation: u64,
}

struct Entry {
    generation: u64,
    model: Arc<ModalModel>,
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

/// A position that is not due yet.
struct PendingMove {
    at_s: f64,
    object: ObjectHandle,
    position_m: [f64; 3],
    velocity_m_s: Option<[f64; 3]>,
}

/// A strike that waits until it is nearly due.
struct PendingStrike {
    object: ObjectHandle,
    strike: Strike,
}

/// Counters published by the audio thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// The first sample not yet computed.
    pub clock: u64,
    /// Blocks that were silenced because they were not finite.
    pub bad_blocks: u64,
    /// Commands that the audio thread refused for lack of room.
    pub refused: u64,
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
    /// How far an object may be from its emitter: 1 is a radian of direction, as much of the
    /// distance, or a semitone of Doppler shift. 0 while every object has its own.
    pub emitter_tolerance: f64,
}

/// Adds, strikes and removes objects. It belongs to the caller's thread, its [`Renderer`] to the
/// audio thread. Call [`Engine::update`] about ten times a second: it sends strikes that are
/// nearly due and frees what the audio thread returned.
pub struct Engine {
    settings: Settings,
    entries: Vec<Option<Entry>>,
    /// Indices of entries that are free, the lowest last.
    free: Vec<usize>,
    voices: VoiceTable,
    spatial: Option<Spatial>,
    generation: u64,
    struck: u64,
    /// By their first sample and their number.
    waiting: BTreeMap<(u64, u64), PendingStrike>,
    /// Objects that were put elsewhere since the last tick.
    jumped: Vec<usize>,
    /// Voices to be released.
    releases: VecDeque<usize>,
    /// Positions in order of time.
    moves: VecDeque<PendingMove>,
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
        if !(settings.full_scale_pa > 0.0 && settings.full_scale_pa.is_finite()) {
            return Err(EngineError::FullScale(settings.full_scale_pa));
        }
        let voices = settings.voices();
        let bank = Bank::new(BankSettings {
            sample_rate_hz: rate,
            block: settings.block,
            buses: settings.buses(),
            voices,
            strikes: settings.strikes,
            kernel: settings.kernel,
            cpu: settings.cpu,
            costs: settings.costs(),
            synthesis: settings.calibrated(),
            budget: settings.budget,
            measure_decision_time: settings.measure_decision_time,
            ..BankSettings::default()
        })?;
        let emitters = settings.spatial.map(|spatial| spatial.emitter_set(&settings));
        let channels = if emitters.is_some() { 2 } else { settings.buses() };
        let output = OutputStage::new(settings.output, rate, channels)?;
        let (commands, obeyed) = RingBuffer::new(QUEUE);
        let (discarded, garbage) = RingBuffer::new(2 * QUEUE + 2 * voices + settings.strikes);
        let published = Arc::new(Published::default());
        let gain = (1.0 / settings.full_scale_pa) as f32;
        let renderer =
            Renderer::new(bank, emitters, output, obeyed, discarded, Arc::clone(&published), gain);
        let engine = Self {
            entries: (0..settings.objects).map(|_| None).collect(),
            free: (0..settings.objects).rev().collect(),
            voices: VoiceTable::new(voices),
            spatial: settings.spatial.map(|spatial| Spatial::new(&spatial, &settings, voices)),
            generation: 0,
            struck: 0,
            waiting: BTreeMap::new(),
            jumped: Vec::new(),
            releases: VecDeque::new(),
            moves: VecDeque::new(),
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
        let layout = self.layout_of(&model);
        self.generation += 1;
        let generation = self.generation;
        self.entries[index] = Some(Entry {
            generation,
            model,
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

    /// Returns the layout of a model; objects of one model share it.
    fn layout_of(&mut self, model: &Arc<ModalModel>) -> Arc<Layout> {
        let key = Arc::as_ptr(model) as usize;
        if let Some((known, layout)) = self.layouts.get(&key)
            && known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, model))
            && let Some(layout) = layout.upgrade()
        {
            return layout;
        }
        let rate = f64::from(self.settings.sample_rate_hz);
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
        let layout = self.layout_of(&model);
        let entry = self.entry_mut(object)?;
        (entry.model, entry.layout) = (model, layout);
        entry.voice = None;
        entry.contacts.clear();
        // Strikes that are not due yet were prepared for the old modes.
        self.waiting.retain(|_, waiting| waiting.object != object);
        Ok(())
    }

    /// Puts an object at a position, m, without a movement: what rings is cross-faded.
    pub fn place(&mut self, object: ObjectHandle, position_m: [f64; 3]) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_place(&position_m)?;
        let now_s = self.now_s();
        let entry = self.entry_mut(object)?;
        entry.is_placed = true;
        entry.motion = Motion::at_rest_since(now_s, position_m.into());
        if !std::mem::replace(&mut entry.has_jumped, true) {
            self.jumped.push(object.index);
        }
        self.moves.retain(|waiting| waiting.object != object);
        Ok(())
    }

    /// Moves an object from its last position to this one, m, now; call it once a frame. Its velocity,
    /// for the Doppler effect, is that since the last position.
    pub fn move_to(
        &mut self,
        object: ObjectHandle,
        position_m: [f64; 3],
    ) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_place(&position_m)?;
        let now_s = self.now_s();
        let entry = self.entry_mut(object)?;
        if !entry.is_placed {
            return self.place(object, position_m);
        }
        entry.motion.push(now_s, position_m.into());
        Ok(())
    }

    /// Moves an object to a position, m, that it has `at_s` seconds from the beginning. Without a given
    /// velocity it is that since the last position. Positions of all objects must be given in order of
    /// time.
    pub fn move_at(
        &mut self,
        object: ObjectHandle,
        position_m: [f64; 3],
        velocity_m_s: Option<[f64; 3]>,
        at_s: f64,
    ) -> Result<(), EngineError> {
        self.check_spatial()?;
        check_time(at_s)?;
        check_place(&position_m)?;
        finite(&velocity_m_s.unwrap_or_default(), "velocity")?;
        self.entry(object)?;
        self.moves.push_back(PendingMove { at_s, object, position_m, velocity_m_s });
        Ok(())
    }

    /// Sets the gain of an object, dB; what rings changes smoothly.
    pub fn set_gain_db(&mut self, object: ObjectHandle, gain_db: f64) -> Result<(), EngineError> {
        if gain_db.is_nan() || gain_db >= 100.0 {
            return Err(EngineError::Gain(gain_db));
        }
        let entry = self.entry_mut(object)?;
        entry.gain = 10f64.powf(gain_db / 20.0);
        let (voice, bus, gain) = (entry.voice, entry.channel, entry.gain as f32);
        match voice {
            // With positions, the next snapshot brings the new gain.
            Some(slot) if self.spatial.is_none() => {
                self.send(Command::Route { slot, route: Route { bus, gain } })
            }
            _ => Ok(()),
        }
    }

    /// Moves and turns the listener; call it once a frame.
    pub fn set_listener(&mut self, listener: Listener) -> Result<(), EngineError> {
        self.change_listener(listener, self.now_s(), false)
    }

    /// Moves the listener to where it is `at_s` seconds from the beginning, not before the last position.
    pub fn set_listener_at(&mut self, listener: Listener, at_s: f64) -> Result<(), EngineError> {
        check_time(at_s)?;
        self.change_listener(listener, at_s, false)
    }

    /// Puts the listener elsewhere, without a movement: what rings is cross-faded.
    pub fn place_listener(&mut self, listener: Listener) -> Result<(), EngineError> {
        self.change_listener(listener, self.now_s(), true)
    }

    fn change_listener(
        &mut self,
        listener: Listener,
        at_s: f64,
        jumps: bool,
    ) -> Result<(), EngineError> {
        if !listener.is_finite() {
            return Err(EngineError::NotFinite("position and the directions of the listener"));
        }
        check_place(&listener.position_m)?;
        let spatial = self.spatial.as_mut().ok_or(EngineError::NotSpatial)?;
        spatial.set_listener(listener, at_s, jumps);
        Ok(())
    }

    /// Strikes an object with a striker at a speed, `at_s` seconds from the beginning (at once
    /// when that time has passed). Duration and spectrum follow from Hertz contact of the two
    /// bodies. A speed of 0 makes no sound.
    pub fn strike(
        &mut self,
        object: ObjectHandle,
        point: SurfacePoint,
        striker: &Striker,
        speed_m_s: f64,
        at_s: f64,
    ) -> Result<(), EngineError> {
        let body: ContactBody = self.entry(object)?.model.body;
        match HertzPair::new(striker, &body)?.impact(speed_m_s, DEFAULT_RESTITUTION)? {
            Some(impact) => self.strike_with(object, point, impact, at_s),
            None => Ok(()),
        }
    }

    /// Lets two objects collide at a point of the world, m, with an impulse, N·s: both sound. The duration
    /// follows from Hertz contact of the two bodies, the speed from their masses.
    pub fn collide(
        &mut self,
        a: ObjectHandle,
        b: ObjectHandle,
        point_m: [f64; 3],
        impulse_ns: f64,
        at_s: f64,
    ) -> Result<(), EngineError> {
        finite(&point_m, "point")?;
        if impulse_ns == 0.0 {
            return Ok(());
        }
        let [body_a, body_b] = [self.entry(a)?.model.body, self.entry(b)?.model.body];
        let pair = HertzPair::new(&body_a, &body_b)?;
        let speed_m_s = impulse_ns / ((1.0 + DEFAULT_RESTITUTION) * pair.mass_kg());
        let impact = Impact::new(impulse_ns, pair.contact_time_s(speed_m_s))?;
        for object in [a, b] {
            let entry = self.entry(object)?;
            let way = DVec3::from(point_m) - entry.motion.at(at_s).position_m;
            let point = SurfacePoint::At((entry.rotation.inverse() * way).to_array());
            self.strike_with(object, point, impact, at_s)?;
        }
        Ok(())
    }

    /// Sets the rotation of an object, a unit quaternion x, y, z, w from its coordinates to the world.
    pub fn set_rotation(
        &mut self,
        object: ObjectHandle,
        rotation: [f64; 4],
    ) -> Result<(), EngineError> {
        let rotation = DQuat::from_array(rotation);
        if !(rotation.length() > 1e-9 && rotation.is_finite()) {
            return Err(EngineError::NotFinite("rotation, a quaternion that is not zero,"));
        }
        self.entry_mut(object)?.rotation = rotation.normalize();
        Ok(())
    }

    /// Strikes an object with a given impact.
    pub fn strike_with(
        &mut self,
        object: ObjectHandle,
        point: SurfacePoint,
        impact: Impact,
        at_s: f64,
    ) -> Result<(), EngineError> {
        let gains = point.gains(&self.entry(object)?.model)?;
        self.strike_with_gains(object, &gains, impact, at_s)
    }

    /// Strikes an object with a given impact and given gains, one for each mode of the model.
    pub fn strike_with_gains(
        &mut self,
        object: ObjectHandle,
        gains: &[f32],
        impact: Impact,
        at_s: f64,
    ) -> Result<(), EngineError> {
        check_time(at_s)?;
        let entry = self.entry(object)?;
        let start = at_s * f64::from(self.settings.sample_rate_hz);
        let strike = Strike::new(&entry.layout, gains, impact, start);
        self.struck += 1;
        let key = (strike.first_sample(), self.struck);
        self.waiting.insert(key, PendingStrike { object, strike });
        self.update();
        Ok(())
    }

    /// Moves a sustained contact, with given gains, one for each mode of the model.
    pub fn set_contact_gains(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        gains: &[f32],
    ) -> Result<(), EngineError> {
        let gains = self.contact_of(object, contact)?.layout.gains(gains);
        let slot = self.voice_of(object)?;
        self.give_buffers(slot, contact)?;
        let entry = self.entry_mut(object)?;
        if entry.contacts.len() <= contact {
            entry.contacts.resize(contact + 1, None);
        }
        entry.contacts[contact] = Some(gains.clone());
        self.send(Command::MoveContact { slot, contact, gains })
    }

    /// Moves a sustained contact; its gains are interpolated over the next block.
    pub fn move_contact(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        point: SurfacePoint,
    ) -> Result<(), EngineError> {
        let gains = point.gains(&self.contact_of(object, contact)?.model)?;
        self.set_contact_gains(object, contact, &gains)
    }

    /// Attaches a force to a contact until the force ends.
    pub fn attach_force(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        force: impl Force + 'static,
    ) -> Result<(), EngineError> {
        self.contact_of(object, contact)?;
        let slot = self.voice_of(object)?;
        self.give_buffers(slot, contact)?;
        self.send(Command::Push { slot, contact, force: Box::new(force) })?;
        self.voices.get_mut(slot).into_iter().for_each(|voice| voice.forces += 1);
        Ok(())
    }

    fn give_buffers(&mut self, slot: usize, contact: usize) -> Result<(), EngineError> {
        let Some(voice) = self.voices.get_mut(slot) else { return Ok(()) };
        if !voice.has_buffers[contact] {
            let buffers = ContactBuffers::new(self.settings.block);
            self.send(Command::ContactBuffers { slot, contact, buffers })?;
            let voice = self.voices.get_mut(slot);
            voice.into_iter().for_each(|voice| voice.has_buffers[contact] = true);
        }
        Ok(())
    }

    /// Returns the slot of the voice of an object; makes a voice if it has none.
    fn voice_of(&mut self, object: ObjectHandle) -> Result<usize, EngineError> {
        let entry = self.entry(object)?;
        if let Some(slot) = entry.voice {
            return Ok(slot);
        }
        // Emitter, voice, and gains and buffers of its contacts.
        if self.commands.slots() < 2 + 2 * self.settings.contacts {
            return Err(EngineError::Busy(QUEUE));
        }
        let layout = Arc::clone(&entry.layout);
        let contacts = entry.contacts.clone();
        let (motion, gain, channel) = (entry.motion, entry.gain, entry.channel);
        let slot = self
            .voices
            .take(object.index, self.settings.contacts)
            .ok_or(EngineError::Busy(self.settings.voices()))?;
        let now_s = self.now_s();
        let mut route = Route { bus: channel, gain: gain as f32 };
        if let Some(spatial) = &mut self.spatial {
            let (begun, changes) = spatial.begin(slot, motion.at(now_s), gain);
            route = begun;
            for change in changes {
                if let Change::Place { emitter, position } = change {
                    self.send(Command::Place { emitter, position })?;
                }
            }
        }
        let mut voice = Voice::without_buffers(layout, self.settings.contacts, route.bus);
        voice.set_route(route);
        self.send(Command::Insert { slot, voice: Box::new(voice) })?;
        if let Some(entry) = &mut self.entries[object.index] {
            entry.voice = Some(slot);
        }
        for (contact, gains) in contacts.into_iter().enumerate() {
            if let Some(gains) = gains {
                self.give_buffers(slot, contact)?;
                self.send(Command::MoveContact { slot, contact, gains })?;
            }
        }
        Ok(slot)
    }

    /// Sends strikes that are nearly due, positions of the next tick, and frees what the audio thread
    /// returned.
    pub fn update(&mut self) {
        while let Ok(garbage) = self.garbage.pop() {
            match garbage {
                Garbage::Bank(Retired::Voice(slot, _)) => {
                    self.voices.give_back(slot);
                    self.spatial.iter_mut().for_each(|spatial| spatial.end(slot));
                }
                Garbage::Force(slot, _) | Garbage::Command(Command::Push { slot, .. }) => {
                    let voice = self.voices.get_mut(slot);
                    voice.into_iter().for_each(|v| v.forces = v.forces.saturating_sub(1));
                }
                Garbage::Silent { slot, strikes } => self.release_silent(slot, strikes),
                Garbage::Snapshot(snapshot) => {
                    if let Some(spatial) = &mut self.spatial {
                        spatial.recycle(snapshot);
                    }
                }
                _ => {}
            }
        }
        self.send_releases();
        let clock = self.published.clock.load(Relaxed);
        let horizon = clock + (AHEAD_S * f64::from(self.settings.sample_rate_hz)) as u64;
        while self.commands.slots() > QUEUE / 4
            && let Some(next) = self.waiting.first_key_value()
            && next.0.0 < horizon
        {
            let object = next.1.object;
            match self.voice_of(object) {
                Ok(slot) => {
                    let Some((_, PendingStrike { strike, .. })) = self.waiting.pop_first() else {
                        break;
                    };
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

    /// Sends the positions of the tick that is due.
    fn send_positions(&mut self, clock: u64) {
        let Some(at) = self.spatial.as_ref().and_then(|spatial| spatial.due(clock)) else { return };
        if self.commands.is_full() {
            return;
        }
        let at_s = at as f64 / f64::from(self.settings.sample_rate_hz);
        while let Some(due) = self.moves.pop_front_if(|next| next.at_s <= at_s) {
            let PendingMove { at_s, object, position_m, velocity_m_s } = due;
            let Ok(entry) = self.entry_mut(object) else { continue };
            let position_m = position_m.into();
            if !std::mem::replace(&mut entry.is_placed, true) {
                entry.motion = Motion::at_rest_since(at_s, position_m);
            }
            match velocity_m_s {
                Some(v) => {
                    let position = Position { position_m, velocity_m_s: v.into() };
                    entry.motion.push_with_velocity(at_s, position);
                }
                None => entry.motion.push(at_s, position_m),
            }
        }
        let Self { spatial: Some(spatial), voices, entries, .. } = self else { return };
        let place_of = |slot: usize| {
            let voice = voices.get(slot)?;
            let entry = entries[voice.object].as_ref().filter(|entry| entry.voice == Some(slot))?;
            Some((entry.motion.at(at_s), entry.has_jumped, entry.gain))
        };
        let snapshot = spatial.snapshot(at, place_of);
        for index in self.jumped.drain(..) {
            self.entries[index].iter_mut().for_each(|entry| entry.has_jumped = false);
        }
        // The queue has room: checked above.
        let _ = self.commands.push(Command::Snapshot(snapshot));
    }

    /// Sets the sound pressure level of a full-scale sine at the listener, dB SPL.
    pub fn set_playback_db(&mut self, playback_db: f64) -> Result<(), EngineError> {
        if !playback_db.is_finite() {
            return Err(EngineError::Playback(playback_db));
        }
        self.send(Command::Playback { pascal_db: self.settings.pascal_db(playback_db) })
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
            awake: self.published.awake.load(Relaxed),
            modes: self.published.modes.load(Relaxed),
            audible: self.published.audible.load(Relaxed),
            computed: self.published.computed.load(Relaxed),
            left_out: self.published.left_out.load(Relaxed),
            used_ns: self.published.used_ns.load(Relaxed),
            deciding_ns: self.published.deciding_ns.load(Relaxed),
            voices: self.voices.len() as u64,
            emitters: self.spatial.as_ref().map_or(0, |s| s.assignment.emitters_in_use() as u64),
            emitter_tolerance: self.spatial.as_ref().map_or(0.0, |s| s.assignment.tolerance()),
        }
    }

    fn check_spatial(&self) -> Result<(), EngineError> {
        if self.spatial.is_some() { Ok(()) } else { Err(EngineError::NotSpatial) }
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

    fn contact_of(&self, object: ObjectHandle, contact: usize) -> Result<&Entry, EngineError> {
        let (entry, count) = (self.entry(object)?, self.settings.contacts);
        if contact < count {
            return Ok(entry);
        }
        Err(EngineError::NoSurfacePoint { what: "contact", index: contact, count })
    }
}

fn check_time(at_s: f64) -> Result<(), EngineError> {
    if at_s >= 0.0 && at_s.is_finite() { Ok(()) } else { Err(EngineError::Time(at_s)) }
}

/// Largest coordinate, m: beyond, single precision and squares would overflow.
const MAX_COORDINATE_M: f64 = 1e9;

fn check_place(position_m: &[f64; 3]) -> Result<(), EngineError> {
    let all = position_m.iter().all(|x| x.abs() <= MAX_COORDINATE_M);
    if all { Ok(()) } else { Err(EngineError::NotFinite("position within 1e9 m")) }
}

fn finite(numbers: &[f64], what: &'static str) -> Result<(), EngineError> {
    let all = numbers.iter().all(|x| x.is_finite());
    if all { Ok(()) } else { Err(EngineError::NotFinite(what)) }
}

//! The engine: the half of a running scene that belongs to the caller's thread.

use foley_dsp::excitation::{ContactError, DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::{ContactBody, ModalModel};
use foley_dsp::output::{OutputError, OutputStage};
use foley_dsp::resonator::{Bank, BankError, BankSettings, Layout, Retired, Strike, Voice};
use rtrb::{Consumer, Producer, RingBuffer};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use thiserror::Error;

use crate::force::Force;
use crate::message::{Command, Garbage, Published};
use crate::{Renderer, Settings, SurfacePoint};

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
    /// Invalid time of a strike.
    #[error("a strike at {0} s: the time must be finite and not negative")]
    Time(f64),
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
    slot: usize,
    generation: u64,
}

struct Entry {
    generation: u64,
    model: Arc<ModalModel>,
    layout: Arc<Layout>,
    contacts: usize,
}

/// A strike that waits until it is nearly due.
struct PendingStrike {
    slot: usize,
    generation: u64,
    strike: Strike,
}

/// Counters published by the audio thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

/// Adds, strikes and removes objects. It belongs to the caller's thread, its [`Renderer`] to the
/// audio thread. Call [`Engine::update`] about ten times a second: it sends strikes that are
/// nearly due and frees what the audio thread returned.
pub struct Engine {
    settings: Settings,
    entries: Vec<Option<Entry>>,
    generation: u64,
    struck: u64,
    /// By their first sample and their number.
    waiting: BTreeMap<(u64, u64), PendingStrike>,
    /// Layouts in use, by the address of their models.
    layouts: HashMap<usize, (Weak<ModalModel>, Weak<Layout>)>,
    commands: Producer<Command>,
    garbage: Consumer<Garbage>,
    published: Arc<Published>,
}

impl Engine {
    /// Returns an empty scene and its renderer.
    pub fn new(settings: Settings) -> Result<(Self, Renderer), EngineError> {
        let rate = f64::from(settings.sample_rate_hz);
        let channels = settings.channels.max(1);
        if !(settings.full_scale_pa > 0.0 && settings.full_scale_pa.is_finite()) {
            return Err(EngineError::FullScale(settings.full_scale_pa));
        }
        let bank = Bank::new(BankSettings {
            sample_rate_hz: rate,
            block: settings.block,
            buses: channels,
            voices: settings.objects,
            strikes: settings.strikes,
            kernel: settings.kernel,
            cpu: settings.cpu,
            costs: settings.costs(),
            synthesis: settings.calibrated(),
            budget: settings.budget,
            measure_decision_time: settings.measure_decision_time,
            ..BankSettings::default()
        })?;
        let output = OutputStage::new(settings.output, rate, channels)?;
        let (commands, obeyed) = RingBuffer::new(QUEUE);
        let (discarded, garbage) = RingBuffer::new(2 * QUEUE + settings.objects + settings.strikes);
        let published = Arc::new(Published::default());
        let gain = (1.0 / settings.full_scale_pa) as f32;
        let renderer = Renderer::new(bank, output, obeyed, discarded, Arc::clone(&published), gain);
        let engine = Self {
            entries: (0..settings.objects).map(|_| None).collect(),
            generation: 0,
            struck: 0,
            waiting: BTreeMap::new(),
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

    /// Adds an object on the first channel, with room for four sustained contacts.
    pub fn add(&mut self, model: impl Into<Arc<ModalModel>>) -> Result<ObjectHandle, EngineError> {
        self.add_with(model, 0, 4)
    }

    /// Adds an object.
    pub fn add_with(
        &mut self,
        model: impl Into<Arc<ModalModel>>,
        channel: usize,
        contacts: usize,
    ) -> Result<ObjectHandle, EngineError> {
        self.update();
        self.check_channel(channel)?;
        let slot = self.entries.iter().position(Option::is_none);
        let slot = slot.ok_or(EngineError::TooManyObjects(self.entries.len()))?;
        let model = model.into();
        let layout = self.layout_of(&model);
        let voice = Box::new(Voice::new(Arc::clone(&layout), contacts, channel));
        self.send(Command::Insert { slot, voice })?;
        self.generation += 1;
        let generation = self.generation;
        self.entries[slot] = Some(Entry { generation, model, layout, contacts });
        Ok(ObjectHandle { slot, generation })
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
        self.entry(object)?;
        self.send(Command::Release { slot: object.slot })?;
        // The slot stays taken until the audio thread gives the voice back.
        if let Some(entry) = &mut self.entries[object.slot] {
            entry.generation = 0;
        }
        Ok(())
    }

    /// Strikes an object with a striker at `speed` m/s, `at` seconds from the beginning (at once
    /// when that time has passed). Duration and spectrum follow from Hertz contact of the two
    /// bodies. A speed of 0 makes no sound.
    pub fn strike(
        &mut self,
        object: ObjectHandle,
        point: SurfacePoint,
        striker: &Striker,
        speed: f64,
        at: f64,
    ) -> Result<(), EngineError> {
        let body: ContactBody = self.entry(object)?.model.body;
        match HertzPair::new(striker, &body)?.impact(speed, DEFAULT_RESTITUTION)? {
            Some(impact) => self.strike_with(object, point, impact, at),
            None => Ok(()),
        }
    }

    /// Strikes an object with a given impact.
    pub fn strike_with(
        &mut self,
        object: ObjectHandle,
        point: SurfacePoint,
        impact: Impact,
        at: f64,
    ) -> Result<(), EngineError> {
        let gains = point.gains(&self.entry(object)?.model)?;
        self.strike_with_gains(object, &gains, impact, at)
    }

    /// Strikes an object with a given impact and given gains, one for each mode of the model,
    /// for instance with the attenuation of the path to the listener.
    pub fn strike_with_gains(
        &mut self,
        object: ObjectHandle,
        gains: &[f32],
        impact: Impact,
        at: f64,
    ) -> Result<(), EngineError> {
        if !(at >= 0.0 && at.is_finite()) {
            return Err(EngineError::Time(at));
        }
        let entry = self.entry(object)?;
        let start = at * f64::from(self.settings.sample_rate_hz);
        let strike = Strike::new(&entry.layout, gains, impact, start);
        self.struck += 1;
        let ObjectHandle { slot, generation } = object;
        let key = (strike.first_sample(), self.struck);
        self.waiting.insert(key, PendingStrike { slot, generation, strike });
        self.update();
        Ok(())
    }

    /// Moves a lasting contact to a slot with given gains, one for each mode of the model.
    pub fn set_contact_gains(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        gains: &[f32],
    ) -> Result<(), EngineError> {
        let gains = self.contact_of(object, contact)?.layout.gains(gains);
        self.send(Command::MoveContact { slot: object.slot, contact, gains })
    }

    /// Moves a sustained contact; its gains are interpolated over the next block.
    pub fn move_contact(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        point: SurfacePoint,
    ) -> Result<(), EngineError> {
        let entry = self.contact_of(object, contact)?;
        let gains = entry.layout.gains(&point.gains(&entry.model)?);
        self.send(Command::MoveContact { slot: object.slot, contact, gains })
    }

    /// Attaches a force to a contact until the force ends.
    pub fn attach_force(
        &mut self,
        object: ObjectHandle,
        contact: usize,
        force: impl Force + 'static,
    ) -> Result<(), EngineError> {
        self.contact_of(object, contact)?;
        self.send(Command::Push { slot: object.slot, contact, force: Box::new(force) })
    }

    /// Sends strikes that are nearly due and frees what the audio thread returned.
    pub fn update(&mut self) {
        while let Ok(garbage) = self.garbage.pop() {
            if let Garbage::Bank(Retired::Voice(slot, _)) = garbage {
                self.entries[slot] = None;
            }
        }
        let horizon = self.published.clock.load(Relaxed)
            + (AHEAD_S * f64::from(self.settings.sample_rate_hz)) as u64;
        while self.commands.slots() > QUEUE / 4
            && let Some(next) = self.waiting.first_entry()
            && next.key().0 < horizon
        {
            let PendingStrike { slot, generation, strike } = next.remove();
            let alive = self.entries[slot].as_ref().is_some_and(|e| e.generation == generation);
            if alive {
                // The queue has room: checked above.
                let _ = self.send(Command::Strike { slot, strike });
            }
        }
    }

    /// Sets the sound pressure level of a full-scale sine at the listener, dB SPL.
    pub fn set_playback_db(&mut self, playback_db: f64) -> Result<(), EngineError> {
        if !playback_db.is_finite() {
            return Err(EngineError::Playback(playback_db));
        }
        self.send(Command::Playback { pascal_db: self.settings.pascal_db(playback_db) })
    }

    /// Sets the direction of a channel as seen from the listener: sounds from other directions
    /// mask it less (spatial unmasking).
    pub fn set_direction(
        &mut self,
        channel: usize,
        direction: [f64; 3],
    ) -> Result<(), EngineError> {
        self.check_channel(channel)?;
        self.send(Command::Direction { channel, direction })
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
        }
    }

    fn check_channel(&self, channel: usize) -> Result<(), EngineError> {
        let channels = self.settings.channels.max(1);
        if channel < channels { Ok(()) } else { Err(EngineError::NoChannel { channel, channels }) }
    }

    fn send(&mut self, command: Command) -> Result<(), EngineError> {
        self.commands.push(command).map_err(|_| EngineError::Busy(QUEUE))
    }

    fn entry(&self, object: ObjectHandle) -> Result<&Entry, EngineError> {
        let entry = self.entries.get(object.slot).and_then(Option::as_ref);
        entry.filter(|e| e.generation == object.generation).ok_or(EngineError::NoObject)
    }

    fn contact_of(&self, object: ObjectHandle, contact: usize) -> Result<&Entry, EngineError> {
        let entry = self.entry(object)?;
        if contact < entry.contacts {
            return Ok(entry);
        }
        Err(EngineError::NoSurfacePoint { what: "contact", index: contact, count: entry.contacts })
    }
}

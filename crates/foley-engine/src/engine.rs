//! Your thread's half.

use foley_dsp::excitation::{ContactError, DEFAULT_RESTITUTION, HertzPair, Impact, Striker};
use foley_dsp::model::{Body, ModalModel};
use foley_dsp::output::{OutputError, OutputStage};
use foley_dsp::resonator::{Bank, BankError, BankSettings, Layout, Retired, Strike, Voice};
use rtrb::{Consumer, Producer, RingBuffer};
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Weak};
use thiserror::Error;

use crate::force::Force;
use crate::message::{Command, Garbage, Published};
use crate::{Renderer, Settings};

/// Commands that fit between the threads.
const QUEUE: usize = 4096;
/// Strikes are sent this many seconds before they are due.
const AHEAD_S: f64 = 0.5;

/// Why the engine cannot do what it was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The bank does not accept the settings.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// The output stage does not accept the settings.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// An impact nature does not know.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// No room for another object.
    #[error("{0} objects sound already; raise Settings::objects or remove some")]
    TooManyObjects(usize),
    /// A channel that the output does not have.
    #[error("there is no channel {channel}: the output has {channels}")]
    NoChannel {
        /// What was asked for.
        channel: usize,
        /// What there is.
        channels: usize,
    },
    /// An object that was removed, or of another engine.
    #[error("this object is not in the scene (any more)")]
    NoObject,
    /// A surface point or contact that does not exist.
    #[error("there is no {what} {index}: the object has {count}")]
    NoPlace {
        /// A point or a contact.
        what: &'static str,
        /// What was asked for.
        index: usize,
        /// What there is.
        count: usize,
    },
    /// A time that is not a time.
    #[error("{0} s is not a time to strike at")]
    Time(f64),
    /// A playback level that is not a level.
    #[error("{0} dB SPL is not a playback level")]
    Playback(f64),
    /// Full scale that is not a pressure.
    #[error("a full scale of {0} Pa will not do: it must be positive")]
    FullScale(f64),
    /// The audio thread does not keep up with the commands.
    #[error("{0} commands wait for the audio thread already; render or play first")]
    Busy(usize),
}

/// An object in the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Object {
    place: usize,
    generation: u64,
}

/// Where on an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// The surface point closest to these coordinates (m).
    At([f64; 3]),
    /// One of the model's own surface points.
    Point(usize),
    /// The surface point closest to coordinates (m), struck along a direction instead of
    /// along the surface's normal.
    Along {
        /// Where, m.
        at: [f64; 3],
        /// Which way; its length does not matter.
        direction: [f64; 3],
    },
}

struct Entry {
    generation: u64,
    model: Arc<ModalModel>,
    layout: Arc<Layout>,
    contacts: usize,
}

/// A strike kept here until it is nearly due; the earliest comes first.
struct Waiting {
    first: u64,
    number: u64,
    place: usize,
    generation: u64,
    strike: Strike,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (other.first, other.number).cmp(&(self.first, self.number))
    }
}

/// What the audio thread reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The first sample not yet computed.
    pub clock: u64,
    /// Blocks that were silenced because they were not finite.
    pub bad_blocks: u64,
    /// Commands the audio thread had no room for.
    pub refused: u64,
    /// Objects that sounded in the last block.
    pub awake: u64,
    /// Modes of all objects.
    pub modes: u64,
    /// Of them, those that could be heard in the last block.
    pub audible: u64,
    /// Oscillators computed for them: modes, or partials in their place.
    pub computed: u64,
    /// Modes the budget left out.
    pub left_out: u64,
    /// Time the last block took by the budget's clock, in nanoseconds; 0 without a budget.
    pub used_ns: u64,
    /// Time spent on deciding what is heard, when `Settings::measure_decision_time` asks for it.
    pub deciding_ns: u64,
}

/// Builds the scene and strikes it. Belongs to your thread; its [`Renderer`] to the audio
/// thread. Call [`Engine::update`] now and then (ten times a second will do): it sends
/// strikes that are nearly due and frees what the audio thread has done with.
pub struct Engine {
    settings: Settings,
    entries: Vec<Option<Entry>>,
    generation: u64,
    struck: u64,
    waiting: BinaryHeap<Waiting>,
    /// Layouts in use, by the address of their models.
    layouts: HashMap<usize, (Weak<ModalModel>, Weak<Layout>)>,
    commands: Producer<Command>,
    garbage: Consumer<Garbage>,
    published: Arc<Published>,
}

impl Engine {
    /// An empty scene and the renderer that sounds it.
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
            waiting: BinaryHeap::new(),
            layouts: HashMap::new(),
            commands,
            garbage,
            published,
            settings,
        };
        Ok((engine, renderer))
    }

    /// How the engine was made.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Seconds of sound computed so far.
    pub fn now_s(&self) -> f64 {
        self.published.clock.load(Relaxed) as f64 / f64::from(self.settings.sample_rate_hz)
    }

    /// Puts an object into the scene, heard on the first channel, with room for four
    /// lasting contacts.
    pub fn add(&mut self, model: impl Into<Arc<ModalModel>>) -> Result<Object, EngineError> {
        self.add_with(model, 0, 4)
    }

    /// Puts an object into the scene.
    pub fn add_with(
        &mut self,
        model: impl Into<Arc<ModalModel>>,
        channel: usize,
        contacts: usize,
    ) -> Result<Object, EngineError> {
        self.update();
        let channels = self.settings.channels.max(1);
        if channel >= channels {
            return Err(EngineError::NoChannel { channel, channels });
        }
        let place = self.entries.iter().position(Option::is_none);
        let place = place.ok_or(EngineError::TooManyObjects(self.entries.len()))?;
        let model = model.into();
        let layout = self.layout_of(&model);
        let voice = Box::new(Voice::new(Arc::clone(&layout), contacts, channel));
        self.send(Command::Insert { place, voice })?;
        self.generation += 1;
        let generation = self.generation;
        self.entries[place] = Some(Entry { generation, model, layout, contacts });
        Ok(Object { place, generation })
    }

    /// The layout of a model; objects of one model share it.
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

    /// Takes an object out of the scene; what still sounds fades out within 25 ms.
    pub fn remove(&mut self, object: Object) -> Result<(), EngineError> {
        self.entry(object)?;
        self.send(Command::Release { place: object.place })?;
        // The place stays taken until the audio thread gives the voice back.
        if let Some(entry) = &mut self.entries[object.place] {
            entry.generation = 0;
        }
        Ok(())
    }

    /// Lets a striker hit an object at `speed` m/s, `at` seconds from the beginning
    /// (at once when that has passed): duration and spectrum follow from the two bodies
    /// by Hertz. A speed of 0 makes no sound.
    pub fn strike(
        &mut self,
        object: Object,
        place: Place,
        striker: &Striker,
        speed: f64,
        at: f64,
    ) -> Result<(), EngineError> {
        let body: Body = self.entry(object)?.model.body;
        match HertzPair::new(striker, &body)?.impact(speed, DEFAULT_RESTITUTION)? {
            Some(impact) => self.strike_with(object, place, impact, at),
            None => Ok(()),
        }
    }

    /// Applies a given impact.
    pub fn strike_with(
        &mut self,
        object: Object,
        place: Place,
        impact: Impact,
        at: f64,
    ) -> Result<(), EngineError> {
        let gains = gains(&self.entry(object)?.model, place)?;
        self.strike_by(object, &gains, impact, at)
    }

    /// Applies a given impact with given gains, one for each mode of the model: for those who
    /// know more about the way to the listener than the model does.
    pub fn strike_by(
        &mut self,
        object: Object,
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
        let number = self.struck;
        let Object { place, generation } = object;
        let first = strike.first_sample();
        self.waiting.push(Waiting { first, number, place, generation, strike });
        self.update();
        Ok(())
    }

    /// Moves a lasting contact to a place with given gains, one for each mode of the model.
    pub fn move_contact_by(
        &mut self,
        object: Object,
        contact: usize,
        gains: &[f32],
    ) -> Result<(), EngineError> {
        let gains = self.contact_of(object, contact)?.layout.gains(gains);
        self.send(Command::MoveContact { place: object.place, contact, gains })
    }

    /// Moves a lasting contact; its gains glide over the next block.
    pub fn move_contact(
        &mut self,
        object: Object,
        contact: usize,
        place: Place,
    ) -> Result<(), EngineError> {
        let entry = self.contact_of(object, contact)?;
        let gains = entry.layout.gains(&gains(&entry.model, place)?);
        self.send(Command::MoveContact { place: object.place, contact, gains })
    }

    /// Lets a force act at a contact from now on, until it says it is over.
    pub fn push(
        &mut self,
        object: Object,
        contact: usize,
        force: impl Force + 'static,
    ) -> Result<(), EngineError> {
        self.contact_of(object, contact)?;
        self.send(Command::Push { place: object.place, contact, force: Box::new(force) })
    }

    /// Sends strikes that are nearly due, and frees what came back.
    pub fn update(&mut self) {
        while let Ok(garbage) = self.garbage.pop() {
            if let Garbage::Bank(Retired::Voice(place, _)) = garbage {
                self.entries[place] = None;
            }
        }
        let horizon = self.published.clock.load(Relaxed)
            + (AHEAD_S * f64::from(self.settings.sample_rate_hz)) as u64;
        while self.waiting.peek().is_some_and(|w| w.first < horizon)
            && self.commands.slots() > QUEUE / 4
        {
            let Some(Waiting { place, generation, strike, .. }) = self.waiting.pop() else { break };
            let alive = self.entries[place].as_ref().is_some_and(|e| e.generation == generation);
            if alive {
                // There is room: it was just asked for.
                let _ = self.send(Command::Strike { place, strike });
            }
        }
    }

    /// Feeds back how loud a sine of full scale is at the listener now, dB SPL.
    pub fn set_playback_db(&mut self, playback_db: f64) -> Result<(), EngineError> {
        if !playback_db.is_finite() {
            return Err(EngineError::Playback(playback_db));
        }
        self.send(Command::Playback { pascal_db: self.settings.pascal_db(playback_db) })
    }

    /// Where a channel's sound comes from, as seen from the listener: objects heard from
    /// elsewhere mask it less.
    pub fn set_direction(
        &mut self,
        channel: usize,
        direction: [f64; 3],
    ) -> Result<(), EngineError> {
        let channels = self.settings.channels.max(1);
        if channel >= channels {
            return Err(EngineError::NoChannel { channel, channels });
        }
        self.send(Command::Direction { channel, direction })
    }

    /// Strikes that wait to be sent.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// What the audio thread reports.
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

    fn send(&mut self, command: Command) -> Result<(), EngineError> {
        self.commands.push(command).map_err(|_| EngineError::Busy(QUEUE))
    }

    fn entry(&self, object: Object) -> Result<&Entry, EngineError> {
        let entry = self.entries.get(object.place).and_then(Option::as_ref);
        entry.filter(|e| e.generation == object.generation).ok_or(EngineError::NoObject)
    }

    fn contact_of(&self, object: Object, contact: usize) -> Result<&Entry, EngineError> {
        let entry = self.entry(object)?;
        if contact < entry.contacts {
            return Ok(entry);
        }
        Err(EngineError::NoPlace { what: "contact", index: contact, count: entry.contacts })
    }
}

fn gains(model: &ModalModel, place: Place) -> Result<Vec<f32>, EngineError> {
    match place {
        Place::At(at) => Ok(model.gains_at(at)),
        Place::Along { at, direction } => Ok(model.gains_along(at, direction)),
        Place::Point(index) if index < model.point_count() => Ok(model.gains_of_point(index)),
        Place::Point(index) => {
            Err(EngineError::NoPlace { what: "point", index, count: model.point_count() })
        }
    }
}

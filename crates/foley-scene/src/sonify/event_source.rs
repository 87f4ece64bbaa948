//! The events of a scene in order of time: simulated or from a trace, scripted, and hail.

mod rigid_bodies;
mod delayed_spawn;
pub(super) mod scripted_events;
mod hail;
mod trace;
mod edits;

pub(super) use edits::BodyState;

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_geometry::assets::AssetReader;
use foley_physics::trace::Reader;
use foley_physics::{Event, Settings, World};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::SonifyError;
use super::excitation::check_excitations;
use delayed_spawn::DelayedSpawns;
use hail::HailEvents;
pub use hail::{HailCounts, HailGeometry, ImpactBackend};
use rigid_bodies::body;
use scripted_events::ScriptedEvents;

/// One event of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneEvent {
    /// An impact, a sustained contact, a pose or a hail impact. Body numbers are the scene's object
    /// numbers.
    Physics(Event),
    /// The scene's strike of this number.
    Strike(usize),
}

/// Produces the events of a scene.
pub struct EventSource {
    source: PhysicsSource,
    scripted: ScriptedEvents,
    /// `None` for a trace, which contains its hail impacts.
    hail: Option<HailEvents>,
    hail_backend: ImpactBackend,
    lost: Vec<String>,
    /// The time up to which events were asked for, s.
    reached_s: f64,
    is_edited: bool,
}

enum PhysicsSource {
    Simulation {
        world: Box<World>,
        /// The object number of each body.
        objects: Vec<u32>,
        names: Vec<String>,
        delayed: DelayedSpawns,
    },
    Trace {
        path: PathBuf,
        reader: Box<Reader<BufReader<Box<dyn AssetReader>>>>,
        next: Option<Event>,
    },
}

impl EventSource {
    /// Starts a scene, with hail impacts found by the CPU.
    pub fn new(scene: &Scene, prepared: &Prepared) -> Result<Self, SonifyError> {
        Self::with(scene, prepared, &ImpactBackend::default())
    }

    /// Starts a scene with a backend that finds hail impacts.
    pub fn with(
        scene: &Scene,
        prepared: &Prepared,
        hail_backend: &ImpactBackend,
    ) -> Result<Self, SonifyError> {
        check_excitations(scene, prepared)?;
        let source = match &scene.trace {
            Some(trace) => traced(scene, trace)?,
            None => simulated(scene, prepared)?,
        };
        let hail = match &source {
            PhysicsSource::Simulation { .. } => HailEvents::new(scene, prepared, hail_backend)?,
            PhysicsSource::Trace { .. } => None,
        };
        Ok(Self {
            source,
            scripted: ScriptedEvents::new(scene),
            hail,
            hail_backend: hail_backend.clone(),
            lost: Vec::new(),
            reached_s: 0.0,
            is_edited: false,
        })
    }

    /// Advances to `time_s` or beyond and passes every event to `each`, in order of time.
    pub fn advance_to(
        &mut self,
        time_s: f64,
        each: &mut dyn FnMut(SceneEvent),
    ) -> Result<(), SonifyError> {
        self.reached_s = self.reached_s.max(time_s);
        while self.step(time_s, each)? {}
        emit_hail(&mut self.hail, &mut self.scripted, time_s, each)?;
        self.scripted.drain_before(time_s, each);
        Ok(())
    }

    /// Advances one simulation step or one trace event; returns false if there is none before
    /// `time_s`. Among simultaneous events scripted ones come last, so that a trace has the order of
    /// the simulation it was written from.
    fn step(&mut self, time_s: f64, each: &mut dyn FnMut(SceneEvent)) -> Result<bool, SonifyError> {
        match &mut self.source {
            PhysicsSource::Simulation { world, objects, names, delayed } => {
                let is_idle = world.is_empty() && delayed.is_empty() && !self.is_edited;
                if is_idle || world.time_s() >= time_s {
                    return Ok(false);
                }
                while let Some((number, body)) = delayed.pop_due(world.time_s()) {
                    let index = world.add(&body)? as usize;
                    set_at(objects, index, number);
                    set_at(names, index, body.name);
                }
                for event in world.step() {
                    emit_hail(&mut self.hail, &mut self.scripted, event.at_s(), each)?;
                    self.scripted.drain_before(event.at_s(), each);
                    each(SceneEvent::Physics(with_object_numbers(event, objects)));
                }
                let lost = world.take_lost().into_iter();
                let name = |body: u32| names.get(body as usize).cloned();
                self.lost.extend(lost.filter_map(|lost| name(lost.body)));
                Ok(true)
            }
            PhysicsSource::Trace { path, reader, next } => {
                let Some(event) = next.take() else { return Ok(false) };
                if event.at_s() >= time_s {
                    *next = Some(event);
                    return Ok(false);
                }
                self.scripted.drain_before(event.at_s(), each);
                each(SceneEvent::Physics(event));
                let source = |source| SonifyError::Trace { path: path.clone(), source };
                *next = reader.next().transpose().map_err(source)?;
                Ok(true)
            }
        }
    }

    /// Returns the pairs of objects that overlap by more than `depth_m`, with the depth in metres.
    /// Empty for a trace; objects that have not been released yet are not checked.
    pub fn overlaps(&self, depth_m: f64) -> Vec<([String; 2], f64)> {
        let PhysicsSource::Simulation { world, names, .. } = &self.source else {
            return Vec::new();
        };
        let name = |body: u32| names.get(body as usize).cloned().unwrap_or_default();
        let found = world.overlaps(depth_m).into_iter();
        found.map(|overlap| (overlap.bodies.map(name), overlap.depth_m)).collect()
    }

    /// Returns how many stones were emitted and how many struck so far; zeros for a trace.
    pub fn hail_counts(&self) -> HailCounts {
        self.hail.as_ref().map(HailEvents::counts).unwrap_or_default()
    }

    /// Returns the name of the backend that finds hail impacts; `None` without hail or for a trace.
    pub fn hail_backend_name(&self) -> Option<String> {
        self.hail.as_ref().map(HailEvents::backend_name)
    }

    /// Removes and returns the names of objects that left the simulated region since the last call.
    pub fn take_lost(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lost)
    }
}

/// Sets an element, which may be the first behind the last.
fn set_at<T>(list: &mut Vec<T>, index: usize, value: T) {
    match list.get_mut(index) {
        Some(old) => *old = value,
        None => list.push(value),
    }
}

/// Emits the hail impacts before a time, with the scripted events before each.
fn emit_hail(
    hail: &mut Option<HailEvents>,
    scripted: &mut ScriptedEvents,
    time_s: f64,
    each: &mut dyn FnMut(SceneEvent),
) -> Result<(), SonifyError> {
    let Some(hail) = hail else { return Ok(()) };
    while let Some(stone) = hail.next_before(time_s)? {
        scripted.drain_before(stone.at_s, each);
        each(SceneEvent::Physics(Event::HailImpact(stone)));
    }
    Ok(())
}

fn simulated(scene: &Scene, prepared: &Prepared) -> Result<PhysicsSource, SonifyError> {
    let settings =
        Settings::default().with_gravity(scene.gravity_m_s2).with_rate_hz(scene.physics_hz);
    let mut world = World::new(settings)?;
    let (mut objects, mut names) = (Vec::new(), Vec::new());
    let mut delayed = DelayedSpawns::new(scene.gravity_m_s2);
    // Bodies that join later are validated now, not in the middle of a render.
    let (mut later, mut releases_s) = (World::new(settings)?, Vec::new());
    for (number, (object, geometry)) in (0..).zip(scene.objects.iter().zip(&prepared.objects)) {
        let Some(body) = body(object, geometry) else { continue };
        if object.release_s > 0.0 {
            later.add(&body)?;
            releases_s.push(object.release_s);
            delayed.push(object.release_s, number, body);
        } else {
            world.add(&body)?;
            objects.push(number);
            names.push(object.name.clone());
        }
    }
    world.check_overlapping_pairs(|_, _| true)?;
    later.check_overlapping_pairs(|a, b| releases_s[a as usize] == releases_s[b as usize])?;
    Ok(PhysicsSource::Simulation { world: Box::new(world), objects, names, delayed })
}

fn traced(scene: &Scene, trace: &Path) -> Result<PhysicsSource, SonifyError> {
    let (path, objects) = (scene.folder.join(trace), scene.objects.len());
    let file = scene.open_file(trace)?;
    let failed = |source| SonifyError::Trace { path: path.clone(), source };
    let mut reader = Box::new(Reader::new(BufReader::new(file)).map_err(failed)?);
    let found = reader.bodies().len();
    if found != objects {
        return Err(SonifyError::TraceOfOtherScene { path, found, expected: objects });
    }
    let next = reader.next().transpose().map_err(failed)?;
    Ok(PhysicsSource::Trace { path, reader, next })
}

fn with_object_numbers(event: &Event, objects: &[u32]) -> Event {
    let of = |body: u32| objects.get(body as usize).copied().unwrap_or(body);
    let mut event = *event;
    match &mut event {
        Event::Impact(impact) => impact.bodies = impact.bodies.map(of),
        Event::SustainedContact(contact) => contact.bodies = contact.bodies.map(of),
        Event::Pose(pose) => pose.body = of(pose.body),
        Event::HailImpact(stone) => stone.body = of(stone.body),
    }
    event
}

//! Everything that happens in a scene, in order of time: simulated, hail, by hand, or from a trace.

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_physics::trace::Reader;
use foley_physics::{Event, Settings, World};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

mod delayed_spawn;
mod hail;
mod rigid_bodies;
pub(super) mod scripted_events;
mod trace;

use super::SonifyError;
use delayed_spawn::DelayedSpawns;
use hail::HailEvents;
pub use hail::{HailCounts, HailGeometry, ImpactBackend};
use rigid_bodies::body;
use scripted_events::ScriptedEvents;
pub use trace::write_trace;

/// One thing that happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneEvent {
    /// Bodies meet, touch or move; they are numbered as the scene's objects.
    Physics(Event),
    /// One of the scene's strikes is due.
    Strike(usize),
}

/// The happenings of a scene.
pub struct EventSource {
    source: PhysicsSource,
    scripted: ScriptedEvents,
    /// Hail; a trace has its own.
    hail: Option<HailEvents>,
    lost: Vec<String>,
}

enum PhysicsSource {
    Simulation {
        world: Box<World>,
        /// The object of each body.
        objects: Vec<u32>,
        names: Vec<String>,
        delayed: DelayedSpawns,
    },
    Trace {
        path: PathBuf,
        reader: Box<Reader<BufReader<File>>>,
        next: Option<Event>,
    },
}

impl EventSource {
    /// The beginning of a scene.
    pub fn new(scene: &Scene, prepared: &Prepared) -> Result<Self, SonifyError> {
        Self::with(scene, prepared, &ImpactBackend::default())
    }

    /// The beginning of a scene, with somebody who finds where hail strikes.
    pub fn with(
        scene: &Scene,
        prepared: &Prepared,
        hail_backend: &ImpactBackend,
    ) -> Result<Self, SonifyError> {
        let source = match &scene.trace {
            Some(trace) => traced(scene.folder.join(trace), scene.objects.len())?,
            None => simulated(scene, prepared)?,
        };
        let hail = match &source {
            PhysicsSource::Simulation { .. } => HailEvents::new(scene, prepared, hail_backend)?,
            PhysicsSource::Trace { .. } => None,
        };
        Ok(Self { source, scripted: ScriptedEvents::new(scene), hail, lost: Vec::new() })
    }

    /// Goes on until a time, at least, and tells what happens, in order of time.
    pub fn advance_to(
        &mut self,
        time_s: f64,
        each: &mut dyn FnMut(SceneEvent),
    ) -> Result<(), SonifyError> {
        while self.step(time_s, each)? {}
        emit_hail(&mut self.hail, &mut self.scripted, time_s, each)?;
        self.scripted.drain_before(time_s, each);
        Ok(())
    }

    /// One step, when there is one before `time_s`. Of what happens at one time, scripted come last,
    /// so that a trace tells it as the simulation did.
    fn step(&mut self, time_s: f64, each: &mut dyn FnMut(SceneEvent)) -> Result<bool, SonifyError> {
        match &mut self.source {
            PhysicsSource::Simulation { world, objects, names, delayed } => {
                if (world.is_empty() && delayed.is_empty()) || world.time_s() >= time_s {
                    return Ok(false);
                }
                while let Some((number, body)) = delayed.pop_due(world.time_s()) {
                    world.add(&body)?;
                    objects.push(number);
                    names.push(body.name);
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

    /// Objects that now reach into each other by more than a depth, by their names, and how deep,
    /// in metres. Nothing is known of a trace, and of what is not yet released.
    pub fn overlaps(&self, depth_m: f64) -> Vec<([String; 2], f64)> {
        let PhysicsSource::Simulation { world, names, .. } = &self.source else {
            return Vec::new();
        };
        let name = |body: u32| names.get(body as usize).cloned().unwrap_or_default();
        let found = world.overlaps(depth_m).into_iter();
        found.map(|overlap| (overlap.bodies.map(name), overlap.depth_m)).collect()
    }

    /// HailCounts of hail that fell and struck until now. Nothing is known of those of a trace.
    pub fn hail_counts(&self) -> HailCounts {
        self.hail.as_ref().map(HailEvents::counts).unwrap_or_default()
    }

    /// Who finds where stones strike, in words; none where there is no hail, or a trace's.
    pub fn hail_backend_name(&self) -> Option<String> {
        self.hail.as_ref().map(HailEvents::backend_name)
    }

    /// Objects that flew away, by their names; each is told once.
    pub fn take_lost(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lost)
    }
}

/// Tells of the stones that strike before a time.
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
        Settings { gravity: scene.gravity_m_s2, rate_hz: scene.physics_hz, ..Settings::default() };
    let mut world = World::new(settings)?;
    let (mut objects, mut names) = (Vec::new(), Vec::new());
    let mut delayed = DelayedSpawns::new(scene.gravity_m_s2);
    for (number, (object, thing)) in (0..).zip(scene.objects.iter().zip(&prepared.objects)) {
        let Some(body) = body(object, thing) else { continue };
        if object.release_s > 0.0 {
            delayed.push(object.release_s, number, body);
        } else {
            world.add(&body)?;
            objects.push(number);
            names.push(object.name.clone());
        }
    }
    Ok(PhysicsSource::Simulation { world: Box::new(world), objects, names, delayed })
}

fn traced(path: PathBuf, objects: usize) -> Result<PhysicsSource, SonifyError> {
    let file = File::open(&path);
    let file = file.map_err(|source| SonifyError::File { path: path.clone(), source })?;
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
        Event::SustainedContact(touch) => touch.bodies = touch.bodies.map(of),
        Event::Pose(pose) => pose.body = of(pose.body),
        Event::HailImpact(stone) => stone.body = of(stone.body),
    }
    event
}

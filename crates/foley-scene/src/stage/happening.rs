//! Everything that happens in a scene, in order of time: simulated, hail, by hand, or from a trace.

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_physics::trace::Reader;
use foley_physics::{Event, Settings, World};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use super::bodies::body;
use super::by_hand::Hands;
use super::falling::{Falling, Stones};
use super::release::Held;
use super::{Finding, StageError};

/// One thing that happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Told {
    /// Bodies meet, touch or move; they are numbered as the scene's objects.
    Event(Event),
    /// One of the scene's strikes is due.
    Strike(usize),
}

/// The happenings of a scene.
pub struct Happening {
    source: Source,
    hands: Hands,
    /// Hail; a trace has its own.
    falling: Option<Falling>,
    lost: Vec<String>,
}

enum Source {
    Simulated {
        world: Box<World>,
        /// The object of each body.
        objects: Vec<u32>,
        names: Vec<String>,
        held: Held,
    },
    Traced {
        path: PathBuf,
        reader: Box<Reader<BufReader<File>>>,
        next: Option<Event>,
    },
}

impl Happening {
    /// The beginning of a scene.
    pub fn new(scene: &Scene, prepared: &Prepared) -> Result<Self, StageError> {
        Self::with(scene, prepared, &Finding::default())
    }

    /// The beginning of a scene, with somebody who finds where hail strikes.
    pub fn with(scene: &Scene, prepared: &Prepared, finding: &Finding) -> Result<Self, StageError> {
        let source = match &scene.trace {
            Some(trace) => traced(scene.folder.join(trace), scene.objects.len())?,
            None => simulated(scene, prepared)?,
        };
        let falling = match &source {
            Source::Simulated { .. } => Falling::new(scene, prepared, finding)?,
            Source::Traced { .. } => None,
        };
        Ok(Self { source, hands: Hands::new(scene), falling, lost: Vec::new() })
    }

    /// Goes on until a time, at least, and tells what happens, in order of time.
    pub fn until(&mut self, time_s: f64, each: &mut dyn FnMut(Told)) -> Result<(), StageError> {
        while self.step(time_s, each)? {}
        stones(&mut self.falling, &mut self.hands, time_s, each)?;
        self.hands.until(time_s, each);
        Ok(())
    }

    /// One step, when there is one before `time_s`. Of what happens at one time, hands come last,
    /// so that a trace tells it as the simulation did.
    fn step(&mut self, time_s: f64, each: &mut dyn FnMut(Told)) -> Result<bool, StageError> {
        match &mut self.source {
            Source::Simulated { world, objects, names, held } => {
                if (world.is_empty() && held.is_empty()) || world.time_s() >= time_s {
                    return Ok(false);
                }
                while let Some((number, body)) = held.due(world.time_s()) {
                    world.add(&body)?;
                    objects.push(number);
                    names.push(body.name);
                }
                for event in world.step() {
                    stones(&mut self.falling, &mut self.hands, event.at_s(), each)?;
                    self.hands.until(event.at_s(), each);
                    each(Told::Event(renumbered(event, objects)));
                }
                let lost = world.take_lost().into_iter();
                let name = |body: u32| names.get(body as usize).cloned();
                self.lost.extend(lost.filter_map(|lost| name(lost.body)));
                Ok(true)
            }
            Source::Traced { path, reader, next } => {
                let Some(event) = next.take() else { return Ok(false) };
                if event.at_s() >= time_s {
                    *next = Some(event);
                    return Ok(false);
                }
                self.hands.until(event.at_s(), each);
                each(Told::Event(event));
                let source = |source| StageError::Trace { path: path.clone(), source };
                *next = reader.next().transpose().map_err(source)?;
                Ok(true)
            }
        }
    }

    /// Objects that now reach into each other by more than a depth, by their names, and how deep,
    /// in metres. Nothing is known of a trace, and of what is not yet released.
    pub fn overlaps(&self, depth_m: f64) -> Vec<([String; 2], f64)> {
        let Source::Simulated { world, names, .. } = &self.source else { return Vec::new() };
        let name = |body: u32| names.get(body as usize).cloned().unwrap_or_default();
        let found = world.overlaps(depth_m).into_iter();
        found.map(|overlap| (overlap.bodies.map(name), overlap.depth_m)).collect()
    }

    /// Stones of hail that fell and struck until now. Nothing is known of those of a trace.
    pub fn stones(&self) -> Stones {
        self.falling.as_ref().map(Falling::stones).unwrap_or_default()
    }

    /// Who finds where stones strike, in words; none where there is no hail, or a trace's.
    pub fn found_by(&self) -> Option<String> {
        self.falling.as_ref().map(Falling::found_by)
    }

    /// Objects that flew away, by their names; each is told once.
    pub fn take_lost(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lost)
    }
}

/// Tells of the stones that strike before a time.
fn stones(
    falling: &mut Option<Falling>,
    hands: &mut Hands,
    time_s: f64,
    each: &mut dyn FnMut(Told),
) -> Result<(), StageError> {
    let Some(falling) = falling else { return Ok(()) };
    while let Some(stone) = falling.before(time_s)? {
        hands.until(stone.at_s, each);
        each(Told::Event(Event::HailImpact(stone)));
    }
    Ok(())
}

fn simulated(scene: &Scene, prepared: &Prepared) -> Result<Source, StageError> {
    let settings =
        Settings { gravity: scene.gravity_m_s2, rate_hz: scene.physics_hz, ..Settings::default() };
    let mut world = World::new(settings)?;
    let (mut objects, mut names) = (Vec::new(), Vec::new());
    let mut held = Held::new(scene.gravity_m_s2);
    for (number, (object, thing)) in (0..).zip(scene.objects.iter().zip(&prepared.objects)) {
        let Some(body) = body(object, thing) else { continue };
        if object.release_s > 0.0 {
            held.hold(object.release_s, number, body);
        } else {
            world.add(&body)?;
            objects.push(number);
            names.push(object.name.clone());
        }
    }
    Ok(Source::Simulated { world: Box::new(world), objects, names, held })
}

fn traced(path: PathBuf, objects: usize) -> Result<Source, StageError> {
    let file = File::open(&path);
    let file = file.map_err(|source| StageError::File { path: path.clone(), source })?;
    let failed = |source| StageError::Trace { path: path.clone(), source };
    let mut reader = Box::new(Reader::new(BufReader::new(file)).map_err(failed)?);
    let found = reader.bodies().len();
    if found != objects {
        return Err(StageError::OtherScene { path, found, expected: objects });
    }
    let next = reader.next().transpose().map_err(failed)?;
    Ok(Source::Traced { path, reader, next })
}

fn renumbered(event: &Event, objects: &[u32]) -> Event {
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

//! Everything that happens in a scene, in order of time: simulated, by hand, or from a trace.

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_physics::trace::Reader;
use foley_physics::{Event, Settings, World};
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use super::StageError;
use super::bodies::body;
use super::by_hand::touches;

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
    by_hand: VecDeque<Event>,
    /// Strikes in order of time, when they are due, and the next of them.
    strikes: Vec<(f64, usize)>,
    struck: usize,
    lost: Vec<String>,
}

enum Source {
    Simulated {
        world: Box<World>,
        /// The object of each body.
        objects: Vec<u32>,
        names: Vec<String>,
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
        let source = match &scene.trace {
            Some(trace) => traced(scene.folder.join(trace), scene.objects.len())?,
            None => simulated(scene, prepared)?,
        };
        let mut strikes: Vec<(f64, usize)> =
            scene.strikes.iter().enumerate().map(|(i, strike)| (strike.at_s, i)).collect();
        strikes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let by_hand = touches(scene).into();
        Ok(Self { source, by_hand, strikes, struck: 0, lost: Vec::new() })
    }

    /// Goes on until a time, at least, and tells what happens.
    pub fn until(&mut self, time_s: f64, each: &mut dyn FnMut(Told)) -> Result<(), StageError> {
        while let Some(step_s) = self.step(time_s, each)? {
            self.hands_until(step_s, each);
        }
        self.hands_until(time_s, each);
        Ok(())
    }

    fn hands_until(&mut self, time_s: f64, each: &mut dyn FnMut(Told)) {
        while let Some(&(at_s, strike)) = self.strikes.get(self.struck).filter(|s| s.0 < time_s) {
            debug_assert!(at_s < time_s);
            each(Told::Strike(strike));
            self.struck += 1;
        }
        while self.by_hand.front().is_some_and(|event| event.at_s() < time_s) {
            self.by_hand.pop_front().into_iter().for_each(|event| each(Told::Event(event)));
        }
    }

    /// One step, when there is one before `time_s`; the time it reached.
    fn step(&mut self, time_s: f64, each: &mut dyn FnMut(Told)) -> Result<Option<f64>, StageError> {
        match &mut self.source {
            Source::Simulated { world, objects, names } => {
                if world.is_empty() || world.time_s() >= time_s {
                    return Ok(None);
                }
                for event in world.step() {
                    each(Told::Event(renumbered(event, objects)));
                }
                let lost = world.take_lost().into_iter();
                let name = |body: u32| names.get(body as usize).cloned();
                self.lost.extend(lost.filter_map(|lost| name(lost.body)));
                Ok(Some(world.time_s()))
            }
            Source::Traced { path, reader, next } => {
                let Some(event) = next.take() else { return Ok(None) };
                if event.at_s() >= time_s {
                    *next = Some(event);
                    return Ok(None);
                }
                each(Told::Event(event));
                let source = |source| StageError::Trace { path: path.clone(), source };
                *next = reader.next().transpose().map_err(source)?;
                Ok(Some(event.at_s()))
            }
        }
    }

    /// Objects that flew away, by their names; each is told once.
    pub fn take_lost(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lost)
    }
}

fn simulated(scene: &Scene, prepared: &Prepared) -> Result<Source, StageError> {
    let settings =
        Settings { gravity: scene.gravity_m_s2, rate_hz: scene.physics_hz, ..Settings::default() };
    let mut world = World::new(settings)?;
    let (mut objects, mut names) = (Vec::new(), Vec::new());
    for (number, (object, thing)) in (0..).zip(scene.objects.iter().zip(&prepared.things)) {
        if let Some(body) = body(object, thing) {
            world.add(&body)?;
            objects.push(number);
            names.push(object.name.clone());
        }
    }
    Ok(Source::Simulated { world: Box::new(world), objects, names })
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
        Event::Touch(touch) => touch.bodies = touch.bodies.map(of),
        Event::Pose(pose) => pose.body = of(pose.body),
    }
    event
}

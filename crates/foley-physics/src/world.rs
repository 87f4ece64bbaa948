//! A world of rigid bodies that tells its contacts.

mod bounce;
mod bounds;
mod build;
pub(crate) mod convert;
mod flight;
mod led;
mod ledger;
mod listen;
mod overlap;
mod settings;

use crate::contact::gather::{Before, Point, Skin};
use crate::contact::held::Held;
use crate::contact::touches::Touches;
use crate::{Body, Event, Motion, PhysicsError, Pose, Waypoint, check};
use convert::{Frame, precise, vector};
use glam::DVec3;
use rapier3d::prelude::*;
use settings::{SLEEPY_M_S, UNIT_M};

pub use overlap::Overlap;
pub use settings::Settings;

/// Most bodies of a world.
pub const MAX_BODIES: usize = 20_000;
/// Most colliders of a world: every part of a compound is one.
pub const MAX_COLLIDERS: usize = 200_000;

/// A body that left the world: it flew away or its numbers exploded. It stands still from then on
/// and touches nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    /// When.
    pub at_s: f64,
    /// Which one.
    pub body: u32,
}

/// Bodies, and what happens to them.
pub struct World {
    settings: Settings,
    physics: PhysicsWorld,
    bodies: Vec<Member>,
    skins: Vec<Skin>,
    steps: u64,
    before: Vec<Before>,
    points: Vec<Point>,
    held: Held,
    touches: Touches,
    events: Vec<Event>,
    /// Impacts for which it is too early.
    foreseen: Vec<Event>,
    lost: Vec<Lost>,
}

/// One body of the world.
struct Member {
    name: String,
    handle: RigidBodyHandle,
    way: Vec<Waypoint>,
    /// Its stored velocity is half a substep behind (see `flight`).
    staggered: bool,
    /// It touched something in the last step, or nothing is known of it yet.
    touching: bool,
    /// Whether contacts are sought as far ahead as it flies.
    foreseeing: bool,
    /// Energy that the solver made and that was not paid back yet (see `ledger`).
    owed_j: f64,
    lost: bool,
}

impl World {
    /// An empty world.
    pub fn new(settings: Settings) -> Result<Self, PhysicsError> {
        settings.check()?;
        let mut physics = PhysicsWorld::new();
        physics.gravity = vector(settings.gravity);
        settings.tune(&mut physics.integration_parameters);
        Ok(Self {
            settings,
            physics,
            bodies: Vec::new(),
            skins: Vec::new(),
            steps: 0,
            before: Vec::new(),
            points: Vec::new(),
            held: Held::default(),
            touches: Touches::default(),
            events: Vec::new(),
            foreseen: Vec::new(),
            lost: Vec::new(),
        })
    }

    /// Puts a body into the world; its number counts from zero in the order of adding.
    pub fn add(&mut self, body: &Body) -> Result<u32, PhysicsError> {
        check::body(body)?;
        let too_many = |what, found, most| Err(PhysicsError::TooMany { what, found, most });
        if self.bodies.len() >= MAX_BODIES {
            return too_many("bodies", self.bodies.len() + 1, MAX_BODIES);
        }
        let pieces = build::pieces(body)?;
        let colliders = self.skins.len() + pieces.len();
        if colliders > MAX_COLLIDERS {
            return too_many("parts of all bodies", colliders, MAX_COLLIDERS);
        }
        if body.bullet {
            self.physics.integration_parameters.max_ccd_substeps = 1;
        }
        let number = self.bodies.len() as u32;
        let handle = self.physics.insert_body(build::rigid_body(body, number));
        if let Some(body) = self.physics.bodies.get_mut(handle) {
            let activation = body.activation_mut();
            if activation.normalized_linear_threshold > 0.0 {
                activation.normalized_linear_threshold = SLEEPY_M_S / UNIT_M;
            }
        }
        for (piece, skin) in pieces {
            let piece = piece.user_data(self.skins.len() as u128);
            self.physics.insert_collider(piece, Some(handle));
            self.skins.push(skin);
        }
        let way = match &body.motion {
            Motion::Along(way) => way.clone(),
            _ => Vec::new(),
        };
        let name = body.name.clone();
        self.bodies.push(Member {
            name,
            handle,
            way,
            staggered: false,
            touching: true,
            foreseeing: false,
            owed_j: 0.0,
            lost: false,
        });
        Ok(number)
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The names of the bodies, in the order of their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|member| member.name.as_str())
    }

    /// Seconds from the beginning.
    pub fn time_s(&self) -> f64 {
        self.steps as f64 * self.step_s()
    }

    /// Length of a step.
    pub fn step_s(&self) -> f64 {
        1.0 / self.settings.rate_hz
    }

    /// How many touches last now.
    pub fn touches(&self) -> usize {
        self.touches.count()
    }

    /// Whether a body moves, or may: it is neither fixed nor asleep nor lost.
    pub fn is_awake(&self, body: u32) -> bool {
        self.bodies.get(body as usize).is_some_and(|member| self.moves(member))
    }

    fn moves(&self, member: &Member) -> bool {
        !member.lost
            && self
                .physics
                .bodies
                .get(member.handle)
                .is_some_and(|body| !body.is_fixed() && !body.is_sleeping())
    }

    /// The bodies lost since the last call.
    pub fn take_lost(&mut self) -> Vec<Lost> {
        std::mem::take(&mut self.lost)
    }

    /// Where a body is now.
    pub fn pose(&self, body: u32) -> Result<Pose, PhysicsError> {
        let member = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        self.pose_of(body, member).ok_or(PhysicsError::NoBody(body))
    }

    fn pose_of(&self, number: u32, member: &Member) -> Option<Pose> {
        let body = self.physics.bodies.get(member.handle)?;
        let frame = Frame::of(body.position());
        let stagger = if member.staggered { self.stagger() } else { DVec3::ZERO };
        Some(Pose {
            at_s: self.time_s(),
            body: number,
            position: frame.position.to_array(),
            rotation: frame.rotation.to_array(),
            velocity: (precise(body.linvel()) + stagger).to_array(),
        })
    }

    /// Pushes a body: an impulse in newton-seconds at a point of the world. It wakes up.
    pub fn push(
        &mut self,
        body: u32,
        impulse_ns: [f64; 3],
        at: [f64; 3],
    ) -> Result<(), PhysicsError> {
        for value in impulse_ns.into_iter().chain(at) {
            if !(value.abs() <= 1e6) {
                let (what, must) = ("push", "of numbers up to a million");
                return Err(PhysicsError::Setting { what, value, must });
            }
        }
        let member = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        if let Some(body) = self.physics.bodies.get_mut(member.handle) {
            body.apply_impulse_at_point(vector(impulse_ns), vector(at), true);
        }
        Ok(())
    }

    /// Goes on by one step and tells what happened in it, in order of time.
    pub fn step(&mut self) -> &[Event] {
        self.events.clear();
        if self.steps == 0 {
            self.tell_poses(true);
        }
        self.lead();
        self.foresee();
        self.note_before();
        self.physics.step();
        self.catch_lost();
        self.steps += 1;
        self.listen();
        self.tell_poses(false);
        &self.events
    }

    fn tell_poses(&mut self, all: bool) {
        let mut events = std::mem::take(&mut self.events);
        for (number, member) in self.bodies.iter().enumerate() {
            if all || self.moves(member) {
                events.extend(self.pose_of(number as u32, member).map(Event::Pose));
            }
        }
        self.events = events;
    }
}

//! A world of rigid bodies that tells its contacts.

mod restitution_correction;
mod lost_bodies;
mod build;
pub(crate) mod convert;
mod free_flight;
mod kinematic;
mod energy_accounting;
mod report;
mod overlap;
mod settings;

use crate::contact::persistent::PersistentPoints;
use crate::contact::points::{ColliderSurface, Point, PreStep};
use crate::contact::sustained::SustainedContacts;
use crate::{Body, Event, Motion, PhysicsError, Pose, Waypoint, validate};
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
pub struct LostBody {
    /// When.
    pub at_s: f64,
    /// Which one.
    pub body: u32,
}

/// Bodies, and what happens to them.
pub struct World {
    settings: Settings,
    physics: PhysicsWorld,
    bodies: Vec<BodyRecord>,
    surfaces: Vec<ColliderSurface>,
    steps: u64,
    before: Vec<PreStep>,
    points: Vec<Point>,
    held: PersistentPoints,
    touches: SustainedContacts,
    events: Vec<Event>,
    /// Impacts for which it is too early.
    predicted: Vec<Event>,
    lost: Vec<LostBody>,
}

/// One body of the world.
struct BodyRecord {
    name: String,
    handle: RigidBodyHandle,
    way: Vec<Waypoint>,
    /// Its stored velocity is half a substep behind (see `flight`).
    is_staggered: bool,
    /// It touched something in the last step, or nothing is known of it yet.
    touching: bool,
    /// Whether contacts are sought as far ahead as it flies.
    predicts_contacts: bool,
    /// Energy that the solver made and that was not paid back yet (see `ledger`).
    energy_debt_j: f64,
    lost: bool,
}

impl World {
    /// An empty world.
    pub fn new(settings: Settings) -> Result<Self, PhysicsError> {
        settings.validate()?;
        let mut physics = PhysicsWorld::new();
        physics.gravity = vector(settings.gravity);
        settings.tune(&mut physics.integration_parameters);
        Ok(Self {
            settings,
            physics,
            bodies: Vec::new(),
            surfaces: Vec::new(),
            steps: 0,
            before: Vec::new(),
            points: Vec::new(),
            held: PersistentPoints::default(),
            touches: SustainedContacts::default(),
            events: Vec::new(),
            predicted: Vec::new(),
            lost: Vec::new(),
        })
    }

    /// Puts a body into the world; its number counts from zero in the order of adding.
    pub fn add(&mut self, body: &Body) -> Result<u32, PhysicsError> {
        validate::body(body)?;
        let too_many = |what, found, most| Err(PhysicsError::TooMany { what, found, most });
        if self.bodies.len() >= MAX_BODIES {
            return too_many("bodies", self.bodies.len() + 1, MAX_BODIES);
        }
        let pieces = build::pieces(body)?;
        let colliders = self.surfaces.len() + pieces.len();
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
        for (piece, surface) in pieces {
            let piece = piece.user_data(self.surfaces.len() as u128);
            self.physics.insert_collider(piece, Some(handle));
            self.surfaces.push(surface);
        }
        let way = match &body.motion {
            Motion::Kinematic(way) => way.clone(),
            _ => Vec::new(),
        };
        let name = body.name.clone();
        self.bodies.push(BodyRecord {
            name,
            handle,
            way,
            is_staggered: false,
            touching: true,
            predicts_contacts: false,
            energy_debt_j: 0.0,
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
        self.bodies.iter().map(|record| record.name.as_str())
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
    pub fn sustained_contact_count(&self) -> usize {
        self.touches.count()
    }

    /// Whether a body moves, or may: it is neither fixed nor asleep nor lost.
    pub fn is_awake(&self, body: u32) -> bool {
        self.bodies.get(body as usize).is_some_and(|record| self.moves(record))
    }

    fn moves(&self, record: &BodyRecord) -> bool {
        !record.lost
            && self
                .physics
                .bodies
                .get(record.handle)
                .is_some_and(|body| !body.is_fixed() && !body.is_sleeping())
    }

    /// The bodies lost since the last call.
    pub fn take_lost(&mut self) -> Vec<LostBody> {
        std::mem::take(&mut self.lost)
    }

    /// Where a body is now.
    pub fn pose(&self, body: u32) -> Result<Pose, PhysicsError> {
        let record = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        self.pose_of(body, record).ok_or(PhysicsError::NoBody(body))
    }

    fn pose_of(&self, number: u32, record: &BodyRecord) -> Option<Pose> {
        let body = self.physics.bodies.get(record.handle)?;
        let frame = Frame::of(body.position());
        let stagger = if record.is_staggered { self.stagger() } else { DVec3::ZERO };
        Some(Pose {
            at_s: self.time_s(),
            body: number,
            position: frame.position.to_array(),
            rotation: frame.rotation.to_array(),
            velocity: (precise(body.linvel()) + stagger).to_array(),
        })
    }

    /// Pushes a body: an impulse in newton-seconds at a point of the world. It wakes up.
    pub fn apply_impulse(
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
        let record = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        if let Some(body) = self.physics.bodies.get_mut(record.handle) {
            body.apply_impulse_at_point(vector(impulse_ns), vector(at), true);
        }
        Ok(())
    }

    /// Goes on by one step and tells what happened in it, in order of time.
    pub fn step(&mut self) -> &[Event] {
        self.events.clear();
        if self.steps == 0 {
            self.report_poses(true);
        }
        self.drive_kinematic_bodies();
        self.predict_contacts();
        self.record_pre_step();
        self.physics.step();
        self.disable_lost_bodies();
        self.steps += 1;
        self.report_contacts();
        self.report_poses(false);
        &self.events
    }

    fn report_poses(&mut self, all: bool) {
        let mut events = std::mem::take(&mut self.events);
        for (number, record) in self.bodies.iter().enumerate() {
            if all || self.moves(record) {
                events.extend(self.pose_of(number as u32, record).map(Event::Pose));
            }
        }
        self.events = events;
    }
}

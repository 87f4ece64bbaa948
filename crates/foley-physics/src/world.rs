//! World: rigid bodies in Rapier, with contact events.

mod restitution_correction;
mod lost_bodies;
mod build;
mod overlap_limit;
pub(crate) mod convert;
mod free_flight;
mod half_space;
mod kinematic;
mod view;
mod overlap;
mod settings;
mod shared_shapes;
mod sweep;

use crate::contact::source::ContactSource;
use crate::contact::tracker;
use crate::frame::Frame;
use crate::rapier_view::body_id;
use crate::{Body, ContactTracker, Event, Motion, PhysicsError, PoseEvent, Waypoint, validate};
use convert::vector;
use glam::DVec3;
use rapier3d::prelude::*;
use settings::{SLEEPY_M_S, UNIT_M};
use shared_shapes::SharedShapes;
use view::ColliderSurface;

pub use overlap::Overlap;
pub use settings::Settings;

/// Most bodies of a world.
pub const MAX_BODIES: usize = 20_000;
/// Most colliders of a world: every part of a compound is one.
pub const MAX_COLLIDERS: usize = 200_000;

/// Most pairs of bodies that start inside each other: their contacts take about 500 MB.
pub const MAX_OVERLAPPING_PAIRS: usize = 100_000;

/// A body removed from the simulation because it flew away or its state became invalid. It stays in
/// place and has no contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostBody {
    /// Time since the beginning, s.
    pub at_s: f64,
    /// Index of the body.
    pub body: u32,
}

/// A simulation of rigid bodies that reports contact events.
pub struct World {
    settings: Settings,
    physics: PhysicsWorld,
    bodies: Vec<BodyRecord>,
    /// Indices of removed bodies.
    free_bodies: Vec<u32>,
    shapes: SharedShapes,
    surfaces: Vec<ColliderSurface>,
    /// Indices of surfaces of removed bodies.
    free_surfaces: Vec<usize>,
    steps: u64,
    tracker: ContactTracker,
    events: Vec<Event>,
    lost: Vec<LostBody>,
}

/// State of one body.
struct BodyRecord {
    name: String,
    handle: RigidBodyHandle,
    waypoints: Vec<Waypoint>,
    /// Whether its stored velocity is half a substep behind (see `free_flight`).
    is_staggered: bool,
    /// Whether it had a contact in the last step, or is new.
    touching: bool,
    /// Whether contacts are predicted along its flight.
    predicts_contacts: bool,
    lost: bool,
}

impl World {
    /// Makes an empty world.
    pub fn new(settings: Settings) -> Result<Self, PhysicsError> {
        settings.validate()?;
        let mut physics = PhysicsWorld::new();
        physics.narrow_phase = half_space::narrow_phase();
        physics.gravity = vector(settings.gravity);
        settings.tune(&mut physics.integration_parameters);
        Ok(Self {
            settings,
            physics,
            bodies: Vec::new(),
            free_bodies: Vec::new(),
            shapes: SharedShapes::default(),
            surfaces: Vec::new(),
            free_surfaces: Vec::new(),
            steps: 0,
            tracker: ContactTracker::new(),
            events: Vec::new(),
            lost: Vec::new(),
        })
    }

    /// Adds a body and returns its index, counted from zero in the order of adding. Indices of removed
    /// bodies are used again.
    pub fn add(&mut self, body: &Body) -> Result<u32, PhysicsError> {
        validate::body(body)?;
        let too_many = |what, found, most| Err(PhysicsError::TooMany { what, found, most });
        let present = self.bodies.len() - self.free_bodies.len();
        if present >= MAX_BODIES {
            return too_many("bodies", present + 1, MAX_BODIES);
        }
        let pieces = build::pieces(body, &mut self.shapes)?;
        let colliders = self.surfaces.len() - self.free_surfaces.len() + pieces.len();
        if colliders > MAX_COLLIDERS {
            return too_many("parts of all bodies", colliders, MAX_COLLIDERS);
        }
        if body.bullet {
            self.physics.integration_parameters.max_ccd_substeps = 1;
        }
        let number = self.free_bodies.pop().unwrap_or(self.bodies.len() as u32);
        let handle = self.physics.insert_body(build::rigid_body(body, number));
        if let Some(body) = self.physics.bodies.get_mut(handle) {
            let activation = body.activation_mut();
            if activation.normalized_linear_threshold > 0.0 {
                activation.normalized_linear_threshold = SLEEPY_M_S / UNIT_M;
            }
        }
        for (piece, surface) in pieces {
            let free = self.free_surfaces.pop();
            let index = free.unwrap_or(self.surfaces.len());
            self.physics.insert_collider(piece.user_data(index as u128), Some(handle));
            match free {
                Some(index) => self.surfaces[index] = surface,
                None => self.surfaces.push(surface),
            }
        }
        let waypoints = match &body.motion {
            Motion::Kinematic(waypoints) => waypoints.clone(),
            _ => Vec::new(),
        };
        let name = body.name.clone();
        let record = BodyRecord {
            name,
            handle,
            waypoints,
            is_staggered: false,
            touching: true,
            predicts_contacts: false,
            lost: false,
        };
        match self.bodies.get_mut(number as usize) {
            Some(free) => *free = record,
            None => self.bodies.push(record),
        }
        Ok(number)
    }

    /// Removes a body. Its contacts end with the next step; what rested on it falls.
    pub fn remove(&mut self, body: u32) -> Result<(), PhysicsError> {
        let record = self.existing(body)?;
        let handle = record.handle;
        let colliders = self.physics.bodies.get(handle).map(|body| body.colliders().to_vec());
        for collider in colliders.into_iter().flatten() {
            let index = self.physics.colliders.get(collider).map(|c| c.user_data as usize);
            self.free_surfaces.extend(index);
        }
        self.physics.remove_body(handle);
        let record = &mut self.bodies[body as usize];
        (record.handle, record.lost) = (RigidBodyHandle::invalid(), true);
        record.waypoints.clear();
        self.free_bodies.push(body);
        Ok(())
    }

    /// Puts a body at a position, m, with a rotation (unit quaternion x, y, z, w), at rest.
    pub fn set_pose(
        &mut self,
        body: u32,
        position_m: [f64; 3],
        rotation: [f64; 4],
    ) -> Result<(), PhysicsError> {
        for value in position_m.into_iter().chain(rotation) {
            if !(value.abs() <= self.settings.max_distance_m) {
                let (what, must) = ("pose", "of numbers within the simulated region");
                return Err(PhysicsError::Setting { what, value, must });
            }
        }
        let handle = self.existing(body)?.handle;
        let record = &mut self.bodies[body as usize];
        (record.is_staggered, record.touching, record.predicts_contacts) = (false, true, false);
        record.waypoints.clear();
        if let Some(body) = self.physics.bodies.get_mut(handle) {
            body.set_position(convert::pose(position_m, rotation), true);
            body.set_linvel(Default::default(), true);
            body.set_angvel(Default::default(), true);
        }
        Ok(())
    }

    /// Returns the angular velocity of a body, rad/s.
    pub fn spin(&self, body: u32) -> Result<[f64; 3], PhysicsError> {
        let handle = self.existing(body)?.handle;
        let body = self.physics.bodies.get(handle);
        Ok(body.map_or([0.0; 3], |body| body.angvel().as_dvec3().to_array()))
    }

    /// Returns whether forces move a body.
    pub fn is_dynamic(&self, body: u32) -> bool {
        let record = self.bodies.get(body as usize);
        let body = record.and_then(|record| self.physics.bodies.get(record.handle));
        body.is_some_and(|body| body.is_dynamic() && body.is_enabled())
    }

    fn existing(&self, body: u32) -> Result<&BodyRecord, PhysicsError> {
        let record = self.bodies.get(body as usize);
        let exists = |record: &&BodyRecord| self.physics.bodies.contains(record.handle);
        record.filter(exists).ok_or(PhysicsError::NoBody(body))
    }

    /// Returns the number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len() - self.free_bodies.len()
    }

    /// Returns whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names of the bodies in the order of their indices.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|record| record.name.as_str())
    }

    /// Returns the time since the beginning, s.
    pub fn time_s(&self) -> f64 {
        self.steps as f64 * self.step_s()
    }

    /// Returns the length of a step, s.
    pub fn step_s(&self) -> f64 {
        1.0 / self.settings.rate_hz
    }

    /// Returns the number of sustained contacts.
    pub fn sustained_contact_count(&self) -> usize {
        self.tracker.sustained_contact_count()
    }

    /// Returns whether a body may move: it is neither fixed nor asleep nor lost.
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

    /// Returns the bodies lost since the last call.
    pub fn take_lost(&mut self) -> Vec<LostBody> {
        std::mem::take(&mut self.lost)
    }

    /// Returns the present pose of a body.
    pub fn pose(&self, body: u32) -> Result<PoseEvent, PhysicsError> {
        let record = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        self.pose_of(body, record).ok_or(PhysicsError::NoBody(body))
    }

    fn pose_of(&self, number: u32, record: &BodyRecord) -> Option<PoseEvent> {
        let body = self.physics.bodies.get(record.handle)?;
        let frame = Frame::of(body.position());
        let leapfrog = if record.is_staggered { self.leapfrog() } else { DVec3::ZERO };
        Some(PoseEvent {
            at_s: self.time_s(),
            body: number,
            position: frame.position.to_array(),
            rotation: frame.rotation.to_array(),
            velocity: (body.linvel().as_dvec3() + leapfrog).to_array(),
        })
    }

    /// Returns kinetic plus potential energy of a dynamic body, J, relative to the origin; 0 for
    /// fixed and kinematic bodies.
    pub fn energy_j(&self, body: u32) -> Result<f64, PhysicsError> {
        let record = self.bodies.get(body as usize).ok_or(PhysicsError::NoBody(body))?;
        let state = self.view().body(body_id(record.handle, body));
        Ok(state.map_or(0.0, |state| state.energy_j()))
    }

    /// Returns the approach speed below which contacts are not impacts, m/s.
    pub fn slowest_impact_m_s(&self) -> f64 {
        tracker::slowest_impact_m_s(self.settings.gravity)
    }

    /// Applies an impulse, N·s, at a point in the world, and wakes the body.
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

    /// Simulates one step and returns its events in order of time.
    pub fn step(&mut self) -> &[Event] {
        self.events.clear();
        if self.steps == 0 {
            self.report_poses(true);
        }
        self.drive_kinematic_bodies();
        self.predict_contacts();
        self.track(|tracker, view| tracker.before_step(view));
        self.physics.step();
        self.disable_lost_bodies();
        self.steps += 1;
        self.report_contacts();
        self.report_poses(false);
        &self.events
    }

    fn report_contacts(&mut self) {
        let Some(contacts) = self.track(|tracker, view| tracker.analyse(view)) else { return };
        let bounced = self.correct_restitution(&contacts);
        self.track(|tracker, view| tracker.report(view, &contacts, &bounced));
        self.update_free_flight(&contacts.points);
        self.tracker.recycle(contacts);
        self.events.extend_from_slice(self.tracker.events());
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

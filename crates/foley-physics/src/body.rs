//! Description of a rigid body.

use foley_geometry::{Collider, MassProperties};
use std::sync::Arc;

/// Type of motion of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Never moves.
    Fixed,
    /// Moved by forces.
    Dynamic,
    /// Kinematic: follows these waypoints by linear interpolation, whatever it meets. Stands still
    /// before the first and after the last.
    Kinematic(Vec<Waypoint>),
}

/// Pose of a kinematic body at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Time since the beginning of the scene, s.
    pub at_s: f64,
    /// Position, m.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
}

/// Mass of a body, and with it its centre of mass and inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// Mass of a body that fills its collider evenly, kg.
    Kilograms(f64),
    /// Density of a body that fills its collider evenly, kg/m³.
    Density(f64),
    /// Mass, centre of mass in the body's frame and inertia about it, whatever the collider: those
    /// of a hollow body differ from those of its convex hull.
    Properties(MassProperties),
}

impl Mass {
    /// Returns the centre of mass in the body's frame, m; `None` where it follows from the collider.
    pub fn centre_m(&self) -> Option<[f64; 3]> {
        match self {
            Self::Properties(properties) => Some(properties.centre_m),
            Self::Kilograms(_) | Self::Density(_) => None,
        }
    }
}

/// Shape, mass, surface and initial state of a body.
///
/// Friction and restitution of a pair are the means of both bodies' values.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Collision shape.
    pub collider: Arc<Collider>,
    /// Type of motion.
    pub motion: Motion,
    /// Mass; used only by dynamic bodies.
    pub mass: Mass,
    /// Coulomb's coefficient of friction, 0 to 10.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Initial position of its frame, m.
    pub position: [f64; 3],
    /// Initial rotation: quaternion x, y, z, w of any length but zero.
    pub rotation: [f64; 4],
    /// Initial velocity of its centre of mass, m/s.
    pub velocity: [f64; 3],
    /// Initial angular velocity, rad/s.
    pub spin: [f64; 3],
    /// Enables continuous collision detection by sweeping. Contacts are predicted for all bodies
    /// along their flight; sweeping is for fast spinning or very thin bodies that still tunnel.
    pub bullet: bool,
    /// Whether it may sleep once it has come to rest.
    pub may_sleep: bool,
}

impl Body {
    /// Makes a fixed body.
    pub fn fixed(name: impl Into<String>, collider: impl Into<Arc<Collider>>) -> Self {
        Self::new(name.into(), collider.into(), Motion::Fixed, Mass::Density(1000.0))
    }

    /// Makes a dynamic body.
    pub fn dynamic(
        name: impl Into<String>,
        collider: impl Into<Arc<Collider>>,
        mass: Mass,
    ) -> Self {
        Self::new(name.into(), collider.into(), Motion::Dynamic, mass)
    }

    /// Makes a kinematic body that follows waypoints.
    pub fn kinematic(
        name: impl Into<String>,
        collider: impl Into<Arc<Collider>>,
        waypoints: Vec<Waypoint>,
    ) -> Self {
        let mut body = Self::fixed(name, collider);
        if let Some(first) = waypoints.first() {
            (body.position, body.rotation) = (first.position, first.rotation);
        }
        body.motion = Motion::Kinematic(waypoints);
        body
    }

    fn new(name: String, collider: Arc<Collider>, motion: Motion, mass: Mass) -> Self {
        Self {
            name,
            collider,
            motion,
            mass,
            friction: 0.5,
            restitution: 0.3,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            velocity: [0.0; 3],
            spin: [0.0; 3],
            bullet: false,
            may_sleep: true,
        }
    }

    /// Sets the initial position, m.
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.position = position;
        self
    }

    /// Sets the initial rotation: quaternion x, y, z, w.
    pub fn with_rotation(mut self, rotation: [f64; 4]) -> Self {
        self.rotation = rotation;
        self
    }

    /// Sets the initial velocity, m/s.
    pub fn with_velocity(mut self, velocity: [f64; 3]) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the initial angular velocity, rad/s.
    pub fn with_angular_velocity(mut self, spin: [f64; 3]) -> Self {
        self.spin = spin;
        self
    }

    /// Sets the coefficients of friction and restitution.
    pub fn with_surface(mut self, friction: f64, restitution: f64) -> Self {
        (self.friction, self.restitution) = (friction, restitution);
        self
    }
}

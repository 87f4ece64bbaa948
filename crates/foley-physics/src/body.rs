//! What a body is before it is put into a world.

use crate::Shape;

/// How a body moves.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// It stays where it is.
    Fixed,
    /// Forces move it.
    Dynamic,
    /// It goes its way whatever it meets: through these places, straight from one to the next.
    /// PreStep the first and after the last it stands still.
    Kinematic(Vec<Waypoint>),
}

/// Where a led body is at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// When, in seconds from the beginning of the scene.
    pub at_s: f64,
    /// Where.
    pub position: [f64; 3],
    /// How it is turned: unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
}

/// How heavy a body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mass {
    /// The whole body, in kilograms.
    Kilograms(f64),
    /// Its material, in kilograms per cubic metre.
    Density(f64),
}

/// A body to be: a shape, what it weighs, and where it begins.
///
/// Friction and restitution of a pair are the means of its two bodies'.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What people call it.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// How it moves.
    pub motion: Motion,
    /// How heavy it is; of no meaning unless it is dynamic.
    pub mass: Mass,
    /// Coulomb's coefficient, 0 to 10.
    pub friction: f64,
    /// How much of the speed of an impact comes back, 0 to 1.
    pub restitution: f64,
    /// Where its frame begins.
    pub position: [f64; 3],
    /// How it is turned in the beginning: quaternion x, y, z, w, of any length but zero.
    pub rotation: [f64; 4],
    /// How its centre of mass moves in the beginning, in m/s.
    pub velocity: [f64; 3],
    /// How it turns in the beginning, in rad/s.
    pub spin: [f64; 3],
    /// Sweep it through all it may meet. Contacts are foreseen for all bodies as far as they fly;
    /// this is for fast spinning or very thin ones that still pass through things.
    pub bullet: bool,
    /// Whether it may fall asleep when it has come to rest.
    pub may_sleep: bool,
}

impl Body {
    /// A body that stays where it is.
    pub fn fixed(name: impl Into<String>, shape: Shape) -> Self {
        Self::new(name.into(), shape, Motion::Fixed, Mass::Density(1000.0))
    }

    /// A body that forces move.
    pub fn dynamic(name: impl Into<String>, shape: Shape, mass: Mass) -> Self {
        Self::new(name.into(), shape, Motion::Dynamic, mass)
    }

    /// A body that is led through places.
    pub fn kinematic(name: impl Into<String>, shape: Shape, way: Vec<Waypoint>) -> Self {
        let mut body = Self::new(name.into(), shape, Motion::Fixed, Mass::Density(1000.0));
        if let Some(first) = way.first() {
            (body.position, body.rotation) = (first.position, first.rotation);
        }
        body.motion = Motion::Kinematic(way);
        body
    }

    fn new(name: String, shape: Shape, motion: Motion, mass: Mass) -> Self {
        Self {
            name,
            shape,
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

    /// Where it begins.
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.position = position;
        self
    }

    /// How it is turned in the beginning: quaternion x, y, z, w.
    pub fn with_rotation(mut self, rotation: [f64; 4]) -> Self {
        self.rotation = rotation;
        self
    }

    /// How it moves in the beginning, in m/s.
    pub fn with_velocity(mut self, velocity: [f64; 3]) -> Self {
        self.velocity = velocity;
        self
    }

    /// How it turns in the beginning, in rad/s.
    pub fn with_angular_velocity(mut self, spin: [f64; 3]) -> Self {
        self.spin = spin;
        self
    }

    /// Its coefficients of friction and restitution.
    pub fn with_surface(mut self, friction: f64, restitution: f64) -> Self {
        (self.friction, self.restitution) = (friction, restitution);
        self
    }
}

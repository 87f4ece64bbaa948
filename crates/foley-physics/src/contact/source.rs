//! Contact source: the interface between a rigid-body simulation and the contact tracker.

use foley_geometry::{Collider, Pose};
use glam::DVec3;

/// A rigid-body simulation as the [`ContactTracker`](crate::ContactTracker) reads it.
///
/// [`RapierView`](crate::RapierView) implements it for Rapier. Units are metres, seconds and
/// kilograms. Axes are those of the simulation, as long as they are right-handed.
///
/// Bodies and contact points with a value that is not finite, or beyond 1e60, are ignored, as if they
/// did not exist.
pub trait ContactSource {
    /// Returns the length of the step that is coming or has just been made.
    fn step_length(&self) -> StepLength;

    /// Returns the acceleration of gravity, m/s². It decides below which speed bodies only settle.
    fn gravity(&self) -> [f64; 3];

    /// Calls `visit` once for each body, in any order.
    fn bodies(&self, visit: &mut dyn FnMut(BodyId, BodyState));

    /// Returns the present state of a body, `None` if it does not exist any more.
    fn body(&self, body: BodyId) -> Option<BodyState>;

    /// Calls `visit` for each contact point of the last step, in an order that depends only on the
    /// simulation. Pairs for which `needed` returns `false` may be left out.
    fn contacts(&self, needed: &dyn Fn([BodyId; 2]) -> bool, visit: &mut dyn FnMut(SolverContact));
}

/// Length of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLength {
    /// Length of the step, s.
    pub step_s: f64,
    /// Length of the solver's substeps, s; the step itself if it has none. A step is ignored if
    /// either length is not finite or negative.
    pub substep_s: f64,
}

/// Identifier of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    /// Number of the body in events.
    pub number: u32,
    /// Key of the body. A new body has a new key, even if it gets the number of a removed one.
    pub key: u64,
}

/// Type of motion of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    /// Does not move, or is disabled.
    Fixed,
    /// Moved by the program, whatever it meets.
    Kinematic,
    /// Moved by forces.
    Dynamic,
}

/// State of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Type of motion.
    pub mobility: Mobility,
    /// Whether it may move: it is neither fixed nor asleep nor disabled.
    pub awake: bool,
    /// Pose of its frame in the world.
    pub pose: Pose,
    /// Centre of mass in the world, m.
    pub centre_m: [f64; 3],
    /// Velocity of the centre of mass as the solver stores it, m/s.
    pub velocity_m_s: [f64; 3],
    /// True velocity minus `velocity_m_s`, m/s. Zero, unless the simulation is a leapfrog, whose
    /// stored velocities belong to half a substep earlier.
    pub leapfrog_m_s: [f64; 3],
    /// Angular velocity in the world, rad/s.
    pub spin_rad_s: [f64; 3],
    /// Acceleration in free fall, m/s²; zero for bodies that forces do not move.
    pub fall_m_s2: [f64; 3],
    /// Mass, kg; zero for bodies that forces do not move.
    pub mass_kg: f64,
    /// Kinetic energy of rotation, J.
    pub rotational_energy_j: f64,
}

impl BodyState {
    /// Returns a body that does not move.
    pub fn fixed(pose: Pose) -> Self {
        Self {
            mobility: Mobility::Fixed,
            awake: false,
            pose,
            centre_m: pose.position_m,
            velocity_m_s: [0.0; 3],
            leapfrog_m_s: [0.0; 3],
            spin_rad_s: [0.0; 3],
            fall_m_s2: [0.0; 3],
            mass_kg: 0.0,
            rotational_energy_j: 0.0,
        }
    }

    /// Returns kinetic plus potential energy relative to the origin, J; zero for bodies without
    /// mass.
    pub fn energy_j(&self) -> f64 {
        if self.mass_kg == 0.0 {
            return 0.0;
        }
        let velocity = DVec3::from(self.velocity_m_s) + DVec3::from(self.leapfrog_m_s);
        let height = -DVec3::from(self.fall_m_s2).dot(self.centre_m.into());
        self.mass_kg * (0.5 * velocity.length_squared() + height) + self.rotational_energy_j
    }
}

/// A contact point that the solver has processed.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverContact {
    /// The two bodies.
    pub sides: [ContactSide; 2],
    /// Unit vector in the world, from the first body to the second.
    pub normal: [f64; 3],
    /// Normal impulse of the step, N·s.
    pub impulse_ns: f64,
    /// Coefficient of restitution of the pair.
    pub restitution: f64,
}

/// One body of a contact point.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSide {
    /// The body.
    pub body: BodyId,
    /// Closest point of its surface to the other body before the step, in its own frame, m. The
    /// gap between both bodies follows from it.
    pub place_m: [f64; 3],
    /// Shape of the surface around this point.
    pub surface: ContactSurface,
}

/// Shape of a surface, which decides how a contact rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSurface {
    /// The shape; [`Collider::HalfSpace`] for everything that consists of flat faces.
    pub shape: Collider,
    /// Pose of the shape in the frame of its body. Here, axes of symmetry lie along y.
    pub pose: Pose,
    /// Radius of a ball that encloses the shape, m; infinity where it is unknown.
    pub reach_m: f64,
}

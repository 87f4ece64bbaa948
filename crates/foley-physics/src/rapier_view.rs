//! Rapier's sets of bodies, colliders and contacts as a contact source.

mod surface;

use crate::contact::source::{
    BodyId, BodyState, ContactSide, ContactSource, ContactSurface, Mobility, SolverContact,
    StepLength,
};
use crate::frame::Frame;
use foley_geometry::Pose;
use glam::DVec3;
use rapier3d::math::Vector;
use rapier3d::prelude::{
    Collider, ColliderHandle, ColliderSet, ContactPair, IntegrationParameters, NarrowPhase,
    PhysicsWorld, RigidBody, RigidBodyHandle, RigidBodySet,
};

/// Chooses the number of a body in events.
type BodyNumbers<'a> = &'a dyn Fn(RigidBodyHandle, &RigidBody) -> u32;

/// A Rapier world, borrowed for the [`ContactTracker`](crate::ContactTracker) before and after a
/// step.
///
/// Bodies have the index of their handle as number, or what
/// [`with_numbers`](Self::with_numbers) chooses. All colliders without a body belong to one fixed
/// body, [`GROUND`](Self::GROUND), at the origin.
#[derive(Clone, Copy)]
pub struct RapierView<'a> {
    pub(crate) bodies: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) narrow_phase: &'a NarrowPhase,
    pub(crate) step_length: StepLength,
    pub(crate) gravity: [f64; 3],
    pub(crate) number: BodyNumbers<'a>,
}

impl<'a> RapierView<'a> {
    /// Number of the body to which all colliders without a body belong.
    pub const GROUND: u32 = u32::MAX;

    const GROUND_ID: BodyId = BodyId { number: Self::GROUND, key: u64::MAX };

    /// Borrows the parts of a world: what `PhysicsPipeline::step` gets.
    pub fn new(
        gravity: Vector,
        parameters: &IntegrationParameters,
        narrow_phase: &'a NarrowPhase,
        bodies: &'a RigidBodySet,
        colliders: &'a ColliderSet,
    ) -> Self {
        let step_s = f64::from(parameters.dt);
        let substeps = parameters.num_solver_iterations.max(1);
        Self {
            bodies,
            colliders,
            narrow_phase,
            step_length: StepLength { step_s, substep_s: step_s / substeps as f64 },
            gravity: gravity.as_dvec3().to_array(),
            number: &|handle, _| handle.into_raw_parts().0,
        }
    }

    /// Borrows a world.
    pub fn of(world: &'a PhysicsWorld) -> Self {
        Self::new(
            world.gravity,
            &world.integration_parameters,
            &world.narrow_phase,
            &world.bodies,
            &world.colliders,
        )
    }

    /// Chooses the numbers of bodies in events, for instance `&|_, body| body.user_data as u32`.
    /// A body must keep its number.
    pub fn with_numbers(mut self, number: BodyNumbers<'a>) -> Self {
        self.number = number;
        self
    }

    fn id(&self, handle: RigidBodyHandle, body: &RigidBody) -> BodyId {
        body_id(handle, (self.number)(handle, body))
    }

    /// Returns a body by its identifier.
    fn rigid_body(&self, body: BodyId) -> Option<&'a RigidBody> {
        let handle = RigidBodyHandle::from_raw_parts((body.key >> 32) as u32, body.key as u32);
        self.bodies.get(handle)
    }

    fn state(&self, body: &RigidBody) -> BodyState {
        let is_dynamic = body.is_dynamic();
        let mobility = if body.is_kinematic() {
            Mobility::Kinematic
        } else if is_dynamic && body.is_enabled() {
            Mobility::Dynamic
        } else {
            Mobility::Fixed
        };
        let velocity = body.linvel().as_dvec3();
        let mass_kg = if is_dynamic { f64::from(body.mass()) } else { 0.0 };
        let fall = DVec3::from(self.gravity) * f64::from(body.gravity_scale());
        BodyState {
            mobility,
            awake: !body.is_fixed() && !body.is_sleeping() && body.is_enabled(),
            pose: Frame::of(body.position()).into(),
            centre_m: body.center_of_mass().as_dvec3().to_array(),
            velocity_m_s: velocity.to_array(),
            leapfrog_m_s: [0.0; 3],
            spin_rad_s: body.angvel().as_dvec3().to_array(),
            fall_m_s2: if is_dynamic { fall.to_array() } else { [0.0; 3] },
            mass_kg,
            rotational_energy_j: if is_dynamic { rotational_energy_j(body) } else { 0.0 },
        }
    }

    /// Visits contacts with surfaces made by `surface` from a collider and the index of its part.
    pub(crate) fn visit_contacts(
        &self,
        needed: &dyn Fn([BodyId; 2]) -> bool,
        surface: &dyn Fn(&Collider, u32) -> Option<ContactSurface>,
        visit: &mut dyn FnMut(SolverContact),
    ) {
        for pair in self.narrow_phase.contact_pairs() {
            self.visit_pair(pair, needed, surface, visit);
        }
    }

    fn visit_pair(
        &self,
        pair: &ContactPair,
        needed: &dyn Fn([BodyId; 2]) -> bool,
        surface: &dyn Fn(&Collider, u32) -> Option<ContactSurface>,
        visit: &mut dyn FnMut(SolverContact),
    ) -> Option<()> {
        // Most pairs are neighbours without contact.
        if !pair.has_any_active_contact() {
            return None;
        }
        let sides = [self.side(pair.collider1)?, self.side(pair.collider2)?];
        if !needed([sides[0].id, sides[1].id]) {
            return None;
        }
        for manifold in pair.solver_manifolds() {
            let surfaces = [
                surface(sides[0].collider, manifold.subshape1)?,
                surface(sides[1].collider, manifold.subshape2)?,
            ];
            for contact in &manifold.data.solver_contacts {
                let [id] = contact.contact_indices();
                let impulse = manifold.points.get(id as usize)?.data.impulse;
                // Rapier's points move with the bodies and are given after the step.
                let (p1, p2) = manifold.data.solver_contact_world_points(contact, self.bodies);
                let place = |side: &Side<'_>, p: Vector| side.frame.to_local(p.as_dvec3());
                let places = [place(&sides[0], p1), place(&sides[1], p2)];
                let contact_side = |side: usize| ContactSide {
                    body: sides[side].id,
                    place_m: places[side].to_array(),
                    surface: surfaces[side].clone(),
                };
                visit(SolverContact {
                    sides: [contact_side(0), contact_side(1)],
                    normal: manifold.data.normal.as_dvec3().to_array(),
                    impulse_ns: f64::from(impulse),
                    restitution: f64::from(manifold.data.restitution),
                });
            }
        }
        Some(())
    }

    fn side(&self, handle: ColliderHandle) -> Option<Side<'a>> {
        let collider = self.colliders.get(handle)?;
        let Some(parent) = collider.parent() else {
            let frame = Pose::default().into();
            return Some(Side { id: Self::GROUND_ID, collider, frame });
        };
        let body = self.bodies.get(parent)?;
        Some(Side { id: self.id(parent, body), collider, frame: Frame::of(body.position()) })
    }
}

/// Returns the identifier of a body. Rapier never uses a handle again.
pub(crate) fn body_id(handle: RigidBodyHandle, number: u32) -> BodyId {
    let (index, generation) = handle.into_raw_parts();
    BodyId { number, key: u64::from(index) << 32 | u64::from(generation) }
}

/// Returns ½ Σ I_k ω_k² over the principal axes of inertia. As the difference between Rapier's kinetic
/// energy and that of translation it would be lost in rounding.
fn rotational_energy_j(body: &RigidBody) -> f64 {
    let properties = &body.mass_properties().local_mprops;
    let axes = body.rotation() * properties.principal_inertia_local_frame;
    let spin = axes.as_dquat().inverse() * body.angvel().as_dvec3();
    0.5 * properties.principal_inertia().as_dvec3().dot(spin * spin)
}

/// One collider of a pair.
struct Side<'a> {
    id: BodyId,
    collider: &'a Collider,
    /// Frame of its body after the step.
    frame: Frame,
}

impl ContactSource for RapierView<'_> {
    fn step_length(&self) -> StepLength {
        self.step_length
    }

    fn gravity(&self) -> [f64; 3] {
        self.gravity
    }

    fn bodies(&self, visit: &mut dyn FnMut(BodyId, BodyState)) {
        for (handle, body) in self.bodies.iter() {
            visit(self.id(handle, body), self.state(body));
        }
        visit(Self::GROUND_ID, BodyState::fixed(Pose::default()));
    }

    fn body(&self, body: BodyId) -> Option<BodyState> {
        if body == Self::GROUND_ID {
            return Some(BodyState::fixed(Pose::default()));
        }
        Some(self.state(self.rigid_body(body)?))
    }

    fn contacts(&self, needed: &dyn Fn([BodyId; 2]) -> bool, visit: &mut dyn FnMut(SolverContact)) {
        let surface = |collider: &Collider, part| Some(surface::of_collider(collider, part));
        self.visit_contacts(needed, &surface, visit);
    }
}

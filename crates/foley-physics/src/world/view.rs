//! View of a world for the contact tracker.

use super::{BodyRecord, World};
use crate::ContactTracker;
use crate::contact::source::{
    BodyId, BodyState, ContactSource, ContactSurface, SolverContact, StepLength,
};
use crate::frame::Frame;
use crate::rapier_view::RapierView;
use foley_geometry::Collider;
use rapier3d::prelude::Collider as RapierCollider;

/// Curved surface of a collider and its bounding radius.
#[derive(Clone, Debug)]
pub(super) struct ColliderSurface {
    /// The shape; a half-space for every polyhedron, which is as flat.
    pub(super) shape: Collider,
    pub(super) reach_m: f64,
}

/// Rapier's state with the leapfrog of free flight (see `free_flight`) and the surfaces of shapes
/// that Rapier approximates.
pub(super) struct WorldView<'a> {
    rapier: RapierView<'a>,
    records: &'a [BodyRecord],
    surfaces: &'a [ColliderSurface],
    leapfrog_m_s: [f64; 3],
}

impl World {
    /// Returns what the tracker reads.
    pub(super) fn view(&self) -> WorldView<'_> {
        let rapier = RapierView {
            bodies: &self.physics.bodies,
            colliders: &self.physics.colliders,
            narrow_phase: &self.physics.narrow_phase,
            step_length: self.step_length(),
            gravity: self.settings.gravity,
            number: &|_, body| body.user_data as u32,
        };
        let (records, surfaces) = (&self.bodies[..], &self.surfaces[..]);
        WorldView { rapier, records, surfaces, leapfrog_m_s: self.leapfrog().to_array() }
    }

    /// Calls `read` with the tracker and what it reads.
    pub(super) fn track<T>(
        &mut self,
        read: impl FnOnce(&mut ContactTracker, &WorldView<'_>) -> T,
    ) -> T {
        let mut tracker = std::mem::take(&mut self.tracker);
        let result = read(&mut tracker, &self.view());
        self.tracker = tracker;
        result
    }
}

impl WorldView<'_> {
    fn with_leapfrog(&self, body: BodyId, mut state: BodyState) -> BodyState {
        if self.records.get(body.number as usize).is_some_and(|record| record.is_staggered) {
            state.leapfrog_m_s = self.leapfrog_m_s;
        }
        state
    }

    fn surface(&self, collider: &RapierCollider) -> Option<ContactSurface> {
        let surface = self.surfaces.get(collider.user_data as usize)?;
        Some(ContactSurface {
            shape: surface.shape.clone(),
            pose: Frame::of(collider.position_wrt_parent()?).into(),
            reach_m: surface.reach_m,
        })
    }
}

impl ContactSource for WorldView<'_> {
    fn step_length(&self) -> StepLength {
        self.rapier.step_length()
    }

    fn gravity(&self) -> [f64; 3] {
        self.rapier.gravity()
    }

    fn bodies(&self, visit: &mut dyn FnMut(BodyId, BodyState)) {
        self.rapier.bodies(&mut |body, state| visit(body, self.with_leapfrog(body, state)));
    }

    fn body(&self, body: BodyId) -> Option<BodyState> {
        Some(self.with_leapfrog(body, self.rapier.body(body)?))
    }

    fn contacts(&self, needed: &dyn Fn([BodyId; 2]) -> bool, visit: &mut dyn FnMut(SolverContact)) {
        self.rapier.visit_contacts(needed, &|collider, _| self.surface(collider), visit);
    }
}

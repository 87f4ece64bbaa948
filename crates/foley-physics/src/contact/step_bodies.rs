//! States of all bodies before a step, and of bodies in contact after it.

use super::source::{BodyId, BodyState, ContactSource, Mobility};
use crate::frame::Frame;
use glam::DVec3;
use std::sync::OnceLock;

/// State of a body before or after a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepState {
    pub(crate) id: BodyId,
    pub(crate) frame: Frame,
    pub(crate) centre: DVec3,
    /// Velocity as the solver stores it, and the part of the true velocity that it does not store.
    pub(crate) stored: DVec3,
    pub(crate) leapfrog: DVec3,
    pub(crate) spin: DVec3,
    /// Acceleration in free fall.
    pub(crate) fall: DVec3,
    pub(crate) mobility: Mobility,
    pub(crate) awake: bool,
    pub(crate) energy_j: f64,
}

impl StepState {
    fn new(id: BodyId, state: &BodyState) -> Self {
        Self {
            id,
            frame: state.pose.into(),
            centre: state.centre_m.into(),
            stored: state.velocity_m_s.into(),
            leapfrog: state.leapfrog_m_s.into(),
            spin: state.spin_rad_s.into(),
            fall: state.fall_m_s2.into(),
            mobility: state.mobility,
            awake: state.awake,
            energy_j: state.energy_j(),
        }
    }

    /// Returns the true velocity of the centre.
    pub(crate) fn velocity(&self) -> DVec3 {
        self.stored + self.leapfrog
    }
}

/// States of the bodies of one step. The position of a body in it is called its slot.
#[derive(Default)]
pub(crate) struct StepBodies {
    /// Sorted by identifier.
    before: Vec<StepState>,
    /// Bodies in contact, read once each.
    after: Vec<OnceLock<Option<StepState>>>,
    recorded: bool,
}

impl StepBodies {
    /// Records all bodies before a step.
    pub(crate) fn record(&mut self, source: &impl ContactSource) {
        self.clear();
        source.bodies(&mut |id, state| self.before.push(StepState::new(id, &state)));
        if !self.before.is_sorted_by_key(|state| state.id) {
            self.before.sort_by_key(|state| state.id);
        }
        self.recorded = true;
        self.after.resize_with(self.before.len(), OnceLock::new);
    }

    /// Forgets the step.
    pub(crate) fn clear(&mut self) {
        self.before.clear();
        self.after.clear();
        self.recorded = false;
    }

    /// Returns whether a step is recorded.
    pub(crate) fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// Returns the number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.before.len()
    }

    /// Returns the slot of a body.
    pub(crate) fn slot(&self, id: BodyId) -> Option<usize> {
        // Numbers are often counted from zero.
        let guess = id.number as usize;
        if self.before.get(guess).is_some_and(|state| state.id == id) {
            return Some(guess);
        }
        self.before.binary_search_by_key(&id, |state| state.id).ok()
    }

    /// Returns whether both bodies of a pair are known and one of them was awake.
    pub(crate) fn any_awake(&self, pair: [BodyId; 2]) -> bool {
        let [a, b] = pair.map(|id| self.slot(id).map(|slot| self.before[slot].awake));
        matches!((a, b), (Some(a), Some(b)) if a || b)
    }

    /// Returns the state of a body before the step.
    pub(crate) fn before(&self, slot: usize) -> Option<&StepState> {
        self.before.get(slot)
    }

    /// Returns the state of a body after the step, which is read once.
    pub(crate) fn after(&self, slot: usize, source: &impl ContactSource) -> Option<&StepState> {
        let id = self.before.get(slot)?.id;
        let read = || source.body(id).map(|state| StepState::new(id, &state));
        self.after.get(slot)?.get_or_init(read).as_ref()
    }

    /// Returns the type of motion of a body in contact.
    pub(crate) fn mobility(&self, slot: usize) -> Mobility {
        let after = self.after.get(slot).and_then(|after| after.get()?.as_ref());
        after.map_or(Mobility::Fixed, |state| state.mobility)
    }
}

//! Sustained contacts: loads that persist over steps.
//!
//! A contact begins when a manifold is loaded and its bodies do not separate. It ends after
//! [`GRACE_S`] without load, so that a wheel that hops from triangle to triangle makes one contact.
//! Slip and roll come from velocities, which are smooth; the solver distributes forces over points
//! irregularly, so the force is smoothed over [`FORCE_SMOOTHING_S`] at any step rate.

use super::manifold::{Manifold, SAME_NORMAL, mean_places};
use super::source::BodyId;
use crate::event::SustainedContact;
use glam::DVec3;
use std::collections::BTreeMap;

/// Time without load after which a contact ends, s, and its minimum in steps.
const GRACE_S: f64 = 0.02;
const GRACE_STEPS: f64 = 2.5;
/// Time constant of the force, s.
const FORCE_SMOOTHING_S: f64 = 0.015;
/// Solver noise: speeds below this count as rest, m/s.
const STILL_M_S: f64 = 0.002;
/// Creep as a share of the rolling speed: rolling bodies creep without sliding (Carter 1926), in
/// solvers slightly more.
const CREEP: f64 = 0.025;
/// A resting contact is reported again when its force has changed by this share …
const FORCE_STEP: f64 = 0.02;
/// … or after this time, s.
const REPEAT_S: f64 = 0.25;

struct ActiveContact {
    state: SustainedContact,
    /// Load of the last step, and the smoothed force.
    load: f64,
    force: f64,
    normal: DVec3,
    loaded_s: f64,
    /// The last reported state.
    reported: Option<SustainedContact>,
    seen: bool,
}

/// All active contacts.
#[derive(Default)]
pub(crate) struct SustainedContacts {
    active: BTreeMap<[BodyId; 2], Vec<ActiveContact>>,
    next: u64,
}

/// Returns zero below `least` and rises continuously from there, within 1 % of `speed` from ten
/// times `least` on.
fn above(least: f64, speed: f64) -> f64 {
    if speed > least { speed * (1.0 - (least / speed).powi(2)) } else { 0.0 }
}

impl SustainedContacts {
    /// Adds the load of a manifold, without impacts, in a step that ends at `at_s`.
    pub(crate) fn load(
        &mut self,
        manifold: &Manifold,
        load_n: f64,
        at_s: f64,
        step_s: f64,
        stays_together: bool,
    ) {
        let contacts = self.active.entry(manifold.bodies).or_default();
        let same = |active: &&mut ActiveContact| {
            !active.seen && active.normal.dot(manifold.normal) > SAME_NORMAL
        };
        let active = match contacts.iter_mut().find(same) {
            Some(active) => active,
            None if !stays_together => {
                return;
            }
            None => {
                self.next += 1;
                contacts.push(ActiveContact::new(self.next, manifold, load_n));
                let last = contacts.len() - 1;
                &mut contacts[last]
            }
        };
        active.update(manifold, load_n, at_s, step_s);
    }

    /// Ends the step and reports changes. `awake` returns whether a body may move.
    pub(crate) fn report(
        &mut self,
        at_s: f64,
        step_s: f64,
        awake: impl Fn(BodyId) -> bool,
        mut emit: impl FnMut(SustainedContact),
    ) {
        self.active.retain(|bodies, contacts| {
            let asleep = !bodies.iter().any(|&body| awake(body));
            contacts.retain_mut(|active| active.report(at_s, step_s, asleep, &mut emit));
            !contacts.is_empty()
        });
    }

    /// Ends the contacts of bodies that do not exist any more.
    pub(crate) fn end_missing(
        &mut self,
        at_s: f64,
        exists: impl Fn(BodyId) -> bool,
        mut emit: impl FnMut(SustainedContact),
    ) {
        self.active.retain(|bodies, contacts| {
            let stays = bodies.iter().all(|&body| exists(body));
            if !stays {
                contacts.iter_mut().for_each(|active| active.end(at_s, 0.0, &mut emit));
            }
            stays
        });
    }

    /// Returns the number of active contacts.
    pub(crate) fn count(&self) -> usize {
        self.active.values().map(Vec::len).sum()
    }
}

impl ActiveContact {
    fn new(contact: u64, manifold: &Manifold, force: f64) -> Self {
        let state = SustainedContact {
            at_s: 0.0,
            contact,
            bodies: manifold.bodies.map(|body| body.number),
            places: [[0.0; 3]; 2],
            normal: [0.0; 3],
            force_n: 0.0,
            slip_m_s: 0.0,
            roll_m_s: 0.0,
            over: false,
        };
        Self {
            state,
            load: force,
            force,
            normal: manifold.normal,
            loaded_s: 0.0,
            reported: None,
            seen: false,
        }
    }

    fn update(&mut self, manifold: &Manifold, load_n: f64, at_s: f64, step_s: f64) {
        let total: f64 = manifold.points.iter().map(|point| point.impulse).sum();
        let mean = |of: &dyn Fn(&super::points::Point) -> f64| {
            manifold.points.iter().map(|point| of(point) * point.impulse).sum::<f64>() / total
        };
        let places = mean_places(manifold.points.iter().map(|point| (point, point.impulse)));
        // Solvers alternate strong and weak loads: the mean of two steps removes that.
        let pressed = 0.5 * (load_n + self.load);
        self.load = load_n;
        self.force += (pressed - self.force) * share(step_s);
        self.normal = manifold.normal;
        self.loaded_s = at_s;
        self.seen = true;
        self.state.places = places.map(|place| place.to_array());
        self.state.normal = manifold.normal.to_array();
        let (slip, roll) = (mean(&|point| point.slip), mean(&|point| point.roll));
        self.state.slip_m_s = above(STILL_M_S + CREEP * roll, slip);
        self.state.roll_m_s = above(STILL_M_S, roll);
    }

    /// Reports a change; returns whether the contact continues.
    fn report(
        &mut self,
        at_s: f64,
        step_s: f64,
        asleep: bool,
        emit: &mut impl FnMut(SustainedContact),
    ) -> bool {
        if !std::mem::take(&mut self.seen) {
            self.force += (0.5 * self.load - self.force) * share(step_s);
            self.load = 0.0;
        }
        self.state.at_s = at_s;
        self.state.force_n = self.force;
        let over = asleep || at_s - self.loaded_s > GRACE_S.max(GRACE_STEPS * step_s);
        if over {
            self.end(at_s, if asleep { self.force } else { 0.0 }, emit);
            return false;
        }
        if self.has_changed() {
            self.reported = Some(self.state);
            emit(self.state);
        }
        true
    }

    /// Reports the end of the contact, with the force that remains.
    fn end(&mut self, at_s: f64, force_n: f64, emit: &mut impl FnMut(SustainedContact)) {
        // A contact that was never reported needs no end.
        if self.reported.is_some() {
            let rest = SustainedContact { force_n, slip_m_s: 0.0, roll_m_s: 0.0, ..self.state };
            emit(SustainedContact { at_s, over: true, ..rest });
        }
    }

    fn has_changed(&self) -> bool {
        let now = &self.state;
        let Some(reported) = &self.reported else { return true };
        let moves = |state: &SustainedContact| state.slip_m_s > 0.0 || state.roll_m_s > 0.0;
        moves(now)
            || moves(reported)
            || (now.force_n - reported.force_n).abs() > FORCE_STEP * reported.force_n
            || now.at_s - reported.at_s >= REPEAT_S
    }
}

/// Returns the smoothing factor of one step.
fn share(step_s: f64) -> f64 {
    -(-step_s / FORCE_SMOOTHING_S).exp_m1()
}

//! Contact tracker: reports the impacts and sustained contacts of any rigid-body simulation.

use super::axes::Axes;
use super::checked_source::CheckedSource;
use super::energy_accounting::{Collision, EnergyDebts};
use super::impacts::{StepImpact, set_first_meeting, step_impacts};
use super::manifold::{Manifold, manifolds};
use super::persistent::PersistentPoints;
use super::points::{Point, gather};
use super::source::{BodyId, ContactSource, StepLength};
use super::step_bodies::{StepBodies, StepState};
use super::step_clock::StepClock;
use super::sustained::SustainedContacts;
use crate::{Event, Impact, SustainedContact};
use glam::DVec3;

#[cfg(test)]
mod tests;

/// Bodies that meet slower than their free-fall speed after this time only settle, s.
const SETTLING_S: f64 = 0.005;
/// The same limit without gravity, m/s.
const SLOWEST_M_S: f64 = 0.02;
/// Bodies closer than this plus the fall of one step are in contact, m.
const CLOSE_M: f64 = 1e-4;

/// Finds the impacts and sustained contacts in the steps of a simulation.
///
/// The simulation stays as it is: the tracker only reads it, before and after each step. Bodies may
/// appear and disappear at any time; the contacts of a removed body end with the next step, and its
/// anticipated impacts are dropped.
///
/// ```
/// use foley_physics::rapier3d::prelude::*;
/// use foley_physics::{Axes, ContactTracker, Event, RapierView};
///
/// // A ball falls one metre in a world of Rapier's own, y up.
/// let mut world = PhysicsWorld::new();
/// world.insert(RigidBodyBuilder::fixed(), ColliderBuilder::cuboid(5.0, 0.1, 5.0));
/// let ball = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 1.15, 0.0));
/// world.insert(ball, ColliderBuilder::ball(0.05).density(7800.0));
///
/// let mut tracker = ContactTracker::new().with_axes(Axes::Y_UP);
/// let mut impacts = Vec::new();
/// for _ in 0..60 {
///     tracker.before_step(&RapierView::of(&world));
///     world.step();
///     for event in tracker.after_step(&RapierView::of(&world)) {
///         if let Event::Impact(impact) = event {
///             impacts.push(*impact);
///         }
///     }
/// }
/// // √(2h/g) and √(2gh), within a step of 1/60 s.
/// assert!((impacts[0].at_s - 0.4515).abs() < 0.017);
/// assert!((impacts[0].speed_m_s - 4.43).abs() < 0.17);
/// ```
///
/// Times of impacts are as exact as the simulation: the tracker finds them within a step if the
/// solver predicts contacts that far ([`IntegrationParameters::prediction_distance`],
/// [`RigidBody::set_soft_ccd_prediction`] in Rapier), and reports the beginning of the step in which
/// bodies have overlapped otherwise.
///
/// [`IntegrationParameters::prediction_distance`]: rapier3d::dynamics::IntegrationParameters::prediction_distance
/// [`RigidBody::set_soft_ccd_prediction`]: rapier3d::dynamics::RigidBody::set_soft_ccd_prediction
#[derive(Default)]
pub struct ContactTracker {
    axes: Axes,
    clock: StepClock,
    bodies: StepBodies,
    points: Vec<Point>,
    persistent: PersistentPoints,
    sustained: SustainedContacts,
    debts: EnergyDebts,
    events: Vec<Event>,
    /// Impacts predicted for after the present step.
    predicted: Vec<([BodyId; 2], Impact)>,
}

/// Contacts of one step, before they are reported.
pub(crate) struct StepContacts {
    span: StepLength,
    slowest_m_s: f64,
    pub(crate) points: Vec<Point>,
    pub(crate) manifolds: Vec<Manifold>,
    /// Impacts of each manifold.
    pub(crate) impacts: Vec<Vec<StepImpact>>,
}

/// Returns the approach speed below which contacts are not impacts, m/s.
pub(crate) fn slowest_impact_m_s(gravity: [f64; 3]) -> f64 {
    (DVec3::from(gravity).length() * SETTLING_S).max(SLOWEST_M_S)
}

impl ContactTracker {
    /// Makes a tracker for a world with z up whose time is zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the axes of the simulation. Events have Foley's axes, z up: normals in the world as well
    /// as places in the frames of bodies are converted by [`Axes::vector`].
    pub fn with_axes(mut self, axes: Axes) -> Self {
        self.axes = axes;
        self
    }

    /// Returns the time at the end of the last step, s: the sum of all steps.
    pub fn time_s(&self) -> f64 {
        self.clock.now_s()
    }

    /// Sets the time at which the next step begins, s, for instance that of the sound. A time that
    /// is not finite is ignored.
    pub fn set_time_s(&mut self, time_s: f64) {
        self.clock.set(time_s);
    }

    /// Returns the number of sustained contacts.
    pub fn sustained_contact_count(&self) -> usize {
        self.sustained.count()
    }

    /// Records the bodies before a step. Call it last, after forces and poses have been set.
    pub fn before_step(&mut self, source: &impl ContactSource) {
        self.bodies.record(&CheckedSource(source));
    }

    /// Analyses a step and returns its events in order of time: [`Event::Impact`] and
    /// [`Event::SustainedContact`]. Without a preceding [`before_step`](Self::before_step), or for a
    /// step without a length, there are none.
    ///
    /// An impact that the solver anticipates is returned after the step in which it happens.
    pub fn after_step(&mut self, source: &impl ContactSource) -> &[Event] {
        if let Some(contacts) = self.analyse(source) {
            let bounced = vec![false; contacts.manifolds.len()];
            self.report(source, &contacts, &bounced);
            self.recycle(contacts);
        }
        &self.events
    }

    /// Returns the events of the last step.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the state of a body before the present step.
    pub(crate) fn before(&self, body: BodyId) -> Option<&StepState> {
        self.bodies.before(self.bodies.slot(body)?)
    }

    /// Finds the contacts of a step. To be followed by [`report`](Self::report); the simulation may
    /// be changed in between.
    pub(crate) fn analyse(&mut self, source: &impl ContactSource) -> Option<StepContacts> {
        let source = &CheckedSource(source);
        self.events.clear();
        let span = source.step_length();
        if !self.bodies.is_recorded() || !self.clock.advance(span.step_s) {
            self.bodies.clear();
            return None;
        }
        self.forget_removed_bodies(source);
        let (gravity, slowest_m_s) = (source.gravity(), slowest_impact_m_s(source.gravity()));
        let close_m = CLOSE_M + 0.5 * DVec3::from(gravity).length() * span.step_s.powi(2);
        let mut points = std::mem::take(&mut self.points);
        gather(source, &self.bodies, close_m, &mut points);
        self.persistent.mark(&mut points);
        set_first_meeting(&mut points, span);
        let manifolds = manifolds(&points);
        let impacts =
            manifolds.iter().map(|manifold| step_impacts(manifold, span, slowest_m_s)).collect();
        Some(StepContacts { span, slowest_m_s, points, manifolds, impacts })
    }

    /// Ends the contacts of bodies that were removed since the last step, and drops their predicted
    /// impacts.
    fn forget_removed_bodies(&mut self, source: &impl ContactSource) {
        let exists = |body| self.bodies.slot(body).is_some();
        let (axes, at_s) = (self.axes, self.clock.begin_s());
        self.sustained.end_missing(at_s, exists, |contact| {
            self.events.push(Event::SustainedContact(converted(&axes, contact)));
        });
        self.debts.retain(exists);
        let still_exists = |body: &BodyId| exists(*body) && source.body(*body).is_some();
        self.predicted.retain(|(bodies, _)| bodies.iter().all(still_exists));
    }

    /// Makes the events of a step. `bounced` marks manifolds whose bounce was corrected since.
    pub(crate) fn report(
        &mut self,
        source: &impl ContactSource,
        contacts: &StepContacts,
        bounced: &[bool],
    ) {
        let source = &CheckedSource(source);
        let collisions: Vec<Collision<'_>> = contacts
            .manifolds
            .iter()
            .zip(&contacts.impacts)
            .zip(bounced)
            .map(|((manifold, impacts), &bounced)| Collision { manifold, impacts, bounced })
            .collect();
        let losses = self.debts.losses(source, &self.bodies, contacts.span, &collisions);
        self.report_impacts(&collisions, &losses);
        self.report_sustained_contacts(source, contacts, &collisions);
        let (step_s, slowest_m_s) = (contacts.span.step_s, contacts.slowest_m_s);
        self.persistent.remember(&contacts.points, step_s, slowest_m_s);
        self.bodies.clear();
    }

    /// Takes the memory of a finished step back.
    pub(crate) fn recycle(&mut self, contacts: StepContacts) {
        self.points = contacts.points;
    }

    fn report_impacts(&mut self, collisions: &[Collision<'_>], losses: &[Vec<f64>]) {
        let begin_s = self.clock.begin_s();
        let mut found = Vec::new();
        for (collision, losses) in collisions.iter().zip(losses) {
            let bodies = collision.manifold.bodies;
            for (impact, lost_j) in collision.impacts.iter().zip(losses) {
                let impact = Impact {
                    at_s: begin_s + impact.after_s,
                    bodies: bodies.map(|body| body.number),
                    places: impact.places.map(|place| self.axes.vector(place.to_array())),
                    normal: self.axes.vector(collision.manifold.normal.to_array()),
                    impulse_ns: impact.impulse,
                    speed_m_s: impact.speed,
                    lost_j: Some(*lost_j),
                };
                found.push((bodies, impact));
            }
        }
        // Impacts predicted for after the step are reported in the next one.
        found.append(&mut self.predicted);
        let now_s = self.clock.now_s();
        self.predicted.extend(found.extract_if(.., |(_, impact)| impact.at_s > now_s));
        self.events.extend(found.into_iter().map(|(_, impact)| Event::Impact(impact)));
        self.events.sort_by(|a, b| a.at_s().total_cmp(&b.at_s()));
    }

    fn report_sustained_contacts(
        &mut self,
        source: &impl ContactSource,
        contacts: &StepContacts,
        collisions: &[Collision<'_>],
    ) {
        let (at_s, step_s) = (self.clock.now_s(), contacts.span.step_s);
        for Collision { manifold, impacts, .. } in collisions.iter().filter(|c| !c.bounced) {
            let total: f64 = manifold.points.iter().map(|point| point.impulse).sum();
            let impact_sum: f64 = impacts.iter().map(|impact| impact.impulse).sum();
            let load_n = (total - impact_sum).max(0.0) / step_s;
            let stays = |point: &Point| point.parting < contacts.slowest_m_s;
            let stays_together = manifold.points.iter().any(stays);
            self.sustained.load(manifold, load_n, at_s, step_s, stays_together);
        }
        let awake = |body| source.body(body).is_some_and(|state| state.awake);
        self.sustained.report(at_s, step_s, awake, |contact| {
            self.events.push(Event::SustainedContact(converted(&self.axes, contact)));
        });
    }
}

/// Converts a contact to Foley's axes.
fn converted(axes: &Axes, contact: SustainedContact) -> SustainedContact {
    SustainedContact {
        places: contact.places.map(|place| axes.vector(place)),
        normal: axes.vector(contact.normal),
        ..contact
    }
}

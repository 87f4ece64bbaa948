//! Tests with a simulation that is not Rapier's: boxes on a floor, as a list of states.

use super::*;
use crate::contact::source::{BodyState, ContactSide, ContactSurface, Mobility, SolverContact};
use foley_geometry::{Collider, Pose};

const FLOOR: BodyId = BodyId { number: 0, key: 0 };
const MASS_KG: f64 = 2.0;
const STEP_S: f64 = 0.01;

/// Bodies with these keys lie on a floor, side by side.
struct Boxes {
    keys: std::ops::Range<u64>,
}

impl Boxes {
    fn ids(&self) -> impl Iterator<Item = BodyId> {
        let first = self.keys.start;
        self.keys.clone().map(move |key| BodyId { number: (key - first) as u32 + 1, key: key + 1 })
    }

    fn side(body: BodyId, place_m: [f64; 3]) -> ContactSide {
        let (shape, pose) = (Collider::HalfSpace, Pose::default());
        let surface = ContactSurface { shape, pose, reach_m: f64::INFINITY };
        ContactSide { body, place_m, surface }
    }
}

impl ContactSource for Boxes {
    fn step_length(&self) -> StepLength {
        StepLength { step_s: STEP_S, substep_s: STEP_S }
    }

    fn gravity(&self) -> [f64; 3] {
        [0.0, 0.0, -10.0]
    }

    fn bodies(&self, visit: &mut dyn FnMut(BodyId, BodyState)) {
        for id in std::iter::once(FLOOR).chain(self.ids()) {
            if let Some(state) = self.body(id) {
                visit(id, state);
            }
        }
    }

    fn body(&self, id: BodyId) -> Option<BodyState> {
        if id == FLOOR {
            return Some(BodyState::fixed(Pose::default()));
        }
        let position_m = [f64::from(id.number), 0.0, 0.5];
        let pose = Pose { position_m, ..Pose::default() };
        self.ids().any(|other| other == id).then(|| BodyState {
            mobility: Mobility::Dynamic,
            awake: true,
            fall_m_s2: self.gravity(),
            mass_kg: MASS_KG,
            ..BodyState::fixed(pose)
        })
    }

    fn contacts(&self, needed: &dyn Fn([BodyId; 2]) -> bool, visit: &mut dyn FnMut(SolverContact)) {
        for id in self.ids().filter(|&id| needed([FLOOR, id])) {
            visit(SolverContact {
                sides: [
                    Self::side(FLOOR, [f64::from(id.number), 0.0, 0.0]),
                    Self::side(id, [0.0, 0.0, -0.5]),
                ],
                normal: [0.0, 0.0, 1.0],
                impulse_ns: MASS_KG * 10.0 * STEP_S,
                restitution: 0.0,
            });
        }
    }
}

fn state_size(tracker: &ContactTracker) -> [usize; 6] {
    [
        tracker.bodies.len(),
        tracker.persistent.len(),
        tracker.sustained.count(),
        tracker.debts.len(),
        tracker.events.len(),
        tracker.predicted.len(),
    ]
}

#[test]
fn bodies_that_are_gone_leave_no_state() {
    let mut tracker = ContactTracker::new();
    for generation in 0..20 {
        let boxes = Boxes { keys: generation * 1000..generation * 1000 + 1000 };
        for _ in 0..3 {
            tracker.before_step(&boxes);
            tracker.after_step(&boxes);
        }
        assert_eq!(tracker.sustained_contact_count(), 1000);
    }
    let nothing = Boxes { keys: 0..0 };
    for _ in 0..2 {
        tracker.before_step(&nothing);
        tracker.after_step(&nothing);
    }
    assert_eq!(state_size(&tracker), [0; 6]);
}

#[test]
fn the_load_of_a_body_at_rest_is_its_weight() {
    let mut tracker = ContactTracker::new();
    let boxes = Boxes { keys: 7..8 };
    tracker.before_step(&boxes);
    let [Event::SustainedContact(contact)] = tracker.after_step(&boxes) else { panic!() };
    assert_eq!(contact.bodies, [0, 1]);
    assert!((contact.force_n - MASS_KG * 10.0).abs() < 1e-9, "{contact:?}");
    assert_eq!([contact.slip_m_s, contact.roll_m_s], [0.0, 0.0]);
    assert_eq!(contact.normal, [0.0, 0.0, 1.0]);
}

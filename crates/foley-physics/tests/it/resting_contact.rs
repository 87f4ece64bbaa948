//! Resting bodies make no impacts.

use crate::common;

use common::{G, RATES_HZ, contacts, crate_at, floor, impacts, run};
use foley_physics::{Event, SustainedContact};

/// Time for all bodies to settle, s.
const SETTLED_S: f64 = 2.0;

fn assert_silent(events: &[Event], what: &str) {
    let late: Vec<_> = events.iter().filter(|event| event.at_s() > SETTLED_S).copied().collect();
    let hits = impacts(&late);
    assert!(hits.is_empty(), "{what}: {} impacts, {:?}", hits.len(), hits[0]);
    for contact in contacts(&late) {
        assert!(contact.slip_m_s < 1e-3 && contact.roll_m_s < 1e-3, "{what}: {contact:?}");
    }
}

#[test]
fn a_body_that_lies_for_a_minute_is_silent() {
    for rate_hz in RATES_HZ {
        for may_sleep in [true, false] {
            let mut world = floor(rate_hz, 0.5, 0.3);
            let mut body = crate_at([0.0, 0.3, 0.0], 0.1).with_rotation([0.1, 0.2, 0.05, 1.0]);
            body.may_sleep = may_sleep;
            world.add(&body).unwrap();
            let events = run(&mut world, 60.0);
            assert!(!impacts(&events).is_empty(), "it fell, and that was not heard");
            assert_silent(&events, &format!("{rate_hz} Hz, may sleep: {may_sleep}"));
            assert_eq!(world.is_awake(1), !may_sleep);
        }
    }
}

#[test]
fn a_stack_of_fifty_boxes_is_silent_and_stands() {
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.5, 0.3);
        for k in 0..50 {
            let mut body = crate_at([0.0, 0.05 + 0.1 * f64::from(k), 0.0], 0.1);
            // A sleeping body would be silent anyway.
            body.may_sleep = false;
            world.add(&body).unwrap();
        }
        let events = run(&mut world, 60.0);
        assert_silent(&events, &format!("{rate_hz} Hz"));
        assert_eq!(world.sustained_contact_count(), 50);
        let top = world.pose(50).unwrap().position;
        assert!(top[1] > 4.85 && top[0].hypot(top[2]) < 0.03, "{rate_hz} Hz: {top:?}");
    }
}

#[test]
fn contacts_carry_the_weight() {
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.5, 0.0);
        for k in 0..5 {
            let mut body = crate_at([0.0, 0.05 + 0.1 * f64::from(k), 0.0], 0.1);
            body.may_sleep = false;
            world.add(&body).unwrap();
        }
        let events = contacts(&run(&mut world, 3.0));
        // The impulse on each level of the stack from 2 s to 3 s: each state holds until the next.
        for below in 0..5 {
            let of_pair = |contact: &&SustainedContact| contact.bodies == [below, below + 1];
            let mut reported: Vec<SustainedContact> =
                events.iter().filter(of_pair).copied().collect();
            reported.push(SustainedContact { at_s: 3.0, ..*reported.last().unwrap() });
            let impulse: f64 = reported
                .windows(2)
                .map(|pair| pair[0].force_n * (pair[1].at_s.max(2.0) - pair[0].at_s.max(2.0)))
                .sum();
            let weight = f64::from(5 - below) * G;
            foley_measured::check!("physics.weight", 100.0 * (impulse / weight - 1.0).abs());
        }
    }
}

#[test]
fn contacts_of_sleeping_bodies_end_once_and_begin_again_after_an_impulse() {
    let mut world = floor(240.0, 0.5, 0.0);
    let body = world.add(&crate_at([0.0, 0.05, 0.0], 0.1)).unwrap();
    let events = contacts(&run(&mut world, 3.0));
    assert!(!world.is_awake(body));
    let first = events[0].contact;
    assert!(events.iter().all(|contact| contact.contact == first), "one contact");
    assert_eq!(events.iter().filter(|contact| contact.over).count(), 1);
    assert!(events.last().unwrap().over);
    assert!(events.last().unwrap().force_n > 0.0, "it still rests on the floor");
    world.apply_impulse(body, [0.5, 0.0, 0.0], [0.0, 0.05, 0.0]).unwrap();
    let events = run(&mut world, 4.0);
    assert!(impacts(&events).is_empty(), "a push is no impact on the floor");
    let again = contacts(&events);
    assert!(again[0].contact != first && again.iter().any(|contact| contact.slip_m_s > 0.2));
}

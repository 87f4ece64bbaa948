//! Many bodies: bounded cost, determinism and energy.

use crate::common;

use common::{G, along_y, crate_at, floor, impacts, processor_s, run};
use foley_geometry::Collider;
use foley_physics::{Body, Mass, World};

/// Balls, boxes and capsules that fall on each other.
fn heap(rate_hz: f64, bodies: u32) -> World {
    let mut world = floor(rate_hz, 0.5, 0.3);
    for k in 0..bodies {
        let (column, row, layer) = (k % 10, (k / 10) % 10, k / 100);
        let shape = match k % 3 {
            0 => Collider::ball(0.05),
            1 => Collider::cuboid(0.1, 0.08, 0.06),
            _ => along_y(Collider::Capsule { radius_m: 0.03, half_length_m: 0.04 }),
        };
        let lean = 0.01 * f64::from(layer % 3);
        let place = [column, layer, row].map(|number| 0.13 * f64::from(number) + lean);
        let place = [place[0], place[1] + 0.2, place[2]];
        world.add(&Body::dynamic("body", shape, Mass::Density(1000.0)).at(place)).unwrap();
    }
    world
}

/// A hundred steel rings above a table.
fn rings(rate_hz: f64, rings: u32) -> World {
    let mut world = floor(rate_hz, 0.5, 0.4);
    for k in 0..rings {
        let place = [k % 5, k / 25 + 5, (k / 5) % 5].map(|number| 0.1 * f64::from(number));
        let turn = [0.3 * f64::from(k % 7), 0.1, 0.2 * f64::from(k % 3), 1.0];
        let ring = along_y(Collider::Ring { radius_m: 0.03, tube_m: 0.004 });
        let ring = Body::dynamic("ring", ring, Mass::Density(7800.0));
        world.add(&ring.at(place).with_rotation(turn)).unwrap();
    }
    world
}

#[test]
fn two_thousand_bodies_in_a_heap_take_bounded_time_and_memory() {
    let mut world = heap(60.0, 2000);
    let (mut slowest_s, mut most_events, mut most_contacts) = (0.0_f64, 0, 0);
    let begin_s = processor_s();
    while world.time_s() < 1.5 {
        let before_s = processor_s();
        most_events = world.step().len().max(most_events);
        slowest_s = slowest_s.max(processor_s() - before_s);
        most_contacts = most_contacts.max(world.sustained_contact_count());
    }
    foley_measured::check!("physics.heap_step", (processor_s() - begin_s) * 1e3 / 90.0);
    println!("at most {most_events} events a step, {most_contacts} contacts");
    assert!(world.take_lost().is_empty());
    // A pose for each body, and a few contacts and impacts.
    assert!(most_events < 2000 * 8 && most_contacts < 2000 * 5);
    foley_measured::check!("physics.heap_slowest", slowest_s);
}

#[test]
fn a_hundred_rings_come_to_rest() {
    let mut world = rings(240.0, 100);
    let begin_s = processor_s();
    let mut events = Vec::new();
    let mut second_s = begin_s;
    for second in 1..=4 {
        events.extend(run(&mut world, f64::from(second)));
        let now_s = processor_s();
        println!("100 rings at 240 Hz: {:.0} ms for second {second}", (now_s - second_s) * 1e3);
        if second == 1 {
            foley_measured::check!("physics.rings_second", now_s - second_s);
        }
        second_s = now_s;
    }
    let hits = impacts(&events);
    println!("{} impacts", hits.len());
    assert!(hits.len() > 500 && hits.len() < 10_000);
    assert!(hits.iter().all(|hit| hit.at_s < 3.0), "they lie");
    assert!(events.iter().all(|event| event.at_s().is_finite()));
}

#[test]
fn the_same_world_reports_the_same_events_twice() {
    for make in [|| heap(120.0, 200), || rings(120.0, 50)] {
        let (mut first, mut second): (World, World) = (make(), make());
        let (first, second) = (run(&mut first, 1.0), run(&mut second, 1.0));
        assert!(first.len() > 5_000);
        assert_eq!(first, second);
    }
}

#[test]
fn events_come_in_order_of_time() {
    let events = run(&mut heap(120.0, 200), 1.5);
    assert!(events.is_sorted_by(|a, b| a.at_s() <= b.at_s()));
}

#[test]
fn impacts_lose_no_more_energy_than_there_was() {
    // An impact J at the speed v with restitution e loses ½ J v (1 − e); the total energy of the
    // boxes is m g h. They keep some, and friction dissipates some.
    for rate_hz in [60.0, 240.0] {
        let e = 0.3;
        let mut world = floor(rate_hz, 0.5, e);
        let mut energy = 0.0;
        for k in 0..27 {
            let place = [k % 3, k / 9, (k / 3) % 3].map(|number| 0.16 * f64::from(number));
            let place = [place[0] + 0.02 * f64::from(k / 9), place[1] + 0.5, place[2]];
            let rotation = [0.1 * f64::from(k % 4), 0.2, 0.1, 1.0];
            world.add(&crate_at(place, 0.1).with_rotation(rotation).with_surface(0.5, e)).unwrap();
            energy += G * place[1];
        }
        let events = run(&mut world, 4.0);
        let left: f64 = (1..=27).map(|body| G * world.pose(body).unwrap().position[1]).sum();
        let lost: f64 = impacts(&events)
            .iter()
            .map(|hit| 0.5 * hit.impulse_ns * hit.speed_m_s * (1.0 - e))
            .sum();
        println!("{rate_hz} Hz: of {:.1} J, impacts took {lost:.1} J", energy - left);
        assert!(
            lost < energy - left && lost > 0.2 * (energy - left),
            "{lost} of {}",
            energy - left
        );
    }
}

#[test]
fn a_heap_comes_to_rest() {
    let mut world = heap(120.0, 300);
    let second = |world: &mut World, until_s| impacts(&run(world, until_s)).len();
    let first = second(&mut world, 1.0);
    run(&mut world, 8.0);
    let ninth = second(&mut world, 9.0);
    // Balls roll away and occasionally meet others.
    assert!(first > 500 && ninth * 100 < first, "{first} impacts at first, {ninth} in the end");
}

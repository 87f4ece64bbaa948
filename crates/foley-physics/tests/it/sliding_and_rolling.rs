//! Rolling, sliding and falling against closed-form solutions.

use crate::common;

use common::{DOWN, G, RATES_HZ, along_y, contacts, crate_at, floor, impacts, run};
use foley_geometry::Collider;
use foley_physics::{Body, Mass, Settings, SustainedContact, Waypoint, World};
use std::collections::BTreeSet;

#[test]
fn a_ball_that_rolls_does_not_slip() {
    let mut worst = 0.0_f64;
    for rate_hz in RATES_HZ {
        for (radius, speed) in [(0.1, 2.0), (0.02, 0.5), (0.3, 0.2)] {
            let mut world = floor(rate_hz, 0.5, 0.3);
            let ball = Body::dynamic("ball", Collider::ball(radius), Mass::Kilograms(0.5));
            let rolling = ball.with_velocity([speed, 0.0, 0.0]).with_angular_velocity([
                0.0,
                0.0,
                -speed / radius,
            ]);
            world.add(&rolling.at([-5.0, radius, 0.0])).unwrap();
            let events = run(&mut world, 2.0);
            assert!(impacts(&events).is_empty(), "{rate_hz} Hz {:?}", impacts(&events)[0]);
            let contacts = contacts(&events);
            let numbers: BTreeSet<u64> = contacts.iter().map(|contact| contact.contact).collect();
            assert_eq!(numbers.len(), 1, "{rate_hz} Hz: one contact");
            for contact in contacts.iter().filter(|contact| contact.at_s > 0.3) {
                let now = world.pose(1).unwrap().velocity[0];
                assert!(
                    (contact.roll_m_s / now - 1.0).abs() < 0.02,
                    "{rate_hz} Hz {contact:?} {now}"
                );
                worst = worst.max((contact.roll_m_s / speed - 1.0).abs());
                assert!(contact.slip_m_s < 0.01 * speed, "{rate_hz} Hz {contact:?}");
                assert!(
                    (contact.force_n / (0.5 * G) - 1.0).abs() < 0.02,
                    "{rate_hz} Hz {contact:?}"
                );
            }
        }
    }
    foley_measured::check!("physics.roll", 100.0 * worst);
}

#[test]
fn a_ball_that_is_thrown_flat_slips_first_and_rolls_then() {
    // It rolls once its speed has fallen to 5/7 of the initial speed, for any friction μ.
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.2, 0.0);
        let ball = Body::dynamic("ball", Collider::ball(0.1), Mass::Kilograms(1.0));
        world
            .add(&ball.with_velocity([2.0, 0.0, 0.0]).at([-5.0, 0.1, 0.0]).with_surface(0.2, 0.0))
            .unwrap();
        let contacts = contacts(&run(&mut world, 1.0));
        let rolls_s = 2.0 / 7.0 * 2.0 / (0.2 * G);
        for contact in contacts.iter().filter(|contact| contact.at_s > 0.05) {
            let (t, a) = (contact.at_s, 0.2 * G);
            let slip = (2.0 - 3.5 * a * t).max(0.0);
            let roll = if t < rolls_s { 2.5 * a * t } else { 2.0 * 5.0 / 7.0 };
            // The load is at most half a step late.
            let bound = 0.03 + 3.5 * a * 0.5 / rate_hz;
            assert!((contact.slip_m_s - slip).abs() < bound, "{rate_hz} Hz {contact:?} {slip}");
            assert!((contact.roll_m_s - roll).abs() < bound, "{rate_hz} Hz {contact:?} {roll}");
        }
    }
}

#[test]
fn a_rolling_cylinder_makes_one_contact_and_no_impacts() {
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.5, 0.3);
        let shape = along_y(Collider::Cylinder { radius_m: 0.1, half_length_m: 0.1 });
        let roller = Body::dynamic("roller", shape, Mass::Kilograms(1.0));
        let lying = [0.5_f64.sqrt(), 0.0, 0.0, 0.5_f64.sqrt()];
        let rolling = roller
            .with_velocity([2.0, 0.0, 0.0])
            .with_angular_velocity([0.0, 0.0, -20.0])
            .with_rotation(lying);
        // Slightly above the floor: surfaces that touch exactly have no normal.
        world.add(&rolling.at([-5.0, 0.10005, 0.0])).unwrap();
        // It hops once while the load settles.
        let hops = impacts(&run(&mut world, 0.1));
        assert!(hops.len() < 2 && hops.iter().all(|hop| hop.speed_m_s < 0.06), "{hops:?}");
        let events = run(&mut world, 2.0);
        assert_eq!(impacts(&events), [], "{rate_hz} Hz");
        let contacts = contacts(&events);
        let one = contacts.iter().all(|contact| contact.contact == contacts[0].contact);
        assert!(one, "{rate_hz} Hz {contacts:?}");
        // At 60 Hz it rotates by 19° per step, and wobbles.
        let bound = if rate_hz < 100.0 { 0.05 } else { 0.02 };
        for contact in contacts.iter().filter(|contact| contact.at_s > 0.2) {
            assert!((contact.roll_m_s / 2.0 - 1.0).abs() < bound, "{rate_hz} Hz {contact:?}");
        }
    }
}

/// Returns the contacts of a box on a slope during one second.
fn sliding(rate_hz: f64, angle: f64, friction: f64, mass: f64) -> Vec<SustainedContact> {
    let mut world =
        World::new(Settings::default().with_gravity(DOWN).with_rate_hz(rate_hz)).unwrap();
    let rotation = [0.0, 0.0, (-angle / 2.0).sin(), (angle / 2.0).cos()];
    let slope = Body::fixed("slope", Collider::cuboid(40.0, 1.0, 4.0)).with_rotation(rotation);
    world.add(&slope.with_surface(friction, 0.0)).unwrap();
    let body = Body::dynamic("sledge", Collider::cuboid(0.3, 0.1, 0.3), Mass::Kilograms(mass));
    let on_top = [0.55 * angle.sin(), 0.55 * angle.cos(), 0.0];
    world.add(&body.with_rotation(rotation).at(on_top).with_surface(friction, 0.0)).unwrap();
    let events = run(&mut world, 1.0);
    assert!(impacts(&events).is_empty(), "{rate_hz} Hz");
    contacts(&events)
}

#[test]
fn a_box_slides_down_a_slope_with_g_sin_minus_mu_cos() {
    let [mut worst_slip, mut worst_force] = [0.0_f64; 2];
    for rate_hz in RATES_HZ {
        for (angle, friction) in [(0.5_f64, 0.2), (0.3, 0.1), (0.8, 0.5)] {
            let contacts = sliding(rate_hz, angle, friction, 2.0);
            assert!(contacts.iter().all(|contact| contact.contact == contacts[0].contact));
            let acceleration = G * (angle.sin() - friction * angle.cos());
            for contact in contacts.iter().filter(|contact| contact.at_s > 0.15) {
                let slip = acceleration * contact.at_s;
                worst_slip = worst_slip.max((contact.slip_m_s / slip - 1.0).abs());
                let force = 2.0 * G * angle.cos();
                worst_force = worst_force.max((contact.force_n / force - 1.0).abs());
                assert_eq!(contact.roll_m_s, 0.0);
                assert!(contact.slip_m_s.is_finite() && contact.force_n.is_finite());
            }
        }
    }
    foley_measured::check!("physics.slide", 100.0 * worst_slip);
    foley_measured::check!("physics.slide_force", 100.0 * worst_force);
}

#[test]
fn a_box_on_a_slope_that_holds_it_is_still() {
    for rate_hz in RATES_HZ {
        for contact in sliding(rate_hz, 0.3, 0.6, 1.0).iter().filter(|contact| contact.at_s > 0.2) {
            assert_eq!((contact.slip_m_s, contact.roll_m_s), (0.0, 0.0), "{rate_hz} Hz");
        }
    }
}

#[test]
fn a_box_pushed_off_a_shelf_leaves_it_once_and_lands_in_one_clatter() {
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.4, 0.2);
        let shelf = Body::fixed("shelf", Collider::cuboid(0.6, 0.04, 0.6)).at([0.0, 0.98, 0.0]);
        world.add(&shelf.with_surface(0.2, 0.2)).unwrap();
        let body = world.add(&crate_at([0.2, 1.05, 0.0], 0.1).with_surface(0.2, 0.2)).unwrap();
        run(&mut world, 0.3);
        world.apply_impulse(body, [1.5, 0.0, 0.0], [0.2, 1.05, 0.0]).unwrap();
        let events = run(&mut world, 3.0);
        let on_shelf = |bodies: [u32; 2]| bodies == [1, 2];
        let left = contacts(&events).iter().filter(|t| on_shelf(t.bodies) && t.over).count();
        assert_eq!(left, 1, "{rate_hz} Hz: it left the shelf {left} times");
        assert!(impacts(&events).iter().all(|impact| !on_shelf(impact.bodies)), "{rate_hz} Hz");
        let clatter: Vec<_> = impacts(&events).iter().map(|impact| impact.at_s).collect();
        let falls_s = (2.0 * 1.0 / G).sqrt();
        assert!(
            !clatter.is_empty() && clatter[0] > 0.3 + falls_s * 0.9,
            "{rate_hz} Hz {clatter:?}"
        );
        assert!(clatter.len() <= 24, "{rate_hz} Hz: {} impacts", clatter.len());
        assert!(clatter.last().unwrap() - clatter[0] < 1.0, "{rate_hz} Hz {clatter:?}");
    }
}

#[test]
fn a_kinematic_hammer_strikes_at_its_own_speed() {
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.0, 0.0);
        world.add(&crate_at([0.0, 0.1, 0.0], 0.2).with_surface(0.0, 0.0)).unwrap();
        let place =
            |at_s, x| Waypoint { at_s, position: [x, 0.1, 0.0], rotation: [0.0, 0.0, 0.0, 1.0] };
        // At 2 m/s, reaching the side of the box at 0.711 s; the box flies ahead at 3 m/s.
        let way = vec![place(0.2, -0.15 - 2.0 * 0.511), place(1.2, -0.15 + 2.0 * 0.489)];
        let hammer = Body::kinematic("hammer", Collider::ball(0.05), way).with_surface(0.0, 1.0);
        let hammer = world.add(&hammer).unwrap();
        let hits: Vec<_> = impacts(&run(&mut world, 1.0))
            .into_iter()
            .filter(|impact| impact.bodies.contains(&hammer))
            .collect();
        assert_eq!(hits.len(), 1, "{rate_hz} Hz {hits:?}");
        assert!((hits[0].speed_m_s - 2.0).abs() < 0.01, "{rate_hz} Hz {hits:?}");
        foley_measured::check!("physics.hammer_time", 1e3 * (hits[0].at_s - 0.711).abs());
        assert!((hits[0].impulse_ns / 3.0 - 1.0).abs() < 0.05, "{rate_hz} Hz {hits:?}");
    }
}

#[test]
fn an_impact_on_a_sleeping_body_is_on_time() {
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.0, 0.0);
        let sleeper = world.add(&crate_at([0.0, 0.1, 0.0], 0.2).with_surface(0.0, 0.0)).unwrap();
        // Three metres at 3 m/s, after all other bodies have fallen asleep.
        let ball = Body::dynamic("ball", Collider::ball(0.1), Mass::Kilograms(1.0));
        let ball = ball.at([-3.21, 0.1, 0.0]).with_velocity([3.0, 0.0, 0.0]).with_surface(0.0, 1.0);
        let ball = world.add(&ball).unwrap();
        run(&mut world, 0.9);
        assert!(!world.is_awake(sleeper));
        let hits: Vec<_> = impacts(&run(&mut world, 1.2))
            .into_iter()
            .filter(|impact| impact.bodies == [sleeper, ball])
            .collect();
        assert_eq!(hits.len(), 1, "{rate_hz} Hz {hits:?}");
        assert!((hits[0].at_s - 3.01 / 3.0).abs() < 0.001, "{rate_hz} Hz {hits:?}");
        assert!((hits[0].speed_m_s - 3.0).abs() < 0.03, "{rate_hz} Hz {hits:?}");
        assert!(
            (hits[0].impulse_ns / (0.5 * 1.5 * 3.0) - 1.0).abs() < 0.05,
            "{rate_hz} Hz {hits:?}"
        );
    }
}

#[test]
fn small_fast_bodies_do_not_pass_through_thin_ones() {
    for rate_hz in RATES_HZ {
        for bullet in [false, true] {
            let mut world = floor(rate_hz, 0.5, 0.3);
            // Beads at 50 m/s against a fixed and a dynamic plate of 1 mm.
            let plate = Collider::cuboid(0.001, 0.4, 0.4);
            world.add(&Body::fixed("wall", plate.clone()).at([2.0, 1.0, 0.0])).unwrap();
            let free = Body::dynamic("plate", plate, Mass::Kilograms(5.0)).at([-2.0, 1.0, 0.0]);
            world.add(&free).unwrap();
            for speed in [50.0, -50.0] {
                let bead = Body::dynamic("bead", Collider::ball(0.003), Mass::Density(7800.0));
                let mut bead = bead.at([0.0, 1.0, 0.0]).with_velocity([speed, 0.0, 0.0]);
                bead.position[2] = 0.01 * speed.signum();
                bead.bullet = bullet;
                world.add(&bead).unwrap();
            }
            let hits = impacts(&run(&mut world, 0.08));
            for (bead, target) in [(3, 1), (4, 2)] {
                let own: Vec<_> = hits.iter().filter(|hit| hit.bodies == [target, bead]).collect();
                assert_eq!(own.len(), 1, "{rate_hz} Hz, bullet {bullet}: {hits:?}");
                assert!((own[0].speed_m_s - 50.0).abs() < 0.5, "{own:?}");
                let met_s = (2.0 - 0.0035) / 50.0;
                assert!((own[0].at_s - met_s).abs() < 0.001, "{rate_hz} Hz {own:?} {met_s}");
            }
        }
    }
}

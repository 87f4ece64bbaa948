//! Worlds that are Rapier's own, read by the contact tracker.

use crate::common;

use common::{DOWN, G, contacts, impacts};
use foley_geometry::Collider;
use foley_physics::rapier3d::prelude::*;
use foley_physics::{Axes, Body, ContactTracker, Event, Impact, Mass, RapierView, Settings, World};
use glam::DVec3;
use std::collections::BTreeSet;

const RATE_HZ: f64 = 240.0;

/// A Rapier world with a tracker.
struct OwnWorld {
    physics: PhysicsWorld,
    tracker: ContactTracker,
    events: Vec<Event>,
}

impl OwnWorld {
    fn new(gravity: [f64; 3]) -> Self {
        let mut physics = PhysicsWorld::new();
        physics.gravity = vector(gravity);
        physics.integration_parameters.dt = (1.0 / RATE_HZ) as f32;
        Self { physics, tracker: ContactTracker::new(), events: Vec::new() }
    }

    /// Adds a floor whose top is at y = 0.
    fn with_floor(friction: f64, restitution: f64) -> Self {
        let mut world = Self::new(DOWN);
        let floor = surface(ColliderBuilder::cuboid(20.0, 0.5, 20.0), friction, restitution);
        let below = RigidBodyBuilder::fixed().translation(vector([0.0, -0.5, 0.0]));
        world.physics.insert(below, floor);
        world
    }

    fn step(&mut self) -> &[Event] {
        self.tracker.before_step(&RapierView::of(&self.physics));
        self.physics.step();
        let events = self.tracker.after_step(&RapierView::of(&self.physics));
        self.events.extend_from_slice(events);
        events
    }

    fn run(&mut self, until_s: f64) -> Vec<Event> {
        let first = self.events.len();
        while self.tracker.time_s() < until_s - 1e-9 {
            self.step();
        }
        self.events[first..].to_vec()
    }
}

fn vector(v: [f64; 3]) -> Vector {
    DVec3::from(v).as_vec3()
}

fn surface(collider: ColliderBuilder, friction: f64, restitution: f64) -> ColliderBuilder {
    collider.friction(friction as f32).restitution(restitution as f32)
}

/// Sets the parameters that a [`World`] gives its solver at 240 Hz.
fn tune_like_foley(parameters: &mut IntegrationParameters) {
    let unit_m = 0.05;
    parameters.friction_model = FrictionModel::Simplified;
    parameters.num_solver_iterations = 4;
    parameters.contact_softness.natural_frequency = 150.0;
    parameters.static_contact_softness.natural_frequency = 300.0;
    parameters.max_ccd_substeps = 0;
    parameters.length_unit = unit_m;
    parameters.normalized_contact_recycle_distance = 2e-4 / unit_m;
    parameters.normalized_prediction_distance = 1.0 / 240.0 / unit_m;
    parameters.normalized_max_linear_velocity = 400.0 / unit_m;
    parameters.normalized_max_corrective_velocity = 1.0 / unit_m;
}

/// Balls for both worlds: position, velocity, radius and mass.
type Ball = ([f64; 3], [f64; 3], f64, f64);

/// Returns the impacts of the same balls in Foley's world and in one of Rapier's own.
fn in_both_worlds(
    gravity: [f64; 3],
    floor: bool,
    restitution: f64,
    balls: &[Ball],
    until_s: f64,
) -> [Vec<Impact>; 2] {
    let settings = Settings::default().with_gravity(gravity).with_rate_hz(RATE_HZ);
    let mut foley = World::new(settings).unwrap();
    let mut own = OwnWorld::new(gravity);
    tune_like_foley(&mut own.physics.integration_parameters);
    if floor {
        let body = Body::fixed("floor", Collider::cuboid(40.0, 1.0, 40.0)).at([0.0, -0.5, 0.0]);
        foley.add(&body.with_surface(0.5, restitution)).unwrap();
        let shape = surface(ColliderBuilder::cuboid(20.0, 0.5, 20.0), 0.5, restitution);
        let below = RigidBodyBuilder::fixed().translation(vector([0.0, -0.5, 0.0]));
        own.physics.insert(below, shape);
    }
    // A world of Foley is a leapfrog: it stores velocities of half a substep earlier.
    let stored = |v: [f64; 3]| DVec3::from(v) - DVec3::from(gravity) * (0.5 / RATE_HZ / 4.0);
    for &(position, velocity, radius, mass) in balls {
        let body = Body::dynamic("ball", Collider::ball(radius), Mass::Kilograms(mass));
        let body = body.at(position).with_velocity(velocity).with_surface(0.5, restitution);
        foley.add(&body).unwrap();
        let shape = ColliderBuilder::ball(radius as f32).mass(mass as f32);
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(position))
            .linvel(stored(velocity).as_vec3())
            .soft_ccd_prediction(1.25);
        own.physics.insert(body, surface(shape, 0.5, restitution));
    }
    [impacts(&common::run(&mut foley, until_s)), impacts(&own.run(until_s))]
}

fn assert_same(foley: &Impact, own: &Impact, time_s: f64, share: f64) {
    assert_eq!(foley.bodies, own.bodies);
    assert!((foley.at_s - own.at_s).abs() < time_s, "{foley:?} {own:?}");
    assert!((own.impulse_ns / foley.impulse_ns - 1.0).abs() < share, "{foley:?} {own:?}");
    assert!((own.speed_m_s / foley.speed_m_s - 1.0).abs() < share, "{foley:?} {own:?}");
    for (a, b) in foley.places.iter().zip(own.places).chain([(&foley.normal, own.normal)]) {
        assert!(DVec3::from(*a).distance(b.into()) < 1e-3, "{foley:?} {own:?}");
    }
}

#[test]
fn collisions_in_flight_are_those_of_foleys_world_within_rounding() {
    // Plastic collisions without gravity: Foley's world corrects nothing.
    let balls = [
        ([-0.6, 0.0, 0.0], [3.0, 0.0, 0.0], 0.1, 1.0),
        ([0.6, 0.07, 0.0], [-1.0, 0.0, 0.0], 0.1, 2.0),
        ([0.0, 0.5, 0.9], [0.0, -0.5, -1.3], 0.15, 0.5),
        ([0.0, 1.5, 0.9], [0.0, -2.9, -1.7], 0.15, 0.5),
    ];
    let [foley, own] = in_both_worlds([0.0; 3], false, 0.0, &balls, 2.0);
    assert!(foley.len() >= 2 && foley.len() == own.len(), "{foley:?} {own:?}");
    for (foley, own) in foley.iter().zip(&own) {
        assert_same(foley, own, 1e-6, 1e-5);
    }
}

#[test]
fn balls_that_fall_strike_the_floor_as_in_foleys_world() {
    let balls: Vec<Ball> = (0..8)
        .map(|k| {
            let x = f64::from(k);
            ([x, 0.3 + 0.17 * x, -0.3], [0.2, 0.1 * x, 0.0], 0.02 + 0.01 * x, 0.1 + x)
        })
        .collect();
    let [foley, own] = in_both_worlds(DOWN, true, 0.0, &balls, 1.2);
    for ball in 1..=8 {
        let first = |impacts: &[Impact]| *impacts.iter().find(|i| i.bodies == [0, ball]).unwrap();
        // The tracker does not know that the stored velocity is 5 mm/s behind.
        assert_same(&first(&foley), &first(&own), 2e-5, 0.005);
    }
}

#[test]
fn bounces_are_those_of_foleys_world_within_the_errors_of_the_solver() {
    let e = 0.7;
    let ball = ([0.3, 1.05, -0.2], [0.0; 3], 0.05, 0.1);
    let [foley, own] = in_both_worlds(DOWN, true, e, &[ball], 1.6);
    assert!(foley.len() >= 3, "{foley:?}");
    for (k, (foley, own)) in foley.iter().zip(&own).take(3).enumerate() {
        // At each bounce, Rapier holds the ball for up to a step Δt and returns the speed from
        // before the step: less by up to g Δt, so that the flight is shorter by up to 2 e Δt.
        // Foley's world corrects both.
        let late_s = 2e-5 + k as f64 * (1.0 + 2.0 * e) / RATE_HZ;
        assert_same(foley, own, late_s, 0.03);
    }
}

/// Returns the first impacts of a ball and a tilted box, on a floor without a body, in a world
/// whose axes are those of Foley rotated by `foley_from_own`.
fn rotated_world(foley_from_own: glam::DQuat, axes: Axes) -> Vec<Impact> {
    let own = |v: [f64; 3]| (foley_from_own.inverse() * DVec3::from(v)).as_vec3();
    let size = |half: [f64; 3]| own(half).abs();
    let cuboid = |half: [f64; 3]| {
        let Vector { x, y, z } = size(half);
        surface(ColliderBuilder::cuboid(x, y, z), 0.5, 0.3).density(1000.0)
    };
    let mut world = OwnWorld::new([0.0; 3]);
    world.tracker = ContactTracker::new().with_axes(axes);
    world.physics.gravity = own([0.0, 0.0, -G]);
    let floor = cuboid([5.0, 4.0, 0.5]).translation(own([0.0, 0.0, -0.5]));
    world.physics.colliders.insert(floor);
    let ball =
        RigidBodyBuilder::dynamic().translation(own([0.3, -0.2, 0.5])).linvel(own([1.0, 2.0, 0.0]));
    world.physics.insert(ball, surface(ColliderBuilder::ball(0.05), 0.5, 0.3).density(1000.0));
    let tilt = DVec3::new(0.2, 0.5, -0.3);
    let body = RigidBodyBuilder::dynamic()
        .translation(own([1.0, -0.5, 0.7]))
        .rotation(own(tilt.to_array()));
    world.physics.insert(body, cuboid([0.1, 0.2, 0.05]));
    let impacts = impacts(&world.run(0.6));
    let first = |body| *impacts.iter().find(|i| i.bodies == [body, RapierView::GROUND]).unwrap();
    vec![first(0), first(1)]
}

#[test]
fn a_world_with_other_axes_has_the_same_impacts() {
    let z_up = rotated_world(glam::DQuat::IDENTITY, Axes::Z_UP);
    assert!(DVec3::from(z_up[0].normal).distance(DVec3::NEG_Z) < 1e-6, "{:?}", z_up[0]);
    let x_up = Axes::new([0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
    let quarter = std::f64::consts::FRAC_PI_2;
    let from_y_up = glam::DQuat::from_rotation_x(quarter);
    let from_x_up = glam::DQuat::from_mat3(&glam::DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y));
    for (turn, axes) in [(from_y_up, Axes::Y_UP), (from_x_up, x_up)] {
        for (a, b) in z_up.iter().zip(rotated_world(turn, axes)) {
            assert!((a.at_s - b.at_s).abs() < 1e-5, "{a:?} {b:?}");
            assert!((a.impulse_ns / b.impulse_ns - 1.0).abs() < 1e-3, "{a:?} {b:?}");
            for (a, b) in a.places.iter().zip(b.places).chain([(&a.normal, b.normal)]) {
                assert!(DVec3::from(*a).distance(b.into()) < 1e-4, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn a_ball_that_is_thrown_flat_slips_first_and_rolls_then() {
    let (speed, friction) = (2.0, 0.2);
    let mut world = OwnWorld::with_floor(friction, 0.0);
    let ball = RigidBodyBuilder::dynamic()
        .translation(vector([-5.0, 0.1, 0.0]))
        .linvel(vector([speed, 0.0, 0.0]));
    world.physics.insert(ball, surface(ColliderBuilder::ball(0.1).mass(1.0), friction, 0.0));
    let contacts = contacts(&world.run(1.0));
    let numbers: BTreeSet<u64> = contacts.iter().map(|contact| contact.contact).collect();
    assert_eq!(numbers.len(), 1, "{contacts:?}");
    let settled: Vec<_> = contacts.iter().filter(|contact| contact.at_s > 0.05).collect();
    assert!(settled.len() > 200, "{}", settled.len());
    for contact in settled {
        let (t, a) = (contact.at_s, friction * G);
        let rolls_s = 2.0 / 7.0 * speed / a;
        let slip = (speed - 3.5 * a * t).max(0.0);
        let roll = if t < rolls_s { 2.5 * a * t } else { speed * 5.0 / 7.0 };
        assert!((contact.slip_m_s - slip).abs() < 0.05, "{contact:?} {slip}");
        assert!((contact.roll_m_s - roll).abs() < 0.05, "{contact:?} {roll}");
        assert!((contact.force_n / G - 1.0).abs() < 0.05, "{contact:?}");
    }
}

#[test]
fn impulses_without_gravity_are_the_momentum_that_a_ball_gains() {
    let mut world = OwnWorld::new([0.0; 3]);
    for x in [-1.0, 1.0] {
        let wall = surface(ColliderBuilder::cuboid(0.1, 2.0, 2.0), 0.0, 0.8);
        let at = RigidBodyBuilder::fixed().translation(vector([x, 0.0, 0.0]));
        world.physics.insert(at, wall);
    }
    let (mass, speed) = (0.25, 6.0);
    let ball = RigidBodyBuilder::dynamic().linvel(vector([speed, 0.0, 0.0]));
    let shape = surface(ColliderBuilder::ball(0.05).mass(mass as f32), 0.0, 0.8);
    let (ball, _) = world.physics.insert(ball, shape);
    let mut momentum = mass * speed;
    let mut count = 0;
    while world.tracker.time_s() < 2.0 {
        for impact in impacts(world.step()) {
            // From the wall to the ball, which is the second body.
            assert_eq!(impact.bodies[1], 2);
            momentum += impact.impulse_ns * impact.normal[0];
            count += 1;
        }
        let now = mass * f64::from(world.physics.bodies[ball].linvel().x);
        assert!((momentum - now).abs() < 1e-4 * mass * speed, "{momentum} {now}");
    }
    assert!(count >= 4, "{count}");
}

#[test]
fn an_impact_in_gravity_is_the_change_of_momentum_within_the_fall_of_a_step() {
    let mut world = OwnWorld::with_floor(0.5, 0.7);
    let (mass, step_s) = (0.1, 1.0 / RATE_HZ);
    let ball = RigidBodyBuilder::dynamic().translation(vector([0.0, 1.05, 0.0]));
    let shape = surface(ColliderBuilder::ball(0.05).mass(mass as f32), 0.5, 0.7);
    let (ball, _) = world.physics.insert(ball, shape);
    let (mut count, mut last_gain) = (0, 0.0_f64);
    while world.tracker.time_s() < 2.0 {
        let before = f64::from(world.physics.bodies[ball].linvel().y);
        let hits = impacts(world.step());
        let gain = mass * (f64::from(world.physics.bodies[ball].linvel().y) - before);
        for impact in hits {
            // An impact that the solver anticipated is reported a step later. Rapier returns the
            // speed from before the step; the tracker adds the fall until the bodies meet, at most
            // a substep after the step.
            let (gain, fall) = (gain.max(last_gain), G * 1.25 * step_s);
            let excess = (impact.impulse_ns - gain) / (mass * (1.0 + 0.7) * fall);
            assert!((-0.01..1.01).contains(&excess), "{impact:?} {gain}: {excess}");
            count += 1;
        }
        last_gain = gain;
    }
    assert!(count >= 4, "{count}");
}

/// Makes a box that rests on the floor and does not fall asleep.
fn resting_box(world: &mut OwnWorld, x: f64, z: f64) -> RigidBodyHandle {
    let at = RigidBodyBuilder::dynamic().translation(vector([x, 0.05, z])).can_sleep(false);
    let shape = surface(ColliderBuilder::cuboid(0.05, 0.05, 0.05).mass(1.0), 0.5, 0.0);
    world.physics.insert(at, shape).0
}

#[test]
fn the_contact_of_a_removed_body_ends_with_the_next_step() {
    let mut world = OwnWorld::with_floor(0.5, 0.0);
    let body = resting_box(&mut world, 0.0, 0.0);
    let began = contacts(&world.run(0.5));
    assert_eq!(world.tracker.sustained_contact_count(), 1);
    assert!(began.iter().all(|contact| !contact.over));
    world.physics.remove_body(body);
    let ended = contacts(world.step());
    assert_eq!(world.tracker.sustained_contact_count(), 0);
    let [end] = ended[..] else { panic!("{ended:?}") };
    assert!(end.over && end.contact == began[0].contact && (end.at_s - 0.5).abs() < 1e-6);
    assert_eq!([end.force_n, end.slip_m_s, end.roll_m_s], [0.0; 3]);
}

#[test]
fn a_body_that_takes_the_place_and_the_number_of_another_has_a_new_contact() {
    let mut world = OwnWorld::with_floor(0.5, 0.0);
    let body = resting_box(&mut world, 0.0, 0.0);
    let began = contacts(&world.run(0.5));
    world.physics.remove_body(body);
    let again = resting_box(&mut world, 0.0, 0.0);
    // Rapier uses the index again, so both have the same number.
    assert_eq!(again.into_raw_parts().0, body.into_raw_parts().0);
    let later = contacts(&world.run(1.0));
    let ends: Vec<_> = later.iter().filter(|contact| contact.over).collect();
    assert!(ends.len() == 1 && ends[0].contact == began[0].contact, "{ends:?}");
    let fresh = later.iter().filter(|contact| contact.contact != began[0].contact);
    assert!(fresh.clone().count() > 0 && fresh.clone().all(|contact| !contact.over));
    assert_eq!(world.tracker.sustained_contact_count(), 1);
}

#[test]
fn a_thousand_bodies_leave_nothing_behind() {
    let mut world = OwnWorld::with_floor(0.5, 0.0);
    for _ in 0..3 {
        let bodies: Vec<_> = (0..1000)
            .map(|k| resting_box(&mut world, 0.2 * f64::from(k % 32), 0.2 * f64::from(k / 32)))
            .collect();
        let until_s = world.tracker.time_s() + 0.1;
        world.run(until_s);
        assert_eq!(world.tracker.sustained_contact_count(), 1000);
        bodies.into_iter().for_each(|body| drop(world.physics.remove_body(body)));
        world.step();
        assert_eq!(world.tracker.sustained_contact_count(), 0);
    }
    let contacts = contacts(&world.events);
    let begun: BTreeSet<u64> = contacts.iter().map(|contact| contact.contact).collect();
    let ended = contacts.iter().filter(|contact| contact.over).count();
    assert_eq!([begun.len(), ended], [3000, 3000]);
}

#[test]
fn numbers_are_those_that_the_user_chooses() {
    let mut world = OwnWorld::with_floor(0.5, 0.0);
    let ball = RigidBodyBuilder::dynamic().translation(vector([0.0, 0.2, 0.0])).user_data(77);
    world.physics.insert(ball, ColliderBuilder::ball(0.05));
    let mut numbers = BTreeSet::new();
    for _ in 0..120 {
        let choose = |_: RigidBodyHandle, body: &RigidBody| body.user_data as u32;
        world.tracker.before_step(&RapierView::of(&world.physics).with_numbers(&choose));
        world.physics.step();
        let view = RapierView::of(&world.physics).with_numbers(&choose);
        numbers.extend(impacts(world.tracker.after_step(&view)).iter().map(|i| i.bodies));
    }
    assert_eq!(numbers, BTreeSet::from([[0, 77]]));
}

#[test]
fn a_step_without_a_record_or_a_length_reports_nothing() {
    let mut world = OwnWorld::with_floor(0.5, 0.0);
    resting_box(&mut world, 0.0, 0.0);
    world.physics.step();
    assert!(world.tracker.after_step(&RapierView::of(&world.physics)).is_empty());
    assert_eq!(world.tracker.time_s(), 0.0);
    world.physics.integration_parameters.dt = 0.0;
    world.tracker.before_step(&RapierView::of(&world.physics));
    assert!(world.tracker.after_step(&RapierView::of(&world.physics)).is_empty());
    world.tracker.set_time_s(12.5);
    world.physics.integration_parameters.dt = 0.01;
    world.step();
    assert!((world.tracker.time_s() - 12.51).abs() < 1e-8);
}

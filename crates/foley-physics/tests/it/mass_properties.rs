//! Centre of mass and inertia of bodies, against closed-form solutions.

use crate::common;

use common::{DOWN, G, RATES_HZ, run};
use foley_geometry::{Collider, MassProperties};
use foley_physics::{Body, Event, Mass, Settings, World};
use glam::{DQuat, DVec3};

/// Returns the acceleration of a ball with the inertia `share` m r² that rolls down a slope.
fn rolls_down(rate_hz: f64, angle: f64, share: f64) -> f64 {
    let mut world =
        World::new(Settings::default().with_gravity(DOWN).with_rate_hz(rate_hz)).unwrap();
    let (mass_kg, radius) = (0.7, 0.08);
    // The half-space below y = 0, turned by the angle of the slope.
    let turn =
        DQuat::from_rotation_z(-angle) * DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let slope = Body::fixed("slope", Collider::HalfSpace).with_rotation(turn.to_array());
    world.add(&slope.with_surface(0.9, 0.0)).unwrap();
    let moment = share * mass_kg * radius * radius;
    let mass = Mass::Properties(MassProperties::centred(mass_kg, [moment; 3]));
    let ball = Body::dynamic("ball", Collider::ball(radius), mass).with_surface(0.9, 0.0);
    let ball = world.add(&ball.at([radius * angle.sin(), radius * angle.cos(), 0.0])).unwrap();
    let speed = |world: &World| DVec3::from(world.pose(ball).unwrap().velocity).length();
    run(&mut world, 0.2);
    let (early, from_s) = (speed(&world), world.time_s());
    run(&mut world, 1.0);
    (speed(&world) - early) / (world.time_s() - from_s)
}

#[test]
fn a_hollow_ball_rolls_down_a_slope_slower_than_a_full_one() {
    for rate_hz in RATES_HZ {
        for angle in [0.2, 0.5] {
            for share in [2.0 / 3.0, 0.4] {
                // a = g sin θ / (1 + I / m r²).
                let right = G * f64::sin(angle) / (1.0 + share);
                let found = rolls_down(rate_hz, angle, share);
                assert!(
                    (found / right - 1.0).abs() < 0.01,
                    "{rate_hz} Hz {share}: {found} {right}"
                );
            }
        }
    }
}

/// Returns the poses of the first dynamic body.
fn poses(events: &[Event]) -> Vec<(f64, DVec3, DQuat)> {
    let pose = |event: &Event| match event {
        Event::Pose(pose) => {
            Some((pose.at_s, pose.position.into(), DQuat::from_array(pose.rotation)))
        }
        _ => None,
    };
    events.iter().filter_map(pose).collect()
}

#[test]
fn a_body_with_its_centre_of_mass_off_its_origin_turns_about_the_centre() {
    let centre = DVec3::new(0.1, -0.3, 0.2);
    let mass = MassProperties {
        centre_m: centre.to_array(),
        ..MassProperties::centred(2.0, [0.03, 0.03, 0.03])
    };
    let mut world = World::new(Settings::default().with_gravity(DOWN)).unwrap();
    // Of two parts, away from the centre of mass.
    let collider = Collider::Compound {
        parts: [[0.5, 0.0, 0.0], [0.0, 0.0, -0.4]]
            .map(|position_m| foley_geometry::collider::Part {
                collider: Collider::ball(0.1),
                pose: foley_geometry::Pose { position_m, ..Default::default() },
            })
            .to_vec(),
    };
    let body = Body::dynamic("body", collider, Mass::Properties(mass));
    let spin = DVec3::new(0.0, 6.0, 2.0);
    let thrown = body.with_velocity([1.0, 3.0, 0.0]).with_angular_velocity(spin.to_array());
    let number = world.add(&thrown).unwrap();
    let energy_j = world.energy_j(number).unwrap();
    let events = run(&mut world, 0.5);
    for (at_s, position, rotation) in poses(&events) {
        let found = position + rotation * centre;
        let flown = DVec3::new(at_s, 3.0 * at_s - 0.5 * G * at_s * at_s, 0.0);
        assert!((found - centre - flown).length() < 2e-4, "{at_s} s: {found}");
        let turn = DQuat::from_scaled_axis(spin * at_s);
        assert!(rotation.angle_between(turn) < 2e-3, "{at_s} s");
    }
    let left_j = world.energy_j(number).unwrap();
    let whole_j = 0.5 * 2.0 * 10.0 + 0.5 * 0.03 * 40.0 - 2.0 * -G * centre.y;
    assert!((energy_j - whole_j).abs() < 1e-4 * whole_j.abs().max(1.0), "{energy_j} {whole_j}");
    assert!((left_j - energy_j).abs() < 1e-3, "{energy_j} {left_j}");
}

#[test]
fn free_rotation_keeps_angular_momentum_and_energy() {
    // Three different moments about turned axes: the axis of rotation wanders.
    let axes = DQuat::from_euler(glam::EulerRot::XYZ, 0.5, 0.2, -0.7);
    let moments = DVec3::new(0.02, 0.05, 0.06);
    let tensor = |rotation: DQuat| {
        let turn = glam::DMat3::from_quat(rotation * axes);
        turn * glam::DMat3::from_diagonal(moments) * turn.transpose()
    };
    let mass = MassProperties {
        mass_kg: 3.0,
        centre_m: [0.0, 0.05, 0.0],
        inertia_kg_m2: tensor(DQuat::IDENTITY).to_cols_array_2d(),
    };
    let mut world = World::new(Settings::default().with_gravity([0.0; 3])).unwrap();
    let spin = DVec3::new(1.0, 5.0, 0.3);
    let body = Body::dynamic("body", Collider::cuboid(0.2, 0.2, 0.2), Mass::Properties(mass));
    let number = world.add(&body.with_angular_velocity(spin.to_array())).unwrap();
    let (momentum, energy_j) = (tensor(DQuat::IDENTITY) * spin, world.energy_j(number).unwrap());
    assert!((energy_j - 0.5 * spin.dot(momentum)).abs() < 1e-6, "{energy_j}");
    let mut wandered: f64 = 0.0;
    while world.time_s() < 2.0 {
        world.step();
        let rotation = DQuat::from_array(world.pose(number).unwrap().rotation);
        let now = DVec3::from(world.spin(number).unwrap());
        let found = tensor(rotation) * now;
        let off = (found - momentum).length() / momentum.length();
        assert!(off < 0.03, "{} s: {found} {momentum}", world.time_s());
        wandered = wandered.max(now.angle_between(spin));
    }
    assert!(wandered > 0.3, "a sphere would pass this test: {wandered}");
    let left_j = world.energy_j(number).unwrap();
    assert!((left_j / energy_j - 1.0).abs() < 0.03, "{energy_j} {left_j}");
}

#[test]
fn impossible_mass_properties_are_refused() {
    let good = MassProperties::centred(1.0, [0.1, 0.1, 0.1]);
    let add = |mass: MassProperties| {
        let body = Body::dynamic("body", Collider::ball(0.1), Mass::Properties(mass));
        World::new(Settings::default()).unwrap().add(&body)
    };
    add(good).unwrap();
    add(MassProperties::centred(1.0, [0.0, 0.1, 0.1])).unwrap();
    let skew = [[0.1, 0.05, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    for (bad, says) in [
        (MassProperties { mass_kg: 0.0, ..good }, "mass"),
        (MassProperties { mass_kg: f64::NAN, ..good }, "mass"),
        (MassProperties { centre_m: [0.0, f64::INFINITY, 0.0], ..good }, "centre of mass"),
        (MassProperties { inertia_kg_m2: [[f64::NAN; 3]; 3], ..good }, "inertia"),
        (MassProperties { inertia_kg_m2: skew, ..good }, "symmetric"),
        (MassProperties::centred(1.0, [0.1, 0.1, -0.1]), "moment of inertia"),
        (MassProperties::centred(1.0, [0.1, 0.1, 0.5]), "moment of inertia"),
        (MassProperties::centred(1.0, [0.0; 3]), "moment of inertia"),
    ] {
        let error = add(bad).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("body"), "{error}");
    }
}

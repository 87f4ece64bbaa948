//! Reported losses of impacts equal the energy lost by the bodies and never exceed it.

use crate::common;

use common::{G, RATES_HZ, crate_at, floor, impacts, run};
use foley_geometry::Collider;
use foley_physics::{Body, Impact, Mass, World};

fn reported_j(hits: &[Impact]) -> f64 {
    hits.iter().map(|hit| hit.lost_j.unwrap()).sum()
}

fn energy_j(world: &World) -> f64 {
    (0..world.len() as u32).map(|body| world.energy_j(body).unwrap()).sum()
}

/// `½ m v² (1 − e²)`, with the speeds of the textbook.
#[test]
fn a_ball_loses_what_the_textbook_says() {
    let (mass_kg, radius_m, height_m, e) = (0.1, 0.05, 1.0, 0.7);
    for rate_hz in RATES_HZ {
        let mut world = floor(rate_hz, 0.5, e);
        let ball = Body::dynamic("ball", Collider::ball(radius_m), Mass::Kilograms(mass_kg));
        world.add(&ball.at([0.0, height_m + radius_m, 0.0]).with_surface(0.5, e)).unwrap();
        let hits = impacts(&run(&mut world, 2.0));
        let mut had_j = mass_kg * G * height_m;
        for hit in &hits[..4] {
            let lost_j = had_j * (1.0 - e * e);
            let off = hit.lost_j.unwrap() / lost_j - 1.0;
            // The error is that of a step, as its length: 1e-4 at 60 Hz, 8e-6 at 480 Hz.
            foley_measured::check!("physics.ball_loss", 100.0 * off.abs() * rate_hz);
            had_j *= e * e;
        }
    }
}

/// A bar that lands on one end and then on the other: its points share one body, so none separates
/// with e times its own speed. Without friction nothing else dissipates energy.
///
/// A part is not reported: contacts that are too short or too slow for an impact, in long steps more than in
/// short ones. One case of 60 stands out, and has its own bound: steeply tilted, with e = 0.6, at 60 Hz.
#[test]
fn a_bar_that_rattles_down_loses_what_it_had() {
    let mut shares = Vec::new();
    for rate_hz in RATES_HZ {
        for e in [0.0, 0.3, 0.6] {
            for tilt in [0.0f64, 0.05, 0.1, 0.3, 0.8] {
                let mut world = floor(rate_hz, 0.0, e);
                let shape = Collider::cuboid(0.2, 0.008, 0.03);
                let bar = Body::dynamic("bar", shape, Mass::Kilograms(0.4)).at([0.0, 0.15, 0.0]);
                let bar =
                    bar.with_rotation([0.0, 0.0, tilt.sin(), tilt.cos()]).with_surface(0.0, e);
                world.add(&bar).unwrap();
                let had_j = energy_j(&world);
                let reported_j = reported_j(&impacts(&run(&mut world, 2.0)));
                let share = reported_j / (had_j - energy_j(&world));
                match (rate_hz, e, tilt) {
                    (60.0, 0.6, 0.8) => foley_measured::check!("physics.loss_outlier", share),
                    (..200.0, ..) => foley_measured::check!("physics.loss_slow", share),
                    _ => foley_measured::check!("physics.loss", share),
                }
                shares.push(share);
            }
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(shares.len() == 60 && mean > 0.95, "{mean} of {} on average", shares.len());
}

/// At every step, with friction and many bodies.
#[test]
fn a_heap_never_reports_more_than_it_lost() {
    for rate_hz in [60.0, 240.0] {
        let mut world = floor(rate_hz, 0.5, 0.4);
        for k in 0..24 {
            let (x, y) = (0.11 * f64::from(k % 3), 0.1 + 0.13 * f64::from(k / 3));
            let turn = f64::from(k) * 0.7;
            let one = crate_at([x, y, 0.02 * f64::from(k % 5)], 0.1).with_surface(0.5, 0.4);
            world.add(&one.with_rotation([turn.sin(), 0.3, 0.0, turn.cos()])).unwrap();
        }
        let had_j = energy_j(&world);
        let mut hits = Vec::new();
        for step in 1..=40 {
            hits.extend(impacts(&run(&mut world, 0.1 * f64::from(step))));
            let (reported_j, lost_j) = (reported_j(&hits), had_j - energy_j(&world));
            // Impacts predicted for just after a step are reported in the next.
            assert!(
                reported_j <= lost_j + 1e-4 * had_j,
                "{rate_hz} Hz: {reported_j} J of {lost_j} J"
            );
        }
        // Friction dissipates the rest; measured: 0.57 and 0.58.
        assert!(reported_j(&hits) > 0.5 * (had_j - energy_j(&world)), "{rate_hz} Hz");
    }
}

/// A kinematic body supplies unlimited energy: its impacts are reported without the bound.
#[test]
fn a_kinematic_bat_may_add_energy() {
    let mut world = floor(240.0, 0.0, 0.5);
    let way = [(0.0, -0.3), (0.5, 0.7)].map(|(at_s, x)| foley_physics::Waypoint {
        at_s,
        position: [x, 0.5, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
    });
    let bat = Body::kinematic("bat", Collider::cuboid(0.1, 0.4, 0.4), way.to_vec());
    world.add(&bat.with_surface(0.0, 0.5)).unwrap();
    let ball = Body::dynamic("ball", Collider::ball(0.05), Mass::Kilograms(0.1));
    world.add(&ball.at([0.0, 0.5, 0.0]).with_surface(0.0, 0.5)).unwrap();
    let hits = impacts(&run(&mut world, 0.3));
    let hit = hits.iter().find(|hit| hit.bodies == [1, 2]).unwrap();
    let lost_j = 0.5 * 0.1 * 2.0_f64.powi(2) * (1.0 - 0.25);
    assert!((hit.lost_j.unwrap() / lost_j - 1.0).abs() < 1e-5, "{hit:?} {lost_j}");
}

//! Invalid scenes give clear errors; unstable scenes stay bounded.

use crate::common;

use common::{DOWN, crate_at, floor, run};
use foley_geometry::Pose;
use foley_geometry::collider::{Collider, Part};
use foley_physics::world::MAX_BODIES;
use foley_physics::{
    Body, BodyId, BodyState, ContactSide, ContactSource, ContactSurface, ContactTracker, Event,
    Mass, Mobility, PhysicsError, Settings, SolverContact, StepLength, Waypoint, World,
};
use proptest::prelude::*;

fn refused(body: Body) -> String {
    let mut world = World::new(Settings::default()).unwrap();
    let error = world.add(&body).unwrap_err();
    assert!(world.is_empty(), "a refused body leaves nothing behind");
    error.to_string()
}

fn ball(mass: Mass) -> Body {
    Body::dynamic("body", Collider::ball(0.1), mass)
}

#[test]
fn invalid_numbers_are_named() {
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e30] {
        let message = refused(ball(Mass::Kilograms(mass)));
        assert!(message.contains("`body`") && message.contains("mass"), "{message}");
        assert!(refused(ball(Mass::Density(mass))).contains("density"));
    }
    for size in [0.0, -0.1, f64::NAN, 1e-9, 1e9] {
        let heavy = Mass::Kilograms(1.0);
        assert!(refused(Body::dynamic("body", Collider::ball(size), heavy)).contains("radius"));
        assert!(
            refused(Body::fixed("body", Collider::cuboid(1.0, size, 1.0))).contains("half edge")
        );
        let ring = Collider::Ring { radius_m: 1.0, tube_m: size };
        assert!(refused(Body::dynamic("body", ring, heavy)).contains("tube"));
    }
    let sane = || ball(Mass::Kilograms(1.0));
    assert!(refused(sane().at([f64::NAN, 0.0, 0.0])).contains("position"));
    assert!(refused(sane().with_velocity([0.0, 1e6, 0.0])).contains("velocity"));
    assert!(refused(sane().with_angular_velocity([0.0, 0.0, f64::INFINITY])).contains("spin"));
    assert!(refused(sane().with_rotation([0.0; 4])).contains("rotation"));
    assert!(refused(sane().with_surface(-1.0, 0.0)).contains("friction"));
    assert!(refused(sane().with_surface(0.5, 1.5)).contains("restitution"));
}

#[test]
fn shapes_without_volume_are_refused() {
    let hull = |points: &[[f64; 3]]| {
        Body::dynamic("body", Collider::Hull { points_m: points.to_vec() }, Mass::Kilograms(1.0))
    };
    let flat: Vec<[f64; 3]> =
        (0..100).map(|k| [f64::from(k).sin(), f64::from(k).cos(), 0.0]).collect();
    let line: Vec<[f64; 3]> = (0..10).map(|k| [f64::from(k), f64::from(k), 0.0]).collect();
    for points in [&[][..], &[[1.0, 2.0, 3.0]; 50], &flat, &line, &[[0.0; 3], [1.0, 0.0, 0.0]]] {
        assert!(refused(hull(points)).contains("volume"), "{points:?}");
    }
    assert!(refused(hull(&[[f64::NAN; 3]; 4])).contains("coordinate"));
    let mesh = |points: &[[f64; 3]], triangles: &[[u32; 3]]| Collider::Mesh {
        points_m: points.to_vec(),
        triangles: triangles.to_vec(),
    };
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    assert!(refused(Body::fixed("body", mesh(&corners, &[]))).contains("no triangles"));
    assert!(refused(Body::fixed("body", mesh(&corners, &[[0, 1, 7]]))).contains("vertex 7"));
    let sheet = mesh(&corners, &[[0, 1, 2]]);
    let sheet = Body::dynamic("body", sheet, Mass::Kilograms(1.0));
    assert!(refused(sheet).contains("no volume"));
    let empty = Collider::Compound { parts: vec![] };
    assert!(refused(Body::fixed("body", empty.clone())).contains("no parts"));
    let part = Part { collider: empty, pose: Pose::default() };
    let nested = Collider::Compound { parts: vec![part] };
    assert!(refused(Body::fixed("body", nested)).contains("within"));
}

#[test]
fn waypoints_out_of_order_are_refused() {
    let place = |at_s| Waypoint { at_s, position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    let kinematic = |waypoints| Body::kinematic("body", Collider::ball(0.1), waypoints);
    assert!(refused(kinematic(vec![place(1.0), place(0.5)])).contains("later"));
    assert!(refused(kinematic(vec![place(f64::NAN)])).contains("time"));
    assert!(refused(kinematic(vec![])).contains("no waypoints"));
}

#[test]
fn invalid_settings_are_named() {
    let made = |settings| World::new(settings).err().map(|error| error.to_string()).unwrap();
    for rate_hz in [0.0, 30.0, 1000.0, f64::NAN] {
        assert!(made(Settings::default().with_rate_hz(rate_hz)).contains("60 to 480"));
    }
    let gravity = [0.0, f64::INFINITY, 0.0];
    assert!(made(Settings::default().with_gravity(gravity)).contains("gravity"));
}

#[test]
fn a_hundred_thousand_bodies_are_too_many() {
    let mut world = World::new(Settings::default()).unwrap();
    let error = (0..100_000_u32).find_map(|k| {
        let place = [f64::from(k % 300), f64::from(k / 90_000), f64::from(k / 300)];
        world.add(&ball(Mass::Kilograms(1.0)).at(place)).err()
    });
    let too_many =
        PhysicsError::TooMany { what: "bodies", found: MAX_BODIES + 1, most: MAX_BODIES };
    assert_eq!(error, Some(too_many));
}

#[test]
fn bodies_that_fly_away_are_reported_once_and_the_simulation_continues() {
    let mut world = floor(120.0, 0.5, 0.3);
    world.add(&crate_at([0.0, 0.5, 0.0], 0.1)).unwrap();
    // It misses the floor and keeps falling.
    let gone = world.add(&crate_at([500.0, 0.5, 0.0], 0.1)).unwrap();
    let mut lost = Vec::new();
    for _ in 0..20 * 120 {
        let finite = world.step().iter().all(|event| match event {
            Event::Pose(pose) => pose.position.iter().all(|x| x.is_finite()),
            _ => true,
        });
        assert!(finite);
        lost.extend(world.take_lost());
    }
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].body, gone);
    assert!(!world.is_awake(gone));
    assert!((world.pose(1).unwrap().position[1] - 0.05).abs() < 1e-3, "the other one lies");
}

#[test]
fn bodies_inside_each_other_are_pushed_apart_and_not_blown_up() {
    let mut world = floor(60.0, 0.5, 0.3);
    for _ in 0..20 {
        world.add(&crate_at([0.0, 0.2, 0.0], 0.2)).unwrap();
    }
    for event in run(&mut world, 3.0) {
        if let Event::Pose(pose) = event {
            let speed = pose.velocity.iter().map(|v| v * v).sum::<f64>().sqrt();
            assert!(speed < 10.0, "{pose:?}");
        }
    }
}

#[test]
fn invalid_impulses_and_missing_bodies_are_refused() {
    let mut world = floor(60.0, 0.5, 0.3);
    assert!(world.apply_impulse(7, [0.0; 3], [0.0; 3]).is_err());
    assert!(world.pose(7).is_err());
    assert!(world.apply_impulse(0, [f64::NAN, 0.0, 0.0], [0.0; 3]).is_err());
}

/// A simulation that may return anything: a body above a floor, z up.
#[derive(Clone)]
struct AnySource {
    span: StepLength,
    gravity: [f64; 3],
    bodies: Vec<(BodyId, BodyState)>,
    contacts: Vec<SolverContact>,
}

impl AnySource {
    /// Makes a body that falls at 1 m/s towards a floor below it and is stopped by it.
    fn falling(gap_m: f64) -> Self {
        let gravity = [0.0, 0.0, -9.81];
        let ids = [0, 1].map(|number| BodyId { number, key: number.into() });
        let floor = BodyState::fixed(Pose::default());
        let body = BodyState {
            mobility: Mobility::Dynamic,
            awake: true,
            velocity_m_s: [0.0, 0.0, -1.0],
            fall_m_s2: gravity,
            mass_kg: 1.0,
            ..floor
        };
        let side = |body, z| {
            let (shape, pose) = (Collider::HalfSpace, Pose::default());
            let surface = ContactSurface { shape, pose, reach_m: f64::INFINITY };
            ContactSide { body, place_m: [0.0, 0.0, z], surface }
        };
        let contact = SolverContact {
            sides: [side(ids[0], 0.0), side(ids[1], -gap_m)],
            normal: [0.0, 0.0, -1.0],
            impulse_ns: 1.0,
            restitution: 0.5,
        };
        Self {
            span: StepLength { step_s: 0.004, substep_s: 0.004 },
            gravity,
            bodies: vec![(ids[0], body), (ids[1], floor)],
            contacts: vec![contact],
        }
    }

    /// Returns every value that the tracker reads, except lengths of steps.
    fn values(&mut self) -> Vec<&mut f64> {
        let mut values: Vec<&mut f64> = self.gravity.iter_mut().collect();
        for (_, state) in &mut self.bodies {
            let BodyState { pose, centre_m, velocity_m_s, leapfrog_m_s, .. } = state;
            let BodyState { spin_rad_s, fall_m_s2, mass_kg, rotational_energy_j, .. } = state;
            values.extend(pose.position_m.iter_mut().chain(&mut pose.rotation));
            values.extend(centre_m.iter_mut().chain(velocity_m_s).chain(leapfrog_m_s));
            values.extend(spin_rad_s.iter_mut().chain(fall_m_s2));
            values.extend([mass_kg, rotational_energy_j]);
        }
        for SolverContact { sides, normal, impulse_ns, restitution } in &mut self.contacts {
            for ContactSide { place_m, surface, .. } in sides {
                values.extend(place_m.iter_mut().chain(&mut surface.pose.position_m));
                values.extend(&mut surface.pose.rotation);
                values.push(&mut surface.reach_m);
            }
            values.extend(normal.iter_mut().chain([impulse_ns, restitution]));
        }
        values
    }
}

impl ContactSource for AnySource {
    fn step_length(&self) -> StepLength {
        self.span
    }

    fn gravity(&self) -> [f64; 3] {
        self.gravity
    }

    fn bodies(&self, visit: &mut dyn FnMut(BodyId, BodyState)) {
        self.bodies.iter().for_each(|&(id, state)| visit(id, state));
    }

    fn body(&self, body: BodyId) -> Option<BodyState> {
        self.bodies.iter().find(|(id, _)| *id == body).map(|&(_, state)| state)
    }

    fn contacts(&self, _: &dyn Fn([BodyId; 2]) -> bool, visit: &mut dyn FnMut(SolverContact)) {
        self.contacts.iter().cloned().for_each(visit);
    }
}

fn track(tracker: &mut ContactTracker, source: &AnySource) -> Vec<Event> {
    tracker.before_step(source);
    tracker.after_step(source).to_vec()
}

fn event_is_finite(event: &Event) -> bool {
    let (places, numbers) = match event {
        Event::Impact(i) => {
            (i.places, [i.at_s, i.impulse_ns, i.speed_m_s, i.lost_j.unwrap_or(0.0)])
        }
        Event::SustainedContact(c) => (c.places, [c.at_s, c.force_n, c.slip_m_s, c.roll_m_s]),
        _ => return true,
    };
    places.as_flattened().iter().chain(&numbers).all(|value| value.is_finite())
}

#[test]
fn infinite_gravity_of_a_rising_body_ends_the_analysis_and_not_the_program() {
    let mut source = AnySource::falling(0.001);
    source.bodies[0].1.fall_m_s2 = [0.0, 0.0, f64::NEG_INFINITY];
    source.bodies[0].1.velocity_m_s = [0.0, 0.0, 0.5];
    assert_eq!(track(&mut ContactTracker::new(), &source), []);
}

#[test]
fn invalid_values_of_a_source_leave_its_events_finite() {
    let count = AnySource::falling(0.001).values().len();
    for (index, invalid) in (0..count)
        .flat_map(|k| [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX].map(|x| (k, x)))
    {
        for speed_m_s in [-1.0, 0.5] {
            let mut source = AnySource::falling(0.001);
            source.bodies[0].1.velocity_m_s[2] = speed_m_s;
            *source.values()[index] = invalid;
            let mut tracker = ContactTracker::new();
            let mut events = track(&mut tracker, &source);
            events.extend(track(&mut tracker, &source));
            assert!(events.iter().all(event_is_finite), "{invalid} as {index}: {events:?}");
            // The simulation recovers, and with it the tracker.
            let recovered = track(&mut tracker, &AnySource::falling(0.001));
            assert!(!recovered.is_empty() && recovered.iter().all(event_is_finite));
        }
    }
}

#[test]
fn a_step_with_an_invalid_length_is_ignored() {
    for invalid in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.005, -0.001] {
        let mut source = AnySource::falling(0.001);
        let mut tracker = ContactTracker::new();
        source.span = StepLength { step_s: 0.004, substep_s: invalid };
        assert_eq!(track(&mut tracker, &source), [], "substep {invalid}");
        source.span = StepLength { step_s: invalid, substep_s: 0.004 };
        assert_eq!(track(&mut tracker, &source), [], "step {invalid}");
        assert_eq!(tracker.time_s(), 0.0);
        tracker.set_time_s(invalid.abs());
        assert!(tracker.time_s().is_finite());
    }
}

#[test]
fn a_predicted_impact_is_dropped_with_its_body() {
    // The body meets the floor after 5.8 ms, in the second step of 4 ms.
    let predicted = |second: &dyn Fn(&mut ContactTracker, AnySource) -> Vec<Event>| {
        let mut tracker = ContactTracker::new();
        let mut source = AnySource::falling(0.006);
        let first = track(&mut tracker, &source);
        assert!(!first.iter().any(|event| matches!(event, Event::Impact(_))), "{first:?}");
        source.contacts.clear();
        let events = second(&mut tracker, source);
        events.iter().filter(|event| matches!(event, Event::Impact(_))).count()
    };
    assert_eq!(predicted(&|tracker, source| track(tracker, &source)), 1);
    let removed_before_the_step = |tracker: &mut ContactTracker, mut source: AnySource| {
        source.bodies.remove(0);
        track(tracker, &source)
    };
    assert_eq!(predicted(&removed_before_the_step), 0);
    let removed_within_the_step = |tracker: &mut ContactTracker, mut source: AnySource| {
        tracker.before_step(&source);
        source.bodies.remove(0);
        tracker.after_step(&source).to_vec()
    };
    assert_eq!(predicted(&removed_within_the_step), 0);
    let replaced_under_the_same_number = |tracker: &mut ContactTracker, mut source: AnySource| {
        source.bodies[0].0.key = 7;
        track(tracker, &source)
    };
    assert_eq!(predicted(&replaced_under_the_same_number), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_hull_of_any_points_can_panic(
        points in prop::collection::vec(prop::array::uniform3(-1e3..1e3_f64), 0..40),
        scale in prop::array::uniform3(-9..0_i32),
    ) {
        // Includes nearly one-, two- and zero-dimensional point sets.
        let points = points
            .iter()
            .map(|p| [0, 1, 2].map(|k| p[k] * 10_f64.powi(scale[k])))
            .collect();
        let mut world = World::new(Settings::default().with_gravity(DOWN)).unwrap();
        let shape = Collider::Hull { points_m: points };
        if world.add(&Body::dynamic("body", shape, Mass::Kilograms(1.0))).is_ok() {
            for _ in 0..10 {
                for event in world.step() {
                    prop_assert!(event.at_s().is_finite());
                }
            }
        }
    }

    #[test]
    fn no_mesh_of_any_triangles_can_panic(
        points in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 1..12),
        triangles in prop::collection::vec(prop::array::uniform3(0..14_u32), 0..30),
        moves in any::<bool>(),
    ) {
        let mut world = World::new(Settings::default().with_gravity(DOWN)).unwrap();
        let shape = Collider::Mesh { points_m: points, triangles };
        let body = if moves {
            Body::dynamic("body", shape, Mass::Kilograms(1.0))
        } else {
            Body::fixed("body", shape)
        };
        if world.add(&body).is_ok() {
            world.add(&crate_at([0.0, 1.5, 0.0], 0.3)).unwrap();
            for _ in 0..60 {
                for event in world.step() {
                    if let Event::Pose(pose) = event {
                        prop_assert!(pose.position.iter().all(|x| x.is_finite()));
                    }
                }
            }
        }
    }
}

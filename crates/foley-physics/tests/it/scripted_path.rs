//! Scripted contact paths.

use foley_physics::path::{Path, PathPoint};

fn circle(radius: f64, count: usize) -> Vec<PathPoint> {
    (0..=count)
        .map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
            PathPoint { place: [radius * cos, 0.2, radius * sin], normal: [cos, 0.0, sin] }
        })
        .collect()
}

fn around() -> Path {
    Path {
        bodies: [0, 1],
        tip: [0.0, -0.1, 0.0],
        contact: 5,
        rotation: [0.0, 0.0, 0.0, 1.0],
        points: circle(0.3, 400),
        start_s: 1.0,
        speed_m_s: 0.5,
        force_n: 2.0,
        ease_s: 0.2,
        rolls: false,
    }
}

#[test]
fn the_probe_covers_the_path_at_its_speed() {
    let path = around();
    for rate_hz in [60.0, 240.0, 1000.0] {
        let contacts: Vec<_> = path.contacts(rate_hz).unwrap().collect();
        let length = std::f64::consts::TAU * 0.3;
        // Ramps take twice as long as full speed over the same distance.
        let duration_s = length / 0.5 + 0.2;
        let last = contacts.last().unwrap();
        assert!((last.at_s - 1.0 - duration_s).abs() < 1e-3);
        assert!(last.over && contacts.iter().filter(|contact| contact.over).count() == 1);
        // The distance is the integral of the speed, and agrees with the positions.
        let come: f64 = contacts
            .windows(2)
            .map(|pair| 0.5 * (pair[0].slip_m_s + pair[1].slip_m_s) * (pair[1].at_s - pair[0].at_s))
            .sum();
        assert!((come / length - 1.0).abs() < 1e-3, "{rate_hz} Hz: {come} of {length}");
        for pair in contacts.windows(2) {
            let step = (0..3)
                .map(|k| (pair[1].places[1][k] - pair[0].places[1][k]).powi(2))
                .sum::<f64>()
                .sqrt();
            let mean = 0.5 * (pair[0].slip_m_s + pair[1].slip_m_s);
            let expected = mean * (pair[1].at_s - pair[0].at_s);
            assert!((step - expected).abs() < 0.01 * 0.5 / rate_hz + 1e-4, "{step} {expected}");
        }
    }
}

#[test]
fn force_and_speed_begin_and_end_at_zero() {
    let contacts: Vec<_> = around().contacts(240.0).unwrap().collect();
    assert_eq!((contacts[0].force_n, contacts[0].slip_m_s), (0.0, 0.0));
    let last = contacts.last().unwrap();
    assert_eq!((last.force_n, last.slip_m_s), (0.0, 0.0));
    for contact in &contacts {
        assert!((0.0..=2.0).contains(&contact.force_n) && (0.0..=0.5).contains(&contact.slip_m_s));
        assert_eq!((contact.roll_m_s, contact.contact, contact.bodies), (0.0, 5, [0, 1]));
        // From the probe into the body: against the outward normal.
        let outward: f64 = (0..3).map(|k| contact.normal[k] * contact.places[1][k]).sum();
        assert!(outward < -0.29, "{contact:?}");
    }
    assert!(contacts.iter().any(|contact| contact.force_n == 2.0));
}

#[test]
fn the_normal_rotates_with_the_body_and_places_stay_local() {
    let mut path = around();
    path.rotation = [0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()];
    path.rolls = true;
    let contact = path.contacts(100.0).unwrap().nth(40).unwrap();
    let straight = around().contacts(100.0).unwrap().nth(40).unwrap();
    assert_eq!(contact.places, straight.places);
    assert!((contact.normal[1] - straight.normal[0]).abs() < 1e-12);
    assert_eq!((contact.slip_m_s, contact.roll_m_s), (0.0, straight.slip_m_s));
}

#[test]
fn invalid_paths_are_refused() {
    let refuse = |change: fn(&mut Path)| {
        let mut path = around();
        change(&mut path);
        path.contacts(240.0).err().map(|error| error.to_string())
    };
    for change in [
        (|path| path.points.clear()) as fn(&mut Path),
        |path| path.points.truncate(1),
        |path| path.points.iter_mut().for_each(|point| point.place = [1.0; 3]),
        |path| path.points[3].place[1] = f64::NAN,
        |path| path.speed_m_s = 0.0,
        |path| path.speed_m_s = f64::NAN,
        |path| path.force_n = -1.0,
        |path| path.ease_s = f64::INFINITY,
        |path| path.rotation = [0.0; 4],
        |path| path.start_s = -1.0,
    ] {
        assert!(refuse(change).is_some());
    }
    assert!(around().contacts(f64::NAN).is_err());
    // The ramps fit into a path of any length.
    let mut short = around();
    (short.ease_s, short.points) = (100.0, circle(0.001, 8));
    let contacts: Vec<_> = short.contacts(240.0).unwrap().collect();
    assert!(contacts.len() < 100 && contacts.iter().all(|contact| contact.slip_m_s <= 0.5));
}

//! Counts, rates and distributions.

use super::poisson_hail::{self, ENERGY_RATIO, Hailstone, Shower, strikes};
use super::{BenchScene, SILENCE, many_plates, picnic_objects, rings};
use crate::Silent;

fn few_plates() -> BenchScene {
    many_plates(40, 20, 500.0, 20.0, 7).unwrap()
}

#[test]
fn panes_and_plates_have_the_modes_of_the_paper() {
    let objects = picnic_objects::panes_and_plates().unwrap();
    let modes: Vec<usize> = objects.iter().map(|t| t.model.mode_count()).collect();
    assert_eq!(modes, [108, 165, 216, 237, 239, 239, 239]);
    for object in &objects {
        let f = &object.model.frequencies_hz;
        assert!((40.0..150.0).contains(&f[0]), "{}: {}", object.name, f[0]);
        assert!((6e3..11e3).contains(&f[f.len() - 1]), "{}", object.name);
    }
}

/// Bakes the table and the can unless they are in the cache.
#[test]
#[ignore = "bakes the can and the table: `make test` runs it by itself, after the others"]
fn the_picnic_is_complete() {
    let modes: Vec<usize> = picnic_objects::picnic_objects(&Silent)
        .unwrap()
        .iter()
        .map(|t| t.model.mode_count())
        .collect();
    assert_eq!(modes, [108, 165, 216, 237, 239, 239, 239, 100, 1361]);
    for scene in BenchScene::all(&Silent).unwrap() {
        assert!(scene.strikes.windows(2).all(|b| b[0].at_s <= b[1].at_s), "{}", scene.name);
        assert!(scene.strikes.iter().all(|b| b.at_s < scene.seconds - SILENCE), "{}", scene.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_strikes() {
    let objects = picnic_objects::panes_and_plates().unwrap();
    let hail = Shower { on: 0..7, per_second: 300.0 };
    let [a, b, c] = [1, 1, 2].map(|seed| strikes(&objects, &hail, 2.0, seed).unwrap());
    assert!(a == b && a != c);
}

#[test]
fn a_shower_keeps_its_rate_and_spreads_by_area() {
    let objects = picnic_objects::panes_and_plates().unwrap();
    let (per_second, seconds) = (3000.0, 10.0);
    let strikes = strikes(&objects, &Shower { on: 0..7, per_second }, seconds, 3).unwrap();
    let within_four_sigma = |found: usize, expected: f64| {
        assert!((found as f64 - expected).abs() < 4.0 * expected.sqrt(), "{found} {expected}");
    };
    within_four_sigma(strikes.len(), per_second * seconds);
    let areas: Vec<f64> = objects.iter().map(|t| t.exposure().iter().sum()).collect();
    let all: f64 = areas.iter().sum();
    for (object, area) in areas.iter().enumerate() {
        let found = strikes.iter().filter(|b| b.object == object).count();
        within_four_sigma(found, per_second * seconds * area / all);
    }
    assert!(strikes.windows(2).all(|b| b[0].at_s < b[1].at_s));
}

/// p(E) ∝ 1/E: every half decade has as many stones as the others.
#[test]
fn energies_follow_one_over_e() {
    let scene = few_plates();
    let mut bins = [0; 4];
    for strike in &scene.strikes {
        let body = &scene.objects[strike.object].model.body;
        let energy = poisson_hail::energy_of(&strike.impact, body);
        let half_decades = -2.0 * energy.log10();
        assert!((-1e-6..4.0 + 1e-6).contains(&half_decades), "{energy}");
        bins[(half_decades as usize).min(3)] += 1;
    }
    let expected = scene.strikes.len() as f64 / 4.0;
    for bin in bins {
        assert!((f64::from(bin) - expected).abs() < 4.0 * expected.sqrt(), "{bins:?}");
    }
}

#[test]
fn a_stone_has_the_energy_it_was_made_of() {
    let energy = |part: f64| {
        let stone = Hailstone::new(part);
        0.5 * stone.striker.mass_kg * stone.speed * stone.speed
    };
    assert!((energy(1.0) / energy(1.0 / ENERGY_RATIO) / ENERGY_RATIO - 1.0).abs() < 1e-9);
    assert!((0.01..0.1).contains(&energy(1.0)), "{} J", energy(1.0));
}

#[test]
fn many_plates_share_models() {
    let scene = few_plates();
    assert_eq!((scene.objects.len(), scene.mode_count()), (40, 40 * 20));
    let mut models: Vec<_> =
        scene.objects.iter().map(|t| std::sync::Arc::as_ptr(&t.model)).collect();
    models.sort();
    models.dedup();
    assert_eq!(models.len(), 8);
    let expected = 500.0 * 20.0;
    assert!((scene.strikes.len() as f64 - expected).abs() < 4.0 * f64::sqrt(expected));
    let hundred = many_plates(3, 100, 10.0, 1.0, 1).unwrap();
    assert_eq!(hundred.mode_count(), 300);
}

/// More objects than fit into the engine's queue at once.
#[test]
fn many_objects_begin_at_the_first_frame() {
    use foley_engine::Source;
    let mut scene = many_plates(5000, 3, 100.0, 0.1, 1).unwrap();
    scene.strikes.truncate(1);
    scene.strikes[0].at_s = 0.01;
    let mut offline = scene.offline(foley_engine::Settings::default()).unwrap();
    let mut frames = vec![0.0; 2400];
    offline.fill(&mut frames);
    let peak = frames.iter().fold(0f32, |p, s| p.max(s.abs()));
    let heard = frames.iter().position(|s| s.abs() > 0.01 * peak).unwrap();
    assert!(peak > 0.0 && (475..500).contains(&heard), "{heard}");
}

#[test]
fn rings_collide_more_than_a_hundred_times_a_second() {
    let table = many_plates(1, 5, 1.0, 0.0, 1).unwrap().objects.remove(0).model;
    let scene = rings::on(table, "rings", "").unwrap();
    let times: Vec<f64> = scene.strikes.iter().filter(|b| b.object < 100).map(|b| b.at_s).collect();
    assert_eq!((scene.objects.len(), scene.strikes.len()), (101, 2 * times.len()));
    for second in [[0.0, 1.0], [0.5, 1.5]] {
        let count = times.iter().filter(|t| (second[0]..second[1]).contains(*t)).count();
        assert!((100..=200).contains(&count), "{second:?}: {count}");
    }
    for ring in &scene.objects[..100] {
        assert!((10..40).contains(&ring.model.mode_count()), "{}", ring.model.mode_count());
    }
}

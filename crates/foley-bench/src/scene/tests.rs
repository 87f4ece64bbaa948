//! Counts, rates and levels.

use super::BenchScene;
use crate::Silent;
use crate::timed_render::{Method, SimulatedScene, TimedRender};
use foley_dsp::resonator::Kernel;
use foley_physics::{Event, HailImpact};
use foley_scene::scene::Level;
use foley_scene::sonify::SceneEvent;
use std::sync::Arc;

fn few_plates(seconds: f64) -> BenchScene {
    BenchScene::plates(40, 20, 500.0, seconds, &Silent).unwrap()
}

fn named(name: &str) -> BenchScene {
    BenchScene::named(name, &Silent).unwrap()
}

/// Renders every mode.
fn rendered(scene: &BenchScene) -> TimedRender {
    let method = Method::every_mode(Kernel::Auto);
    SimulatedScene::new(scene).unwrap().render(&method, 512).unwrap()
}

/// Gives a scene a full scale instead of a loudness.
fn with_full_scale(mut bench: BenchScene, full_scale_pa: f64) -> BenchScene {
    Arc::make_mut(&mut bench.scene).level = Level::FullScale(full_scale_pa);
    bench
}

fn hail_impacts(scene: &BenchScene) -> Vec<HailImpact> {
    let impact = |event: &SceneEvent| match event {
        SceneEvent::Physics(Event::HailImpact(impact)) => Some(*impact),
        _ => None,
    };
    SimulatedScene::new(scene).unwrap().events.iter().filter_map(impact).collect()
}

fn within_four_sigma(found: usize, expected: f64, what: &str) {
    assert!((found as f64 - expected).abs() < 4.0 * expected.sqrt(), "{what}: {found} {expected}");
}

/// Bakes the table, the can and the rings unless they are in the cache.
#[test]
#[ignore = "bakes the can and the table: `make test` runs it by itself, after the others"]
fn the_scenes_are_complete() {
    for name in BenchScene::names() {
        let scene = named(name);
        let render = rendered(&scene);
        assert_eq!(render.stats.refused, 0, "{name}");
        let peak = render.samples.iter().fold(0f32, |peak, y| peak.max(y.abs()));
        assert!((0.3..4.0).contains(&peak), "{name} peaks at {peak}");
    }
    let (panes, plates, table, can) = ([108, 165, 216, 237], [239; 3], 100, 1361);
    let picnic = named("hail");
    let models = picnic.prepared.objects.iter().filter_map(|object| object.model.as_ref());
    let found: Vec<usize> = models.clone().map(|model| model.mode_count()).collect();
    assert_eq!(found, [&panes[..], &[table], &plates, &[can]].concat());
    for model in models.filter(|model| ![table, can].contains(&model.mode_count())) {
        let f = &model.frequencies_hz;
        assert!((40.0..150.0).contains(&f[0]), "{}: {}", model.name, f[0]);
        assert!((6e3..11e3).contains(&f[f.len() - 1]), "{}", model.name);
    }
}

#[test]
#[ignore = "bakes the can and the table: `make test` runs it by itself, after the others"]
fn hail_keeps_its_rate_and_falls_where_it_should() {
    let struck = |scene: &BenchScene, part: &str| {
        let on =
            |impact: &&HailImpact| scene.scene.objects[impact.body as usize].name.starts_with(part);
        hail_impacts(scene).iter().filter(on).count()
    };
    for (name, per_second) in [("drizzle", 20.0), ("hail", 300.0), ("downpour", 3000.0)] {
        let scene = named(name);
        within_four_sigma(struck(&scene, ""), per_second * scene.scene.seconds, name);
        if per_second > 100.0 {
            assert!(
                ["roof", "plate", "table", "garbage"].iter().all(|part| struck(&scene, part) > 9)
            );
        }
    }
    let roof = named("roof");
    within_four_sigma(struck(&roof, ""), 1500.0, "roof");
    assert!(struck(&roof, "roof") > 1350, "{}", struck(&roof, "roof"));
    assert!((1..30).contains(&struck(&roof, "plate")), "{}", struck(&roof, "plate"));
    let table = named("table");
    let [plates, wood] = ["plate", "table"].map(|part| struck(&table, part));
    within_four_sigma(plates + wood, 40.0, "table");
    assert!(plates > 5 && wood > 5, "{plates} {wood}");
}

#[test]
fn the_same_scene_gives_the_same_impacts_in_order_of_time() {
    let scene = few_plates(2.0);
    let impacts = hail_impacts(&scene);
    assert!(impacts == hail_impacts(&scene));
    assert!(impacts.windows(2).all(|pair| pair[0].at_s <= pair[1].at_s));
    let mut other = scene.clone();
    Arc::make_mut(&mut other.scene).seed = 2;
    assert!(impacts != hail_impacts(&other));
}

#[test]
fn plates_share_models_and_are_struck_by_area() {
    let scene = few_plates(20.0);
    assert_eq!((scene.scene.objects.len(), scene.mode_count()), (40, 40 * 20));
    let mut models: Vec<_> =
        scene.prepared.objects.iter().map(|o| Arc::as_ptr(o.model.as_ref().unwrap())).collect();
    models.sort();
    models.dedup();
    assert_eq!(models.len(), 8);
    let impacts = hail_impacts(&scene);
    within_four_sigma(impacts.len(), 500.0 * 20.0, "all");
    // The areas of the eight sizes are 1, 1.05, …, 1.35 times the least.
    for size in 0..8 {
        let found = impacts.iter().filter(|impact| impact.body as usize % 8 == size).count();
        let share = (1.0 + 0.05 * size as f64) / 9.4;
        within_four_sigma(found, share * impacts.len() as f64, "a size");
    }
    let hundred = BenchScene::plates(3, 100, 10.0, 0.1, &Silent).unwrap();
    assert_eq!(hundred.mode_count(), 300);
}

/// More objects than fit into the engine's queue at once.
#[test]
fn every_impact_on_many_objects_sounds() {
    let scene = BenchScene::plates(5000, 3, 20_000.0, 0.5, &Silent).unwrap();
    let stats = rendered(&scene).stats;
    assert!(stats.excitations > 9_000 && stats.refused == 0, "{stats:?}");
    assert_eq!(stats.excitations, hail_impacts(&scene).len() as u64);
}

/// A benchmark renders what the product renders.
#[test]
fn a_timed_render_is_the_product_s_sound() {
    use foley_engine::{AudioBuffer, Settings};
    use foley_scene::sonify::{RenderSettings, render};
    let scene = with_full_scale(few_plates(0.5), 3.0);
    let settings = RenderSettings::default().with_engine(Settings::default());
    let product = render(&scene.scene, &scene.prepared, &settings, &mut |_| true).unwrap().unwrap();
    let timed = rendered(&scene);
    let mut sound = AudioBuffer { samples: timed.samples, ..product.sound.clone() };
    sound.limit_and_trim().unwrap();
    assert!(sound.samples == product.sound.samples);
    assert_eq!(timed.stats, product.stats);
}

#[test]
#[ignore = "bakes the rings: `make test` runs it by itself, after the others"]
fn rings_collide_more_than_a_hundred_times_a_second() {
    let scene = named("rings");
    let rings: Vec<usize> = (0..scene.scene.objects.len())
        .filter(|i| scene.scene.objects[*i].name.contains("ring "))
        .collect();
    assert_eq!(rings.len(), 100);
    let impacts =
        SimulatedScene::new(&scene).unwrap().events.into_iter().filter_map(|event| match event {
            SceneEvent::Physics(Event::Impact(impact)) => Some(impact.at_s),
            _ => None,
        });
    let impacts: Vec<f64> = impacts.collect();
    for from_s in [0.3, 0.8] {
        let count = impacts.iter().filter(|t| (from_s..from_s + 1.0).contains(*t)).count();
        assert!(count >= 100, "{from_s}: {count}");
    }
    for ring in rings {
        let modes = scene.prepared.objects[ring].model.as_ref().unwrap().mode_count();
        assert!((8..60).contains(&modes), "{modes}");
    }
}

/// Each object of the dozen by itself: the loudest is at most 8 dB above the softest.
#[test]
fn the_dozen_is_balanced() {
    let dozen = with_full_scale(named("dozen"), 1.0);
    assert_eq!((dozen.scene.objects.len(), dozen.scene.strikes.len()), (12, 36));
    let peak_db = |object: usize| {
        let mut alone = dozen.clone();
        Arc::make_mut(&mut alone.scene).strikes.retain(|strike| strike.object == object);
        let render = rendered(&alone);
        let peak = render.samples.iter().fold(0f32, |peak, y| peak.max(y.abs()));
        20.0 * f64::from(peak).log10()
    };
    let levels: Vec<f64> = (0..12).map(peak_db).collect();
    let [least, most] = [f64::min, f64::max].map(|of| levels.iter().copied().reduce(of).unwrap());
    assert!(most - least < 8.0, "{levels:?}");
}

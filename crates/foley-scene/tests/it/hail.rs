//! Hail on a scene: number, place and time of the impacts.

use crate::common;

use common::sound::{ahead, exact, prepared, scene};
use foley_dsp::excitation::{HertzPair, Striker};
use foley_engine::Settings;
use foley_geometry::constants::{
    AIR_DENSITY_KG_M3, GRAVITY_M_S2, ICE, ICE_DENSITY_KG_M3, SOUND_SPEED_M_S,
};
use foley_hail::{HailSimulation, Impact, Surface, TargetSet};
use foley_physics::{Event, HailImpact};
use foley_scene::Scene;
use foley_scene::scene::Listener;
use foley_scene::sonify::{EventSource, HailGeometry, RenderSettings, SceneEvent, render};
use glam::DVec3;
use std::sync::Arc;

const RATE_HZ: f64 = 48_000.0;

/// A square metre of glass, 5 mm thick, with its upper side at z = 0.5; dead within milliseconds.
fn plate(hail: &str) -> String {
    format!(
        r#"
        seconds = 4
        full_scale_pa = 100
        [listener]
        position = [0, -2, 1]
        [hail]
        {hail}
        [[material]]
        name = "dead glass"
        like = "glass"
        alpha = 2000
        beta = 0
        [[object]]
        name = "plate"
        shape = "plate:1000x1000x5mm"
        material = "dead glass"
        max_modes = 60
        motion = "fixed"
        position = [0, 0, 0.4975]
        "#
    )
}

/// Returns the hail impacts of a scene.
fn stones(scene: &Scene) -> (Vec<HailImpact>, EventSource) {
    let mut event_source = EventSource::new(scene, &prepared(scene)).unwrap();
    let mut stones = Vec::new();
    let mut each = |event| {
        if let SceneEvent::Physics(Event::HailImpact(stone)) = event {
            stones.push(stone);
        }
    };
    event_source.advance_to(scene.seconds, &mut each).unwrap();
    (stones, event_source)
}

/// Returns the same from foley-hail alone, on the plate's upper side.
fn truth(scene: &Scene, from_s: f64) -> Vec<Impact> {
    let hail = scene.hail.unwrap();
    let corners_m = [[-0.5, -0.5, 0.5], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]];
    let targets = TargetSet::new([Surface::Quad { corners_m }.into()]).unwrap();
    let emitter = hail.emitter(scene.seed, scene.gravity_m_s2, from_s).unwrap();
    HailSimulation::new(emitter, targets).unwrap().impacts(0.0, scene.seconds).unwrap()
}

#[test]
fn as_many_stones_strike_as_flux_times_area() {
    for hail in [
        "per_second = 2000\nfrom_s = -10\ncloud = { position = [0, 0, 12], size = [4, 3] }",
        "per_second = 2000\nfrom_s = -10\ncloud = { position = [0, 0, 12], size = [4, 3] }\nfall = \"accelerated\"",
        "per_second = 5000\nfrom_s = -10\ncloud = { position = [0, 0, 12], radius = 3 }",
    ] {
        let scene = scene(&plate(hail));
        let area_m2 = scene.hail.unwrap().cloud.area_m2();
        let fell = scene.hail.unwrap().per_second * scene.seconds;
        let expected = fell / area_m2;
        let sigma = (expected * (1.0 - 1.0 / area_m2)).sqrt();
        let (stones, event_source) = stones(&scene);
        let found = stones.len() as f64;
        foley_measured::check!("hail.scene_flux", (found - expected).abs() / sigma);
        // Emitted since ten seconds before the scene's beginning.
        let counts = event_source.hail_counts();
        assert_eq!(counts.impacts, stones.len() as u64);
        assert_eq!(counts.emitted, (scene.hail.unwrap().per_second * 14.0) as u64);
    }
}

/// A board over the left half, and ground below.
#[test]
fn silent_objects_occlude_those_below() {
    let hail = "per_second = 2000\nfrom_s = -5\ncloud = { position = [0, 0, 12], size = [2, 2] }";
    let board = r#"
        [[object]]
        name = "board"
        shape = "box:500x1000x20mm"
        silent = true
        motion = "fixed"
        position = [-0.25, 0, 1]
        "#;
    let open = stones(&scene(&plate(hail))).0;
    let under = scene(&format!("ground = \"concrete\"\n{}{board}", plate(hail)));
    let (covered, event_source) = stones(&under);
    assert!(covered.iter().all(|stone| stone.place[0] > 0.0));
    let right: Vec<HailImpact> =
        open.iter().filter(|stone| stone.place[0] > 0.0).copied().collect();
    assert_eq!(covered.len(), right.len());
    assert_eq!(event_source.hail_counts().impacts, covered.len() as u64);
    // The ground stops all other stones.
    let geometry = HailGeometry::new(&under, &prepared(&under)).unwrap().unwrap();
    let all = geometry.simulation().impacts(0.0, under.seconds).unwrap().len();
    assert!(all.abs_diff(4 * 2000) < 150, "{all}");
}

/// Small stones in a storm land tens of kilometres from their cloud, which drifts: the ground is there, too.
#[test]
fn the_ground_has_no_end() {
    let hail = "per_second = 500\nfrom_s = -2000\nlargest_m = 0.002\nwind = [100, 0]\n\
                cloud = { position = [0, 0, 2600], radius = 5, drift = [40, 0] }";
    let far = scene(&format!("ground = \"concrete\"\n{}", plate(hail)));
    let geometry = HailGeometry::new(&far, &prepared(&far)).unwrap().unwrap();
    let found = geometry.simulation().impacts(0.0, far.seconds).unwrap();
    assert!(found.len().abs_diff(500 * 4) < 100, "{}", found.len());
    let farthest = found.iter().map(|impact| impact.position_m[0]).fold(0.0, f64::max);
    println!("up to {:.0} km away", 1e-3 * farthest);
    assert!(farthest > 3e4, "{farthest}");
}

#[test]
fn stones_of_every_form_strike_its_surface() {
    let around = |shape: &str, height: f64| {
        let text = format!(
            "seconds = 1\n[hail]\nper_second = 500\nfrom_s = -5\nwind = [2, 1]\ncloud = {{ position = [-2, -1, 12], radius = 2 }}\n\
             [[object]]\n{shape}\nmaterial = \"steel\"\nmax_modes = 3\nmotion = \"fixed\"\nposition = [0.5, 0.2, {height}]\nrotation = [0, 0, 30]"
        );
        stones(&scene(&text)).0
    };
    let length = |p: &[f64; 3]| (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
    let ball = around("shape = \"ball:1m\"", 1.0);
    assert!(ball.len() > 20 && ball.iter().all(|s| (length(&s.place) - 0.5).abs() < 1e-9));
    let disc = around("shape = \"disc:1000x5mm\"", 1.0);
    assert!(disc.len() > 20);
    for stone in &disc {
        let [x, y, z] = stone.place;
        let (flat, rim) = ((z.abs() - 0.0025).abs() < 1e-9, (x.hypot(y) - 0.5).abs() < 1e-9);
        assert!(flat || rim, "{stone:?}");
    }
    let hull = around("shape = \"box:1x1x1m\"\ncollider = \"hull\"", 1.0);
    assert!(hull.len() > 20);
    for stone in hull.iter() {
        let far = stone.place.iter().map(|x| x.abs()).fold(0.0, f64::max);
        assert!((far - 0.5).abs() < 1e-9, "{stone:?}");
        assert!((length(&stone.normal) - 1.0).abs() < 1e-9 && stone.speed_m_s > 0.0);
    }
}

/// The scene's own stones are foley-hail's, and sound begins at their time: the centre of the pulse
/// lies half a contact later, and the first sample behind it is the first that is not silent.
#[test]
fn every_impact_begins_on_its_sample() {
    let hail = "per_second = 12\nfrom_s = -3\nlargest_m = 0.008\ncloud = { position = [0, 0, 8], size = [3, 1.2] }";
    let mut scene = scene(&plate(hail));
    // Sound takes 139 samples to a listener within 1 m, and the air absorbs nothing.
    let flight = 139.0;
    let away_m = flight / RATE_HZ * SOUND_SPEED_M_S;
    let position_m = [0.0, -away_m, 0.4975];
    Arc::make_mut(&mut scene).listener = Listener { position_m, ..Listener::default() };
    // What rings begins with the centre of the contact, the click of the stone with its beginning.
    Arc::make_mut(&mut scene).acceleration_noise = false;
    let prepared = prepared(&scene);
    let mut impacts = truth(&scene, -3.0);
    let body = prepared.objects[0].model.as_ref().unwrap().body;
    let rendered = render(&scene, &prepared, &exact(), &mut |_| true).unwrap().unwrap();
    let sound = ahead(&rendered);
    assert!(impacts.len() > 8 && rendered.stats.hail.sounded == impacts.len() as u64);
    // Impacts after silence: the plate has decayed after 20 ms.
    let times: Vec<f64> = impacts.iter().map(|impact| impact.at_s).collect();
    let alone = |at_s: f64| times.iter().all(|t| *t >= at_s || at_s - t > 0.025);
    impacts.retain(|impact| alone(impact.at_s) && impact.at_s < scene.seconds - 0.01);
    assert!(impacts.len() > 6, "{times:?}");
    for impact in impacts {
        let ice = Striker::sphere(impact.radius_m, ICE);
        let pair = HertzPair::new(&ice, &body).unwrap();
        let contact_s = pair.contact_time_s(impact.normal_speed_m_s());
        let centre = (impact.at_s + 0.5 * contact_s) * RATE_HZ + flight;
        let from = impact.at_s * RATE_HZ + flight;
        let part = &sound[from as usize - 20..from as usize + 480];
        let peak = part.iter().fold(0f64, |peak, y| peak.max(y.abs()));
        let first = part.iter().position(|y| y.abs() > 1e-6 * peak).unwrap();
        let late = (from as usize - 20 + first) as f64 - centre;
        foley_measured::check!("hail.on_sample", late);
    }
}

/// Energies follow 1/E: their logarithms are spread evenly over two decades (Kolmogorov and
/// Smirnov, 1 %), and so impacts differ in loudness by tens of decibels.
#[test]
fn energies_are_spread_over_two_decades() {
    let hail = "per_second = 2000\nfrom_s = -5\ncloud = { position = [0, 0, 12], size = [2, 2] }";
    let stones = stones(&scene(&plate(hail))).0;
    let mut energies: Vec<f64> =
        stones.iter().map(|s| 0.5 * s.mass_kg * s.speed_m_s * s.speed_m_s).collect();
    energies.sort_by(f64::total_cmp);
    let largest_kg = ICE_DENSITY_KG_M3 * 4.0 / 3.0 * std::f64::consts::PI * 0.005f64.powi(3);
    let terminal2 =
        8.0 * 0.005 * GRAVITY_M_S2 * ICE_DENSITY_KG_M3 / (3.0 * 0.6 * AIR_DENSITY_KG_M3);
    let most_j = 0.5 * largest_kg * terminal2;
    let n = energies.len() as f64;
    let far = energies.iter().enumerate().map(|(k, e)| {
        let expected = (100.0 * e / most_j).ln() / 100f64.ln();
        (expected - k as f64 / n).abs().max((expected - (k + 1) as f64 / n).abs())
    });
    let far = far.max_by(f64::total_cmp).unwrap();
    assert!(n > 1000.0, "{n}");
    foley_measured::check!("hail.scene_energies", far * n.sqrt());
}

/// The radii of the stones reach from the smallest to the largest of the scene, in both falls.
#[test]
fn radii_lie_between_the_smallest_and_the_largest() {
    for fall in ["straight", "accelerated"] {
        let hail = format!(
            "per_second = 2000\nfrom_s = -5\nsmallest_m = 0.001\nlargest_m = 0.008\nfall = \"{fall}\"\n\
             cloud = {{ position = [0, 0, 12], size = [2, 2] }}"
        );
        let stones = stones(&scene(&plate(&hail))).0;
        let radii = stones.iter().map(|stone| stone.radius_m);
        let (least, most) = radii.fold((f64::MAX, 0.0f64), |(a, b), r| (a.min(r), b.max(r)));
        assert!(stones.len() > 1000, "{fall}: {}", stones.len());
        assert!((0.000_999..0.001_03).contains(&least), "{fall}: {least}");
        assert!((0.0077..0.008_001).contains(&most), "{fall}: {most}");
    }
}

/// Returns the time of flight from the middle of the plate to the listener, s.
fn flight_s(scene: &Scene) -> f64 {
    let plate_m = DVec3::from(scene.objects[0].pose.position_m);
    plate_m.distance(scene.listener.position_m.into()) / SOUND_SPEED_M_S
}

#[test]
fn harder_impacts_are_louder() {
    let hail = "per_second = 60\nfrom_s = -3\ncloud = { position = [0, 0, 8], size = [2, 2] }";
    let scene = scene(&plate(hail));
    let rendered = render(&scene, &prepared(&scene), &exact(), &mut |_| true).unwrap().unwrap();
    let sound = ahead(&rendered);
    let impacts = truth(&scene, -3.0);
    let flight_s = flight_s(&scene);
    let pairs: Vec<[f64; 2]> = impacts
        .windows(3)
        .filter(|w| w[1].at_s - w[0].at_s > 0.02 && w[2].at_s - w[1].at_s > 0.004)
        .map(|w| {
            let from = ((w[1].at_s + flight_s) * RATE_HZ) as usize;
            let part = &sound[from..(from + 190).min(sound.len())];
            let energy: f64 = part.iter().map(|y| y * y).sum();
            [10.0 * w[1].energy_j.log10(), 10.0 * energy.log10()]
        })
        .collect();
    assert!(pairs.len() > 15, "{}", pairs.len());
    let n = pairs.len() as f64;
    let mean = |k: usize| pairs.iter().map(|p| p[k]).sum::<f64>() / n;
    let product = |i: usize, j: usize| {
        pairs.iter().map(|p| (p[i] - mean(i)) * (p[j] - mean(j))).sum::<f64>() / n
    };
    // Impulse grows with E^{7/8}, and a harder impact of a larger stone is a little duller.
    let slope = product(0, 1) / product(0, 0);
    let correlation = product(0, 1) / (product(0, 0) * product(1, 1)).sqrt();
    assert!(correlation > 0.8 && (1.0..2.2).contains(&slope), "{correlation} {slope}");
    let spread = |k: usize| product(k, k).sqrt();
    assert!(spread(0) > 4.0 && spread(1) > 6.0, "{} {}", spread(0), spread(1));
}

#[test]
fn no_hail_and_hail_elsewhere_are_silent() {
    for hail in [
        "per_second = 0",
        "per_second = 5000\ncloud = { position = [9000, 0, 12], radius = 3 }",
        "per_second = 5000\nfrom_s = 100",
    ] {
        let text = plate(hail).replace("full_scale_pa = 100", "loudness_lufs = -20");
        let scene = scene(&text);
        for settings in [exact(), RenderSettings::default()] {
            let rendered = render(&scene, &prepared(&scene), &settings, &mut |_| true);
            let rendered = rendered.unwrap().unwrap();
            let loud = rendered.sound.samples.iter().filter(|y| **y != 0.0).count();
            foley_measured::check!("hail.silence", loud as f64);
            assert_eq!((rendered.stats.hail.sounded, rendered.stats.refused), (0, 0));
        }
    }
}

#[test]
fn by_default_the_first_stones_strike_at_the_beginning() {
    for fall in ["straight", "accelerated"] {
        let hail = format!(
            "per_second = 5000\nfall = \"{fall}\"\ncloud = {{ position = [0, 0, 12], size = [2, 2] }}"
        );
        let first = stones(&scene(&plate(&hail))).0[0];
        assert!(first.at_s >= 0.0 && first.at_s < 0.05, "{fall}: {first:?}");
    }
}

/// Ten thousand impacts a second, none of which is refused.
#[test]
fn nothing_is_refused_in_a_downpour() {
    let hail =
        "per_second = 10000\nfrom_s = -3\ncloud = { position = [0, 0, 8], size = [0.99, 0.99] }";
    let text = plate(hail).replace("seconds = 4", "seconds = 0.5");
    let scene = scene(&text);
    for settings in [Settings::default(), Settings::default().audible()] {
        let settings = RenderSettings::default().with_engine(settings);
        let rendered = render(&scene, &prepared(&scene), &settings, &mut |_| true);
        let stats = rendered.unwrap().unwrap().stats;
        assert!(stats.hail.impacts.abs_diff(5000) < 200, "{stats:?}");
        assert_eq!(stats.hail.sounded, stats.hail.impacts);
        foley_measured::check!("hail.refused", stats.refused as f64);
    }
}

#[test]
fn moving_objects_are_named() {
    let text = plate("per_second = 10").replace("motion = \"fixed\"", "");
    let prepared = scene(&text).prepare_geometry().unwrap();
    let note = "hail passes through moving objects: \"plate\"; write motion = \"fixed\"";
    assert!(prepared.notes[0].starts_with(note), "{:?}", prepared.notes);
    assert_eq!(stones(&scene(&text)).0.len(), 0);
    assert!(scene(&plate("per_second = 10")).prepare_geometry().unwrap().notes.is_empty());
}

/// The ground has no end: what lies below it is not struck, wherever the cloud is.
#[test]
fn the_ground_shields_far_from_the_origin() {
    for far_m in [0.0, 150.0, 12_000.0, -90_000.0] {
        let cloud = format!(
            "per_second = 500\ncloud = {{ position = [{far_m}, {far_m}, 12], size = [0.9, 0.9] }}"
        );
        let at = format!("position = [{far_m}, {far_m}, -1]");
        let text = plate(&cloud).replace("position = [0, 0, 0.4975]", &at);
        assert!(!stones(&scene(&text)).0.is_empty(), "{far_m} m: no stone strikes the plate");
        let covered = text.replace("seconds = 4", "seconds = 4\nground = \"stone\"");
        assert_eq!(stones(&scene(&covered)).0, [], "{far_m} m: stones pass the ground");
    }
}

/// The contact loses nothing, but the modes take their part.
#[test]
fn elastic_stones_sound() {
    let text = |restitution: f64| {
        let cloud = "cloud = { position = [0, 0, 12], size = [0.9, 0.9] }";
        plate(&format!("per_second = 50\nrestitution = {restitution}\n{cloud}"))
    };
    let [elastic, usual] = [1.0, 0.9].map(|restitution| {
        let scene = scene(&text(restitution));
        assert_eq!(scene.prepare_geometry().unwrap().notes, [""; 0]);
        render(&scene, &prepared(&scene), &RenderSettings::default(), &mut |_| true)
            .unwrap()
            .unwrap()
    });
    assert!(elastic.stats.hail.sounded > 100, "{:?}", elastic.stats);
    let power = |sound: &foley_engine::AudioBuffer| {
        sound.samples.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>()
    };
    let db = 10.0 * (power(&elastic.sound) / power(&usual.sound)).log10();
    assert!(db.abs() < 2.0, "{db} dB");
}

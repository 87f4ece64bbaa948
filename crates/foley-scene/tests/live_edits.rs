//! Edits of a scene while it plays.

use foley_engine::{Settings, Source};
use foley_modal::Material;
use foley_scene::Scene;
use foley_scene::edit::Edit;
use foley_scene::prepare::ModelCache;
use foley_scene::scene::{Hail, Listener, Pose};
use foley_scene::sonify::{ImpactBackend, LiveScene, SceneStream};
use std::sync::Arc;

/// Two bars, struck and scraped by a script.
const SCENE: &str = r#"
    seconds = 3
    full_scale_pa = 20
    [listener]
    position = [0, -1.5, 0]
    [[object]]
    name = "a"
    shape = "bar:300x30x8mm"
    material = "steel"
    motion = "fixed"
    position = [-0.5, 0, 0]
    max_modes = 12
    [[object]]
    name = "b"
    shape = "bar:260x30x8mm"
    material = "aluminium"
    motion = "fixed"
    position = [0.5, 0, 0]
    max_modes = 12
    [[strike]]
    object = "a"
    at_s = 1.25
    [[strike]]
    object = "b"
    at_s = 1.35
    [[scrape]]
    object = "b"
    along = [[-0.05, 0, 0], [0.05, 0, 0]]
    back_and_forth = true
    speed_m_s = 0.2
    force_n = 1
    seconds = 3
"#;

const RATE: usize = 48_000;
/// The time of the edit, s.
const EDIT_S: f64 = 1.0;

fn settings() -> Settings {
    Settings::default().audible().with_full_scale_pa(20.0).with_block(256)
}

fn stream(scene: &Scene) -> SceneStream {
    stream_with(scene, settings())
}

fn stream_with(scene: &Scene, settings: Settings) -> SceneStream {
    let scene = Arc::new(scene.clone());
    let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
    SceneStream::new(&scene, &prepared, settings, &ImpactBackend::default()).unwrap()
}

/// Renders a scene; `edit` changes it at its time.
fn rendered(scene: &Scene, edit: impl FnOnce(&mut LiveScene)) -> Vec<f32> {
    rendered_with(scene, settings(), edit)
}

fn rendered_with(scene: &Scene, settings: Settings, edit: impl FnOnce(&mut LiveScene)) -> Vec<f32> {
    let mut stream = stream_with(scene, settings);
    let mut sound = vec![0.0; 2 * 2 * RATE];
    let (before, after) = sound.split_at_mut(2 * (EDIT_S * RATE as f64) as usize);
    stream.fill(before);
    edit(stream.scene());
    stream.fill(after);
    stream.take_error().unwrap();
    assert!(sound.iter().any(|y| y.abs() > 1e-3));
    sound
}

fn snr_db(truth: &[f32], got: &[f32]) -> f64 {
    let power: f64 = truth.iter().map(|y| f64::from(*y).powi(2)).sum();
    let error: f64 =
        truth.iter().zip(got).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    10.0 * (power / error.max(1e-300)).log10()
}

fn level_db(sound: &[f32]) -> f64 {
    10.0 * sound.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>().log10()
}

fn edits(scene: &Scene) -> Vec<(&'static str, Edit)> {
    let [a, b] = [scene.objects[0].id, scene.objects[1].id];
    let mut third = scene.objects[0].clone();
    third.id = foley_scene::scene::ObjectId::new(2);
    third.name = "c".into();
    third.pose.position_m = [0.2, 0.3, 0.1];
    let id = third.id;
    let mut strike = scene.strikes[0].clone();
    strike.at_s = 1.5;
    let listener = Listener { position_m: [0.4, -1.0, 0.2], ..scene.listener.clone() };
    let pose = Pose { position_m: [-0.2, 0.4, 0.1], ..scene.objects[0].pose };
    vec![
        ("remove", Edit::RemoveObject(a)),
        ("move", Edit::SetPose { object: b, pose }),
        ("gain", Edit::SetGain { object: b, gain_db: -12.0 }),
        (
            "material",
            Edit::SetMaterial { object: a, material: Material::named("glass").unwrap().clone() },
        ),
        ("strike", Edit::add_strike(b, strike.clone())),
        ("no strike", Edit::RemoveStrike(0)),
        ("no scrape", Edit::RemoveScrape(0)),
        ("listener", Edit::SetListener(listener)),
        ("add", Edit::Group(vec![Edit::add_object(third), Edit::add_strike(id, strike)])),
    ]
}

/// Each edit equals, 100 ms later, a scene that began that way.
#[test]
fn an_edited_scene_sounds_like_one_that_began_that_way() {
    let scene = Scene::parse(SCENE).unwrap();
    for (name, edit) in edits(&scene) {
        let mut began = scene.clone();
        began.apply(edit.clone()).unwrap();
        let want = rendered(&began, |_| ());
        let got = rendered(&scene, |live| live.apply(edit, &ModelCache::none()).unwrap());
        let from = 2 * ((EDIT_S + 0.1) * RATE as f64) as usize;
        let db = snr_db(&want[from..], &got[from..]);
        println!("{name}: {db:.1} dB");
        // What a scrape has excited rings on.
        let least = if name == "no scrape" { 30.0 } else { 80.0 };
        assert!(db > least, "{name}: {db} dB");
        let plain = rendered(&scene, |_| ());
        assert!(snr_db(&plain[from..], &got[from..]) < 40.0, "{name} changes something");
    }
}

/// An edit that is undone leaves the scene as it was.
#[test]
fn an_undone_edit_leaves_no_trace() {
    let scene = Scene::parse(SCENE).unwrap();
    let plain = rendered(&scene, |_| ());
    for (name, edit) in edits(&scene) {
        let got = rendered(&scene, |live| {
            live.apply(edit, &ModelCache::none()).unwrap();
            assert_ne!(live.scene(), &scene, "{name}");
            assert!(live.undo(&ModelCache::none()).unwrap());
            assert_eq!(live.scene(), &scene, "{name}");
            assert!(!live.undo(&ModelCache::none()).unwrap());
        });
        let from = 2 * ((EDIT_S + 0.1) * RATE as f64) as usize;
        if name == "no scrape" {
            // The tip begins elsewhere on the rough surface.
            let db = level_db(&got[from..]) - level_db(&plain[from..]);
            assert!(db.abs() < 1.0, "{name}: {db} dB");
            continue;
        }
        let db = snr_db(&plain[from..], &got[from..]);
        assert!(db > 60.0, "{name}: {db} dB");
    }
}

#[test]
fn a_refused_edit_changes_nothing() {
    let scene = Scene::parse(SCENE).unwrap();
    let plain = rendered(&scene, |_| ());
    let got = rendered(&scene, |live| {
        let (a, nowhere) = (scene.objects[0].id, foley_scene::scene::ObjectId::new(77));
        let refused = [
            Edit::RemoveObject(nowhere),
            Edit::SetGain { object: a, gain_db: f64::NAN },
            Edit::RemoveStrike(9),
        ];
        for edit in refused {
            assert!(live.apply(edit, &ModelCache::none()).is_err());
        }
        assert_eq!(live.scene(), &scene);
    });
    assert!(plain == got);
}

/// An edit that fails in the middle leaves the scene, its description and its history as they were.
#[test]
fn an_edit_that_fails_in_the_middle_is_taken_back() {
    let scene = Scene::parse(SCENE).unwrap();
    let [a, b] = [scene.objects[0].id, scene.objects[1].id];
    let new = |name: &str| {
        let mut object = scene.objects[0].clone();
        (object.id, object.name) = (foley_scene::scene::ObjectId::UNASSIGNED, name.into());
        Edit::add_object(object)
    };
    let pose = Pose { position_m: [0.3, 0.4, 0.1], ..scene.objects[1].pose };
    let mut listener = scene.listener.clone();
    listener.position_m[0] += 1.0;
    let glass = Material::named("glass").unwrap().clone();
    // What rang on an object whose material changed is lost.
    let edits = [
        (vec![Edit::SetPose { object: b, pose }], 60.0),
        (vec![Edit::SetMaterial { object: b, material: glass }], 20.0),
        (vec![Edit::SetListener(listener), Edit::RemoveStrike(0)], 60.0),
        (vec![Edit::SetHail(Some(Hail::default()))], 60.0),
    ];
    // The engine has room for two objects: the second new one is refused, after everything else.
    let settings = settings().with_objects(2);
    let plain = rendered_with(&scene, settings.clone(), |_| ());
    for (edits, least_db) in edits {
        let what = format!("{:?}", edits[0]);
        let rest = [Edit::RemoveObject(a), new("c"), new("d")];
        let too_many = Edit::Group(edits.into_iter().chain(rest).collect());
        let got = rendered_with(&scene, settings.clone(), |live| {
            let cache = ModelCache::none();
            live.apply(Edit::SetGain { object: b, gain_db: -3.0 }, &cache).unwrap();
            assert!(live.undo(&cache).unwrap());
            for _ in 0..3 {
                let error = live.apply(too_many.clone(), &cache).unwrap_err();
                assert!(error.to_string().contains("objects"), "{error}");
                assert_eq!(live.scene(), &scene);
                assert!(!live.undo(&cache).unwrap());
            }
            // What was undone before can still be done again.
            assert!(live.redo(&cache).unwrap() && live.undo(&cache).unwrap());
            // There is room for what fits.
            live.apply(Edit::Group(vec![Edit::RemoveObject(a), new("e")]), &cache).unwrap();
            assert!(live.undo(&cache).unwrap());
            assert_eq!(live.scene(), &scene);
        });
        let from = 2 * ((EDIT_S + 0.1) * RATE as f64) as usize;
        let db = snr_db(&plain[from..], &got[from..]);
        println!("{db:.1} dB after {what:.60}");
        assert!(db > least_db, "{db} dB after {what}");
    }
}

/// Returns the resident memory of this process, MB; 0 where it is not known.
fn resident_mb() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or(0.0) * 4096e-6
}

/// A stream is the same whatever number of frames is asked for at a time.
#[test]
fn a_stream_does_not_depend_on_the_hosts_block() {
    let scene = Scene::parse(SCENE).unwrap();
    let rendered = |frames: usize| {
        let mut stream = stream(&scene);
        let mut sound = vec![0.0; 2 * RATE];
        sound.chunks_mut(2 * frames).for_each(|part| stream.fill(part));
        stream.take_error().unwrap();
        sound
    };
    let complete = rendered(RATE);
    for frames in [1, 100, 256, 4_096] {
        assert!(rendered(frames) == complete, "{frames} frames");
    }
}

/// A thousand edits a second for a minute: everything sounds on, nothing is refused, and neither voices
/// nor memory grow.
#[test]
fn a_thousand_edits_a_second_leave_no_gap_and_no_growth() {
    let mut scene = Scene::parse(SCENE).unwrap();
    scene.seconds = 61.0;
    scene.scrapes[0].seconds = Some(61.0);
    let mut stream = stream(&scene);
    let cache = ModelCache::none();
    let (a, b) = (scene.objects[0].id, scene.objects[1].id);
    let mut third = scene.objects[0].clone();
    third.id = foley_scene::scene::ObjectId::UNASSIGNED;
    third.name = "c".into();
    let add = Edit::add_object(third);
    let prepared = foley_scene::sonify::PreparedEdit::new(&scene, &add, &cache, &mut |_| true);
    let prepared = prepared.unwrap();
    let mut part = vec![0.0; 2 * RATE / 100];
    let mut most_voices = 0;
    let mut early_mb = 0.0;
    for round in 0..6_000u32 {
        if round == 1_000 {
            early_mb = resident_mb();
        }
        for k in 0..10 {
            let live = stream.scene();
            let x = f64::from((7 * round + k) % 20) * 0.05;
            let pose = Pose { position_m: [x, 0.2, 0.0], ..scene.objects[0].pose };
            let edit = match k % 4 {
                0 => Edit::SetPose { object: a, pose },
                1 => Edit::SetGain { object: b, gain_db: -x },
                2 => add.clone(),
                _ => Edit::RemoveObject(live.scene().objects[2].id),
            };
            live.apply_prepared(edit, &prepared).unwrap();
        }
        if stream.scene().scene().objects.len() > 2 {
            let id = stream.scene().scene().objects[2].id;
            stream.scene().apply_prepared(Edit::RemoveObject(id), &prepared).unwrap();
        }
        stream.fill(&mut part);
        let report = stream.scene().engine().report();
        most_voices = most_voices.max(report.voices);
        assert_eq!((report.refused, report.bad_blocks), (0, 0));
        let level = part.iter().map(|y| y.abs()).fold(0.0, f32::max);
        assert!(round < 5 || level > 1e-6, "silent in round {round}");
        assert!(level <= 1.0);
    }
    stream.take_error().unwrap();
    assert!(most_voices <= 8, "{most_voices}");
    let grown_mb = resident_mb() - early_mb;
    println!("memory grew by {grown_mb:.1} MB in 50 s");
    assert!(grown_mb < 8.0, "{grown_mb} MB");
}

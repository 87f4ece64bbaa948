//! Edits of a scene while it plays.

use foley_engine::{Settings, Source};
use foley_hail::{ImpactFilter, ImpactStream};
use foley_modal::Material;
use foley_scene::Scene;
use foley_scene::edit::Edit;
use foley_scene::prepare::ModelCache;
use foley_scene::scene::{Hail, Listener, Motion, Pose};
use foley_scene::sonify::{ImpactBackend, LiveScene, SceneStream, SonifyStats};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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
    force_n = 8
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
    stream_on(scene, settings, &ImpactBackend::default())
}

fn stream_on(scene: &Scene, settings: Settings, hail_backend: &ImpactBackend) -> SceneStream {
    let scene = Arc::new(scene.clone());
    let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
    SceneStream::new(&scene, &prepared, settings, hail_backend).unwrap()
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
    // Infinite where nothing differs.
    10.0 * (power / error).log10()
}

/// Returns the number of samples that differ.
fn different(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| a != b).count() as f64
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
        match name {
            // What a scrape has excited rings on.
            "no scrape" => foley_measured::check!("edits.as_begun_scrape", db),
            // Another order of summation.
            "move" | "add" => foley_measured::check!("edits.as_begun_moved", db),
            _ => foley_measured::check!("edits.as_begun", different(&want[from..], &got[from..])),
        }
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
            foley_measured::check!("edits.undone_scrape", db.abs());
            continue;
        }
        foley_measured::check!("edits.undone", snr_db(&plain[from..], &got[from..]));
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
    foley_measured::check!("edits.refused", different(&plain, &got));
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
        (vec![Edit::SetPose { object: b, pose }], false),
        (vec![Edit::SetMaterial { object: b, material: glass }], true),
        (vec![Edit::SetListener(listener), Edit::RemoveStrike(0)], false),
        (vec![Edit::SetHail(Some(Hail::default()))], false),
    ];
    // The engine has room for two objects: the second new one is refused, after the changes of the
    // others; hail, listener and scripted events are not reached.
    let settings = settings().with_objects(2);
    let plain = rendered_with(&scene, settings.clone(), |_| ());
    for (edits, is_material) in edits {
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
        if is_material {
            foley_measured::check!("edits.rolled_back_material", db);
        } else {
            foley_measured::check!("edits.rolled_back", db);
        }
    }
}

/// Steps are taken back in reverse order: a new object that took the place of a removed one goes first.
#[test]
fn a_removed_object_comes_back_after_a_new_one_took_its_place() {
    let scene = Scene::parse(SCENE).unwrap();
    let new = |name: &str| {
        let mut object = scene.objects[0].clone();
        (object.id, object.name) = (foley_scene::scene::ObjectId::UNASSIGNED, name.into());
        Edit::add_object(object)
    };
    let too_many = Edit::Group(vec![Edit::RemoveObject(scene.objects[0].id), new("c"), new("d")]);
    let settings = settings().with_objects(2);
    let plain = rendered_with(&scene, settings.clone(), |_| ());
    let got = rendered_with(&scene, settings, |live| {
        let error = live.apply(too_many, &ModelCache::none()).unwrap_err();
        assert!(error.to_string().contains("objects"), "{error}");
    });
    let db = snr_db(&plain, &got);
    assert!(db > 60.0, "{db} dB");
}

/// Returns a hail backend that refuses one start, counted from zero, and the number of starts so far.
fn backend_that_refuses(refused: usize) -> (ImpactBackend, Arc<AtomicUsize>) {
    let starts = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&starts);
    let backend = ImpactBackend::new(move |simulation| {
        if counter.fetch_add(1, Relaxed) == refused {
            return Err("refused by the test".into());
        }
        let all = ImpactStream::new(Arc::clone(simulation), 0.0)?;
        Ok(Box::new(all.with_filter(ImpactFilter::SoundingOnly)))
    });
    (backend, starts)
}

/// Renders a scene, with an edit that fails at its time; returns the sound, the counts, and the number of
/// starts of hail. `begin` is called half a second before.
fn rendered_on(
    scene: &Scene,
    refused_start: usize,
    begin: impl FnOnce(&mut LiveScene),
    edit: Option<Edit>,
) -> (Vec<f32>, SonifyStats, usize) {
    let (backend, starts) = backend_that_refuses(refused_start);
    let mut stream = stream_on(scene, settings(), &backend);
    let mut sound = vec![0.0; 2 * 2 * RATE];
    let (before, after) = sound.split_at_mut(2 * (EDIT_S * RATE as f64) as usize);
    let (first, second) = before.split_at_mut(before.len() / 2);
    stream.fill(first);
    begin(stream.scene());
    stream.fill(second);
    if let Some(edit) = edit {
        let error = stream.scene().apply(edit, &ModelCache::none()).unwrap_err();
        assert!(error.to_string().contains("refused by the test"), "{error}");
        assert_eq!(stream.scene().scene(), scene);
    }
    stream.fill(after);
    stream.take_error().unwrap();
    assert!(sound.iter().any(|y| y.abs() > 1e-4));
    let stats = stream.scene().stats();
    (sound, stats, starts.load(Relaxed))
}

/// Asserts that a scene without hail does not notice an edit that fails when its hail starts.
fn assert_unnoticed(scene: &Scene, what: &str, edits: Vec<Edit>) {
    let begin = |_: &mut LiveScene| ();
    let (plain, plain_stats, _) = rendered_on(scene, 0, begin, None);
    let hail = Edit::SetHail(Some(Hail::default()));
    let edit = Edit::Group(edits.into_iter().chain([hail]).collect());
    let (got, stats, starts) = rendered_on(scene, 0, begin, Some(edit));
    assert_eq!(starts, 1, "{what}: the hail of the edit starts once");
    assert_eq!(stats, plain_stats, "{what}");
    foley_measured::check!("edits.rolled_back_last", different(&plain, &got));
}

/// Hail is the last step that can fail: if it is refused, the scene sounds as without the edit, bit for bit.
#[test]
fn an_edit_that_fails_at_its_last_step_is_not_heard() {
    let mut scene = Scene::parse(SCENE).unwrap();
    let [a, b] = [scene.objects[0].id, scene.objects[1].id];
    // Within the look-ahead at the time of the edit: emitted already, not heard yet.
    scene.strikes[0].at_s = EDIT_S + 0.04;
    let mut listener = scene.listener.clone();
    listener.position_m[0] += 1.0;
    let mut early = scene.strikes[1].clone();
    early.at_s = EDIT_S + 0.02;
    let mut longer = scene.settings();
    longer.seconds = 9.0;
    let edits = [
        ("gain", Edit::SetGain { object: b, gain_db: -12.0 }),
        ("name", Edit::Rename { object: b, name: "bar".into() }),
        ("listener", Edit::SetListener(listener)),
        ("strike within the look-ahead", Edit::RemoveStrike(0)),
        ("later strike", Edit::RemoveStrike(1)),
        ("new strike", Edit::add_strike(a, early)),
        ("scrape", Edit::RemoveScrape(0)),
        ("duration", Edit::SetSettings(Box::new(longer))),
    ];
    for (what, edit) in edits.clone() {
        assert_unnoticed(&scene, what, vec![edit]);
    }
    let other = edits.into_iter().filter(|(what, _)| *what != "later strike");
    assert_unnoticed(&scene, "all", other.map(|(_, edit)| edit).collect());
}

/// The strikes of an object that a failed edit removed for a moment sound, also those that had been
/// emitted before the edit.
#[test]
fn a_removed_object_that_comes_back_keeps_its_strikes() {
    let mut scene = Scene::parse(SCENE).unwrap();
    let a = scene.objects[0].id;
    scene.strikes[0].at_s = EDIT_S + 0.04;
    let mut twice = scene.strikes[0].clone();
    twice.at_s = EDIT_S + 0.5;
    scene.strikes.push(twice);
    let glass = Material::named("glass").unwrap().clone();
    let (plain, plain_stats, _) = rendered_on(&scene, 0, |_| (), None);
    let changes = [Edit::RemoveObject(a), Edit::SetMaterial { object: a, material: glass }];
    for change in changes {
        let what = format!("{change:?}");
        let edit = Edit::Group(vec![change, Edit::SetHail(Some(Hail::default()))]);
        let (got, stats, _) = rendered_on(&scene, 0, |_| (), Some(edit));
        // The strike in the look-ahead was handled twice; the engine had dropped it once.
        assert_eq!(stats.excitations, plain_stats.excitations + 1, "{what}");
        let db = snr_db(&plain, &got);
        assert!(db > 60.0, "{what}: {db} dB");
    }
}

/// A listener that was moved by hand stays where it is when an edit of the listener fails.
#[test]
fn a_listener_moved_by_hand_stays_there_after_a_failed_edit() {
    let scene = Scene::parse(SCENE).unwrap();
    let mut listener = scene.listener.clone();
    listener.position_m[0] += 1.0;
    let begin = |live: &mut LiveScene| {
        let there = foley_engine::Listener::at([2.0, -3.0, 0.5]).looking_at([0.0; 3]);
        live.move_listener(there).unwrap();
    };
    let (on_path, ..) = rendered_on(&scene, 0, |_| (), None);
    let (plain, ..) = rendered_on(&scene, 0, begin, None);
    assert!(snr_db(&plain, &on_path) < 20.0);
    let hail = Edit::SetHail(Some(Hail::default()));
    let edit = Edit::Group(vec![Edit::SetListener(listener), hail]);
    let (got, ..) = rendered_on(&scene, 0, begin, Some(edit));
    assert!(got == plain, "{} dB", snr_db(&plain, &got));
}

/// A bar on a path, scraped while it moves; a ball that rolls; one that rests, and one in flight, which
/// strikes a plate.
const MOVING: &str = r#"
    seconds = 3
    full_scale_pa = 5
    [listener]
    position = [0, -1.5, 0.5]
    [[object]]
    name = "on a path"
    shape = "bar:300x30x8mm"
    material = "steel"
    motion = [
        { at_s = 0, position = [-2, 0, 1] },
        { at_s = 2, position = [2, 0, 1], rotation = [0, 0, 90] },
    ]
    max_modes = 12
    [[object]]
    name = "plate"
    shape = "plate:2000x600x4mm"
    material = "steel"
    motion = "fixed"
    max_modes = 40
    [[object]]
    name = "rolling"
    shape = "ball:40mm"
    material = "glass"
    position = [-0.8, 0, 0.0221]
    velocity = [0.5, 0, 0]
    [[object]]
    name = "resting"
    shape = "plate:100x100x8mm"
    material = "steel"
    position = [0.7, 0.2, 0.0062]
    max_modes = 12
    [[object]]
    name = "in flight"
    shape = "ball:8mm"
    material = "steel"
    position = [0.5, -0.2, 1]
    velocity = [0, 0, 5]
    [[scrape]]
    object = "on a path"
    along = [[-0.05, 0, 0], [0.05, 0, 0]]
    back_and_forth = true
    speed_m_s = 0.2
    force_n = 1
    seconds = 3
"#;

/// Gains and names do not touch bodies: pose, velocity, contacts and sound go on as without the edit.
#[test]
fn moving_objects_go_on_when_an_edit_of_their_gains_fails() {
    let scene = Scene::parse(MOVING).unwrap();
    let (_, stats, _) = rendered_on(&scene, 0, |_| (), None);
    assert!(stats.impacts > 2 && stats.sustained > 1, "{stats:?}");
    for object in &scene.objects {
        let gain = Edit::SetGain { object: object.id, gain_db: -12.0 };
        let name = Edit::Rename { object: object.id, name: "other".into() };
        assert_unnoticed(&scene, &object.name, vec![gain, name]);
    }
}

/// The pose of an object on a path has no effect while it is on it.
#[test]
fn an_object_on_a_path_stays_on_it() {
    let scene = Scene::parse(MOVING).unwrap();
    let object = scene.objects[0].id;
    let pose = Pose { position_m: [0.0, 3.0, 2.0], ..scene.objects[0].pose };
    let (plain, ..) = rendered_on(&scene, 0, |_| (), None);
    let set = Edit::SetPose { object, pose };
    let got = rendered(&scene, |live| live.apply(set.clone(), &ModelCache::none()).unwrap());
    assert!(got == plain, "{} dB", snr_db(&plain, &got));
    assert_unnoticed(&scene, "pose", vec![set]);
}

/// A body that is added again for a failed edit goes on from where it was.
#[test]
fn bodies_that_come_back_go_on_from_where_they_were() {
    // Falls through the beginning of the path just after the edit: what appears there strikes it.
    let falling = r#"
        [[object]]
        name = "falling"
        shape = "ball:200mm"
        material = "steel"
        position = [-2, 0, 1.385]
        release_s = 0.8
    "#;
    let scene = Scene::parse(&format!("{MOVING}{falling}")).unwrap();
    let (_, plain_stats, _) = rendered_on(&scene, 0, |_| (), None);
    let glass = Material::named("glass").unwrap().clone();
    let (path, flight) = (scene.objects[0].id, scene.objects[4].id);
    let pose = Pose { position_m: [5.0, 5.0, 5.0], ..scene.objects[4].pose };
    let edits = [
        Edit::SetMaterial { object: path, material: glass.clone() },
        Edit::RemoveObject(path),
        Edit::SetMotion { object: path, motion: Motion::Fixed },
        Edit::SetMaterial { object: flight, material: glass },
        Edit::RemoveObject(flight),
        Edit::SetPose { object: flight, pose },
    ];
    for edit in edits {
        let what = format!("{edit:?}");
        let edit = Edit::Group(vec![edit, Edit::SetHail(Some(Hail::default()))]);
        let (_, stats, _) = rendered_on(&scene, 0, |_| (), Some(edit));
        assert_eq!(stats.impacts, plain_stats.impacts, "{what}");
        let lost = stats.lost_j / plain_stats.lost_j;
        assert!((lost - 1.0).abs() < 1e-3, "{what}: {lost}");
    }
}

/// An object that comes back is heard at once from where it is; where it began it would be 4 dB quieter.
#[test]
fn objects_that_come_back_are_heard_from_where_they_are() {
    let text = r#"
        seconds = 3
        full_scale_pa = 1
        [listener]
        position = [0, -1.5, 1]
        [[object]]
        name = "on a path"
        shape = "bar:300x30x8mm"
        material = "steel"
        position = [-2, 0, 2]
        motion = [{ at_s = 0 }, { at_s = 2, position = [2, 0, 2] }]
        max_modes = 12
        [[object]]
        name = "thrown"
        shape = "bar:200x30x8mm"
        material = "steel"
        position = [-2, 5, 1]
        velocity = [2, -5, 4.9]
        max_modes = 12
        [[strike]]
        object = "on a path"
        at_s = 1.04
    "#;
    let mut scene = Scene::parse(text).unwrap();
    for (number, object) in scene.objects.clone().into_iter().enumerate() {
        scene.strikes[0].object = number;
        let (plain, ..) = rendered_on(&scene, 0, |_| (), None);
        let pose = Pose { position_m: [0.0, 9.0, 0.0], ..object.pose };
        let object = object.id;
        let edits = [
            Edit::RemoveObject(object),
            Edit::SetMotion { object, motion: Motion::Fixed },
            Edit::SetPose { object, pose },
        ];
        for edit in edits {
            let what = format!("{edit:?}");
            let edit = Edit::Group(vec![edit, Edit::SetHail(Some(Hail::default()))]);
            let (got, ..) = rendered_on(&scene, 0, |_| (), Some(edit));
            let heard = 2 * (1.04 * RATE as f64) as usize..2 * (1.07 * RATE as f64) as usize;
            let db = level_db(&got[heard.clone()]) - level_db(&plain[heard]);
            println!("{db:.2} dB after {what}");
            // A thrown one is heard from where it will be at the end of the look-ahead.
            foley_measured::check!("edits.come_back", db.abs());
        }
    }
}

/// Hail that falls goes on after an edit that fails; it is not computed again.
#[test]
fn hail_goes_on_after_a_failed_edit() {
    let hail = r#"
        [hail]
        per_second = 400
        cloud = { position = [0, 0, 6], size = [1.2, 0.1] }
    "#;
    let scene = Scene::parse(&format!("{SCENE}{hail}")).unwrap();
    let ([a, b], hail) = ([scene.objects[0].id, scene.objects[1].id], scene.hail.unwrap());
    let (plain, plain_stats, starts) = rendered_on(&scene, 1, |_| (), None);
    assert!(starts == 1 && plain_stats.hail.sounded > 2, "{plain_stats:?}");
    let denser = Edit::SetHail(Some(Hail { per_second: 800.0, ..hail }));
    let edit = Edit::Group(vec![Edit::SetGain { object: b, gain_db: 3.0 }, denser]);
    let (got, stats, starts) = rendered_on(&scene, 1, |_| (), Some(edit));
    assert_eq!((starts, stats), (2, plain_stats));
    assert!(got == plain, "{} dB", snr_db(&plain, &got));

    // An edit that fails before it comes to the hail starts none.
    let (backend, starts) = backend_that_refuses(usize::MAX);
    let mut stream = stream_on(&scene, settings().with_objects(2), &backend);
    let mut third = scene.objects[0].clone();
    (third.id, third.name) = (foley_scene::scene::ObjectId::UNASSIGNED, "c".into());
    let gain = Edit::SetGain { object: a, gain_db: 3.0 };
    let edit = Edit::Group(vec![gain, Edit::add_object(third)]);
    assert!(stream.scene().apply(edit, &ModelCache::none()).is_err());
    assert_eq!(starts.load(Relaxed), 1);
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
        foley_measured::check!("edits.host_block", different(&rendered(frames), &complete));
    }
}

/// A bar on the left, "a", and one on the right, "b"; more of the scene follows.
fn two_bars(more: &str) -> Scene {
    let bar = |name: &str, x: i32| {
        format!(
            "[[object]]\nname = \"{name}\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n\
             motion = \"fixed\"\nposition = [{x}, 0, 0]\n"
        )
    };
    let text = format!("seconds = 2\nfull_scale_pa = 2\n{}{}{more}", bar("a", -3), bar("b", 3));
    Scene::parse(&text).unwrap()
}

const STRIKE_A: &str = "[[strike]]\nat_s = 1\nobject = \"a\"\nwith = \"wooden mallet\"\n";

/// Returns the energies of both ears over two seconds, with edits after `edit_s`.
fn ears(scene: &Scene, edit_s: f64, edit: impl FnOnce(&mut LiveScene)) -> [f64; 2] {
    let mut stream = stream(scene);
    let mut sound = vec![0.0; 2 * 2 * RATE];
    let (before, after) = sound.split_at_mut(2 * (edit_s * RATE as f64) as usize);
    stream.fill(before);
    edit(stream.scene());
    stream.fill(after);
    stream.take_error().unwrap();
    [0, 1].map(|ear| sound.iter().skip(ear).step_by(2).map(|y| f64::from(*y).powi(2)).sum())
}

/// Asserts that the edited scene is as loud in both ears as one that began as its description.
fn assert_as_described(scene: &Scene, edit_s: f64, edits: &dyn Fn(&mut LiveScene)) {
    let mut description = scene.clone();
    let live = ears(scene, edit_s, |scene| {
        edits(scene);
        description = scene.scene().clone();
    });
    let began = ears(&description, edit_s, |_| ());
    assert!(began.iter().sum::<f64>() > 0.0);
    for ear in 0..2 {
        foley_measured::check!("edits.described", (10.0 * (live[ear] / began[ear]).log10()).abs());
    }
}

/// Strikes and scrapes name objects by their order: an edit that changes the order alone redirects them.
#[test]
fn a_strike_stays_on_its_object_when_the_order_changes() {
    let scene = two_bars(STRIKE_A);
    let cache = ModelCache::none();
    let [a, b] = [scene.objects[0].id, scene.objects[1].id];
    let strike = scene.strikes[0].clone();
    assert_as_described(&scene, 0.3, &|live| {
        let edits = vec![
            Edit::SetOrder(vec![b, a]),
            Edit::RemoveStrike(0),
            Edit::add_strike(b, strike.clone()),
        ];
        live.apply(Edit::Group(edits), &cache).unwrap();
    });
    // Removed and added again in one edit: the numbers of the objects are swapped.
    let objects = [scene.objects[0].clone(), scene.objects[1].clone()];
    assert_as_described(&scene, 0.3, &|live| {
        let mut edits = vec![Edit::RemoveObject(a), Edit::RemoveObject(b)];
        for object in &objects {
            let id = foley_scene::scene::ObjectId::UNASSIGNED;
            edits.push(Edit::add_object(foley_scene::scene::Object { id, ..object.clone() }));
        }
        live.apply(Edit::Group(edits), &cache).unwrap();
        let first = live.scene().objects[0].id;
        live.apply(Edit::add_strike(first, strike.clone()), &cache).unwrap();
    });
}

/// A strike that is removed after it was emitted, and comes back before its time, sounds once.
#[test]
fn a_strike_that_is_removed_and_undone_within_the_look_ahead_sounds_once() {
    let scene = two_bars("[[strike]]\nat_s = 0.05\nobject = \"a\"\nwith = \"wooden mallet\"\n");
    let cache = ModelCache::none();
    assert_as_described(&scene, 0.0, &|live| {
        live.apply(Edit::RemoveStrike(0), &cache).unwrap();
        assert!(live.undo(&cache).unwrap());
    });
}

/// An object that is moved before its release falls where it was put.
#[test]
fn an_object_that_is_moved_before_its_release_falls_from_there() {
    let scene = Scene::parse(
        "seconds = 2\nfull_scale_pa = 2\nground = \"concrete\"\n\
         [[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"steel\"\n\
         position = [-3, 0, 0.5]\nrelease_s = 0.6\n",
    )
    .unwrap();
    let cache = ModelCache::none();
    let bar = scene.objects.iter().find(|object| object.name == "bar").unwrap();
    let pose = Pose { position_m: [3.0, 0.0, 0.5], ..bar.pose };
    assert_as_described(&scene, 0.3, &|live| {
        live.apply(Edit::SetPose { object: bar.id, pose }, &cache).unwrap();
    });
}

/// An edit whose modes were computed for another state of the scene is refused as a whole.
#[test]
fn a_stale_prepared_edit_is_refused() {
    let scene = two_bars(STRIKE_A);
    let mut stream = stream(&scene);
    let live = stream.scene();
    let added = foley_scene::scene::Object {
        id: foley_scene::scene::ObjectId::UNASSIGNED,
        name: "c".into(),
        ..scene.objects[0].clone()
    };
    let none = foley_scene::sonify::PreparedEdit::default();
    let error = live.apply_prepared(Edit::add_object(added), &none).unwrap_err().to_string();
    assert!(error.contains("\"c\"") && error.contains("prepare"), "{error}");
    assert_eq!(live.scene().objects.len(), 2);
}

/// The last id that is given leaves room for those that follow.
#[test]
fn undo_works_after_the_largest_id() {
    let mut scene = two_bars("");
    let mut history = foley_scene::edit::EditHistory::default();
    let object = |number: u64, name: &str| foley_scene::scene::Object {
        id: foley_scene::scene::ObjectId::new(number),
        name: name.into(),
        ..scene.objects[0].clone()
    };
    let (large, unassigned) = (object(1 << 52, "large"), object(u64::MAX, "next"));
    assert!(scene.clone().apply(Edit::add_object(object(1 << 53, "too large"))).is_err());
    history.apply(&mut scene, Edit::add_object(large)).unwrap();
    history.apply(&mut scene, Edit::add_object(unassigned)).unwrap();
    let last = scene.objects[3].id;
    history.apply(&mut scene, Edit::RemoveObject(last)).unwrap();
    assert!(history.undo(&mut scene).unwrap().is_some());
    assert_eq!(scene.objects[3].id, last);
}

/// After some of a scene was rendered, a file holds the rest of it.
#[test]
fn a_file_holds_what_is_left_of_a_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut stream = stream(&two_bars(STRIKE_A));
    stream.samples(0.5).unwrap();
    assert_eq!(stream.write(folder.path().join("rest.wav")).unwrap().frames, 72_000);
}

/// Strikes within the look-ahead sound when their object comes back, and when it gets another material.
#[test]
fn strikes_within_the_look_ahead_follow_their_object() {
    let scene = two_bars("[[strike]]\nat_s = 0.35\nobject = \"a\"\nwith = \"wooden mallet\"\n");
    let cache = ModelCache::none();
    let a = scene.objects[0].id;
    assert_as_described(&scene, 0.3, &|live| {
        live.apply(Edit::RemoveObject(a), &cache).unwrap();
        assert!(live.undo(&cache).unwrap());
    });
    let material = Material::named("glass").unwrap().clone();
    assert_as_described(&scene, 0.3, &|live| {
        let material = material.clone();
        live.apply(Edit::SetMaterial { object: a, material }, &cache).unwrap();
    });
}

/// An edit of a scene that was simulated a second ahead is heard at once, and later ones are, too.
#[test]
fn edits_of_a_scene_simulated_ahead_are_heard_soon() {
    let scene = Scene::parse(SCENE).unwrap();
    let [a, b] = [scene.objects[0].id, scene.objects[1].id];
    let quieter = Edit::SetGain { object: b, gain_db: -60.0 };
    let sound = |edits: &[Edit]| {
        let mut stream = stream(&scene);
        stream.scene().set_look_ahead_s(1.0).unwrap();
        let mut sound = vec![0.0; 2 * 2 * RATE];
        let (before, after) = sound.split_at_mut(2 * (EDIT_S * RATE as f64) as usize);
        stream.fill(before);
        for edit in edits {
            stream.scene().apply(edit.clone(), &ModelCache::none()).unwrap();
        }
        stream.fill(after);
        stream.take_error().unwrap();
        assert_eq!((stream.scene().late(), stream.scene().dropped()), (0, 0));
        level_db(&sound[2 * ((EDIT_S + 0.1) * RATE as f64) as usize..])
    };
    let plain_db = sound(&[]);
    let edited_db = sound(&[Edit::RemoveObject(a), quieter]);
    assert!(edited_db < plain_db - 40.0, "{edited_db} dB after {plain_db} dB");
    // A strike that is added when the strikes of the next second are handled already.
    let mut strike = scene.strikes[0].clone();
    strike.at_s = EDIT_S + 0.15;
    let struck_db =
        sound(&[Edit::SetGain { object: a, gain_db: 20.0 }, Edit::add_strike(a, strike)]);
    assert!(struck_db > plain_db + 6.0, "{struck_db} dB after {plain_db} dB");
}

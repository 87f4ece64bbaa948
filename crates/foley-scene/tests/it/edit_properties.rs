//! Properties of random edits: undo, redo, writing, comparison, refusal.

use foley_modal::material::LossTable;
use foley_modal::shape::End;
use foley_modal::{Damping, Material, Shape};
use foley_scene::Scene;
use foley_scene::edit::{Edit, EditHistory};
use foley_scene::scene::{
    Air, BodySource, Hail, Keyframe, Motion, Object, ObjectId, Pose, SurfaceDescription,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::HashSet;

const SCENES: [&str; 3] = [
    "object = []",
    "[[object]]\nshape = \"ball:16mm\"\nmaterial = \"steel\"\n",
    r#"
    ground = "concrete"
    seed = 4
    [[material]]
    name = "m0"
    density = 7900
    [[object]]
    name = "bar"
    shape = "bar:300x30x8mm"
    material = "m0"
    copies = 3
    jitter = { position = [1, 1, 1], turn_deg = 90, size = 0.5, velocity = [400, 0, 0] }
    velocity = [300, 0, 0]
    [[strike]]
    object = "bar 2"
    [[strike]]
    object = "bar 1"
    place = [0.1, 0, 0]
    direction = [1, 2, 3]
    [[scrape]]
    object = "bar 2"
    along = [[-0.1, 0, 0], [0.1, 0, 0]]
    speed_m_s = [[0, 0.1], [1, 0.4]]
    [hail]
    per_second = 10
    [listener]
    path = [{ at_s = 0 }, { at_s = 2, position = [1, 0, 1], look_at = [0, 0, 0.3] }]
    "#,
];

/// Random numbers from which an edit of any scene follows; about one in six is invalid.
#[derive(Debug, Clone, Copy)]
struct Draw {
    kind: u32,
    pick: usize,
    number: f64,
}

fn draw() -> impl Strategy<Value = Draw> {
    (0u32..24, any::<u16>(), -1.0..1.2f64).prop_map(|(kind, pick, number)| Draw {
        kind,
        pick: pick.into(),
        number,
    })
}

/// Numbers above 1 become values that no key accepts.
fn value(x: f64, scale: f64) -> f64 {
    if x > 1.1 {
        f64::NAN
    } else if x > 1.0 {
        1e30
    } else {
        scale * x
    }
}

fn material(draw: &Draw) -> Material {
    let steel = Material::named("steel").unwrap();
    match draw.pick % 4 {
        0 => steel.clone(),
        1 => Material::named("glass").unwrap().clone(),
        n => Material {
            name: format!("m{}", n - 2).into(),
            density: value(draw.number, 500.0).abs() + 1.0,
            damping: match n {
                2 => Damping::Rayleigh { alpha: 1.5, beta: 2.5e-8 },
                _ => {
                    let points = [[20.0, 1.5e-3], [4e3, 2.5e-3]];
                    Damping::LossFactorTable(LossTable::new(&points).unwrap())
                }
            },
            ..steel.clone()
        },
    }
}

fn pose(draw: &Draw) -> Pose {
    let x = draw.number;
    Pose { position_m: [value(x, 10.0), x, 0.1], rotation: [x, 0.3, -0.2, 0.7] }
}

fn object(draw: &Draw) -> Object {
    let length_m = 0.3 + 0.1 * draw.number;
    let rod = || Shape::rod(length_m, 0.014, End::Free).unwrap();
    let shapes =
        ["bar:300x30x8mm", "disc:200x3mm", "membrane:360mm,tension=1800N/m,density=0.26kg/m2"];
    let body = match draw.pick % 6 {
        n @ 0..3 => BodySource::Shape(shapes[n].parse().unwrap()),
        3 => BodySource::Shape(rod()),
        4 => BodySource::Solid("ring:80x8mm".parse().unwrap()),
        _ => BodySource::Builtin("bell"),
    };
    let mut object = Object::new(format!("new {}", draw.pick % 9), body, material(draw));
    object.pose = pose(draw);
    object.size = 1.0 + 0.3 * draw.number;
    object.silent = draw.pick % 2 == 1;
    object.gain_db = 30.0 * draw.number;
    if draw.pick.is_multiple_of(5) {
        object.mass_kg = Some(0.2 + draw.number.abs());
        object.spin_deg_s = [draw.number, 2.0, 3.0];
    }
    if draw.pick.is_multiple_of(3) {
        let (period_m, depth_m) = (0.01, value(draw.number.abs(), 1e-3));
        object.surface = Some(SurfaceDescription::Ribbed { period_m, depth_m });
    }
    object
}

fn edit(scene: &Scene, draw: &Draw) -> Edit {
    let &Draw { kind, pick, number } = draw;
    let id = |pick: usize| match scene.objects.len() {
        0 => ObjectId::new(pick as u64),
        // Sometimes one that does not exist.
        n => scene.objects.get(pick % (n + 1)).map_or(ObjectId::new(999), |object| object.id),
    };
    let target = id(pick);
    match kind {
        0..4 => Edit::AddObject {
            object: Box::new(object(draw)),
            index: (pick % 2 == 0).then_some(pick / 2 % (scene.objects.len() + 2)),
        },
        4 | 5 => Edit::RemoveObject(target),
        6 => Edit::SetObject(Box::new(Object { id: target, ..object(draw) })),
        7 => Edit::Rename { object: target, name: format!("new {}", pick / 7 % 9) },
        8 => Edit::SetPose { object: target, pose: pose(draw) },
        9 => Edit::SetMotion {
            object: target,
            motion: match pick % 3 {
                0 => Motion::Dynamic,
                1 => Motion::Fixed,
                _ => Motion::Path(vec![
                    Keyframe { at_s: 0.5 + number, pose: Pose::default() },
                    Keyframe {
                        at_s: 2.0,
                        pose: Pose { rotation: [0.0, 0.6, 0.0, 0.8], ..pose(draw) },
                    },
                ]),
            },
        },
        10 | 11 => Edit::SetMaterial { object: target, material: material(draw) },
        12 => Edit::SetGain { object: target, gain_db: value(number, 40.0) },
        13 => Edit::RedefineMaterial(material(draw)),
        14 => {
            let mut order: Vec<ObjectId> = scene.objects.iter().map(|object| object.id).collect();
            let middle = pick % (order.len() + 1);
            order.rotate_left(middle);
            order.extend((number > 1.0).then_some(target));
            Edit::SetOrder(order)
        }
        15 | 16 => {
            let mut strike = Scene::parse(SCENES[2]).unwrap().strikes[pick % 2].clone();
            (strike.at_s, strike.speed_m_s) = (value(number.abs(), 5.0), 0.1 + number.abs());
            let index = (pick % 3 == 0).then_some(pick / 3 % (scene.strikes.len() + 2));
            Edit::AddStrike { object: target, strike, index }
        }
        17 => Edit::RemoveStrike(pick % (scene.strikes.len() + 1)),
        18 => {
            let mut scrape = Scene::parse(SCENES[2]).unwrap().scrapes[0].clone();
            (scrape.at_s, scrape.seconds) = (number.abs(), Some(value(number.abs(), 1.0)));
            let index = (pick % 3 == 0).then_some(pick / 3 % (scene.scrapes.len() + 2));
            Edit::AddScrape { object: target, scrape: Box::new(scrape), index }
        }
        19 => Edit::RemoveScrape(pick % (scene.scrapes.len() + 1)),
        20 => {
            let mut listener = scene.listener.clone();
            (listener.position_m, listener.forward) =
                ([value(number, 9.0), 0.0, 1.0], [number, 1.0, 0.0]);
            Edit::SetListener(listener)
        }
        21 => match pick % 3 {
            0 => Edit::SetAir(Air { temperature_c: value(number, 30.0), ..Air::default() }),
            1 => Edit::SetHail(None),
            _ => Edit::SetHail(Some(Hail { wind: [value(number, 9.0), 1.0], ..Hail::default() })),
        },
        22 => {
            let mut settings = scene.settings();
            settings.seconds = value(number.abs(), 5.0) + 0.1;
            settings.seed = pick as u64;
            settings.gravity_m_s2[2] = if pick % 4 == 0 { 0.0 } else { -9.0 + number };
            Edit::SetSettings(Box::new(settings))
        }
        _ => {
            let inner = |kind, shift| edit(scene, &Draw { kind, pick: pick / shift, number });
            let kind = pick as u32 % 23;
            Edit::Group(vec![inner(8, 1), inner(kind, 2), inner(12, 3)])
        }
    }
}

/// The scene with the ids 0, 1, 2, … that a file gives it.
fn renumbered(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.objects.iter_mut().for_each(|object| object.id = ObjectId::UNASSIGNED);
    scene.ids = Scene::default().ids;
    scene.assign_ids();
    scene
}

fn ids(scene: &Scene) -> Vec<ObjectId> {
    scene.objects.iter().map(|object| object.id).collect()
}

fn edited(first: &Scene, draws: &[Draw]) -> Scene {
    let mut scene = first.clone();
    draws.iter().for_each(|draw| drop(scene.apply(edit(&scene, draw))));
    scene
}

/// Every kind of edit is accepted and refused many times, or the properties would show little.
#[test]
fn random_edits_of_every_kind_are_accepted_and_refused() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut counts = [[0; 2]; 24];
    for round in 0..200 {
        let mut scene = Scene::parse(SCENES[round % SCENES.len()]).unwrap();
        for _ in 0..30 {
            let draw = draw().new_tree(&mut runner).unwrap().current();
            let accepted = scene.apply(edit(&scene, &draw)).is_ok();
            counts[draw.kind as usize][usize::from(accepted)] += 1;
        }
    }
    assert!(counts.iter().flatten().all(|count| *count > 5), "{counts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn undo_gives_the_first_scene_redo_the_last_and_refused_edits_change_nothing(
        which in 0..SCENES.len(), draws in prop::collection::vec(draw(), 1..40),
    ) {
        let first = Scene::parse(SCENES[which]).unwrap();
        let (mut scene, mut follower) = (first.clone(), first.clone());
        let mut history = EditHistory::new(100);
        let mut known: HashSet<ObjectId> = ids(&scene).into_iter().collect();
        for draw in &draws {
            let before = scene.clone();
            let edit = edit(&scene, draw);
            match history.apply(&mut scene, edit) {
                Ok(done) => drop(follower.apply(done).unwrap()),
                Err(_) => prop_assert_eq!(&scene, &before),
            }
            prop_assert_eq!(&follower, &scene);
            let found = ids(&scene);
            let unique: HashSet<ObjectId> = found.iter().copied().collect();
            prop_assert_eq!(unique.len(), found.len());
            let old = ids(&before);
            for id in found.into_iter().filter(|id| !old.contains(id)) {
                prop_assert!(known.insert(id), "{id} is used again");
            }
        }
        let last = scene.clone();
        while let Some(done) = history.undo(&mut scene).unwrap() {
            follower.apply(done).unwrap();
        }
        prop_assert_eq!(&scene, &first);
        prop_assert_eq!(&follower, &first);
        while let Some(done) = history.redo(&mut scene).unwrap() {
            follower.apply(done).unwrap();
        }
        prop_assert_eq!(&scene, &last);
        prop_assert_eq!(&follower, &last);
    }

    #[test]
    fn an_edited_scene_written_and_read_is_equal_apart_from_ids(
        which in 0..SCENES.len(), draws in prop::collection::vec(draw(), 1..25),
    ) {
        let scene = edited(&Scene::parse(SCENES[which]).unwrap(), &draws);
        let text = scene.to_toml();
        let read = Scene::parse(&text);
        prop_assert!(read.is_ok(), "{}\n{text}", read.unwrap_err());
        let read = read.unwrap();
        prop_assert_eq!(&read, &renumbered(&scene));
        prop_assert_eq!(scene.differences(&read), []);
    }

    #[test]
    fn the_differences_of_two_scenes_lead_from_one_to_the_other(
        which in 0..SCENES.len(),
        common in prop::collection::vec(draw(), 0..12),
        one in prop::collection::vec(draw(), 0..12),
        two in prop::collection::vec(draw(), 0..12),
    ) {
        let first = edited(&Scene::parse(SCENES[which]).unwrap(), &common);
        let (mut scene, other) = (edited(&first, &one), edited(&first, &two));
        let edits = scene.differences(&other);
        let before = scene.clone();
        let inverse = scene.apply(Edit::Group(edits));
        prop_assert!(inverse.is_ok(), "{}", inverse.unwrap_err());
        prop_assert_eq!(renumbered(&scene), renumbered(&other));
        for object in &scene.objects {
            let old = before.object(&object.name);
            prop_assert!(old.is_none_or(|old| old.id == object.id), "{}", object.name);
        }
        scene.apply(inverse.unwrap()).unwrap();
        prop_assert_eq!(scene, before);
    }
}

//! Edits of a scene, one by one: ids, strikes of removed objects, groups, history, messages, saving.

use foley_modal::material::{LossTable, Thermal};
use foley_modal::{Damping, Material};
use foley_scene::Scene;
use foley_scene::edit::{Edit, EditError, EditHistory};
use foley_scene::scene::{BodySource, Hail, Level, Motion, Object, ObjectId, Pose, SurfacePoint};

const SCENE: &str = r#"
ground = "concrete"
[[material]]
name = "roof steel"
density = 7900
like = "steel"
[[object]]
name = "bar"
shape = "bar:300x30x8mm"
material = "steel"
release_s = 0.5
[[object]]
name = "sheet"
shape = "plate:300x200x2mm"
material = "roof steel"
motion = "fixed"
[[object]]
name = "disc"
shape = "disc:200x3mm"
material = "roof steel"
[[strike]]
object = "disc"
[[strike]]
object = "sheet"
at_s = 1
[[strike]]
object = "bar"
at_s = 2
[[strike]]
object = "sheet"
at_s = 3
[[scrape]]
object = "sheet"
along = [[-0.1, 0, 0], [0.1, 0, 0]]
[[scrape]]
object = "bar"
along = [[-0.1, 0, 0], [0.1, 0, 0]]
[hail]
per_second = 100
"#;

fn scene() -> Scene {
    Scene::parse(SCENE).unwrap()
}

fn id(scene: &Scene, name: &str) -> ObjectId {
    scene.object(name).unwrap().id
}

fn steel() -> Material {
    Material::named("steel").unwrap().clone()
}

fn ball(name: &str) -> Object {
    Object::new(name, BodySource::Solid("ball:16mm".parse().unwrap()), steel())
}

/// The names of the objects of strikes and scrapes.
fn struck(scene: &Scene) -> Vec<&str> {
    let strikes = scene.strikes.iter().map(|strike| strike.object);
    let indices = strikes.chain(scene.scrapes.iter().map(|scrape| scrape.object));
    indices.map(|index| &*scene.objects[index].name).collect()
}

#[test]
fn objects_of_a_file_have_the_ids_0_1_2_and_new_ones_get_ids_that_were_never_used() {
    let mut scene = scene();
    let numbers: Vec<u64> = scene.objects.iter().map(|object| object.id.number()).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    for expected in 4..8 {
        let inverse = scene.apply(Edit::add_object(ball("new"))).unwrap();
        assert_eq!(inverse, Edit::RemoveObject(ObjectId::new(expected)));
        scene.apply(inverse).unwrap();
    }
}

#[test]
fn a_removed_object_takes_its_strikes_and_scrapes_and_undo_brings_all_back_in_place() {
    let (first, mut scene) = (scene(), scene());
    let sheet = id(&scene, "sheet");
    let inverse = scene.apply(Edit::RemoveObject(sheet)).unwrap();
    assert_eq!(struck(&scene), ["disc", "bar", "bar"]);
    assert!(scene.object("sheet").is_none());
    let again = scene.apply(inverse).unwrap();
    assert_eq!(scene, first);
    assert_eq!(id(&scene, "sheet"), sheet);
    scene.apply(again).unwrap();
    assert_eq!(struck(&scene), ["disc", "bar", "bar"]);
}

#[test]
fn an_object_inserted_before_others_leaves_their_strikes_on_them() {
    let (first, mut scene) = (scene(), scene());
    let edit = Edit::AddObject { object: Box::new(ball("ball")), index: Some(1) };
    let inverse = scene.apply(edit).unwrap();
    assert_eq!(scene.objects[1].name, "ball");
    assert_eq!(struck(&scene), struck(&first));
    scene.apply(inverse).unwrap();
    assert_eq!(scene, first);
}

#[test]
fn a_new_order_moves_the_indices_of_strikes() {
    let (first, mut scene) = (scene(), scene());
    let order = [3, 1, 0, 2].map(ObjectId::new);
    let inverse = scene.apply(Edit::SetOrder(order.into())).unwrap();
    assert_eq!(scene.objects.iter().map(|object| object.id).collect::<Vec<_>>(), order);
    assert_eq!(struck(&scene), struck(&first));
    for id in order {
        assert_eq!(scene.objects[scene.index_of(id).unwrap()].id, id);
    }
    scene.apply(inverse).unwrap();
    assert_eq!(scene, first);
    for order in [vec![0, 1, 2], vec![0, 1, 2, 2], vec![0, 1, 2, 9], vec![0, 1, 2, 3, 3]] {
        let order = order.into_iter().map(ObjectId::new).collect();
        let error = scene.apply(Edit::SetOrder(order)).unwrap_err();
        assert!(matches!(error, EditError::Order { count: 4, .. }), "{error}");
    }
    assert_eq!(scene, first);
}

#[test]
fn a_group_is_applied_whole_or_not_at_all() {
    let (first, mut scene) = (scene(), scene());
    let bar = id(&scene, "bar");
    let good = [
        Edit::RemoveObject(id(&scene, "sheet")),
        Edit::add_object(ball("sheet")),
        Edit::SetGain { object: bar, gain_db: 6.0 },
    ];
    let bad = Edit::Rename { object: bar, name: "disc".into() };
    let refused = scene.apply(Edit::Group(good.iter().cloned().chain([bad]).collect()));
    assert!(refused.is_err());
    assert_eq!(scene, first);
    let inverse = scene.apply(Edit::Group(good.into())).unwrap();
    assert_eq!(scene.object("sheet").unwrap().body, ball("").body);
    scene.apply(inverse).unwrap();
    assert_eq!(scene, first);
}

#[test]
fn refused_edits_name_object_value_and_remedy_and_change_nothing() {
    let (first, mut scene) = (scene(), scene());
    let [bar, disc, ground] = ["bar", "disc", "ground"].map(|name| id(&scene, name));
    let far = Pose { position_m: [0.0, 1e6, 0.0], ..Pose::default() };
    let lost = Pose { position_m: [f64::NAN, 0.0, 0.0], ..Pose::default() };
    let flat = Pose { rotation: [0.0; 4], ..Pose::default() };
    let heavy = Material { density: 9e9, name: "lead 2".into(), ..steel() };
    let other = Material { density: 8000.0, name: "roof steel".into(), ..steel() };
    let (mut massless, mut fast) = (ball("massless"), ball("fast"));
    massless.mass_kg = Some(0.0);
    fast.velocity_m_s[2] = -1e3;
    let thick = Object { thickness_m: Some(0.01), ..ball("thick") };
    let path = BodySource::Mesh { file: "none.obj".into(), node: None, units: None };
    let missing = Object::new("missing", path, steel());
    let mut strike = scene.strikes[0].clone();
    strike.speed_m_s = f64::INFINITY;
    let mut scrape = scene.scrapes[0].clone();
    scrape.along.truncate(1);
    let mut listener = scene.listener.clone();
    listener.up = listener.forward;
    let mut upwards = scene.settings();
    upwards.gravity_m_s2 = [0.0, 0.0, 1.0];
    let mut quiet = scene.settings();
    quiet.level = Level::Loudness(-200.0);
    let set = |object, material| Edit::SetMaterial { object, material };
    let cases = [
        (
            Edit::SetPose { object: disc, pose: far },
            "\"disc\": `position` is 1e6; it must be from -1",
        ),
        (Edit::SetPose { object: disc, pose: lost }, "`position` is NaN; it must be from"),
        (Edit::SetPose { object: disc, pose: flat }, "length 0; write angles"),
        (Edit::SetPose { object: ObjectId::new(77), pose: far }, "no object with the id 77"),
        (Edit::SetPose { object: ObjectId::UNASSIGNED, pose: far }, "no object with the id (un"),
        (Edit::SetGain { object: disc, gain_db: -61.0 }, "\"disc\": `gain_db` is -61; it must be"),
        (Edit::SetMotion { object: ground, motion: Motion::Dynamic }, "the ground cannot move"),
        (Edit::SetMotion { object: bar, motion: Motion::Fixed }, "\"bar\": `release_s`: is for dy"),
        (Edit::SetMotion { object: bar, motion: Motion::Path(vec![]) }, "a path needs a keyframe"),
        (set(disc, heavy), "material \"lead 2\": `density` is 9e9; it must be from"),
        (set(disc, other.clone()), "\"disc\": `material`: object \"sheet\" has a `roof steel` of"),
        (set(disc, Material { density: 1.0, ..steel() }), "with other values; choose another name"),
        (Edit::RedefineMaterial(steel()), "which cannot change; choose another name"),
        (Edit::RedefineMaterial(Material { name: "x".into(), ..other }), "no object has the mater"),
        (Edit::Rename { object: bar, name: "disc".into() }, "another object has the name \"disc\""),
        (Edit::Rename { object: bar, name: " ".into() }, "`name`: is empty"),
        (Edit::add_object(ball("bar")), "another object has the name \"bar\"; choose"),
        (Edit::add_object(Object { id: bar, ..ball("b") }), "with the id 1: it is in use"),
        (Edit::add_object(massless), "\"massless\": `mass_kg` is 0; it must be from"),
        (Edit::add_object(fast), "\"fast\": `velocity` is -1000; it must be from -400 to 400"),
        (Edit::add_object(thick), "\"thick\": `thickness_m`: is for meshes"),
        (Edit::add_object(missing), "\"missing\": `mesh`: there is no file none.obj"),
        (Edit::SetObject(Box::new(ball("new"))), "no object with the id (unassigned)"),
        (Edit::add_strike(bar, strike), "strike: `speed_m_s` is inf; it must be from 0 to 1000"),
        (Edit::add_strike(ObjectId::new(9), scene.strikes[0].clone()), "no object with the id 9"),
        (Edit::add_scrape(bar, scrape), "scrape: `along`: needs two or more different points"),
        (Edit::RemoveStrike(4), "no strike number 4: the scene has 4, counted from 0"),
        (Edit::RemoveScrape(2), "no scrape number 2: the scene has 2"),
        (Edit::SetListener(listener), "listener: `up`: is parallel to the viewing direction"),
        (
            Edit::SetHail(Some(Hail { largest_m: 5.0, ..Hail::default() })),
            "hail: `largest_m` is 5;",
        ),
        (Edit::SetSettings(upwards.into()), "`hail`: needs gravity that points down"),
        (Edit::SetSettings(quiet.into()), "`loudness_lufs` is -200; it must be from -60 to -6"),
    ];
    for (edit, message) in cases {
        let error = scene.apply(edit.clone()).expect_err(message).to_string();
        assert!(error.contains(message), "{error}\n{message}");
        assert_eq!(scene, first, "{edit:?}");
        assert_eq!(scene.ids_of_objects(), first.ids_of_objects());
    }
}

trait Ids {
    fn ids_of_objects(&self) -> Vec<ObjectId>;
}

impl Ids for Scene {
    fn ids_of_objects(&self) -> Vec<ObjectId> {
        self.objects.iter().map(|object| object.id).collect()
    }
}

#[test]
fn values_are_stored_as_a_file_would_hold_them() {
    let mut scene = scene();
    let disc = id(&scene, "disc");
    let rotation = [0.0, 0.0, 3.0, 4.0];
    let pose = Pose { rotation, ..Pose::default() };
    scene.apply(Edit::SetPose { object: disc, pose }).unwrap();
    scene.apply(Edit::Rename { object: disc, name: " lid ".into() }).unwrap();
    let material = Material { name: "my tin".into(), source: "a book".into(), ..steel() };
    scene.apply(Edit::SetMaterial { object: disc, material }).unwrap();
    let mut strike = scene.strikes[0].clone();
    let (at, direction) = ([0.1, 0.0, 0.0], [0.0, 0.0, -2.0]);
    strike.place = Some(SurfacePoint::Along { at, direction });
    scene.apply(Edit::add_strike(disc, strike)).unwrap();
    let lid = scene.object("lid").unwrap();
    assert_eq!(lid.pose.rotation, [0.0, 0.0, 0.6, 0.8]);
    assert_eq!(lid.material.source, "the scene");
    let strike = scene.strikes.last().unwrap();
    assert_eq!(
        (&strike.place, strike.direction),
        (&Some(SurfacePoint::At(at)), Some([0.0, 0.0, -1.0]))
    );
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
}

/// A loss factor over frequency and thermal constants survive a file; what is left out is that of `like`.
#[test]
fn loss_factor_tables_and_thermal_constants_are_read_and_written() {
    let text = "[[object]]\nname = \"bar\"\nshape = \"bar:300x30x8mm\"\nmaterial = \"my alloy\"\n\
        [[material]]\nname = \"my alloy\"\nlike = \"brass\"\nthermal_conductivity = 90\n\
        loss_factor = [[100, 0.001], [5e3, 2e-3]]\n";
    let scene = Scene::parse(text).unwrap();
    let material = &scene.object("bar").unwrap().material;
    let table = LossTable::new(&[[100.0, 1e-3], [5000.0, 2e-3]]).unwrap();
    assert_eq!(material.damping, Damping::LossFactorTable(table));
    let brass = Material::named("brass").unwrap().thermal.unwrap();
    assert_eq!(material.thermal, Some(Thermal { conductivity_w_m_k: 90.0, ..brass }));
    let written = scene.to_toml();
    assert!(written.contains("loss_factor = [[100.0, 0.001], [5000.0, 0.002]]"), "{written}");
    assert_eq!(Scene::parse(&written).unwrap(), scene);
}

#[test]
fn a_material_is_redefined_for_all_objects_that_have_it() {
    let (first, mut scene) = (scene(), scene());
    let light = Material { density: 100.0, ..scene.object("disc").unwrap().material.clone() };
    let inverse = scene.apply(Edit::RedefineMaterial(light)).unwrap();
    let density = |name| scene.object(name).unwrap().material.density;
    assert_eq!((density("disc"), density("sheet")), (100.0, 100.0));
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    scene.apply(inverse).unwrap();
    assert_eq!(scene, first);
}

#[test]
fn the_history_is_bounded_and_a_new_edit_ends_redo() {
    let mut scene = scene();
    let bar = id(&scene, "bar");
    let mut history = EditHistory::new(3);
    assert_eq!(history.undo(&mut scene).unwrap(), None);
    for gain_db in [1.0, 2.0, 3.0, 4.0, 5.0] {
        history.apply(&mut scene, Edit::SetGain { object: bar, gain_db }).unwrap();
    }
    while history.undo(&mut scene).unwrap().is_some() {}
    assert_eq!(scene.object("bar").unwrap().gain_db, 2.0);
    let redone = history.redo(&mut scene).unwrap();
    assert_eq!(redone, Some(Edit::SetGain { object: bar, gain_db: 3.0 }));
    assert!(history.can_undo() && history.can_redo());
    history.apply(&mut scene, Edit::SetGain { object: bar, gain_db: 9.0 }).unwrap();
    assert!(!history.can_redo());
    assert_eq!(history.redo(&mut scene).unwrap(), None);
    history.clear();
    assert!(!history.can_undo());
}

#[test]
fn a_drag_is_undone_as_one_edit_and_keeps_one_inverse() {
    let (first, mut scene) = (scene(), scene());
    let bar = id(&scene, "bar");
    let mut history = EditHistory::default();
    history.begin_group();
    for x in 0..100 {
        let pose = Pose { position_m: [f64::from(x), 0.0, 0.0], ..Pose::default() };
        history.apply(&mut scene, Edit::SetPose { object: bar, pose }).unwrap();
    }
    assert!(history.can_undo());
    history.end_group();
    let pose = first.object("bar").unwrap().pose;
    assert_eq!(history.undo(&mut scene).unwrap(), Some(Edit::SetPose { object: bar, pose }));
    assert_eq!(scene, first);
    history.redo(&mut scene).unwrap();
    assert_eq!(scene.object("bar").unwrap().pose.position_m[0], 99.0);
    history.undo(&mut scene).unwrap();
    let disc = id(&scene, "disc");
    history.begin_group();
    for x in 1..100 {
        let pose = Pose { position_m: [f64::from(x), 0.0, 0.0], ..Pose::default() };
        let edits = [bar, disc].map(|object| Edit::SetPose { object, pose });
        history.apply(&mut scene, Edit::Group(edits.into())).unwrap();
    }
    let Some(Edit::Group(undone)) = history.undo(&mut scene).unwrap() else { panic!("no group") };
    assert_eq!(undone.len(), 2);
    assert_eq!(scene, first);
    history.begin_group();
    let sheet = id(&scene, "sheet");
    history.apply(&mut scene, Edit::RemoveObject(sheet)).unwrap();
    history.apply(&mut scene, Edit::add_object(ball("sheet"))).unwrap();
    history.undo(&mut scene).unwrap();
    assert_eq!(scene, first);
}

#[test]
fn an_edit_is_carried_out_with_the_id_that_the_object_got() {
    let mut scene = scene();
    let mut history = EditHistory::default();
    let done = history.apply(&mut scene, Edit::add_object(ball("ball"))).unwrap();
    let Edit::AddObject { object, index: Some(4) } = done else { panic!("{done:?}") };
    assert_eq!(*object, *scene.object("ball").unwrap());
}

#[test]
fn an_edited_scene_is_saved_and_read_again_also_without_objects() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, SCENE).unwrap();
    let mut scene = Scene::load(&path).unwrap();
    scene.apply(Edit::RemoveObject(ObjectId::new(3))).unwrap();
    scene.apply(Edit::SetGain { object: ObjectId::new(1), gain_db: -3.0 }).unwrap();
    scene.save(&path).unwrap();
    assert_eq!(Scene::load(&path).unwrap(), scene);
    for id in [0, 1, 2].map(ObjectId::new) {
        scene.apply(Edit::RemoveObject(id)).unwrap();
    }
    scene.save(&path).unwrap();
    assert_eq!(Scene::load(&path).unwrap(), scene);
    let error = Scene::parse("seconds = 1").unwrap_err().to_string();
    assert!(error.contains("the scene has no objects"), "{error}");
    let nowhere = scene.save(folder.path().join("no/scene.toml")).unwrap_err().to_string();
    assert!(nowhere.contains("there is no folder"), "{nowhere}");
}

#[test]
fn a_scene_that_could_not_be_read_again_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = scene();
    let strike = scene.strikes[0].clone();
    scene.strikes = vec![strike.clone(); 90_000];
    let error = scene.save(folder.path().join("a.toml")).unwrap_err().to_string();
    assert!(error.contains("more than 8388608 are never read"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    scene.strikes = vec![strike.clone(); 100_000];
    let error = scene.apply(Edit::add_strike(ObjectId::new(1), strike)).unwrap_err().to_string();
    assert!(error.contains("a scene has at most 100000; remove some"), "{error}");
}

/// A scene that is saved into another folder still finds its files.
#[test]
fn a_scene_saved_elsewhere_finds_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from here", "to/there"].map(|name| folder.path().join(name));
    [&from, &to].iter().for_each(|folder| std::fs::create_dir_all(folder).unwrap());
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(from.join("block.obj"), tetrahedron).unwrap();
    let text = "[[object]]\nname = \"block\"\nmesh = \"block.obj\"\nmaterial = \"steel\"\n";
    std::fs::write(from.join("scene.toml"), text).unwrap();
    let scene = Scene::load(from.join("scene.toml")).unwrap();
    scene.save(to.join("scene.toml")).unwrap();
    let moved = Scene::load(to.join("scene.toml")).unwrap();
    let BodySource::Mesh { file, .. } = &moved.objects[0].body else { panic!("not a mesh") };
    assert_eq!(std::fs::read_to_string(moved.folder.join(file)).unwrap(), tetrahedron);
    moved.save(from.join("again.toml")).unwrap();
    assert!(Scene::load(from.join("again.toml")).is_ok());
}

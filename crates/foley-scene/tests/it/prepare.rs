//! Masses, colliders and models against closed forms.

use foley_geometry::mesh::{self, Density, Mesh};
use foley_geometry::{Collider, MassProperties};
use foley_modal::shape::Solid;
use foley_scene::Scene;
use foley_scene::prepare::{ModelCache, PrepareError};
use std::f64::consts::PI;
use std::sync::Arc;

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found} is not {expected}");
}

fn scene(text: &str) -> Scene {
    Scene::parse(text).unwrap()
}

fn moved(mut mesh: Mesh, by: [f64; 3]) -> Mesh {
    mesh.vertices.iter_mut().for_each(|p| *p = [p[0] + by[0], p[1] + by[1], p[2] + by[2]]);
    mesh
}

/// Sums over meshes against the formulas of the solids, far from the origin too.
#[test]
fn meshes_have_the_mass_and_inertia_of_their_solids() {
    let rho = 1000.0;
    let cases: [(Solid, f64, [f64; 3]); 4] = [
        // 4/3 π r³, 2/5 m r².
        (Solid::Ball { diameter_m: 0.2 }, 4.0 / 3.0 * PI * 1.0, [0.4 * 0.01; 3]),
        // abc, m/12 (b² + c²).
        (Solid::Box { sides_m: [0.1, 0.2, 0.3] }, 6.0, [0.13 / 12.0, 0.10 / 12.0, 0.05 / 12.0]),
        // π r² l, m (3r² + l²)/12 and m r²/2.
        (
            Solid::Cylinder { length_m: 0.3, diameter_m: 0.2 },
            PI * 3.0,
            [0.12 / 12.0, 0.12 / 12.0, 0.005],
        ),
        // 2π² R r², m (4R² + 5r²)/8 and m (4R² + 3r²)/4.
        (
            Solid::Ring { diameter_m: 0.4, wire_m: 0.1 },
            2.0 * PI * PI * 0.5,
            [0.1725 / 8.0, 0.1725 / 8.0, 0.1675 / 4.0],
        ),
    ];
    for (solid, kg, per_kg) in cases {
        let by = [100.0, -50.0, 7.0];
        let mass = MassProperties::of_solid(&moved(solid.mesh(), by), rho);
        near(mass.mass_kg, kg, 3e-3);
        for i in 0..3 {
            assert!((mass.centre_m[i] - by[i]).abs() < 2e-5, "{solid}: {:?}", mass.centre_m);
            near(mass.inertia_kg_m2[i][i], kg * per_kg[i], 0.02);
            for j in (0..3).filter(|j| *j != i) {
                assert!(mass.inertia_kg_m2[i][j].abs() < 1e-3 * kg * per_kg[i], "{solid}");
            }
        }
        // A shape in a scene has the exact values.
        let text = format!(
            "[[object]]\nshape = \"{solid}\"\nmaterial = \"x\"\n[[material]]\nname = \"x\"\ndensity = 1000"
        );
        let object = &scene(&text).prepare_geometry().unwrap().objects[0];
        near(object.mass.mass_kg, kg, 1e-12);
        (0..3).for_each(|i| near(object.mass.inertia_kg_m2[i][i], kg * per_kg[i], 1e-12));
    }
}

/// A rectangular sheet has m b²/12 and m a²/12 about its sides and their sum about its normal.
#[test]
fn sheets_have_the_mass_of_their_area() {
    let plate = mesh::builtin("plate", Density::Coarse).unwrap();
    let mass = MassProperties::of_sheet(&plate.vertices, &plate.triangles, 10.0);
    near(mass.mass_kg, 0.6, 1e-9);
    near(mass.inertia_kg_m2[0][0], 0.6 * 0.04 / 12.0, 1e-9);
    near(mass.inertia_kg_m2[1][1], 0.6 * 0.09 / 12.0, 1e-9);
    near(mass.inertia_kg_m2[2][2], 0.6 * 0.13 / 12.0, 1e-9);
}

#[test]
fn shapes_have_the_mass_of_their_volume() {
    for (shape, kg) in [
        ("bar:300x30x8mm", 7850.0 * 0.3 * 0.03 * 0.008),
        ("rod:300x12mm", 7850.0 * 0.3 * PI * 0.006 * 0.006),
        ("plate:300x200x2mm", 7850.0 * 0.3 * 0.2 * 0.002),
        ("disc:200x2mm", 7850.0 * PI * 0.01 * 0.002),
        ("string:650x1mm,tension=70N", 7850.0 * 0.65 * PI * 0.25e-6),
        ("membrane:350mm,tension=2000N/m,density=0.26kg/m2", 0.26 * PI * 0.175 * 0.175),
    ] {
        let text = format!("[[object]]\nshape = \"{shape}\"\nmaterial = \"steel\"\n");
        let object = &scene(&text).prepare_geometry().unwrap().objects[0];
        near(object.mass.mass_kg, kg, 1e-12);
        // Twice the size: 8 times the mass, 32 times the inertia.
        let large = &scene(&format!("{text}size = 2")).prepare_geometry().unwrap().objects[0];
        near(large.mass.mass_kg, 8.0 * kg, 1e-12);
        near(large.mass.inertia_kg_m2[1][1], 32.0 * object.mass.inertia_kg_m2[1][1], 1e-12);
        let heavy = &scene(&format!("{text}mass_kg = 3")).prepare_geometry().unwrap().objects[0];
        assert_eq!((heavy.mass.mass_kg, heavy.contact_body.mass_kg), (3.0, 3.0));
        near(heavy.mass.inertia_kg_m2[1][1], 3.0 / kg * object.mass.inertia_kg_m2[1][1], 1e-12);
    }
}

/// Baked shells and solids have the mass of the prepared object.
#[test]
fn baked_models_agree_on_the_mass() {
    for keys in [
        "mesh = \"bowl\"\nmaterial = \"glass\"",
        "mesh = \"bowl-closed\"\nmaterial = \"glass\"",
        "mesh = \"marimba-bar\"\nmaterial = \"wood\"",
        "shape = \"cylinder:300x60mm\"\nmaterial = \"wood\"",
        "mesh = \"bowl\"\nthickness_m = 0.006\nmaterial = \"glass\"\nscale = [1, 1, 2]",
    ] {
        let scene = scene(&format!("[[object]]\n{keys}\nmax_modes = 4"));
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let object = &prepared.objects[0];
        let model = object.model.as_ref().unwrap();
        near(model.body.mass_kg, object.mass.mass_kg, 0.02);
    }
}

#[test]
fn colliders_fit_their_shapes() {
    let collider = |object: &str| {
        let text = format!("[[object]]\nmaterial = \"steel\"\n{object}");
        scene(&text).prepare_geometry().unwrap().objects[0].collider.as_deref().cloned()
    };
    let bar = collider("shape = \"bar:300x30x8mm\"");
    assert_eq!(bar, Some(Collider::Box { half_m: [0.15, 0.015, 0.004] }));
    let Some(Collider::Compound { parts: rod }) = collider("shape = \"rod:300x12mm\"") else {
        panic!()
    };
    assert_eq!(rod[0].collider, Collider::Cylinder { half_length_m: 0.15, radius_m: 0.006 });
    let end = rod[0].pose.apply([0.0, 0.0, 0.15]);
    assert!((end[0] - 0.15).abs() < 1e-12 && end[2].abs() < 1e-12, "{end:?}");
    assert_eq!(collider("shape = \"ball:16mm\""), Some(Collider::ball(0.008)));
    let disc = collider("shape = \"disc:200x2mm\"");
    assert_eq!(disc, Some(Collider::Cylinder { half_length_m: 0.001, radius_m: 0.1 }));
    let ring = collider("shape = \"ring:80x8mm\"");
    assert_eq!(ring, Some(Collider::Ring { radius_m: 0.04, tube_m: 0.004 }));
    // The built-in mesh `ring` has the capsules of a ring, which lie on the circle.
    for ring in [ring.unwrap(), collider("mesh = \"ring\"").unwrap()] {
        let capsules = ring.simple_parts();
        assert!((12..=48).contains(&capsules.len()));
        for (capsule, pose) in capsules {
            let Collider::Capsule { half_length_m, radius_m } = *capsule else { panic!() };
            assert_eq!(radius_m, 0.004);
            for z in [-half_length_m, 0.0, half_length_m] {
                let [x, y, z] = pose.apply([0.0, 0.0, z]);
                assert!((x.hypot(y) - 0.04).abs() < 2.1e-4 && z.abs() < 1e-12, "{x} {y} {z}");
            }
        }
    }
    let Some(Collider::Hull { points_m }) = collider("mesh = \"bell\"") else { panic!() };
    let top = points_m.iter().map(|p| p[2]).fold(0.0, f64::max);
    assert!(points_m.len() <= 200 && points_m.len() > 50);
    let bell = mesh::builtin("bell", Density::Coarse).unwrap();
    assert_eq!(top, bell.vertices.iter().map(|p| p[2]).fold(0.0, f64::max));
    let fixed = collider("mesh = \"bell\"\nmotion = \"fixed\"");
    assert!(matches!(fixed, Some(Collider::Mesh { .. })));
    let plate = collider("mesh = \"plate\"").unwrap();
    assert!(matches!(*plate.simple_parts()[0].0, Collider::Box { .. }));
    assert_eq!(collider("mesh = \"bell\"\ncollider = \"none\""), None);
    let ball = collider("shape = \"box:2x2x2cm\"\ncollider = \"ball\"").unwrap();
    let Collider::Ball { radius_m } = *ball.simple_parts()[0].0 else { panic!() };
    near(radius_m, 0.01 * 3f64.sqrt(), 1e-9);
}

#[test]
fn instances_share_one_model_and_sizes_scale_it() {
    let text = r#"
        [[object]]
        name = "ring"
        shape = "ring:80x8mm"
        material = "steel"
        copies = 5
        step = [0.1, 0, 0]
        max_hz = 8000
    "#;
    let mut solved = Vec::new();
    let same = scene(text);
    let prepared = same
        .prepare(&ModelCache::none(), &mut |step| {
            solved.push((step.done, step.of));
            true
        })
        .unwrap();
    assert!(solved.iter().all(|step| *step == (0, 1)));
    let model = |i: usize| prepared.objects[i].model.clone().unwrap();
    assert!(Arc::ptr_eq(&model(0), &model(4)));

    let sizes = scene(&format!("{text}jitter = {{ size = 0.2 }}"));
    let prepared = sizes.prepare(&ModelCache::none(), &mut |_| true).unwrap();
    let first_hz = |i: usize| prepared.objects[i].model.as_ref().unwrap().frequencies_hz[0];
    for i in 1..5 {
        let [a, b] = [0, i].map(|i| sizes.objects[i].size);
        assert!(a != b && (0.8..=1.2).contains(&b));
        near(first_hz(i) / first_hz(0), a / b, 1e-4);
        let [a, b] = [0, i].map(|i| (sizes.objects[i].size, prepared.objects[i].mass.mass_kg));
        near(b.1 / a.1, (b.0 / a.0).powi(3), 1e-9);
    }
    // The seed decides the sizes.
    assert_eq!(scene(&format!("{text}jitter = {{ size = 0.2 }}")), sizes);
    assert_ne!(scene(&format!("seed = 2\n{text}jitter = {{ size = 0.2 }}")).objects, sizes.objects);
}

#[test]
fn solved_models_are_cached() {
    let folder = tempfile::tempdir().unwrap();
    let cache = ModelCache::at(folder.path().join("foley"));
    let scene = scene(
        "[[object]]\nmesh = \"bowl\"\nmaterial = \"glass\"\nmax_modes = 5\n[[object]]\nshape = \"box:16x16x16mm\"\nmaterial = \"glass\"",
    );
    let prepare = || {
        let mut stages = 0;
        let prepared = scene.prepare(&cache, &mut |_| {
            stages += 1;
            true
        });
        (prepared.unwrap(), stages)
    };
    let (first, solved) = prepare();
    let (again, solved_again) = prepare();
    assert!(solved > 0 && solved_again == 0, "{solved} {solved_again}");
    assert_eq!(first.objects[0].model, again.objects[0].model);
    // The modes of a small box are inaudible, which is cached, too.
    assert!(first.objects[1].model.is_none());
    assert_eq!(first.notes, again.notes);
    assert!(
        first.notes[0].contains("\"bowl 1\": limited to the lowest 5 modes"),
        "{:?}",
        first.notes
    );
    assert!(first.notes[1].contains("\"box 1\" makes no sound of its own"), "{:?}", first.notes);
    for entry in std::fs::read_dir(folder.path().join("foley")).unwrap() {
        std::fs::write(entry.unwrap().path(), b"FOLEYMOD?").unwrap();
    }
    assert_eq!(prepare().0.objects[0].model, first.objects[0].model);
}

#[test]
fn small_balls_are_silent_without_a_solve_and_large_ones_ring() {
    let ball = |diameter: &str| {
        let scene = scene(&format!(
            "[[object]]\nshape = \"ball:{diameter}\"\nmaterial = \"glass\"\nmax_modes = 3"
        ));
        let mut is_solved = false;
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| {
            is_solved = true;
            true
        });
        (prepared.unwrap().objects[0].model.clone(), is_solved)
    };
    assert_eq!(ball("16mm"), (None, false));
    // Lamb 1882: the lowest mode of a ball of radius a is torsional, at 2.501 c_t / 2πa.
    let c_t = (6.2e10 / (2.0 * 1.2 * 2600.0_f64)).sqrt();
    let lowest = ball("1m").0.unwrap().frequencies_hz[0];
    near(lowest, 2.501 * c_t / PI, 0.02);
}

#[test]
fn errors_name_the_object() {
    let error = |text: &str| match scene(text).prepare(&ModelCache::none(), &mut |_| true) {
        Err(PrepareError::Object { object, source }) => format!("{object}: {source}"),
        other => panic!("{other:?}"),
    };
    let text = "[[object]]\nname = \"dust\"\nshape = \"ball:2um\"\nmaterial = \"steel\""
        .replace("2um", "0.002mm");
    assert!(error(&text).starts_with("dust: its mass is"));
    let cancelled = scene("[[object]]\nmesh = \"bowl\"\nmaterial = \"glass\"")
        .prepare(&ModelCache::none(), &mut |_| false);
    assert!(matches!(cancelled, Err(PrepareError::Cancelled)));
}

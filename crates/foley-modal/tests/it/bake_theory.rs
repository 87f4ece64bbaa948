//! Meshes to models: the same object gives the same sound, however its mesh is drawn.

use foley_geometry::mesh::{self, Density, Mesh, RepairOptions};
use foley_measured::largest;
use foley_modal::bake::{self, Baked, Method, Options};
use foley_modal::provenance::{Change, Provenance, rescale};
use foley_modal::{Damping, Edge, Gains, Material, ModalModel, Shape};

fn material(name: &str) -> &'static Material {
    Material::named(name).unwrap()
}

fn options<'a>(thickness_m: Option<f64>, max_hz: f64) -> Options<'a> {
    let options = Options::default().with_thickness_m(thickness_m).with_max_hz(max_hz);
    options.with_compress(false).with_radiation_budget_s(0.0)
}

fn bake(mesh: &Mesh, material: &Material, options: Options<'_>) -> Baked {
    bake::bake(mesh, "it", material, options).unwrap()
}

/// Returns the largest difference of the first ten frequencies, %.
fn percent(what: &str, a: &Baked, b: &Baked) -> f64 {
    let (f, g) = (&a.model.frequencies_hz, &b.model.frequencies_hz);
    assert!(f.len() >= 10 && g.len() >= 10, "{what}: {} and {} modes", f.len(), g.len());
    let worst = largest(f.iter().zip(g).take(10).map(|(f, g)| 100.0 * (f / g - 1.0).abs()));
    println!("{what}: {worst:.3} %\n{f:?}\n{g:?}");
    worst
}

/// A wall drawn with both its sides is recognised, its thickness is measured, and it rings
/// as its middle surface does.
#[test]
fn walls_with_two_sides_are_recognised() {
    let bronze = material("bronze");
    for (name, t) in [("bell", 4e-3), ("bowl", 3e-3)] {
        let closed = mesh::builtin(&format!("{name}-closed"), Density::Medium).unwrap();
        let found = bake(&closed, bronze, options(None, 5e3));
        assert_eq!(found.provenance.method, "shell");
        assert!(found.provenance.reason.contains(&format!("{:.2} mm thick", 1e3 * t)));
        let measured = found.provenance.thickness_m.unwrap();
        let error = 100.0 * (measured / t - 1.0).abs();
        foley_measured::check!("meshes.wall_thickness", error);
        let middle = mesh::builtin(name, Density::Medium).unwrap();
        let shell = bake(&middle, bronze, options(Some(t), 5e3));
        foley_measured::check!("meshes.walls_as_shells", percent(name, &found, &shell));
        let filled = options(None, 5e3).with_method(Method::Solid);
        let solid = bake(&closed, bronze, filled);
        assert_eq!(solid.provenance.method, "solid");
        let error = percent(&format!("{name} as a solid"), &solid, &shell);
        foley_measured::check!("meshes.walls_as_solids", error);
        // Every point of both sides answers.
        assert!(found.model.point_count() >= closed.vertices.len());
    }
}

/// Three densities, and vertices in random order and repeated for each triangle.
#[test]
fn the_mesh_does_not_matter() {
    let bronze = material("bronze");
    let bell = |density| mesh::builtin("bell", density).unwrap();
    let sound = |mesh: &Mesh| bake(mesh, bronze, options(Some(4e-3), 5e3));
    let medium = sound(&bell(Density::Medium));
    for density in [Density::Coarse, Density::Fine] {
        let difference = percent(&format!("{density:?}"), &sound(&bell(density)), &medium);
        foley_measured::check!("meshes.densities", difference);
    }
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let original = bell(Density::Medium);
    let mut triangles = original.triangles.clone();
    for i in (1..triangles.len()).rev() {
        triangles.swap(i, random(i + 1));
    }
    let mut soup = Mesh::default();
    for t in triangles {
        let first = soup.vertices.len() as u32;
        soup.vertices.extend(t.map(|v| original.vertices[v as usize]));
        let turn = random(3) as u32;
        soup.triangles.push([0, 1, 2].map(|k| first + (k + turn) % 3));
    }
    let repaired = mesh::repair(soup, &RepairOptions::default()).unwrap();
    assert_eq!(repaired.mesh.vertices.len(), original.vertices.len());
    let difference = percent("shuffled", &sound(&repaired.mesh), &medium);
    foley_measured::check!("meshes.shuffled", difference);
}

/// A flat mesh against Ritz' plate: frequencies and gains.
#[test]
fn a_flat_mesh_is_a_plate() {
    let mut steel = material("steel").clone();
    steel.damping = Damping::LossFactor(1e-3);
    let sheet = mesh::builtin("plate", Density::Medium).unwrap();
    let solved = options(Some(2e-3), 2e3).with_radiation_budget_s(10.0);
    let found = bake(&sheet, &steel, solved);
    let band = foley_modal::ShapeOptions::default().with_max_hz(2e3).with_radiation_budget_s(10.0);
    let plate = Shape::plate(0.3, 0.2, 0.002, Edge::Free).unwrap();
    let truth = plate.modes(&steel, &band).unwrap();
    let exact: Vec<f64> = truth.frequencies_hz().collect();
    assert!(exact.len() >= 10);
    let (mut f_errors, mut gain_errors) = (Vec::new(), Vec::new());
    for place in [[0.11, 0.063, 0.0], [-0.02, 0.09, 0.0], [0.15, -0.1, 0.0]] {
        let gains = truth.gains_at(place);
        let sampled = found.model.gains_at(place);
        let most = gains.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        for n in 0..10 {
            let (f, g) = (found.model.frequencies_hz[n], exact[n]);
            f_errors.push(100.0 * (f / g - 1.0).abs());
            let (a, b) = (f64::from(sampled[n]).abs(), gains[n].abs());
            println!("mode {n} at {place:?}: {a} {b}");
            gain_errors.push(100.0 * (a - b).abs() / (b + most / 3.0));
            let along = found.model.gains_along(place, [1.0, 0.0, 0.0]);
            assert!(f64::from(along[n]).abs() < 1e-3 * most, "it bends, it does not stretch");
        }
    }
    foley_measured::check!("meshes.flat_mesh", largest(f_errors));
    foley_measured::check!("meshes.flat_mesh_gains", largest(gain_errors));
}

/// Size, E, ρ and damping without a solve, against a solve.
#[test]
fn rescaling_equals_solving_again() {
    let glass = material("glass");
    let bowl = mesh::builtin("bowl", Density::Coarse).unwrap();
    let radiating = |options: Options<'static>| options.with_radiation_budget_s(2.0);
    let before = bake(&bowl, glass, radiating(options(Some(3e-3), 8e3)));
    let mut odd = glass.clone();
    odd.young_pa *= 1.7;
    odd.density *= 0.6;
    odd.damping = Damping::Rayleigh { alpha: 30.0, beta: 3e-7 };
    let size = 1.9;
    let mut large = bowl.clone();
    large.vertices.iter_mut().flatten().for_each(|x| *x *= size);
    let pitch = (1.7f64 / 0.6).sqrt() / size;
    let solved = bake(&large, &odd, radiating(options(Some(3e-3 * size), 8e3 * pitch)));
    let change = Change {
        size,
        young_pa: Some(odd.young_pa),
        density: Some(odd.density),
        damping: Some(odd.damping),
        ..Change::default()
    };
    let (scaled, provenance) =
        rescale(&before.model, &before.provenance, &change, 8e3 * pitch).unwrap();
    assert!((provenance.thickness_m.unwrap() / (3e-3 * size) - 1.0).abs() < 1e-12);
    let apart = |a: f64, b: f64| (a / b - 1.0).abs();
    assert!(apart(scaled.body.mass_kg, solved.model.body.mass_kg) < 1e-9);
    let place = solved.model.points[137];
    // Twins turn freely against each other: their energy together is what stays.
    let energy = |model: &ModalModel, n: usize| {
        let pressures = &model.vibration.as_ref().unwrap().pressures_pa;
        let u = |n: usize| f64::from(model.gains_at(place)[n] / pressures[n]);
        u(n).hypot(u(n + 1))
    };
    let radiated = |provenance: &Provenance, n: usize| provenance.radiation_decays[n];
    let own = |d: &[f64], provenance: &Provenance, n: usize| d[n] - radiated(provenance, n);
    for n in (0..10).step_by(2) {
        let f = apart(scaled.frequencies_hz[n], solved.model.frequencies_hz[n]);
        foley_measured::check!("meshes.rescaled_frequencies", f);
        let d = own(&scaled.decays, &provenance, n);
        let d = apart(d, own(&solved.model.decays, &solved.provenance, n));
        foley_measured::check!("meshes.rescaled_decays", d);
        let shapes = apart(energy(&scaled, n), energy(&solved.model, n));
        foley_measured::check!("meshes.rescaled_gains", 100.0 * shapes);
        let power = |provenance: &Provenance| radiated(provenance, n) + radiated(provenance, n + 1);
        let db = 10.0 * (power(&provenance) / power(&solved.provenance)).log10().abs();
        foley_measured::check!("meshes.rescaled_radiation", db);
    }
    assert!(
        rescale(&before.model, &before.provenance, &Change { size: 0.0, ..change }, 1e4).is_err()
    );
}

/// Merging: twins of a round bowl become one, nothing is lost, and the change is measured.
#[test]
fn merged_modes_sound_the_same() {
    let bowl = mesh::builtin("bowl", Density::Coarse).unwrap();
    let steel = material("steel");
    let apart = bake(&bowl, steel, options(Some(3e-3), 20e3));
    let merged = bake(&bowl, steel, options(Some(3e-3), 20e3).with_compress(true));
    let said = merged.provenance.compression.unwrap();
    assert_eq!(said.modes_before, apart.model.mode_count());
    assert_eq!(said.modes_after, merged.model.mode_count());
    let share = 100.0 * said.modes_after as f64 / said.modes_before as f64;
    foley_measured::check!("meshes.merged_share", share);
    foley_measured::check!("meshes.merged_mean", said.mean_db);
    foley_measured::check!("meshes.merged_p95", said.p95_db);
    for place in [[0.07, 0.01, 0.06], [0.0, 0.02, 0.0]] {
        let energy = |gains: Vec<f32>| gains.iter().map(|a| f64::from(*a).powi(2)).sum::<f64>();
        let (a, b) = (energy(apart.model.gains_at(place)), energy(merged.model.gains_at(place)));
        assert!((a / b - 1.0).abs() < 0.1, "{a} {b}");
    }
    let Gains::Vector { shapes, .. } = &merged.model.gains else { panic!("no vectors") };
    assert_eq!(shapes.len(), 3 * merged.model.point_count() * merged.model.mode_count());
}

/// Filled bodies are solid, and a die of plastic is too small to be heard.
#[test]
fn filled_bodies_are_solid() {
    let bar = mesh::builtin("marimba-bar", Density::Medium).unwrap();
    let found = bake(&bar, material("hardwood"), options(None, 6e3));
    assert_eq!(found.provenance.method, "solid");
    assert_eq!(found.provenance.thickness_m, None);
    // Bending modes as measured on undercut bars. Struck in the middle of the end, those that
    // bend answer along z; those that twist or bend sideways do not.
    let f = &found.model.frequencies_hz;
    let gains = found.model.gains_along([0.18, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let loud = gains.iter().fold(0.0, |m: f32, a| m.max(a.abs()));
    let bend: Vec<f64> =
        (0..f.len()).filter(|n| gains[*n].abs() > 0.1 * loud).map(|n| f[n]).collect();
    println!("bar: {:?}", bend.iter().map(|f| f / bend[0]).collect::<Vec<_>>());
    let measured = [(1, 3.932), (2, 9.538), (3, 16.688)];
    let errors = measured.map(|(n, measured)| 100.0 * (bend[n] / bend[0] / measured - 1.0).abs());
    foley_measured::check!("meshes.undercut_bar", largest(errors));
    let die = mesh::builtin("die", Density::Coarse).unwrap();
    let error = bake::bake(&die, "die", material("plastic"), Options::default()).unwrap_err();
    assert!(error.to_string().contains("more than 20000 Hz"), "{error}");
}

/// The mass-spring model agrees roughly.
#[test]
fn springs_are_within_a_quarter() {
    let bell = mesh::builtin("bell", Density::Medium).unwrap();
    let steel = material("steel");
    let shell = bake(&bell, steel, options(Some(4e-3), 8e3));
    let quick = options(Some(4e-3), 8e3).with_method(Method::SpringMass);
    let springs = bake(&bell, steel, quick);
    assert_eq!(springs.provenance.method, "spring-mass");
    assert!(2 * springs.provenance.unknowns <= shell.provenance.unknowns);
    foley_measured::check!("meshes.springs", percent("springs", &springs, &shell));
}

/// A shift of this bowl lies a thousandth of its own size from a mode: the others are polished from
/// another shift.
#[test]
fn a_shift_close_to_a_mode_does_not_spoil_the_others() {
    let bowl = mesh::builtin("bowl", Density::Medium).unwrap();
    let bake = |max_hz| bake(&bowl, material("ceramic"), options(Some(3e-3), max_hz));
    // The lower band has another shift, and a mesh for longer waves: within 1 % in frequency.
    let percent = percent("two bands", &bake(12e3), &bake(20e3));
    assert!(percent < 1.0, "{percent} %");
}

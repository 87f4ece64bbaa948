//! Heat that flows across bent walls, and the viscosity of the air, add to the loss of the material.

use foley_geometry::mesh::{self, Density, Mesh};
use foley_modal::bake::{self, Method, Options};
use foley_modal::material::Bending;
use foley_modal::provenance::{Change, rescale};
use foley_modal::{Damping, Edge, End, Material, Shape, ShapeOptions};
use std::f64::consts::PI;

/// Aluminium without a loss of its own.
fn aluminium() -> Material {
    let library = Material::named("aluminium").unwrap().clone();
    Material { name: "lossless".into(), damping: Damping::LossFactor(0.0), ..library }
}

/// Returns frequencies and loss factors of a shape's modes, without radiation.
fn loss_factors(shape: &Shape, material: &Material) -> Vec<(f64, f64)> {
    let modes =
        shape.modes(material, &ShapeOptions::default().with_radiation_budget_s(0.0)).unwrap();
    let decays = modes.decays().zip(modes.radiation_decays()).map(|(d, r)| d - r);
    modes.frequencies_hz().zip(decays).map(|(f, d)| (f, d / (PI * f))).collect()
}

fn close(found: f64, expected: f64, relative: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < relative, "{what}: {found} against {expected}");
}

#[test]
fn bars_and_held_plates_lose_what_zener_says() {
    let material = aluminium();
    for end in [End::Free, End::Clamped, End::Supported, End::Cantilever] {
        let bar = Shape::bar(0.3, 0.02, 1e-3, end).unwrap();
        for (f, eta) in loss_factors(&bar, &material) {
            let bending = Bending::Bar { thickness_m: 1e-3 };
            close(eta, material.thermoelastic_loss(bending, f, 1.0), 1e-4, "bar");
        }
    }
    let sheet = Bending::Plate { thickness_m: 1e-3 };
    for shape in [
        Shape::plate(0.3, 0.2, 1e-3, Edge::Supported).unwrap(),
        Shape::plate(0.3, 0.2, 1e-3, Edge::Clamped).unwrap(),
        Shape::disc(0.3, 1e-3, Edge::Clamped).unwrap(),
    ] {
        for (f, eta) in loss_factors(&shape, &material) {
            close(eta, material.thermoelastic_loss(sheet, f, 1.0), 1e-3, &shape.to_string());
        }
    }
}

/// The modes of a free square plate, in order: a twist, a saddle and a bowl (Leissa 1973).
#[test]
fn twist_and_saddle_of_a_free_plate_hardly_warm() {
    let material = aluminium();
    let sheet = Bending::Plate { thickness_m: 1e-3 };
    let share = |(f, eta): (f64, f64)| eta / material.thermoelastic_loss(sheet, f, 1.0);
    let square = Shape::plate(0.2, 0.2, 1e-3, Edge::Free).unwrap();
    let shares: Vec<f64> = loss_factors(&square, &material).into_iter().map(share).collect();
    assert!(shares[0] < 0.1 && shares[1] < 0.25 && shares[2] > 1.1, "{:?}", &shares[..4]);
    assert!(shares.iter().all(|s| (0.0..=2.0 / (1.0 + material.poisson)).contains(s)));
    // Short waves do not feel the edge.
    let high: f64 = shares.iter().rev().take(20).sum::<f64>() / 20.0;
    assert!((0.85..1.1).contains(&high), "{high}");
    // A narrow strip is a bar: κ_y = −ν κ_x gives the share (1 − ν)/(1 + ν), the inverse of the factor.
    let strip = Shape::plate(0.3, 0.01, 1e-3, Edge::Free).unwrap();
    let (f, eta) = loss_factors(&strip, &material)[0];
    close(
        eta,
        material.thermoelastic_loss(Bending::Bar { thickness_m: 1e-3 }, f, 1.0),
        0.02,
        "strip",
    );
}

#[test]
fn the_loss_adds_to_that_of_the_material() {
    let bar = Shape::bar(0.3, 0.02, 1e-3, End::Free).unwrap();
    let plain = loss_factors(&bar, &aluminium());
    let lossy = Material { damping: Damping::LossFactor(3e-3), ..aluminium() };
    for ((_, heat), (_, sum)) in plain.into_iter().zip(loss_factors(&bar, &lossy)) {
        assert!((sum - heat - 3e-3).abs() < 1e-7, "{heat} {sum}");
    }
    let wood = Material { thermal: None, ..aluminium() };
    assert!(loss_factors(&bar, &wood).iter().all(|(_, eta)| *eta == 0.0));
}

/// Fletcher & Rossing §2.12: the air damps thin strings, in proportion to √f at high frequencies.
#[test]
fn air_damps_strings_and_thin_rods() {
    let steel = Material { thermal: None, ..aluminium() };
    let string = Shape::string(0.65, 0.25e-3, 70.0).unwrap();
    let thick = Shape::string(0.65, 1e-3, 70.0).unwrap();
    let decay = |shape: &Shape, hz: f64| {
        let nearest =
            |a: &&(f64, f64), b: &&(f64, f64)| (a.0 - hz).abs().total_cmp(&(b.0 - hz).abs());
        let modes = loss_factors(shape, &steel);
        let (f, eta) = modes.iter().min_by(nearest).copied().unwrap();
        (f, PI * f * eta)
    };
    let ((f, thin), (_, thick)) = (decay(&string, 2000.0), decay(&thick, 2000.0));
    assert!(thin > 4.0 * thick && thick > 0.0, "{thin} {thick}");
    let (g, higher) = decay(&string, 16_000.0);
    let power = (higher / thin).ln() / (g / f).ln();
    assert!((0.4..0.55).contains(&power), "{power}");
    let rod = Shape::rod(0.2, 1e-3, End::Clamped).unwrap();
    let bar = Shape::bar(0.2, 1e-3, 1e-3, End::Clamped).unwrap();
    assert!(loss_factors(&rod, &steel)[0].1 > 0.0 && loss_factors(&bar, &steel)[0].1 == 0.0);
}

fn bake(mesh: &Mesh, material: &Material, thickness_m: f64, max_hz: f64) -> bake::Baked {
    let options = Options::default().with_thickness_m(thickness_m).with_max_hz(max_hz);
    let options = options.with_compress(false).with_radiation_budget_s(0.0);
    bake::bake(mesh, "it", material, options).unwrap()
}

/// Returns the decay of a mode without radiation.
fn own_decay(baked: &bake::Baked, n: usize) -> f64 {
    baked.model.decays[n] - baked.provenance.radiation_decays[n]
}

/// A flat mesh against Ritz' plate, mode by mode.
#[test]
fn a_flat_mesh_loses_what_the_plate_does() {
    let material = aluminium();
    let found = bake(&mesh::builtin("plate", Density::Medium).unwrap(), &material, 1e-3, 1e3);
    let plate = Shape::plate(0.3, 0.2, 1e-3, Edge::Free).unwrap();
    let truth = loss_factors(&plate, &material);
    let sheet = Bending::Plate { thickness_m: 1e-3 };
    for (n, (_, truth)) in truth.iter().enumerate().take(10) {
        let (f, d) = (found.model.frequencies_hz[n], own_decay(&found, n));
        let unit = material.thermoelastic_loss(sheet, f, 1.0);
        let (share, exact) = (d / (PI * f) / unit, truth / unit);
        assert!((share - exact).abs() < 0.05, "mode {n}: {share} against {exact}");
        assert!((share - found.provenance.thermoelastic_shares[n]).abs() < 1e-4);
    }
}

/// A bowl bends without stretching in its lowest modes, nearly as saddles; higher ones bend more.
#[test]
fn a_bowl_loses_part_of_what_a_flat_plate_does() {
    let found = bake(&mesh::builtin("bowl", Density::Coarse).unwrap(), &aluminium(), 1e-3, 8e3);
    let shares = &found.provenance.thermoelastic_shares;
    assert_eq!(shares.len(), found.model.mode_count());
    assert!(shares.iter().all(|s| (0.0..=1.5).contains(s)), "{shares:?}");
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!((0.2..1.1).contains(&mean), "{mean}");
    let solid = Options::default().with_method(Method::Solid).with_max_hz(8e3);
    let solid = solid.with_radiation_budget_s(0.0);
    let bar = mesh::builtin("marimba-bar", Density::Coarse).unwrap();
    let bar = bake::bake(&bar, "bar", &aluminium(), solid).unwrap();
    assert!(bar.provenance.thermoelastic_shares.iter().all(|s| *s == 0.0));
}

#[test]
fn rescaled_walls_lose_what_solved_ones_do() {
    let bowl = mesh::builtin("bowl", Density::Coarse).unwrap();
    let plastic = Material { name: "cool".into(), thermal: None, ..aluminium() };
    let before = bake(&bowl, &plastic, 1e-3, 8e3);
    assert!((0..before.model.mode_count()).all(|n| own_decay(&before, n) == 0.0));
    let size = 0.7;
    let mut small = bowl.clone();
    small.vertices.iter_mut().flatten().for_each(|x| *x *= size);
    let solved = bake(&small, &aluminium(), 1e-3 * size, 8e3 / size);
    let change = Change { size, thermal: Some(aluminium().thermal), ..Change::default() };
    let (model, provenance) =
        rescale(&before.model, &before.provenance, &change, 8e3 / size).unwrap();
    for n in 0..10 {
        let scaled = model.decays[n] - provenance.radiation_decays[n];
        close(scaled, own_decay(&solved, n), 1e-2, &format!("mode {n}"));
    }
}

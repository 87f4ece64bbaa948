//! Membranes in air: the mass of the air that moves with them, against closed forms and a measured kettledrum.

use foley_geometry::constants::{AIR_DENSITY_KG_M3, AIR_IMPEDANCE_PA_S_M};
use foley_measured::check;
use foley_modal::shape::Modes;
use foley_modal::{Material, Shape, ShapeOptions};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The skin of a kettledrum: T. D. Rossing, *Science of Percussion Instruments* (2000): Mylar of 0.19 mm on a kettle of
/// 656 mm, tension near the middle of its range.
const DIAMETER_M: f64 = 0.656;
const TENSION_N_M: f64 = 3990.0;
const DENSITY_KG_M2: f64 = 0.262;

/// n and zeros of J_n: (0,1), (1,1), (2,1), (0,2), (3,1), (1,2), (4,1).
const ZEROS: [(i32, f64); 7] = [
    (0, 2.404_825_557_7),
    (1, 3.831_705_970_2),
    (2, 5.135_622_301_8),
    (0, 5.520_078_110_3),
    (3, 6.380_161_895_9),
    (1, 7.015_586_669_8),
    (4, 7.588_342_434_5),
];

fn modes(tension: f64, max_modes: usize, budget_s: f64) -> Modes {
    let skin = Shape::membrane(DIAMETER_M, tension, DENSITY_KG_M2).unwrap();
    let options = ShapeOptions::default()
        .with_min_hz(0.1)
        .with_max_modes(max_modes)
        .with_radiation_budget_s(budget_s);
    skin.modes(Material::named("plastic").unwrap(), &options).unwrap()
}

/// Frequencies and decays of the modes of [`ZEROS`], one of each pair, without losses but radiation.
fn first(modes: &Modes) -> Vec<(f64, f64)> {
    let all = modes.frequencies_hz().zip(modes.radiation_decays().iter().copied());
    let all: Vec<(f64, f64)> = all.collect();
    let mut at = 0;
    let mode = |(n, _): &(i32, f64)| {
        at += if *n == 0 { 1 } else { 2 };
        all[at - 1]
    };
    ZEROS.iter().map(mode).collect()
}

fn vacuum_hz((_, zero): (i32, f64), tension: f64) -> f64 {
    zero * (tension / DENSITY_KG_M2).sqrt() / (PI * DIAMETER_M)
}

/// J_n(x) = 1/π ∫₀^π cos(nθ − x sin θ) dθ, which the trapezoidal rule gives exactly.
fn bessel(n: i32, x: f64) -> f64 {
    let steps = 60;
    let at = |i: i32| {
        let theta = PI * f64::from(i) / f64::from(steps);
        let weight = if i == 0 || i == steps { 0.5 } else { 1.0 };
        weight * (f64::from(n) * theta - x * theta.sin()).cos()
    };
    (0..=steps).map(at).sum::<f64>() / f64::from(steps)
}

/// Mass of incompressible air on both sides over that of the membrane for w = J_n(λρ) cos nθ on a disc in free air: the dual
/// integral equations with the normal velocity given on the disc and no potential beside it, by Copson's method (I. N. Sneddon,
/// *Mixed Boundary Value Problems in Potential Theory* (1966)),
///
/// `g(t) = 2/π t^{−n} ∫₀^t r^{n+1} w(r) dr / √(t² − r²)`, `m = π² ρ₀ a³ ∫₀¹ g² dt`
///
/// at unit velocity w cos nθ, twice that for n = 0. With w = 1 it is Lamb's disc, 8ρ₀a³/3, with w = r cos θ his turning disc,
/// 16ρ₀a⁵/45.
fn incompressible_mass(n: i32, lambda: f64) -> f64 {
    let steps = 400;
    let middle = |i: i32| (f64::from(i) + 0.5) / f64::from(steps);
    let g = |t: f64| {
        let at = |i: i32| {
            let r = t * (FRAC_PI_2 * middle(i)).sin();
            r.powi(n + 1) * bessel(n, lambda * r)
        };
        let integral: f64 = (0..steps).map(at).sum::<f64>() * FRAC_PI_2 / f64::from(steps);
        2.0 / PI * t.powi(-n) * integral
    };
    let squares: f64 = (0..steps).map(|i| g(middle(i)).powi(2)).sum::<f64>() / f64::from(steps);
    // ∫₀¹ J_n(λρ)² ρ dρ = ½ J_{n+1}(λ)².
    let norm = 0.5 * bessel(n + 1, lambda).powi(2);
    let radius = 0.5 * DIAMETER_M;
    PI * AIR_DENSITY_KG_M3 * radius * squares / (norm * DENSITY_KG_M2)
}

/// At low tension the waves are so slow that the air does not notice that it is compressible.
#[test]
fn slow_membranes_carry_the_air_of_the_closed_form() {
    let tension = 20.0;
    for ((f, _), zero) in first(&modes(tension, 12, 20.0)).into_iter().zip(ZEROS) {
        let found = (vacuum_hz(zero, tension) / f).powi(2) - 1.0;
        let exact = incompressible_mass(zero.0, zero.1);
        println!(
            "({}, {:.3}): {f:.3} Hz, air {found:.4} of the skin, exact {exact:.4}",
            zero.0, zero.1
        );
        check!("drum.added_mass", 100.0 * (found / exact - 1.0).abs());
    }
}

/// (1,1), (2,1) and (3,1) of kettledrums stand as 1 : 1.50 : 1.99 (Rossing, *Science of Percussion Instruments*), in a
/// vacuum as 1 : 1.34 : 1.66.
#[test]
fn a_loaded_kettledrum_skin_is_nearer_to_harmonic() {
    let measured = [1.50, 1.99];
    let distance = |f: [f64; 3]| {
        println!("{:.1} Hz: 1 : {:.3} : {:.3}", f[0], f[1] / f[0], f[2] / f[0]);
        (f[1] / f[0] - measured[0]).hypot(f[2] / f[0] - measured[1])
    };
    let ring = [1, 2, 4];
    let skin = modes(TENSION_N_M, 40, 5.0);
    let found = first(&skin);
    let loaded = ring.map(|n| found[n].0);
    let vacuum = ring.map(|n| vacuum_hz(ZEROS[n], TENSION_N_M));
    check!("drum.ratios", distance(loaded) / distance(vacuum));
    check!("drum.ratio_21", loaded[1] / loaded[0]);
    check!("drum.ratio_31", loaded[2] / loaded[0]);
    println!("radiation {:.2}/s of (0,1), {:.2}/s of (1,1)", found[0].1, found[1].1);
    check!("drum.decay_order", found[0].1 / found[1].1);
    // Of all losses with those of the material.
    let total: Vec<f64> = skin.decays().take(2).collect();
    check!("drum.decay_order_total", total[0] / total[1]);
}

/// The default budget against a long one, and modes that are too high to be solved against the wide sheet that they then are.
#[test]
fn short_budgets_load_alike() {
    let (short, long) = (modes(TENSION_N_M, 150, 2.0), modes(TENSION_N_M, 150, 12.0));
    println!("{:?}\n{:?}", short.notes(0), long.notes(0));
    let pairs = short.frequencies_hz().zip(long.frequencies_hz());
    let cents = pairs.map(|(a, b)| {
        let cents = (1200.0 * (a / b).log2()).abs();
        println!("{b:.2} Hz: {cents:.2} cents");
        cents
    });
    check!("drum.budget", cents.fold(0.0, f64::max));
}

/// Frequency, mode shape and radiation of a loaded mode belong to one mass: a strike at the middle moves it less by ω/ω_v, and its
/// gain is that of its radiated power.
#[test]
fn the_air_moves_with_the_mode() {
    let (loaded, vacuum) = (modes(TENSION_N_M, 9, 2.0), modes(TENSION_N_M, 9, 0.0));
    let hz = |modes: &Modes| modes.frequencies_hz().next().unwrap();
    assert!((hz(&vacuum) / vacuum_hz(ZEROS[0], TENSION_N_M) - 1.0).abs() < 1e-3);
    let shape = |modes: &Modes| modes.shapes_at([0.0; 3])[0];
    let ratio = shape(&loaded) / shape(&vacuum);
    let expected = hz(&loaded) / hz(&vacuum);
    assert!(ratio < 0.8 && (ratio / expected - 1.0).abs() < 1e-3, "{ratio} {expected}");
    let pressure = (AIR_IMPEDANCE_PA_S_M * loaded.radiation_decays()[0] / TAU).sqrt();
    let gain = loaded.gains_at([0.0; 3])[0];
    assert!((gain / (shape(&loaded) * pressure) - 1.0).abs() < 1e-9);
    // Twins keep one frequency, so that they do not beat.
    let all: Vec<f64> = loaded.frequencies_hz().collect();
    assert_eq!(all[1], all[2]);
    assert!(all.windows(2).all(|pair| pair[0] <= pair[1]), "{all:?}");
}

/// A skin so slack that the air pulls all its modes out of hearing is silent, with the reason.
#[test]
fn skins_that_the_air_makes_inaudible_say_so() {
    let skin: Shape = "membrane:656mm,tension=2N/m,density=0.02kg/m2".parse().unwrap();
    let plastic = Material::named("plastic").unwrap();
    let options = ShapeOptions::default().with_min_hz(8.0).with_max_modes(1);
    let error = skin.modes(plastic, &options).unwrap_err().to_string();
    assert!(error.contains("no mode of membrane:656mm"), "{error}");
}

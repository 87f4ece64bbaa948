//! Frequencies against the literature.

use foley_measured::largest;
use foley_modal::shape::TautString;
use foley_modal::{Damping, Edge, End, Material, Shape, ShapeOptions};
use std::f64::consts::{PI, TAU};

fn all_modes() -> ShapeOptions {
    ShapeOptions::default()
        .with_min_hz(0.0)
        .with_max_hz(20e3)
        .with_max_modes(60)
        .with_radiation_budget_s(0.0)
}

fn undamped(young_pa: f64, density: f64, poisson: f64) -> Material {
    Material::new("test", density, young_pa, poisson, Damping::LossFactor(0.0)).unwrap()
}

/// Returns the undamped frequencies: the air damps rods and strings even where the material does not.
fn frequencies(shape: &Shape, material: &Material) -> Vec<f64> {
    let modes = shape.modes(material, &all_modes()).unwrap();
    let own = modes.decays().zip(modes.radiation_decays()).map(|(d, r)| d - r);
    modes.frequencies_hz().zip(own).map(|(f, d)| f.hypot(d / TAU)).collect()
}

/// Returns the largest relative error.
#[track_caller]
fn error(found: &[f64], expected: &[f64]) -> f64 {
    assert!(found.len() >= expected.len());
    largest(found.iter().zip(expected).map(|(a, b)| (a / b - 1.0).abs()))
}

fn percent(found: &[f64], expected: &[f64]) -> f64 {
    100.0 * error(found, expected)
}

/// λ² = ω a² √(ρh/D) of a square plate with side 1.
fn lambda_squared(edge: Edge, nu: f64) -> Vec<f64> {
    let h = 0.01;
    let material = undamped(7e10, 2700.0, nu);
    let d: f64 = 7e10 * h * h * h / (12.0 * (1.0 - nu * nu));
    let scale = TAU / (d / (2700.0 * h)).sqrt();
    let plate = Shape::plate(1.0, 1.0, h, edge).unwrap();
    frequencies(&plate, &material).iter().map(|f| f * scale).collect()
}

#[test]
fn ratios_of_a_free_bar() {
    let bar = Shape::bar(0.3, 0.03, 0.004, End::Free).unwrap();
    let f = frequencies(&bar, &undamped(2e11, 7850.0, 0.29));
    let ratios: Vec<f64> = f.iter().map(|x| x / f[0]).collect();
    let rounded = ratios.iter().zip([1.0, 2.757, 5.404, 8.933, 13.344]);
    let error_of_ratios = largest(rounded.map(|(a, b)| (a - b).abs()));
    foley_measured::check!("shapes.free_bar_ratios", error_of_ratios);
    // f₁ = 1.0279 h/L² √(E/ρ), Fletcher & Rossing.
    let first = 1.0279 * 0.004 / 0.09 * (2e11f64 / 7850.0).sqrt();
    foley_measured::check!("shapes.free_bar", percent(&f, &[first]));
}

#[test]
fn other_ends_and_sections() {
    let steel = undamped(2e11, 7850.0, 0.29);
    let f = |end| frequencies(&Shape::rod(0.5, 0.01, end).unwrap(), &steel);
    let (free, clamped) = (f(End::Free), f(End::Clamped));
    let clamped_error = error(&clamped, &free[..8]);
    // A rod bends like a bar of thickness d √3/2.
    let bar = Shape::bar(0.5, 0.1, 0.01 * 0.75f64.sqrt(), End::Free).unwrap();
    let rod_error = error(&free, &frequencies(&bar, &steel)[..8]);
    let supported = f(End::Supported);
    let ratios: Vec<f64> = (1..6).map(|n| f64::from(n * n)).collect();
    let squares = error(&supported.iter().map(|x| x / supported[0]).collect::<Vec<_>>(), &ratios);
    foley_measured::check!("shapes.rods", largest([clamped_error, rod_error, squares]));
    let tine = f(End::Cantilever);
    let tine: Vec<f64> = tine.iter().map(|x| x / tine[0]).collect();
    foley_measured::check!("shapes.cantilever", percent(&tine, &[1.0, 6.267, 17.547, 34.386]));
}

/// Leissa (1973) gives upper bounds from 6 × 6 beam functions; later work with
/// converging series (Hurlebaus, Gaul & Wang 2001, and others) lies up to 1 % below.
#[test]
fn free_square_plate() {
    let found = lambda_squared(Edge::Free, 0.3);
    let converged =
        [13.4682, 19.5961, 24.2702, 34.8009, 34.8009, 61.0932, 61.0932, 63.6870, 69.2654, 77.1725];
    println!("free square plate: {:.4?}", &found[..10]);
    foley_measured::check!("shapes.free_square_plate", percent(&found, &converged));
    for (a, bound) in found.iter().zip([13.49, 19.79, 24.43, 35.02, 35.02]) {
        foley_measured::check!("shapes.free_square_plate_leissa", a / bound);
    }
}

/// Leissa, table C4/4.28: 35.99, 73.41, 108.27, 131.64, 132.25, 165.15.
#[test]
fn clamped_square_plate() {
    let found = lambda_squared(Edge::Clamped, 0.3);
    println!("clamped square plate: {:.4?}", &found[..10]);
    let exact =
        [35.985, 73.394, 73.394, 108.217, 131.581, 132.205, 165.000, 165.000, 210.522, 210.522];
    foley_measured::check!("shapes.clamped_square_plate", percent(&found, &exact));
}

/// The frequencies of a clamped plate do not depend on ν at equal D.
#[test]
fn clamped_plates_ignore_poisson() {
    let (a, b) = (lambda_squared(Edge::Clamped, 0.0), lambda_squared(Edge::Clamped, 0.45));
    foley_measured::check!("shapes.clamped_poisson", error(&a, &b[..10]));
}

#[test]
fn nafems_fv12() {
    let material = undamped(200e9, 8000.0, 0.3);
    let plate = |edge| frequencies(&Shape::plate(10.0, 10.0, 0.05, edge).unwrap(), &material);
    let free = plate(Edge::Free);
    println!("NAFEMS FV12: {:.4?}", &free[..6]);
    foley_measured::check!("shapes.nafems_fv12", percent(&free, &[1.622, 2.360, 2.922]));
    // The benchmark's next figures carry the error of its own series.
    let next = percent(&free[3..], &[4.233, 4.233, 7.416]);
    foley_measured::check!("shapes.nafems_fv12_next", next);
    let supported = plate(Edge::Supported);
    let exact = [2.377, 5.942, 5.942, 9.507, 11.884, 11.884, 15.449, 15.449];
    foley_measured::check!("shapes.nafems_supported", percent(&supported, &exact));
    let d: f64 = 200e9 * 0.05f64.powi(3) / (12.0 * 0.91);
    let first = error(&supported, &[PI / 2.0 * 0.02 * (d / 400.0).sqrt()]);
    foley_measured::check!("shapes.supported_plate", first);
}

/// A narrow free plate with ν = 0 bends like a bar; half its modes twist.
#[test]
fn a_narrow_plate_is_a_bar() {
    let material = undamped(7e10, 2700.0, 0.0);
    let plate = frequencies(&Shape::plate(1.0, 0.02, 0.001, Edge::Free).unwrap(), &material);
    let bar = frequencies(&Shape::bar(1.0, 0.02, 0.001, End::Free).unwrap(), &material);
    let nearest = |f: &f64| plate.iter().map(|p| (p / f - 1.0).abs()).fold(f64::NAN, f64::min);
    foley_measured::check!("shapes.narrow_plate", largest(bar.iter().take(8).map(nearest)));
}

/// Higher modes are as good as the first: more terms change nothing.
#[test]
fn high_plate_modes_have_converged() {
    let material = undamped(7e10, 2700.0, 0.33);
    for edge in [Edge::Free, Edge::Clamped] {
        let plate = Shape::plate(0.3, 0.2, 0.002, edge).unwrap();
        let with = |max_modes| {
            let options = all_modes().with_max_hz(1e6).with_max_modes(max_modes);
            plate.modes(&material, &options).unwrap().frequencies_hz().collect::<Vec<_>>()
        };
        let (few, many) = (with(100), with(200));
        println!("{edge:?}");
        foley_measured::check!("shapes.plate_convergence", percent(&many, &few));
    }
}

/// Counting by Weyl's law never loses a mode of the supported plate.
#[test]
fn the_lowest_modes_in_the_band_are_all_there() {
    let material = undamped(7e10, 2700.0, 0.33);
    let (a, b, h) = (0.5, 0.2, 0.002);
    let plate = Shape::plate(a, b, h, Edge::Supported).unwrap();
    let options = all_modes().with_min_hz(900.0).with_max_modes(40);
    let found: Vec<f64> = plate.modes(&material, &options).unwrap().frequencies_hz().collect();
    let d: f64 = 7e10 * h * h * h / (12.0 * (1.0 - 0.33 * 0.33));
    let mut all: Vec<f64> = (1..200)
        .flat_map(|m| {
            (1..200).map(move |n| (f64::from(m) / a).powi(2) + (f64::from(n) / b).powi(2))
        })
        .map(|k2| PI / 2.0 * k2 * (d / (2700.0 * h)).sqrt())
        .filter(|f| *f >= 900.0)
        .collect();
    all.sort_by(f64::total_cmp);
    assert_eq!(found.len(), 40);
    foley_measured::check!("shapes.supported_plate", error(&found, &all[..40]));
}

#[test]
fn circular_plates() {
    let (a, h): (f64, f64) = (0.2, 0.003);
    let lambda2 = |edge, nu: f64| {
        let d = 7e10 * h.powi(3) / (12.0 * (1.0 - nu * nu));
        let scale = TAU * a * a / (d / (2700.0 * h)).sqrt();
        let disc = Shape::disc(2.0 * a, h, edge).unwrap();
        let mut all: Vec<f64> =
            frequencies(&disc, &undamped(7e10, 2700.0, nu)).iter().map(|f| f * scale).collect();
        all.dedup_by(|a, b| (*a / *b - 1.0).abs() < 1e-9);
        all
    };
    let (clamped, supported, free) =
        (lambda2(Edge::Clamped, 0.3), lambda2(Edge::Supported, 0.3), lambda2(Edge::Free, 0.33));
    println!(
        "clamped {:.4?}\nsupported {:.4?}\nfree {:.4?}",
        &clamped[..4],
        &supported[..4],
        &free[..4]
    );
    let held = largest([
        percent(&clamped, &[10.216, 21.26, 34.88, 39.77]),
        percent(&supported, &[4.935, 13.898, 25.61, 29.72]),
    ]);
    foley_measured::check!("shapes.held_discs", held);
    // Leissa's figures, and those of a Ritz solution in powers of r with forty digits.
    foley_measured::check!(
        "shapes.free_disc_leissa",
        percent(&free, &[5.253, 9.084, 12.23, 20.52])
    );
    let converged = [5.26203696, 9.06889866, 12.24389426, 20.51308691];
    foley_measured::check!("shapes.free_disc", error(&free, &converged));
}

#[test]
fn membranes_follow_the_bessel_zeros() {
    let (a, tension, sigma): (f64, f64, f64) = (0.175, 2000.0, 0.26);
    let drum = Shape::membrane(2.0 * a, tension, sigma).unwrap();
    let scale = TAU * a / (tension / sigma).sqrt();
    let f = frequencies(&drum, &undamped(3e9, 1400.0, 0.3));
    let zeros = [2.4048, 3.8317, 3.8317, 5.1356, 5.1356, 5.5201, 6.3802, 6.3802, 7.0156, 7.0156];
    let scaled: Vec<f64> = f.iter().map(|f| f * scale).collect();
    foley_measured::check!("shapes.membrane", percent(&scaled, &zeros));
}

#[test]
fn strings_are_harmonic_until_they_are_stiff() {
    let (l, d, t) = (0.65, 0.001, 70.0);
    let steel = undamped(2e11, 7850.0, 0.29);
    let string = TautString::new(l, d, t).unwrap();
    let f1 = (t / (7850.0 * PI / 4.0 * d * d)).sqrt() / (2.0 * l);
    let ideal = frequencies(&Shape::String(string), &steel);
    let harmonics: Vec<f64> = (1..=20).map(|n| f64::from(n) * f1).collect();
    let harmonic = error(&ideal, &harmonics);
    // With T → 0 the stiff string is a supported rod.
    let slack = TautString::new(l, d, 1e-6).unwrap().stiff();
    let rod = frequencies(&Shape::rod(l, d, End::Supported).unwrap(), &steel);
    let slack = error(&frequencies(&Shape::String(slack), &steel), &rod[..10]);
    foley_measured::check!("shapes.slack_string", slack);
    // In between, ω² is the sum of both.
    let stiff = frequencies(&Shape::String(string.stiff()), &steel);
    let sum: Vec<f64> = ideal.iter().zip(&rod).map(|(a, b)| a.hypot(*b)).take(10).collect();
    foley_measured::check!("shapes.strings", largest([harmonic, error(&stiff, &sum)]));
}

#[test]
fn damping_comes_from_the_material() {
    let bar: Shape = "bar:300x30x8mm".parse().unwrap();
    let damping = Damping::Rayleigh { alpha: 60.0, beta: 2e-6 };
    let wood = Material { damping, ..Material::named("wood").unwrap().clone() };
    let modes = bar.modes(&wood, &ShapeOptions::default()).unwrap();
    let own: Vec<f64> = modes.decays().zip(modes.radiation_decays()).map(|(d, r)| d - r).collect();
    let bare = undamped(wood.young_pa, wood.density, wood.poisson);
    let mut errors = Vec::new();
    for ((f, d), f0) in modes.frequencies_hz().zip(own).zip(frequencies(&bar, &bare)) {
        let omega = TAU * f0;
        errors.push((d / (0.5 * (60.0 + 2e-6 * omega * omega)) - 1.0).abs());
        errors.push((f / ((omega * omega - d * d).sqrt() / TAU) - 1.0).abs());
    }
    foley_measured::check!("shapes.damping", largest(errors));
}

#[test]
fn silent_and_endless_shapes_say_so() {
    let steel = Material::named("steel").unwrap();
    let tiny: Shape = "bar:2x1x1mm".parse().unwrap();
    let error = tiny.model(steel, &ShapeOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("no mode of bar:2x1x1mm in steel is heard between 20 and 20000"),
        "{error}"
    );
    for text in [
        "plate:1000x1000x0.001m",
        "plate:1000x1000x0.000001m,edges=clamped",
        "disc:1000x0.000001m",
        "membrane:1000m,tension=0.000001N/m,density=1000000kg/m2",
    ] {
        let endless: Shape = text.parse().unwrap();
        let error = endless.model(steel, &ShapeOptions::default()).unwrap_err().to_string();
        assert!(error.contains("too many modes"), "{text}: {error}");
    }
    for text in [
        "bar:1000x1x0.000001m",
        "string:1000x1m,tension=0.000001N",
        "plate:1000x1000x0.001m,edges=supported",
    ] {
        let endless: Shape = text.parse().unwrap();
        assert_eq!(endless.model(steel, &ShapeOptions::default()).unwrap().mode_count(), 512);
    }
    let jelly = undamped(1.0, 1e6, 0.3);
    let sheet: Shape = "plate:1000x1000x0.000001m,edges=supported".parse().unwrap();
    let options = ShapeOptions::default().with_max_hz(1e6);
    assert!(sheet.modes(&jelly, &options).unwrap_err().to_string().contains("too many modes"));
}

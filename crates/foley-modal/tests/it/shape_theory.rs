//! Frequencies against the literature.

use foley_modal::shape::TautString;
use foley_modal::{Damping, Edge, End, Material, Shape, ShapeOptions};
use std::f64::consts::{PI, TAU};

fn all_modes() -> ShapeOptions {
    ShapeOptions::default().with_min_hz(0.0).with_max_hz(20e3).with_max_modes(60)
}

fn undamped(young_pa: f64, density: f64, poisson: f64) -> Material {
    Material::new("test", density, young_pa, poisson, Damping::LossFactor(0.0)).unwrap()
}

fn frequencies(shape: &Shape, material: &Material) -> Vec<f64> {
    shape.modes(material, &all_modes()).unwrap().frequencies_hz().collect()
}

#[track_caller]
fn agree(found: &[f64], expected: &[f64], relative: f64) {
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a / b - 1.0).abs() < relative, "mode {i}: {a} against {b}");
    }
    assert!(found.len() >= expected.len());
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
    agree(&ratios, &[1.0, 2.757, 5.404, 8.933, 13.344], 2e-4);
    // f₁ = 1.0279 h/L² √(E/ρ), Fletcher & Rossing.
    let first = 1.0279 * 0.004 / 0.09 * (2e11f64 / 7850.0).sqrt();
    agree(&f, &[first], 1e-4);
}

#[test]
fn other_ends_and_sections() {
    let steel = undamped(2e11, 7850.0, 0.29);
    let f = |end| frequencies(&Shape::rod(0.5, 0.01, end).unwrap(), &steel);
    let (free, clamped) = (f(End::Free), f(End::Clamped));
    agree(&clamped, &free[..8], 1e-12);
    // A rod bends like a bar of thickness d √3/2.
    let bar = Shape::bar(0.5, 0.1, 0.01 * 0.75f64.sqrt(), End::Free).unwrap();
    agree(&free, &frequencies(&bar, &steel)[..8], 1e-12);
    let supported = f(End::Supported);
    let ratios: Vec<f64> = (1..6).map(|n| f64::from(n * n)).collect();
    agree(&supported.iter().map(|x| x / supported[0]).collect::<Vec<_>>(), &ratios, 1e-12);
    let tine = f(End::Cantilever);
    agree(
        &tine.iter().map(|x| x / tine[0]).collect::<Vec<_>>(),
        &[1.0, 6.267, 17.547, 34.386],
        1e-4,
    );
}

/// Leissa (1973) gives upper bounds from 6 × 6 beam functions; later work with
/// converging series (Hurlebaus, Gaul & Wang 2001, and others) lies up to 1 % below.
#[test]
fn free_square_plate() {
    let found = lambda_squared(Edge::Free, 0.3);
    let converged =
        [13.4682, 19.5961, 24.2702, 34.8009, 34.8009, 61.0932, 61.0932, 63.6870, 69.2654, 77.1725];
    println!("free square plate: {:.4?}", &found[..10]);
    agree(&found, &converged, 2e-5);
    for (a, bound) in found.iter().zip([13.49, 19.79, 24.43, 35.02, 35.02]) {
        assert!(*a < bound && *a > 0.99 * bound, "{a} {bound}");
    }
}

/// Leissa, table C4/4.28: 35.99, 73.41, 108.27, 131.64, 132.25, 165.15.
#[test]
fn clamped_square_plate() {
    let found = lambda_squared(Edge::Clamped, 0.3);
    println!("clamped square plate: {:.4?}", &found[..10]);
    let exact =
        [35.985, 73.394, 73.394, 108.217, 131.581, 132.205, 165.000, 165.000, 210.522, 210.522];
    agree(&found, &exact, 5e-5);
}

/// The frequencies of a clamped plate do not depend on ν at equal D.
#[test]
fn clamped_plates_ignore_poisson() {
    let (a, b) = (lambda_squared(Edge::Clamped, 0.0), lambda_squared(Edge::Clamped, 0.45));
    agree(&a, &b[..10], 1e-9);
}

#[test]
fn nafems_fv12() {
    let material = undamped(200e9, 8000.0, 0.3);
    let plate = |edge| frequencies(&Shape::plate(10.0, 10.0, 0.05, edge).unwrap(), &material);
    let free = plate(Edge::Free);
    println!("NAFEMS FV12: {:.4?}", &free[..6]);
    agree(&free, &[1.622, 2.360, 2.922], 5e-4);
    // The benchmark's next figures carry the error of its own series.
    agree(&free[3..], &[4.233, 4.233, 7.416], 1.1e-2);
    let supported = plate(Edge::Supported);
    let exact = [2.377, 5.942, 5.942, 9.507, 11.884, 11.884, 15.449, 15.449];
    agree(&supported, &exact, 2e-4);
    let d: f64 = 200e9 * 0.05f64.powi(3) / (12.0 * 0.91);
    agree(&supported, &[PI / 2.0 * 0.02 * (d / 400.0).sqrt()], 1e-12);
}

/// A narrow free plate with ν = 0 bends like a bar; half its modes twist.
#[test]
fn a_narrow_plate_is_a_bar() {
    let material = undamped(7e10, 2700.0, 0.0);
    let plate = frequencies(&Shape::plate(1.0, 0.02, 0.001, Edge::Free).unwrap(), &material);
    let bar = frequencies(&Shape::bar(1.0, 0.02, 0.001, End::Free).unwrap(), &material);
    for f in bar.iter().take(8) {
        assert!(plate.iter().any(|p| (p / f - 1.0).abs() < 1e-6), "{f} is not in {plate:?}");
    }
}

/// Higher modes are as good as the first: more terms change nothing.
#[test]
fn high_plate_modes_have_converged() {
    let material = undamped(7e10, 2700.0, 0.33);
    for edge in [Edge::Free, Edge::Clamped] {
        let plate = Shape::plate(0.3, 0.2, 0.002, edge).unwrap();
        let with = |max_modes| {
            let options =
                ShapeOptions::default().with_min_hz(0.0).with_max_hz(1e6).with_max_modes(max_modes);
            plate.modes(&material, &options).unwrap().frequencies_hz().collect::<Vec<_>>()
        };
        let (few, many) = (with(100), with(200));
        let worst = few.iter().zip(&many).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        println!("{edge:?}: {worst:e}");
        assert!(worst < 1e-3, "{edge:?} {worst}");
    }
}

/// Counting by Weyl's law never loses a mode of the supported plate.
#[test]
fn the_lowest_modes_in_the_band_are_all_there() {
    let material = undamped(7e10, 2700.0, 0.33);
    let (a, b, h) = (0.5, 0.2, 0.002);
    let plate = Shape::plate(a, b, h, Edge::Supported).unwrap();
    let options = ShapeOptions::default().with_min_hz(900.0).with_max_hz(20e3).with_max_modes(40);
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
    agree(&found, &all[..40], 1e-12);
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
    agree(&clamped, &[10.216, 21.26, 34.88, 39.77], 2e-4);
    agree(&supported, &[4.935, 13.898, 25.61, 29.72], 2e-4);
    // Leissa's figures, and those of a Ritz solution in powers of r with forty digits.
    agree(&free, &[5.253, 9.084, 12.23, 20.52], 2e-3);
    agree(&free, &[5.26203696, 9.06889866, 12.24389426, 20.51308691], 1e-9);
}

#[test]
fn membranes_follow_the_bessel_zeros() {
    let (a, tension, sigma): (f64, f64, f64) = (0.175, 2000.0, 0.26);
    let drum = Shape::membrane(2.0 * a, tension, sigma).unwrap();
    let scale = TAU * a / (tension / sigma).sqrt();
    let f = frequencies(&drum, &undamped(3e9, 1400.0, 0.3));
    let zeros = [2.4048, 3.8317, 3.8317, 5.1356, 5.1356, 5.5201, 6.3802, 6.3802, 7.0156, 7.0156];
    agree(&f.iter().map(|f| f * scale).collect::<Vec<_>>(), &zeros, 2e-5);
}

#[test]
fn strings_are_harmonic_until_they_are_stiff() {
    let (l, d, t) = (0.65, 0.001, 70.0);
    let steel = undamped(2e11, 7850.0, 0.29);
    let string = TautString::new(l, d, t).unwrap();
    let f1 = (t / (7850.0 * PI / 4.0 * d * d)).sqrt() / (2.0 * l);
    let ideal = frequencies(&Shape::String(string), &steel);
    let harmonics: Vec<f64> = (1..=20).map(|n| f64::from(n) * f1).collect();
    agree(&ideal, &harmonics, 1e-12);
    // With T → 0 the stiff string is a supported rod.
    let slack = TautString::new(l, d, 1e-6).unwrap().stiff();
    let rod = frequencies(&Shape::rod(l, d, End::Supported).unwrap(), &steel);
    agree(&frequencies(&Shape::String(slack), &steel), &rod[..10], 1e-5);
    // In between, ω² is the sum of both.
    let stiff = frequencies(&Shape::String(string.stiff()), &steel);
    let sum: Vec<f64> = ideal.iter().zip(&rod).map(|(a, b)| a.hypot(*b)).take(10).collect();
    agree(&stiff, &sum, 1e-12);
}

#[test]
fn damping_comes_from_the_material() {
    let bar: Shape = "bar:300x30x8mm".parse().unwrap();
    let wood = Material::named("wood").unwrap();
    let model = bar.model(wood, &ShapeOptions::default()).unwrap();
    let bare = undamped(wood.young_pa, wood.density, wood.poisson);
    for ((f, d), f0) in model.frequencies_hz.iter().zip(&model.decays).zip(frequencies(&bar, &bare))
    {
        let omega = TAU * f0;
        assert!((d / (0.5 * (60.0 + 2e-6 * omega * omega)) - 1.0).abs() < 1e-12);
        assert!((f / ((omega * omega - d * d).sqrt() / TAU) - 1.0).abs() < 1e-12);
    }
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

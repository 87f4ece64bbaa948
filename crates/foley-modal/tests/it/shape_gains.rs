//! Mode shapes and gains: where it is struck matters.

use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use foley_measured::largest;
use foley_modal::shape::Modes;
use foley_modal::{Edge, End, Material, Shape, ShapeOptions};
use std::f64::consts::TAU;

fn first_modes() -> ShapeOptions {
    ShapeOptions::default()
        .with_min_hz(1.0)
        .with_max_hz(100e3)
        .with_max_modes(12)
        .with_radiation_budget_s(0.0)
}

fn steel() -> &'static Material {
    Material::named("steel").unwrap()
}

fn shapes() -> Vec<Shape> {
    let mut shapes = vec![
        Shape::membrane(0.35, 2000.0, 0.26).unwrap(),
        Shape::string(0.65, 0.001, 70.0).unwrap(),
        Shape::rod(0.2, 0.01, End::Free).unwrap(),
    ];
    for end in [End::Free, End::Clamped, End::Supported, End::Cantilever] {
        shapes.push(Shape::bar(0.3, 0.03, 0.008, end).unwrap());
    }
    for edge in [Edge::Free, Edge::Clamped, Edge::Supported] {
        shapes.push(Shape::plate(0.3, 0.2, 0.002, edge).unwrap());
        shapes.push(Shape::disc(0.2, 0.002, edge).unwrap());
    }
    shapes
}

/// Places and weights that integrate over the body; the weights sum to its mass.
fn quadrature(shape: &Shape, mass: f64) -> Vec<([f64; 3], f64)> {
    let n = 400;
    // Midpoints are exact enough for smooth shapes on lines; squares need fewer.
    let middle = |i: usize, n: usize, size: f64| size * ((i as f64 + 0.5) / n as f64 - 0.5);
    let line = |l: f64| -> Vec<_> {
        let n = 20 * n;
        (0..n).map(|i| ([middle(i, n, l), 0.0, 0.0], mass / n as f64)).collect()
    };
    let grid = |n: usize| (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
    let disc = |d: f64| -> Vec<_> {
        let (nr, nt) = (300, 40);
        let ring = move |i: usize| (i as f64 + 0.5) / nr as f64;
        (0..nr)
            .flat_map(move |i| (0..nt).map(move |j| (i, j)))
            .map(|(i, j)| {
                let (s, c) = (TAU * j as f64 / f64::from(nt)).sin_cos();
                let weight = mass * 2.0 * ring(i) / (nr as f64 * f64::from(nt));
                ([0.5 * d * ring(i) * c, 0.5 * d * ring(i) * s, 0.0], weight)
            })
            .collect()
    };
    match shape {
        Shape::Bar(bar) => line(bar.length()),
        Shape::String(string) => line(string.length()),
        Shape::Plate(plate) => {
            let (a, b, n) = (plate.length(), plate.width(), 160);
            let weight = mass / (n * n) as f64;
            grid(n).map(|(i, j)| ([middle(i, n, a), middle(j, n, b), 0.0], weight)).collect()
        }
        Shape::Disc(d) => disc(d.diameter()),
        Shape::Membrane(m) => disc(m.diameter()),
        _ => unreachable!(),
    }
}

/// ∫ ρ u_m u_n dV = δ_mn.
#[test]
fn mode_shapes_are_orthonormal() {
    let mut errors = Vec::new();
    for shape in shapes() {
        let modes = shape.modes(steel(), &first_modes()).unwrap();
        let n = modes.len();
        let mut inner = vec![0.0; n * n];
        for (place, weight) in quadrature(&shape, modes.body().mass_kg) {
            let u = modes.shapes_at(place);
            for i in 0..n {
                for j in 0..n {
                    inner[i * n + j] += weight * u[i] * u[j];
                }
            }
        }
        let expected = |k: usize| f64::from(u8::from(k / n == k % n));
        let error = largest(inner.iter().enumerate().map(|(k, v)| (v - expected(k)).abs()));
        println!("{shape}: {error:.1e}");
        errors.push(error);
    }
    foley_measured::check!("shapes.orthonormal", largest(errors));
}

#[test]
fn the_middle_of_a_bar_excites_no_antisymmetric_mode() {
    for end in [End::Free, End::Clamped, End::Supported] {
        let bar = Shape::bar(0.3, 0.03, 0.008, end).unwrap();
        let exact = bar.modes(steel(), &first_modes()).unwrap().gains_at([0.0; 3]);
        let sampled = bar.model(steel(), &first_modes()).unwrap().gains_at([0.0; 3]);
        for n in 0..exact.len() {
            assert_eq!(n % 2 == 1, exact[n] == 0.0, "{end:?} {n} {}", exact[n]);
            assert_eq!(n % 2 == 1, sampled[n] == 0.0, "{end:?} {n} {}", sampled[n]);
        }
    }
}

#[test]
fn a_node_is_silent() {
    // The first mode of a free bar rests at 0.2242 L from its ends (Fletcher & Rossing).
    let bar =
        Shape::bar(0.3, 0.03, 0.008, End::Free).unwrap().modes(steel(), &first_modes()).unwrap();
    let [node, end] = [0.22416, 0.0].map(|s| bar.gains_at([0.3 * (s - 0.5), 0.0, 0.0])[0]);
    assert!(node.abs() < 1e-4 * end.abs(), "{node} {end}");
    // A third of a string silences every third partial.
    let string = Shape::string(0.6, 0.001, 70.0).unwrap().modes(steel(), &first_modes()).unwrap();
    let gains = string.gains_at([0.6 * (1.0 / 3.0 - 0.5), 0.0, 0.0]);
    for (n, gain) in gains.iter().enumerate() {
        assert_eq!((n + 1) % 3 == 0, gain.abs() < 1e-9 * gains[0].abs(), "{n} {gain}");
    }
    // The centre of a disc moves only in modes without nodal diameters.
    let disc = Shape::disc(0.2, 0.002, Edge::Free).unwrap().modes(steel(), &first_modes()).unwrap();
    let gains = disc.gains_at([0.0; 3]);
    assert!(gains[0].abs() < 1e-12 && gains[2].abs() > 1.0, "{gains:?}");
    // Held edges do not move.
    for shape in shapes() {
        let held = shape.to_string().contains("clamped") || shape.to_string().contains("supported");
        if let (Shape::Plate(p), true) = (&shape, held) {
            let modes = shape.modes(steel(), &first_modes()).unwrap();
            let edge = modes.gains_at([0.5 * p.length(), 0.1 * p.width(), 0.0]);
            assert!(edge.iter().all(|g| g.abs() < 1e-8), "{shape} {edge:?}");
        }
    }
}

/// Linear interpolation between eight points on a half-wave: 2 % of an antinode.
#[test]
fn sampled_gains_agree_with_exact_ones() {
    let mut errors = Vec::new();
    for shape in shapes() {
        let options = first_modes().with_max_modes(6);
        let modes = shape.modes(steel(), &options).unwrap();
        let model = shape.model(steel(), &options).unwrap();
        let size = |axis: usize| model.points.iter().map(|p| p[axis]).fold(0.0, f64::max);
        for i in 0..40 {
            let turn = f64::from(i) * 2.399_963;
            let reach = 0.98 * (f64::from(i) / 40.0).sqrt();
            let place = [size(0) * reach * turn.cos(), size(1) * reach * turn.sin(), 0.0];
            let (exact, sampled) = (modes.gains_at(place), model.gains_at(place));
            for n in 0..modes.len() {
                let antinode = peak(&modes, &model.points, n);
                errors.push(100.0 * (exact[n] - f64::from(sampled[n])).abs() / antinode);
            }
        }
        // At the points themselves there is nothing to interpolate.
        let peaks: Vec<f64> = (0..modes.len()).map(|n| peak(&modes, &model.points, n)).collect();
        for k in (0..model.point_count()).step_by(7) {
            let sampled = model.gains_of_point(k);
            for (n, a) in modes.gains_at(model.points[k]).into_iter().enumerate() {
                assert!((a - f64::from(sampled[n])).abs() <= 1e-6 * peaks[n]);
            }
        }
        println!("{shape}: {:.2} %", largest(errors.iter().copied()));
    }
    foley_measured::check!("shapes.sampled_gains", largest(errors));
}

fn peak(modes: &Modes, points: &[[f64; 3]], n: usize) -> f64 {
    points.iter().step_by(5).map(|p| modes.gains_at(*p)[n].abs()).fold(0.0, f64::max)
}

/// a = u p by hand, for the end of a free bar: u = 2/√M there, and a mode that radiates its energy 1/2 at the rate 2 d_rad has
/// 4π p²/2ρc = d_rad.
#[test]
fn gains_have_physical_size() {
    let (l, w, h) = (0.3, 0.03, 0.008);
    let bar = Shape::bar(l, w, h, End::Free).unwrap();
    let modes = bar.modes(steel(), &first_modes()).unwrap();
    let mass = 7850.0 * l * w * h;
    assert!((modes.body().mass_kg - mass).abs() < 1e-12);
    let p = (AIR_IMPEDANCE_PA_S_M * modes.radiation_decays()[0] / TAU).sqrt();
    let gain = modes.gains_at([0.5 * l, 0.0, 0.0])[0];
    let error = (gain.abs() / (2.0 / mass.sqrt() * p) - 1.0).abs();
    foley_measured::check!("shapes.radiated_gain", error);
    println!("{gain} Pa at 1 m per N·s");
}

#[test]
fn bodies_are_flat_or_round() {
    let radius = |text: &str| {
        let shape: Shape = text.parse().unwrap();
        shape.model(steel(), &first_modes()).unwrap().body.radius_m
    };
    assert_eq!(radius("bar:300x30x8mm"), f64::INFINITY);
    assert_eq!(radius("rod:300x12mm"), 0.006);
    assert_eq!(radius("string:650x1mm,tension=70N"), 0.0005);
    assert_eq!(radius("disc:200x2mm"), f64::INFINITY);
}

#[test]
fn places_off_the_body_count_as_the_nearest() {
    let bar =
        Shape::bar(0.3, 0.03, 0.008, End::Free).unwrap().modes(steel(), &first_modes()).unwrap();
    assert_eq!(bar.gains_at([9.0, 5.0, -3.0]), bar.gains_at([0.15, 0.0, 0.0]));
    assert_eq!(bar.gains_at([f64::NAN, 0.0, 0.0]), bar.gains_at([0.0; 3]));
    let disc = Shape::disc(0.2, 0.002, Edge::Free).unwrap().modes(steel(), &first_modes()).unwrap();
    assert_eq!(disc.gains_at([7.0, 0.0, 0.0]), disc.gains_at([0.1, 0.0, 0.0]));
}

/// The radiation of a shape is solved once for all its sizes; it is that of each size by itself.
#[test]
fn sizes_share_their_radiation() {
    let steel = steel();
    let options = ShapeOptions::default().with_max_hz(2500.0).with_radiation_budget_s(3.0);
    for text in ["plate:300x200x2mm", "disc:200x2mm,edges=clamped", "bar:300x30x8mm"] {
        let shape: Shape = text.parse().unwrap();
        let sizes = [0.7, 1.0, 1.3];
        let mut found = Vec::new();
        shape.modes_of_sizes(&sizes, steel, &options, |modes| {
            found.push(modes.unwrap());
            true
        });
        // Each size has a plan of its own where it is solved by itself. What hardly radiates is left over from
        // cancellation, so that modes count by their power.
        let (mut differences, mut sum) = (0.0, 0.0);
        for (size, found) in sizes.iter().zip(&found) {
            let alone = shape.scaled(*size).unwrap().modes(steel, &options).unwrap();
            assert!(found.frequencies_hz().eq(alone.frequencies_hz()), "{text} {size}");
            for (a, b) in found.radiation_decays().iter().zip(alone.radiation_decays()) {
                differences += b * 10.0 * (a / b).log10().abs();
                sum += b;
            }
        }
        println!("{text}: {:.3} dB", differences / sum);
        assert!(differences < 1.0 * sum, "{text}: {} dB", differences / sum);
        // One solution for all: the power follows the law of sizes exactly.
        let law = found[0].body().mass_kg / found[2].body().mass_kg * (1.3_f64 / 0.7).powi(2);
        let ratio = found[2].radiation_decays()[0] / found[0].radiation_decays()[0];
        assert!(text.starts_with("bar") || (ratio / law - 1.0).abs() < 1e-9, "{text}: {ratio}");
    }
}

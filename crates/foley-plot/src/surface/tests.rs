//! Coloured surfaces against closed forms.

use foley_dsp::model::{ContactBody, Gains, ModalModel, ModalParts};
use foley_modal::{Material, Shape, ShapeOptions};
use glam::DVec3;
use std::f64::consts::PI;

use super::brightness::brightness;
use super::drawn_surface::DrawnSurface;
use super::modal_motion::motion;
use super::page::{ColoredSurface, view_pixels, window};
use super::{mode_shape, sound_map, view};
use crate::{mode_shape_picture, sound_map_picture};

const SIZE: (usize, usize) = (600, 400);

fn model(
    points: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    gains: Gains,
    modes: usize,
) -> ModalModel {
    ModalModel::new(ModalParts {
        name: "test".into(),
        frequencies_hz: (1..=modes).map(|n| 100.0 * (n * n) as f64).collect(),
        decays: vec![1.0; modes],
        points,
        triangles,
        gains,
        body: ContactBody { mass_kg: 1.0, young_pa: 7e10, poisson: 0.3, radius_m: f64::INFINITY },
        ..ModalParts::default()
    })
    .unwrap()
}

/// A square of side 1 about the origin, of n × n cells, with one mode.
fn square(n: u32, shape: impl Fn(f64, f64) -> f64) -> ModalModel {
    let place = |i: u32| f64::from(i) / f64::from(n) - 0.5;
    let cells = (0..=n).flat_map(|j| (0..=n).map(move |i| (i, j)));
    let points: Vec<[f64; 3]> = cells.map(|(i, j)| [place(i), place(j), 0.0]).collect();
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let triangles = (0..n).flat_map(|j| {
        (0..n).flat_map(move |i| {
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[p, q, r], [p, r, s]]
        })
    });
    let gains: Vec<f32> = points.iter().map(|p| shape(p[0], p[1]) as f32).collect();
    let triangles = triangles.collect();
    model(points, triangles, gains.into(), 1)
}

/// A line of length 1 about the origin whose mode n is sin nπx, as a held string's.
fn string(modes: usize, points: usize) -> ModalModel {
    let at = |i: usize| i as f64 / (points - 1) as f64;
    let gain = |i: usize, n: usize| ((n + 1) as f64 * PI * at(i)).sin() as f32;
    let gains: Vec<f32> = (0..points).flat_map(|i| (0..modes).map(move |n| gain(i, n))).collect();
    let places = (0..points).map(|i| [at(i) - 0.5, 0.0, 0.0]).collect();
    let segments = (1..points as u32).map(|i| [i - 1, i, i]).collect();
    model(places, segments, gains.into(), modes)
}

/// The pixels of the first view.
struct Shown<'a>(&'a ColoredSurface<'a>, Vec<[u8; 3]>);

impl<'a> Shown<'a> {
    fn new(colored: &'a ColoredSurface<'a>) -> Self {
        Self(colored, view_pixels(colored, &view::choose(colored.surface)[0], SIZE))
    }

    fn at(&self, p: DVec3) -> [u8; 3] {
        let view = view::choose(self.0.surface)[0];
        let place = window(self.0, &view, SIZE).place(view.of(p));
        self.1[place.y as usize * SIZE.0 + place.x as usize]
    }

    /// Between corners of the drawn surface.
    fn between(&self, corners: &[usize]) -> [u8; 3] {
        let sum: DVec3 = corners.iter().map(|&i| self.0.points[i]).sum();
        self.at(sum / corners.len() as f64)
    }
}

fn redness([r, _, b]: [u8; 3]) -> i32 {
    i32::from(r) - i32::from(b)
}

/// The first mode of a free bar rests at 0.2242 of its length from either end (Rayleigh), and
/// its ends move against its middle.
#[test]
fn a_free_bar_rests_at_its_two_nodes() {
    let bar: Shape = "bar:300x30x8mm".parse().unwrap();
    let bar = bar.model(Material::named("steel").unwrap(), &ShapeOptions::default()).unwrap();
    let surface = DrawnSurface::of(&bar).unwrap();
    let (colored, _) = mode_shape::colored(&surface, &motion(&bar, &surface, 0));
    let shown = Shown::new(&colored);
    let count = bar.point_count();
    let colors: Vec<i32> =
        (0..count).map(|k| redness(shown.between(&[2 * k, 2 * k + 1]))).collect();
    let (first, middle) = (colors[1], colors[count / 2]);
    assert!(first.signum() == -middle.signum() && first.abs().min(middle.abs()) > 60, "{colors:?}");
    let flips: Vec<f64> = (1..count)
        .filter(|k| colors[*k - 1].signum() * colors[*k].signum() == -1)
        .map(|k| (k as f64 - 0.5) / (count - 1) as f64)
        .collect();
    assert_eq!(flips.len(), 2, "{flips:?} {colors:?}");
    assert!((flips[0] - 0.2242).abs() < 0.02 && (flips[1] - 0.7758).abs() < 0.02, "{flips:?}");
}

/// sin 2πx sin 2πy: quarters that move against their neighbours, at rest between them.
#[test]
fn quarters_of_a_plate_have_the_signs_of_the_mode() {
    let plate = square(24, |x, y| (2.0 * PI * x).sin() * (2.0 * PI * y).sin());
    let surface = DrawnSurface::of(&plate).unwrap();
    let motion = motion(&plate, &surface, 0);
    let (colored, share) = mode_shape::colored(&surface, &motion);
    assert!((0.01..0.1).contains(&share), "{share}");
    let shown = Shown::new(&colored);
    let at = |i: usize, j: usize| redness(shown.between(&[j * 25 + i]));
    for (i, j, sign) in [(6, 6, 1), (18, 6, -1), (6, 18, -1), (18, 18, 1)] {
        assert!(sign * at(i, j) > 80, "{i} {j}: {}", at(i, j));
    }
    let dark = shown.between(&[12 * 25 + 6]);
    assert!(dark.iter().all(|c| *c < 120), "no line of rest: {dark:?}");
}

/// Of two modes f and 4f of a string the middle excites only the lower, and a strike close to an
/// end excites the upper twice as strongly: (f + 2 · 4f)/3.
#[test]
fn a_string_is_dark_in_the_middle_and_bright_at_its_ends() {
    let string = string(2, 401);
    let surface = DrawnSurface::of(&string).unwrap();
    let found = brightness(&string, &surface);
    assert!((found[2 * 200].unwrap() - 100.0).abs() < 1e-3);
    assert!((found[2].unwrap() - 300.0).abs() < 0.1, "{:?}", found[2]);
    assert_eq!(found[0], None, "a held end is silent");
    let quarter = (100.0 * 0.5f64.sqrt() + 400.0) / (0.5f64.sqrt() + 1.0);
    assert!((found[2 * 100].unwrap() - quarter).abs() < 1e-3);

    let (colored, scale) = sound_map::colored(&string, &surface).unwrap();
    assert!(scale.ends().0 < 110.0 && scale.ends().1 > 290.0);
    let shown = Shown::new(&colored);
    let light =
        |k: usize| shown.between(&[2 * k, 2 * k + 1]).iter().map(|c| u32::from(*c)).sum::<u32>();
    assert!(light(12) > light(100) && light(100) > light(200) + 60);
}

/// The same motion as vectors or along the normal, in order of frequency.
#[test]
fn vectors_along_the_normal_move_as_gains_do() {
    let plain = square(6, |x, y| x + 2.0 * y);
    let Gains::Normal(gains) = &plain.gains else { panic!() };
    let vectors = Gains::vectors(&[gains.iter().map(|a| [0.0, 0.0, *a]).collect()]);
    let surface = DrawnSurface::of(&plain).unwrap();
    let other =
        ModalModel::new(ModalParts { gains: vectors, ..plain.clone().into_parts() }).unwrap();
    let (a, b) = (motion(&plain, &surface, 0), motion(&other, &surface, 0));
    for (a, b) in a.outward.iter().zip(&b.outward) {
        assert!((a - b).abs() < 1e-3);
    }
    let within = Gains::vectors(&[gains.iter().map(|a| [*a, 0.0, 0.01]).collect()]);
    let within = ModalModel::new(ModalParts { gains: within, ..plain.into_parts() }).unwrap();
    let found = motion(&within, &surface, 0);
    assert!(found.within && found.outward.iter().all(|a| a.abs() < 0.1));
    // x + 2y is largest at two corners and zero in the middle.
    let sizes = mode_shape::sizes(&surface, &found).values;
    assert!((sizes[0] - 1.0).abs() < 1e-3 && (sizes[48] - 1.0).abs() < 1e-3 && sizes[24] < 0.02);
    let mut parts = string(3, 5).into_parts();
    parts.frequencies_hz = vec![300.0, 100.0, 200.0];
    let mixed = ModalModel::new(parts).unwrap();
    let order = [1, 2, 3, 4, 0].map(|number| mode_shape::by_frequency(&mixed, number));
    assert_eq!(order, [Some(1), Some(2), Some(0), None, None]);
}

/// A small triangle in front of a large one is visible and hides it only there.
#[test]
fn what_is_nearer_hides_what_is_behind() {
    let mut points = vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    points.extend([[-0.3, -0.5, 1.0], [0.3, -0.5, 1.0], [0.0, 0.2, 1.0]]);
    let shape: Vec<f32> = vec![1.0, 1.0, 1.0, -1.0, -1.0, -1.0];
    for triangles in [vec![[0, 1, 2], [3, 4, 5]], vec![[3, 4, 5], [0, 1, 2]]] {
        let two = model(points.clone(), triangles, shape.clone().into(), 1);
        let surface = DrawnSurface::of(&two).unwrap();
        let (colored, _) = mode_shape::colored(&surface, &motion(&two, &surface, 0));
        let shown = Shown::new(&colored);
        assert!(redness(shown.between(&[3, 4, 5])) < -60);
        assert!(redness(shown.between(&[0, 0, 0, 0, 0, 0, 0, 1, 2])) > 60);
    }
}

#[test]
fn odd_models_are_drawn_or_refused_in_words() {
    let refused = |model: &ModalModel, captions: &str| {
        for error in [mode_shape_picture(model, 1, &[]).err(), sound_map_picture(model).err()] {
            let error = error.map(|e| e.to_string()).unwrap_or_default();
            assert!(error.contains(captions), "{error}");
        }
    };
    let one = |points, triangles| model(points, triangles, vec![1.0; 3].into(), 1);
    refused(&one(vec![[0.0; 3]; 3], vec![]), "no surface");
    refused(&one(vec![[7.0; 3]; 3], vec![[0, 1, 2]]), "in one place");
    refused(&one(vec![[0.0; 3]; 3], vec![[0, 0, 0]]), "in one place");
    let silent = square(2, |_, _| 0.0);
    assert!(mode_shape_picture(&silent, 1, &[0]).is_ok());
    assert!(sound_map_picture(&silent).unwrap_err().to_string().contains("silent"));
    assert!(mode_shape_picture(&silent, 2, &[]).unwrap_err().to_string().contains("no mode 2"));
    let huge = vec![[-1e308, 0.0, 0.0], [1e308, 0.0, 0.0], [0.0, 1e308, 1e308]];
    let tiny = vec![[0.0; 3], [1e-300, 0.0, 0.0], [0.0, 1e-300, 0.0]];
    let upright = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0]];
    for points in [huge, tiny, upright] {
        for triangles in [vec![[0, 1, 2]], vec![[0, 1, 1], [1, 2, 2]]] {
            let model = one(points.clone(), triangles);
            assert!(
                mode_shape_picture(&model, 1, &[]).is_ok() && sound_map_picture(&model).is_ok()
            );
        }
    }
}

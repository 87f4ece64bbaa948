//! Directivity of baked models, in files and at other sizes.

use foley_dsp::model::{Directivity, Gains, ModalModel};
use foley_geometry::constants::SOUND_SPEED_M_S;
use foley_geometry::mesh::Mesh;
use foley_measured::check;
use foley_modal::bake::{self, Baked, Options};
use foley_modal::provenance::{Change, rescale};
use foley_modal::{Material, file};
use foley_waves::{Exterior, NormalVelocity, Surface};
use std::f64::consts::TAU;
use std::sync::LazyLock;

/// A glass plate of 200 × 150 × 3 mm, as a sheet.
static PLATE: LazyLock<(Mesh, Baked)> = LazyLock::new(|| {
    let (columns, rows, size) = (16, 12, [0.2, 0.15]);
    let place = |i: usize, cells: usize, size: f64| size * (i as f64 / cells as f64 - 0.5);
    let points = (0..=rows).flat_map(|j| {
        (0..=columns).map(move |i| [place(i, columns, size[0]), place(j, rows, size[1]), 0.0])
    });
    let at = |i: usize, j: usize| (j * (columns + 1) + i) as u32;
    let triangles = (0..rows).flat_map(|j| {
        (0..columns).flat_map(move |i| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
    });
    let mesh = Mesh::new(points.collect(), triangles.collect());
    let options = Options::default().with_thickness_m(3e-3).with_max_hz(3e3).with_compress(false);
    let baked = bake::bake(&mesh, "plate", Material::named("glass").unwrap(), options).unwrap();
    (mesh, baked)
});

fn directions(count: usize) -> impl Iterator<Item = [f64; 3]> {
    (0..count).map(move |i| {
        let z = (2.0 * i as f64 + 1.0) / count as f64 - 1.0;
        let (sin, cos) = (2.399_963 * i as f64).sin_cos();
        let s = (1.0 - z * z).sqrt();
        [s * cos, s * sin, z]
    })
}

fn db(ratio: f64) -> f64 {
    10.0 * ratio.log10()
}

/// Every mode is solved by itself at its own frequency on the mesh of the model, and the squares of its pressures are added up
/// in bands, each with its energy.
#[test]
fn bands_of_a_plate_have_the_pressures_of_its_modes() {
    let model = &PLATE.1.model;
    let found = model.directivity.as_ref().unwrap();
    let (Gains::Vector { levels, shapes }, Some(vibration)) = (&model.gains, &model.vibration)
    else {
        panic!("a baked model has vectors");
    };
    let surface = Surface::new(&model.points, &model.triangles).unwrap();
    let all: Vec<[f64; 3]> = directions(60).collect();
    let modes = model.mode_count();
    let (mut sums, mut energies) =
        (vec![vec![0.0; all.len()]; found.bands()], vec![0.0; found.bands()]);
    for n in 0..modes {
        let scale = f64::from(levels[n]) / f64::from(vibration.pressures_pa[n]);
        let at = |row: &[half::f16]| [0, 1, 2].map(|a| scale * row[3 * n + a].to_f64());
        let shape: Vec<[f64; 3]> = shapes.chunks(3 * modes).map(at).collect();
        let velocity = NormalVelocity::from_vectors(&surface, &shape).unwrap();
        let f = model.frequencies_hz[n];
        let exterior = Exterior::new(&surface, TAU * f / SOUND_SPEED_M_S).unwrap();
        let field = exterior.radiate(&[velocity]).unwrap().remove(0);
        let squares: f64 = shape.iter().flatten().map(|u| u * u).sum();
        // Radiated energy: power times energy over losses.
        let energy = field.power_w() * squares / model.decays[n];
        let mean = all.iter().map(|d| field.pressure_at(*d).norm_sqr()).sum::<f64>();
        assert!(mean > 0.0);
        let relative = |d: &[f64; 3]| {
            let mean = field.coefficients.iter().map(|c| c.norm_sqr()).sum::<f64>() / (2.0 * TAU);
            field.pressure_at(*d).norm_sqr() / mean
        };
        for band in 0..found.bands() {
            let apart = 3.0 * (f / found.hz_of_band(band)).log2();
            let weight = energy * (1.0 - apart.abs()).max(0.0);
            if weight > 0.0 {
                sums[band].iter_mut().zip(&all).for_each(|(sum, d)| *sum += weight * relative(d));
                energies[band] += weight;
            }
        }
    }
    let mut worst = 0.0_f64;
    for (i, direction) in all.iter().enumerate() {
        for (band, power) in found.toward(*direction, 1e-4).enumerate() {
            let truth = sums[band][i] / energies[band];
            if energies[band] > 0.0 && truth > 0.03 {
                let error = db(power / truth);
                if error.abs() > 1.0 {
                    println!(
                        "{:.0} Hz {direction:.2?}: {error:.2} of {:.1}",
                        found.hz_of_band(band),
                        db(truth)
                    );
                }
                worst = worst.max(error.abs());
            }
        }
    }
    check!("directivity.plate", worst);
}

fn front_and_edge(map: &Directivity, band: usize) -> [f64; 2] {
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]].map(|d| map.toward(d, 1e-4).nth(band).unwrap())
}

/// A thin plate is a dipole at low frequencies: the sum of its two sides is silent in its plane.
#[test]
fn a_plate_is_loud_in_front_and_silent_at_its_edge() {
    let map = PLATE.1.model.directivity.as_ref().unwrap();
    let [front, edge] = front_and_edge(map, 0);
    assert!(edge < 0.02 && front > edge, "{front} {edge}");
}

#[test]
fn directivity_survives_files_and_follows_the_size() {
    let Baked { model, provenance, .. } = &PLATE.1;
    let read = file::read(&file::write(model)).unwrap();
    assert_eq!(&read, model);
    let plain = ModalModel::new(foley_dsp::model::ModalParts {
        directivity: None,
        ..model.clone().into_parts()
    });
    let plain = plain.unwrap();
    assert_eq!(file::read(&file::write(&plain)).unwrap().directivity, None);

    let map = model.directivity.as_ref().unwrap();
    let change = Change { size: 2.0, ..Change::default() };
    let (large, _) = rescale(model, provenance, &change, 20e3).unwrap();
    let rescaled = large.directivity.clone().unwrap();
    assert!((rescaled.first_hz() / map.first_hz() - 0.5).abs() < 1e-9);
    assert_eq!(rescaled.coefficients(), map.coefficients());
    // In a softer material the same modes are lower, and beam less.
    let change = Change { young_pa: Some(model.body.young_pa / 16.0), ..Change::default() };
    let (soft, _) = rescale(model, provenance, &change, 20e3).unwrap();
    let soft = soft.directivity.clone().unwrap();
    let size = |map: &Directivity| {
        let each = (map.degree() + 1).pow(2);
        let last = &map.coefficients()[map.coefficients().len() - each..];
        last[9.min(each)..].iter().map(|c| f64::from(*c).powi(2)).sum::<f64>()
    };
    assert!((soft.first_hz() / map.first_hz()).log2() < -1.5);
    assert!(size(&soft) < 0.9 * size(map), "{} {}", size(&soft), size(map));
}

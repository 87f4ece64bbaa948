//! Invalid and extreme bodies: an error or a result, in bounded time.

use crate::solid_meshes;

use foley_eigen::{self as eigen, Options};
use foley_geometry::mesh::Mesh;
use foley_modal::fem::Elastic;
use foley_modal::fem::FemError;
use foley_modal::fem::solid::{Solid, SolidOptions, discretise};
use solid_meshes::{block, merged, rotated, sphere, torus};
use std::time::{Duration, Instant};

const STEEL: Elastic = Elastic { young_pa: 200e9, poisson: 0.3, density: 7850.0 };

fn small(mesh: &Mesh) -> Result<Solid, FemError> {
    let options = SolidOptions::default().with_max_unknowns(3000);
    discretise(mesh, &STEEL, &options)
}

fn first_omega(solid: &Solid) -> f64 {
    let modes = eigen::lowest(&solid.problem, 7, &mut Options::default()).unwrap();
    assert_eq!(modes.zero_modes, 6);
    modes.omega_squared[6].sqrt()
}

fn scaled(mut mesh: Mesh, by: f64) -> Mesh {
    mesh.vertices.iter_mut().for_each(|p| *p = p.map(|x| by * x));
    mesh
}

#[test]
fn surfaces_without_volume() {
    let triangle = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
    assert!(matches!(small(&triangle), Err(FemError::NoVolume { .. })));

    // Coplanar triangles without common vertices.
    let mut soup = Mesh::default();
    for i in 0..50 {
        let angles = [0.0, 0.0, 0.1 * f64::from(i)];
        soup = merged(soup, &rotated(triangle.clone(), angles, [0.2 * f64::from(i), 0.0, 0.0]));
    }
    assert!(matches!(small(&soup), Err(FemError::NoVolume { .. })));

    // A flattened block, and a block merged with its inverse.
    let mut flat = block([1.0, 1.0, 1.0]);
    flat.vertices.iter_mut().for_each(|p| p[2] = 0.0);
    assert!(matches!(small(&flat), Err(FemError::NoVolume { .. })));
    let mut negative = block([1.0; 3]);
    negative.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let nothing = merged(block([1.0; 3]), &negative);
    assert!(matches!(small(&nothing), Err(FemError::NoVolume { .. })));
}

#[test]
fn invalid_meshes() {
    assert!(matches!(small(&Mesh::default()), Err(FemError::Mesh(_))));
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let mut mesh = block([1.0; 3]);
        mesh.vertices[3][1] = bad;
        assert!(matches!(small(&mesh), Err(FemError::Mesh(_))));
    }
    let mut mesh = block([1.0; 3]);
    mesh.triangles[5][2] = 99;
    assert!(matches!(small(&mesh), Err(FemError::Mesh(_))));

    // A duplicated triangle.
    let mut twice = block([1.0; 3]);
    let lid = twice.triangles[0];
    twice.triangles.push(lid);
    let error = small(&twice).err().unwrap();
    assert!(matches!(error, FemError::NotClosed { .. }), "{error}");
    assert!(error.to_string().contains("close the mesh"));
}

#[test]
fn invalid_parameters() {
    let cube = block([1.0; 3]);
    for elastic in [
        Elastic { young_pa: f64::NAN, ..STEEL },
        Elastic { poisson: 0.5, ..STEEL },
        Elastic { density: -1.0, ..STEEL },
    ] {
        let result = discretise(&cube, &elastic, &SolidOptions::default());
        assert!(matches!(result, Err(FemError::Value { .. })));
    }
    let default = SolidOptions::default();
    for options in
        [default.with_max_hz(0.0), default.with_max_hz(f64::NAN), default.with_cell_m(-1.0)]
    {
        assert!(matches!(discretise(&cube, &STEEL, &options), Err(FemError::Value { .. })));
    }
    let none = default.with_max_unknowns(20);
    assert!(matches!(discretise(&cube, &STEEL, &none), Err(FemError::Budget { .. })));
    // A limit too small for such fine cells is respected, with a note.
    let fine = default.with_cell_m(1e-12).with_max_unknowns(2000);
    let solid = discretise(&cube, &STEEL, &fine).unwrap();
    assert!(solid.problem.unknowns() <= 2000 && solid.notes.len() == 1);
    assert!(first_omega(&solid) > 0.0);
}

/// ω ∝ 1/size over fifteen orders of magnitude.
#[test]
fn frequencies_scale_with_size() {
    let mesh = rotated(block([1.0, 0.7, 0.4]), [0.3, 0.2, 0.1], [0.0; 3]);
    let omega = first_omega(&discretise(&mesh, &STEEL, &cells(0.2)).unwrap());
    for size in [1e-9, 1e6] {
        let solid = discretise(&scaled(mesh.clone(), size), &STEEL, &cells(0.2 * size)).unwrap();
        assert!((first_omega(&solid) * size / omega - 1.0).abs() < 1e-6);
        assert!(small(&scaled(mesh.clone(), size)).is_ok());
    }
}

fn cells(size: f64) -> SolidOptions {
    SolidOptions::default().with_cell_m(size)
}

/// An open rim is filled; an inverted mesh has the same modes.
#[test]
fn open_and_inverted_blocks() {
    let closed = first_omega(&discretise(&block([1.0, 0.7, 0.4]), &STEEL, &cells(0.3)).unwrap());
    let mut open = block([1.0, 0.7, 0.4]);
    open.triangles.truncate(10);
    let solid = discretise(&open, &STEEL, &cells(0.3)).unwrap();
    assert_eq!((solid.filled_rims, solid.notes.len()), (1, 1));
    assert!((solid.volume_m3 - 0.28).abs() < 1e-12);
    assert!((first_omega(&solid) / closed - 1.0).abs() < 1e-6);

    let mut inverted = block([1.0, 0.7, 0.4]);
    inverted.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let solid = discretise(&inverted, &STEEL, &cells(0.3)).unwrap();
    assert!((first_omega(&solid) / closed - 1.0).abs() < 1e-6);
}

/// Foil is too thin for any grid within the limits: an error that recommends a shell.
#[test]
fn foil() {
    let foil = rotated(block([1.0, 1.0, 1e-8]), [0.3, 0.2, 0.1], [0.0; 3]);
    match small(&foil) {
        Err(error) => assert!(error.to_string().contains("thin shell"), "{error}"),
        Ok(_) => panic!("a foil of 10 nm has no cells"),
    }
}

/// Thousands of overlapping tetrahedra: overlaps multiply the density, and the work is bounded.
#[test]
fn overlapping_splinters() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut mesh = Mesh::default();
    for n in 0..1500 {
        let mut p: [[f64; 3]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| random()));
        let e: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|a| p[i + 1][a] - p[0][a]));
        let det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1])
            + e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2])
            + e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        if det < 0.0 {
            p.swap(0, 1);
        }
        mesh.vertices.extend(p);
        mesh.triangles
            .extend([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].map(|t| t.map(|v| v + 4 * n)));
    }
    let solid = small(&mesh).unwrap();
    assert!(first_omega(&solid) > 0.0);
}

/// A mesh of 30,000 vertices is discretised in seconds.
#[test]
fn many_triangles() {
    let mesh = rotated(torus(0.1, 0.03, 300, 100), [0.3, 0.2, 0.1], [0.0; 3]);
    let start = Instant::now();
    let solid = discretise(&mesh, &STEEL, &SolidOptions::default()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let torus = 2.0 * std::f64::consts::PI.powi(2) * 0.1 * 0.03 * 0.03;
    assert!((solid.volume_m3 / torus - 1.0).abs() < 2e-3);
    assert!(discretise(&sphere(5), &STEEL, &cells(0.5)).unwrap().cut_cells > 0);
}

//! Solid bodies against theory, and independence of their position in the grid.

use crate::solid_closed_forms;
use crate::solid_meshes;
use crate::solid_ritz;

use foley_eigen::{self as eigen, Modes, Options};
use foley_geometry::mesh::{Density, Mesh, builtin};
use foley_measured::largest;
use foley_modal::fem::Elastic;
use foley_modal::fem::solid::{Solid, SolidOptions, discretise};
use solid_meshes::{block, merged, rotated, sphere};
use std::f64::consts::TAU;

const STEEL: Elastic = Elastic { young_pa: 200e9, poisson: 0.3, density: 7850.0 };
const ROTATIONS: [[f64; 3]; 3] = [[0.3, 0.7, 1.1], [0.01, 0.02, -0.015], [2.0, -0.4, 0.9]];

fn solid(mesh: &Mesh, cell_m: f64) -> Solid {
    let options = SolidOptions::default().with_cell_m(cell_m);
    discretise(mesh, &STEEL, &options).unwrap()
}

fn modes(solid: &Solid, count: usize) -> Modes {
    eigen::lowest(&solid.problem, count, &mut Options::default()).unwrap()
}

/// The first elastic frequencies; exactly six modes before them are zero.
fn elastic_hz(mesh: &Mesh, cell_m: f64, count: usize) -> Vec<f64> {
    let modes = modes(&solid(mesh, cell_m), count + 6);
    assert_eq!(modes.zero_modes, 6);
    // All six are zero to rounding.
    assert!(modes.omega_squared[5] < 1e-6 * modes.omega_squared[6], "{:?}", modes.omega_squared);
    modes.omega_squared[6..].iter().map(|l| l.sqrt() / TAU).collect()
}

/// Returns the largest error, %.
#[track_caller]
fn percent(found: &[f64], expected: &[f64]) -> f64 {
    assert!(expected.len() >= found.len());
    let errors = found.iter().zip(expected).enumerate().map(|(i, (f, e))| {
        println!("mode {i}: {f:.3} for {e:.3}, {:+.3} %", 100.0 * (f / e - 1.0));
        100.0 * (f / e - 1.0).abs()
    });
    largest(errors)
}

/// Returns the largest error of a block, aligned with the grid or rotated, %. Rotation changes less.
#[track_caller]
fn block_percent(size: [f64; 3], order: [usize; 3], cell: f64, count: usize) -> f64 {
    let truth = solid_ritz::block_hz(size, &STEEL, order);
    let aligned = elastic_hz(&block(size), cell, count);
    let mut errors = vec![percent(&aligned, &truth)];
    for angles in ROTATIONS {
        let found = elastic_hz(&rotated(block(size), angles, [0.3, -7.0, 1.0]), cell, count);
        foley_measured::check!("meshes.solid_rotated", percent(&found, &aligned));
        errors.push(percent(&found, &truth));
    }
    largest(errors)
}

#[test]
fn cube() {
    foley_measured::check!("meshes.solid_cube", block_percent([0.1; 3], [12; 3], 0.02, 12));
}

#[test]
fn parallelepiped() {
    let error = block_percent([0.1, 0.08, 0.06], [12; 3], 0.016, 12);
    foley_measured::check!("meshes.solid_block", error);
}

#[test]
fn thick_plate() {
    let error = block_percent([0.1, 0.07, 0.01], [14, 14, 6], 0.006, 10);
    foley_measured::check!("meshes.solid_thick_plate", error);
}

#[test]
fn long_block() {
    let error = block_percent([0.2, 0.02, 0.014], [18, 8, 8], 0.007, 10);
    foley_measured::check!("meshes.solid_long_block", error);
}

/// A slender rod against Timoshenko (bending), Saint-Venant (torsion) and longitudinal waves.
#[test]
fn slender_rod_by_classical_theory() {
    let [length, height, width] = [1.0, 0.04, 0.03];
    let Elastic { young_pa, poisson, density } = STEEL;
    let along = (young_pa / density).sqrt() / (2.0 * length);
    let about = (young_pa / (2.0 * (1.0 + poisson) * density)).sqrt() / (2.0 * length)
        * solid_closed_forms::torsion_factor(height, width);
    let constants = [young_pa, poisson, density];
    let mut truth = solid_closed_forms::timoshenko_hz([length, height, width], constants, 4000.0);
    truth.extend(solid_closed_forms::timoshenko_hz([length, width, height], constants, 4000.0));
    truth.extend([along, about, 2.0 * about]);
    truth.sort_by(f64::total_cmp);
    let mesh = block([length, height, width]);
    for mesh in [mesh.clone(), rotated(mesh, [0.4, 0.3, 0.2], [0.0; 3])] {
        let error = percent(&elastic_hz(&mesh, 0.02, 11), &truth);
        foley_measured::check!("meshes.solid_rod", error);
    }
}

/// Lamb's toroidal and spheroidal modes of the exact sphere.
#[test]
fn sphere_of_lamb() {
    let truth = solid_closed_forms::sphere_eta(STEEL.poisson, 7.0);
    // From the literature: ₀T₂ of any sphere; ₀S₂ for ν = ¼.
    assert!((truth[0] - 2.501).abs() < 1e-3, "{}", truth[0]);
    let quarter = solid_closed_forms::sphere_eta(0.25, 3.0);
    assert!(quarter.iter().any(|eta| (eta - 2.640).abs() < 1e-3), "{quarter:?}");
    let shear = (STEEL.lame()[1] / STEEL.density).sqrt();
    for angles in [[0.0; 3], ROTATIONS[0]] {
        let found = elastic_hz(&rotated(sphere(4), angles, [0.1; 3]), 0.4, 30);
        let eta: Vec<f64> = found.iter().map(|f| TAU * f / shear).collect();
        foley_measured::check!("meshes.solid_sphere", percent(&eta, &truth));
    }
}

/// Six zero modes and equal frequencies for many positions in the grid.
#[test]
fn position_in_the_grid_does_not_matter() {
    let truth = solid_ritz::block_hz([1.0, 0.5, 0.2], &STEEL, [14, 10, 6]);
    let mut errors = Vec::new();
    for n in 0..24 {
        let n = f64::from(n);
        let angles = [0.37 * n, 0.61 * n, 0.83 * n];
        let found = elastic_hz(&rotated(block([1.0, 0.5, 0.2]), angles, [n, 0.0, -n]), 0.14, 6);
        errors.push(percent(&found, &truth));
        // Rayleigh–Ritz on the exact shape: never too low.
        assert!(found.iter().zip(&truth).all(|(f, t)| *f > 0.9995 * t), "{found:?} {truth:?}");
    }
    foley_measured::check!("meshes.solid_positions", largest(errors));
}

#[test]
fn two_bodies_have_twelve_zero_modes() {
    let far = rotated(block([0.1, 0.08, 0.06]), [0.4, 0.2, 0.1], [0.3, 0.0, 0.0]);
    let pair = merged(block([0.1; 3]), &far);
    let solid = solid(&pair, 0.03);
    assert_eq!((solid.bodies, solid.notes.len()), (2, 0));
    let modes = modes(&solid, 20);
    assert_eq!(modes.zero_modes, 12);
    let alone = solid_ritz::block_hz([0.1, 0.08, 0.06], &STEEL, [12; 3])[0];
    let error = 100.0 * (modes.omega_squared[12].sqrt() / TAU / alone - 1.0).abs();
    foley_measured::check!("meshes.solid_two_bodies", error);
}

/// Overlapping pieces are joined, with a note.
#[test]
fn overlapping_pieces_are_one_body() {
    let [half, other] =
        [-0.22, 0.22].map(|x| rotated(block([0.5, 0.1, 0.1]), [0.0; 3], [x, 0.0, 0.0]));
    let solid = solid(&merged(half, &other), 0.05);
    assert_eq!((solid.bodies, solid.notes.len()), (1, 1));
    assert_eq!(modes(&solid, 8).zero_modes, 6);
}

/// Thin walls in cells four times as thick: the frequencies of a bowl converge quickly from
/// above as the cells shrink.
#[test]
fn thin_bowl_converges_from_above() {
    let bowl = builtin("bowl-closed", Density::Medium).unwrap();
    let [coarse, middle, fine] = [0.018, 0.012, 0.009].map(|cell| elastic_hz(&bowl, cell, 10));
    for i in 0..10 {
        assert!(coarse[i] > middle[i] && middle[i] > fine[i]);
    }
    foley_measured::check!("meshes.solid_thin_bowl", percent(&middle[..8], &fine));
    assert!(percent(&middle, &fine) < 2.0);
}

/// The default cell size is within 1 % of much finer cells.
#[test]
fn default_cells_suffice() {
    let bar = builtin("marimba-bar", Density::Coarse).unwrap();
    let options = SolidOptions::default().with_max_hz(5000.0);
    let chosen = discretise(&bar, &STEEL, &options).unwrap();
    assert!(chosen.notes.is_empty());
    let found: Vec<f64> =
        modes(&chosen, 16).omega_squared[6..].iter().map(|l| l.sqrt() / TAU).collect();
    let error = percent(&found, &elastic_hz(&bar, 0.0055, 10));
    foley_measured::check!("meshes.solid_default_cells", error);
}

/// The mass matrix has the mass of the mesh, and zero modes are rigid motions at its vertices.
#[test]
fn rigid_motions_at_the_vertices() {
    let mesh =
        rotated(builtin("mug-closed", Density::Coarse).unwrap(), ROTATIONS[0], [0.5, 0.0, 0.0]);
    let solid = solid(&mesh, 0.012);
    let mass: f64 = solid
        .problem
        .mass()
        .lower()
        .filter(|(i, _, _)| i % 3 == 0)
        .map(|(i, j, m)| if i == j { m } else { 2.0 * m })
        .sum();
    assert!((mass / solid.mass_kg - 1.0).abs() < 1e-5);
    let modes = modes(&solid, 7);
    let at = solid.at(&mesh.vertices);
    assert_eq!(at.len(), mesh.vertices.len());
    for zero in 0..6 {
        let motion = at.displacements(modes.vector(zero));
        let size = motion.iter().flatten().fold(0.0, |size: f64, u| size.max(u.abs()));
        // A rigid motion keeps all distances: (u − v)·(x − y) = 0.
        let n = motion.len();
        let stretch = |i: usize| -> f64 {
            let j = (7 * i + n / 2) % n;
            let product = |a: usize| {
                (mesh.vertices[i][a] - mesh.vertices[j][a]) * (motion[i][a] - motion[j][a])
            };
            (product(0) + product(1) + product(2)).abs() / (0.1 * size)
        };
        let mut stretches: Vec<f64> = (0..n).map(stretch).collect();
        stretches.sort_by(f64::total_cmp);
        // Nearly empty cells are soft, and their vertices less accurate.
        assert!(stretches[n * 9 / 10] < 1e-6, "{}", stretches[n * 9 / 10]);
        assert!(stretches[n - 1] < 1e-3, "{}", stretches[n - 1]);
    }
    let outside = solid.at(&[[f64::NAN; 3], [1e9, 0.0, 0.0]]).displacements(modes.vector(6));
    assert!(outside.iter().flatten().all(|u| u.is_finite()));
}

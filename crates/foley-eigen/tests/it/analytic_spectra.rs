//! The sparse eigensolver against closed forms and an independent dense solve.

use crate::block;

use std::f64::consts::PI;

use block::Block;
use faer::{Mat, Side};
use foley_eigen::{self as eigen, EigenError, Matrix, Modes, Options, Problem};
use foley_measured::largest;

fn diagonal(name: &'static str, values: &[f64]) -> Matrix {
    let entries = values.iter().enumerate().map(|(i, v)| (i, i, *v));
    Matrix::from_triplets(name, values.len(), entries).unwrap()
}

fn lowest(problem: &Problem, count: usize) -> Modes {
    eigen::lowest(problem, count, &mut Options::default()).unwrap()
}

/// Returns the largest relative error. Nothing has none.
#[track_caller]
fn error(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let of = |(f, e): (&f64, &f64)| if f == e { 0.0 } else { (f - e).abs() / e.abs() };
    if found.is_empty() { 0.0 } else { largest(found.iter().zip(expected).map(of)) }
}

/// uᵢᵀ M uⱼ = δ, and every residual is small.
fn assert_orthonormal_with_small_residuals(problem: &Problem, modes: &Modes) {
    let u = modes.vectors();
    let mut mass_u = Mat::<f64>::zeros(u.nrows(), u.ncols());
    for (i, j, m) in problem.mass().lower() {
        for c in 0..u.ncols() {
            mass_u[(i, c)] += m * u[(j, c)];
            if i != j {
                mass_u[(j, c)] += m * u[(i, c)];
            }
        }
    }
    let gram = u.transpose() * &mass_u;
    for i in 0..u.ncols() {
        for j in 0..u.ncols() {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert!((gram[(i, j)] - expected).abs() < 1e-7, "{i} {j}: {}", gram[(i, j)]);
        }
    }
    assert!(modes.residuals.iter().all(|r| *r < 1e-6), "{:?}", modes.residuals);
}

/// Fixed chain of n masses: λ = 4 sin²(kπ / 2(n+1)).
#[test]
fn string_of_masses() {
    let n = 5000;
    let springs = (0..n).map(|i| (i, i, 2.0)).chain((1..n).map(|i| (i, i - 1, -1.0)));
    let stiffness = Matrix::from_triplets("stiffness", n, springs).unwrap();
    let problem = Problem::new(stiffness, diagonal("mass", &vec![1.0; n])).unwrap();
    let modes = lowest(&problem, 60);
    let exact = |k: usize| 4.0 * (k as f64 * PI / (2 * (n + 1)) as f64).sin().powi(2);
    let expected: Vec<f64> = (1..=60).map(exact).collect();
    foley_measured::check!("eigen.string", error(&modes.omega_squared, &expected));
    assert_eq!(modes.zero_modes, 0);
    assert_orthonormal_with_small_residuals(&problem, &modes);
}

fn cube(side: usize) -> (Problem, Vec<f64>) {
    let n = side * side * side;
    let at = |i: usize| [i % side, i / side % side, i / (side * side)];
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push((i, i, 6.0));
        for (axis, step) in [1, side, side * side].into_iter().enumerate() {
            if at(i)[axis] > 0 {
                entries.push((i, i - step, -1.0));
            }
        }
    }
    let stiffness = Matrix::from_triplets("stiffness", n, entries).unwrap();
    let coordinates = (0..n).map(|i| at(i).map(|x| x as f64)).collect();
    let problem = Problem::new(stiffness, diagonal("mass", &vec![1.0; n])).unwrap();
    let part = |k: usize| 4.0 * ((k + 1) as f64 * PI / (2 * (side + 1)) as f64).sin().powi(2);
    let mut exact: Vec<f64> = (0..n).map(|i| at(i).map(part).iter().sum()).collect();
    exact.sort_by(f64::total_cmp);
    (problem.with_coordinates(coordinates).unwrap(), exact)
}

/// Modes of a cube are up to sixfold.
#[test]
fn cube_with_multiplicities() {
    let (problem, exact) = cube(14);
    let modes = lowest(&problem, 120);
    foley_measured::check!("eigen.cube", error(&modes.omega_squared, &exact[..120]));
    assert_orthonormal_with_small_residuals(&problem, &modes);
}

#[test]
fn band_inside_the_spectrum() {
    let (problem, exact) = cube(14);
    for (low, high) in [(0.0, 0.9), (0.5, 1.1), (1.3, 1.301), (0.0, 0.01)] {
        let inside = |l: f64| l.sqrt() >= low && l.sqrt() < high;
        let expected: Vec<f64> = exact.iter().copied().filter(|l| inside(*l)).collect();
        let modes = eigen::band(&problem, low, high, 1000, &mut Options::default()).unwrap();
        foley_measured::check!("eigen.cube", error(&modes.omega_squared, &expected));
        if !modes.is_empty() {
            assert_orthonormal_with_small_residuals(&problem, &modes);
        }
        let count = eigen::count_below(&problem, high, &mut Options::default()).unwrap();
        assert_eq!(count, exact.iter().filter(|l| l.sqrt() < high).count());
    }
}

/// Several slices; then only the lowest modes of them.
#[test]
fn wide_band() {
    let (problem, exact) = cube(14);
    let all = exact.iter().filter(|l| l.sqrt() < 1.95).count();
    assert!(all > 320, "{all}");
    // Each slice has its own shift and factor.
    let (mut slices, mut before) = (0, None);
    let mut watch = |stage: eigen::Stage, _: f64| {
        let begins = stage == eigen::Stage::Iterating && before != Some(stage);
        slices += usize::from(begins);
        before = Some(stage);
        true
    };
    let mut options = Options::default().with_progress(&mut watch);
    let modes = eigen::band(&problem, 0.0, 1.95, 4000, &mut options).unwrap();
    assert!(slices > 1, "{slices}");
    foley_measured::check!("eigen.cube", error(&modes.omega_squared, &exact[..all]));
    assert_orthonormal_with_small_residuals(&problem, &modes);
    let modes = eigen::band(&problem, 0.0, 1.95, 30, &mut Options::default()).unwrap();
    foley_measured::check!("eigen.cube", error(&modes.omega_squared, &exact[..30]));
}

/// Independent reference: M⁻¹ᐟ² K M⁻¹ᐟ² from the spectrum of M.
fn dense(problem: &Problem) -> Vec<f64> {
    let n = problem.unknowns();
    let full = |a: &Matrix| {
        let mut full = Mat::<f64>::zeros(n, n);
        for (i, j, v) in a.lower() {
            full[(i, j)] = v;
            full[(j, i)] = v;
        }
        full
    };
    let (k, m) = (full(problem.stiffness()), full(problem.mass()));
    let (k_norm, m_norm) = (k.norm_max().max(f64::MIN_POSITIVE), m.norm_max());
    let m = (m * faer::Scale(1.0 / m_norm)).self_adjoint_eigen(Side::Lower).unwrap();
    let root = Mat::from_fn(n, n, |i, j| m.U()[(i, j)] / m.S()[j].sqrt());
    let c = root.transpose() * (k * faer::Scale(1.0 / k_norm)) * &root;
    let norm = c.norm_max().max(f64::MIN_POSITIVE);
    let c = Mat::from_fn(n, n, |i, j| 0.5 * (c[(i, j)] + c[(j, i)]) / norm);
    let s = c.self_adjoint_eigen(Side::Lower).unwrap();
    (0..n).map(|i| s.S()[i] * norm * (k_norm / m_norm)).collect()
}

#[test]
fn free_block_against_dense() {
    // 504 unknowns go to the dense path, 1155 to the sparse one.
    for cells in [[6, 5, 3], [10, 6, 4]] {
        let problem = Block::steel([0.3, 0.2, 0.1], cells).problem().unwrap();
        let modes = lowest(&problem, 40);
        assert_eq!(modes.zero_modes, 6);
        let expected = dense(&problem);
        let scale = expected[6];
        assert!(modes.omega_squared[..6].iter().all(|l| *l < 1e-7 * scale));
        let error = error(&modes.omega_squared[6..], &expected[6..40]);
        foley_measured::check!("eigen.block", error);
        assert_orthonormal_with_small_residuals(&problem, &modes);
    }
}

#[test]
fn coordinates_do_not_change_the_modes() {
    let problem = Block::steel([0.3, 0.2, 0.1], [10, 6, 4]).problem().unwrap();
    let bare = Problem::new(problem.stiffness().clone(), problem.mass().clone()).unwrap();
    let (with, without) = (lowest(&problem, 40), lowest(&bare, 40));
    let change = error(&with.omega_squared[6..], &without.omega_squared[6..]);
    foley_measured::check!("eigen.order", change);
}

/// A long thin bar: its lowest λ are ten orders of magnitude below the highest.
#[test]
fn thin_bar_keeps_its_low_modes() {
    let problem = Block::steel([2.0, 0.004, 0.004], [200, 1, 1]).problem().unwrap();
    let modes = lowest(&problem, 16);
    assert_eq!(modes.zero_modes, 6);
    // Square section: bending modes come in pairs, in the ratios of the free bar.
    let omega: Vec<f64> = modes.omega_squared.iter().map(|l| l.sqrt()).collect();
    assert!((omega[7] / omega[6] - 1.0).abs() < 1e-4, "{omega:?}");
    assert!((omega[8] / omega[6] - 2.757).abs() < 0.01, "{omega:?}");
    assert!((omega[10] / omega[6] - 5.404).abs() < 0.03, "{omega:?}");
}

#[test]
fn hundreds_of_equal_modes() {
    let n = 1500;
    let values: Vec<f64> = (0..n).map(|i| if i % 5 == 0 { 3.0 } else { 4.0 + i as f64 }).collect();
    let problem = Problem::new(diagonal("stiffness", &values), diagonal("mass", &vec![1.0; n]));
    let problem = problem.unwrap();
    let mut sorted = values;
    sorted.sort_by(f64::total_cmp);
    // Fewer modes than copies, and more.
    for count in [100, 360] {
        let modes = lowest(&problem, count);
        foley_measured::check!("eigen.equal_modes", error(&modes.omega_squared, &sorted[..count]));
        assert_orthonormal_with_small_residuals(&problem, &modes);
    }
}

#[test]
fn zero_stiffness() {
    for n in [40, 900] {
        let stiffness = Matrix::from_triplets("stiffness", n, []).unwrap();
        let problem = Problem::new(stiffness, diagonal("mass", &vec![2.0; n])).unwrap();
        let modes = lowest(&problem, 30);
        assert_eq!((modes.len(), modes.zero_modes), (30, 30));
        assert!(modes.omega_squared.iter().all(|l| *l == 0.0));
        assert_orthonormal_with_small_residuals(&problem, &modes);
    }
}

#[test]
fn any_units() {
    let block = Block::steel([0.3, 0.2, 0.1], [10, 6, 4]);
    let reference = lowest(&block.problem().unwrap(), 30);
    for (k, m) in [(1e-12, 1.0), (1e15, 1.0), (1.0, 1e-12), (1.0, 1e15), (1e15, 1e-12)] {
        let scaled = Block { young: block.young * k, density: block.density * m, ..block };
        let modes = lowest(&scaled.problem().unwrap(), 30);
        assert_eq!(modes.zero_modes, 6);
        let same: Vec<f64> = modes.omega_squared[6..].iter().map(|l| l / k * m).collect();
        foley_measured::check!("eigen.units", error(&same, &reference.omega_squared[6..]));
    }
}

#[test]
fn repeated_solves_are_identical() {
    let problem = Block::steel([0.3, 0.2, 0.1], [10, 6, 4]).problem().unwrap();
    assert_eq!(lowest(&problem, 30).omega_squared, lowest(&problem, 30).omega_squared);
}

#[test]
fn cancelled_and_over_memory() {
    let problem = Block::steel([0.3, 0.2, 0.1], [10, 6, 4]).problem().unwrap();
    let mut calls = 0;
    let mut stop = |_: eigen::Stage, done: f64| {
        assert!((0.0..=1.0).contains(&done));
        calls += 1;
        calls < 4
    };
    let mut options = Options::default().with_progress(&mut stop);
    let cancelled = eigen::lowest(&problem, 30, &mut options).unwrap_err();
    assert_eq!(cancelled, EigenError::Cancelled);
    let mut options = Options::default().with_memory_limit(1 << 20);
    let refused = eigen::lowest(&problem, 30, &mut options).unwrap_err();
    assert!(matches!(refused, EigenError::OverMemory { limit_mib: 1, .. }), "{refused}");
    assert!(refused.to_string().contains("coarser"));
}

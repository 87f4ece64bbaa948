//! Invalid matrices give a clear error; random valid ones the right result.

use faer::{Mat, Side};
use foley_eigen::{self as eigen, EigenError, Matrix, Options, Problem};
use proptest::prelude::*;

fn matrix(n: usize, entries: &[(usize, usize, f64)]) -> Result<Matrix, EigenError> {
    Matrix::from_triplets("stiffness", n, entries.iter().copied())
}

fn lowest(k: Matrix, m: Matrix, count: usize) -> Result<eigen::Modes, EigenError> {
    eigen::lowest(&Problem::new(k, m)?, count, &mut Options::default())
}

fn diagonal(values: impl IntoIterator<Item = f64>) -> Matrix {
    let entries: Vec<_> = values.into_iter().enumerate().map(|(i, v)| (i, i, v)).collect();
    matrix(entries.len(), &entries).unwrap()
}

#[test]
fn invalid_entries() {
    assert_eq!(matrix(0, &[]), Err(EigenError::Empty));
    assert!(matches!(matrix(2, &[(2, 0, 1.0)]), Err(EigenError::OutOfRange { row: 2, .. })));
    for bad in [f64::NAN, f64::INFINITY] {
        assert!(matches!(matrix(2, &[(1, 1, bad)]), Err(EigenError::NotFinite { row: 1, .. })));
    }
    let overflow = matrix(1, &[(0, 0, f64::MAX), (0, 0, f64::MAX)]);
    assert!(matches!(overflow, Err(EigenError::NotFinite { .. })));
    let upper = matrix(2, &[(0, 0, 2.0), (1, 0, 1.0), (0, 1, 1.0), (1, 1, 2.0)]);
    assert!(matches!(upper, Err(EigenError::AboveDiagonal { row: 0, column: 1, .. })));
    assert!(matrix(2, &[(0, 0, 1.0), (1, 0, 0.5)]).is_ok());
}

#[test]
fn matrices_of_different_sizes() {
    let wrong = Problem::new(diagonal([1.0; 3]), diagonal([1.0; 2])).unwrap_err();
    assert!(matches!(wrong, EigenError::Size { expected: 3, found: 2, .. }));
    let problem = Problem::new(diagonal([1.0; 3]), diagonal([1.0; 3])).unwrap();
    assert!(problem.clone().with_coordinates(vec![[0.0; 3]; 2]).is_err());
    assert!(problem.clone().with_coordinates(vec![[f64::NAN; 3]; 3]).is_err());
    assert_eq!(eigen::lowest(&problem, 0, &mut Options::default()).unwrap_err(), EigenError::Empty);
    for (low, high) in [(1.0, 1.0), (-1.0, 2.0), (0.0, f64::NAN), (0.0, f64::INFINITY)] {
        let band = eigen::band(&problem, low, high, 5, &mut Options::default());
        assert!(matches!(band, Err(EigenError::Band { .. })), "{low} {high}");
    }
}

/// Definiteness is checked by the dense and by the sparse solver.
#[test]
fn indefinite_matrices() {
    for n in [20, 1000] {
        let one = || diagonal(vec![1.0; n]);
        let mass_zero = diagonal((0..n).map(|i| if i == 7 { 0.0 } else { 1.0 }));
        assert_eq!(lowest(one(), mass_zero, 5).unwrap_err(), EigenError::MassNotDefinite);
        let chain = |off: f64| {
            let diagonal = (0..n).map(|i| (i, i, 1.0));
            let beside = (1..n).map(|i| (i, i - 1, off));
            matrix(n, &diagonal.chain(beside).collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(lowest(one(), chain(0.7), 5).unwrap_err(), EigenError::MassNotDefinite);
        assert_eq!(lowest(chain(0.7), one(), 5).unwrap_err(), EigenError::StiffnessNegative);
        assert!(lowest(chain(0.49), chain(0.49), 5).is_ok());
    }
}

#[test]
fn more_modes_than_unknowns() {
    assert_eq!(lowest(diagonal([1.0, 2.0]), diagonal([1.0; 2]), 9).unwrap().len(), 2);
    let n = 5000;
    let many = lowest(diagonal(vec![1.0; n]), diagonal(vec![1.0; n]), n).unwrap_err();
    assert!(matches!(many, EigenError::TooMany { .. }));
}

/// All unknowns at one position, or all but one: a poor order, but correct modes.
#[test]
fn degenerate_coordinates() {
    let n = 800;
    let values: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
    let problem = Problem::new(diagonal(values), diagonal(vec![1.0; n])).unwrap();
    let spot = vec![[1.0; 3]; n];
    let mut line: Vec<_> = (0..n).map(|i| [1e300, 0.0, (i * i) as f64]).collect();
    line[0] = [-1e300; 3];
    for coordinates in [spot, line] {
        let problem = problem.clone().with_coordinates(coordinates).unwrap();
        let modes = eigen::lowest(&problem, 10, &mut Options::default()).unwrap();
        for (i, l) in modes.omega_squared.iter().enumerate() {
            assert!((l / (1.0 + i as f64) - 1.0).abs() < 1e-9);
        }
    }
}

/// B Bᵀ + d: symmetric and positive definite.
fn definite(n: usize, numbers: &[f64], d: f64) -> Mat<f64> {
    let b = Mat::from_fn(n, n, |i, j| numbers[(i * n + j) % numbers.len()] * (1.0 + j as f64));
    let mut a = &b * b.transpose();
    (0..n).for_each(|i| a[(i, i)] += d);
    a
}

fn sparse(a: &Mat<f64>) -> Matrix {
    let n = a.nrows();
    let lower = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let entries: Vec<_> = lower.map(|(i, j)| (i, j, a[(i, j)])).collect();
    matrix(n, &entries).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_pairs_against_dense(
        n in 1_usize..12,
        numbers in prop::collection::vec(-1.0_f64..1.0, 150),
    ) {
        let (k, m) = (definite(n, &numbers, 0.1), definite(n, &numbers[3..], 1.0));
        let modes = lowest(sparse(&k), sparse(&m), n).unwrap();
        // L⁻¹ K L⁻ᵀ with M = L Lᵀ.
        let l = m.llt(Side::Lower).unwrap().L().to_owned();
        let inverse = l.partial_piv_lu();
        use faer::prelude::Solve;
        let half = inverse.solve(&k);
        let c = inverse.solve(half.transpose());
        let norm = c.norm_max();
        let c = Mat::from_fn(n, n, |i, j| 0.5 * (c[(i, j)] + c[(j, i)]) / norm);
        let s = c.self_adjoint_eigen(Side::Lower).unwrap();
        for i in 0..n {
            let expected = s.S()[i] * norm;
            let scale = expected.abs() + 1e-7 * norm;
            prop_assert!((modes.omega_squared[i] - expected).abs() < 1e-7 * scale);
        }
    }
}

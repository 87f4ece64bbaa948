//! All modes of a shell below a frequency: values, batches, memory and progress.

use crate::shell;

use faer::{Mat, Side};
use foley_eigen::{self as eigen, EigenError, Modes, Options, Problem, Stage};
use shell::Panel;

fn panel(cells: usize) -> Problem {
    let panel = Panel { size: [0.4, 0.3], rise: 0.03, thickness: 2e-2, cells: [cells, cells] };
    panel.problem().unwrap()
}

/// Returns λ by a dense solve; the mass is diagonal.
fn dense(problem: &Problem) -> Vec<f64> {
    let n = problem.unknowns();
    let mut root = vec![0.0; n];
    problem.mass().lower().for_each(|(i, _, m)| root[i] = m.sqrt());
    let mut a = Mat::<f64>::zeros(n, n);
    for (i, j, k) in problem.stiffness().lower() {
        a[(i, j)] = k / (root[i] * root[j]);
        a[(j, i)] = a[(i, j)];
    }
    let s = a.self_adjoint_eigen(Side::Lower).unwrap();
    (0..n).map(|i| s.S()[i]).collect()
}

/// Several slices of a free shell against all modes of the dense solver.
#[test]
fn shell_against_dense() {
    let problem = panel(15);
    let expected = dense(&problem);
    // The six zero modes of the dense solver show its rounding error.
    let rounding = 10.0 * expected[..6].iter().fold(0.0, |a: f64, l| a.max(l.abs()));
    assert!(rounding < 1e-4 * expected[60]);
    let high = (0.5 * (expected[299] + expected[300])).sqrt();
    let modes = eigen::band(&problem, 0.0, high, usize::MAX, &mut Options::default()).unwrap();
    assert_eq!((modes.len(), modes.zero_modes), (300, 6));
    // Beyond the rounding error of the dense solver.
    let errors =
        modes.omega_squared.iter().zip(&expected).map(|(found, expected)| {
            ((found - expected).abs() - rounding).max(0.0) / expected.abs()
        });
    assert!(modes.omega_squared.iter().all(|found| found.is_finite()));
    foley_measured::check!("eigen.shell", foley_measured::largest(errors));
    // Vectors of different slices are orthogonal too.
    let mut mass = vec![0.0; problem.unknowns()];
    problem.mass().lower().for_each(|(i, _, m)| mass[i] = m);
    for a in 0..modes.len() {
        for b in 0..=a {
            let vectors = modes.vector(a).iter().zip(modes.vector(b));
            let product: f64 = vectors.zip(&mass).map(|((x, y), m)| x * y * m).sum();
            let right = if a == b { 1.0 } else { 0.0 };
            assert!((product - right).abs() < 1e-6, "{a} {b}: {product}");
        }
    }
}

#[test]
fn batches_equal_the_full_list() {
    let problem = panel(15);
    let expected = dense(&problem);
    for most in [usize::MAX, 170] {
        let (low, high) = (expected[20].sqrt(), (1.001 * expected[250]).sqrt());
        let kept = eigen::band(&problem, low, high, most, &mut Options::default()).unwrap();
        assert!(kept.len() >= 170.min(most) && kept.len() <= most);
        let mut batches: Vec<Modes> = Vec::new();
        let options = &mut Options::default();
        eigen::band_each(&problem, low, high, most, options, |m| batches.push(m)).unwrap();
        assert!(batches.len() > 1 && batches.iter().all(|p| p.len() <= 32));
        let batched = batches.iter().flat_map(|p| (0..p.len()).map(move |i| (p, i)));
        assert_eq!(batched.clone().count(), kept.len());
        for (at, (batch, i)) in batched.enumerate() {
            assert_eq!(batch.omega_squared[i], kept.omega_squared[at]);
            assert_eq!(batch.vector(i), kept.vector(at));
        }
    }
}

/// The estimate includes the vectors of the result only where they are kept.
#[test]
fn memory_is_estimated_before_it_is_allocated() {
    let problem = panel(15);
    let high = (1.001 * dense(&problem)[250]).sqrt();
    let mut none = Options::default().with_memory_limit(0);
    let refused = eigen::band(&problem, 0.0, high, usize::MAX, &mut none).unwrap_err();
    let EigenError::OverMemory { needed_mib, limit_mib: 0 } = refused else {
        panic!("{refused}");
    };
    assert!((1..100).contains(&needed_mib), "{needed_mib}");
    let mut just = Options::default().with_memory_limit(needed_mib << 20);
    let kept = eigen::band(&problem, 0.0, high, usize::MAX, &mut just);
    assert!(matches!(kept, Err(EigenError::OverMemory { .. })), "{kept:?}");
    let mut count = 0;
    let each = |m: Modes| count += m.len();
    eigen::band_each(&problem, 0.0, high, usize::MAX, &mut just, each).unwrap();
    assert_eq!(count, 251);
}

#[test]
fn progress_only_rises() {
    let problem = panel(15);
    let high = (1.001 * dense(&problem)[250]).sqrt();
    let mut reported: Vec<(Stage, f64)> = Vec::new();
    let mut record = |stage: Stage, done: f64| {
        reported.push((stage, done));
        true
    };
    let mut options = Options::default().with_progress(&mut record);
    eigen::band(&problem, 0.0, high, usize::MAX, &mut options).unwrap();
    for pair in reported.windows(2).filter(|p| p[0].0 == p[1].0) {
        // A new count or factor may follow the last one directly.
        let restarts = pair[1].1 == 0.0 && pair[0].1 == 1.0;
        assert!(pair[1].1 >= pair[0].1 || restarts, "{pair:?}");
    }
    let iterating: Vec<f64> =
        reported.iter().filter(|t| t.0 == Stage::Iterating).map(|t| t.1).collect();
    assert!(iterating.is_sorted(), "{iterating:?}");
    assert_eq!(iterating.last(), Some(&1.0));
}

/// A factorisation can be cancelled before it is complete.
#[test]
fn cancelled_during_a_factorisation() {
    let problem = panel(15);
    for amid in [Stage::Factorising, Stage::Counting] {
        let mut stop = |stage: Stage, done: f64| !(stage == amid && done > 0.0 && done < 1.0);
        let mut options = Options::default().with_progress(&mut stop);
        let high = (1.001 * 1e10_f64).sqrt();
        let result = eigen::band(&problem, 0.0, high, 200, &mut options);
        assert_eq!(result.err(), Some(EigenError::Cancelled), "{amid:?}");
    }
}

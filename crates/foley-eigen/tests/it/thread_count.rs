//! The number of threads does not change a single bit of the modes.

use foley_eigen::{Matrix, Options, Problem, lowest};

/// A block of masses on a cubic grid, joined by springs of unequal stiffness; one face is held.
fn block(edge: usize) -> Problem {
    let number = |i: usize, j: usize, k: usize| (i * edge + j) * edge + k;
    let n = edge * edge * edge;
    let mut stiffness = Vec::new();
    for a in 0..n {
        let (i, j, k) = (a / edge / edge, a / edge % edge, a % edge);
        if i == 0 {
            stiffness.push((a, a, 1.0));
        }
        for (b, inside) in [
            (number(i + 1, j, k), i + 1 < edge),
            (number(i, j + 1, k), j + 1 < edge),
            (number(i, j, k + 1), k + 1 < edge),
        ] {
            if inside {
                let spring = 1.0 + 0.1 * ((7 * a + 3 * b) % 11) as f64;
                stiffness.extend([(a, a, spring), (b, a, -spring), (b, b, spring)]);
            }
        }
    }
    let stiffness = Matrix::from_triplets("stiffness", n, stiffness).unwrap();
    let mass = (0..n).map(|i| (i, i, 1.0 + 0.01 * (i % 13) as f64));
    Problem::new(stiffness, Matrix::from_triplets("mass", n, mass).unwrap()).unwrap()
}

#[test]
fn modes_are_the_same_bit_for_bit_on_any_number_of_threads() {
    let problem = block(17);
    let modes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| lowest(&problem, 40, &mut Options::default()).unwrap());
        let vectors: Vec<f64> = (0..found.len()).flat_map(|n| found.vector(n).to_vec()).collect();
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        (bits(&found.omega_squared), bits(&vectors))
    };
    let one = modes(1);
    assert_eq!(one.0.len(), 40);
    for threads in [2, 3, 8] {
        let more = modes(threads);
        assert_eq!((one.0.len(), one.1.len()), (more.0.len(), more.1.len()));
        let pairs = one.0.iter().chain(&one.1).zip(more.0.iter().chain(&more.1));
        println!("{threads} threads");
        foley_measured::check!("eigen.threads", pairs.filter(|(a, b)| a != b).count() as f64);
    }
}

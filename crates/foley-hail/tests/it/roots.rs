//! The quartic solver against sampling.

use crate::common;

use common::TestRng;
use foley_hail::roots::{quadratic, quartic};

fn value(c: [f64; 5], s: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * s + c)
}

/// Half of the cases have random coefficients, half have four given roots, some of them close together.
fn case(rng: &mut TestRng, number: usize) -> [f64; 5] {
    if number.is_multiple_of(2) {
        let mut c = [(); 5].map(|()| rng.between(-1.0, 1.0));
        if number.is_multiple_of(10) {
            (c[3], c[4]) = (c[3] * 1e-9, c[4] * 1e-12);
        }
        return c;
    }
    let r = rng.unit();
    let near = 10_f64.powf(rng.between(-7.0, 0.0));
    let roots = [r, r + near, rng.between(-1.0, 2.0), rng.between(-0.2, 1.2)];
    roots.iter().fold([rng.between(0.5, 2.0), 0.0, 0.0, 0.0, 0.0], |c, root| {
        std::array::from_fn(|i| if i == 0 { 0.0 } else { c[i - 1] } - root * c[i])
    })
}

#[test]
fn between_two_samples_there_are_as_many_roots_as_changes_of_sign() {
    const SAMPLES: usize = 1000;
    let mut rng = TestRng::new(1);
    let mut found = 0;
    for number in 0..4000 {
        let c = case(&mut rng, number);
        let roots = quartic(c);
        found += roots.as_slice().len();
        assert!(roots.as_slice().is_sorted());
        // Offset samples, so that none is on a root, where rounding determines the sign.
        let at = |k: usize| (k as f64 + 1e-4 * (number as f64).sin()) / SAMPLES as f64;
        for k in 0..SAMPLES {
            let (lo, hi) = (at(k).max(0.0), at(k + 1).min(1.0));
            let inside = roots.as_slice().iter().filter(|r| **r >= lo && **r < hi).count();
            let [f_lo, f_hi] = [lo, hi].map(|s| value(c, s));
            if f_lo.abs() < 1e-14 || f_hi.abs() < 1e-14 {
                continue;
            }
            let change = (f_lo < 0.0) != (f_hi < 0.0);
            assert_eq!(inside % 2 == 1, change, "case {number}, {c:?}, between {lo} and {hi}");
        }
        for root in roots.as_slice() {
            let size: f64 = c.iter().map(|c| c.abs()).sum();
            assert!(value(c, *root).abs() < 1e-15 * size, "case {number}: {root} is no root");
        }
    }
    assert!(found > 4000, "only {found} roots in all");
}

#[test]
fn quadratics_with_all_kinds_of_coefficients() {
    // (s − 0.25)(s − 0.75), a line, a tiny root beside a huge one, no root, zero.
    assert_eq!(quadratic([0.1875, -1.0, 1.0]).as_slice(), [0.25, 0.75]);
    assert_eq!(quadratic([-1.0, 2.0, 0.0]).as_slice(), [0.5]);
    assert_eq!(quadratic([-1e-12, 1.0, 1e-12]).as_slice(), [1e-12]);
    assert!(quadratic([1.0, 0.0, 1.0]).as_slice().is_empty());
    assert!(quadratic([0.0; 3]).as_slice().is_empty());
    assert!(quadratic([f64::NAN; 3]).as_slice().is_empty());
    assert!(quartic([f64::NAN; 5]).as_slice().is_empty());
    assert!(quartic([1.0, f64::INFINITY, 0.0, 1.0, 1.0]).as_slice().len() <= 4);
}

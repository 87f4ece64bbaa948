//! Membrane stiffness: the optimal triangle with drilling rotations (OPT). Felippa, "A study of
//! optimal membrane triangles with drilling freedoms", *Comput. Methods Appl. Mech. Engrg.* 192
//! (2003), template OPT: α_b = 3/2, β₀ = (1 − 4ν²)/2. In-plane bending of a strip of any aspect
//! ratio is exact with it, where constant-strain triangles lock.
//!
//! Unknowns (u, v, θ_z) corner after corner.

use crate::fem::local_frame::LocalFrame;

const ALPHA_B: f64 = 1.5;
/// β₁ … β₉ of OPT.
const BETA: [f64; 9] = [1.0, 2.0, 1.0, 0.0, 1.0, -1.0, -1.0, -1.0, -2.0];
/// Lower bound of β₀, which would vanish for rubber (ν = ½).
const LEAST_BETA_0: f64 = 0.01;

/// Returns K of a sheet of thickness t; C is plane stress.
pub(super) fn stiffness(frame: &LocalFrame, t: f64, c: &[[f64; 3]; 3], nu: f64) -> [[f64; 9]; 9] {
    let mut k = basic(frame, t, c);
    let beta_0 = (0.5 * (1.0 - 4.0 * nu * nu)).max(LEAST_BETA_0);
    let h = higher_order(frame, t, c);
    for (row, more) in k.iter_mut().zip(h) {
        row.iter_mut().zip(more).for_each(|(a, b)| *a += 0.75 * beta_0 * b);
    }
    k
}

/// Returns K_b = L C Lᵀ / V: constant strain, with the rotations' share of the edge forces.
fn basic(frame: &LocalFrame, t: f64, c: &[[f64; 3]; 3]) -> [[f64; 9]; 9] {
    let d = |i, j| frame.difference(i, j);
    let mut l = [[0.0; 3]; 9];
    for (corner, [i, j, k]) in [[1, 2, 3], [2, 3, 1], [3, 1, 2]].into_iter().enumerate() {
        let [x_kj, _] = d(k, j);
        let [_, y_jk] = d(j, k);
        let ([x_ki, y_ik], [x_ij, y_ji]) = ([d(k, i)[0], d(i, k)[1]], [d(i, j)[0], d(j, i)[1]]);
        l[3 * corner] = [y_jk, 0.0, x_kj];
        l[3 * corner + 1] = [0.0, x_kj, y_jk];
        l[3 * corner + 2] = [
            ALPHA_B / 6.0 * y_jk * (y_ik - y_ji),
            ALPHA_B / 6.0 * x_kj * (x_ki - x_ij),
            ALPHA_B / 3.0 * (x_ki * y_ik - x_ij * y_ji),
        ];
    }
    let scale = 0.25 * t / frame.area;
    let cl = l.map(|row| [0, 1, 2].map(|a| (0..3).map(|b| c[a][b] * row[b]).sum::<f64>()));
    l.map(|row| cl.map(|other| scale * (0..3).map(|a| row[a] * other[a]).sum::<f64>()))
}

/// Returns T̃ᵀ K_θ T̃: the stiffness of rotations relative to the mean rotation.
fn higher_order(frame: &LocalFrame, t: f64, c: &[[f64; 3]; 3]) -> [[f64; 9]; 9] {
    let d = |i, j| frame.difference(i, j);
    let a = frame.area;
    let square = |[x, y]: [f64; 2]| x * x + y * y;
    let lengths = [square(d(2, 1)), square(d(3, 2)), square(d(1, 3))];
    // Natural strains along the three edges, from C in the local axes.
    let (x, y) = (|i, j| d(i, j)[0], |i, j| d(i, j)[1]);
    let te: [[f64; 3]; 3] = [
        [y(2, 3) * y(1, 3), y(3, 1) * y(2, 1), y(1, 2) * y(3, 2)],
        [x(2, 3) * x(1, 3), x(3, 1) * x(2, 1), x(1, 2) * x(3, 2)],
        [
            y(2, 3) * x(3, 1) + x(3, 2) * y(1, 3),
            y(3, 1) * x(1, 2) + x(1, 3) * y(2, 1),
            y(1, 2) * x(2, 3) + x(2, 1) * y(3, 2),
        ],
    ];
    let te: [[f64; 3]; 3] = te.map(|row| [0, 1, 2].map(|k| row[k] * lengths[k] / (4.0 * a * a)));
    let natural = congruence(&te, c);

    let q = |order: [usize; 9]| {
        let entry = |r: usize, k: usize| 2.0 * a / 3.0 * BETA[order[3 * r + k] - 1] / lengths[r];
        [0, 1, 2].map(|r| [0, 1, 2].map(|k| entry(r, k)))
    };
    let q1 = q([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let q2 = q([9, 7, 8, 3, 1, 2, 6, 4, 5]);
    let q3 = q([5, 6, 4, 8, 9, 7, 2, 3, 1]);
    let mut k_theta = [[0.0; 3]; 3];
    for (p, q) in [(q1, q2), (q2, q3), (q3, q1)] {
        let mean = [0, 1, 2].map(|r| [0, 1, 2].map(|k| 0.5 * (p[r][k] + q[r][k])));
        let part = congruence(&mean, &natural);
        for r in 0..3 {
            (0..3).for_each(|k| k_theta[r][k] += a * t * part[r][k]);
        }
    }

    // The rotations minus that of the constant-strain triangle.
    let mean = [x(3, 2), y(3, 2), 0.0, x(1, 3), y(1, 3), 0.0, x(2, 1), y(2, 1), 0.0];
    let mut tilde = [mean.map(|v| v / (4.0 * a)); 3];
    (0..3).for_each(|r| tilde[r][3 * r + 2] = 1.0);
    let mut k = [[0.0; 9]; 9];
    for (i, row) in k.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            for r in 0..3 {
                *value += (0..3).map(|s| tilde[r][i] * k_theta[r][s] * tilde[s][j]).sum::<f64>();
            }
        }
    }
    k
}

/// Returns Aᵀ C A.
fn congruence(a: &[[f64; 3]; 3], c: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let ca = [0, 1, 2].map(|r| [0, 1, 2].map(|k| (0..3).map(|s| c[r][s] * a[s][k]).sum::<f64>()));
    [0, 1, 2].map(|r| [0, 1, 2].map(|k| (0..3).map(|s| a[s][r] * ca[s][k]).sum::<f64>()))
}

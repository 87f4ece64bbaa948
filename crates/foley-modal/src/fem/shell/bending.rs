//! Bending stiffness: the discrete Kirchhoff triangle (DKT). Batoz, Bathe & Ho, "A study of
//! three-node triangular plate bending elements", *Int. J. Numer. Meth. Engng* 15 (1980).
//!
//! The rotations β of the normal vary quadratically and equal the slopes of the plate at
//! the corners and, along the sides, at their midpoints: no shear, no locking.
//!
//! Unknowns (w, θ_x, θ_y) corner after corner, θ_x = ∂w/∂y, θ_y = −∂w/∂x.

use crate::fem::local_frame::LocalFrame;

/// Returns K of a plate; D = t³/12 · C is its bending stiffness.
pub(super) fn stiffness(frame: &LocalFrame, t: f64, c: &[[f64; 3]; 3]) -> [[f64; 9]; 9] {
    let mut k = [[0.0; 9]; 9];
    // Curvatures are linear: the midpoints of the sides integrate their squares exactly.
    let weight = frame.area / 3.0 * t.powi(3) / 12.0;
    for [xi, eta] in [[0.5, 0.0], [0.5, 0.5], [0.0, 0.5]] {
        let b = curvature(frame, xi, eta);
        for i in 0..9 {
            let cb = [0, 1, 2].map(|r| (0..3).map(|s| c[r][s] * b[s][i]).sum::<f64>());
            for (j, value) in k[i].iter_mut().enumerate() {
                *value += weight * (0..3).map(|r| cb[r] * b[r][j]).sum::<f64>();
            }
        }
    }
    k
}

/// Returns B: (∂β_x/∂x, ∂β_y/∂y, ∂β_x/∂y + ∂β_y/∂x) for each unknown.
pub(super) fn curvature(frame: &LocalFrame, xi: f64, eta: f64) -> [[f64; 9]; 3] {
    // Sides 4, 5, 6 of the paper are 23, 31, 12.
    let side = |i, j| {
        let [x, y] = frame.difference(i, j);
        let l2 = x * x + y * y;
        [
            -x / l2,
            0.75 * x * y / l2,
            (0.25 * x * x - 0.5 * y * y) / l2,
            -y / l2,
            (0.25 * y * y - 0.5 * x * x) / l2,
        ]
    };
    let sides = [side(2, 3), side(3, 1), side(1, 2)];
    // ∂N/∂ξ and ∂N/∂η of the six quadratic functions: corners, then sides 4, 5, 6.
    let zeta = 1.0 - xi - eta;
    let d_xi = [1.0 - 4.0 * zeta, 4.0 * xi - 1.0, 0.0, 4.0 * eta, -4.0 * eta, 4.0 * (zeta - xi)];
    let d_eta = [1.0 - 4.0 * zeta, 0.0, 4.0 * eta - 1.0, 4.0 * xi, 4.0 * (zeta - eta), -4.0 * xi];
    let [hx_xi, hy_xi] = rotations(&sides, &d_xi);
    let [hx_eta, hy_eta] = rotations(&sides, &d_eta);
    let ([x31, y31], [x12, y12]) = (frame.difference(3, 1), frame.difference(1, 2));
    let half = 0.5 / frame.area;
    let mut b = [[0.0; 9]; 3];
    for i in 0..9 {
        let dx = |xi: f64, eta: f64| half * (y31 * xi + y12 * eta);
        let dy = |xi: f64, eta: f64| -half * (x31 * xi + x12 * eta);
        b[0][i] = dx(hx_xi[i], hx_eta[i]);
        b[1][i] = dy(hy_xi[i], hy_eta[i]);
        b[2][i] = dy(hx_xi[i], hx_eta[i]) + dx(hy_xi[i], hy_eta[i]);
    }
    b
}

/// Returns H_x and H_y, or their derivatives, from the functions N or their derivatives.
fn rotations(sides: &[[f64; 5]; 3], n: &[f64; 6]) -> [[f64; 9]; 2] {
    let (mut hx, mut hy) = ([0.0; 9], [0.0; 9]);
    // Corner i lies between side q, which enters with a plus sign, and side p.
    for (corner, [p, q]) in [[1, 2], [2, 0], [0, 1]].into_iter().enumerate() {
        let ([ap, bp, cp, dp, ep], [aq, bq, cq, dq, eq]) = (sides[p], sides[q]);
        let (n0, np, nq) = (n[corner], n[3 + p], n[3 + q]);
        let i = 3 * corner;
        hx[i] = 1.5 * (aq * nq - ap * np);
        hx[i + 1] = bp * np + bq * nq;
        hx[i + 2] = n0 - cp * np - cq * nq;
        hy[i] = 1.5 * (dq * nq - dp * np);
        hy[i + 1] = -n0 + ep * np + eq * nq;
        hy[i + 2] = -hx[i + 1];
    }
    [hx, hy]
}

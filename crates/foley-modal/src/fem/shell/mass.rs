//! Consistent mass matrix: interpolations of the motion inside a triangle.
//!
//! - Transverse: Bazeley, Cheung, Irons & Zienkiewicz' cubic,
//!   `w = Σ (L_i + L_i²(L_j + L_k) − L_i(L_j² + L_k²)) w_i
//!      + Σ_{i≠j} (L_i² L_j + ½ L₁L₂L₃) ∇w_i·(x_j − x_i)`.
//! - In plane: Allman's quadratic, each side bows by `(θ_j − θ_i) l / 8`.
//! - Rotation: the rotary inertia ρ t³/12 of the wall, a third at each corner, drilling
//!   included, so that M is positive definite.

use crate::fem::local_frame::LocalFrame;

/// Gauss points on 0 … 1, exact to degree 7.
const GAUSS: [[f64; 2]; 4] = [
    [0.069_431_844_202_973_71, 0.173_927_422_568_726_93],
    [0.330_009_478_207_571_87, 0.326_072_577_431_273_07],
    [0.669_990_521_792_428_1, 0.326_072_577_431_273_07],
    [0.930_568_155_797_026_3, 0.173_927_422_568_726_93],
];

/// Returns M for density 1 and unknowns (u, v, w, θ_x, θ_y, θ_z) corner after corner.
pub(super) fn mass(frame: &LocalFrame, t: f64) -> [[f64; 18]; 18] {
    let mut m = [[0.0; 18]; 18];
    for [s, ws] in GAUSS {
        for [r, wr] in GAUSS {
            // Duffy's map of the square to the triangle.
            let l = [1.0 - s, s * (1.0 - r), s * r];
            let weight = 2.0 * frame.area * t * ws * wr * s;
            for n in interpolation(frame, l) {
                for i in 0..18 {
                    if n[i] != 0.0 {
                        (0..18).for_each(|j| m[i][j] += weight * n[i] * n[j]);
                    }
                }
            }
        }
    }
    let rotary = frame.area / 3.0 * t.powi(3) / 12.0;
    for corner in 0..3 {
        (3..6).for_each(|a| m[6 * corner + a][6 * corner + a] += rotary);
    }
    m
}

/// Returns u, v and w at area coordinates L for each unknown.
fn interpolation(frame: &LocalFrame, l: [f64; 3]) -> [[f64; 18]; 3] {
    let mut n = [[0.0; 18]; 3];
    let bubble = 0.5 * l[0] * l[1] * l[2];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        n[0][6 * i] = l[i];
        n[1][6 * i + 1] = l[i];
        n[2][6 * i + 2] = l[i] + l[i] * l[i] * (l[j] + l[k]) - l[i] * (l[j].powi(2) + l[k].powi(2));
        for other in [j, k] {
            let [x, y] = frame.difference(other + 1, i + 1);
            let slope = l[i] * l[i] * l[other] + bubble;
            // ∇w = (−θ_y, θ_x).
            n[2][6 * i + 3] += slope * y;
            n[2][6 * i + 4] -= slope * x;
        }
        // The side from i to j bows outwards along l n = (y_ji, −x_ji).
        let [x, y] = frame.difference(j + 1, i + 1);
        let bow = 0.5 * l[i] * l[j];
        for (corner, sign) in [(j, 1.0), (i, -1.0)] {
            n[0][6 * corner + 5] += sign * bow * y;
            n[1][6 * corner + 5] -= sign * bow * x;
        }
    }
    n
}

//! Moments of the filled part of each cell, exact to rounding.
//!
//! With φ the orthonormal Legendre polynomials, the moment of the part of a cell that
//! is filled is m_abc = ∫ φ_a(ξ) φ_b(η) φ_c(ζ) dV. Products of two of the cell's shape
//! functions or their slopes have degree ≤ 4 in each coordinate and ≤ 8 in all, and are
//! integrated exactly by the [`MOMENTS`] moments up to there.
//!
//! By the divergence theorem they are integrals over the surface: let
//! F_a(ξ) = ∫ φ_a from −1 to ξ inside the cell, constant outside it. In the column of
//! cells along ξ, whose side walls have no normal along ξ,
//!
//! m_abc = ∫ F_a(ξ) φ_b(η) φ_c(ζ) n_ξ dA  over all of the surface in the column.
//!
//! The surface on the left of the cell does not contribute, since F_a = 0 there; that on its
//! right contributes only to a = 0, since ∫ φ_a over a full cell is zero for the others: a sum
//! over the cells to the right. No point-in-mesh test is needed, faces on grid planes are
//! harmless, and where a mesh overlaps itself the density is multiplied.

use crate::math::legendre::gauss;
use glam::DVec3;

/// Degree in each coordinate.
pub(super) const DEGREE: usize = 4;
/// Total degree.
const TOTAL: usize = 8;
pub(super) const MOMENTS: usize = 105;
/// Number of moments of the surface projected along ξ: all with b, c ≤ 4.
pub(super) const PROJECTED: usize = (DEGREE + 1) * (DEGREE + 1);

/// The degrees a, b, c of each moment.
pub(super) const INDICES: [[usize; 3]; MOMENTS] = indices();

const fn indices() -> [[usize; 3]; MOMENTS] {
    let mut list = [[0; 3]; MOMENTS];
    let (mut n, mut i) = (0, 0);
    while i < 125 {
        let [a, b, c] = [i / 25, i / 5 % 5, i % 5];
        if a + b + c <= TOTAL {
            list[n] = [a, b, c];
            n += 1;
        }
        i += 1;
    }
    list
}

/// Returns φ_0 … φ_4 at a point of [−1, 1].
pub(super) fn orthonormal(x: f64) -> [f64; DEGREE + 1] {
    let p = legendre(x);
    std::array::from_fn(|a| norm(a) * p[a])
}

/// Returns √(a + ½).
fn norm(a: usize) -> f64 {
    const NORMS: [f64; DEGREE + 1] = [
        0.707_106_781_186_547_5,
        1.224_744_871_391_589,
        1.581_138_830_084_189_8,
        1.870_828_693_386_970_7,
        2.121_320_343_559_642_6,
    ];
    NORMS[a]
}

/// Returns P_0 … P_5.
fn legendre(x: f64) -> [f64; DEGREE + 2] {
    let y = x * x;
    [
        1.0,
        x,
        1.5 * y - 0.5,
        (2.5 * y - 1.5) * x,
        (4.375 * y - 3.75) * y + 0.375,
        ((7.875 * y - 8.75) * y + 1.875) * x,
    ]
}

/// Returns F_a(ξ) = φ_a integrated from −1: (P_{a+1} − P_{a−1}) √(a+½) / (2a+1), and ξ + 1.
fn integrated(x: f64) -> [f64; DEGREE + 1] {
    let p = legendre(x);
    std::array::from_fn(|a| match a {
        0 => norm(0) * (x + 1.0),
        _ => norm(a) * (p[a + 1] - p[a - 1]) / (2 * a + 1) as f64,
    })
}

/// Integrals over the surface inside one cell.
#[derive(Clone)]
pub(super) struct SurfaceIntegrals {
    /// ∫ F_a φ_b φ_c n_ξ dA for all a, b, c ≤ 4, b and c indexed as in `projected`. Those above
    /// the total degree are inexact and unused.
    pub(super) own: [[f64; PROJECTED]; DEGREE + 1],
    /// ∫ φ_b φ_c n_ξ dA, for the cells to the left.
    pub(super) projected: [f64; PROJECTED],
}

impl SurfaceIntegrals {
    pub(super) const ZERO: Self =
        Self { own: [[0.0; PROJECTED]; DEGREE + 1], projected: [0.0; PROJECTED] };
}

/// Gauss points of the triangle (0,0), (1,0), (1,1) by Duffy's map of the square.
pub(super) struct Rule(Vec<[f64; 3]>);

impl Rule {
    /// Creates a rule exact for F_a φ_b φ_c, of degree 9 in all.
    pub(super) fn new() -> Self {
        let unit = |n| gauss(n).into_iter().map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w));
        // The map adds one degree along s.
        let points =
            unit(6).flat_map(|(s, ws)| unit(5).map(move |(t, wt)| [s, s * t, ws * wt * s]));
        Self(points.collect())
    }

    /// Adds a flat polygon, in reference coordinates of its cell.
    pub(super) fn add(&self, polygon: &[[f64; 3]], sums: &mut SurfaceIntegrals) {
        for i in 2..polygon.len() {
            self.add_triangle([polygon[0], polygon[i - 1], polygon[i]], sums);
        }
    }

    fn add_triangle(&self, corners: [[f64; 3]; 3], sums: &mut SurfaceIntegrals) {
        let [p, q, r] = corners.map(DVec3::from);
        let (along, across) = (q - p, r - q);
        // n_ξ dA: twice the projected area of the triangle along ξ.
        let area = along.cross(across).x;
        if area == 0.0 {
            return;
        }
        for [s, t, w] in &self.0 {
            let at = p + s * along + t * across;
            let f = integrated(at.x);
            let (phi_b, phi_c) = (orthonormal(at.y), orthonormal(at.z));
            let phi_b = phi_b.map(|phi| w * area * phi);
            let products: [f64; PROJECTED] = std::array::from_fn(|n| phi_b[n / 5] * phi_c[n % 5]);
            for (sum, product) in sums.projected.iter_mut().zip(&products) {
                *sum += product;
            }
            for (own, f) in sums.own.iter_mut().zip(&f) {
                for (sum, product) in own.iter_mut().zip(&products) {
                    *sum += f * product;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::legendre::polynomials;

    #[test]
    fn polynomials_and_their_integrals() {
        let rule = gauss(6);
        for x in [-1.0, -0.3, 0.0, 0.77, 1.0] {
            for (a, p) in polynomials(DEGREE, x).into_iter().enumerate() {
                assert!((orthonormal(x)[a] - (a as f64 + 0.5).sqrt() * p).abs() < 1e-14);
                let at = |t: f64| -1.0 + 0.5 * (t + 1.0) * (x + 1.0);
                let integral: f64 =
                    rule.iter().map(|(t, w)| 0.5 * (x + 1.0) * w * orthonormal(at(*t))[a]).sum();
                assert!((integrated(x)[a] - integral).abs() < 1e-14, "{a} {x}");
            }
        }
    }
}

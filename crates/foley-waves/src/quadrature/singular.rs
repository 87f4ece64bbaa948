//! Sauter–Schwab quadrature of two triangles that share a vertex, an edge, or all three corners.
//!
//! S. Sauter, C. Schwab, *Boundary Element Methods* (Springer 2011), §5.2: the product of two
//! triangles is cut into pieces, each the image of the unit cube (ξ, η₁, η₂, η₃) by a Duffy
//! transformation whose Jacobian cancels the singularity 1/r. A Gauss rule in the cube then
//! converges exponentially.
//!
//! The reference triangle has the corners (0,0), (1,0), (1,1). Shared corners come first, in the
//! same order in both triangles.

use super::gauss_legendre_unit;

/// One point of a rule: barycentric coordinates in both triangles and the weight. Weights sum to
/// one: the integral is the product of both areas times Σ w f.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairPoint {
    pub(crate) x: [f64; 3],
    pub(crate) y: [f64; 3],
    pub(crate) weight: f64,
}

/// Rule of a pair of triangles.
pub(crate) type PairRule = Vec<PairPoint>;

/// The rules of pairs that touch, by the number of shared corners.
pub(crate) struct PairRules {
    pub(crate) vertex: PairRule,
    pub(crate) edge: PairRule,
    pub(crate) same: PairRule,
}

impl PairRules {
    /// Makes rules with that many Gauss points per dimension for one, two and three shared corners.
    pub(crate) fn new(n: [usize; 3]) -> Self {
        Self { vertex: rule(n[0], &vertex), edge: rule(n[1], &edge), same: rule(n[2], &same) }
    }
}

/// A piece at a point of the cube: the points of both triangles and the Jacobian.
type Image = ([f64; 2], [f64; 2], f64);

fn rule(n: usize, pieces: &dyn Fn([f64; 4]) -> Vec<Image>) -> PairRule {
    let gauss = gauss_legendre_unit(n);
    let mut points = Vec::new();
    for (xi, w0) in &gauss {
        for (e1, w1) in &gauss {
            for (e2, w2) in &gauss {
                for (e3, w3) in &gauss {
                    for (x, y, jacobian) in pieces([*xi, *e1, *e2, *e3]) {
                        // The reference triangles have the area 1/2 each.
                        let weight = 4.0 * w0 * w1 * w2 * w3 * jacobian;
                        let point = |p: [f64; 2]| [1.0 - p[0], p[0] - p[1], p[1]];
                        points.push(PairPoint { x: point(x), y: point(y), weight });
                    }
                }
            }
        }
    }
    points
}

/// Both triangles are the same (§5.2.1): six pieces, three of them by exchange of x and y.
fn same([xi, e1, e2, e3]: [f64; 4]) -> Vec<Image> {
    let jacobian = xi.powi(3) * e1 * e1 * e2;
    let pairs = [
        ([xi, xi * (1.0 - e1 + e1 * e2)], [xi * (1.0 - e1 * e2 * e3), xi * (1.0 - e1)]),
        ([xi, xi * e1 * (1.0 - e2 + e2 * e3)], [xi * (1.0 - e1 * e2), xi * e1 * (1.0 - e2)]),
        ([xi * (1.0 - e1 * e2 * e3), xi * e1 * (1.0 - e2 * e3)], [xi, xi * e1 * (1.0 - e2)]),
    ];
    pairs.iter().flat_map(|&(x, y)| [(x, y, jacobian), (y, x, jacobian)]).collect()
}

/// The triangles share the edge from (0,0) to (1,0) (§5.2.2).
fn edge([xi, e1, e2, e3]: [f64; 4]) -> Vec<Image> {
    let first = xi.powi(3) * e1 * e1;
    let other = first * e2;
    vec![
        ([xi, xi * e1 * e3], [xi * (1.0 - e1 * e2), xi * e1 * (1.0 - e2)], first),
        ([xi, xi * e1], [xi * (1.0 - e1 * e2 * e3), xi * e1 * e2 * (1.0 - e3)], other),
        ([xi * (1.0 - e1 * e2), xi * e1 * (1.0 - e2)], [xi, xi * e1 * e2 * e3], other),
        ([xi * (1.0 - e1 * e2 * e3), xi * e1 * e2 * (1.0 - e3)], [xi, xi * e1], other),
        ([xi * (1.0 - e1 * e2 * e3), xi * e1 * (1.0 - e2 * e3)], [xi, xi * e1 * e2], other),
    ]
}

/// The triangles share the corner (0,0) (§5.2.3).
fn vertex([xi, e1, e2, e3]: [f64; 4]) -> Vec<Image> {
    let jacobian = xi.powi(3) * e2;
    let (far, near) = ([xi, xi * e1], [xi * e2, xi * e2 * e3]);
    vec![(far, near, jacobian), (near, far, jacobian)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces cover the product of the triangles once: polynomials are integrated exactly.
    #[test]
    fn polynomials_are_exact() {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        let exact = |a: i32, b: i32| 2.0 * factorial(a) * factorial(b) / factorial(a + b + 2);
        let rules = PairRules::new([4; 3]);
        for (name, rule) in
            [("vertex", &rules.vertex), ("edge", &rules.edge), ("same", &rules.same)]
        {
            for (a, b, c, d) in
                [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 1, 0), (1, 1, 0, 1), (2, 0, 0, 2)]
            {
                let at = |p: &PairPoint| {
                    p.x[0].powi(a) * p.x[1].powi(b) * p.y[0].powi(c) * p.y[2].powi(d)
                };
                let found: f64 = rule.iter().map(|p| p.weight * at(p)).sum();
                let expected = exact(a, b) * exact(c, d);
                assert!((found - expected).abs() < 1e-13, "{name} {a}{b}{c}{d} {found} {expected}");
            }
        }
    }

    const CORNERS: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.3, 0.8]];

    /// The mean of 1/r between the points of two triangles.
    fn mean_inverse_distance(rule: &PairRule, other: [[f64; 2]; 3]) -> f64 {
        let place = |t: &[[f64; 2]; 3], l: &[f64; 3]| {
            [0, 1].map(|a| l[0] * t[0][a] + l[1] * t[1][a] + l[2] * t[2][a])
        };
        let of = |p: &PairPoint| {
            let (x, y) = (place(&CORNERS, &p.x), place(&other, &p.y));
            p.weight / f64::hypot(x[0] - y[0], x[1] - y[1])
        };
        rule.iter().map(of).sum()
    }

    /// The mean of 1/r in a triangle of sides a, b, c is 4/3 Σ ln((a+b+c)/(b+c−a)) / a
    /// (T. Eibert, V. Hansen, IEEE Trans. Antennas Propag. 43 (1995), summed over the shapes).
    #[test]
    fn a_triangle_with_itself() {
        let side = |i: usize, j: usize| {
            f64::hypot(CORNERS[i][0] - CORNERS[j][0], CORNERS[i][1] - CORNERS[j][1])
        };
        let sides = [side(0, 1), side(1, 2), side(2, 0)];
        let around: f64 = sides.iter().sum();
        let exact: f64 =
            sides.iter().map(|a| 4.0 / 3.0 * (around / (around - 2.0 * a)).ln() / a).sum();
        let found = mean_inverse_distance(&PairRules::new([4; 3]).same, CORNERS);
        assert!((found / exact - 1.0).abs() < 2e-4, "{found} {exact}");
    }

    #[test]
    fn rules_converge() {
        let (coarse, fine) = (PairRules::new([4; 3]), PairRules::new([9; 3]));
        let cases = [
            (&coarse.edge, &fine.edge, [CORNERS[0], CORNERS[1], [0.6, -0.9]]),
            (&coarse.vertex, &fine.vertex, [CORNERS[0], [-0.7, -0.2], [-0.1, -0.8]]),
        ];
        for (coarse, fine, other) in cases {
            let (a, b) = (mean_inverse_distance(coarse, other), mean_inverse_distance(fine, other));
            assert!((a / b - 1.0).abs() < 2e-4, "{a} {b}");
        }
    }
}

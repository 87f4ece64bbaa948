//! Integrals over pairs of triangles that touch or are close.
//!
//! Pairs that touch have Sauter–Schwab rules. Pairs that are close against their size are cut
//! until the pieces are not: the walls of thin closed bodies are such pairs.

use super::Element;
use crate::green::{Wave, wave};
use crate::quadrature::{PairPoint, PairRules, SIX_POINTS};
use glam::DVec3;
use num_complex::Complex64;
use pulp::{Simd, WithSimd};
use std::array::from_fn;

/// Beyond this multiple of the sum of both radii the three-point rule of the assembly is exact
/// enough.
pub(super) const FAR: f64 = 2.0;
/// Within this multiple triangles are cut.
const NEAR: f64 = 1.0;
/// At most this many cuts in a row: 4⁴ pieces.
const MOST_CUTS: usize = 4;
/// Distances are kept above this fraction of the radii, where triangles intersect.
const CLOSEST: f64 = 1e-3;
/// Gauss points per dimension of pairs that share one, two, three corners.
const ORDERS: [usize; 3] = [3, 4, 4];
/// Points that are computed at a time; rules are filled up with points of no weight.
const LANES: usize = 8;

pub(super) type Block = [[Complex64; 3]; 3];
type Lanes = [f64; LANES];

/// The integrals over x in one and y in the other triangle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pair {
    /// ∫∫ φ_i(x) G φ_j(y).
    pub(super) single: Block,
    /// ∫∫ φ_i(x) ∂G/∂n_x φ_j(y).
    pub(super) by_x: Block,
    /// ∫∫ φ_i(x) ∂G/∂n_y φ_j(y).
    pub(super) by_y: Block,
}

/// A rule with its points in groups of lanes: barycentric coordinates in both triangles, and
/// weight φ_i(x) φ_j(y).
struct Rule {
    x: Vec<[Lanes; 3]>,
    y: Vec<[Lanes; 3]>,
    products: Vec<[[Lanes; 3]; 3]>,
}

impl Rule {
    fn new(points: &[PairPoint]) -> Self {
        let mut rule = Self { x: Vec::new(), y: Vec::new(), products: Vec::new() };
        for group in points.chunks(LANES) {
            let point = |l: usize| group.get(l).unwrap_or(&group[0]);
            let weight = |l: usize| group.get(l).map_or(0.0, |point| point.weight);
            rule.x.push(from_fn(|i| from_fn(|l| point(l).x[i])));
            rule.y.push(from_fn(|i| from_fn(|l| point(l).y[i])));
            rule.products.push(from_fn(|i| {
                from_fn(|j| from_fn(|l| weight(l) * point(l).x[i] * point(l).y[j]))
            }));
        }
        rule
    }
}

/// Computes integrals of pairs.
pub(super) struct PairIntegrator {
    k: f64,
    /// Whether derivatives of G are needed.
    derivatives: bool,
    /// Rules by the number of shared corners.
    rules: [Rule; 4],
}

impl PairIntegrator {
    pub(super) fn new(k: f64, derivatives: bool) -> Self {
        let product: Vec<PairPoint> = SIX_POINTS
            .iter()
            .flat_map(|&(x, v)| SIX_POINTS.map(|(y, w)| PairPoint { x, y, weight: v * w }))
            .collect();
        let touching = PairRules::new(ORDERS);
        let rules = [&product, &touching.vertex, &touching.edge, &touching.same];
        Self { k, derivatives, rules: rules.map(|points| Rule::new(points)) }
    }

    /// Integrates over a pair that shares corners or is closer than [`FAR`].
    pub(super) fn integrate(&self, a: &Element, b: &Element) -> Pair {
        let (count, order_a, order_b) = shared(a, b);
        let mut pair = Pair::default();
        let least = (CLOSEST * a.radius.min(b.radius)).powi(2);
        let normals = [a.normal, b.normal];
        if count == 0 {
            let mut sum = PieceSum { of: self, normals, least, pair: &mut pair };
            sum.add(&Piece::of(a), &Piece::of(b), MOST_CUTS);
        } else {
            let corners = [order_a.map(|i| a.corners[i]), order_b.map(|j| b.corners[j])];
            let found = self.evaluate(&self.rules[count], corners, normals, least);
            for i in 0..3 {
                for j in 0..3 {
                    let to = |block: &mut Block, from: &Block| {
                        block[order_a[i]][order_b[j]] = from[i][j]
                    };
                    to(&mut pair.single, &found.single);
                    to(&mut pair.by_x, &found.by_x);
                    to(&mut pair.by_y, &found.by_y);
                }
            }
        }
        let areas = a.area * b.area;
        for block in [&mut pair.single, &mut pair.by_x, &mut pair.by_y] {
            block.iter_mut().flatten().for_each(|entry| *entry *= areas);
        }
        pair
    }

    fn evaluate(
        &self,
        rule: &Rule,
        corners: [[DVec3; 3]; 2],
        normals: [DVec3; 2],
        least: f64,
    ) -> Pair {
        let derivatives = self.derivatives;
        pulp::Arch::new().dispatch(Sum { k: self.k, derivatives, rule, corners, normals, least })
    }
}

/// The sum of a rule, compiled for the vector instructions.
struct Sum<'a> {
    k: f64,
    derivatives: bool,
    rule: &'a Rule,
    corners: [[DVec3; 3]; 2],
    normals: [DVec3; 2],
    least: f64,
}

impl WithSimd for Sum<'_> {
    type Output = Pair;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Pair {
        match self.derivatives {
            true => sum::<true>(self.k, self.rule, self.corners, self.normals, self.least),
            false => sum::<false>(self.k, self.rule, self.corners, self.normals, self.least),
        }
    }
}

/// Sums a rule, lane by lane.
#[inline(always)]
fn sum<const DERIVATIVES: bool>(
    k: f64,
    rule: &Rule,
    [a, b]: [[DVec3; 3]; 2],
    [normal_a, normal_b]: [DVec3; 2],
    least: f64,
) -> Pair {
    let zero = [[[[0.0; LANES]; 2]; 3]; 3];
    let mut sums = [zero; 3];
    let (a, b) = (a.map(|p| p.to_array()), b.map(|p| p.to_array()));
    let (normal_a, normal_b) = (normal_a.to_array(), normal_b.to_array());
    for ((x, y), products) in rule.x.iter().zip(&rule.y).zip(&rule.products) {
        let mut values = [[[0.0; LANES]; 2]; 3];
        for l in 0..LANES {
            let mut apart = [0.0; 3];
            for d in 0..3 {
                apart[d] = (x[0][l] * a[0][d] + x[1][l] * a[1][d] + x[2][l] * a[2][d])
                    - (y[0][l] * b[0][d] + y[1][l] * b[1][d] + y[2][l] * b[2][d]);
            }
            let squared = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
            let Wave { re, im, inverse_r } = wave(k, squared.max(least));
            (values[0][0][l], values[0][1][l]) = (re, im);
            if DERIVATIVES {
                // ∇ₓ G = G (ik − 1/r) (x − y)/r, and ∇_y G = −∇ₓ G.
                let (minus, turn) = (inverse_r * inverse_r, k * inverse_r);
                let (s_re, s_im) = (-re * minus - im * turn, -im * minus + re * turn);
                let (n, m) = (normal_a, normal_b);
                let to_a = n[0] * apart[0] + n[1] * apart[1] + n[2] * apart[2];
                let to_b = -(m[0] * apart[0] + m[1] * apart[1] + m[2] * apart[2]);
                (values[1][0][l], values[1][1][l]) = (s_re * to_a, s_im * to_a);
                (values[2][0][l], values[2][1][l]) = (s_re * to_b, s_im * to_b);
            }
        }
        for (sum, values) in sums.iter_mut().zip(&values).take(if DERIVATIVES { 3 } else { 1 }) {
            for i in 0..3 {
                for j in 0..3 {
                    for part in 0..2 {
                        for l in 0..LANES {
                            sum[i][j][part][l] += products[i][j][l] * values[part][l];
                        }
                    }
                }
            }
        }
    }
    let total = |sum: &[[[Lanes; 2]; 3]; 3]| -> Block {
        let part = |lanes: &Lanes| lanes.iter().sum::<f64>();
        from_fn(|i| from_fn(|j| Complex64::new(part(&sum[i][j][0]), part(&sum[i][j][1]))))
    };
    Pair { single: total(&sums[0]), by_x: total(&sums[1]), by_y: total(&sums[2]) }
}

/// Returns the number of shared corners and an order of the corners in which those come first,
/// the same in both triangles.
fn shared(a: &Element, b: &Element) -> (usize, [usize; 3], [usize; 3]) {
    let (mut order_a, mut order_b) = ([0; 3], [0; 3]);
    let (mut used_a, mut used_b) = ([false; 3], [false; 3]);
    let mut count = 0;
    for i in 0..3 {
        if let Some(j) = (0..3).find(|&j| a.vertices[i] == b.vertices[j] && !used_b[j]) {
            (order_a[count], order_b[count]) = (i, j);
            (used_a[i], used_b[j]) = (true, true);
            count += 1;
        }
    }
    let rest = |used: [bool; 3], order: &mut [usize; 3]| {
        let left = (0..3).filter(|&i| !used[i]);
        left.zip(&mut order[count..]).for_each(|(i, place)| *place = i);
    };
    rest(used_a, &mut order_a);
    rest(used_b, &mut order_b);
    (count, order_a, order_b)
}

/// A part of a triangle.
#[derive(Clone, Copy)]
struct Piece {
    corners: [DVec3; 3],
    /// Its corners in barycentric coordinates of the triangle.
    shapes: [[f64; 3]; 3],
    /// Its part of the area.
    share: f64,
    middle: DVec3,
    radius: f64,
}

impl Piece {
    fn of(element: &Element) -> Self {
        Self {
            corners: element.corners,
            shapes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            share: 1.0,
            middle: element.middle,
            radius: element.radius,
        }
    }

    /// Returns its four quarters.
    fn cut(&self) -> [Self; 4] {
        let [a, b, c] = [0, 1, 2].map(|i| (self.corners[i], self.shapes[i]));
        let half = |p: (DVec3, [f64; 3]), q: (DVec3, [f64; 3])| {
            (p.0.midpoint(q.0), from_fn(|i| 0.5 * (p.1[i] + q.1[i])))
        };
        let (ab, bc, ca) = (half(a, b), half(b, c), half(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [bc, ca, ab]].map(|corners| Self {
            corners: corners.map(|corner| corner.0),
            shapes: corners.map(|corner| corner.1),
            share: 0.25 * self.share,
            middle: (corners[0].0 + corners[1].0 + corners[2].0) / 3.0,
            radius: 0.5 * self.radius,
        })
    }
}

/// The sum over the pieces of a pair.
struct PieceSum<'a> {
    of: &'a PairIntegrator,
    normals: [DVec3; 2],
    least: f64,
    pair: &'a mut Pair,
}

impl PieceSum<'_> {
    fn add(&mut self, p: &Piece, q: &Piece, cuts: usize) {
        let distance = p.middle.distance(q.middle);
        if cuts > 0 && distance < NEAR * (p.radius + q.radius) {
            match p.radius >= q.radius {
                true => p.cut().iter().for_each(|p| self.add(p, q, cuts - 1)),
                false => q.cut().iter().for_each(|q| self.add(p, q, cuts - 1)),
            }
            return;
        }
        let rule = &self.of.rules[0];
        let found = self.of.evaluate(rule, [p.corners, q.corners], self.normals, self.least);
        let share = p.share * q.share;
        // A shape function of the triangle is linear on the piece.
        let add = |to: &mut Block, from: &Block| {
            for i in 0..3 {
                for j in 0..3 {
                    for c in 0..3 {
                        for d in 0..3 {
                            to[i][j] += from[c][d] * (share * p.shapes[c][i] * q.shapes[d][j]);
                        }
                    }
                }
            }
        };
        add(&mut self.pair.single, &found.single);
        if self.of.derivatives {
            add(&mut self.pair.by_x, &found.by_x);
            add(&mut self.pair.by_y, &found.by_y);
        }
    }
}

//! Integrals over pairs of triangles that touch or are close.
//!
//! Pairs that touch have Sauter–Schwab rules. Pairs that are close against their size are cut
//! until the pieces are not: the walls of thin closed bodies are such pairs.

use super::Element;
use crate::green::Green;
use crate::quadrature::{PairRule, PairRules, SIX_POINTS};
use glam::DVec3;
use num_complex::Complex64;

/// Beyond this multiple of the sum of both radii the three-point rule of the assembly is exact
/// enough.
pub(super) const FAR: f64 = 2.5;
/// Within this multiple triangles are cut.
const NEAR: f64 = 1.25;
/// At most this many cuts in a row: 4⁴ pieces.
const MOST_CUTS: usize = 4;
/// Distances are kept above this fraction of the radii, where triangles intersect.
const CLOSEST: f64 = 1e-3;
/// Gauss points per dimension of pairs that share one, two, three corners.
const ORDERS: [usize; 3] = [3, 4, 4];

pub(super) type Block = [[Complex64; 3]; 3];

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

/// Computes integrals of pairs; keeps its memory.
pub(super) struct PairIntegrator<'a> {
    pub(super) k: f64,
    pub(super) rules: &'a PairRules,
    /// Whether derivatives of G are needed.
    pub(super) derivatives: bool,
    green: Green,
    squared: Vec<f64>,
    points: Vec<Point>,
}

struct Point {
    x: [f64; 3],
    y: [f64; 3],
    weight: f64,
    apart: DVec3,
}

/// Returns the rules of pairs that touch.
pub(super) fn pair_rules() -> PairRules {
    PairRules::new(ORDERS)
}

impl<'a> PairIntegrator<'a> {
    pub(super) fn new(k: f64, rules: &'a PairRules, derivatives: bool) -> Self {
        Self {
            k,
            rules,
            derivatives,
            green: Green::default(),
            squared: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Integrates over a pair that shares corners or is closer than [`FAR`].
    pub(super) fn integrate(&mut self, a: &Element, b: &Element) -> Pair {
        self.points.clear();
        match shared(a, b) {
            (0, ..) => {
                let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                self.add_pieces(a, b, Piece::of(a, unit), Piece::of(b, unit), MOST_CUTS);
            }
            (count, order_a, order_b) => {
                let rules = self.rules;
                let rule = match count {
                    1 => &rules.vertex,
                    2 => &rules.edge,
                    _ => &rules.same,
                };
                self.add_rule(a, b, rule, order_a, order_b);
            }
        }
        self.sum(a, b)
    }

    /// Adds the points of a rule; corner `order[i]` is the i-th of the rule.
    fn add_rule(
        &mut self,
        a: &Element,
        b: &Element,
        rule: &PairRule,
        order_a: [usize; 3],
        order_b: [usize; 3],
    ) {
        let sorted = |order: [usize; 3], weights: [f64; 3]| {
            let mut all = [0.0; 3];
            (0..3).for_each(|i| all[order[i]] = weights[i]);
            all
        };
        self.points.extend(rule.iter().map(|point| {
            let (x, y) = (sorted(order_a, point.x), sorted(order_b, point.y));
            Point { x, y, weight: point.weight, apart: a.place(&x) - b.place(&y) }
        }));
    }

    fn add_pieces(&mut self, a: &Element, b: &Element, p: Piece, q: Piece, cuts: usize) {
        let distance = p.middle.distance(q.middle);
        if cuts == 0 || distance > NEAR * (p.radius + q.radius) {
            self.add_product(a, b, &p, &q);
            return;
        }
        match p.radius >= q.radius {
            true => p.cut(a).into_iter().for_each(|p| self.add_pieces(a, b, p, q, cuts - 1)),
            false => q.cut(b).into_iter().for_each(|q| self.add_pieces(a, b, p, q, cuts - 1)),
        }
    }

    /// Adds the product of two rules of six points.
    fn add_product(&mut self, a: &Element, b: &Element, p: &Piece, q: &Piece) {
        for (x, v) in &SIX_POINTS {
            let x = p.barycentric(x);
            let at = a.place(&x);
            for (y, w) in &SIX_POINTS {
                let y = q.barycentric(y);
                let weight = v * w * p.share * q.share;
                self.points.push(Point { x, y, weight, apart: at - b.place(&y) });
            }
        }
    }

    /// Sums the integrands at all points.
    fn sum(&mut self, a: &Element, b: &Element) -> Pair {
        let least = (CLOSEST * a.radius.min(b.radius)).powi(2);
        self.squared.clear();
        self.squared.extend(self.points.iter().map(|p| p.apart.length_squared().max(least)));
        self.green.evaluate(self.k, &self.squared);
        let mut pair = Pair::default();
        let areas = a.area * b.area;
        for (q, point) in self.points.iter().enumerate() {
            let g = Complex64::new(self.green.re[q], self.green.im[q]) * (point.weight * areas);
            add(&mut pair.single, g, point);
            if self.derivatives {
                let inverse = self.green.inverse_r[q];
                // ∇ₓ G = G (ik − 1/r) (x − y)/r, and ∇_y G = −∇ₓ G.
                let slope = g * Complex64::new(-inverse * inverse, self.k * inverse);
                add(&mut pair.by_x, slope * a.normal.dot(point.apart), point);
                add(&mut pair.by_y, slope * -b.normal.dot(point.apart), point);
            }
        }
        pair
    }
}

#[inline(always)]
fn add(block: &mut Block, value: Complex64, point: &Point) {
    for (row, x) in block.iter_mut().zip(point.x) {
        let value = value * x;
        for (entry, y) in row.iter_mut().zip(point.y) {
            *entry += value * y;
        }
    }
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

/// Returns whether two elements share a corner.
#[inline(always)]
pub(super) fn touch(a: &Element, b: &Element) -> bool {
    a.vertices.iter().any(|v| b.vertices.contains(v))
}

/// A part of a triangle.
#[derive(Clone, Copy)]
struct Piece {
    /// Its corners, barycentric.
    corners: [[f64; 3]; 3],
    /// Its part of the area.
    share: f64,
    middle: DVec3,
    radius: f64,
}

impl Piece {
    fn of(element: &Element, corners: [[f64; 3]; 3]) -> Self {
        Self { corners, share: 1.0, middle: element.middle, radius: element.radius }
    }

    fn barycentric(&self, weights: &[f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| (0..3).map(|c| weights[c] * self.corners[c][i]).sum())
    }

    /// Returns its four quarters.
    fn cut(&self, element: &Element) -> [Self; 4] {
        let [a, b, c] = self.corners;
        let half = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|i| 0.5 * (p[i] + q[i]));
        let (ab, bc, ca) = (half(a, b), half(b, c), half(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [bc, ca, ab]].map(|corners| {
            let middle = [0, 1, 2].map(|i| (corners[0][i] + corners[1][i] + corners[2][i]) / 3.0);
            Self {
                corners,
                share: 0.25 * self.share,
                middle: element.place(&middle),
                radius: 0.5 * self.radius,
            }
        })
    }
}

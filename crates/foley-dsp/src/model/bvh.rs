//! Bounding volume hierarchy (BVH) over the triangles of a surface, for closest-point queries.

use super::ModalParts;
use super::surface_point::{closest_on_triangle, length_squared};

/// Most triangles of a leaf.
const LEAF: usize = 4;

/// A binary tree of axis-aligned boxes, parents before children.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TriangleBvh {
    nodes: Vec<Node>,
    /// Triangles in leaf order.
    triangles: Vec<Triangle>,
}

/// A copy of a triangle in leaf order, and its index in the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Triangle {
    corners: [[f64; 3]; 3],
    number: u32,
}

/// A node on one cache line: queries are bound by memory latency.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
struct Node {
    low: [f64; 3],
    high: [f64; 3],
    /// Its triangles, as a range of `triangles`.
    range: [u32; 2],
    /// The second child; the first is the next node. `None` for a leaf.
    second: Option<u32>,
}

/// The closest triangle so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closest {
    pub(super) distance_squared_m2: f64,
    pub(super) triangle: usize,
    pub(super) weights: [f64; 3],
}

impl TriangleBvh {
    /// Builds the tree of a surface; empty if it has no triangles.
    pub(super) fn new(parts: &ModalParts) -> Self {
        let mut order: Vec<u32> = (0..).take(parts.triangles.len()).collect();
        let mut tree = Self::default();
        if !order.is_empty() {
            tree.build(parts, &mut order, 0);
        }
        let triangle = |number: u32| {
            let corners = parts.triangles[number as usize].map(|k| parts.points[k as usize]);
            Triangle { corners, number }
        };
        tree.triangles = order.into_iter().map(triangle).collect();
        tree
    }

    /// Builds the subtree of the triangles in `order`, which begin at index `from` in leaf order.
    /// Splits at the median along the longest axis.
    fn build(&mut self, parts: &ModalParts, order: &mut [u32], from: usize) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for k in order.iter().flat_map(|t| parts.triangles[*t as usize]) {
            let p = parts.points[k as usize];
            for i in 0..3 {
                (low[i], high[i]) = (low[i].min(p[i]), high[i].max(p[i]));
            }
        }
        let (own, to) = (self.nodes.len(), from + order.len());
        self.nodes.push(Node { low, high, range: [from as u32, to as u32], second: None });
        if order.len() > LEAF {
            let longest =
                (0..3).max_by(|a, b| (high[*a] - low[*a]).total_cmp(&(high[*b] - low[*b])));
            let axis = longest.unwrap_or(0);
            let middle = |t: &u32| -> f64 {
                parts.triangles[*t as usize].iter().map(|k| parts.points[*k as usize][axis]).sum()
            };
            let half = order.len() / 2;
            order.select_nth_unstable_by(half, |a, b| {
                middle(a).total_cmp(&middle(b)).then(a.cmp(b))
            });
            let (first, second) = order.split_at_mut(half);
            self.build(parts, first, from);
            self.nodes[own].second = Some(self.nodes.len() as u32);
            self.build(parts, second, from + half);
        }
    }

    /// Returns the closest triangle, among equals the last; `None` without triangles or when no
    /// distance is finite.
    pub(super) fn closest(&self, at: [f64; 3]) -> Option<Closest> {
        let nothing =
            Closest { distance_squared_m2: f64::INFINITY, triangle: 0, weights: [1.0, 0.0, 0.0] };
        let mut best = nothing;
        if !self.nodes.is_empty() {
            self.search(at, 0, &mut best);
        }
        (best.distance_squared_m2 < f64::INFINITY).then_some(best)
    }

    fn search(&self, at: [f64; 3], number: usize, best: &mut Closest) {
        let Node { range: [from, to], second, .. } = self.nodes[number];
        let Some(second) = second else {
            for Triangle { corners, number } in &self.triangles[from as usize..to as usize] {
                let triangle = *number as usize;
                let (distance_squared_m2, weights) = closest_on_triangle(at, *corners);
                let alike =
                    distance_squared_m2 == best.distance_squared_m2 && triangle > best.triangle;
                if distance_squared_m2 < best.distance_squared_m2 || alike {
                    *best = Closest { distance_squared_m2, triangle, weights };
                }
            }
            return;
        };
        let halves = [number + 1, second as usize];
        let far = halves.map(|half| self.nodes[half].distance_squared_m2(at));
        let first = usize::from(far[1] < far[0]);
        for which in [first, 1 - first] {
            // Rounding can make a triangle slightly closer than its box.
            if far[which] <= best.distance_squared_m2 * (1.0 + 1e-9) {
                self.search(at, halves[which], best);
            }
        }
    }
}

impl Node {
    /// Returns the squared distance from the box; 0 inside.
    fn distance_squared_m2(&self, at: [f64; 3]) -> f64 {
        let beyond = |i: usize| (self.low[i] - at[i]).max(at[i] - self.high[i]).max(0.0);
        length_squared([beyond(0), beyond(1), beyond(2)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Gains};
    use foley_geometry::rng::SplitMix64;

    fn soup(triangles: usize, rng: &mut SplitMix64) -> ModalParts {
        let mut unit = || rng.unit();
        let points: Vec<[f64; 3]> =
            (0..triangles + 2).map(|_| [unit(), unit(), 0.1 * unit()]).collect();
        let triangles = (0..triangles as u32).map(|k| [k, k + 1, (k * 7) % (k + 2)]).collect();
        ModalParts {
            name: "soup".into(),
            frequencies_hz: vec![1.0],
            decays: vec![1.0],
            gains: Gains::from(vec![0.0; points.len()]),
            points,
            triangles,
            body: Body { mass_kg: 1.0, young_pa: 1.0, poisson: 0.3, radius_m: 1.0 },
        }
    }

    #[test]
    fn the_closest_of_all_is_found() {
        let mut rng = SplitMix64::new(5);
        for triangles in [1, 4, 5, 33, 700] {
            let parts = soup(triangles, &mut rng);
            let tree = TriangleBvh::new(&parts);
            for _ in 0..300 {
                let at = [(); 3].map(|()| 4.0 * rng.unit() - 1.5);
                let one_by_one = parts.triangles.iter().enumerate().map(|(t, k)| {
                    (closest_on_triangle(at, k.map(|k| parts.points[k as usize])).0, t)
                });
                let (distance, triangle) =
                    one_by_one.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).unwrap();
                let found = tree.closest(at).unwrap();
                assert_eq!((found.distance_squared_m2, found.triangle), (distance, triangle));
            }
        }
    }

    #[test]
    fn no_triangles_and_no_numbers_find_nothing() {
        let mut parts = soup(9, &mut SplitMix64::new(1));
        assert!(TriangleBvh::new(&parts).closest([f64::NAN, 0.0, 0.0]).is_none());
        assert!(TriangleBvh::new(&parts).closest([1e300; 3]).is_none());
        parts.triangles.clear();
        assert!(TriangleBvh::new(&parts).closest([0.0; 3]).is_none());
    }
}

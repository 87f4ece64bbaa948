//! Unknowns: the pressure jump at vertices, one per pair of air regions that meet there.
//!
//! Every triangle has two sides. Around an edge, each side faces the side of the next triangle:
//! at an edge of two triangles the sides continue, at a free edge the two sides of the one
//! triangle are joined, and at an edge of three or more the sides that face each other across a
//! wedge of air are joined. The sides at a vertex thus fall into *regions* of air. The jump of a
//! triangle at a vertex is the pressure of the region at its front minus that at its back, and
//! the pressures of the regions, less one reference, are the unknowns. This gives
//!
//! - one unknown at a vertex inside a sheet: the jump, continuous over the triangles;
//! - none at a free edge: the jump vanishes there;
//! - m − 1 unknowns where m sheets meet at an edge: the jumps around the edge sum to zero.
//!
//! X. Claeys, L. Giacomel, R. Hiptmair, C. Urzúa-Torres, *Quotient-space boundary element methods
//! for scattering at complex screens*, BIT 61 (2021). Orientations need not agree.

use super::Surface;
use super::edges::{HalfEdge, edges, half_edges};
use foley_geometry::mesh::UnionFind;

/// An unknown's weight in the jump at a corner of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Entry {
    pub(crate) unknown: u32,
    pub(crate) sign: f64,
}

/// The unknowns of a surface.
#[derive(Debug, Clone)]
pub(crate) struct Unknowns {
    count: usize,
    /// Front and back unknown of every corner, `NONE` for the reference region.
    corners: Vec<[[u32; 2]; 3]>,
}

const NONE: u32 = u32::MAX;

impl Unknowns {
    pub(crate) fn new(surface: &Surface) -> Self {
        let triangles = &surface.triangles;
        let mut sides = UnionFind::new(6 * triangles.len());
        let halves = half_edges(triangles);
        for edge in edges(&halves) {
            join_around(surface, edge, &mut sides);
        }
        let regions: Vec<[[u32; 2]; 3]> = (0..triangles.len())
            .map(|t| [0, 1, 2].map(|c| [0, 1].map(|s| sides.find(side(t, c, s)).0)))
            .collect();

        // Regions that a triangle separates depend on each other through its jump only: one of
        // each connected set is the reference.
        let mut sets = UnionFind::new(6 * triangles.len());
        for [front, back] in regions.iter().flatten() {
            sets.join(*front, *back, false);
        }
        let mut number = vec![NONE; 6 * triangles.len()];
        let mut reference = vec![NONE; 6 * triangles.len()];
        let mut count = 0;
        for [front, back] in regions.iter().flatten() {
            let reference = &mut reference[sets.find(*back).0 as usize];
            if *reference == NONE {
                *reference = *back;
            }
            for region in [front, back] {
                if region != reference && number[*region as usize] == NONE {
                    number[*region as usize] = count;
                    count += 1;
                }
            }
        }
        let unknowns = |[front, back]: [u32; 2]| match front == back {
            true => [NONE; 2],
            false => [number[front as usize], number[back as usize]],
        };
        let corners = regions.iter().map(|corners| corners.map(unknowns)).collect();
        Self { count: count as usize, corners }.compacted()
    }

    /// Drops unknowns that no jump contains.
    fn compacted(mut self) -> Self {
        let mut number = vec![NONE; self.count];
        let mut count = 0;
        for unknown in self.corners.iter_mut().flatten().flatten().filter(|u| **u != NONE) {
            let slot = &mut number[*unknown as usize];
            if *slot == NONE {
                *slot = count;
                count += 1;
            }
            *unknown = *slot;
        }
        self.count = count as usize;
        self
    }

    /// Returns their number.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the unknowns in the jump at a corner of a triangle.
    pub(crate) fn at(&self, triangle: usize, corner: usize) -> impl Iterator<Item = Entry> {
        let pair = self.corners[triangle][corner];
        let entries = [(pair[0], 1.0), (pair[1], -1.0)];
        let used = entries.into_iter().filter(|(unknown, _)| *unknown != NONE);
        used.map(|(unknown, sign)| Entry { unknown, sign })
    }
}

/// Number of a side (0: front) of a triangle at a corner.
fn side(triangle: usize, corner: usize, side: usize) -> u32 {
    (6 * triangle + 2 * corner + side) as u32
}

/// Joins the sides that face each other around an edge, at both of its vertices.
fn join_around(surface: &Surface, edge: &[HalfEdge], sides: &mut UnionFind) {
    let mut around: Vec<(f64, HalfEdge)> =
        edge.iter().map(|half| (angle(surface, edge, half), *half)).collect();
    around.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (i, (_, half)) in around.iter().enumerate() {
        let next = around[(i + 1) % around.len()].1;
        // A triangle that runs along the edge turns its front towards growing angles.
        let (here, there) = (usize::from(!half.along), usize::from(next.along));
        for vertex in [half.low, half.high] {
            let corner = |of: &HalfEdge| {
                let corners = surface.triangles[of.triangle as usize].corners;
                corners.iter().position(|v| *v == vertex).unwrap_or(0)
            };
            let facing = [
                side(half.triangle as usize, corner(half), here),
                side(next.triangle as usize, corner(&next), there),
            ];
            sides.join(facing[0], facing[1], false);
        }
    }
}

/// Returns the angle of a triangle around the edge, counted from the first triangle.
fn angle(surface: &Surface, edge: &[HalfEdge], half: &HalfEdge) -> f64 {
    let across = |half: &HalfEdge| {
        let corners = surface.corners(half.triangle as usize);
        let along = surface.points[half.high as usize] - surface.points[half.low as usize];
        let along = along.normalize_or_zero();
        let out = corners[half.opposite as usize] - surface.points[half.low as usize];
        (along, out - along * out.dot(along))
    };
    let ((along, zero), (_, out)) = (across(&edge[0]), across(half));
    let angle = f64::atan2(along.dot(zero.cross(out)), zero.dot(out));
    if angle < 0.0 { angle + std::f64::consts::TAU } else { angle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Kind;

    /// A square of n × n cells in the plane through `x` and `y`.
    fn square(n: usize, x: [f64; 3], y: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let at =
            |i: usize, j: usize| [0, 1, 2].map(|a| (i as f64 * x[a] + j as f64 * y[a]) / n as f64);
        let points = (0..=n).flat_map(|j| (0..=n).map(move |i| at(i, j))).collect();
        let number = |i: usize, j: usize| (j * (n + 1) + i) as u32;
        let cells = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
        let triangles = cells.flat_map(|(i, j)| {
            let [a, b, c, d] =
                [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        (points, triangles.collect())
    }

    #[test]
    fn the_jump_vanishes_at_free_edges_only() {
        let (points, triangles) = square(4, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let surface = Surface::new(&points, &triangles).unwrap();
        assert_eq!(Unknowns::new(&surface).len(), 9);
        assert!(!surface.is_closed());
    }

    /// Three sheets at one edge: two unknowns at each of its inner vertices.
    #[test]
    fn a_t_junction_has_two_jumps() {
        let n = 4;
        let mut all = (Vec::new(), Vec::new());
        for x in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] {
            let (points, triangles) = square(n, x, [0.0, 1.0, 0.0]);
            let base = all.0.len() as u32;
            all.0.extend(points);
            all.1.extend(triangles.iter().map(|t| t.map(|v| v + base)));
        }
        for kind in [Kind::Free, Kind::Sheet] {
            let surface = Surface::of_kind(kind, &all.0, &all.1).unwrap();
            // Each sheet has 3 × 3 inner vertices, the junction 3.
            assert_eq!(Unknowns::new(&surface).len(), 3 * 9 + 3 * 2);
        }
    }

    #[test]
    fn a_closed_body_has_one_unknown_per_vertex() {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        // One triangle is wound the wrong way round.
        let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 3, 0]];
        let surface = Surface::new(&points, &triangles).unwrap();
        assert!(surface.is_closed());
        let unknowns = Unknowns::new(&surface);
        assert_eq!(unknowns.len(), 4);
        for t in 0..4 {
            for c in 0..3 {
                assert!(unknowns.at(t, c).all(|entry| entry.sign == 1.0));
            }
            let middle = surface.corners(t).into_iter().sum::<glam::DVec3>() / 3.0;
            assert!(surface.triangles[t].normal.dot(middle - glam::DVec3::splat(0.25)) > 0.0);
        }
    }

    /// Two tetrahedra that touch at one vertex are independent there.
    #[test]
    fn bodies_that_touch_at_a_vertex_are_independent() {
        let mut points = vec![[0.0; 3]];
        let mut triangles = Vec::new();
        for sign in [1.0, -1.0] {
            let base = points.len() as u32;
            points.extend([[sign, 0.0, 0.0], [0.0, sign, 0.0], [0.0, 0.0, sign]]);
            let [a, b, c] = [base, base + 1, base + 2];
            triangles.extend([[0, b, a], [0, a, c], [a, b, c], [b, 0, c]]);
        }
        let surface = Surface::new(&points, &triangles).unwrap();
        assert!(surface.is_closed());
        assert_eq!(Unknowns::new(&surface).len(), 8);
    }
}

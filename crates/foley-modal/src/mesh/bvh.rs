//! A tree of boxes over triangles, for rays.
//!
//! Halves the triangles at the median of the longest axis, so that its depth is the
//! logarithm of their number whatever the mesh looks like.

use super::Mesh;
use super::vector::{V, add, bounds, cross, dot, sub};

const LEAF: usize = 8;

struct Node {
    bounds: [V; 2],
    /// First triangle in `order` of a leaf; second child of an inner node, whose first
    /// child follows it.
    first: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// The tree. It knows the triangles by their numbers in the mesh.
pub(super) struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Bvh {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let n = mesh.triangles.len();
        let mut bvh = Self { nodes: Vec::new(), order: (0..n as u32).collect() };
        if n > 0 {
            bvh.build(mesh, 0, n);
        }
        bvh
    }

    fn build(&mut self, mesh: &Mesh, start: usize, end: usize) {
        let triangles = &mut self.order[start..end];
        let corners = triangles.iter().flat_map(|&t| mesh.corners(t as usize));
        let around = bounds(corners).unwrap_or_default();
        let number = self.nodes.len();
        let count = if end - start <= LEAF { end - start } else { 0 };
        self.nodes.push(Node { bounds: around, first: start as u32, count: count as u32 });
        if count > 0 {
            return;
        }
        // Three times the centroid: only its order matters.
        let centre = |t: u32| mesh.corners(t as usize).into_iter().fold([0.0; 3], add);
        let spread = bounds(triangles.iter().map(|&t| centre(t))).unwrap_or_default();
        let extent = sub(spread[1], spread[0]);
        let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
        let half = triangles.len() / 2;
        triangles.select_nth_unstable_by(half, |&a, &b| {
            centre(a)[axis].total_cmp(&centre(b)[axis]).then(a.cmp(&b))
        });
        self.build(mesh, start, start + half);
        self.nodes[number].first = self.nodes.len() as u32;
        self.build(mesh, start + half, end);
    }

    /// The distance to, and the number of, the nearest triangle that a ray leaves through its back, in
    /// lengths of `along`; `but` is not looked at. `None` also when that takes more
    /// boxes than are left in `work`.
    pub(super) fn exit(
        &self,
        mesh: &Mesh,
        [from, along]: [V; 2],
        but: Option<u32>,
        work: &mut u64,
    ) -> Option<(f64, u32)> {
        let inverse = along.map(f64::recip);
        let (mut nearest, mut which) = (f64::INFINITY, 0);
        let mut stack = vec![0];
        while let Some(number) = stack.pop() {
            let Some(node) = self.nodes.get(number) else { continue };
            *work = work.checked_sub(1)?;
            if !enters(node.bounds, from, inverse, nearest) {
                continue;
            }
            if node.count == 0 {
                stack.extend([node.first as usize, number + 1]);
                continue;
            }
            let first = node.first as usize;
            for &t in &self.order[first..first + node.count as usize] {
                if Some(t) != but
                    && let Some(distance) = leaves(mesh.corners(t as usize), from, along)
                    && distance < nearest
                {
                    (nearest, which) = (distance, t);
                }
            }
        }
        nearest.is_finite().then_some((nearest, which))
    }
}

/// Whether a ray meets a box before `limit`.
fn enters([low, high]: [V; 2], from: V, inverse: V, limit: f64) -> bool {
    let (mut near, mut far) = (0.0, limit);
    for i in 0..3 {
        let (a, b) = ((low[i] - from[i]) * inverse[i], (high[i] - from[i]) * inverse[i]);
        // `max` and `min` pass over NaN, which 0·∞ gives on the border of a flat box.
        near = f64::max(near, f64::min(a, b));
        far = f64::min(far, f64::max(a, b));
    }
    near <= far * (1.0 + 1e-12)
}

/// Möller and Trumbore 1997, for triangles that look along the ray.
fn leaves([a, b, c]: [V; 3], from: V, along: V) -> Option<f64> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let p = cross(along, ac);
    let det = dot(ab, p);
    // Negative: the normal and the ray point the same way.
    if !(det < 0.0) {
        return None;
    }
    let s = sub(from, a);
    let u = dot(s, p) / det;
    let q = cross(s, ab);
    let v = dot(along, q) / det;
    let slack = -1e-9;
    let distance = dot(ac, q) / det;
    (u >= slack && v >= slack && u + v <= 1.0 - slack && distance > 0.0).then_some(distance)
}

//! Bounding volume hierarchy (BVH) over triangles, for rays.
//!
//! Halves the triangles in Morton order: the depth is the logarithm of their number whatever the
//! mesh, and ten million triangles are sorted once, not at every level.

use super::Mesh;
use super::vector::{V, add, bounds, cross, dot, sub};
use rayon::slice::ParallelSliceMut;

const LEAF: usize = 8;

struct Node {
    bounds: [V; 2],
    /// Leaf: first triangle in `order`. Inner node: second child; the first child follows the
    /// node.
    first: u32,
    /// Number of triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// The tree; it refers to triangles by their indices in the mesh.
pub(super) struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Bvh {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let n = mesh.triangles.len();
        let mut bvh = Self { nodes: Vec::new(), order: along_curve(mesh) };
        if n > 0 {
            bvh.nodes.reserve(4 * n / LEAF + 2);
            bvh.build(mesh, 0, n);
        }
        bvh
    }

    fn build(&mut self, mesh: &Mesh, start: usize, end: usize) -> [V; 2] {
        let number = self.nodes.len();
        if end - start <= LEAF {
            let corners = self.order[start..end].iter().flat_map(|&t| mesh.corners(t as usize));
            let bounds = bounds(corners).unwrap_or_default();
            let count = (end - start) as u32;
            self.nodes.push(Node { bounds, first: start as u32, count });
            return bounds;
        }
        self.nodes.push(Node { bounds: [[0.0; 3]; 2], first: 0, count: 0 });
        let half = start + (end - start) / 2;
        let one = self.build(mesh, start, half);
        self.nodes[number].first = self.nodes.len() as u32;
        let two = self.build(mesh, half, end);
        let around = bounds([one, two].into_iter().flatten()).unwrap_or_default();
        self.nodes[number].bounds = around;
        around
    }

    /// Returns the distance, in lengths of `along`, to the nearest triangle that a ray hits from
    /// behind, and its index; `but` is skipped. `None` also when more than `work` boxes would be
    /// tested.
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

/// Returns the triangles in Morton order of their centroids.
fn along_curve(mesh: &Mesh) -> Vec<u32> {
    let Some([low, high]) = bounds(mesh.vertices.iter().copied()) else { return Vec::new() };
    let extent = sub(high, low).into_iter().fold(0.0, f64::max);
    let cells = f64::from(1 << 21) / (3.0 * extent);
    let code = |t: usize| {
        let sum = mesh.corners(t).into_iter().fold([0.0; 3], add);
        (0..3).fold(0, |code, a| code | spread(((sum[a] - 3.0 * low[a]) * cells) as u64) << a)
    };
    let mut order: Vec<(u64, u32)> =
        (0..mesh.triangles.len()).map(|t| (code(t), t as u32)).collect();
    order.par_sort_unstable();
    order.into_iter().map(|(_, t)| t).collect()
}

/// Spreads the lowest 21 bits three apart.
fn spread(x: u64) -> u64 {
    let steps = [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ];
    steps.iter().fold(x.min((1 << 21) - 1), |x, (by, mask)| (x | x << by) & mask)
}

/// Returns whether a ray hits a box before `limit` (slab test).
fn enters([low, high]: [V; 2], from: V, inverse: V, limit: f64) -> bool {
    let (mut near, mut far) = (0.0, limit);
    for i in 0..3 {
        let (a, b) = ((low[i] - from[i]) * inverse[i], (high[i] - from[i]) * inverse[i]);
        // `max` and `min` ignore NaN, which 0·∞ gives on the border of a flat box.
        near = f64::max(near, f64::min(a, b));
        far = f64::min(far, f64::max(a, b));
    }
    near <= far * (1.0 + 1e-12)
}

/// Returns the distance to a triangle hit from behind (Möller & Trumbore 1997).
fn leaves([a, b, c]: [V; 3], from: V, along: V) -> Option<f64> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let p = cross(along, ac);
    let det = dot(ab, p);
    // Negative: normal and ray point the same way.
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

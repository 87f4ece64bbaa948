//! Edges with their triangles.

use super::Triangle;

/// One triangle at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HalfEdge {
    /// Vertices of the edge.
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) triangle: u32,
    /// The corner of the triangle opposite to the edge.
    pub(super) opposite: u8,
    /// Whether the triangle runs from `low` to `high`.
    pub(super) along: bool,
}

/// Returns the half edges of all triangles, sorted by edge.
pub(super) fn half_edges(triangles: &[Triangle]) -> Vec<HalfEdge> {
    let mut halves = Vec::with_capacity(3 * triangles.len());
    for (number, triangle) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (triangle.corners[k], triangle.corners[(k + 1) % 3]);
            halves.push(HalfEdge {
                low: from.min(to),
                high: from.max(to),
                triangle: number as u32,
                opposite: ((k + 2) % 3) as u8,
                along: from < to,
            });
        }
    }
    halves.sort_unstable();
    halves
}

/// Iterates over the edges: the half edges of each.
pub(super) fn edges(halves: &[HalfEdge]) -> impl Iterator<Item = &[HalfEdge]> {
    halves.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high))
}

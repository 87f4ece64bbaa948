//! Edge adjacency: half-edges grouped by edge, in linear memory.

use crate::mesh::Mesh;

/// Half-edges sorted by the lower and then by the higher of their vertices.
/// Half-edge `3 t + k` leads from corner k of triangle t to the next corner.
pub struct Edges {
    /// First half-edge of each lower vertex.
    start: Vec<u32>,
    /// The higher vertex and the half-edge.
    halves: Vec<(u32, u32)>,
}

/// Returns the start and end vertex of a half-edge.
pub fn endpoints(mesh: &Mesh, half: u32) -> [u32; 2] {
    let t = mesh.triangles[half as usize / 3];
    let k = half as usize % 3;
    [t[k], t[(k + 1) % 3]]
}

impl Edges {
    /// Sorts the half-edges of a mesh by the edge they belong to.
    pub fn new(mesh: &Mesh) -> Self {
        let halves = 3 * mesh.triangles.len() as u32;
        let low_high = |half| {
            let [a, b] = endpoints(mesh, half);
            (a.min(b), a.max(b))
        };
        let mut start = vec![0; mesh.vertices.len() + 1];
        for half in 0..halves {
            start[low_high(half).0 as usize + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut next = start.clone();
        let mut sorted = vec![(0, 0); halves as usize];
        for half in 0..halves {
            let (low, high) = low_high(half);
            sorted[next[low as usize] as usize] = (high, half);
            next[low as usize] += 1;
        }
        for range in start.windows(2) {
            sorted[range[0] as usize..range[1] as usize].sort_unstable();
        }
        Self { start, halves: sorted }
    }

    /// Calls `f(lower vertex, higher vertex, half-edges)` for each edge.
    pub fn for_each(&self, mut f: impl FnMut(u32, u32, &[u32])) {
        let mut group = Vec::new();
        for (low, range) in self.start.windows(2).enumerate() {
            let halves = &self.halves[range[0] as usize..range[1] as usize];
            for edge in halves.chunk_by(|a, b| a.0 == b.0) {
                group.clear();
                group.extend(edge.iter().map(|half| half.1));
                f(low as u32, edge[0].0, &group);
            }
        }
    }
}

//! Measures of a mesh: bounds, area, volume, connected components, open edges.

use super::repair::Edges;
use super::union_find::UnionFind;
use super::{Mesh, MeshError, repair};
use crate::vector::{area_vector, bounds};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Measures of a mesh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Measures {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of connected components (by shared vertices).
    pub pieces: usize,
    /// Lowest and highest corner of the bounding box, in metres.
    pub bounds_m: [[f64; 3]; 2],
    /// Longest side of the bounding box.
    pub size_m: f64,
    /// Area of all triangles.
    pub area_m2: f64,
    /// Enclosed volume; `None` when the mesh is open.
    pub volume_m3: Option<f64>,
    /// Mean edge length.
    pub mean_edge_m: f64,
    /// Whether the mesh bounds a solid: every edge is traversed equally often in both
    /// directions.
    pub closed: bool,
    /// Edges with one triangle.
    pub open_edges: usize,
    /// Connected groups of open edges (boundary loops): the rim of a cup is one.
    pub holes: usize,
    /// Edges with more than two triangles.
    pub non_manifold_edges: usize,
    /// Edges whose two triangles are wound against each other. After a repair only one-sided
    /// surfaces, such as a Möbius strip, have them.
    pub twisted_edges: usize,
}

impl Measures {
    /// Measures a mesh. Fails where [`repair`](super::repair()) would: without triangles, or
    /// with vertices that do not exist or are not finite.
    pub fn of(mesh: &Mesh) -> Result<Measures, MeshError> {
        repair::check(mesh)?;
        let used = mesh.triangles.iter().flatten().map(|&v| mesh.vertex(v));
        let [low, high] = bounds(used).ok_or(MeshError::NoTriangles)?;
        let extent = high - low;
        let mut measures = Measures {
            vertices: mesh.vertices.len(),
            triangles: mesh.triangles.len(),
            pieces: pieces(mesh).1,
            bounds_m: [low, high].map(|p| p.to_array()),
            size_m: extent.max_element(),
            area_m2: (0..mesh.triangles.len())
                .map(|t| 0.5 * area_vector(mesh.corners(t)).length())
                .sum(),
            volume_m3: None,
            mean_edge_m: 0.0,
            closed: true,
            open_edges: 0,
            holes: 0,
            non_manifold_edges: 0,
            twisted_edges: 0,
        };
        measures.edges(mesh);
        measures.volume_m3 = measures.closed.then(|| volume(mesh, low + extent * 0.5));
        Ok(measures)
    }

    fn edges(&mut self, mesh: &Mesh) {
        let (mut count, mut length) = (0_usize, 0.0);
        let mut rims = UnionFind::new(mesh.vertices.len());
        let mut on_rim = vec![false; mesh.vertices.len()];
        Edges::new(mesh).for_each(|low, high, halves| {
            count += 1;
            length += mesh.vertex(low).distance(mesh.vertex(high));
            let balance: i64 = halves.iter().map(|&half| sign(mesh, half)).sum();
            self.closed &= balance == 0;
            match halves.len() {
                1 => {
                    self.open_edges += 1;
                    rims.join(low, high, false);
                    on_rim[low as usize] = true;
                    on_rim[high as usize] = true;
                }
                2 => self.twisted_edges += usize::from(balance != 0),
                _ => self.non_manifold_edges += 1,
            }
        });
        self.mean_edge_m = length / count.max(1) as f64;
        self.holes =
            (0..on_rim.len() as u32).filter(|&v| on_rim[v as usize] && rims.find(v).0 == v).count();
    }
}

/// Returns +1 for a half-edge from the lower to the higher vertex, else −1.
fn sign(mesh: &Mesh, half: u32) -> i64 {
    let [from, to] = super::repair::endpoints(mesh, half);
    if from < to { 1 } else { -1 }
}

/// Returns ∑ a·(b × c)/6, with coordinates relative to the middle of the box so that no digits
/// are lost far from the origin.
fn volume(mesh: &Mesh, middle: DVec3) -> f64 {
    let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t).map(|p| p - middle));
    corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// Returns the connected component of every triangle, and the number of components.
pub(super) fn pieces(mesh: &Mesh) -> (Vec<u32>, usize) {
    let mut sets = UnionFind::new(mesh.vertices.len());
    for &[a, b, c] in &mesh.triangles {
        sets.join(a, b, false);
        sets.join(b, c, false);
    }
    let mut number = vec![u32::MAX; mesh.vertices.len()];
    let mut count = 0;
    let pieces = mesh.triangles.iter().map(|t| {
        let slot = &mut number[sets.find(t[0]).0 as usize];
        if *slot == u32::MAX {
            *slot = count;
            count += 1;
        }
        *slot
    });
    (pieces.collect(), count as usize)
}

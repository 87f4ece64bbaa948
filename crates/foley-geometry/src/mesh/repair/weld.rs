//! Vertex welding on a hash grid, in linear time.
//!
//! Cells are four tolerances wide. Each vertex searches the at most eight cells within its
//! tolerance for a vertex kept before it. Kept vertices are at least a tolerance apart, so a cell
//! holds a bounded number of them and no input can make the search slow.

use crate::mesh::Mesh;
use glam::DVec3;
use std::collections::HashMap;

/// Smallest tolerance in diagonals: cell indices have 32 bits.
const FINEST: f64 = 1e-9;
const NONE: u32 = u32::MAX;

/// Welds the vertices that triangles use and returns the number merged. Vertices that become
/// unused stay in the list.
pub(super) fn weld(mesh: &mut Mesh, low: DVec3, diagonal: f64, tolerance: f64) -> usize {
    let reach = tolerance.max(FINEST) * diagonal;
    let mut grid = Grid::new(low, reach, mesh.vertices.len());
    let mut kept = vec![NONE; mesh.vertices.len()];
    let mut welded = 0;
    for v in mesh.triangles.iter_mut().flatten() {
        if kept[*v as usize] == NONE {
            let at = mesh.vertices[*v as usize].into();
            kept[*v as usize] = match grid.find(&mesh.vertices, at) {
                Some(other) => {
                    welded += 1;
                    other
                }
                None => {
                    grid.insert(*v, at);
                    *v
                }
            };
        }
        *v = kept[*v as usize];
    }
    welded
}

struct Grid {
    low: DVec3,
    reach: f64,
    /// Last vertex inserted into each cell.
    first: HashMap<[u32; 3], u32>,
    /// Vertex inserted into the same cell before it.
    next: Vec<u32>,
}

impl Grid {
    fn new(low: DVec3, reach: f64, vertices: usize) -> Self {
        Self { low, reach, first: HashMap::new(), next: vec![NONE; vertices] }
    }

    fn cell(&self, at: DVec3) -> [u32; 3] {
        // The cast saturates: points slightly outside fall into the border cells.
        ((at - self.low) / (4.0 * self.reach)).to_array().map(|x| x as u32)
    }

    fn insert(&mut self, vertex: u32, at: DVec3) {
        let before = self.first.insert(self.cell(at), vertex);
        self.next[vertex as usize] = before.unwrap_or(NONE);
    }

    /// Returns the closest vertex within reach; of equally close ones, the lowest index.
    fn find(&self, vertices: &[[f64; 3]], at: DVec3) -> Option<u32> {
        let low = self.cell(at - self.reach);
        let high = self.cell(at + self.reach);
        let mut best: Option<(f64, u32)> = None;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let mut vertex = *self.first.get(&[x, y, z]).unwrap_or(&NONE);
                    while vertex != NONE {
                        let apart = DVec3::from(vertices[vertex as usize]) - at;
                        let found = (apart.length_squared(), vertex);
                        if found.0 <= self.reach * self.reach
                            && best.is_none_or(|best| found < best)
                        {
                            best = Some(found);
                        }
                        vertex = self.next[vertex as usize];
                    }
                }
            }
        }
        best.map(|(_, vertex)| vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of vertices at half a tolerance, wherever the borders of cells lie.
    #[test]
    fn borders_of_cells_do_not_part_neighbours() {
        let n = 5000;
        let step = 1.0 / f64::from(n);
        let vertices = (0..n).flat_map(|i| {
            let x = f64::from(i) * step;
            [[x, 0.3 * x, -x], [x + 5e-7, 0.3 * x, -x]]
        });
        let mut mesh = Mesh::new(
            vertices.collect(),
            (0..2 * n as u32 - 2).map(|i| [i, i + 1, i + 2]).collect(),
        );
        assert_eq!(weld(&mut mesh, -DVec3::Z, 1.0, 1e-6), n as usize);
    }

    #[test]
    fn a_cloud_denser_than_the_tolerance_takes_linear_time() {
        let n = 300_000;
        let vertices = (0..n).map(|i| [1e-9 * f64::from(i), 0.0, 0.0]).collect();
        let triangles = (0..n as u32 - 2).map(|i| [i, i + 1, i + 2]).collect();
        let mut mesh = Mesh::new(vertices, triangles);
        let joined = weld(&mut mesh, DVec3::ZERO, 1.0, 1e-6);
        assert!(joined > 299_000, "{joined}");
    }
}

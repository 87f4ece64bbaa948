//! The regular grid of cells.

/// A grid of equal boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    /// Lowest corner, m.
    pub(super) low: [f64; 3],
    /// Edges of a cell, m.
    pub(super) edge: [f64; 3],
    /// Number of cells along each axis.
    pub(super) cells: [usize; 3],
}

/// Maximum number of cells along an axis.
const LONGEST: f64 = 4000.0;
/// Maximum number of columns of cells.
const COLUMNS: f64 = 1e6;

impl Grid {
    /// Divides a box evenly into cells of about `size`. Along an axis where the box is
    /// thinner than that, a single cell fits it.
    pub(super) fn new([low, high]: [[f64; 3]; 2], size: f64) -> Self {
        let extent: [f64; 3] = std::array::from_fn(|a| high[a] - low[a]);
        let columns = ((extent[1] / size).max(1.0) * (extent[2] / size).max(1.0)).min(1e30);
        let longest = extent.into_iter().fold(0.0, f64::max);
        let size = (size * (columns / COLUMNS).sqrt().max(1.0)).max(longest / LONGEST);
        let cells = extent.map(|e| ((e / size - 1e-6).ceil().max(1.0)) as usize);
        let edge = std::array::from_fn(|a| extent[a] / cells[a] as f64);
        Self { low, edge, cells }
    }

    /// Returns a point in units of cells from the lowest corner.
    pub(super) fn inside(&self, p: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|a| (p[a] - self.low[a]) / self.edge[a])
    }

    pub(super) fn cell_volume(&self) -> f64 {
        self.edge[0] * self.edge[1] * self.edge[2]
    }

    /// Returns the cell of a point, or the nearest cell of the grid, and the reference
    /// coordinates of the point in it.
    pub(super) fn locate(&self, p: [f64; 3]) -> ([usize; 3], [f64; 3]) {
        let at = self.inside(p);
        let cell = std::array::from_fn(|a| (at[a].max(0.0) as usize).min(self.cells[a] - 1));
        (cell, self.reference(cell, p))
    }

    /// Returns the reference coordinates of a point in a cell.
    pub(super) fn reference(&self, cell: [usize; 3], p: [f64; 3]) -> [f64; 3] {
        let at = self.inside(p);
        std::array::from_fn(|a| 2.0 * (at[a] - cell[a] as f64) - 1.0)
    }
}

//! Which kernel is cheaper for an object in this block?

use super::layout::Layout;

/// Nanoseconds of each piece of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Per-sample kernel, one row, one sample, no force.
    pub walk_row: f64,
    /// More for each force.
    pub walk_force: f64,
    /// Spectral block, one row, free.
    pub block_row: f64,
    /// More for each force or impulse.
    pub block_force: f64,
    /// Spectral block, one tile, and again for each force or impulse.
    pub tile: f64,
    /// One cell to or from the grid.
    pub cell: f64,
    /// One real FFT, per point.
    pub fft_point: f64,
}

impl Costs {
    /// Fixed figures of a 2.8 GHz server core with AVX-512: offline renders use them on
    /// every machine, so that the same scene takes the same decisions.
    pub const FIXED: Self = Self {
        walk_row: 1.2,
        walk_force: 0.25,
        block_row: 14.0,
        block_force: 10.0,
        tile: 50.0,
        cell: 5.0,
        fft_point: 2.5,
    };
}

/// What excites an object during one block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) forces: usize,
    /// Forces whose short response is not known yet.
    pub(crate) fresh: usize,
    pub(crate) jumps: usize,
}

impl Costs {
    pub(crate) fn walk(&self, layout: &Layout, load: Load) -> f64 {
        let row = self.walk_row + self.walk_force * load.forces as f64;
        (layout.rows * layout.block) as f64 * row
    }

    pub(crate) fn spectral(&self, layout: &Layout, load: Load) -> f64 {
        let rows = layout.spectral_rows as f64;
        let tiles = layout.tiles.len() as f64;
        let cells: usize = layout.spans.iter().flatten().map(|(low, high)| high - low + 1).sum();
        let fft = self.fft_point * 2.0 * layout.block as f64;
        let pass = tiles * self.tile;
        let free = rows * self.block_row + pass;
        let gather = rows * self.block_force + pass + fft + cells as f64 * self.cell;
        let response = rows * self.block_row + pass + fft + cells as f64 * self.cell;
        let fast = (layout.rows - layout.spectral_rows) * layout.block;
        free + load.forces as f64 * (gather + fft)
            + load.fresh as f64 * (response + fft)
            + load.jumps as f64 * (gather + response)
            + fast as f64 * (self.walk_row + self.walk_force * load.forces as f64)
    }

    /// The inverse transform that all spectral objects of a bus share.
    pub(crate) fn shared(&self, block: usize) -> f64 {
        block as f64 * (2.0 * self.fft_point + self.cell)
    }
}

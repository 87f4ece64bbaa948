//! Cost model: predicts which kernel is cheaper for a voice in a block.

use foley_geometry::clock;

use crate::resonator::kernels::per_sample::{self, Force, Pass};
use crate::resonator::kernels::spectral::{self, Drive};
use crate::resonator::layout::Layout;
use crate::resonator::layout::modes::Modes;
use crate::resonator::scratch::Scratch;
use crate::simd::{Cpu, LANES, Pair};

/// Nanoseconds of each operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Per-sample recurrence, one row, one sample, no force.
    pub recurrence_row: f64,
    /// The same, for each further force.
    pub recurrence_force: f64,
    /// Spectral block, one row, free.
    pub block_row: f64,
    /// The same, for each force or impulse.
    pub block_force: f64,
    /// Spectral block, one tile, and again for each force or impulse.
    pub tile: f64,
    /// One cell to or from the grid.
    pub cell: f64,
    /// One real FFT, per point.
    pub fft_point: f64,
    /// Banded modes, one row through a block.
    pub band_mode_row: f64,
    /// Banded modes, one tile.
    pub band_mode_tile: f64,
    /// One row of partials, one sample.
    pub partial_row: f64,
    /// An impulse on banded modes, one row.
    pub impulse_row: f64,
    /// One row of bands, once per block.
    pub band_row: f64,
}

impl Costs {
    /// Fixed figures of a 2.8 GHz server core with AVX-512. Offline renders use them on every
    /// machine, so that the same scene takes the same decisions.
    pub const FIXED: Self = Self {
        recurrence_row: 1.2,
        recurrence_force: 0.25,
        block_row: 14.0,
        block_force: 10.0,
        tile: 50.0,
        cell: 5.0,
        fft_point: 2.5,
        band_mode_row: 8.0,
        band_mode_tile: 35.0,
        partial_row: 1.6,
        impulse_row: 15.0,
        band_row: 150.0,
    };
}

/// The excitation of a voice during one block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) forces: usize,
    /// Forces whose short response is not known yet.
    pub(crate) fresh: usize,
    pub(crate) jumps: usize,
}

impl Costs {
    pub(crate) fn recurrence(&self, layout: &Layout, load: Load) -> f64 {
        let row = self.recurrence_row + self.recurrence_force * load.forces as f64;
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
            + fast as f64 * (self.recurrence_row + self.recurrence_force * load.forces as f64)
    }

    /// Returns the cost of a voice under perceptual synthesis: banded, or exact.
    pub(crate) fn perceptual(&self, layout: &Layout, load: Load, exact: bool) -> f64 {
        if exact {
            return self.recurrence(layout, load);
        }
        let tiles = layout.band_layout.as_ref().map_or(0, |g| g.tiles.len());
        let rows = layout.rows as f64;
        rows * (self.band_mode_row + self.impulse_row * load.jumps as f64)
            + tiles as f64 * self.band_mode_tile
    }

    /// Returns the cost of the inverse transform that all spectral voices of a bus share.
    pub(crate) fn shared(&self, block: usize) -> f64 {
        block as f64 * (2.0 * self.fft_point + self.cell)
    }
}

impl Costs {
    /// Measures this machine, in about 20 ms: three small jobs, the fastest of several runs each.
    /// Returns the fixed figures where there is no clock. Not for the audio thread.
    pub fn measured(cpu: Cpu, block: usize) -> Self {
        if clock::now().is_none() {
            return Self::FIXED;
        }
        let rows = 64;
        let f: Vec<f64> = (0..rows * LANES).map(|i| 100.0 + i as f64 * 0.01).collect();
        let layout = Layout::new(&f, &vec![10.0; f.len()], 48_000.0, block);
        let spread: Vec<f64> = (0..16 * LANES).map(|i| 100.0 + i as f64 * 75.0).collect();
        let sparse = Layout::new(&spread, &vec![10.0; spread.len()], 48_000.0, block);
        let mut scratch = Scratch::new(block, cpu.level());
        let mut modes = Modes::new(&layout);
        let mut thin = Modes::new(&sparse);
        let mut cells = scratch.grid.cells();
        let gains = layout.gains(&vec![1.0; f.len()]);
        let mut recurrence = Pair::zeros(layout.rows);
        let x = vec![1e-3; block];
        let mut out = vec![0.0; block];
        let level = cpu.level();
        let mut walked = |forces: &[Force<'_>]| {
            let buffer = &mut scratch.row_buffer;
            fastest(|| {
                let rows = 0..layout.rows;
                let pass = Pass {
                    rotation: (&modes).into(),
                    rows,
                    recurrence: &mut recurrence,
                    forces,
                    jumps: &[],
                    out: &mut out,
                };
                per_sample::run(level, buffer, pass);
            }) / (layout.rows * block) as f64
        };
        let recurrence_row = walked(&[]);
        let recurrence_force =
            (walked(&[(&gains.0, &x)]) - recurrence_row).max(0.05 * recurrence_row);
        let drive = Drive { cells: &scratch.nu, gains: &gains.0 };
        let mut advance = |modes: &mut Modes, layout: &Layout, drive| {
            fastest(|| spectral::advance(level, modes, &layout.tiles, &mut cells, drive))
        };
        let dense = advance(&mut modes, &layout, None) / layout.rows as f64;
        let driven = advance(&mut modes, &layout, Some(drive)) / layout.rows as f64;
        let thin = advance(&mut thin, &sparse, None) / sparse.tiles.len() as f64;
        let mut spectrum = scratch.grid.spectrum();
        let fft = fastest(|| scratch.grid.padded_spectrum(&x, &mut spectrum));
        let gather = fastest(|| scratch.grid.gather(&x, &sparse.spans, &mut scratch.nu));
        let span: usize = sparse.spans.iter().flatten().map(|(low, high)| high - low + 1).sum();
        Self {
            recurrence_row,
            recurrence_force,
            block_row: dense,
            block_force: (driven - dense).max(0.2 * dense),
            tile: (thin - dense).max(dense),
            cell: ((gather - fft) / span as f64).max(0.5),
            fft_point: fft / (2 * block) as f64,
            ..Self::FIXED
        }
    }
}

/// Returns the nanoseconds of the fastest of several runs.
fn fastest(mut job: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let start = clock::now();
        for _ in 0..4 {
            job();
        }
        best = best.min(clock::elapsed(start).as_nanos() as f64 / 4.0);
    }
    best.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheaper_in_blocks(costs: &Costs, modes: usize, load: Load) -> bool {
        let f: Vec<f64> = (0..modes).map(|i| 100.0 + 12_000.0 * i as f64 / modes as f64).collect();
        let layout = Layout::new(&f, &vec![5.0; modes], 48_000.0, 512);
        costs.spectral(&layout, load) + costs.shared(512) < costs.recurrence(&layout, load)
    }

    /// Fixed and measured costs agree where it matters: the recurrence is cheaper for few modes,
    /// the spectral block for thousands; a force or an impulse moves the crossover up.
    #[test]
    fn few_modes_use_the_recurrence_and_many_go_in_blocks() {
        let driven = Load { forces: 1, fresh: 0, jumps: 0 };
        let struck = Load { forces: 0, fresh: 0, jumps: 4 };
        for costs in [Costs::FIXED, Costs::measured(Cpu::Best, 512)] {
            for load in [Load::default(), driven, struck] {
                assert!(!cheaper_in_blocks(&costs, 8, load), "{costs:?} {load:?}");
                assert!(cheaper_in_blocks(&costs, 8_000, load), "{costs:?} {load:?}");
            }
        }
    }
}

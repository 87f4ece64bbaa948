//! Scratch buffers that all voices of a bank share.

use fearless_simd::Level;
use num_complex::Complex32;

use crate::resonator::kernels::grid::{Grid, Spans};
use crate::resonator::kernels::nufft_taps::CLASSES;
use crate::resonator::kernels::per_sample::{FORCES, RowBuffer};
use crate::resonator::kernels::spectral::{self, Drive};
use crate::resonator::layout::modes::Modes;
use crate::resonator::layout::{Gains, Layout};
use crate::resonator::perceptual::BandAccumulator;
use crate::simd::Row;

/// Room for the bands of a bus: 16 times as many as the ear needs at 768 kHz.
const MAX_BANDS: usize = 16_384;

/// Scratch buffers, allocated once.
pub(crate) struct Scratch {
    pub(crate) level: Level,
    pub(crate) block: usize,
    pub(crate) grid: Grid,
    /// Spectrum of a force, gathered at the cells.
    pub(crate) nu: Vec<Row>,
    /// Cells for short responses.
    pub(crate) cells: Vec<Row>,
    pub(crate) x: [Vec<f32>; FORCES],
    pub(crate) row_buffer: RowBuffer,
    pub(crate) fade_buffer: Vec<f32>,
    /// The sound of one voice, before it is mixed into its buses.
    pub(crate) voice_buffer: Vec<f32>,
    /// The bands of one voice that sounds on two buses.
    pub(crate) bands: Vec<BandAccumulator>,
    pub(crate) out_f64: Vec<f64>,
    pub(crate) pulse_response: Vec<Complex32>,
    time: Vec<f32>,
}

impl Scratch {
    pub(crate) fn new(block: usize, level: Level) -> Self {
        let grid = Grid::new(block, level);
        Self {
            level,
            block,
            nu: grid.cells(),
            cells: grid.cells(),
            x: std::array::from_fn(|_| vec![0.0; block]),
            row_buffer: RowBuffer::new(),
            fade_buffer: vec![0.0; block],
            voice_buffer: vec![0.0; block],
            bands: Vec::with_capacity(MAX_BANDS),
            out_f64: vec![0.0; block],
            pulse_response: grid.spectrum(),
            time: vec![0.0; block],
            grid,
        }
    }

    /// Computes the spectrum of the first B samples of the impulse response for some gains.
    pub(crate) fn response(
        &mut self,
        modes: &Modes,
        layout: &Layout,
        gains: &Gains,
        response: &mut [Complex32],
    ) {
        let (level, tiles, cells) = (self.level, &layout.tiles, &mut self.cells);
        spectral::spread_gains(level, modes, tiles, cells, &gains.0, None);
        let time = &mut self.time;
        self.grid.synthesise(&mut self.cells, &layout.spans, |n, y| time[n] = y);
        self.grid.padded_spectrum(&self.time, response);
    }

    /// Applies one force, `x[0]`, to a spectral voice: its response within the block, and its
    /// effect on the modes. The first force also advances the modes by the block.
    pub(crate) fn apply_force(
        &mut self,
        modes: &mut Modes,
        layout: &Layout,
        gains: &Gains,
        response: &[Complex32],
        bus: &mut BusBlock<'_>,
        moved: &mut bool,
    ) {
        self.grid.convolve(&self.x[0], response, bus.convolution);
        *bus.convolving = true;
        self.grid.gather(&self.x[0], &layout.spans, &mut self.nu);
        let drive = Drive { cells: &self.nu, gains: &gains.0 };
        if std::mem::replace(moved, true) {
            spectral::inject(self.level, modes, &layout.tiles, drive, None);
        } else {
            spectral::advance(self.level, modes, &layout.tiles, bus.cells, Some(drive));
        }
    }
}

/// Sums of the voices of one bus: cells of the shared grid and a sum of convolutions.
#[derive(Debug)]
pub(crate) struct Bus {
    cells: Vec<Row>,
    spans: Spans,
    convolution: Vec<Complex32>,
    convolving: bool,
}

/// A bus during one block.
pub(crate) struct BusBlock<'a> {
    pub(crate) cells: &'a mut [Row],
    spans: &'a mut Spans,
    pub(crate) convolution: &'a mut [Complex32],
    pub(crate) convolving: &'a mut bool,
    pub(crate) out: &'a mut [f32],
}

impl BusBlock<'_> {
    /// Extends the spans to the cells of a voice.
    pub(crate) fn cover(&mut self, spans: &Spans) {
        for (mine, span) in self.spans.iter_mut().zip(spans) {
            *mine = match (*mine, *span) {
                (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
                (mine, span) => mine.or(span),
            };
        }
    }
}

impl Bus {
    pub(crate) fn new(scratch: &Scratch) -> Self {
        Self {
            cells: scratch.grid.cells(),
            spans: [None; CLASSES],
            convolution: scratch.grid.spectrum(),
            convolving: false,
        }
    }

    pub(crate) fn scratch<'a>(&'a mut self, out: &'a mut [f32]) -> BusBlock<'a> {
        BusBlock {
            cells: &mut self.cells,
            spans: &mut self.spans,
            convolution: &mut self.convolution,
            convolving: &mut self.convolving,
            out,
        }
    }

    /// Adds the sound of cells and convolutions to `out`.
    pub(crate) fn finish(&mut self, scratch: &mut Scratch, out: &mut [f32]) {
        if self.spans.iter().any(Option::is_some) {
            scratch.grid.synthesise(&mut self.cells, &self.spans, |n, y| out[n] += y);
            self.spans = [None; CLASSES];
        }
        if self.convolving {
            scratch.grid.finish_convolution(&mut self.convolution, out);
            self.convolving = false;
        }
    }

    /// Clears all sums after non-finite output.
    pub(crate) fn clear(&mut self) {
        self.cells.fill(Row::default());
        self.convolution.fill(Complex32::ZERO);
    }
}

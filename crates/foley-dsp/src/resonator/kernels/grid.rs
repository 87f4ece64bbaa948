//! The shared spectral grid: cells → spectrum → sound, and force → spectrum → cells.
//!
//! Bins k = −4 … M/2 + 4 are at index k + 4; bins beyond 0 or M/2 fold back conjugated. The sound
//! is `Im Σ_k G_k e^{2πi k n'/M} w(n')`.

use fearless_simd::{Level, dispatch, f32x16, prelude::*};
use fearless_simd_macros::simd;
use num_complex::Complex32;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use std::sync::Arc;

use crate::resonator::kernels::nufft_taps::{CLASSES, ClassTaps, TAPS, class_taps, window};
use crate::resonator::layout::{cell_count, cells_per_class};
use crate::simd::Row;

/// Bins below zero.
const MARGIN: usize = TAPS / 2;

/// The range of cells in use, per damping class.
pub(crate) type Spans = [Option<(usize, usize)>; CLASSES];

/// Tables and scratch buffers for one block length; used by one thread.
pub(crate) struct Grid {
    block: usize,
    level: Level,
    window: Vec<f32>,
    taps: Vec<ClassTaps>,
    forward: Arc<dyn RealToComplex<f32>>,
    inverse: Arc<dyn ComplexToReal<f32>>,
    scratch: Vec<Complex32>,
    time: Vec<f32>,
    bins: Vec<Complex32>,
    spectrum: Vec<Complex32>,
}

impl Grid {
    pub(crate) fn new(block: usize, level: Level) -> Self {
        let mut planner = RealFftPlanner::<f32>::new();
        let forward = planner.plan_fft_forward(2 * block);
        let inverse = planner.plan_fft_inverse(2 * block);
        let scratch = forward.get_scratch_len().max(inverse.get_scratch_len());
        Self {
            block,
            level,
            window: window(block).iter().take(block).map(|&w| w as f32).collect(),
            taps: class_taps(block),
            scratch: vec![Complex32::ZERO; scratch],
            time: vec![0.0; 2 * block],
            bins: vec![Complex32::ZERO; block + 2 + 2 * TAPS],
            spectrum: vec![Complex32::ZERO; block + 1],
            forward,
            inverse,
        }
    }

    /// Allocates one row per cell.
    pub(crate) fn cells(&self) -> Vec<Row> {
        vec![Row::default(); cell_count(self.block)]
    }

    /// Allocates a spectrum of a block padded to M.
    pub(crate) fn spectrum(&self) -> Vec<Complex32> {
        vec![Complex32::ZERO; self.block + 1]
    }

    /// Passes the sound of the cells to `put`, sample by sample, and clears the cells.
    pub(crate) fn synthesise(
        &mut self,
        cells: &mut [Row],
        spans: &Spans,
        put: impl FnMut(usize, f32),
    ) {
        self.bins.fill(Complex32::ZERO);
        for (class, span) in spans.iter().enumerate() {
            let Some((low, high)) = *span else { continue };
            let first = class * cells_per_class(self.block);
            let cells = &mut cells[first + low..=first + high];
            let bins = &mut self.bins[low..=high + TAPS];
            let (level, taps) = (self.level, &self.taps[class]);
            dispatch!(level, simd => spread(simd, taps, cells, bins));
            cells.fill(Row::default());
        }
        self.fold();
        run(&*self.inverse, &mut self.spectrum, &mut self.time, &mut self.scratch);
        let (late, early) = self.time.split_at(self.block / 2);
        let early = &early[early.len() - self.block / 2..];
        let samples = early.iter().chain(late).zip(&self.window).map(|(y, w)| y * w);
        let mut put = put;
        samples.enumerate().for_each(|(n, y)| put(n, y));
    }

    /// Folds the bins to the half spectrum of a real signal: `F_k = −i G_k / 2` and its mirror.
    fn fold(&mut self) {
        let half = |g: &Complex32| Complex32::new(g.im, -g.re) * 0.5;
        let (below, bins) = self.bins.split_at(MARGIN);
        for (f, g) in self.spectrum.iter_mut().zip(bins) {
            *f = half(g);
        }
        let top = self.block;
        self.spectrum[0] += half(&bins[0]).conj();
        self.spectrum[top] += half(&bins[top]).conj();
        for k in 1..=MARGIN {
            self.spectrum[k] += half(&below[MARGIN - k]).conj();
            self.spectrum[top - k] += half(&bins[top + k]).conj();
        }
        self.spectrum[0].im = 0.0;
        self.spectrum[self.block].im = 0.0;
    }

    /// Computes ν of every cell within `spans` for a force over the block.
    pub(crate) fn gather(&mut self, x: &[f32], spans: &Spans, cells: &mut [Row]) {
        let half = self.block / 2;
        self.time.fill(0.0);
        for (n, (x, w)) in x.iter().zip(&self.window).enumerate() {
            let at = if n < half { n + 2 * self.block - half } else { n - half };
            self.time[at] = x * w;
        }
        run_forward(&*self.forward, &mut self.time, &mut self.spectrum, &mut self.scratch);
        let top = self.block;
        self.bins[MARGIN..=MARGIN + top].copy_from_slice(&self.spectrum);
        for k in 1..=MARGIN {
            self.bins[MARGIN - k] = self.spectrum[k].conj();
            self.bins[MARGIN + top + k] = self.spectrum[top - k].conj();
        }
        for (class, span) in spans.iter().enumerate() {
            let Some((low, high)) = *span else { continue };
            let first = class * cells_per_class(self.block);
            let cells = &mut cells[first + low..=first + high];
            let (level, taps, bins) = (self.level, &self.taps[class], &self.bins[low..]);
            dispatch!(level, simd => collect(simd, taps, bins, cells));
        }
    }

    /// Computes the spectrum of a block padded with as many zeros.
    pub(crate) fn padded_spectrum(&mut self, x: &[f32], spectrum: &mut [Complex32]) {
        self.time[..self.block].copy_from_slice(x);
        self.time[self.block..].fill(0.0);
        run_forward(&*self.forward, &mut self.time, spectrum, &mut self.scratch);
    }

    /// Adds x ∗ h to a sum of spectra (both padded); completed by [`Grid::finish_convolution`].
    pub(crate) fn convolve(&mut self, x: &[f32], h: &[Complex32], sum: &mut [Complex32]) {
        let mut spectrum = std::mem::take(&mut self.spectrum);
        self.padded_spectrum(x, &mut spectrum);
        for ((s, x), h) in sum.iter_mut().zip(&spectrum).zip(h) {
            *s += x * h;
        }
        self.spectrum = spectrum;
    }

    /// Adds the first B samples of the summed convolutions to `out`; clears the sum.
    pub(crate) fn finish_convolution(&mut self, sum: &mut [Complex32], out: &mut [f32]) {
        sum[0].im = 0.0;
        sum[self.block].im = 0.0;
        run(&*self.inverse, sum, &mut self.time, &mut self.scratch);
        let scale = 0.5 / self.block as f32;
        out.iter_mut().zip(&self.time).for_each(|(o, y)| *o += y * scale);
        sum.fill(Complex32::ZERO);
    }
}

// The buffers have the planned lengths, so the transforms cannot fail.
fn run(
    fft: &dyn ComplexToReal<f32>,
    spectrum: &mut [Complex32],
    time: &mut [f32],
    scratch: &mut [Complex32],
) {
    let done = fft.process_with_scratch(spectrum, time, &mut scratch[..fft.get_scratch_len()]);
    debug_assert!(done.is_ok());
}

fn run_forward(
    fft: &dyn RealToComplex<f32>,
    time: &mut [f32],
    spectrum: &mut [Complex32],
    scratch: &mut [Complex32],
) {
    let done = fft.process_with_scratch(time, spectrum, &mut scratch[..fft.get_scratch_len()]);
    debug_assert!(done.is_ok());
}

/// `G_{k+l} += Σ_p A_lp μ_p` along neighbouring cells; the overlap stays in a register.
#[simd]
fn spread<S: Simd>(simd: S, taps: &ClassTaps, cells: &[Row], bins: &mut [Complex32]) {
    let rows = taps.spread.map(|pair| pair.map(|row| f32x16::from_slice(simd, &row.0)));
    let zero = f32x16::splat(simd, 0.0);
    let mut carry = zero;
    for (cell, bin) in cells.iter().zip(bins.iter_mut()) {
        let mut sums = [zero; 4];
        for (p, [re, im]) in rows.iter().enumerate() {
            let (even, odd) = (2 * (p % 2), 2 * (p % 2) + 1);
            sums[even] = re.mul_add(f32x16::splat(simd, cell.0[2 * p]), sums[even]);
            sums[odd] = im.mul_add(f32x16::splat(simd, cell.0[2 * p + 1]), sums[odd]);
        }
        let sum = carry + ((sums[0] + sums[1]) + (sums[2] + sums[3]));
        let array: [f32; 16] = sum.into();
        *bin += Complex32::new(array[0], array[1]);
        carry = sum.slide::<2>(zero);
    }
    let overlap: [f32; 16] = carry.into();
    for (bin, g) in bins[cells.len()..].iter_mut().zip(overlap.chunks_exact(2)) {
        *bin += Complex32::new(g[0], g[1]);
    }
}

/// `ν_p = Σ_l A_lp X_{k+l}`.
#[simd]
fn collect<S: Simd>(simd: S, taps: &ClassTaps, bins: &[Complex32], cells: &mut [Row]) {
    let rows = taps.gather.map(|pair| pair.map(|row| f32x16::from_slice(simd, &row.0)));
    for (cell, bins) in cells.iter_mut().zip(bins.windows(TAPS)) {
        let (mut even, mut odd) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 0.0));
        for (row, bin) in rows.iter().zip(bins) {
            even = row[0].mul_add(f32x16::splat(simd, bin.re), even);
            odd = row[1].mul_add(f32x16::splat(simd, bin.im), odd);
        }
        cell.0 = (even + odd).into();
    }
}

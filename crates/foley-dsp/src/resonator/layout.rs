//! The layout of the modes of an object in the rows of the bank.
//!
//! Spectral modes are sorted into cells (frequency bin × damping class) and cells into [`tiles`].
//! After the tiles come plain rows of modes that decay too fast for the spectral block.

pub(crate) mod modes;
pub(crate) mod pole_powers;
mod spectrum_table;
pub(crate) mod tiles;

pub(crate) use spectrum_table::SpectrumTable;

use num_complex::Complex64;
use std::f64::consts::PI;
use std::sync::Arc;

use crate::resonator::kernels::nufft_taps::{CLASS_WIDTH, CLASSES, RADIUS, TAPS, class_centre};
use crate::resonator::layout::modes::Constants;
use crate::resonator::layout::pole_powers::PolePowers;
use crate::resonator::layout::tiles::{Tile, pack};
use crate::resonator::perceptual::BandLayout;
use crate::simd::{LANES, Row, flat_mut};

/// Returns the cells of one damping class: bins −4 … M/2 − 3 of the first tap.
pub(crate) fn cells_per_class(block: usize) -> usize {
    block + 2
}

/// Returns the cells of all classes, and one more for unused lanes.
pub(crate) fn cell_count(block: usize) -> usize {
    CLASSES * cells_per_class(block) + 1
}

/// The pole of one mode: `λ = (−d + 2πi f)/f_s` per sample, `z = e^λ`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pole {
    pub(crate) lambda: Complex64,
}

impl Pole {
    pub(crate) fn power(self, samples: f64) -> Complex64 {
        (self.lambda * samples).exp()
    }

    /// Returns whether the mode can sound: below half the sample rate, not growing, finite.
    fn sounds(self) -> bool {
        (0.0..PI).contains(&self.lambda.im) && self.lambda.re <= 0.0 && self.lambda.re.is_finite()
    }

    /// Returns cell and scaled ζ; None when the mode decays too fast for the block.
    fn cell(self, block: usize) -> Option<(u32, Complex64)> {
        let bin = self.lambda.im * block as f64 / PI;
        let nepers = -self.lambda.re * block as f64 / 2.0;
        let first_tap = (bin - 3.5).round();
        let aside = PI / 2.0 * (bin - 3.5 - first_tap);
        let zeta_in = |class: usize| Complex64::new(class_centre(class) - nepers, aside) / RADIUS;
        let mut class = (nepers / CLASS_WIDTH) as usize;
        if class >= CLASSES {
            return None;
        }
        // Powers of a tiny ζ would be denormal numbers: a mode at the very centre of its cell fits
        // the next class equally well.
        if zeta_in(class).norm() < 0.02 {
            class = if class + 1 < CLASSES { class + 1 } else { class - 1 };
        }
        let cell =
            class * cells_per_class(block) + (first_tap as isize + TAPS as isize / 2) as usize;
        Some((cell as u32, zeta_in(class)))
    }
}

/// Where the modes of an object are stored; shared by the bank and the threads that prepare gains.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) sample_rate_hz: f64,
    pub(crate) block: usize,
    pub(crate) tiles: Vec<Tile>,
    /// Rows of tiles; rows from here to `rows` hold the fast-decaying modes.
    pub(crate) spectral_rows: usize,
    pub(crate) rows: usize,
    /// Slot of each mode of the model; None for silent modes: at or above half the sample rate,
    /// growing, or non-finite.
    pub(crate) slots: Vec<Option<usize>>,
    pub(crate) poles: Vec<Pole>,
    pub(crate) constants: Arc<Constants>,
    /// The poles again, for strikes.
    pub(crate) pole_powers: Arc<PolePowers>,
    /// First and last cell in use within each class.
    pub(crate) spans: [Option<(usize, usize)>; CLASSES],
    /// Assignment of the modes to bands, for perceptual synthesis.
    pub(crate) band_layout: Option<BandLayout>,
}

impl Layout {
    /// Sorts modes with frequencies `f` (Hz) and decay rates `d` (1/s) into rows. Modes at or above
    /// half the sample rate, growing ones and non-finite ones are silent.
    pub fn new(f: &[f64], d: &[f64], sample_rate_hz: f64, block: usize) -> Self {
        let poles = poles(f, d, sample_rate_hz);
        let mut cells: Vec<(u32, Vec<usize>)> = Vec::new();
        let mut fast = Vec::new();
        let mut zetas = vec![Complex64::ZERO; poles.len()];
        let order = by_frequency(&poles);
        let mut by_cell: Vec<(u32, usize)> = Vec::new();
        for m in order {
            match poles[m].cell(block) {
                Some((cell, zeta)) => {
                    zetas[m] = zeta;
                    by_cell.push((cell, m));
                }
                None => fast.push(m),
            }
        }
        by_cell.sort_by_key(|&(cell, _)| cell);
        for (cell, m) in by_cell {
            match cells.last_mut() {
                Some((last, modes)) if *last == cell => modes.push(m),
                _ => cells.push((cell, vec![m])),
            }
        }
        let mut spans = [None; CLASSES];
        for (cell, _) in &cells {
            let (class, k) = (
                (*cell as usize) / cells_per_class(block),
                *cell as usize % cells_per_class(block),
            );
            let (low, high) = spans[class].unwrap_or((k, k));
            spans[class] = Some((low.min(k), high.max(k)));
        }
        let mut slots = vec![None; poles.len()];
        let waste = cell_count(block) as u32 - 1;
        let (mut tiles, mut rows) = pack(&cells, waste, &mut slots);
        for tile in &mut tiles {
            let fast = |c: &u32| *c != waste && *c as usize >= cells_per_class(block);
            tile.fast = tile.cells.iter().any(fast);
        }
        let spectral_rows = rows;
        for (i, &m) in fast.iter().enumerate() {
            slots[m] = Some(rows * LANES + i);
        }
        rows += fast.len().div_ceil(LANES);
        let constants = constants(&poles, &slots, block, rows, spectral_rows, |m| zetas[m]);
        let pole_powers = pole_powers(&poles, &slots, rows);
        let band_layout = None;
        Self {
            sample_rate_hz,
            block,
            tiles,
            spectral_rows,
            rows,
            slots,
            poles,
            constants,
            pole_powers,
            spans,
            band_layout,
        }
    }

    /// Does the same for [perceptual synthesis](super::Synthesis): sorts modes into bands.
    pub(crate) fn banded(
        f: &[f64],
        d: &[f64],
        sample_rate_hz: f64,
        block: usize,
        detail: f64,
    ) -> Self {
        let poles = poles(f, d, sample_rate_hz);
        let order = by_frequency(&poles);
        let mut slots = vec![None; poles.len()];
        let (band_layout, rows) =
            BandLayout::new(&poles, &order, sample_rate_hz, block, detail, &mut slots);
        let constants = constants(&poles, &slots, block, rows, 0, |_| Complex64::ZERO);
        let pole_powers = pole_powers(&poles, &slots, rows);
        Self {
            sample_rate_hz,
            block,
            tiles: Vec::new(),
            spectral_rows: 0,
            rows,
            slots,
            poles,
            constants,
            pole_powers,
            spans: [None; CLASSES],
            band_layout: Some(band_layout),
        }
    }

    /// Returns the number of modes of the model, silent ones included.
    pub fn mode_count(&self) -> usize {
        self.slots.len()
    }

    /// Returns (mode, slot) of every sounding mode.
    pub(crate) fn sounding(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.slots.iter().enumerate().filter_map(|(m, slot)| slot.map(|s| (m, s)))
    }

    /// Returns gains in model order, moved to their rows.
    pub fn gains(&self, gains: &[f32]) -> Gains {
        let mut rows = vec![Row::default(); self.rows];
        for (m, slot) in self.sounding() {
            flat_mut(&mut rows)[slot] =
                gains.get(m).copied().filter(|g| g.is_finite()).unwrap_or(0.0);
        }
        Gains(rows.into_boxed_slice())
    }
}

fn poles(f: &[f64], d: &[f64], sample_rate_hz: f64) -> Vec<Pole> {
    let lambda = |(f, d): (&f64, &f64)| Complex64::new(-d, 2.0 * PI * f) / sample_rate_hz;
    f.iter().zip(d).map(|mode| Pole { lambda: lambda(mode) }).collect()
}

/// Returns the sounding modes by rising frequency.
fn by_frequency(poles: &[Pole]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..poles.len()).filter(|&m| poles[m].sounds()).collect();
    order.sort_by(|&a, &b| poles[a].lambda.im.total_cmp(&poles[b].lambda.im));
    order
}

fn pole_powers(poles: &[Pole], slots: &[Option<usize>], rows: usize) -> Arc<PolePowers> {
    let sounding = slots.iter().zip(poles).filter_map(|(slot, pole)| slot.map(|s| (s, *pole)));
    Arc::new(PolePowers::new(sounding, rows))
}

fn constants(
    poles: &[Pole],
    slots: &[Option<usize>],
    block: usize,
    rows: usize,
    spectral_rows: usize,
    zeta: impl Fn(usize) -> Complex64,
) -> Arc<Constants> {
    let sounding = slots.iter().enumerate().filter_map(|(m, slot)| slot.map(|s| (m, s)));
    let sounding = sounding.map(|(m, slot)| (slot, poles[m], zeta(m)));
    Arc::new(Constants::new(sounding, block, rows, spectral_rows))
}

/// One gain per mode, in the order of the bank. Made off the audio thread.
#[derive(Debug, Clone)]
pub struct Gains(pub(crate) Box<[Row]>);

/// What an impulse adds to the complex amplitude of each mode. Made off the audio thread.
#[derive(Debug, Clone)]
pub struct Jump {
    pub(crate) re: Box<[Row]>,
    pub(crate) im: Box<[Row]>,
}

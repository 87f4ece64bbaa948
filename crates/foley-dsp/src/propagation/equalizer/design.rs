//! The weights of the sections for given gains of the bands.
//!
//! Between the centres of bands the logarithm of the gain is interpolated over the logarithm of the frequency. The phase is that of
//! the minimum-phase filter of this magnitude, which is linear in the logarithm:
//!
//! `φ(ω) = −(sin ω / π) ∫₀^π (ln|H(θ)| − ln|H(ω)|) / (cos θ − cos ω) dθ`
//!
//! (A. V. Oppenheim, R. W. Schafer, *Discrete-Time Signal Processing* (2010), §12: Hilbert transform; the subtracted term integrates to
//! zero.) The weights are the least-squares fit of the sections to this response at frequencies evenly spaced in octaves: one matrix,
//! the same for all gains.

use super::{BANDS, EqualizerWeights, FIRST_BAND_HZ, SECTIONS};
use crate::model::BANDS_PER_OCTAVE;
use num_complex::Complex64;
use std::f64::consts::{PI, TAU};

/// Frequencies of the lowest section, Hz, and of the highest one as a part of half the sample rate, at most as high as this.
const LOWEST_HZ: f64 = 22.0;
const HIGHEST: f64 = 0.9;
const HIGHEST_HZ: f64 = 21_000.0;
/// Cells of the integral per octave, and cells between two frequencies of the fit.
const CELLS_PER_OCTAVE: f64 = 24.0;
const CELLS_PER_POINT: usize = 2;
/// The integral begins here, Hz, with one cell below; the fit begins and ends here.
const INTEGRAL_HZ: f64 = 10.0;
const FIT_HZ: f64 = 18.0;
const FIT_HIGHEST: f64 = 0.98;
/// Added to the diagonal of the normal equations: neighbouring sections are nearly alike.
const RIDGE: f64 = 1e-6;
/// A weight for the direct signal and two for each section.
const UNKNOWNS: usize = 2 * SECTIONS + 1;

/// Finds the weights of the [`Sections`](super::Sections) of one sample rate.
#[derive(Debug, Clone)]
pub struct EqualizerDesign {
    /// The two bands around each frequency of the fit: the lower one, and the part of the upper one.
    between: Vec<(usize, f64)>,
    /// Phase at each frequency per unit of ln gain of each band.
    phases: Vec<[f64; BANDS]>,
    /// Weights per real and imaginary part of the response at each frequency.
    fit: Vec<Vec<f64>>,
}

impl EqualizerDesign {
    /// Prepares designs at a sample rate, Hz.
    pub fn new(sample_rate_hz: f64) -> Self {
        let poles = poles(sample_rate_hz);
        let edges = cells(sample_rate_hz);
        let is_fitted = |hz: &f64| (FIT_HZ..0.5 * FIT_HIGHEST * sample_rate_hz).contains(hz);
        let points: Vec<f64> =
            edges.iter().copied().skip(1).step_by(CELLS_PER_POINT).filter(is_fitted).collect();
        let between = points.iter().map(|hz| bands_around(*hz)).collect();
        let phases = points.iter().map(|hz| phase_of_bands(*hz, &edges, sample_rate_hz)).collect();
        let rows: Vec<[f64; UNKNOWNS]> =
            points.iter().flat_map(|hz| responses(&poles, TAU * hz / sample_rate_hz)).collect();
        Self { between, phases, fit: least_squares(&rows) }
    }

    /// Returns the weights for power gains of the bands, all above zero.
    pub fn weights(&self, powers: &[f64; BANDS]) -> EqualizerWeights {
        if powers.iter().all(|power| *power == 1.0) {
            return EqualizerWeights::FLAT;
        }
        let ln = powers.map(|power| 0.5 * power.ln());
        let response = |((band, part), phases): (&(usize, f64), &[f64; BANDS])| {
            let upper = ln[(band + 1).min(BANDS - 1)];
            let magnitude = ln[*band] + part * (upper - ln[*band]);
            let phase: f64 = phases.iter().zip(&ln).map(|(phase, ln)| phase * ln).sum();
            let value = Complex64::from_polar(magnitude.exp(), phase);
            [value.re, value.im]
        };
        let response: Vec<f64> = self.between.iter().zip(&self.phases).flat_map(response).collect();
        let weight = |row: &Vec<f64>| -> f32 {
            row.iter().zip(&response).map(|(a, b)| a * b).sum::<f64>() as f32
        };
        let mut weights =
            EqualizerWeights { direct: weight(&self.fit[0]), ..EqualizerWeights::FLAT };
        for (k, pair) in self.fit[1..].chunks_exact(2).enumerate() {
            (weights.re[k], weights.im[k]) = (weight(&pair[0]), weight(&pair[1]));
        }
        weights
    }
}

/// Returns poles evenly spaced in octaves, with bandwidths up to the middle between their neighbours.
pub(super) fn poles(sample_rate_hz: f64) -> [Complex64; SECTIONS] {
    let highest_hz = (0.5 * HIGHEST * sample_rate_hz).min(HIGHEST_HZ);
    let ratio = (highest_hz / LOWEST_HZ).powf(1.0 / (SECTIONS - 1) as f64);
    std::array::from_fn(|k| {
        let hz = LOWEST_HZ * ratio.powi(k as i32);
        let width = 0.5 * hz * (ratio - 1.0 / ratio);
        Complex64::from_polar((-PI * width / sample_rate_hz).exp(), TAU * hz / sample_rate_hz)
    })
}

/// Returns the borders of the cells of the integral, Hz.
fn cells(sample_rate_hz: f64) -> Vec<f64> {
    let above = |i: i32| INTEGRAL_HZ * (f64::from(i) / CELLS_PER_OCTAVE).exp2();
    let below_end = (0..).map(above).take_while(|hz| *hz < 0.499 * sample_rate_hz);
    [0.0].into_iter().chain(below_end).chain([0.5 * sample_rate_hz]).collect()
}

/// Returns the place of a frequency among the bands: that of the nearest one beyond both ends.
fn place(hz: f64) -> f64 {
    let place = BANDS_PER_OCTAVE * (hz / FIRST_BAND_HZ).log2();
    place.clamp(0.0, (BANDS - 1) as f64)
}

fn bands_around(hz: f64) -> (usize, f64) {
    let place = place(hz);
    (place as usize, place.fract())
}

/// Returns the share of a band in the gain at a place.
fn share(place: f64, band: usize) -> f64 {
    (1.0 - (place - band as f64).abs()).max(0.0)
}

fn phase_of_bands(hz: f64, edges: &[f64], sample_rate_hz: f64) -> [f64; BANDS] {
    let mut phases = [0.0; BANDS];
    let (omega, own) = (TAU * hz / sample_rate_hz, place(hz));
    for cell in edges.windows(2) {
        let middle_hz = 0.5 * (cell[0] + cell[1]);
        let theta = TAU * middle_hz / sample_rate_hz;
        let width = TAU * (cell[1] - cell[0]) / sample_rate_hz;
        let kernel = -omega.sin() / PI * width / (theta.cos() - omega.cos());
        let there = place(middle_hz);
        for (band, phase) in phases.iter_mut().enumerate() {
            *phase += kernel * (share(there, band) - share(own, band));
        }
    }
    phases
}

/// Returns real and imaginary part of the response of the direct signal and of both states of each section.
fn responses(poles: &[Complex64; SECTIONS], omega: f64) -> [[f64; UNKNOWNS]; 2] {
    let z = Complex64::cis(-omega);
    let mut rows = [[0.0; UNKNOWNS]; 2];
    rows[0][0] = 1.0;
    for (k, p) in poles.iter().enumerate() {
        let gain = super::input_gain(*p);
        let (a, b) = (gain / (1.0 - p * z), gain / (1.0 - p.conj() * z));
        let states = [0.5 * (a + b), (a - b) / Complex64::new(0.0, 2.0)];
        for (i, state) in states.into_iter().enumerate() {
            (rows[0][1 + 2 * k + i], rows[1][1 + 2 * k + i]) = (state.re, state.im);
        }
    }
    rows
}

/// Returns (AᵀA + ε)⁻¹ Aᵀ for the rows of A, by Cholesky's factors.
fn least_squares(rows: &[[f64; UNKNOWNS]]) -> Vec<Vec<f64>> {
    let mut factor = vec![[0.0; UNKNOWNS]; UNKNOWNS];
    for row in rows {
        for i in 0..UNKNOWNS {
            for j in 0..=i {
                factor[i][j] += row[i] * row[j];
            }
        }
    }
    for i in 0..UNKNOWNS {
        factor[i][i] += RIDGE;
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = factor[i][j] - known;
            factor[i][j] = if i == j { rest.sqrt() } else { rest / factor[j][j] };
        }
    }
    let mut fit = vec![vec![0.0; rows.len()]; UNKNOWNS];
    for (column, row) in rows.iter().enumerate() {
        let mut x = *row;
        for i in 0..UNKNOWNS {
            let known: f64 = (0..i).map(|k| factor[i][k] * x[k]).sum();
            x[i] = (x[i] - known) / factor[i][i];
        }
        for i in (0..UNKNOWNS).rev() {
            let known: f64 = (i + 1..UNKNOWNS).map(|k| factor[k][i] * x[k]).sum();
            x[i] = (x[i] - known) / factor[i][i];
        }
        fit.iter_mut().zip(x).for_each(|(fit, x)| fit[column] = x);
    }
    fit
}

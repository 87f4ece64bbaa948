//! The spectrum of a force curve as a table, for all modes of an object.
//!
//! A force of duration T has no finer structure in frequency than 1/T: with eight points in that range, a cubic
//! through four of them is exact to 0.05 % of the spectrum's largest value.

use super::pole_powers::PolePowers;
use crate::excitation::ForceCurve;
use crate::simd::{LANES, Row};
use num_complex::Complex32;
use std::f64::consts::TAU;

/// The spectrum of a force about its centre, per impulse, from 0 to half the sample rate.
pub(crate) struct SpectrumTable {
    /// One point before 0, and two beyond the end.
    points: Box<[Complex32]>,
    /// Points in a cycle per sample.
    density: f32,
}

impl SpectrumTable {
    /// Makes the table of a curve that lasts `samples` samples.
    pub(crate) fn new(curve: &ForceCurve, sample_rate_hz: f64, samples: f64) -> Self {
        let intervals = (4.0 * samples).ceil().max(8.0);
        let step = 0.5 / intervals;
        let total = curve.impulse_ns();
        let scale = if total != 0.0 { 1.0 / total } else { 0.0 };
        let points = (-1..=intervals as i32 + 2).map(|k| {
            let omega = TAU * step * f64::from(k) * sample_rate_hz;
            let value = curve.spectrum(omega) * scale;
            Complex32::new(value.re as f32, value.im as f32)
        });
        Self { points: points.collect(), density: (1.0 / step) as f32 }
    }

    /// Returns the spectrum at a frequency in cycles per sample.
    fn at(&self, cycles: f32) -> Complex32 {
        let at = (cycles * self.density).max(0.0);
        let k = (at as usize).min(self.points.len() - 4);
        let x = at - k as f32;
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| self.points[k + i]);
        // Lagrange's cubic through −1, 0, 1, 2.
        let (l, r) = (x + 1.0, x - 1.0);
        let s = x - 2.0;
        a * (-x * r * s / 6.0)
            + b * (l * r * s / 2.0)
            + c * (-l * x * s / 2.0)
            + d * (l * x * r / 6.0)
    }
}

impl PolePowers {
    /// `(re, im) ← F̂ (re, im)` with the spectrum at the frequency of each mode.
    pub(crate) fn multiply_by_table(&self, table: &SpectrumTable, re: &mut [Row], im: &mut [Row]) {
        let frequencies = self.coarse.iter().zip(&self.fine);
        for ((re, im), (coarse, fine)) in re.iter_mut().zip(im).zip(frequencies) {
            for l in 0..LANES {
                let value = Complex32::new(re.0[l], im.0[l]) * table.at(coarse.0[l] + fine.0[l]);
                (re.0[l], im.0[l]) = (value.re, value.im);
            }
        }
    }
}

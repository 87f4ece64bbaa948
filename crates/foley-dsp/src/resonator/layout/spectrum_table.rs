//! The spectrum of a force curve as a table, for all modes of an object.
//!
//! A force of duration T has no finer structure in frequency than 1/T: with eight points in that range, a cubic
//! through four of them is exact to 0.05 % of the spectrum's largest value.

use super::pole_powers::PolePowers;
use crate::excitation::ForceCurve;
use crate::simd::{LANES, Row};
use num_complex::{Complex32, Complex64};
use std::f64::consts::TAU;

/// The spectrum of a force about its centre, per impulse, from 0 to half the sample rate.
pub(crate) struct SpectrumTable {
    /// Coefficients of the cubic in each interval, the constant one first.
    cubics: Box<[[Complex32; 4]]>,
    /// Points in a cycle per sample.
    density: f32,
}

/// Points of the spectrum computed together.
const TOGETHER: usize = 4;

impl SpectrumTable {
    /// Makes the table of a curve that lasts `samples` samples.
    pub(crate) fn new(curve: &ForceCurve, sample_rate_hz: f64, samples: f64) -> Self {
        let intervals = (4.0 * samples).ceil().max(8.0);
        let step = 0.5 / intervals;
        let total = curve.impulse_ns();
        let scale = if total != 0.0 { 1.0 / total } else { 0.0 };
        // One point before 0, and two beyond the end.
        let count = intervals as usize + 4;
        let mut points = Vec::with_capacity(count + TOGETHER);
        while points.len() < count {
            let k = points.len();
            let omega = |i| TAU * step * ((k + i) as f64 - 1.0) * sample_rate_hz;
            points.extend(curve.spectra::<TOGETHER>(std::array::from_fn(omega)));
        }
        // Lagrange's cubic through −1, 0, 1, 2.
        let cubic = |p: &[Complex64]| {
            let [a, b, c, d] = [p[0], p[1], p[2], p[3]].map(|p| p * scale);
            let third = (d - a) / 6.0 + (b - c) / 2.0;
            let second = (a + c) / 2.0 - b;
            [b, c - b - second - third, second, third]
                .map(|x| Complex32::new(x.re as f32, x.im as f32))
        };
        let cubics = points[..count].windows(4).map(cubic).collect();
        Self { cubics, density: (1.0 / step) as f32 }
    }

    /// Returns the spectrum at a frequency in cycles per sample.
    fn at(&self, cycles: f32) -> Complex32 {
        let at = (cycles * self.density).max(0.0);
        let k = (at as usize).min(self.cubics.len() - 1);
        let x = at - k as f32;
        let [a, b, c, d] = self.cubics[k];
        a + (b + (c + d * x) * x) * x
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

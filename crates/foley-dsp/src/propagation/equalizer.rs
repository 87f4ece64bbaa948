//! A graphic equaliser with bands a third of an octave apart, whose gains change while sound passes.
//!
//! The fixed-pole parallel filter: sections with given poles side by side, whose weighted states add up to the response (B. Bank,
//! *Audio equalization with fixed-pole parallel filters: An efficient alternative to complex smoothing*, J. Audio Eng. Soc. 61
//! (2013); J. Rämö, V. Välimäki, B. Bank, *High-precision parallel graphic equalizer*, IEEE/ACM Trans. Audio Speech Lang. Process. 22
//! (2014)). Only the weights depend on the gains, so a change between two sets of weights is a cross-fade between two
//! filters that both have heard all of the past: it makes no transients. Each section is a complex pole, s' = p s + g x, well
//! conditioned at low frequencies too.

mod design;

pub use design::EqualizerDesign;

use fearless_simd::{Level, dispatch, f32x16, prelude::*};
use fearless_simd_macros::simd;
use num_complex::Complex64;

use crate::simd::LANES;

/// Number of bands.
pub const BANDS: usize = 28;
/// Centre of the lowest band, Hz; the highest one is at 16 kHz.
pub const FIRST_BAND_HZ: f64 = 31.25;
/// Number of sections: about two for each band.
const SECTIONS: usize = 3 * LANES;
/// Number of rows of sections.
const ROWS: usize = SECTIONS / LANES;
/// States below this are zero: denormal numbers would be slow.
const TINY: f32 = 1e-30;

/// Returns the gain of the input of a section: its states are at most as large as the input.
fn input_gain(pole: Complex64) -> f64 {
    1.0 - pole.norm()
}

/// The poles of all sections.
#[derive(Debug, Clone, PartialEq)]
pub struct Sections {
    re: [f32; SECTIONS],
    im: [f32; SECTIONS],
    input: [f32; SECTIONS],
}

impl Sections {
    /// Returns the sections for a sample rate, Hz.
    pub fn at_rate(sample_rate_hz: f64) -> Self {
        Self::new(&design::poles(sample_rate_hz))
    }

    fn new(poles: &[Complex64; SECTIONS]) -> Self {
        Self {
            re: poles.map(|p| p.re as f32),
            im: poles.map(|p| p.im as f32),
            input: poles.map(|p| input_gain(p) as f32),
        }
    }
}

/// The weights of all sections: a response.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EqualizerWeights {
    /// Of the input itself.
    direct: f32,
    /// Of the real and the imaginary part of each state.
    re: [f32; SECTIONS],
    im: [f32; SECTIONS],
}

impl EqualizerWeights {
    /// Leaves the signal as it is.
    pub const FLAT: Self = Self { direct: 1.0, re: [0.0; SECTIONS], im: [0.0; SECTIONS] };

    /// Returns weights between these and others: a part of the way. Inaudible differences end.
    pub(super) fn toward(&self, other: &Self, part: f32) -> Self {
        let mut largest: f32 = 0.0;
        let mut mix = |a: f32, b: f32| {
            largest = largest.max((b - a).abs());
            a + part * (b - a)
        };
        let direct = mix(self.direct, other.direct);
        let re = std::array::from_fn(|k| mix(self.re[k], other.re[k]));
        let im = std::array::from_fn(|k| mix(self.im[k], other.im[k]));
        if largest < INAUDIBLE || part >= 1.0 { *other } else { Self { direct, re, im } }
    }
}

/// Difference of weights below which they are the same, −80 dB.
const INAUDIBLE: f32 = 1e-4;

/// The states of all sections of one signal.
///
/// Real-time: never allocates.
#[derive(Debug, Clone)]
pub(super) struct Equalizer {
    re: [f32; SECTIONS],
    im: [f32; SECTIONS],
}

impl Default for Equalizer {
    fn default() -> Self {
        Self { re: [0.0; SECTIONS], im: [0.0; SECTIONS] }
    }
}

impl Equalizer {
    /// Filters a block in place, by weights that change linearly over it. Flat ones leave it as it is, bit for bit.
    pub(super) fn process(
        &mut self,
        level: Level,
        sections: &Sections,
        [start, end]: [&EqualizerWeights; 2],
        samples: &mut [f32],
    ) {
        if *start == EqualizerWeights::FLAT && *end == EqualizerWeights::FLAT {
            // Weights begin at zero: what the states have missed is not heard.
            *self = Self::default();
            return;
        }
        dispatch!(level, simd => process_simd(simd, self, sections, [start, end], samples));
        for state in self.re.iter_mut().chain(&mut self.im) {
            *state = if state.abs() < TINY { 0.0 } else { *state };
        }
    }
}

#[simd]
fn process_simd<S: Simd>(
    simd: S,
    states: &mut Equalizer,
    sections: &Sections,
    [start, end]: [&EqualizerWeights; 2],
    samples: &mut [f32],
) {
    let step = 1.0 / samples.len() as f32;
    let row = |list: &[f32; SECTIONS], i: usize| {
        f32x16::from_slice(simd, &list[i * LANES..(i + 1) * LANES])
    };
    let rows =
        |list: &[f32; SECTIONS]| -> [f32x16<S>; ROWS] { std::array::from_fn(|i| row(list, i)) };
    let change = |a: &[f32; SECTIONS], b: &[f32; SECTIONS]| -> [f32x16<S>; ROWS] {
        std::array::from_fn(|i| (row(b, i) - row(a, i)) * f32x16::splat(simd, step))
    };
    let (p_re, p_im, input) = (rows(&sections.re), rows(&sections.im), rows(&sections.input));
    let (w_re, w_im) = (rows(&start.re), rows(&start.im));
    let (d_re, d_im) = (change(&start.re, &end.re), change(&start.im, &end.im));
    let (mut s_re, mut s_im) = (rows(&states.re), rows(&states.im));
    let direct_change = step * (end.direct - start.direct);
    for (n, sample) in samples.iter_mut().enumerate() {
        let (x, part) = (f32x16::splat(simd, *sample), f32x16::splat(simd, n as f32));
        let mut sum = f32x16::splat(simd, 0.0);
        for i in 0..ROWS {
            let (re, im) = (s_re[i], s_im[i]);
            s_re[i] = p_re[i].mul_add(re, x * input[i]) - p_im[i] * im;
            s_im[i] = p_im[i].mul_add(re, p_re[i] * im);
            sum = d_re[i].mul_add(part, w_re[i]).mul_add(s_re[i], sum);
            sum = d_im[i].mul_add(part, w_im[i]).mul_add(s_im[i], sum);
        }
        let sum: [f32; LANES] = sum.into();
        let four: [f32; 4] =
            std::array::from_fn(|i| (sum[i] + sum[i + 4]) + (sum[i + 8] + sum[i + 12]));
        let direct = start.direct + direct_change * n as f32;
        *sample = direct * *sample + ((four[0] + four[1]) + (four[2] + four[3]));
    }
    for i in 0..ROWS {
        let (re, im): ([f32; LANES], [f32; LANES]) = (s_re[i].into(), s_im[i].into());
        states.re[i * LANES..(i + 1) * LANES].copy_from_slice(&re);
        states.im[i * LANES..(i + 1) * LANES].copy_from_slice(&im);
    }
}

#[cfg(test)]
mod tests;

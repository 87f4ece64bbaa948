//! How different two versions of an object sound.
//!
//! Both are struck at the same places; the levels of their responses are compared in
//! critical bands (24 Bark) and frames of 10 ms, wherever the original is within 50 dB of its
//! loudest band and frame.

use super::surface::Heard;
use crate::mesh::Mesh;
use crate::mesh::vector::{area_vector, unit};
use realfft::RealFftPlanner;
use std::f64::consts::TAU;

const SAMPLE_RATE_HZ: f64 = 48_000.0;
const WINDOW: usize = 1024;
const HOP: usize = 480;
const SAMPLES: usize = 19_200;
const BARKS: usize = 25;
const RANGE_DB: f64 = 50.0;
const PLACES: usize = 6;

/// Triangles whose first corners are struck, spread over the surface.
pub(super) fn places(surface: &Mesh) -> Vec<usize> {
    let n = surface.triangles.len();
    let count = PLACES.min(n);
    (0..count).map(|i| (2 * i + 1) * n / (2 * count)).collect()
}

/// Level in dB for each place, frame and critical band.
pub(super) struct Responses(Vec<f64>);

impl Responses {
    /// Strikes along the normals at some places.
    pub(super) fn new(heard: &Heard, surface: &Mesh, places: &[usize]) -> Self {
        let fft = RealFftPlanner::<f64>::new().plan_fft_forward(WINDOW);
        let mut levels = Vec::new();
        for &t in places {
            let normal = unit(area_vector(surface.corners(t)));
            let sound = sound(heard, surface.triangles[t][0] as usize, normal);
            for frame in (0..=SAMPLES - WINDOW).step_by(HOP) {
                let mut windowed: Vec<f64> = sound[frame..frame + WINDOW]
                    .iter()
                    .enumerate()
                    .map(|(i, y)| y * (0.5 - 0.5 * (TAU * i as f64 / WINDOW as f64).cos()))
                    .collect();
                let mut spectrum = fft.make_output_vec();
                // The lengths are those that the plan gave.
                let _ = fft.process(&mut windowed, &mut spectrum);
                let mut bands = [0.0; BARKS];
                for (i, bin) in spectrum.iter().enumerate() {
                    bands[bark(i as f64 * SAMPLE_RATE_HZ / WINDOW as f64)] += bin.norm_sqr();
                }
                levels.extend(bands.map(|power: f64| 10.0 * power.log10()));
            }
        }
        Self(levels)
    }

    /// The mean difference and the one that 95 % stay below, dB, where it can be heard.
    pub(super) fn difference_db(&self, other: &Self) -> [f64; 2] {
        let loudest = self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut differences: Vec<f64> = self
            .0
            .iter()
            .zip(&other.0)
            .filter(|(a, _)| **a > loudest - RANGE_DB)
            .map(|(a, b)| (a - b).abs().min(RANGE_DB))
            .collect();
        differences.sort_by(f64::total_cmp);
        let count = differences.len().max(1);
        let mean = differences.iter().sum::<f64>() / count as f64;
        [mean, differences.get(count * 95 / 100).copied().unwrap_or(0.0)]
    }
}

/// Zwicker's scale, as a band number.
fn bark(hz: f64) -> usize {
    let khz = hz / 1000.0;
    let z = 13.0 * (0.76 * khz).atan() + 3.5 * (khz / 7.5).powi(2).atan();
    (z as usize).min(BARKS - 1)
}

/// The response to a unit impulse.
fn sound(heard: &Heard, point: usize, normal: [f64; 3]) -> Vec<f64> {
    let mut sound = vec![0.0; SAMPLES];
    for (n, gains) in heard.gains.iter().enumerate() {
        let g = gains[point];
        let a: f64 = (0..3).map(|i| f64::from(g[i]) * normal[i]).sum();
        let (f, d) = (heard.frequencies_hz[n], heard.decays[n]);
        // Im(a z^i): one complex product a sample.
        let shrink = (-d / SAMPLE_RATE_HZ).exp();
        let (sin, cos) = (TAU * f / SAMPLE_RATE_HZ).sin_cos();
        let (zr, zi) = (shrink * cos, shrink * sin);
        let (mut re, mut im) = (a, 0.0);
        for y in &mut sound {
            *y += im;
            (re, im) = (re * zr - im * zi, re * zi + im * zr);
        }
    }
    sound
}

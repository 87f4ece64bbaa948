//! Short-time Fourier transform (STFT): levels over log frequency and time.
//!
//! No single window matches hearing: low notes need long windows to be resolved,
//! high clicks need short ones to stay sharp. Four window lengths are computed, and
//! each frequency row blends (in decibels) the two that suit it best.

use std::sync::Arc;

use anyhow::{Context, Result};
use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use crate::layout::axis::Scale;

/// Window lengths, s, and the frequency at which each is used alone, Hz.
const WINDOWS: [(f64, f64); 4] = [(0.34, 160.0), (0.17, 700.0), (0.085, 2500.0), (0.043, 8000.0)];
/// Most transforms within the length of a window. Closer columns show the same: a sound of 2 ms at 10 MHz
/// would need as many transforms of 2¹⁸ samples as the picture has columns.
const HOPS_PER_WINDOW: f64 = 512.0;
/// Level of silence, below every sound a file can hold, dB.
pub(crate) const SILENCE_DB: f32 = -200.0;

/// Levels over frequency and time.
pub(crate) struct Spectrogram {
    /// Number of time steps.
    pub columns: usize,
    /// dB re a full-scale sinusoid, rows from the highest frequency down.
    pub db: Vec<f32>,
}

/// Analyses a sound in `columns` equal time steps and `rows` equal steps of the
/// `frequency` axis. No sample is skipped: where a step is longer than a window, the
/// loudest of several windows is taken, so that no click is missed.
pub(crate) fn analyse(
    samples: &[f32],
    sample_rate: u32,
    frequency: Scale,
    columns: usize,
    rows: usize,
) -> Result<Spectrogram> {
    let mut db = vec![0.0f32; columns * rows];
    let mut planner = RealFftPlanner::<f32>::new();
    for level in 0..WINDOWS.len() {
        let mut window = Window::new(level, sample_rate, &mut planner);
        let shares: Vec<Share> = (0..rows)
            .filter_map(|row| window.share(row, rows, level, frequency, sample_rate))
            .collect();
        if shares.is_empty() {
            continue;
        }
        let step = samples.len() as f64 / columns as f64;
        let frames = (step / (0.5 * window.shape.len() as f64)).ceil().max(1.0) as usize;
        let mut heard_at = f64::NEG_INFINITY;
        for column in 0..columns {
            let centre =
                |frame: usize| (column as f64 + (frame as f64 + 0.5) / frames as f64) * step;
            if centre(0) - heard_at >= window.shortest_hop() {
                heard_at = centre(0);
                window.loudest.fill(SILENCE_DB);
                (0..frames).try_for_each(|frame| window.hear(samples, centre(frame)))?;
            }
            for share in &shares {
                db[share.row * columns + column] += share.weight * share.level(&window.loudest);
            }
        }
    }
    Ok(Spectrogram { columns, db })
}

/// Analysis with one window length.
struct Window {
    shape: Vec<f32>,
    fft: Arc<dyn RealToComplex<f32>>,
    input: Vec<f32>,
    scratch: Vec<Complex<f32>>,
    spectrum: Vec<Complex<f32>>,
    /// The highest level in each bin, dB.
    loudest: Vec<f32>,
}

impl Window {
    fn new(level: usize, sample_rate: u32, planner: &mut RealFftPlanner<f32>) -> Self {
        let wanted = WINDOWS[level].0 * f64::from(sample_rate);
        let length = (wanted.log2().round().exp2() as usize).clamp(64, 1 << 18);
        let fft = planner.plan_fft_forward(length);
        let shape = blackman_harris(length);
        Self {
            shape,
            input: fft.make_input_vec(),
            scratch: fft.make_scratch_vec(),
            spectrum: fft.make_output_vec(),
            loudest: vec![SILENCE_DB; length / 2 + 1],
            fft,
        }
    }

    /// Returns the distance, in samples, below which two windows show the same.
    fn shortest_hop(&self) -> f64 {
        self.shape.len() as f64 / HOPS_PER_WINDOW
    }

    /// Transforms the sound around sample `centre` and keeps the highest levels.
    fn hear(&mut self, samples: &[f32], centre: f64) -> Result<()> {
        let start = centre as isize - (self.shape.len() / 2) as isize;
        for (i, (x, w)) in self.input.iter_mut().zip(&self.shape).enumerate() {
            let at = start + i as isize;
            let sample = usize::try_from(at).ok().and_then(|at| samples.get(at));
            *x = w * sample.copied().unwrap_or(0.0);
        }
        self.fft
            .process_with_scratch(&mut self.input, &mut self.spectrum, &mut self.scratch)
            .context("the Fourier transform failed")?;
        for (loudest, c) in self.loudest.iter_mut().zip(&self.spectrum) {
            *loudest = loudest.max(10.0 * (c.norm_sqr() + 1e-20).log10());
        }
        Ok(())
    }

    /// Returns the contribution of this window to a row, if any.
    fn share(
        &self,
        row: usize,
        rows: usize,
        level: usize,
        frequency: Scale,
        sample_rate: u32,
    ) -> Option<Share> {
        let edge = |r: usize| frequency.value(1.0 - r as f64 / rows as f64);
        let (low, high) = (edge(row + 1), edge(row));
        let weight = blend((low * high).sqrt(), level);
        let bins_per_hz = self.shape.len() as f64 / f64::from(sample_rate);
        let bins = (low * bins_per_hz, high * bins_per_hz);
        (weight > 0.0).then_some(Share { row, weight: weight as f32, bins })
    }
}

/// A window's contribution to a row.
struct Share {
    row: usize,
    weight: f32,
    bins: (f64, f64),
}

impl Share {
    /// Returns the level in the row: the loudest bin inside it and, as a row may be narrower
    /// than a bin, the levels at its edges.
    fn level(&self, db: &[f32]) -> f32 {
        let edges = between(db, self.bins.0).max(between(db, self.bins.1));
        let inside = self.bins.0.ceil() as usize..=self.bins.1 as usize;
        inside.filter_map(|i| db.get(i)).copied().fold(edges, f32::max)
    }
}

/// Interpolates the level between bins by a Catmull–Rom curve: in decibels the top of the window's
/// main lobe is almost a parabola, which the curve follows.
fn between(db: &[f32], bin: f64) -> f32 {
    let bin = bin.clamp(0.0, (db.len() - 1) as f64);
    let (i, u) = (bin as usize, bin.fract() as f32);
    let at = |offset: usize| db[(i + offset).saturating_sub(1).min(db.len() - 1)];
    let (a, b, c, d) = (at(0), at(1), at(2), at(3));
    let bend = u * (2.0 * a - 5.0 * b + 4.0 * c - d + u * (3.0 * (b - c) + d - a));
    b + 0.5 * u * (c - a + bend)
}

/// Returns the weight of window `level` at frequency `f`; the weights add up to one.
fn blend(f: f64, level: usize) -> f64 {
    let octave = |l: usize| WINDOWS[l].1.log2();
    let f = f.log2().clamp(octave(0), octave(WINDOWS.len() - 1));
    if level > 0 && f < octave(level) {
        ((f - octave(level - 1)) / (octave(level) - octave(level - 1))).max(0.0)
    } else if level + 1 < WINDOWS.len() && f > octave(level) {
        ((octave(level + 1) - f) / (octave(level + 1) - octave(level))).max(0.0)
    } else {
        1.0
    }
}

/// Returns the four-term Blackman–Harris window (Harris 1978): side lobes at −92 dB, so quiet
/// modes are seen beside loud ones. Scaled to show a full-scale sinusoid at 0 dB.
fn blackman_harris(length: usize) -> Vec<f32> {
    const A: [f64; 4] = [0.358_75, -0.488_29, 0.141_28, -0.011_68];
    let scale = 2.0 / (A[0] * length as f64);
    (0..length)
        .map(|i| {
            let phase = std::f64::consts::TAU * (i as f64 + 0.5) / length as f64;
            let shape: f64 = A.iter().zip(0..).map(|(a, k)| a * (f64::from(k) * phase).cos()).sum();
            (scale * shape) as f32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEARING: Scale = Scale::Log(20.0, 20_000.0);

    fn tone(f: f64, amplitude: f64, seconds: f64, sample_rate: u32) -> Vec<f32> {
        (0..(seconds * f64::from(sample_rate)) as usize)
            .map(|i| std::f64::consts::TAU * f * i as f64 / f64::from(sample_rate))
            .map(|angle| (amplitude * angle.sin()) as f32)
            .collect()
    }

    /// The brightest row of the middle column: its frequency and level.
    fn brightest(samples: &[f32], sample_rate: u32, axis: Scale) -> (f64, f32) {
        let (columns, rows) = (20, 600);
        let s = analyse(samples, sample_rate, axis, columns, rows).unwrap();
        let column: Vec<f32> = (0..rows).map(|r| s.db[r * columns + columns / 2]).collect();
        let row = (0..rows).max_by(|a, b| column[*a].total_cmp(&column[*b])).unwrap();
        (axis.value(1.0 - (row as f64 + 0.5) / rows as f64), column[row])
    }

    #[test]
    fn a_sinusoid_is_brightest_at_its_frequency_and_level() {
        for f in [50.0, 440.0, 1000.0, 3000.0, 12_000.0] {
            for sample_rate in [44_100, 48_000, 96_000] {
                let (at, db) = brightest(&tone(f, 0.1, 1.0, sample_rate), sample_rate, HEARING);
                // A row is 1.2 % wide.
                assert!((at / f).ln().abs() < 0.02, "{f} Hz seen at {at}");
                assert!((db + 20.0).abs() < 1.0, "{f} Hz at {db} dB");
            }
        }
        let (at, _) = brightest(&tone(1000.0, 0.5, 1.0, 8000), 8000, Scale::Log(20.0, 4000.0));
        assert!((at / 1000.0).ln().abs() < 0.02);
    }

    #[test]
    fn the_windows_shares_add_up_to_one() {
        for i in 0..100 {
            let f = HEARING.value(f64::from(i) / 99.0);
            let sum: f64 = (0..WINDOWS.len()).map(|level| blend(f, level)).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{f} Hz: {sum}");
        }
    }

    #[test]
    fn a_click_is_seen_in_a_long_sound_wherever_it_is() {
        let mut samples = vec![0.0; 48_000 * 60];
        samples[1_234_567] = 1.0;
        let s = analyse(&samples, 48_000, HEARING, 100, 50).unwrap();
        let column = 1_234_567 * 100 / samples.len();
        assert!(s.db[column] > -80.0, "{}", s.db[column]);
        assert!(s.db[column + 5] <= -150.0, "{}", s.db[column + 5]);
    }

    #[test]
    fn the_shortest_and_the_silent_are_no_problem() {
        for samples in [&[0.5f32][..], &[0.0; 3], &[]] {
            let s = analyse(samples, 48_000, HEARING, 10, 10).unwrap();
            assert!(s.db.iter().all(|v| v.is_finite()));
        }
    }
}

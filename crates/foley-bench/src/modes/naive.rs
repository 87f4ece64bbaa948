//! Reference: a scalar two-pole resonator per mode.

use std::hint::black_box;

/// A two-pole resonator.
#[derive(Clone, Copy, Debug)]
struct Mode {
    a1: f32,
    a2: f32,
    gain: f32,
    y1: f32,
    y2: f32,
}

/// A bank of scalar resonators.
#[derive(Clone, Debug)]
pub(crate) struct NaiveBank {
    modes: Vec<Mode>,
}

impl NaiveBank {
    pub(crate) fn new(f: &[f64], d: &[f64], gains: &[f32], rate: f64) -> Self {
        let modes = f
            .iter()
            .zip(d)
            .zip(gains)
            .map(|((f, d), gain)| {
                let (r, theta) = ((-d / rate).exp(), std::f64::consts::TAU * f / rate);
                let a1 = (2.0 * r * theta.cos()) as f32;
                let gain = gain * theta.sin() as f32;
                Mode { a1, a2: (-r * r) as f32, gain, y1: 0.0, y2: 0.0 }
            })
            .collect();
        Self { modes }
    }

    /// Renders with modes in the inner loop.
    #[inline(never)]
    pub(crate) fn by_sample(&mut self, x: &[f32], out: &mut [f32]) {
        for (x, out) in x.iter().zip(out.iter_mut()) {
            let mut sum = 0.0;
            for m in &mut self.modes {
                let y = m.a1 * m.y1 + m.a2 * m.y2 + x;
                m.y2 = m.y1;
                m.y1 = y;
                sum += m.gain * y;
            }
            *out = black_box(sum);
        }
    }

    /// Renders with samples in the inner loop.
    #[inline(never)]
    pub(crate) fn by_mode(&mut self, x: &[f32], out: &mut [f32]) {
        out.fill(0.0);
        for m in &mut self.modes {
            let Mode { a1, a2, gain, mut y1, mut y2 } = *m;
            for (x, out) in x.iter().zip(out.iter_mut()) {
                let y = a1 * y1 + a2 * y2 + x;
                y2 = y1;
                y1 = y;
                *out += gain * y;
            }
            (m.y1, m.y2) = (y1, y2);
        }
    }
}

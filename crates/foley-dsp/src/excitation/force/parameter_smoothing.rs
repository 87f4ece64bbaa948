//! Smoothing of parameters that arrive at control rate.

use std::f64::consts::E;

/// A linear ramp. Each value is computed from its sample number, so the result does not depend on
/// block sizes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LinearRamp {
    from: f64,
    to: f64,
    length: u32,
    done: u32,
}

impl LinearRamp {
    /// Starts a ramp from the present value to `to` within `samples`.
    pub(super) fn aim(&mut self, to: f64, samples: u32) {
        *self = Self { from: self.after(0), to, length: samples.max(1), done: 0 };
    }

    /// Returns the value `samples` from now.
    pub(super) fn after(&self, samples: usize) -> f64 {
        let at = self.done.saturating_add(samples as u32);
        if at >= self.length {
            return self.to;
        }
        self.from + (self.to - self.from) * f64::from(at) / f64::from(self.length)
    }

    pub(super) fn advance(&mut self, samples: usize) {
        self.done = self.done.saturating_add(samples as u32).min(self.length);
    }
}

/// Time constant of each of the two low-passes of an amplitude, s.
const SMOOTHING_S: f64 = 1.5e-3;
/// Smaller amplitudes count as zero, N·s per sample.
const SILENT_NS: f32 = 1e-14;

/// An amplitude behind two first-order low-passes: a unit step changes it by at most k² in the
/// first sample, where k ≈ 1/(f_s · 1.5 ms).
#[derive(Debug, Clone, Copy)]
pub(super) struct SmoothedAmplitude {
    k: f32,
    to: f32,
    half: f32,
    value: f32,
}

impl SmoothedAmplitude {
    pub(super) fn new(sample_rate_hz: f64) -> Self {
        let k = 1.0 - E.powf(-1.0 / (SMOOTHING_S * sample_rate_hz));
        Self { k: k as f32, to: 0.0, half: 0.0, value: 0.0 }
    }

    /// Sets the target; called at every step, before the state can decay to denormal numbers.
    pub(super) fn aim(&mut self, to: f32) {
        self.to = if to < SILENT_NS { 0.0 } else { to };
        if self.is_silent() {
            self.clear();
        }
    }

    pub(super) fn next(&mut self) -> f32 {
        self.half = self.k * self.to + (1.0 - self.k) * self.half;
        self.value = self.k * self.half + (1.0 - self.k) * self.value;
        self.value
    }

    #[cfg(test)]
    pub(super) fn at_one() -> Self {
        Self { k: 1.0, to: 1.0, half: 1.0, value: 1.0 }
    }

    /// Returns whether value and target are zero.
    pub(super) fn is_silent(&self) -> bool {
        self.to == 0.0 && self.half < SILENT_NS && self.value < SILENT_NS
    }

    pub(super) fn clear(&mut self) {
        (self.half, self.value) = (0.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decaying_amplitude_reaches_zero_before_it_is_denormal() {
        let mut amplitude = SmoothedAmplitude::new(48_000.0);
        amplitude.aim(1e-3);
        (0..4_800).for_each(|_| assert!(amplitude.next() >= 0.0));
        for n in 0..48_000 {
            if n % 64 == 0 {
                amplitude.aim(if n < 24_000 { 0.0 } else { 1e-39 });
            }
            let value = amplitude.next();
            let parts = [value, amplitude.half, amplitude.to];
            assert!(parts.iter().all(|x| *x == 0.0 || x.is_normal()), "sample {n}: {parts:?}");
        }
        assert!(amplitude.is_silent() && amplitude.value == 0.0);
    }
}

//! Impact pulse: the force of one impact over time, as samples and as a spectrum.
//!
//! A solved [`Collision`](super::Collision) has its own force curve. Where only impulse and duration are
//! known, the audio-force is that of \[FA\] §4.1, scaled so that its integral is the impulse J:
//!
//! ```text
//! F(t) = (J/τ) (1 − cos 2πt/τ),  0 ≤ t ≤ τ
//! ```
//!
//! The pulse is even about its centre, so its spectrum is real. Normalised to 1 at
//! ω = 0, with u = ωτ/2:
//!
//! ```text
//! H(ω) = (1/J) ∫ F(t + τ/2) cos ωt dt = (sin u / u) / (1 − (u/π)²)
//! ```
//!
//! H is 1/2 at ω = 2π/τ, first 0 at 4π/τ, and falls as ω⁻³ beyond: long contacts sound dull.
//!
//! Real-time: nothing here allocates or panics.

use num_complex::Complex64;
use std::f64::consts::PI;
use std::sync::Arc;

use super::{ContactError, ForceCurve, checked};
use crate::simd::fast_math::SHIFT;

/// The shortest pulse, in samples, that [`Impact::sample_into`] does not lengthen.
pub const MIN_SAMPLED_DURATION: f64 = 4.0;

/// Steps that resolve a pulse that is known by impulse and duration.
const RESOLUTION: f64 = 20.0;

/// A force pulse with a given impulse and duration.
///
/// ```
/// use foley_dsp::excitation::Impact;
/// let impact = Impact::new(0.02, 0.001)?;
/// let mut force = [0.0; 64];
/// let continues = impact.sample_into(3.7, 48_000.0, &mut force, 0);
/// assert!(!continues && force[3] == 0.0 && force[4] > 0.0);
/// assert!((force.iter().sum::<f32>() - 0.02).abs() < 1e-7);
/// # Ok::<(), foley_dsp::excitation::ContactError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    impulse_ns: f64,
    duration_s: f64,
    /// The force of a solved collision.
    curve: Option<Arc<ForceCurve>>,
}

impl Impact {
    /// Makes a pulse of impulse J (N·s, signed) and duration τ (s).
    pub fn new(impulse_ns: f64, duration_s: f64) -> Result<Self, ContactError> {
        Ok(Self {
            impulse_ns: checked(
                "impulse (N·s)",
                impulse_ns,
                "at most 1e20 in magnitude",
                impulse_ns.abs() <= 1e20,
            )?,
            duration_s: checked(
                "duration of the impact (s)",
                duration_s,
                "positive and at most 1000",
                duration_s > 0.0 && duration_s <= 1000.0,
            )?,
            curve: None,
        })
    }

    /// Makes a pulse with the force of a solved collision.
    pub fn of_curve(curve: ForceCurve) -> Result<Self, ContactError> {
        let pulse = Self::new(curve.impulse_ns(), curve.duration_s())?;
        Ok(Self { curve: Some(Arc::new(curve)), ..pulse })
    }

    /// Returns the force of the solved collision, if it is one.
    pub(crate) fn curve(&self) -> Option<&ForceCurve> {
        self.curve.as_deref()
    }

    /// Centre of the force in time, s after the start.
    pub fn centre_s(&self) -> f64 {
        self.curve.as_ref().map_or(0.5 * self.duration_s, |curve| curve.centre_s())
    }

    /// Returns the excitation of a mode at ω in rad/s, relative to an ideal impulse at the
    /// [centre](Self::centre_s).
    pub fn response(&self, omega: f64) -> Complex64 {
        match &self.curve {
            Some(curve) if curve.impulse_ns() != 0.0 => curve.spectrum(omega) / curve.impulse_ns(),
            _ => self.spectrum(omega).into(),
        }
    }

    /// J, N·s.
    pub fn impulse_ns(&self) -> f64 {
        self.impulse_ns
    }

    /// τ, s.
    pub fn duration_s(&self) -> f64 {
        self.duration_s
    }

    /// Returns the time after which there is no force, s.
    pub(super) fn end_s(&self) -> f64 {
        self.curve().map_or(self.duration_s, ForceCurve::end_s)
    }

    /// Returns the duration of the pulses of which the force consists, s.
    pub(crate) fn pulse_s(&self) -> f64 {
        self.curve().map_or(self.duration_s, ForceCurve::pulse_s)
    }

    /// Returns steps that resolve the force, s: of a solved curve two of its own, which are far shorter than its waves.
    pub(super) fn resolution_s(&self) -> f64 {
        self.curve().map_or(self.duration_s / RESOLUTION, |curve| 2.0 * curve.step_s())
    }

    /// Returns F(t), N, at `t_s` seconds after first contact; zero outside 0…τ.
    pub fn force_n(&self, t_s: f64) -> f64 {
        if let Some(curve) = self.curve() {
            return curve.force_n(t_s);
        }
        if !(0.0..=self.duration_s).contains(&t_s) {
            return 0.0;
        }
        self.impulse_ns / self.duration_s * raised_cosine(t_s / self.duration_s)
    }

    /// Returns H(ω) at ω in rad/s of a pulse known by impulse and duration: the excitation of a mode of that
    /// frequency relative to an ideal impulse at the pulse's centre, τ/2 after the start.
    pub fn spectrum(&self, omega: f64) -> f64 {
        let u = (omega * self.duration_s / 2.0).abs();
        // 1 − (u/π)² = (π − u)(π + u)/π², and sin u = sin(π − u): divide the zero of
        // the denominator out against whichever sine vanishes with it.
        if u < PI / 2.0 {
            sinc(u) * PI * PI / ((PI - u) * (PI + u))
        } else if u.is_finite() {
            sinc(PI - u) * (PI / u) * (PI / (PI + u))
        } else {
            0.0
        }
    }

    /// Adds a pulse known by impulse and duration to a buffer of force per sample, `F(t_n)/f_s` in N·s.
    ///
    /// The contact begins at `start_samples`, which may be fractional; `buffer[0]` is sample
    /// `buffer_start` of the same clock. The buffer may begin or end within the pulse: call again
    /// with each following buffer while the result is `true`. The samples do not depend on how
    /// they are divided into buffers.
    ///
    /// The samples of the entire pulse sum to J for every start: the sampling error is removed by
    /// the closed form of `Σ 1 − cos`. A pulse shorter than [`MIN_SAMPLED_DURATION`] is lengthened
    /// to it: start and impulse stay, the centre is up to two samples late and the sound is duller.
    /// One impulse at τ/2 after the start, weighted with [`spectrum`](Self::spectrum) at the
    /// frequency of a resonator, is exact for any τ. Adds nothing and returns `false` if an argument
    /// is not finite or the rate is not positive.
    pub fn sample_into(
        &self,
        start_samples: f64,
        sample_rate_hz: f64,
        buffer: &mut [f32],
        buffer_start: u64,
    ) -> bool {
        let Some(pulse) = SampledPulse::new(self, start_samples, sample_rate_hz) else {
            return false;
        };
        let begin = buffer_start as f64;
        let end = begin + buffer.len() as f64;
        let from = (pulse.first - begin).clamp(0.0, buffer.len() as f64) as usize;
        let to = (pulse.last + 1.0 - begin).clamp(0.0, buffer.len() as f64) as usize;
        if from < to {
            for (i, x) in buffer[from..to].iter_mut().enumerate() {
                *x += pulse.at(begin + (from + i) as f64) as f32;
            }
        }
        pulse.last >= end
    }
}

/// A pulse on the sample clock.
struct SampledPulse {
    /// Start s and duration T, samples.
    start: f64,
    duration: f64,
    /// First and last sample within s…s+T.
    first: f64,
    last: f64,
    /// J / Σ (1 − cos).
    scale: f64,
}

impl SampledPulse {
    fn new(impact: &Impact, start: f64, sample_rate_hz: f64) -> Option<Self> {
        if !(start.is_finite() && sample_rate_hz > 0.0 && sample_rate_hz.is_finite()) {
            return None;
        }
        let duration = (impact.duration_s * sample_rate_hz).max(MIN_SAMPLED_DURATION);
        let (first, last) = (start.ceil(), (start + duration).floor());

        // Σ cos 2π(n − s)/T over N samples is a geometric series:
        // sin(πN/T)/sin(π/T) · cos 2π(n̄ − s)/T, about their mean n̄.
        let count = last - first + 1.0;
        let mean = (first - start) + (count - 1.0) / 2.0;
        let cosines = (PI * count / duration).sin() / (PI / duration).sin()
            * (2.0 * PI * mean / duration).cos();
        let scale = impact.impulse_ns / (count - cosines);
        Some(Self { start, duration, first, last, scale })
    }

    fn at(&self, n: f64) -> f64 {
        self.scale * raised_cosine((n - self.start) / self.duration)
    }
}

/// 1 − cos 2πx, without cancellation at either end.
fn raised_cosine(x: f64) -> f64 {
    let s = (PI * x).sin();
    2.0 * s * s
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// Returns the magnitude of [`Impact::spectrum`] for f τ ≥ 0 periods in the pulse:
/// sin u / u / (1 − (u/π)²) with u = π f τ, to 1e-14 of its envelope. A series without branches,
/// which compilers vectorise.
#[inline(always)]
pub fn pulse_spectrum(periods: f64) -> f64 {
    let periods = if periods < 1e9 { periods } else { 1e9 };
    let k = (periods + SHIFT) - SHIFT;
    // |sin u| = |sin w|; |w| ≤ π/2, and the next term of the series would be 3e-18.
    let w = PI * (periods - k);
    let mut sinc = 1.0;
    for n in [20.0, 18.0, 16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0] {
        sinc = 1.0 - w * w * sinc * (1.0 / (n * (n + 1.0)));
    }
    // The zeros of the denominator, at k = 0 and at k = 1, cancel those of the sine.
    let top = if k > 1.5 { w * sinc } else { sinc };
    let first = if k > 1.5 { PI * periods } else { periods };
    let second = 1.0 - periods;
    let bottom = if k < 0.5 {
        second
    } else if k < 1.5 {
        first
    } else {
        first * second
    };
    (top / (bottom * (1.0 + periods))).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// ∫ F(t + τ/2) cos ωt dt / J by the trapezoidal rule.
    fn quadrature(impact: &Impact, omega: f64) -> f64 {
        let (tau, steps) = (impact.duration_s, 200_000);
        let dt = tau / f64::from(steps);
        (1..steps)
            .map(|i| dt * f64::from(i))
            .map(|t| impact.force_n(t) * (omega * (t - tau / 2.0)).cos() * dt)
            .sum::<f64>()
            / impact.impulse_ns
    }

    #[test]
    fn the_spectrum_is_the_fourier_integral_of_the_force() {
        let impact = Impact::new(0.3, 0.002).unwrap();
        for omega_tau in [0.0, 1e-9, 1e-3, 1.0, 3.1, 6.0, 2.0 * PI, 7.0, 12.0, 15.0, 40.0, 100.0] {
            let omega = omega_tau / impact.duration_s;
            let (h, truth) = (impact.spectrum(omega), quadrature(&impact, omega));
            assert!((h - truth).abs() < 1e-9, "{omega_tau}: {h} {truth}");
            assert_eq!(h, impact.spectrum(-omega));
        }
    }

    /// The removable singularities: exact values, and no noise in between.
    #[test]
    fn the_spectrum_is_smooth_where_its_formula_is_not() {
        let impact = Impact::new(1.0, 2.0).unwrap(); // u = ω
        assert_eq!(impact.spectrum(0.0), 1.0);
        assert!((impact.spectrum(PI) - 0.5).abs() < 1e-15);
        assert!(impact.spectrum(2.0 * PI).abs() < 1e-15);
        assert_eq!(impact.spectrum(f64::INFINITY), 0.0);
        assert!(impact.spectrum(1e300).abs() < 1e-300);
        for i in -100..=100 {
            // H(π + δ) = 1/2 − 3δ/4π + O(δ²)
            let delta = f64::from(i) * 1e-9;
            let slope = 0.5 - 0.75 * delta / PI;
            assert!((impact.spectrum(PI + delta) - slope).abs() < 1e-14, "{delta}");
        }
        let [below, above] = [-1e-12, 1e-12].map(|d| impact.spectrum(PI / 2.0 + d));
        assert!((below - above).abs() < 1e-11);
    }

    /// The transform of the samples equals the stated spectrum about the stated centre up to
    /// 9 kHz at 48 kHz, with sub-sample starts. The remaining error is aliasing: the pulse is not
    /// band-limited.
    #[test]
    fn the_samples_have_the_stated_spectrum_and_time() {
        let f_s = 48_000.0;
        for (samples, tolerance) in [(4.0, 0.03), (10.3, 2e-3), (48.7, 5e-5)] {
            let impact = Impact::new(1.0, samples / f_s).unwrap();
            for start in [5.0, 5.25, 5.5, 5.9] {
                let mut buffer = [0f32; 80];
                impact.sample_into(start, f_s, &mut buffer, 0);
                for omega in (0..10).map(|i| 2.0 * PI * 1000.0 * f64::from(i)) {
                    let centre = start + samples / 2.0;
                    let phase = |n: usize| omega * (n as f64 - centre) / f_s;
                    let sum = |f: fn(f64) -> f64| -> f64 {
                        let at = |(n, x): (usize, &f32)| f64::from(*x) * f(phase(n));
                        buffer.iter().enumerate().map(at).sum()
                    };
                    let (re, im) = (sum(f64::cos), sum(f64::sin));
                    let error = (re - impact.spectrum(omega)).hypot(im);
                    assert!(error < tolerance, "{samples} {start} {omega}: {error}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_samples_sum_to_the_impulse_and_do_not_depend_on_buffers(
            start in 0.0..50.0f64, samples in 0.01..200.0f64, impulse in -10.0..10.0f64,
            first in 0u64..60, block in 1usize..70, origin in prop::sample::select(vec![0u64, 1 << 40]),
        ) {
            let f_s = 44_100.0;
            let impact = Impact::new(impulse, samples / f_s).unwrap();
            let start = origin as f64 + start;
            let mut uncut = vec![0f32; 320];
            prop_assert!(!impact.sample_into(start, f_s, &mut uncut, origin));
            let sum: f64 = uncut.iter().copied().map(f64::from).sum();
            prop_assert!((sum - impulse).abs() <= 1e-7 * impulse.abs(), "{} {}", sum, impulse);

            let mut cut = vec![0f32; 320];
            let mut at = 0;
            let mut continues = true;
            while at < cut.len() {
                let size = if at == 0 { (first as usize).max(1) } else { block };
                let end = (at + size).min(cut.len());
                let was = continues;
                continues = impact.sample_into(start, f_s, &mut cut[at..end], origin + at as u64);
                prop_assert!(was || !continues);
                prop_assert!(continues || uncut[end..].iter().all(|x| *x == 0.0));
                prop_assert!(!continues || (end as u64 + origin) as f64 <= start + samples.max(4.0));
                at = end;
            }
            prop_assert_eq!(uncut, cut);
        }
    }

    #[test]
    fn pulses_far_away_or_broken_add_nothing() {
        let impact = Impact::new(1.0, 0.001).unwrap();
        let mut buffer = [0f32; 16];
        assert!(impact.sample_into(1e6, 48_000.0, &mut buffer, 0));
        assert!(!impact.sample_into(-1e6, 48_000.0, &mut buffer, 0));
        assert!(!impact.sample_into(0.0, 48_000.0, &mut buffer, u64::MAX));
        for (start, f_s) in
            [(f64::NAN, 48e3), (f64::INFINITY, 48e3), (0.0, 0.0), (0.0, -1.0), (0.0, f64::NAN)]
        {
            assert!(!impact.sample_into(start, f_s, &mut buffer, 0));
        }
        assert_eq!(buffer, [0.0; 16]);
        assert!(Impact::new(f64::NAN, 1.0).is_err() && Impact::new(1.0, 0.0).is_err());
        assert!(Impact::new(1.0, f64::INFINITY).is_err());
    }

    #[test]
    fn the_pulse_spectrum_equals_that_of_the_impact() {
        let pulse = Impact::new(1.0, 2.0).unwrap();
        for i in 0..50_000 {
            let periods = 1e-3 * f64::from(i) * (1.0 + 1e-6 * f64::from(i % 11));
            let (got, want) = (pulse_spectrum(periods), pulse.spectrum(PI * periods).abs());
            let envelope = 1.0 / (1.0 + periods.powi(3));
            assert!((got - want).abs() < 1e-14 * envelope, "{periods}: {got} {want}");
        }
        for (periods, want) in [(0.0, 1.0), (1.0, 0.5), (2.0, 0.0), (f64::INFINITY, 0.0)] {
            assert!((pulse_spectrum(periods) - want).abs() < 1e-15, "{periods}");
        }
    }
}

//! Fast math: functions as series without branches, which compilers vectorise.

use std::f64::consts::{LOG2_E, PI};

/// 1.5 · 2⁵²: added to a number below 2⁵¹, it rounds it to an integer.
const SHIFT: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts; products of the first with integers below 2²⁰ are exact.
const LN_2: [f64; 2] = [f64::from_bits(0x3fe6_2e42_fee0_0000), 1.908_214_929_270_587_7e-10];

/// Returns e^x for x ≤ 0, to a relative error of 1e-15; e^{−700} for smaller x and for NaN.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let x = if x > -700.0 { x } else { -700.0 };
    // e^x = 2^n e^y; n is in the last bits of the sum.
    let shifted = x * LOG2_E + SHIFT;
    let n = shifted - SHIFT;
    let y = (x - n * LN_2[0]) - n * LN_2[1];
    // Σ y^k/k!: |y| ≤ 0.35, and the next term would be 2e-16.
    let mut series = 1.0;
    for k in [12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        series = 1.0 + y * series * (1.0 / k);
    }
    let power = shifted.to_bits().wrapping_sub(SHIFT.to_bits()).wrapping_add(1023) << 52;
    series * f64::from_bits(power)
}

/// Returns the magnitude of [`Impact::spectrum`](foley_dsp::excitation::Impact::spectrum) for f τ ≥ 0
/// periods in the pulse: sin u / u / (1 − (u/π)²) with u = π f τ, to 1e-14 of its envelope.
#[inline(always)]
pub(super) fn pulse_spectrum(periods: f64) -> f64 {
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
    use foley_dsp::excitation::Impact;

    #[test]
    fn the_exponential_equals_the_standard_one() {
        for i in 0..70_000 {
            let x = -0.01 * f64::from(i) * (1.0 + 1e-5 * f64::from(i % 7));
            let (got, want) = (exp(x), x.max(-700.0).exp());
            assert!((got / want - 1.0).abs() < 1e-15, "{x}: {got} {want}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!([-701.0, f64::NEG_INFINITY, f64::NAN].iter().all(|x| exp(*x) < 1e-300));
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

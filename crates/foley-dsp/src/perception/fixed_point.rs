//! Fixed-point numbers in `f64`, multiples of 2⁻¹⁶, which make masking arithmetic exact.
//!
//! Bark values stay below 2⁵, levels below 2¹⁰ dB and slopes below 2⁸ dB/Bark. A product of slope
//! and distance then has at most 45 bits, and so has its sum with a level: both fit the 53 bits of
//! an `f64`. Sums are exact in any order, so proofs for real numbers hold for the code. A step of
//! 0.000 015 dB or Bark is inaudible.

/// Steps per dB and per Bark.
const STEPS: f64 = 65_536.0;

/// Rounds to the nearest multiple of 2⁻¹⁶; non-finite values stay unchanged.
pub(super) fn to_fixed_point(x: f64) -> f64 {
    (x * STEPS).round() / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_sum_is_exact() {
        let step = 1.0 / STEPS;
        let (level, slope, distance) = (1000.0 - step, 222.0 - step, 26.0 - step);
        let height = level - slope * distance;
        let steps = |x: f64| (x * STEPS) as i128;
        let exact = steps(level) * 65_536 - steps(slope) * steps(distance);
        assert_eq!((height * STEPS * STEPS) as i128, exact);
        assert_eq!(slope.mul_add(-distance, level), height);
    }

    #[test]
    fn rounding_is_fine_and_keeps_non_finite_values() {
        assert!((to_fixed_point(0.1) - 0.1).abs() <= 0.5 / STEPS);
        assert_eq!(to_fixed_point(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert!(to_fixed_point(f64::NAN).is_nan());
    }
}

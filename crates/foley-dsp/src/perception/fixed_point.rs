//! Numbers on a grid of 2⁻¹⁶, so that masking curves are computed without rounding.
//!
//! Barks stay below 2⁵, levels below 2¹⁰ dB and slopes below 2⁸ dB/Bark. On the grid a
//! product of slope and distance then has at most 45 bits and its sum with a level as
//! many: all of it fits the 53 bits of an `f64`. Two ways to order the same sums give the
//! same bits, and what is proved for real numbers holds for the code. Nobody hears a
//! step of 0.000 015 dB or Bark.

/// Steps per dB and per Bark.
const STEPS: f64 = 65_536.0;

/// The nearest number on the grid; what is not finite stays what it is.
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
        let complete = |x: f64| (x * STEPS) as i128;
        let exact = complete(level) * 65_536 - complete(slope) * complete(distance);
        assert_eq!((height * STEPS * STEPS) as i128, exact);
        assert_eq!(slope.mul_add(-distance, level), height);
    }

    #[test]
    fn the_grid_is_fine_and_keeps_what_is_not_finite() {
        assert!((to_fixed_point(0.1) - 0.1).abs() <= 0.5 / STEPS);
        assert_eq!(to_fixed_point(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert!(to_fixed_point(f64::NAN).is_nan());
    }
}

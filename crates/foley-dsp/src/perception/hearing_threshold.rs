//! Absolute threshold of hearing.

/// Returns Terhardt's threshold of hearing (1979; \[CS\] §4) in dB SPL, f in kHz:
/// `Th = 3.64 f^-0.8 − 6.5 e^(−0.6 (f − 3.3)²) + 10⁻³ f⁴`.
///
/// Infinite for frequencies that are zero, negative or NaN.
///
/// ```
/// use foley_dsp::perception::hearing_threshold_db;
/// assert!(hearing_threshold_db(3300.0) < 0.0 && hearing_threshold_db(40.0) > 40.0);
/// ```
pub fn hearing_threshold_db(frequency_hz: f64) -> f64 {
    if !(frequency_hz > 0.0) {
        return f64::INFINITY;
    }
    let f = frequency_hz / 1000.0;
    3.64 * f.powf(-0.8) - 6.5 * (-0.6 * (f - 3.3).powi(2)).exp() + 1e-3 * f.powi(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 1 kHz by hand: 3.64 − 6.5 e^(−0.6 · 5.29) + 0.001 = 3.64 − 0.271 90 + 0.001.
    #[test]
    fn known_points() {
        assert!((hearing_threshold_db(1000.0) - 3.3691).abs() < 1e-4);
        // 3.64 · 10^0.8 − 6.5 e^(−0.6 · 3.2²) = 22.967 − 0.0140.
        assert!((hearing_threshold_db(100.0) - 22.953).abs() < 1e-3);
        // 3.64 · 10^−0.8 + 10 = 10.577; the dip near 3.3 kHz is negligible here.
        assert!((hearing_threshold_db(10_000.0) - 10.577).abs() < 1e-3);
    }

    #[test]
    fn hearing_is_most_sensitive_near_3300_hz() {
        let all = (20..20_000).map(f64::from);
        let best = all.min_by(|a, b| hearing_threshold_db(*a).total_cmp(&hearing_threshold_db(*b)));
        let best = best.unwrap();
        assert!((best - 3300.0).abs() < 100.0, "{best} Hz");
        assert!((-5.1..-4.9).contains(&hearing_threshold_db(best)));
    }

    #[test]
    fn invalid_frequencies_have_an_infinite_threshold() {
        for f in [0.0, -0.0, -440.0, f64::NAN, f64::NEG_INFINITY, f64::INFINITY] {
            assert_eq!(hearing_threshold_db(f), f64::INFINITY, "{f}");
        }
    }
}

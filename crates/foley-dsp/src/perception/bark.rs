//! The Bark scale: one Bark is the width of one critical band of the ear.

use std::f64::consts::FRAC_PI_2;

/// Limit of [`bark_from_hz`] at high frequencies.
pub const MAX_BARK: f64 = (13.0 + 3.5) * FRAC_PI_2;

/// Converts hertz to Bark (Zwicker & Terhardt 1980), f in kHz:
/// `13 atan(0.76 f) + 3.5 atan((f/7.5)²)`.
///
/// ```
/// use foley_dsp::perception::bark_from_hz;
/// assert!((bark_from_hz(1000.0) - 8.51).abs() < 0.01);
/// ```
pub fn bark_from_hz(frequency_hz: f64) -> f64 {
    let f = frequency_hz / 1000.0;
    13.0 * (0.76 * f).atan() + 3.5 * (f / 7.5).powi(2).atan()
}

/// Converts Bark to hertz by bisection to the last bit; 0 below the scale, infinite from
/// [`MAX_BARK`] on.
pub fn hz_from_bark(bark: f64) -> f64 {
    if bark.is_nan() {
        return f64::NAN;
    }
    if bark <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while bark_from_hz(high) < bark {
        low = high;
        high *= 2.0;
        if high == f64::INFINITY {
            return high;
        }
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if bark_from_hz(middle) < bark {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges of critical bands from Zwicker's table, which the formula approximates to 0.2 Bark.
    #[test]
    fn the_table_of_critical_bands() {
        let edges = [(1, 100), (2, 200), (4, 400), (5, 510), (8, 920), (9, 1080), (13, 2000)];
        let more = [(16, 3150), (18, 4400), (20, 6400), (22, 9500), (23, 12_000), (24, 15_500)];
        for (bark, hz) in edges.into_iter().chain(more) {
            let got = bark_from_hz(f64::from(hz));
            assert!((got - f64::from(bark)).abs() < 0.2, "{hz} Hz: {got} Bark, not {bark}");
        }
    }

    #[test]
    fn there_and_back() {
        for i in 1..=2_000 {
            let hz = f64::from(i) * 11.0;
            let back = hz_from_bark(bark_from_hz(hz));
            assert!((back / hz - 1.0).abs() < 1e-12, "{hz} Hz comes back as {back}");
        }
    }

    #[test]
    fn off_the_scale() {
        assert_eq!(hz_from_bark(0.0), 0.0);
        assert_eq!(hz_from_bark(-3.0), 0.0);
        assert_eq!(hz_from_bark(f64::NEG_INFINITY), 0.0);
        assert_eq!(hz_from_bark(MAX_BARK + 0.1), f64::INFINITY);
        assert_eq!(hz_from_bark(f64::INFINITY), f64::INFINITY);
        assert!(hz_from_bark(f64::NAN).is_nan());
        assert!(hz_from_bark(1e-300) >= 0.0);
    }
}

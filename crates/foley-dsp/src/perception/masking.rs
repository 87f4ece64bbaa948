//! Masking curve of one tone: hearing threshold and spreading function of \[CS\] eq. 4.
//!
//! A masker of level L_m at b_m Bark hides tones below
//! `μ(b) = max(Th(b), p_m(b))`, where
//! `p_m(b) = L_m − a_v − 25 (b_m − b)` for b < b_m and
//! `p_m(b) = L_m − a_v − s_u (b − b_m)` from b_m on.
//!
//! The upper slope `s_u = 22 − L_m/5` is negative above 110 dB, where masking would grow with
//! distance; it is clamped to 0.

use super::{Tone, fixed_point::to_fixed_point};

/// Slope of the spreading function below the masker, dB/Bark.
pub const LOWER_SLOPE: f64 = 25.0;

/// The largest masking threshold a_v of [`Masking`], dB.
pub const MAX_A_V_DB: f64 = 200.0;

/// Returns the slope above a masker of this level, dB/Bark: `22 − L/5`, at least 0, a multiple of
/// 2⁻¹⁶ (see [`Tone`]). It does not grow with level.
pub fn upper_slope(level_db: f64) -> f64 {
    to_fixed_point(22.0 - level_db / 5.0).max(0.0)
}

/// Parameters of masking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Masking {
    a_v_db: f64,
}

impl Masking {
    /// Sets `a_v_db`, the distance from a masker's level to the peak of its curve: larger values
    /// keep more modes. \[CS\] reports no audible difference from 5 dB on and little at 2 dB;
    /// laboratory tone masking gives 20 dB. Clamped to 0 … [`MAX_A_V_DB`] and rounded like tones;
    /// NaN gives the default.
    pub fn new(a_v_db: f64) -> Self {
        if a_v_db.is_nan() {
            return Self::default();
        }
        Self { a_v_db: to_fixed_point(a_v_db.clamp(0.0, MAX_A_V_DB)) }
    }

    /// Returns the masking threshold a_v, dB.
    pub fn a_v_db(self) -> f64 {
        self.a_v_db
    }

    /// Returns the curve below which `masker` hides other tones.
    pub fn curve(self, masker: &Tone) -> Curve {
        Curve {
            bark: masker.bark(),
            peak_db: masker.level_db() - self.a_v_db,
            upper_slope: upper_slope(masker.level_db()),
        }
    }
}

/// 5 dB, the value of \[CS\].
impl Default for Masking {
    fn default() -> Self {
        Self { a_v_db: 5.0 }
    }
}

/// The masking curve of one tone: two lines over Bark that meet at the tone.
///
/// ```
/// use foley_dsp::perception::{Masking, Tone};
/// let curve = Masking::new(5.0).curve(&Tone::new(1000.0, 60.0));
/// let b = curve.bark();
/// assert_eq!([b - 1.0, b, b + 1.0].map(|b| curve.spread_db(b)), [30.0, 55.0, 45.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    bark: f64,
    peak_db: f64,
    upper_slope: f64,
}

impl Curve {
    /// Returns the position of the masker, Bark.
    pub fn bark(&self) -> f64 {
        self.bark
    }

    /// Returns the peak of the curve, `L_m − a_v`.
    pub fn peak_db(&self) -> f64 {
        self.peak_db
    }

    /// Returns the slope above the masker, dB/Bark.
    pub fn upper_slope(&self) -> f64 {
        self.upper_slope
    }

    /// Returns `p_m(b)`, the spreading function without the hearing threshold.
    pub fn spread_db(&self, bark: f64) -> f64 {
        if bark < self.bark {
            self.peak_db - LOWER_SLOPE * (self.bark - bark)
        } else {
            self.peak_db - self.upper_slope * (bark - self.bark)
        }
    }

    /// Returns `μ(b)` at the position of `tone`; below it the tone is inaudible.
    pub fn threshold_db(&self, tone: &Tone) -> f64 {
        tone.threshold_db().max(self.spread_db(tone.bark()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_peaks_a_v_below_its_masker() {
        for a_v in [0.0, 2.5, 5.0, 20.0] {
            for level in [10.0, 60.0, 100.0, 109.0] {
                let tone = Tone::new(440.0, level);
                let curve = Masking::new(a_v).curve(&tone);
                assert_eq!(curve.spread_db(tone.bark()), level - a_v);
                assert_eq!(curve.peak_db(), level - a_v);
                assert!(curve.spread_db(tone.bark() - 0.5) == level - a_v - 12.5);
                let above = level - a_v - 0.5 * (22.0 - level / 5.0);
                assert!((curve.spread_db(tone.bark() + 0.5) - above).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn the_hearing_threshold_is_part_of_the_curve() {
        let curve = Masking::default().curve(&Tone::new(1000.0, 60.0));
        let far = Tone::new(15_000.0, 40.0);
        assert!(curve.spread_db(far.bark()) < far.threshold_db());
        assert_eq!(curve.threshold_db(&far), far.threshold_db());
    }

    #[test]
    fn the_upper_slope_never_rises_nor_grows_with_level() {
        assert_eq!(upper_slope(60.0), 10.0);
        assert_eq!([110.0, 150.0, 1000.0].map(upper_slope), [0.0; 3]);
        let slopes: Vec<f64> = (-500..1500).map(|l| upper_slope(f64::from(l) / 7.0)).collect();
        assert!(slopes.windows(2).all(|s| s[0] >= s[1]));
    }

    #[test]
    fn invalid_values_of_a_v_are_clamped() {
        let got = [-3.0, f64::NAN, f64::INFINITY, 2.5].map(|a| Masking::new(a).a_v_db());
        assert_eq!(got, [0.0, 5.0, MAX_A_V_DB, 2.5]);
    }
}

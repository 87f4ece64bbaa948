//! Spatial unmasking (spatial release from masking): masking is weaker between different
//! directions.
//!
//! Measured in the free field: about 10 dB for tones among tones of the same third of an octave
//! near 600 Hz (PLoS ONE 8, 2013, PMC3602423), and 8 to 15 dB for clicks and bands of noise in
//! broadband noise (Saberi et al. 1991, "Free-field release from masking"; Gilkey & Good 1995,
//! "Effects of frequency on free-field masking"). It is smaller at high frequencies and for
//! vertically separated sources; one constant for all errs towards keeping more modes.
//!
//! The shape is a choice of this project, with half of the release at 30°:
//! `R(θ) = R_max sin²θ / (sin²θ + cos²θ / 3)` up to 90°, and R_max beyond. It is even, flat at 0°
//! and 90°, and needs only the cosine.

use glam::DVec3;

/// The release from 90° on, dB.
pub const MAX_SPATIAL_RELEASE_DB: f64 = 10.0;

/// Returns the release in dB at this angle between masker and target, seen from the listener; even
/// in the angle, 0 for NaN.
///
/// ```
/// use foley_dsp::perception::spatial_release_db;
/// let at = |degrees: f64| spatial_release_db(degrees.to_radians()).round();
/// assert_eq!([0.0, 30.0, 60.0, 90.0, 180.0].map(at), [0.0, 5.0, 9.0, 10.0, 10.0]);
/// ```
pub fn spatial_release_db(angle_rad: f64) -> f64 {
    spatial_release_from_cosine_db(angle_rad.cos())
}

/// Returns the release between two directions, unit vectors from the listener.
pub fn spatial_release_between_db(a: [f64; 3], b: [f64; 3]) -> f64 {
    spatial_release_from_cosine_db(DVec3::from(a).dot(b.into()))
}

fn spatial_release_from_cosine_db(cos: f64) -> f64 {
    if cos.is_nan() {
        return 0.0;
    }
    let cos2 = cos.clamp(0.0, 1.0).powi(2);
    MAX_SPATIAL_RELEASE_DB * (1.0 - cos2) / (1.0 - cos2 * (2.0 / 3.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn known_points() {
        assert_eq!(spatial_release_db(0.0), 0.0);
        assert!((spatial_release_db(PI / 6.0) - 0.5 * MAX_SPATIAL_RELEASE_DB).abs() < 1e-12);
        assert!((spatial_release_db(FRAC_PI_2) - MAX_SPATIAL_RELEASE_DB).abs() < 1e-12);
        assert_eq!(spatial_release_db(PI), MAX_SPATIAL_RELEASE_DB);
        assert_eq!(spatial_release_db(f64::NAN), 0.0);
        assert_eq!(spatial_release_db(f64::INFINITY), 0.0);
    }

    #[test]
    fn even_monotone_and_smooth() {
        let step = PI / 10_000.0;
        let r: Vec<f64> = (0..=10_000).map(|i| spatial_release_db(f64::from(i) * step)).collect();
        assert!(r.windows(2).all(|r| r[1] >= r[0] - 1e-12));
        // No corner: the second derivative is about 60 dB/rad².
        assert!(r.windows(3).all(|r| (r[2] - 2.0 * r[1] + r[0]).abs() < 100.0 * step * step));
        for i in 0..=10_000 {
            let angle = f64::from(i) * step;
            assert_eq!(spatial_release_db(angle), spatial_release_db(-angle));
        }
    }

    #[test]
    fn directions_and_angles_agree() {
        for degrees in 0..=360 {
            let angle = f64::from(degrees).to_radians();
            let there = [angle.cos(), 0.6 * angle.sin(), 0.8 * angle.sin()];
            let got = spatial_release_between_db([1.0, 0.0, 0.0], there);
            assert!((got - spatial_release_db(angle)).abs() < 1e-9, "{degrees}°");
            assert_eq!(got, spatial_release_between_db(there, [1.0, 0.0, 0.0]));
            assert!(spatial_release_between_db(there, there) < 1e-12);
        }
    }
}

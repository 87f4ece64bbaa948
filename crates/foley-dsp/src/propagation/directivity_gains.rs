//! How much louder an object is in one direction than in the mean, in the bands of the equaliser.

use super::equalizer::{BANDS, FIRST_BAND_HZ};
use crate::model::{BANDS_PER_OCTAVE, Directivity};
use glam::DVec3;

/// Least power in a direction, relative to the mean, −24 dB. In the plane of a thin plate the far pressure vanishes, but what is heard
/// comes from directions up to the width of the head apart: at 2 m that is 5°, over which cos² has this mean.
pub const LEAST_POWER: f64 = 0.004;

/// Returns the power of each band in a direction, in the object's coordinates, relative to the mean over all directions. Beyond the
/// bands of the object it is that of its nearest one; in no direction, within the object, it is 1.
pub fn directivity_gains(directivity: &Directivity, direction: DVec3) -> [f64; BANDS] {
    if !(direction.length() > 1e-9) {
        return [1.0; BANDS];
    }
    let mut gains = [1.0; BANDS];
    // The bands of the object are offset against those of the equaliser: its place n is band n − offset of the object.
    let offset = BANDS_PER_OCTAVE * (directivity.first_hz() / FIRST_BAND_HZ).log2();
    let mut last: Option<(f64, f64)> = None;
    let first_after = |place: f64| place.max(0.0).ceil() as usize;
    for (band, power) in directivity.toward(direction.to_array(), LEAST_POWER).enumerate() {
        let (place, ln) = (band as f64 + offset, power.ln());
        let (from, from_ln) = last.unwrap_or((f64::NEG_INFINITY, ln));
        let begin = if from.is_finite() { first_after(from) } else { 0 };
        let between = gains.iter_mut().enumerate().take(first_after(place)).skip(begin);
        for (n, gain) in between {
            let part = if from.is_finite() { (n as f64 - from) / (place - from) } else { 0.0 };
            *gain = (from_ln + part * (ln - from_ln)).exp();
        }
        last = Some((place, ln));
    }
    if let Some((place, ln)) = last {
        gains.iter_mut().skip(first_after(place)).for_each(|gain| *gain = ln.exp());
    }
    gains
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bands of pure dipoles and of nothing, which alternate, half a band off those of the equaliser.
    #[test]
    fn bands_are_interpolated_and_go_on_beyond_their_ends() {
        let (mut flat, mut dipole) = (vec![0.0; 9], vec![0.0; 9]);
        flat[0] = 1.0;
        (dipole[0], dipole[6]) = (1.0, 2.0 / 5f32.sqrt());
        let first_hz = FIRST_BAND_HZ * (4.5 / 3.0f64).exp2();
        let all = [dipole.clone(), flat, dipole].concat();
        let directivity = Directivity::new(first_hz, 2, all).unwrap();
        let front = directivity_gains(&directivity, DVec3::Z);
        let half = 3f64.sqrt();
        for (n, gain) in front.into_iter().enumerate() {
            let want = if n == 5 || n == 6 { half } else { 3.0 };
            assert!((gain - want).abs() < 1e-5, "{n}: {gain} {want}");
        }
        let edge = directivity_gains(&directivity, DVec3::X);
        assert!((edge[0] - LEAST_POWER).abs() < 1e-9 && edge[5] > LEAST_POWER);
        assert_eq!(directivity_gains(&directivity, DVec3::ZERO), [1.0; BANDS]);
        // Far below and far above the bands of the equaliser.
        for factor in [1e-3, 1e3] {
            let far = directivity_gains(&directivity.clone().with_pitch(factor), DVec3::Z);
            assert!(far.iter().all(|gain| (gain - 3.0).abs() < 1e-5));
        }
    }
}

//! Directivity of an object in bands: that of its modes, weighted by the energy that each radiates.
//!
//! Modes have frequencies of their own, so their mean-square pressures add. A mode between the centres of two bands counts for both,
//! in proportion to how near it is on a logarithmic axis: then interpolation between the bands gives each lone mode with
//! its own directivity. Bands without modes are interpolated.

use foley_dsp::model::{BANDS_PER_OCTAVE, Directivity, ModalModel};
use foley_waves::Directivity as ModeDirectivity;

/// A band is centred on this, Hz.
const CENTER_HZ: f64 = 1000.0;
/// Most bands.
const MOST_BANDS: usize = 64;
/// Coefficients that move no level by 0.01 dB are left out.
const SMALLEST: f64 = 1e-3;

/// Returns the directivity of modes with their frequencies and the energies they radiate, in any unit. `None` where all
/// radiate alike in all directions.
pub fn in_bands(
    frequencies_hz: &[f64],
    modes: &[ModeDirectivity],
    energies: &[f64],
) -> Option<Directivity> {
    let is_directed = |c: &f64| c.abs() > SMALLEST;
    let last_directed = |mode: &ModeDirectivity| mode.0.iter().rposition(is_directed);
    let count = modes.iter().filter_map(last_directed).max().filter(|last| *last > 0)? + 1;
    let degree = (count as f64).sqrt().ceil() as usize - 1;
    let each = (degree + 1) * (degree + 1);

    let place = |f: &f64| BANDS_PER_OCTAVE * (f / CENTER_HZ).log2();
    let (low, high) = frequencies_hz
        .iter()
        .map(place)
        .fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let last = high.ceil();
    let first = low.floor().max(last + 1.0 - MOST_BANDS as f64);
    let bands = (last - first) as usize + 1;
    let (mut sums, mut weights) = (vec![0.0; bands * each], vec![0.0; bands]);
    for ((f, mode), energy) in frequencies_hz.iter().zip(modes).zip(energies) {
        let at = (place(f) - first).max(0.0);
        let below = (at as usize).min(bands - 1);
        let part = at - below as f64;
        for (band, share) in [(below, 1.0 - part), (below + 1, part)] {
            let weight = share * energy;
            if band < bands && weight > 0.0 {
                weights[band] += weight;
                let sum = sums[band * each..][..each].iter_mut();
                sum.zip(&mode.0).for_each(|(sum, c)| *sum += weight * c);
            }
        }
    }
    let filled: Vec<usize> = (0..bands).filter(|band| weights[*band] > 0.0).collect();
    let mean = |band: usize, i: usize| sums[band * each + i] / weights[band];
    let coefficient = |band: usize, i: usize| {
        let after = filled.partition_point(|b| *b < band);
        let (before, next) = (filled[after.saturating_sub(1)], filled[after.min(filled.len() - 1)]);
        let part = match next > before && band > before {
            true => ((band - before) as f64 / (next - before) as f64).min(1.0),
            false => 0.0,
        };
        let (a, b) = (mean(before, i), mean(next, i));
        if band >= next && after < filled.len() { b } else { a + part * (b - a) }
    };
    if filled.is_empty() {
        return None;
    }
    let coefficients: Vec<f32> = (0..bands * each)
        .map(|n| if n % each == 0 { 1.0 } else { coefficient(n / each, n % each) as f32 })
        .collect();
    let first_hz = CENTER_HZ * (first / BANDS_PER_OCTAVE).exp2();
    // The numbers are those of positive functions: they are always valid.
    Directivity::new(first_hz, degree, coefficients).ok()
}

/// Returns the energy that each mode of a model radiates after an impulse, in the mean over all surface points and up to a
/// common factor: ∫ a² e^{−2dt} dt.
pub fn radiated_energies(model: &ModalModel) -> Vec<f64> {
    let gains = model.rms_gains();
    gains
        .iter()
        .zip(&model.decays)
        .map(|(a, d)| f64::from(*a).powi(2) / (2.0 * d).max(1e-9))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn along(z: f64) -> ModeDirectivity {
        ModeDirectivity::of(12, |d| if d[2] * z > 0.0 { d[2] * d[2] } else { 0.0 })
    }

    #[test]
    fn bands_have_the_directivity_of_their_modes() {
        let modes = [along(1.0), along(-1.0), along(1.0)];
        let frequencies = [1000.0, 1000.0 * 2f64.powf(0.5 / 3.0), 4000.0];
        let found = in_bands(&frequencies, &modes, &[3.0, 2.0, 1.0]).unwrap();
        assert_eq!((found.first_hz(), found.bands()), (1000.0, 7));
        let up: Vec<f64> = found.toward([0.0, 0.0, 1.0], 0.0).collect();
        let full = modes[0].at([0.0, 0.0, 1.0]);
        let none = modes[0].at([0.0, 0.0, -1.0]);
        // 3 of 4 parts; the mode in the middle alone; interpolated.
        for (band, share) in [(0, 0.75), (1, 0.0), (2, 0.2), (5, 0.8), (6, 1.0)] {
            let want = share * full + (1.0 - share) * none;
            assert!((up[band] - want.max(0.0)).abs() < 1e-3, "{band}: {} {want}", up[band]);
        }
    }

    #[test]
    fn what_radiates_alike_in_all_directions_has_none() {
        let modes = [ModeDirectivity::omnidirectional(), ModeDirectivity::of(12, |_| 7.0)];
        assert_eq!(in_bands(&[100.0, 200.0], &modes, &[1.0, 1.0]), None);
        assert_eq!(in_bands(&[100.0], &[along(1.0)], &[0.0]), None);
        assert_eq!(in_bands(&[], &[], &[]), None);
    }
}

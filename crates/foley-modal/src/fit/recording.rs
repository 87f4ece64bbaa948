//! Recorded strikes: validation, onset and clipping.

use super::{FitError, Options};

/// Shortest recording after the onset, s.
pub(super) const SHORTEST_S: f64 = 0.04;
/// Most samples, all recordings together.
pub const MOST_SAMPLES: usize = 1 << 24;
/// The clipped part is skipped if this much follows it, s.
const ENOUGH_S: f64 = 0.2;
const MOST_RECORDINGS: usize = 256;

/// One recorded strike.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// One channel, in any scale.
    pub samples: Vec<f32>,
    /// Samples per second.
    pub sample_rate_hz: f64,
}

/// Checks samples, sample rates and the number of places.
pub(super) fn check(recordings: &[Recording], options: &Options) -> Result<(), FitError> {
    let first = recordings.first().ok_or(FitError::NoRecordings)?;
    let too_much = |what, found, limit| match found > limit {
        true => Err(FitError::TooMuch { what, found, limit }),
        false => Ok(()),
    };
    too_much("recordings", recordings.len(), MOST_RECORDINGS)?;
    too_much("samples", recordings.iter().map(|r| r.samples.len()).sum(), MOST_SAMPLES)?;
    if !options.places.is_empty() && options.places.len() != recordings.len() {
        let (places, recordings) = (options.places.len(), recordings.len());
        return Err(FitError::Places { places, recordings });
    }
    for (recording, r) in recordings.iter().enumerate() {
        let rate_hz = r.sample_rate_hz;
        if !(2000.0..=2e6).contains(&rate_hz) {
            let must = "it must be between 2 kHz and 2 MHz".into();
            return Err(FitError::SampleRate { recording, rate_hz, must });
        }
        if rate_hz != first.sample_rate_hz {
            let must = format!("the first has {}; convert one of them", first.sample_rate_hz);
            return Err(FitError::SampleRate { recording, rate_hz, must });
        }
        if let Some(sample) = r.samples.iter().position(|y| !(y.abs() <= 1e9)) {
            return Err(FitError::Sample { recording, sample, value: r.samples[sample] });
        }
        let moves = r.samples.iter().any(|y| *y != r.samples[0]);
        if !moves {
            return Err(FitError::Silent { recording });
        }
    }
    Ok(())
}

/// Returns the samples without their mean.
pub(super) fn centred(samples: &[f32]) -> Vec<f64> {
    let mean = samples.iter().map(|y| f64::from(*y)).sum::<f64>() / samples.len() as f64;
    samples.iter().map(|y| f64::from(*y) - mean).collect()
}

/// Returns the sample at which the strike begins: the first above the preceding noise that is
/// directly followed by the loudest part of the recording.
pub(super) fn onset(y: &[f64], rate_hz: f64) -> usize {
    let block = ((0.002 * rate_hz) as usize).clamp(1, y.len());
    let power = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>() / part.len() as f64;
    let powers: Vec<f64> = y.chunks_exact(block).map(power).collect();
    let loudest = powers.iter().copied().fold(0.0, f64::max);
    // The first block within 10 dB of the loudest belongs to the strike; up to five blocks
    // before it may be its attack, earlier ones are noise.
    let Some(within) = powers.iter().position(|p| *p >= 0.1 * loudest) else { return 0 };
    let start = within.saturating_sub(5) * block;
    let noise = if start > 0 { power(&y[..start]).sqrt() } else { 0.0 };
    let peak = y.iter().fold(0.0f64, |p, v| p.max(v.abs()));
    let threshold = (6.0 * noise).max(1e-3 * peak).min(0.5 * peak);
    y[start..].iter().position(|v| v.abs() > threshold).map_or(0, |i| start + i)
}

/// Clipped samples of a recording.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Clipped {
    /// Number of clipped samples.
    pub(super) samples: usize,
    /// The first sample after all of them; 0 when there are none.
    pub(super) end: usize,
}

/// Returns the start of the fit: the onset, or the end of clipping if enough follows it.
pub(super) fn start(onset: usize, clipped_end: usize, length: usize, rate_hz: f64) -> usize {
    let start = onset.max(clipped_end);
    if (length - start) as f64 >= ENOUGH_S * rate_hz { start } else { onset }
}

/// Finds samples at the highest or the lowest value, three or more in a row. Integers reach one
/// step further down than up, so each side has its own extreme.
pub(super) fn clipped(samples: &[f32]) -> Clipped {
    let (low, high) =
        samples.iter().fold((0.0f32, 0.0f32), |(low, high), y| (low.min(*y), high.max(*y)));
    // A side that stays below 90 % of full scale is not clipped.
    let near = 0.9 * high.max(-low);
    let (mut count, mut end, mut run) = (0, 0, 0);
    for (i, &y) in samples.iter().enumerate() {
        if !(y.abs() >= near && (y == high || y == low)) {
            run = 0;
            continue;
        }
        // The last clipped waves may touch full scale for fewer than three samples.
        end = i + 1;
        run = if i > 0 && samples[i - 1] == y { run + 1 } else { 1 };
        count += match run {
            0..3 => 0,
            3 => 3,
            _ => 1,
        };
    }
    if count > 0 { Clipped { samples: count, end } } else { Clipped::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::rng::SplitMix64;

    #[test]
    fn the_onset_is_found_behind_noise_and_a_click() {
        let rate = 48_000.0;
        let mut y = vec![0.0; 24_000];
        let mut rng = SplitMix64::new(1);
        for (i, v) in y.iter_mut().enumerate() {
            *v = 1e-3 * (rng.unit() - 0.5);
            if let Some(t) = i.checked_sub(9600) {
                let t = t as f64 / rate;
                *v += (-20.0 * t).exp() * (2.0 * std::f64::consts::PI * 300.0 * t).sin();
            }
        }
        y[3000] = 0.02;
        let found = onset(&y, rate);
        assert!((9600..9603).contains(&found), "{found}");
    }

    #[test]
    fn flat_tops_are_clipping_and_single_peaks_are_not() {
        let found =
            clipped(&[0.1, 0.99, 0.99, 0.99, -0.98, 0.3, -1.0, -1.0, -1.0, -1.0, 0.99, 0.0]);
        assert_eq!(found, Clipped { samples: 7, end: 11 });
        assert_eq!(clipped(&[0.1, 1.0, -0.2, 1.0, 1.0, 0.3]), Clipped::default());
        // The quiet side of a lopsided sound may be flat.
        assert_eq!(clipped(&[0.0, 1.0, -0.1, -0.1, -0.1, 0.5]), Clipped::default());
    }
}

//! Checks that a rendered impulse response contains every resonator.

use anyhow::{Context, Result, bail};
use realfft::RealFftPlanner;

/// Least power ratio of a peak to the valleys beside it (6 dB).
const PEAK_TO_VALLEY: f32 = 4.0;

/// Checks that the spectrum of an impulse response peaks at each of the evenly spaced
/// frequencies and falls between them.
pub(crate) fn check(samples: &[f32], sample_rate: u32, frequencies_hz: &[f64]) -> Result<()> {
    let length = samples.len().max(1 << 16).next_power_of_two();
    let fft = RealFftPlanner::<f32>::new().plan_fft_forward(length);
    let (mut input, mut output) = (fft.make_input_vec(), fft.make_output_vec());
    input[..samples.len()].copy_from_slice(samples);
    fft.process(&mut input, &mut output).context("the Fourier transform failed")?;

    let hz_per_bin = f64::from(sample_rate) / length as f64;
    let step = match frequencies_hz {
        [first, second, ..] => second - first,
        _ => 200.0,
    };
    // The highest power within a few bins: a peak need not fall on one.
    let power = |f: f64| {
        let bin = (f / hz_per_bin).round() as usize;
        let near = output.iter().take(bin + 3).skip(bin.saturating_sub(2));
        near.map(|c| c.norm_sqr()).fold(0.0, f32::max)
    };
    let missing = frequencies_hz
        .iter()
        .filter(|f| {
            let valley = power(*f - 0.5 * step).max(power(*f + 0.5 * step));
            power(**f).is_nan() || power(**f) <= PEAK_TO_VALLEY * valley
        })
        .count();
    if missing > 0 {
        bail!("{missing} of {} resonators are not in the sound", frequencies_hz.len());
    }
    Ok(())
}

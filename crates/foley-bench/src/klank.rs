//! SuperCollider's `Klank`, the reference resonator bank: how many modes it runs in real time on this
//! machine.
//!
//! `scsynth` renders a `Klank` of N resonators, driven by noise, faster than real time;
//! its processor time minus that of the noise alone is the resonators'.

mod synthdef;
mod osc_score;
mod scsynth;
mod verify;

use anyhow::{Result, bail};

use scsynth::Scsynth;
use synthdef::{Input, Unit};

/// Sample rate, Hz.
pub(crate) const SAMPLE_RATE: u32 = 48_000;
/// Most resonators that the check of the spectrum can separate.
const MOST_MODES: usize = 2000;
/// Number of runs; the fastest counts.
const REPEATS: usize = 5;
/// Time in which a resonator falls by 60 dB, s.
const RING_S: f32 = 2.0;

/// Returns the number of resonators that one core runs in real time, measured on a bank of `modes` over
/// `seconds` of sound, after checking that each of them sounds; `None` where SuperCollider's server is
/// not installed.
pub(crate) fn modes_in_real_time(modes: usize, seconds: f64) -> Result<Option<f64>> {
    if !(1..=MOST_MODES).contains(&modes) {
        bail!("{modes} resonators cannot be compared; choose 1 to {MOST_MODES}");
    }
    if !(0.1..=600.0).contains(&seconds) {
        bail!("{seconds} s cannot be measured; choose 0.1 to 600 s");
    }
    let Some(scsynth) = Scsynth::find()? else { return Ok(None) };

    let impulse_response = scsynth.render(&bank(modes, impulse()), 2.0 * f64::from(RING_S))?;
    verify::check(&impulse_response.samples, SAMPLE_RATE, &frequencies(modes))?;

    // Alternating, so that other load of the machine falls on both.
    let (mut baseline_s, mut total_s) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..REPEATS {
        baseline_s = baseline_s.min(time(&scsynth, &[noise(), out(0)], seconds)?);
        total_s = total_s.min(time(&scsynth, &bank(modes, noise()), seconds)?);
    }
    let cpu_s = total_s - baseline_s;
    if cpu_s < baseline_s.max(0.05) {
        bail!(
            "{modes} resonators over {seconds} s take too little time to be measured; increase either"
        );
    }
    Ok(Some(modes as f64 * seconds / cpu_s))
}

/// Returns the processor time of rendering a synth, s; silence is an error.
fn time(scsynth: &Scsynth, units: &[Unit], seconds: f64) -> Result<f64> {
    let run = scsynth.render(units, seconds)?;
    let silent = run.samples.iter().all(|y| *y == 0.0);
    if silent || run.samples.iter().any(|y| !y.is_finite()) {
        bail!("scsynth rendered no sound");
    }
    Ok(run.cpu_seconds)
}

/// Returns the resonators' frequencies, Hz, evenly spaced over hearing.
fn frequencies(modes: usize) -> Vec<f64> {
    let step = 19_000.0 / modes as f64;
    (0..modes).map(|n| 100.0 + (n as f64 + 0.5) * step).collect()
}

/// Returns a driven bank: `Klank` takes its input, a factor and an offset of all frequencies, a
/// factor of all ring times, then frequency, amplitude and ring time of each resonator.
fn bank(modes: usize, driver: Unit) -> Vec<Unit> {
    let head = [Input::Unit(0), Input::Constant(1.0), Input::Constant(0.0), Input::Constant(1.0)];
    let resonators =
        frequencies(modes).into_iter().flat_map(|f| [f as f32, 1.0, RING_S]).map(Input::Constant);
    let inputs = head.into_iter().chain(resonators).collect();
    vec![driver, Unit { class: "Klank", inputs, outputs: 1 }, out(1)]
}

fn noise() -> Unit {
    Unit { class: "WhiteNoise", inputs: vec![], outputs: 1 }
}

/// Returns one impulse at the start: frequency 0, phase 0.
fn impulse() -> Unit {
    Unit { class: "Impulse", inputs: vec![Input::Constant(0.0); 2], outputs: 1 }
}

/// Sends a unit's output to the first channel.
fn out(from: usize) -> Unit {
    Unit { class: "Out", inputs: vec![Input::Constant(0.0), Input::Unit(from)], outputs: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Passes where the server is not installed.
    #[test]
    fn klank_is_measured_where_it_is_installed() {
        if let Some(modes) = modes_in_real_time(1000, 3.0).unwrap() {
            assert!((100.0..1e6).contains(&modes), "{modes}");
        }
    }

    #[test]
    fn a_missing_resonator_is_noticed() {
        let Some(scsynth) = Scsynth::find().unwrap() else { return };
        let render = |units: &[Unit]| scsynth.render(units, 4.0).unwrap().samples;
        let mut units = bank(100, impulse());
        let all = render(&units);
        assert!(all.len().abs_diff(4 * SAMPLE_RATE as usize) <= 64, "{}", all.len());
        verify::check(&all, SAMPLE_RATE, &frequencies(100)).unwrap();
        units[1].inputs.drain(4 + 3 * 50..4 + 3 * 51);
        let error = verify::check(&render(&units), SAMPLE_RATE, &frequencies(100)).unwrap_err();
        assert!(error.to_string().contains("1 of 100 resonators"), "{error}");
    }

    #[test]
    fn impossible_measurements_are_refused() {
        for (modes, seconds) in [(0, 1.0), (1_000_000, 1.0), (10, f64::NAN), (10, 1e9)] {
            assert!(modes_in_real_time(modes, seconds).is_err(), "{modes} {seconds}");
        }
    }
}

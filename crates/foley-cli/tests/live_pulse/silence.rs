//! Silence in a recording.

use std::ops::Range;

pub(crate) const RATE_HZ: f64 = 48_000.0;

/// Shortest gap that counts, s: that of the command.
const SHORTEST_GAP_S: f64 = 0.003;

/// Of the peak: 60 dB below it.
const INAUDIBLE: f32 = 1e-3;

/// Sound before a gap that is looked at: 0.25 ms. The click of a die, after which it is silent, is longer.
const BEFORE_FRAMES: usize = 12;

fn is_silent(frame: &[f32; 2]) -> bool {
    *frame == [0.0; 2]
}

/// Returns the frames from the first to the last that is not silent.
pub(crate) fn sounding(frames: &[[f32; 2]]) -> Range<usize> {
    let begin = frames.iter().position(|frame| !is_silent(frame)).unwrap_or(0);
    let end = frames.iter().rposition(|frame| !is_silent(frame)).map_or(0, |last| last + 1);
    begin..end.max(begin)
}

/// Returns the lengths of silence within a sound, s.
pub(crate) fn gaps(frames: &[[f32; 2]]) -> Vec<f64> {
    let sound = &frames[sounding(frames)];
    let runs = sound.chunk_by(|a, b| is_silent(a) == is_silent(b));
    let silent = runs.filter(|run| run.first().is_some_and(is_silent));
    silent.map(|run| run.len() as f64 / RATE_HZ).filter(|s| *s >= SHORTEST_GAP_S).collect()
}

/// Returns the lengths of silence that cuts audible sound off, s. What decays until it is inaudible is not
/// computed any more by live playing, and ends in silence, too.
pub(crate) fn audible_gaps(frames: &[[f32; 2]]) -> Vec<f64> {
    let peak =
        |frames: &[[f32; 2]]| frames.iter().flatten().fold(0f32, |peak, y| peak.max(y.abs()));
    let sound = &frames[sounding(frames)];
    let audible = INAUDIBLE * peak(sound);
    let (mut at, mut gaps) = (0, Vec::new());
    for run in sound.chunk_by(|a, b| is_silent(a) == is_silent(b)) {
        let before = &sound[at.max(BEFORE_FRAMES) - BEFORE_FRAMES..at];
        let length_s = run.len() as f64 / RATE_HZ;
        let is_gap = run.first().is_some_and(is_silent) && length_s >= SHORTEST_GAP_S;
        if is_gap && peak(before) > audible {
            gaps.push(length_s);
        }
        at += run.len();
    }
    gaps
}

pub(crate) fn total_s(gaps: &[f64]) -> f64 {
    gaps.iter().sum()
}

#[test]
fn silence_is_measured_between_sounds() {
    let mut frames = vec![[0.0; 2]; 1_000];
    frames.extend([[0.1, 0.0]; 1_000]);
    frames.extend([[0.0; 2]; 480]);
    frames.extend([[0.0, 0.1]; 100]);
    frames.extend([[0.0; 2]; 100]);
    frames.extend([[0.0, 0.1]; 100]);
    frames.extend([[0.0; 2]; 1_000]);
    assert_eq!(sounding(&frames), 1_000..2_780);
    assert_eq!(gaps(&frames), [0.01]);
    assert_eq!(audible_gaps(&frames), [0.01]);
    frames[1_001..2_000].fill([1e-5, 0.0]);
    assert_eq!((gaps(&frames), audible_gaps(&frames)), (vec![0.01], Vec::new()));
}

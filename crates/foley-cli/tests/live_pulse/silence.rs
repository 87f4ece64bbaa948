//! Silence in a recording.

use std::ops::Range;

pub(crate) const RATE_HZ: f64 = 48_000.0;

/// Shortest gap that counts, s: that of the command.
const SHORTEST_GAP_S: f64 = 0.003;

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
}

//! Waveform: the range of samples in each pixel column.

use crate::picture::color::{GRID, PANEL, WAVE};
use crate::picture::{Picture, Shape};

/// Draws a waveform into a frame (left, top, width, height); `peak` fills its height.
pub(crate) fn draw(picture: &mut Picture, frame: [f32; 4], samples: &[f32], peak: f32) {
    let [left, top, width, height] = frame;
    picture.add(Shape::Rect(frame, PANEL));
    let middle = top + 0.5 * height;
    picture.line((left, middle), (left + width, middle), 1.0, GRID);
    let scale = if peak > 0.0 { 0.46 * height / peak } else { 0.0 };
    let columns = width as usize;
    if samples.len() <= columns {
        let step = width / samples.len().max(1) as f32;
        let place = |(i, y): (usize, &f32)| (left + (i as f32 + 0.5) * step, middle - scale * y);
        let points: Vec<(f32, f32)> = samples.iter().enumerate().map(place).collect();
        if let [only] = points[..] {
            picture.add(Shape::Disc(only, 3.0, WAVE));
        }
        picture.add(Shape::Line(points, 1.6, WAVE));
        return;
    }
    let ranges = ranges(samples, columns);
    let edge = |i: usize, y: f32, room: f32| (left + i as f32 + 0.5, middle - scale * y + room);
    // Half a pixel on either side keeps quiet parts visible as a line.
    let over = ranges.iter().enumerate().map(|(i, r)| edge(i, r.1, -0.6));
    let under = ranges.iter().enumerate().rev().map(|(i, r)| edge(i, r.0, 0.6));
    picture.add(Shape::Polygon(over.chain(under).collect(), WAVE));
}

/// Returns the lowest and highest sample in each of `columns` equal parts of a sound.
fn ranges(samples: &[f32], columns: usize) -> Vec<(f32, f32)> {
    (0..columns)
        .map(|c| &samples[c * samples.len() / columns..(c + 1) * samples.len() / columns])
        .map(|part| part.iter().fold((0.0, 0.0), |(low, high), &y| (y.min(low), y.max(high))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_peak_is_lost() {
        let mut samples = vec![0.0; 9999];
        (samples[0], samples[5000], samples[9998]) = (0.1, -0.5, 0.9);
        let ranges = ranges(&samples, 70);
        let lowest = ranges.iter().map(|r| r.0).fold(0.0, f32::min);
        assert_eq!((ranges[0].1, lowest, ranges[69].1), (0.1, -0.5, 0.9));
    }
}

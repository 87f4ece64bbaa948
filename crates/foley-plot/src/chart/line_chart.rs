//! Line chart: one quantity over another, several series in one panel.

use anyhow::Result;

use crate::data::mode_data::HEARING_HZ;
use crate::layout::axis::{Scale, Tick, short_number, short_number_with};
use crate::layout::curve::{self, Mark, Pen};
use crate::layout::legend::{Entry, Legend};
use crate::layout::panel::{NAMES, Panel, heading};
use crate::picture::Picture;
use crate::picture::color::{Color, SERIES};
use crate::picture::font::Face;

const WIDTH: u32 = 1600;
const LEFT: f32 = 120.0;
/// Left, top (under the heading), width and height of the panel, without a legend.
const FRAME: [f32; 4] = [LEFT, 128.0, 1420.0, 680.0];
/// Space under the panel, pixels.
const FOOT: f32 = 96.0;

/// A line chart.
#[derive(Debug, Clone)]
pub struct LineChart {
    /// Title.
    pub title: String,
    /// A line of facts under the title; may be empty.
    pub facts: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Series in drawing order.
    pub series: Vec<Series>,
}

/// One line of a chart.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points (x, y) in the order of the line; those that are not finite, or not
    /// positive on a log axis, are left out and break the line.
    pub points: Vec<(f64, f64)>,
    /// Whether points have marks; each series has its own shape.
    pub markers: bool,
    /// Colour; the next one of [`SERIES`] by default.
    pub color: Option<Color>,
    /// Whether the line is dashed.
    pub dashed: bool,
}

/// An axis of a line chart.
#[derive(Debug, Clone)]
pub struct Axis {
    name: String,
    spread: Spread,
    ends: Option<(f64, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spread {
    Linear,
    Log,
    Bark,
}

impl Axis {
    /// Makes a linear axis that contains the data; its name states quantity and unit: `Time (s)`.
    pub fn linear(name: impl Into<String>) -> Self {
        Self { name: name.into(), spread: Spread::Linear, ends: None }
    }

    /// Makes a logarithmic axis that contains the data.
    pub fn log(name: impl Into<String>) -> Self {
        Self { spread: Spread::Log, ..Self::linear(name) }
    }

    /// Makes an axis of the range of hearing, Hz, on the Bark scale.
    pub fn hearing(name: impl Into<String>) -> Self {
        Self { name: name.into(), spread: Spread::Bark, ends: Some(HEARING_HZ) }
    }

    /// Returns the axis with fixed ends `low` and `high`: data outside is clipped.
    /// Invalid ends are ignored.
    pub fn between(self, low: f64, high: f64) -> Self {
        let numbers =
            usable(low) && usable(high) && (self.spread == Spread::Linear || low >= 1e-150);
        let wide = high - low > 1e-9 * low.abs().max(high.abs());
        Self { ends: (numbers && wide).then_some((low, high)), ..self }
    }

    fn scale(&self, values: impl Iterator<Item = f64>) -> Scale {
        match (self.spread, self.ends) {
            (Spread::Linear, Some((low, high))) => Scale::Linear(low, high),
            (Spread::Linear, None) => linear_around(values),
            (Spread::Log, Some((low, high))) => Scale::Log(low, high),
            (Spread::Log, None) => Scale::log_around(values, (1e-150, 1e150), 4.0),
            (Spread::Bark, ends) => {
                let (low, high) = ends.unwrap_or(HEARING_HZ);
                Scale::Bark(low, high)
            }
        }
    }
}

/// Largest value of an axis that does not overflow.
fn usable(value: f64) -> bool {
    value.abs() <= 1e150
}

/// Returns a linear scale that contains all `values` with a margin; data without negative numbers
/// gets no margin below zero.
pub(crate) fn linear_around(values: impl Iterator<Item = f64>) -> Scale {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for v in values.filter(|v| usable(*v)) {
        (low, high) = (low.min(v), high.max(v));
    }
    if low > high {
        return Scale::Linear(0.0, 1.0);
    }
    let size = low.abs().max(high.abs());
    let room = match high - low {
        span if span > 1e-9 * size => 0.04 * span,
        _ if size > 0.0 => 0.1 * size,
        _ => 1.0,
    };
    let floor = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    Scale::Linear((low - room).max(floor), high + room)
}

/// Returns ticks with distinct labels: on an axis from 1000 to 1010, 1.005k and not 1k.
pub(crate) fn ticks(scale: Scale, count: usize) -> Vec<Tick> {
    let mut ticks = scale.ticks(count, short_number);
    if let (Scale::Linear(low, high), [first, second, ..]) = (scale, &ticks[..]) {
        let step = second.value - first.value;
        let power = |v: f64| v.log10().floor() as i32;
        let places = power(low.abs().max(high.abs())) - power(1.001 * step) + 1;
        for tick in &mut ticks {
            tick.label = Some(short_number_with(tick.value, places.clamp(3, 12)));
        }
    }
    ticks
}

/// Draws a line chart.
pub(crate) fn picture(lines: &LineChart) -> Result<Picture> {
    const MARKS: [Mark; 4] = [Mark::Disc, Mark::Square, Mark::Triangle, Mark::Diamond];
    let looks: Vec<(Pen, Option<Mark>)> = lines
        .series
        .iter()
        .enumerate()
        .map(|(i, series)| {
            let color = series.color.unwrap_or(SERIES[i % SERIES.len()]);
            let pen = Pen { color, width: 2.6, dashed: series.dashed };
            (pen, series.markers.then_some(MARKS[i % MARKS.len()]))
        })
        .collect();
    let entries = lines.series.iter().zip(&looks).filter(|(series, _)| !series.name.is_empty());
    let entries = entries.map(|(series, (pen, mark))| Entry {
        name: series.name.clone(),
        pen: Some(*pen),
        mark: mark.map(|mark| (mark, 6.0, pen.color)),
    });
    let legend = Legend::new(entries.collect(), FRAME[2])?;

    let points = || lines.series.iter().flat_map(|series| &series.points);
    let [left, above, width, height] = FRAME;
    // Without facts, everything below moves up.
    let above = if lines.facts.is_empty() { above - 28.0 } else { above };
    let panel = Panel {
        frame: [left, above + legend.height(), width, height],
        x: lines.x.scale(points().map(|p| p.0)),
        y: lines.y.scale(points().map(|p| p.1)),
    };
    let mut picture = Picture::new(WIDTH, (panel.bottom() + FOOT) as u32);
    let (x_ticks, y_ticks) = (ticks(panel.x, 12), ticks(panel.y, 9));
    panel.ground(&mut picture, &x_ticks, &y_ticks);
    for (series, (pen, _)) in lines.series.iter().zip(&looks) {
        curve::line(&mut picture, &panel, &series.points, *pen);
    }
    // All lines first: marks stay on top.
    for (series, (pen, mark)) in lines.series.iter().zip(&looks) {
        if let Some(mark) = mark {
            curve::marks(&mut picture, &panel, &series.points, (*mark, 6.0), pen.color);
        }
    }
    let face = Face::new(false)?;
    panel.name_x(&mut picture, &x_ticks, &face.fitted(&lines.x.name, NAMES, width));
    panel.name_y(&mut picture, &y_ticks, &face.fitted(&lines.y.name, NAMES, height));
    legend.draw(&mut picture, (left, above - 10.0));
    heading(&mut picture, LEFT, &lines.title, &lines.facts)?;
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        ticks(scale, 6).into_iter().filter_map(|t| t.label).collect()
    }

    #[test]
    fn labels_tell_ticks_apart() {
        assert_eq!(labels(Scale::Linear(1000.0, 1010.0))[..3], ["1k", "1.002k", "1.004k"]);
        assert_eq!(labels(Scale::Linear(0.0, 5.0)), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(labels(Scale::Linear(100.0, 102.0))[..3], ["100", "100.5", "101"]);
        assert_eq!(labels(Scale::Log(0.5, 100.0)), ["1", "10", "100"]);
    }

    #[test]
    fn axes_hold_their_data_or_what_was_asked_for() {
        let linear = |values: &[f64]| Axis::linear("").scale(values.iter().copied());
        assert_eq!(linear(&[0.0, 100.0, f64::NAN]), Scale::Linear(0.0, 104.0));
        assert_eq!(linear(&[]), Scale::Linear(0.0, 1.0));
        assert_eq!(linear(&[f64::INFINITY]), Scale::Linear(0.0, 1.0));
        assert_eq!(linear(&[0.0]), Scale::Linear(0.0, 1.0));
        assert_eq!(linear(&[-50.0]), Scale::Linear(-55.0, -45.0));
        let (low, high) = linear(&[-1e150, 1e150, 1e300]).ends();
        assert!(low < -1e150 && high > 1e150 && high < 2e150);
        let fixed = Axis::log("").between(0.5, 100.0);
        assert_eq!(fixed.scale([7.0].into_iter()), Scale::Log(0.5, 100.0));
        for (low, high) in [(0.0, 1.0), (2.0, 1.0), (1.0, 1.0), (f64::NAN, 1.0)] {
            let axis = Axis::log("").between(low, high);
            let (low, high) = axis.scale([7.0].into_iter()).ends();
            assert!(low < 7.0 && high > 7.0 && high / low > 3.9);
        }
    }
}

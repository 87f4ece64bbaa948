//! Time chart: several quantities over the same time, one above the other.

use anyhow::Result;

use crate::chart::line_chart::{Series, linear_around, ticks};
use crate::layout::axis::Scale;
use crate::layout::curve::{self, Pen};
use crate::layout::legend::{Entry, Legend};
use crate::layout::panel::{NAMES, Panel, heading};
use crate::layout::waveform;
use crate::picture::color::{Color, SERIES};
use crate::picture::font::Face;
use crate::picture::{Picture, Shape};

const WIDTH: u32 = 1600;
const LEFT: f32 = 120.0;
const TOP: f32 = 118.0;
const PANEL_WIDTH: f32 = 1420.0;
/// Gap between panels, and space under the last, pixels.
const GAP: f32 = 30.0;
const FOOT: f32 = 96.0;
/// Range of stems below the tallest, decades.
const DECADES: f64 = 4.0;

/// Several quantities over the same time.
#[derive(Debug, Clone)]
pub struct TimeChart {
    /// Title.
    pub title: String,
    /// A line of facts under the title.
    pub facts: String,
    /// End of the time axis, s.
    pub seconds: f64,
    /// Tracks from the top.
    pub tracks: Vec<Track>,
}

/// One quantity over time.
#[derive(Debug, Clone)]
pub struct Track {
    /// Quantity and unit; empty for a waveform.
    pub name: String,
    /// Height, pixels.
    pub height: f32,
    /// Data and style.
    pub style: TrackStyle,
}

/// Data of a track, by the style it is style in.
#[derive(Debug, Clone)]
pub enum TrackStyle {
    /// Lines.
    Lines(Vec<Series>),
    /// Stems from the bottom on a log axis.
    Stems(Vec<Series>),
    /// Waveform of samples that span the time axis.
    Wave(Vec<f32>),
}

/// Draws several quantities over the same time.
pub fn time_chart_picture(all: &TimeChart) -> Result<Picture> {
    let legends = all.tracks.iter().map(|track| Legend::new(entries(&track.style), PANEL_WIDTH));
    let legends = legends.collect::<Result<Vec<_>>>()?;
    let heights = all.tracks.iter().zip(&legends).map(|(track, l)| track.height + l.height() + GAP);
    let mut picture = Picture::new(WIDTH, (TOP + heights.sum::<f32>() - GAP + FOOT) as u32);
    let face = Face::new(false)?;
    let time = Scale::Linear(0.0, all.seconds.max(1e-6));
    let mut top = TOP;
    for (k, (track, legend)) in all.tracks.iter().zip(&legends).enumerate() {
        legend.draw(&mut picture, (LEFT, top - 6.0));
        top += legend.height();
        let frame = [LEFT, top, PANEL_WIDTH, track.height];
        let panel = Panel { frame, x: time, y: scale(&track.style) };
        let x_ticks = ticks(time, 12);
        match &track.style {
            TrackStyle::Wave(samples) => {
                let peak = samples.iter().fold(0f32, |peak, y| peak.max(y.abs()));
                waveform::draw(&mut picture, frame, samples, peak);
                panel.grid(&mut picture, &x_ticks, &[]);
                panel.name_y(&mut picture, &[], &track.name);
            }
            style => {
                let y_ticks = ticks(panel.y, 6);
                panel.ground(&mut picture, &x_ticks, &y_ticks);
                draw(&mut picture, &panel, style);
                let name = face.fitted(&track.name, NAMES, track.height);
                panel.name_y(&mut picture, &y_ticks, &name);
            }
        }
        if k + 1 == all.tracks.len() {
            panel.name_x(&mut picture, &x_ticks, "Time (s)");
        }
        top += track.height + GAP;
    }
    heading(&mut picture, LEFT, &all.title, &all.facts)?;
    Ok(picture)
}

fn color_of(k: usize, series: &Series) -> Color {
    series.color.unwrap_or(SERIES[k % SERIES.len()])
}

fn series(style: &TrackStyle) -> &[Series] {
    match style {
        TrackStyle::Lines(all) | TrackStyle::Stems(all) => all,
        TrackStyle::Wave(_) => &[],
    }
}

fn entries(style: &TrackStyle) -> Vec<Entry> {
    let named = series(style).iter().enumerate().filter(|(_, series)| !series.name.is_empty());
    let entry = |(k, series): (usize, &Series)| Entry {
        name: series.name.clone(),
        pen: Some(Pen { color: color_of(k, series), width: 2.6, dashed: series.dashed }),
        mark: None,
    };
    named.map(entry).collect()
}

fn scale(style: &TrackStyle) -> Scale {
    let values = series(style).iter().flat_map(|series| &series.points).map(|point| point.1);
    match style {
        TrackStyle::Stems(_) => {
            let most = values.filter(|y| y.is_finite()).fold(0.0, f64::max);
            let most = if most > 1e-150 { most } else { 1.0 };
            Scale::Log(most * 10f64.powf(-DECADES), 1.6 * most)
        }
        // Forces and speeds begin at zero.
        _ => linear_around(values.chain([0.0])),
    }
}

fn draw(picture: &mut Picture, panel: &Panel, style: &TrackStyle) {
    for (k, series) in series(style).iter().enumerate() {
        let pen = Pen { color: color_of(k, series), width: 2.0, dashed: series.dashed };
        match style {
            TrackStyle::Stems(_) => stems(picture, panel, &series.points, pen.color),
            _ => curve::line(picture, panel, &series.points, pen),
        }
    }
}

/// Draws one stem per pixel column, the tallest, which renders the same as all of them.
fn stems(picture: &mut Picture, panel: &Panel, points: &[(f64, f64)], color: Color) {
    let mut tallest = vec![None; PANEL_WIDTH as usize + 1];
    for &(x, y) in points.iter().filter(|(_, y)| *y > panel.y.ends().0) {
        let at = panel.px(x);
        if let Some(column) = tallest.get_mut((at - LEFT).max(0.0) as usize)
            && column.is_none_or(|(_, most)| y > most)
        {
            *column = Some((at, y));
        }
    }
    let crowded = tallest.iter().flatten().count() > 300;
    for (at, y) in tallest.into_iter().flatten() {
        let top = panel.py(y);
        picture.line((at, panel.bottom()), (at, top), 1.2, color.with_alpha(0.75));
        if !crowded {
            picture.add(Shape::Disc((at, top), 3.4, color));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_stands_at_its_time_and_height() {
        let points = vec![(1.0, 1.0), (1.0, 0.5), (3.0, 0.01), (3.5, 1e-9)];
        let stems = TrackStyle::Stems(vec![Series { points, ..Series::default() }]);
        let tracks = vec![Track { name: "x".into(), height: 200.0, style: stems }];
        let all = TimeChart { title: String::new(), facts: String::new(), seconds: 4.0, tracks };
        let style = time_chart_picture(&all).unwrap();
        let discs: Vec<(f32, f32)> = style
            .shapes
            .iter()
            .filter_map(|s| if let Shape::Disc(at, ..) = s { Some(*at) } else { None })
            .collect();
        assert_eq!(discs.len(), 2);
        assert!((discs[0].0 - (LEFT + 0.25 * PANEL_WIDTH)).abs() < 0.1);
        // Two decades on an axis of four and a bit.
        let decades = 4.0 + 1.6f32.log10();
        assert!((discs[1].1 - discs[0].1 - 200.0 * 2.0 / decades).abs() < 0.5, "{discs:?}");
    }

    #[test]
    fn nothing_at_all_can_be_drawn() {
        let track = |style| Track { name: "y".into(), height: 100.0, style };
        let tracks = vec![
            track(TrackStyle::Lines(vec![])),
            track(TrackStyle::Stems(vec![])),
            track(TrackStyle::Wave(vec![])),
        ];
        let all = TimeChart { title: "t".into(), facts: "f".into(), seconds: 0.0, tracks };
        assert!(time_chart_picture(&all).is_ok());
    }
}

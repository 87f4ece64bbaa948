//! Audible and masked modes of a struck object, as \[CS\] figure 4, and masking curves, as figure 3.

use std::collections::HashSet;

use anyhow::Result;
use foley_dsp::model::ModalModel;
use foley_dsp::perception::{
    Audibility, Masking, Tone, bark_from_hz, hearing_threshold_db, hz_from_bark,
};

use crate::chart::line_chart::{Axis, LineChart, Series};
use crate::data::masking_data::{AudibilityCounts, AudibleModes, MaskingOptions};
use crate::data::mode_data::HEARING_HZ;
use crate::layout::axis::{Scale, digits, short_number};
use crate::layout::curve::{self, Mark, Pen};
use crate::layout::legend::{Entry, Legend};
use crate::layout::panel::{Panel, heading};
use crate::picture::color::{Color, FAINT, LABEL, SERIES, map};
use crate::picture::{Picture, Shape};

const SIZE: (u32, u32) = (1600, 960);
const FRAME: [f32; 4] = [120.0, 166.0, 1420.0, 698.0];
/// Range of the level axis, dB SPL.
const LEVELS_DB: (f64, f64) = (-20.0, 100.0);
const FREQUENCY: &str = "Frequency (Hz), critical bands equally wide";
const LEVEL: &str = "Level (dB SPL)";

const THRESHOLD: Pen = Pen { color: LABEL, width: 2.2, dashed: true };
const CURVE: Pen = Pen { color: SERIES[0], width: 2.2, dashed: false };

/// Draws which modes of a model are audible when all are struck at once, at one surface point or on
/// average over all, with masking curves and hearing threshold; also returns their counts.
pub fn masking_picture(
    model: &ModalModel,
    point: Option<usize>,
    options: MaskingOptions,
) -> Result<(Picture, AudibilityCounts)> {
    let audible = &AudibleModes::new(model, point, options)?;
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    // The axis reaches the playback level.
    let top_db = LEVELS_DB.1.max(20.0 * (audible.options.playback_db / 20.0).ceil());
    let panel = Panel {
        frame: FRAME,
        x: Scale::Bark(HEARING_HZ.0, HEARING_HZ.1),
        y: Scale::Linear(LEVELS_DB.0, top_db),
    };
    let (x_ticks, y_ticks) = (panel.x.ticks(12, short_number), panel.y.ticks(8, short_number));
    panel.ground(&mut picture, &x_ticks, &y_ticks);
    draw_hidden(&mut picture, &panel, audible);
    let outside = draw_modes(&mut picture, &panel, audible);
    panel.name_x(&mut picture, &x_ticks, FREQUENCY);
    panel.name_y(&mut picture, &y_ticks, LEVEL);
    legend(audible)?.draw(&mut picture, (FRAME[0], FRAME[1] - 46.0));
    heading(&mut picture, FRAME[0], &model.name, &facts(model, point, audible, outside))?;
    Ok((picture, audible.counts()))
}

/// Returns the masking curves of a tone of 20, 40, … 100 dB.
pub fn masking_curves(frequency_hz: f64, a_v_db: f64) -> LineChart {
    let masking = Masking::new(a_v_db);
    let series = |level_db: f64| {
        let curve = masking.curve(&Tone::new(frequency_hz, level_db));
        let spread = |f: f64| (f, curve.spread_db(bark_from_hz(f)));
        let all = frequencies(&[frequency_hz]).into_iter().map(spread);
        let points: Vec<(f64, f64)> = all.map(above_threshold).collect();
        let masks = points.iter().any(|p| p.1.is_finite());
        let remark = if masks { "" } else { " (masks nothing)" };
        Series {
            name: format!("{level_db} dB{remark}"),
            points,
            color: Some(map(0.3 + 0.6 * level_db / 100.0)),
            ..Series::default()
        }
    };
    let mut all = [100.0, 80.0, 60.0, 40.0, 20.0].map(series).to_vec();
    all.push(Series {
        name: "hearing threshold".into(),
        points: threshold(),
        color: Some(THRESHOLD.color),
        dashed: true,
        ..Series::default()
    });
    LineChart {
        title: format!("What a tone of {} Hz masks", digits(frequency_hz, 5)),
        facts: format!(
            "beside one so loud, another tone below the line is not heard  ·  a_v = {} dB",
            digits(masking.a_v_db(), 3)
        ),
        x: Axis::hearing(FREQUENCY),
        y: Axis::linear(LEVEL).between(LEVELS_DB.0, LEVELS_DB.1),
        series: all,
    }
}

/// Returns frequencies dense enough for a smooth line, including `corners`.
fn frequencies(corners: &[f64]) -> Vec<f64> {
    let axis = Scale::Bark(HEARING_HZ.0, HEARING_HZ.1);
    let steps = FRAME[2] as u32;
    let steps = (0..=steps).map(|i| axis.value(f64::from(i) / f64::from(steps)));
    let mut all: Vec<f64> = steps.chain(corners.iter().copied()).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Returns a point of a masking curve; NaN where the curve is below the hearing threshold.
fn above_threshold((f, level_db): (f64, f64)) -> (f64, f64) {
    (f, if level_db > hearing_threshold_db(f) { level_db } else { f64::NAN })
}

fn threshold() -> Vec<(f64, f64)> {
    frequencies(&[]).into_iter().map(|f| (f, hearing_threshold_db(f))).collect()
}

/// Draws the masking curve and the hearing threshold with the areas below them.
fn draw_hidden(picture: &mut Picture, panel: &Panel, audible: &AudibleModes) {
    // With more peaks than this, none is wider than a step of the axis.
    const MOST_PEAKS: usize = 700;
    let peaks = audible.curves.iter().take(MOST_PEAKS).map(|curve| hz_from_bark(curve.bark()));
    let all = frequencies(&peaks.collect::<Vec<f64>>());
    let masked: Vec<(f64, f64)> = all.iter().map(|f| (*f, audible.masked_below_db(*f))).collect();

    let (low_db, high_db) = panel.y.ends();
    let place = |f: f64, level: f64| (panel.px(f), panel.py(level.clamp(low_db, high_db)));
    let quiet: Vec<(f32, f32)> = all.iter().map(|f| place(*f, hearing_threshold_db(*f))).collect();
    let covered = masked.iter().map(|(f, level)| place(*f, level.max(hearing_threshold_db(*f))));
    let covered: Vec<(f32, f32)> = covered.chain(quiet.iter().rev().copied()).collect();
    let ground = [(panel.right(), panel.bottom()), (panel.frame[0], panel.bottom())];
    picture.add(Shape::Polygon(covered, CURVE.color.with_alpha(0.13)));
    picture.add(Shape::Polygon([quiet, ground.to_vec()].concat(), LABEL.with_alpha(0.06)));

    let curve: Vec<(f64, f64)> = masked.into_iter().map(above_threshold).collect();
    curve::line(picture, panel, &curve, CURVE);
    curve::line(picture, panel, &threshold(), THRESHOLD);
}

/// Returns the mark of modes of one audibility, smaller where there are many.
fn mark(audibility: Audibility, count: usize) -> (Mark, f32, Color) {
    let size = (60.0 / count.max(1) as f32).powf(0.25).clamp(0.45, 1.0);
    match audibility {
        Audibility::Audible => (Mark::Disc, 6.8 * size, SERIES[3]),
        Audibility::Masked => (Mark::Diamond, 5.5 * size, SERIES[0].with_alpha(0.75)),
        Audibility::BelowThreshold => (Mark::Cross, 5.5 * size.max(0.7), FAINT),
    }
}

/// Draws each mode, audible ones on top; returns the number of modes
/// outside the axes.
fn draw_modes(picture: &mut Picture, panel: &Panel, audible: &AudibleModes) -> usize {
    let mut outside = 0;
    for audibility in [Audibility::BelowThreshold, Audibility::Masked, Audibility::Audible] {
        let own = || audible.modes.iter().filter(|mode| mode.2 == audibility);
        let (mark, radius, color) = mark(audibility, own().count());
        let (mut places, mut taken) = (Vec::new(), HashSet::new());
        for (f, level, _) in own() {
            let [x, y] = [panel.x.position(*f), panel.y.position(*level)];
            if !((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)) {
                outside += 1;
                continue;
            }
            let at = (panel.px(*f), panel.py(*level));
            // Modes at the same pixel get one mark.
            if taken.insert((at.0.round() as i32, at.1.round() as i32)) {
                places.push(at);
            }
        }
        curve::put_all(picture, &places, mark, radius, color);
    }
    outside
}

fn legend(audible: &AudibleModes) -> Result<Legend> {
    let counts = audible.counts();
    let modes = |audibility, count: usize, what: &str| Entry {
        name: format!("{count} {what}"),
        pen: None,
        mark: Some(mark(audibility, 60)),
    };
    let line = |pen: Pen, name: &str| Entry { name: name.into(), pen: Some(pen), mark: None };
    let entries = vec![
        modes(Audibility::Audible, counts.audible, "heard"),
        modes(Audibility::Masked, counts.masked, "masked by louder modes"),
        modes(Audibility::BelowThreshold, counts.unheard, "too quiet to be heard"),
        line(CURVE, "masking curve"),
        line(THRESHOLD, "hearing threshold"),
    ];
    Legend::new(entries, FRAME[2])
}

fn facts(
    model: &ModalModel,
    point: Option<usize>,
    audible: &AudibleModes,
    outside: usize,
) -> String {
    let counts = audible.counts();
    let count = model.mode_count();
    let share = 100.0 * counts.audible as f64 / count.max(1) as f64;
    let place = match point {
        Some(k) => format!("struck at point {k}"),
        None => format!("mean over {} points", model.point_count()),
    };
    let mut facts = vec![
        format!("{} of {count} modes are heard ({} %)", counts.audible, digits(share, 3)),
        format!("{place}, {} dB SPL in all", digits(audible.options.playback_db, 3)),
        format!("a_v = {} dB", digits(audible.options.a_v_db, 3)),
    ];
    if outside > 0 {
        let modes = if outside == 1 { "mode lies" } else { "modes lie" };
        facts.push(format!("{outside} {modes} outside the picture"));
    }
    facts.join("  ·  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// \[CS\] figure 3: at the masker each curve is a_v below it, elsewhere lower, and ends at the
    /// hearing threshold. Below it, nothing is masked.
    #[test]
    fn curves_peak_at_the_masker() {
        let lines = masking_curves(440.0, 15.0);
        assert_eq!(lines.series.len(), 6);
        for (series, level) in lines.series.iter().zip([100.0, 80.0, 60.0, 40.0]) {
            let drawn = || series.points.iter().filter(|p| p.1.is_finite());
            let (f, db) = *drawn().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            assert!((f - 440.0).abs() < 1e-9 && (db - (level - 15.0)).abs() < 1e-3, "{f} {db}");
            assert!(drawn().all(|p| p.1 > hearing_threshold_db(p.0)));
        }
        assert_eq!(lines.series[4].name, "20 dB (masks nothing)");
    }
}

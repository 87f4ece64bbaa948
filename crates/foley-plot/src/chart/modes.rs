//! A model's modes: T60 over frequency above, level below.

use anyhow::Result;
use foley_dsp::model::ModalModel;

use crate::data::mode_data::{Mode, ModeData, RANGE_DB};
use crate::data::ring_spectrum;
use crate::layout::axis::{Scale, digits, short_number};
use crate::layout::mode_dots;
use crate::layout::panel::{NUMBERS, Panel, color_bar, heading};
use crate::picture::color::{LABEL, WAVE};
use crate::picture::{Anchor, Picture, Shape};

const SIZE: (u32, u32) = (1600, 1104);
const LEFT: f32 = 120.0;
const WIDTH: f32 = 1310.0;

/// Draws the modes of a model with the gains of one surface point, or with the rms over all.
pub fn modes_picture(model: &ModalModel, point: Option<usize>) -> Result<Picture> {
    let data = ModeData::new(model, point)?;
    let mut picture = Picture::new(SIZE.0, SIZE.1);
    let frequency = ModeData::frequency_axis(&[&data]);
    let t60 = ModeData::t60_axis(&[&data]);
    let level = Scale::Linear(-RANGE_DB, 3.0);

    let above = Panel { frame: [LEFT, 140.0, WIDTH, 560.0], x: frequency, y: t60 };
    let x_ticks = frequency.ticks(14, short_number);
    let y_ticks = t60.ticks(10, |v| digits(v, 3));
    above.ground(&mut picture, &x_ticks, &y_ticks);
    mode_dots::quality_lines(&mut picture, &above);
    // The more modes, the smaller the dots.
    let largest = 17.0 * (40.0 / data.modes.len() as f32).powf(0.25).min(1.0);
    let beside = mode_dots::draw(&mut picture, &above, &data.modes, largest);
    mode_dots::name_loudest(&mut picture, &above, &data.modes, largest)?;
    above.name_y(&mut picture, &y_ticks, "T60 (s)");

    let below = Panel { frame: [LEFT, 748.0, WIDTH, 260.0], x: frequency, y: level };
    let level_ticks = Scale::Linear(-RANGE_DB, 0.0).ticks(3, short_number);
    below.ground(&mut picture, &x_ticks, &level_ticks);
    draw_ring(&mut picture, &below, &data.modes);
    draw_stems(&mut picture, &below, &data.modes);
    below.name_x(&mut picture, &x_ticks, "Frequency (Hz)");
    below.name_y(&mut picture, &level_ticks, "Level (dB)");
    draw_key(&mut picture, &below);

    let bar = [LEFT + WIDTH + 36.0, 164.0, 22.0, 536.0];
    color_bar(&mut picture, bar, Scale::Linear(-RANGE_DB, 0.0), mode_dots::color, "Level (dB)");
    let facts = facts(model, point, &data, beside);
    heading(&mut picture, LEFT, &model.name, &facts)?;
    Ok(picture)
}

/// Returns the number of modes and the lowest frequency, as a line of text.
pub(crate) fn short_facts(model: &ModalModel) -> String {
    let lowest = model.frequencies_hz.iter().copied().fold(f64::INFINITY, f64::min);
    let plural = if model.mode_count() == 1 { "" } else { "s" };
    format!("{} mode{plural}  ·  lowest {} Hz", model.mode_count(), digits(lowest, 4))
}

fn facts(model: &ModalModel, point: Option<usize>, data: &ModeData, beside: usize) -> String {
    let mut facts = vec![short_facts(model)];
    let t60s = || data.modes.iter().map(Mode::t60_s);
    let (low, high) = (t60s().fold(f64::INFINITY, f64::min), t60s().fold(0.0, f64::max));
    let (low, high) = (digits(low, 2), digits(high, 2));
    facts.push(if low == high {
        format!("T60 {low} s")
    } else {
        format!("T60 {low} – {high} s")
    });
    let place = match (point, model.point_count()) {
        (Some(k), _) => format!("struck at point {k}"),
        (None, 1) => "struck at its one point".into(),
        (None, count) => format!("rms over {} points", short_number(count as f64)),
    };
    facts.push(format!("0 dB = {} Pa at 1 m per N·s, {place}", digits(data.loudest, 3)));
    if data.left_out > 0 {
        facts.push(format!("the {} loudest shown", data.modes.len()));
    }
    if beside > 0 {
        facts.push(format!("{beside} inaudible not shown"));
    }
    facts.join("  ·  ")
}

fn draw_stems(picture: &mut Picture, panel: &Panel, modes: &[Mode]) {
    let (low_hz, high_hz) = panel.x.ends();
    let thick = if modes.len() > 400 { 1.2 } else { 2.4 };
    for mode in modes {
        let shown = (low_hz..=high_hz).contains(&mode.frequency_hz) && mode.level_db >= -RANGE_DB;
        if shown {
            let (x, y) = (panel.px(mode.frequency_hz), panel.py(mode.level_db));
            let color = mode_dots::color(mode.loudness());
            picture.line((x, panel.bottom()), (x, y), thick, color);
            picture.add(Shape::Disc((x, y), 1.6 * thick, color));
        }
    }
}

/// Draws the spectrum of the decay as an area behind the stems.
fn draw_ring(picture: &mut Picture, panel: &Panel, modes: &[Mode]) {
    let columns = panel.frame[2] as usize;
    let spectrum = ring_spectrum::spectrum_db(modes, panel.x, columns);
    let curve: Vec<(f32, f32)> = spectrum
        .iter()
        .enumerate()
        .map(|(i, db)| (panel.frame[0] + i as f32 + 0.5, panel.py(db.clamp(-RANGE_DB, 0.0))))
        .collect();
    let mut area = curve.clone();
    area.push((panel.right(), panel.bottom()));
    area.push((panel.frame[0], panel.bottom()));
    picture.add(Shape::Polygon(area, WAVE.with_alpha(0.10)));
    picture.add(Shape::Line(curve, 1.2, WAVE.with_alpha(0.5)));
}

/// Draws the key of stems and area above the panel.
fn draw_key(picture: &mut Picture, panel: &Panel) {
    let (y, right) = (panel.frame[1] - 17.0, panel.right());
    let stem = right - 420.0;
    picture.line((stem, y + 3.0), (stem, y - 9.0), 2.4, mode_dots::color(0.75));
    picture.add(Shape::Disc((stem, y - 11.0), 3.8, mode_dots::color(0.75)));
    picture.text((stem + 14.0, y), NUMBERS, Anchor::Start, LABEL, "mode at the strike");
    let area = right - 222.0;
    picture.add(Shape::Rect([area, y - 12.0, 22.0, 14.0], WAVE.with_alpha(0.25)));
    picture.line((area, y - 12.0), (area + 22.0, y - 12.0), 1.5, WAVE.with_alpha(0.8));
    picture.text((right, y), NUMBERS, Anchor::End, LABEL, "spectrum of the sound");
}

//! Contact sheet: many models in one picture, on the same axes.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use crate::chart::modes::short_facts;
use crate::data::mode_data::{ModeData, RANGE_DB};
use crate::layout::axis::{Scale, Tick, digits, short_number};
use crate::layout::mode_dots;
use crate::layout::panel::{Panel, color_bar, heading};
use crate::picture::color::{FAINT, LABEL, TITLE};
use crate::picture::font::Face;
use crate::picture::{Anchor, Picture, Shape, Text};

/// Most models on a sheet.
pub(crate) const MAX_MODELS: usize = 100;

const CELL: (f32, f32) = (430.0, 330.0);
const GAP: (f32, f32) = (28.0, 82.0);
const MARGIN: [f32; 4] = [110.0, 210.0, 140.0, 100.0];
const SMALL: f32 = 16.0;

/// Draws a grid of small mode plots, each under its name, all on the same axes.
pub fn contact_sheet_picture(models: &[(String, &ModalModel)]) -> Result<Picture> {
    if models.is_empty() {
        bail!("there is nothing to draw; name at least one model");
    }
    if models.len() > MAX_MODELS {
        bail!("{} models do not fit on one sheet; draw at most {MAX_MODELS}", models.len());
    }
    let data: Vec<ModeData> =
        models.iter().map(|(_, model)| ModeData::new(model, None)).collect::<Result<_>>()?;
    let all: Vec<&ModeData> = data.iter().collect();
    let (x, y) = (ModeData::frequency_axis(&all), ModeData::t60_axis(&all));
    let ticks = (x.ticks(9, short_number), y.ticks(5, |v| digits(v, 3)));

    let (columns, rows) = grid(models.len());
    let [left, top, right, bottom] = MARGIN;
    let width = left + right + columns as f32 * (CELL.0 + GAP.0) - GAP.0;
    let height = top + bottom + rows as f32 * (CELL.1 + GAP.1) - GAP.1;
    let mut picture = Picture::new((width as u32).max(1600), (height as u32).max(1000));
    for (i, (name, model)) in models.iter().enumerate() {
        let (column, row) = (i % columns, i / columns);
        let corner = (left + column as f32 * (CELL.0 + GAP.0), top + row as f32 * (CELL.1 + GAP.1));
        let panel = Panel { frame: [corner.0, corner.1, CELL.0, CELL.1], x, y };
        panel.ground(&mut picture, &ticks.0, &ticks.1);
        mode_dots::draw(&mut picture, &panel, &data[i].modes, 9.0);
        caption(&mut picture, corner, name, model)?;
        if column == 0 {
            label_y(&mut picture, &panel, &ticks.1);
        }
        if i + columns >= models.len() {
            label_x(&mut picture, &panel, &ticks.0);
        }
    }
    let bar_left = left + columns.min(models.len()) as f32 * (CELL.0 + GAP.0) - GAP.0 + 36.0;
    let bar = [bar_left, top, 20.0, CELL.1];
    color_bar(&mut picture, bar, Scale::Linear(-RANGE_DB, 0.0), mode_dots::color, "Level (dB)");
    let plural = if models.len() == 1 { "" } else { "s" };
    let title = format!("{} model{plural}", models.len());
    let facts = "T60 (s) over frequency (Hz), on the same axes  ·  \
                 large and light: loud, relative to each model's loudest mode";
    heading(&mut picture, left, &title, facts)?;
    Ok(picture)
}

/// Returns columns and rows for `count` cells: no higher than wide, about as wide as a screen,
/// and of such grids the one with the fewest empty cells.
fn grid(count: usize) -> (usize, usize) {
    let side = |factor: f64| (count as f64 * factor).sqrt().ceil() as usize;
    (side(1.0)..=side(1.6))
        .map(|columns| (columns, count.div_ceil(columns)))
        .min_by_key(|(columns, rows)| columns * rows)
        .unwrap_or((count.max(1), 1))
}

fn caption(
    picture: &mut Picture,
    corner: (f32, f32),
    name: &str,
    model: &ModalModel,
) -> Result<()> {
    picture.add(Shape::Text(Text {
        at: (corner.0, corner.1 - 34.0),
        size: 21.0,
        text: Face::new(true)?.fitted(name, 21.0, CELL.0),
        color: TITLE,
        anchor: Anchor::Start,
        bold: true,
        angle: 0.0,
    }));
    let at = (corner.0, corner.1 - 11.0);
    picture.text(at, SMALL, Anchor::Start, FAINT, short_facts(model));
    Ok(())
}

fn label_x(picture: &mut Picture, panel: &Panel, ticks: &[Tick]) {
    for tick in ticks {
        if let Some(label) = &tick.label {
            let at = (panel.px(tick.value), panel.bottom() + 1.4 * SMALL);
            picture.text(at, SMALL, Anchor::Middle, LABEL, label);
        }
    }
}

fn label_y(picture: &mut Picture, panel: &Panel, ticks: &[Tick]) {
    for tick in ticks {
        if let Some(label) = &tick.label {
            let at = (panel.frame[0] - 9.0, panel.py(tick.value) + 0.36 * SMALL);
            picture.text(at, SMALL, Anchor::End, LABEL, label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::bar;

    #[test]
    fn grids_hold_every_model_and_waste_less_than_a_row() {
        for count in 1..=MAX_MODELS {
            let (columns, rows) = grid(count);
            assert!(columns * rows >= count && columns * (rows - 1) < count);
        }
        assert_eq!((grid(12), grid(1), grid(2)), ((4, 3), (1, 1), (2, 1)));
    }

    #[test]
    fn no_model_and_too_many_are_errors() {
        assert!(contact_sheet_picture(&[]).unwrap_err().to_string().contains("at least one"));
        let model = bar("bar", 100.0, 1, 0.01);
        let many = vec![("bar".to_owned(), &model); MAX_MODELS + 1];
        assert!(contact_sheet_picture(&many).unwrap_err().to_string().contains("at most 100"));
        assert!(contact_sheet_picture(&many[..1]).is_ok());
    }
}

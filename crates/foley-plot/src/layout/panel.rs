//! Panel: data between two axes, with grid, numbers and titles.

use crate::layout::axis::{Scale, Tick};
use crate::picture::color::{Color, FAINT, GRID, GRID_FINE, LABEL, PAGE, PANEL, TITLE};
use crate::picture::font::Face;
use crate::picture::{Anchor, Picture, Shape, Text};

/// Size of the numbers on axes, pixels.
pub(crate) const NUMBERS: f32 = 18.0;
/// Size of axis titles, pixels.
pub(crate) const NAMES: f32 = 19.0;

/// Data between two axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel {
    /// Left, top, width, height in pixels.
    pub frame: [f32; 4],
    /// Horizontal axis.
    pub x: Scale,
    /// Vertical axis.
    pub y: Scale,
}

impl Panel {
    /// Returns the position of a value of the x axis, pixels.
    pub(crate) fn px(&self, x: f64) -> f32 {
        let [left, _, width, _] = self.frame;
        left + width * self.x.position(x) as f32
    }

    /// Returns the position of a value of the y axis, pixels.
    pub(crate) fn py(&self, y: f64) -> f32 {
        let [_, top, _, height] = self.frame;
        top + height * (1.0 - self.y.position(y) as f32)
    }

    /// Returns the bottom edge, pixels.
    pub(crate) fn bottom(&self) -> f32 {
        self.frame[1] + self.frame[3]
    }

    /// Returns the right edge, pixels.
    pub(crate) fn right(&self) -> f32 {
        self.frame[0] + self.frame[2]
    }

    /// Fills the background and draws a line at each tick.
    pub(crate) fn ground(&self, picture: &mut Picture, x_ticks: &[Tick], y_ticks: &[Tick]) {
        picture.add(Shape::Rect(self.frame, PANEL));
        self.grid(picture, x_ticks, y_ticks);
    }

    /// Draws a line at each tick.
    pub(crate) fn grid(&self, picture: &mut Picture, x_ticks: &[Tick], y_ticks: &[Tick]) {
        let color = |tick: &Tick| if tick.label.is_some() { GRID } else { GRID_FINE };
        let [left, top, ..] = self.frame;
        for tick in x_ticks {
            let x = self.px(tick.value);
            picture.line((x, top), (x, self.bottom()), 1.0, color(tick));
        }
        for tick in y_ticks {
            let y = self.py(tick.value);
            picture.line((left, y), (self.right(), y), 1.0, color(tick));
        }
    }

    /// Writes the numbers and the axis title under the panel.
    pub(crate) fn name_x(&self, picture: &mut Picture, ticks: &[Tick], name: &str) {
        for tick in ticks {
            if let Some(label) = &tick.label {
                let at = (self.px(tick.value), self.bottom() + 1.5 * NUMBERS);
                picture.text(at, NUMBERS, Anchor::Middle, LABEL, label);
            }
        }
        let at = (self.frame[0] + 0.5 * self.frame[2], self.bottom() + 3.2 * NUMBERS);
        picture.text(at, NAMES, Anchor::Middle, LABEL, name);
    }

    /// Writes the numbers and the axis title left of the panel.
    pub(crate) fn name_y(&self, picture: &mut Picture, ticks: &[Tick], name: &str) {
        let [left, top, _, height] = self.frame;
        for tick in ticks {
            if let Some(label) = &tick.label {
                let at = (left - 12.0, self.py(tick.value) + 0.36 * NUMBERS);
                picture.text(at, NUMBERS, Anchor::End, LABEL, label);
            }
        }
        picture.add(Shape::Text(Text {
            at: (left - 78.0, top + 0.5 * height),
            size: NAMES,
            text: name.into(),
            color: LABEL,
            anchor: Anchor::Middle,
            bold: false,
            angle: -90.0,
        }));
    }
}

/// Writes the title of a picture at the top left and, under it, a line of facts.
pub(crate) fn heading(
    picture: &mut Picture,
    left: f32,
    title: &str,
    facts: &str,
) -> anyhow::Result<()> {
    let room = picture.width as f32 - 2.0 * left;
    picture.add(Shape::Text(Text {
        at: (left, 62.0),
        size: 34.0,
        text: Face::new(true)?.fitted(title, 34.0, room),
        color: TITLE,
        anchor: Anchor::Start,
        bold: true,
        angle: 0.0,
    }));
    let facts = Face::new(false)?.fitted(facts, 20.0, room);
    picture.text((left, 97.0), 20.0, Anchor::Start, FAINT, facts);
    Ok(())
}

/// Draws a bar with the `colors` of the levels between the ends of `scale` (0 to 1), numbers to
/// its right.
pub(crate) fn color_bar(
    picture: &mut Picture,
    frame: [f32; 4],
    scale: Scale,
    colors: fn(f64) -> Color,
    name: &str,
) {
    let [left, top, width, height] = frame;
    let rows = height.round().max(2.0) as usize;
    let columns = width.round().max(1.0) as usize;
    let pixels = (0..rows)
        .flat_map(|row| {
            let color = colors(1.0 - row as f64 / (rows - 1) as f64).rgb;
            std::iter::repeat_n(color, columns)
        })
        .collect();
    picture.add(Shape::Image((left, top), columns, pixels));
    let bar = Panel { frame, x: Scale::Linear(0.0, 1.0), y: scale };
    for tick in scale.ticks(7, super::axis::short_number) {
        let y = bar.py(tick.value);
        picture.line((left, y), (left + width, y), 1.0, PAGE.with_alpha(0.5));
        let at = (left + width + 8.0, y + 0.36 * NUMBERS);
        picture.text(at, NUMBERS, Anchor::Start, LABEL, tick.label.unwrap_or_default());
    }
    picture.text((left, top - 12.0), NUMBERS, Anchor::Start, LABEL, name);
}

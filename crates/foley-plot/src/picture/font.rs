//! Noto Sans (SIL Open Font License 1.1), as outlines: text is filled like any
//! other shape, so it looks the same on every machine.

use ab_glyph::{Font, FontRef, GlyphId, OutlineCurve, Point};
use anyhow::{Context, Result};
use tiny_skia::{Path, PathBuilder};

use crate::picture::{Anchor, Text};

/// A weight of the font.
pub(crate) struct Face(FontRef<'static>);

impl Face {
    /// Loads the regular or the bold weight.
    pub(crate) fn new(bold: bool) -> Result<Self> {
        let bytes = if bold { notosans::BOLD_TTF } else { notosans::REGULAR_TTF };
        FontRef::try_from_slice(bytes).map(Self).context("the built-in font cannot be read")
    }

    fn pixels_per_unit(&self, size: f32) -> f32 {
        size / self.0.units_per_em().unwrap_or(1000.0)
    }

    fn glyphs<'a>(&'a self, text: &'a str, size: f32) -> impl Iterator<Item = (GlyphId, f32)> + 'a {
        let scale = self.pixels_per_unit(size);
        text.chars().filter(|c| !c.is_control()).scan(0.0, move |pen, c| {
            let glyph = self.0.glyph_id(c);
            let at = *pen;
            *pen += scale * self.0.h_advance_unscaled(glyph);
            Some((glyph, at))
        })
    }

    /// Returns the width of a text, pixels.
    pub(crate) fn width(&self, text: &str, size: f32) -> f32 {
        let scale = self.pixels_per_unit(size);
        self.glyphs(text, size)
            .last()
            .map_or(0.0, |(glyph, at)| at + scale * self.0.h_advance_unscaled(glyph))
    }

    /// Returns the text, shortened with an ellipsis where it is wider than `room` pixels.
    pub(crate) fn fitted(&self, text: &str, size: f32, room: f32) -> String {
        if self.width(text, size) <= room {
            return text.to_owned();
        }
        let room = room - self.width("…", size);
        let keep = self.glyphs(text, size).take_while(|(_, at)| *at <= room).count();
        let kept: String =
            text.chars().filter(|c| !c.is_control()).take(keep.saturating_sub(1)).collect();
        kept.trim_end().to_owned() + "…"
    }

    /// Returns the outline of a text, not yet rotated; `None` when there is nothing to fill.
    pub(crate) fn outline(&self, text: &Text) -> Option<Path> {
        let scale = self.pixels_per_unit(text.size);
        let shift = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * self.width(&text.text, text.size),
            Anchor::End => -self.width(&text.text, text.size),
        };
        let mut path = PathBuilder::new();
        for (glyph, pen) in self.glyphs(&text.text, text.size) {
            let x = text.at.0 + shift + pen;
            let place = |p: Point| (x + scale * p.x, text.at.1 - scale * p.y);
            if let Some(outline) = self.0.outline(glyph) {
                trace(&mut path, &outline.curves, place);
            }
        }
        path.finish()
    }
}

/// Adds a glyph's contours: a new one begins wherever a curve does not start at the
/// end of the one before.
fn trace(path: &mut PathBuilder, curves: &[OutlineCurve], place: impl Fn(Point) -> (f32, f32)) {
    let mut pen = None;
    for curve in curves {
        let (start, end) = match *curve {
            OutlineCurve::Line(a, b)
            | OutlineCurve::Quad(a, _, b)
            | OutlineCurve::Cubic(a, _, _, b) => (a, b),
        };
        if pen != Some(start) {
            if pen.is_some() {
                path.close();
            }
            let (x, y) = place(start);
            path.move_to(x, y);
        }
        let (x, y) = place(end);
        match *curve {
            OutlineCurve::Line(..) => path.line_to(x, y),
            OutlineCurve::Quad(_, c, _) => {
                let (cx, cy) = place(c);
                path.quad_to(cx, cy, x, y);
            }
            OutlineCurve::Cubic(_, c, d, _) => {
                let ((cx, cy), (dx, dy)) = (place(c), place(d));
                path.cubic_to(cx, cy, dx, dy, x, y);
            }
        }
        pen = Some(end);
    }
    if pen.is_some() {
        path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_we_use_has_a_glyph() {
        for bold in [false, true] {
            let face = Face::new(bold).unwrap();
            for c in "AZaz09 ·–−…µ×∞,.()/=%äß".chars() {
                assert_ne!(face.0.glyph_id(c), GlyphId(0), "{c} is missing");
            }
        }
    }

    #[test]
    fn long_titles_are_shortened_to_the_room_there_is() {
        let face = Face::new(true).unwrap();
        let long = "a very long name of a very long object\n".repeat(50);
        let short = face.fitted(&long, 30.0, 400.0);
        assert!(short.ends_with('…') && face.width(&short, 30.0) <= 400.0, "{short}");
        assert_eq!(face.fitted("bowl", 30.0, 400.0), "bowl");
        assert_eq!(face.fitted("bowl", 30.0, 0.0), "…");
    }
}

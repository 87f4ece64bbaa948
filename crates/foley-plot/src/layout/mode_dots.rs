//! Modes as dots over frequency and reverberation time: large and light is loud.

use anyhow::Result;

use crate::data::mode_data::Mode;
use crate::layout::axis::{Scale, digits, short_number};
use crate::layout::panel::Panel;
use crate::picture::color::{Color, FAINT, LABEL, PANEL, map};
use crate::picture::font::Face;
use crate::picture::{Anchor, Picture, Shape, Text};

/// Draws each mode as a dot; `largest` is the radius of the loudest, pixels.
/// A mode beyond the upper or lower edge is an arrow there. Returns the number of modes
/// outside the frequency axis, which are not drawn.
pub(crate) fn draw(picture: &mut Picture, panel: &Panel, modes: &[Mode], largest: f32) -> usize {
    let (low_hz, high_hz) = panel.x.ends();
    let (low_s, high_s) = panel.y.ends();
    let mut beside = 0;
    for mode in modes {
        let (f, t60) = (mode.frequency_hz, mode.t60_s());
        if !(low_hz..=high_hz).contains(&f) {
            beside += 1;
            continue;
        }
        let loudness = mode.loudness();
        let (color, radius) = (color(loudness), radius(loudness, largest));
        let x = panel.px(f);
        if t60 > high_s {
            arrow(picture, (x, panel.frame[1] + 2.0), radius, color);
        } else if t60 < low_s {
            arrow(picture, (x, panel.bottom() - 2.0), -radius, color);
        } else {
            let at = (x, panel.py(t60));
            picture.add(Shape::Disc(at, radius + 1.5, PANEL.with_alpha(0.85)));
            picture.add(Shape::Disc(at, radius, color.with_alpha(0.92)));
        }
    }
    beside
}

/// Returns the colour of a loudness from 0 to 1, lighter than the background.
pub(crate) fn color(loudness: f64) -> Color {
    map(0.24 + 0.76 * loudness)
}

fn radius(loudness: f64, largest: f32) -> f32 {
    largest * (0.22 + 0.78 * loudness.powf(1.5) as f32)
}

/// Writes the frequencies of the loudest modes at their dots, where they fit.
pub(crate) fn name_loudest(
    picture: &mut Picture,
    panel: &Panel,
    modes: &[Mode],
    largest: f32,
) -> Result<()> {
    const SIZE: f32 = 16.0;
    let face = Face::new(false)?;
    let place = |mode: &Mode| (panel.px(mode.frequency_hz), panel.py(mode.t60_s()));
    let [left, top, ..] = panel.frame;
    let mut taken: Vec<[f32; 4]> = modes
        .iter()
        .map(|mode| (place(mode), radius(mode.loudness(), largest)))
        .map(|((x, y), r)| [x - r, y - r, x + r, y + r])
        .collect();
    let mut named = 0;
    for mode in modes.iter().rev().take_while(|mode| mode.level_db > -40.0) {
        let (x, y) = place(mode);
        let r = radius(mode.loudness(), largest);
        let label = digits(mode.frequency_hz, 4);
        let half = 0.5 * face.width(&label, SIZE) + 4.0;
        let room = |base: f32| [x - half, base - SIZE, x + half, base + 3.0];
        let fits = |base: &f32| {
            let own = room(*base);
            let inside = own[0] > left && own[2] < panel.right();
            let inside = inside && own[1] > top && own[3] < panel.bottom();
            inside && taken.iter().all(|other| apart(own, *other))
        };
        // Above the dot, or else below it.
        if let Some(base) = [y - r - 7.0, y + r + SIZE + 3.0].into_iter().find(fits) {
            picture.text((x, base), SIZE, Anchor::Middle, LABEL, label);
            taken.push(room(base));
            named += 1;
        }
        if named == 8 {
            break;
        }
    }
    Ok(())
}

/// Returns whether two boxes (left, top, right, bottom) do not touch.
fn apart(a: [f32; 4], b: [f32; 4]) -> bool {
    a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1]
}

/// Returns a triangle whose tip is at `tip`; it points up when `size` is positive.
fn arrow(picture: &mut Picture, tip: (f32, f32), size: f32, color: Color) {
    let base = tip.1 + 2.0 * size;
    let corners = vec![tip, (tip.0 + size, base), (tip.0 - size, base)];
    picture.add(Shape::Polygon(corners, color));
}

/// Draws and names lines of equal quality factor: a mode of frequency f and
/// decay rate d has Q = π f / d, hence T60 = 3 ln 10 · Q / (π f). A material with a
/// constant loss factor η = 1/Q rings along one of them.
pub(crate) fn quality_lines(picture: &mut Picture, panel: &Panel) {
    for power in 0..8 {
        let q = 10f64.powi(power);
        let Some((from, to)) = quality_line(panel.x, panel.y, q) else { continue };
        let start = (panel.px(from.0), panel.py(from.1));
        let end = (panel.px(to.0), panel.py(to.1));
        picture.line(start, end, 1.2, FAINT.with_alpha(0.35));
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        if dx.hypot(dy) < 260.0 {
            continue;
        }
        // On the line, near its lower end, its baseline a little above it.
        let back = 64.0 / dx.hypot(dy);
        let (x, y) = (end.0 - back * dx, end.1 - back * dy);
        let angle = dy.atan2(dx);
        picture.add(Shape::Text(Text {
            at: (x + 6.0 * angle.sin(), y - 6.0 * angle.cos()),
            size: 16.0,
            text: format!("Q = {}", short_number(q)),
            color: FAINT,
            anchor: Anchor::Middle,
            bold: false,
            angle: angle.to_degrees(),
        }));
    }
}

/// Returns the ends (f, T60) of the line of quality factor `q` within two log axes.
fn quality_line(x: Scale, y: Scale, q: f64) -> Option<((f64, f64), (f64, f64))> {
    let product = 3.0 * std::f64::consts::LN_10 * q / std::f64::consts::PI;
    let ((low_hz, high_hz), (low_s, high_s)) = (x.ends(), y.ends());
    let from = low_hz.max(product / high_s);
    let to = high_hz.min(product / low_s);
    (from < to).then(|| ((from, product / from), (to, product / to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::mode_data::t60_s;

    fn panel() -> Panel {
        Panel {
            frame: [100.0, 50.0, 1000.0, 600.0],
            x: Scale::Log(20.0, 20_000.0),
            y: Scale::Log(0.01, 10.0),
        }
    }

    fn mode(frequency_hz: f64, t60: f64) -> Mode {
        Mode { frequency_hz, decay: t60_s(1.0) / t60, level_db: 0.0 }
    }

    /// Three decades either way: 200 Hz is a third to the right, 1 s two thirds up.
    #[test]
    fn dots_stand_at_their_frequency_and_t60() {
        let mut picture = Picture::new(10, 10);
        assert_eq!(draw(&mut picture, &panel(), &[mode(200.0, 1.0)], 10.0), 0);
        let Some(Shape::Disc((x, y), ..)) = picture.shapes.last() else { panic!("no dot") };
        assert!((x - (100.0 + 1000.0 / 3.0)).abs() < 1e-2, "{x}");
        assert!((y - (50.0 + 600.0 / 3.0)).abs() < 1e-2, "{y}");
    }

    #[test]
    fn what_lies_outside_is_an_arrow_or_counted() {
        let mut picture = Picture::new(10, 10);
        let modes = [mode(100.0, f64::INFINITY), mode(100.0, 1e-9), mode(1.0, 1.0)];
        assert_eq!(draw(&mut picture, &panel(), &modes, 10.0), 1);
        let arrows = picture.shapes.iter().filter(|s| matches!(s, Shape::Polygon(..))).count();
        assert_eq!(arrows, 2);
    }

    #[test]
    fn a_quality_line_passes_through_modes_of_that_quality() {
        let p = panel();
        let ((f0, t0), (f1, t1)) = quality_line(p.x, p.y, 1000.0).unwrap();
        for (f, t60) in [(f0, t0), (f1, t1)] {
            let decay = t60_s(1.0) / t60;
            assert!((std::f64::consts::PI * f / decay - 1000.0).abs() < 1e-6);
        }
        assert!(quality_line(p.x, p.y, 1e9).is_none());
    }
}

//! Curves: a series of values in a panel, as a line and marks.
//!
//! Points that are not finite, or not positive on a log axis, are left out and break the
//! line. Lines are clipped at the edge of the panel.

use crate::layout::panel::Panel;
use crate::picture::color::{Color, PANEL};
use crate::picture::{Picture, Shape};

/// Style of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pen {
    /// Colour.
    pub color: Color,
    /// Width, pixels.
    pub width: f32,
    /// Whether it is dashed.
    pub dashed: bool,
}

/// Mark at a point; shapes differ, so that series do not rely on colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Disc,
    Square,
    Triangle,
    Diamond,
    Cross,
}

type Point = (f32, f32);

/// Draws a line through points given as values of the panel's axes.
pub(crate) fn line(picture: &mut Picture, panel: &Panel, points: &[(f64, f64)], pen: Pen) {
    for run in runs(panel, points) {
        if let [only] = run[..] {
            if inside(panel.frame, only) {
                picture.add(Shape::Disc(only, 0.8 * pen.width, pen.color));
            }
            continue;
        }
        for piece in clipped(&thinned(&run), panel.frame) {
            stroke(picture, piece, pen);
        }
    }
}

/// Draws a mark of this radius at each point that lies in the panel.
pub(crate) fn marks(
    picture: &mut Picture,
    panel: &Panel,
    points: &[(f64, f64)],
    (mark, radius): (Mark, f32),
    color: Color,
) {
    let all = runs(panel, points);
    let all = all.iter().flat_map(|run| thinned(run)).filter(|at| inside(panel.frame, *at));
    put_all(picture, &all.collect::<Vec<Point>>(), mark, radius, color);
}

/// Draws a mark at each place. A rim separates marks from the background, but not from
/// each other: dense marks merge into a band.
pub(crate) fn put_all(
    picture: &mut Picture,
    places: &[Point],
    mark: Mark,
    radius: f32,
    color: Color,
) {
    for at in places {
        put(picture, *at, mark, radius + 1.6, PANEL.with_alpha(0.85));
    }
    for at in places {
        put(picture, *at, mark, radius, color);
    }
}

/// Draws one mark of the area of a disc of this radius.
pub(crate) fn put(picture: &mut Picture, (x, y): Point, mark: Mark, radius: f32, color: Color) {
    let r = radius * if mark == Mark::Square { 0.89 } else { 1.25 };
    let corners = match mark {
        Mark::Disc => return picture.add(Shape::Disc((x, y), radius, color)),
        Mark::Cross => {
            let (r, width) = (0.8 * radius, 0.35 * radius);
            picture.line((x - r, y - r), (x + r, y + r), width, color);
            return picture.line((x - r, y + r), (x + r, y - r), width, color);
        }
        Mark::Square => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
        Mark::Triangle => vec![(x, y - r), (x + r, y + 0.8 * r), (x - r, y + 0.8 * r)],
        Mark::Diamond => vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)],
    };
    picture.add(Shape::Polygon(corners, color));
}

/// Draws a line in one colour, solid or dashed.
pub(crate) fn stroke(picture: &mut Picture, points: Vec<Point>, pen: Pen) {
    if pen.dashed {
        for dash in dashes(&points, [4.5 * pen.width, 3.5 * pen.width]) {
            picture.add(Shape::Line(dash, pen.width, pen.color));
        }
    } else {
        picture.add(Shape::Line(points, pen.width, pen.color));
    }
}

/// Returns the positions of drawable points, in unbroken runs.
fn runs(panel: &Panel, points: &[(f64, f64)]) -> Vec<Vec<Point>> {
    // Outside every page, and representable in single precision.
    const FAR: f64 = 1e3;
    let [left, top, width, height] = panel.frame;
    points
        .split(|(x, y)| !(panel.x.position(*x).is_finite() && panel.y.position(*y).is_finite()))
        .filter(|run| !run.is_empty())
        .map(|run| {
            let place = |&(x, y): &(f64, f64)| {
                let u = panel.x.position(x).clamp(-FAR, FAR) as f32;
                let v = panel.y.position(y).clamp(-FAR, FAR) as f32;
                (left + width * u, top + height * (1.0 - v))
            };
            run.iter().map(place).collect()
        })
        .collect()
}

fn inside([left, top, width, height]: [f32; 4], (x, y): Point) -> bool {
    const ROUNDING: f32 = 0.01;
    (left - ROUNDING..=left + width + ROUNDING).contains(&x)
        && (top - ROUNDING..=top + height + ROUNDING).contains(&y)
}

/// Reduces a line to four points per pixel column (first, lowest, highest, last: Jugel et al. 2014,
/// "M4"), which renders the same.
fn thinned(run: &[Point]) -> Vec<Point> {
    let mut kept = Vec::new();
    for column in run.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let highest = |i: &usize, k: &usize| column[*i].1.total_cmp(&column[*k].1);
        let top = (0..column.len()).min_by(highest).unwrap_or(0);
        let bottom = (0..column.len()).max_by(highest).unwrap_or(0);
        let mut places = [0, top.min(bottom), top.max(bottom), column.len() - 1].to_vec();
        places.dedup();
        kept.extend(places.into_iter().map(|i| column[i]));
    }
    kept
}

/// Clips a line to a frame.
fn clipped(points: &[Point], frame: [f32; 4]) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let Some((from, to)) = clipped_segment(pair[0], pair[1], frame) else {
            open = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if open => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
        open = to == pair[1];
    }
    pieces
}

/// Clips a segment to a frame (Liang & Barsky 1984): along it, it enters through some
/// edges and leaves through others.
fn clipped_segment(a: Point, b: Point, frame: [f32; 4]) -> Option<(Point, Point)> {
    let [left, top, width, height] = frame;
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for (speed, room) in
        [(-dx, a.0 - left), (dx, left + width - a.0), (-dy, a.1 - top), (dy, top + height - a.1)]
    {
        if speed == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if speed < 0.0 {
            enter = enter.max(room / speed);
        } else {
            leave = leave.min(room / speed);
        }
    }
    let at = |u: f32| (a.0 + u * dx, a.1 + u * dy);
    let from = if enter > 0.0 { at(enter) } else { a };
    let to = if leave < 1.0 { at(leave) } else { b };
    (enter <= leave).then_some((from, to))
}

/// Cuts a line into dashes and gaps of these lengths.
fn dashes(points: &[Point], [dash, gap]: [f32; 2]) -> Vec<Vec<Point>> {
    let mut found = Vec::new();
    let mut current: Vec<Point> = points.first().copied().into_iter().collect();
    let (mut drawing, mut left) = (true, dash);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut length = (to.0 - from.0).hypot(to.1 - from.1);
        while length > left {
            let u = left / length;
            from = (from.0 + u * (to.0 - from.0), from.1 + u * (to.1 - from.1));
            length -= left;
            if drawing {
                current.push(from);
                found.push(std::mem::take(&mut current));
            } else {
                current = vec![from];
            }
            drawing = !drawing;
            left = if drawing { dash } else { gap };
        }
        left -= length;
        if drawing {
            current.push(to);
        }
    }
    if current.len() > 1 {
        found.push(current);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::axis::Scale;

    const FRAME: [f32; 4] = [0.0, 0.0, 100.0, 100.0];

    fn length(line: &[Point]) -> f32 {
        line.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum()
    }

    #[test]
    fn lines_end_at_the_edge() {
        let through = [(-50.0, 50.0), (50.0, 50.0), (50.0, 150.0), (70.0, 150.0), (70.0, 90.0)];
        let pieces = clipped(&through, FRAME);
        assert_eq!(
            pieces,
            [vec![(0.0, 50.0), (50.0, 50.0), (50.0, 100.0)], vec![(70.0, 100.0), (70.0, 90.0)]]
        );
        assert!(clipped(&[(-50.0, 50.0), (10.0, -60.0)], FRAME).is_empty());
        assert!(clipped(&[(-1.0, 0.0), (-1.0, 60.0)], FRAME).is_empty());
    }

    #[test]
    fn what_has_no_place_breaks_the_line() {
        let panel = Panel { frame: FRAME, x: Scale::Linear(0.0, 1.0), y: Scale::Log(1.0, 100.0) };
        let points = [
            (0.0, 1.0),
            (0.5, f64::NAN),
            (0.5, 10.0),
            (f64::INFINITY, 10.0),
            (0.6, 0.0),
            (0.7, -3.0),
            (0.8, 10.0),
            (1.0, 100.0),
        ];
        let found = runs(&panel, &points);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 2]);
        assert_eq!(found[2][1], (100.0, 0.0));
        for point in runs(&panel, &[(1e300, 1e300), (-1e300, 1e-300)]).concat() {
            assert!(point.0.is_finite() && point.1.is_finite());
        }
    }

    #[test]
    fn thinning_keeps_every_peak_and_the_order() {
        let run: Vec<Point> =
            (0..20_000).map(|i| (i as f32 / 200.0, (i * 7919 % 1000) as f32)).collect();
        let kept = thinned(&run);
        assert!(kept.len() <= 400 && kept.len() >= 300);
        assert!(kept.windows(2).all(|p| p[0].0 < p[1].0));
        let lowest = |points: &[Point]| points.iter().map(|p| p.1).fold(f32::MAX, f32::min);
        assert_eq!(lowest(&kept), lowest(&run));
        assert_eq!((kept[0], kept.last()), (run[0], run.last()));
        assert_eq!(thinned(&run[..1]), run[..1]);
    }

    #[test]
    fn dashes_cover_their_share() {
        let line: Vec<Point> = (0..=100).map(|i| (i as f32 * 7.0, (i % 3) as f32)).collect();
        let cut = dashes(&line, [9.0, 6.0]);
        let share = cut.iter().map(|d| length(d)).sum::<f32>() / length(&line);
        assert!((share - 0.6).abs() < 0.02, "{share}");
        assert!(cut.iter().all(|d| length(d) < 9.01));
        assert!(dashes(&[], [9.0, 6.0]).is_empty());
    }
}

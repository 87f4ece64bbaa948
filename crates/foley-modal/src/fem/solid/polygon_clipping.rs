//! Polygon clipping at grid planes (Sutherland & Hodgman 1974).

type P = [f64; 3];

/// Keeps the part of a convex polygon with `sign · (x[axis] − at) ≤ 0`.
pub(super) fn keep(polygon: &[P], axis: usize, at: f64, sign: f64, to: &mut Vec<P>) {
    to.clear();
    let Some(last) = polygon.last() else { return };
    let outside = |p: &P| sign * (p[axis] - at);
    let mut from = last;
    for p in polygon {
        let (d0, d1) = (outside(from), outside(p));
        if (d0 > 0.0) != (d1 > 0.0) {
            to.push(crossing(from, p, axis, at));
        }
        if d1 <= 0.0 {
            to.push(*p);
        }
        from = p;
    }
}

/// Returns the intersection of an edge with the plane, computed from its lower end, so that
/// two polygons that share the edge in opposite directions get the same point.
fn crossing(p: &P, q: &P, axis: usize, at: f64) -> P {
    let (p, q) = if p[axis] <= q[axis] { (p, q) } else { (q, p) };
    let t = (at - p[axis]) / (q[axis] - p[axis]);
    let mut x: P = std::array::from_fn(|a| p[a] + t * (q[a] - p[a]));
    x[axis] = at;
    x
}

/// Calls `f` for each part of a polygon between two grid planes of `axis`, with the index of
/// the cell, from 0 to `cells` − 1. Planes lie at integers.
pub(super) fn slice(
    polygon: &[P],
    axis: usize,
    cells: usize,
    scratch: &mut [Vec<P>; 2],
    mut f: impl FnMut(usize, &[P]),
) {
    let (low, high) = span(polygon, axis, cells);
    if low == high {
        return f(low, polygon);
    }
    let [part, work] = scratch;
    for i in low..=high {
        keep(polygon, axis, i as f64, -1.0, work);
        keep(work, axis, (i + 1) as f64, 1.0, part);
        if part.len() > 2 {
            f(i, part);
        }
    }
}

/// Returns the first and the last cell of a polygon along an axis.
pub(super) fn span(polygon: &[P], axis: usize, cells: usize) -> (usize, usize) {
    let low = polygon.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
    let high = polygon.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
    // Casts saturate: a point slightly below zero is in the first cell.
    let first = (low.floor() as usize).min(cells - 1);
    let last = ((high.ceil() - 1.0) as usize).min(cells - 1);
    (first, last.max(first))
}

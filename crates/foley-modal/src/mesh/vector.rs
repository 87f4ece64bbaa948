//! The little vector algebra that meshes need.

pub(super) type V = [f64; 3];

pub(super) fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scale(a: V, s: f64) -> V {
    a.map(|x| x * s)
}

pub(super) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// The unit vector along a; zero where a is zero.
pub(super) fn unit(a: V) -> V {
    let length = norm(a);
    if length > 0.0 { a.map(|x| x / length) } else { [0.0; 3] }
}

/// Twice the area of a triangle, along its normal.
pub(super) fn area_vector([a, b, c]: [V; 3]) -> V {
    cross(sub(b, a), sub(c, a))
}

/// The box around some points; `None` without points.
pub(super) fn bounds(points: impl IntoIterator<Item = V>) -> Option<[V; 2]> {
    points.into_iter().fold(None, |found: Option<[V; 2]>, p| {
        let [low, high] = found.unwrap_or([p, p]);
        let each = |f: fn(f64, f64) -> f64, q: V| [f(q[0], p[0]), f(q[1], p[1]), f(q[2], p[2])];
        Some([each(f64::min, low), each(f64::max, high)])
    })
}

//! Vector algebra on `[f64; 3]`.

/// A vector or point in metres.
pub type V = [f64; 3];

/// Returns a + b.
#[inline]
pub fn add(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns a − b.
#[inline]
pub fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns s a.
#[inline]
pub fn scale(a: V, s: f64) -> V {
    a.map(|x| x * s)
}

/// Returns the scalar product.
#[inline]
pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the vector product.
#[inline]
pub fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the length.
#[inline]
pub fn norm(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the unit vector along a; zero for the zero vector.
#[inline]
pub fn unit(a: V) -> V {
    let length = norm(a);
    if length > 0.0 { a.map(|x| x / length) } else { [0.0; 3] }
}

/// Returns the normal of a triangle with twice its area as length.
#[inline]
pub fn area_vector([a, b, c]: [V; 3]) -> V {
    cross(sub(b, a), sub(c, a))
}

/// Returns the bounding box of points; `None` without points.
#[inline]
pub fn bounds(points: impl IntoIterator<Item = V>) -> Option<[V; 2]> {
    points.into_iter().fold(None, |found: Option<[V; 2]>, p| {
        let [low, high] = found.unwrap_or([p, p]);
        let each = |f: fn(f64, f64) -> f64, q: V| [f(q[0], p[0]), f(q[1], p[1]), f(q[2], p[2])];
        Some([each(f64::min, low), each(f64::max, high)])
    })
}

//! Vector algebra.

/// x, y, z.
pub(crate) type Vector = [f64; 3];

/// Default normal, as in models.
pub(crate) const UP: Vector = [0.0, 0.0, 1.0];

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scaled(a: Vector, s: f64) -> Vector {
    a.map(|x| x * s)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// Normalises a vector; returns `otherwise` where it has no direction.
pub(crate) fn unit_or(a: Vector, otherwise: Vector) -> Vector {
    let length = length(a);
    if length > 1e-150 && length.is_finite() { scaled(a, 1.0 / length) } else { otherwise }
}

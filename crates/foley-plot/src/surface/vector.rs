//! Vectors in space.

/// x, y, z.
pub(super) type Vector = [f64; 3];

/// Where no direction is known, the surface looks up, as the model itself has it.
pub(super) const UP: Vector = [0.0, 0.0, 1.0];

pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn scaled(a: Vector, s: f64) -> Vector {
    a.map(|x| x * s)
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The vector at length 1, or `otherwise` where it has no direction.
pub(super) fn unit_or(a: Vector, otherwise: Vector) -> Vector {
    let length = length(a);
    if length > 1e-150 && length.is_finite() { scaled(a, 1.0 / length) } else { otherwise }
}

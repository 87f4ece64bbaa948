//! Functions of points and vectors beyond those of `glam`.

use glam::DVec3;

/// Returns the unit vector along a; zero for the zero vector.
#[inline]
pub fn unit_or_zero(a: DVec3) -> DVec3 {
    let length = a.length();
    if length > 0.0 { a / length } else { DVec3::ZERO }
}

/// Returns the normal of a triangle with twice its area as length.
#[inline]
pub fn area_vector([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Returns the bounding box of points; `None` without points.
#[inline]
pub fn bounds(points: impl IntoIterator<Item = DVec3>) -> Option<[DVec3; 2]> {
    points.into_iter().fold(None, |found, p| {
        let [low, high] = found.unwrap_or([p, p]);
        Some([p.min(low), p.max(high)])
    })
}

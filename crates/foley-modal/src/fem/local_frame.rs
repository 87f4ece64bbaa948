//! The local frame of a triangle.

use foley_geometry::vector::{area_vector, unit_or_zero};
use glam::DVec3;

/// The local axes of a triangle, its corners in them, and its area. The first corner is
/// the origin, x runs along the first edge, z is the normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalFrame {
    pub(super) axes: [DVec3; 3],
    pub(super) corners: [[f64; 2]; 3],
    pub(super) area: f64,
}

impl LocalFrame {
    /// Creates the frame; `None` when the triangle has no area.
    pub(super) fn new(corners: [DVec3; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let normal = area_vector(corners);
        let area = 0.5 * normal.length();
        if !(area > 0.0 && area.is_finite()) {
            return None;
        }
        let x = unit_or_zero(b - a);
        let z = normal * (0.5 / area);
        let y = z.cross(x);
        let flat = |p: DVec3| [(p - a).dot(x), (p - a).dot(y)];
        Some(Self { axes: [x, y, z], corners: [[0.0; 2], flat(b), flat(c)], area })
    }

    /// Returns x_ij = x_i − x_j and y_ij = y_i − y_j; corners count from one, as in the papers.
    pub(super) fn difference(&self, i: usize, j: usize) -> [f64; 2] {
        let (p, q) = (self.corners[i - 1], self.corners[j - 1]);
        [p[0] - q[0], p[1] - q[1]]
    }
}

//! Poses and rotations.

use crate::vector::{add, cross, scale};

/// A rotation: a unit quaternion x, y, z, w.
pub type Quaternion = [f64; 4];

/// No rotation.
pub const UPRIGHT: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Position and rotation: the map from a frame to the frame that contains it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the origin, m.
    pub position_m: [f64; 3],
    /// Rotation.
    pub rotation: Quaternion,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position_m: [0.0; 3], rotation: UPRIGHT }
    }
}

impl Pose {
    /// Maps a point to the containing frame.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        add(rotate(self.rotation, point), self.position_m)
    }

    /// Returns the pose in the containing frame of a pose in this frame.
    pub fn compose(&self, inner: &Self) -> Self {
        let position_m = self.apply(inner.position_m);
        Self { position_m, rotation: product(self.rotation, inner.rotation) }
    }
}

/// Rotates a vector: v + 2w(u × v) + 2u × (u × v), with q = (u, w).
pub fn rotate([x, y, z, w]: Quaternion, v: [f64; 3]) -> [f64; 3] {
    let t = scale(cross([x, y, z], v), 2.0);
    let u = cross([x, y, z], t);
    [0, 1, 2].map(|i| v[i] + w * t[i] + u[i])
}

/// Returns the rotation b followed by a.
pub fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Normalises a quaternion. A unit quaternion keeps every bit: a scene written and read back is equal.
pub fn unit(q: Quaternion) -> Quaternion {
    let length2: f64 = q.iter().map(|x| x * x).sum();
    if (length2 - 1.0).abs() < 1e-14 {
        return q;
    }
    let length = length2.sqrt();
    q.map(|x| x / length)
}

/// Returns the rotation about x, then y, then z by angles in degrees: "XYZ Euler" in 3D programs.
pub fn from_degrees(angles: [f64; 3]) -> Quaternion {
    let about = |axis: usize| {
        let (sin, cos) = (0.5 * angles[axis].to_radians()).sin_cos();
        let mut q = [0.0, 0.0, 0.0, cos];
        q[axis] = sin;
        q
    };
    unit(product(about(2), product(about(1), about(0))))
}

/// Interpolates between two rotations along the shorter arc at constant speed.
pub fn slerp(a: Quaternion, b: Quaternion, part: f64) -> Quaternion {
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    let (b, dot) = if dot < 0.0 { (b.map(|x| -x), -dot) } else { (b, dot) };
    let [from, to] = match dot.min(1.0).acos() {
        angle if angle < 1e-6 => [1.0 - part, part],
        angle => [((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin()],
    };
    unit([0, 1, 2, 3].map(|i| from * a[i] + to * b[i]))
}

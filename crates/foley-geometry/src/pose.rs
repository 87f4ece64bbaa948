//! Poses and rotations.

use glam::{DQuat, DVec3};

/// A rotation: a unit quaternion x, y, z, w.
pub type Quaternion = [f64; 4];

/// No rotation.
pub const IDENTITY_ROTATION: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Position and rotation: the map from an object's coordinates to those around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the object's origin, m.
    pub position_m: [f64; 3],
    /// Rotation.
    pub rotation: Quaternion,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position_m: [0.0; 3], rotation: IDENTITY_ROTATION }
    }
}

impl Pose {
    /// Maps a point from the object's coordinates to those around it.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        (DVec3::from(self.rotate(point)) + DVec3::from(self.position_m)).to_array()
    }

    /// Rotates a direction from the object's coordinates to those around it.
    pub fn rotate(&self, direction: [f64; 3]) -> [f64; 3] {
        rotate(DQuat::from_array(self.rotation), direction)
    }

    /// Rotates a direction from the coordinates around the object to its own.
    pub fn rotate_back(&self, direction: [f64; 3]) -> [f64; 3] {
        rotate(DQuat::from_array(self.rotation).conjugate(), direction)
    }

    /// Returns a pose in the object's coordinates as one in those around it.
    pub fn compose(&self, inner: &Self) -> Self {
        let [outer, rotation] = [self.rotation, inner.rotation].map(DQuat::from_array);
        let position_m = self.apply(inner.position_m);
        Self { position_m, rotation: (outer * rotation).to_array() }
    }

    /// Interpolates linearly in position and along the shorter arc in rotation.
    pub fn interpolate(&self, other: &Self, part: f64) -> Self {
        let [from, to] = [self.position_m, other.position_m].map(DVec3::from);
        let [a, b] = [self.rotation, other.rotation].map(DQuat::from_array);
        Self {
            position_m: (from + part * (to - from)).to_array(),
            rotation: a.slerp(b, part).to_array(),
        }
    }
}

/// Returns v + 2w(u × v) + 2u × (u × v), with q = (u, w).
fn rotate(q: DQuat, v: [f64; 3]) -> [f64; 3] {
    let (u, v) = (q.xyz(), DVec3::from(v));
    let t = u.cross(v) * 2.0;
    (v + q.w * t + u.cross(t)).to_array()
}

/// Normalises a quaternion. A unit quaternion keeps every bit: a scene written and read back is equal.
pub fn normalised_rotation(q: DQuat) -> DQuat {
    let length2 = q.length_squared();
    if (length2 - 1.0).abs() < 1e-14 { q } else { q / length2.sqrt() }
}

/// Returns the rotation about x, then y, then z by angles in degrees: "XYZ Euler" in 3D programs.
pub fn from_degrees(angles: [f64; 3]) -> Quaternion {
    let about = |axis: usize| {
        let (sin, cos) = (0.5 * angles[axis].to_radians()).sin_cos();
        let mut q = [0.0, 0.0, 0.0, cos];
        q[axis] = sin;
        DQuat::from_array(q)
    };
    normalised_rotation(about(2) * (about(1) * about(0))).to_array()
}

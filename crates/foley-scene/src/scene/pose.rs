//! Poses and rotations.

use crate::read::fields::Fields;
use crate::read::value::{Data, Value};
use crate::schema::Key;
use crate::schema::keys::object;
use foley_geometry::vector;
use glam::{DQuat, DVec3};

pub(crate) use crate::schema::keys::FAR_M;

/// A rotation: a unit quaternion x, y, z, w.
pub type Quaternion = [f64; 4];

/// No rotation.
pub const UPRIGHT: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Position and rotation: the map from an object's coordinates to those of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position of the object's origin, m.
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
    /// Maps a point from the object's coordinates to those of the scene.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        (DVec3::from(self.rotate(point)) + DVec3::from(self.position_m)).to_array()
    }

    /// Rotates a direction from the object's coordinates to those of the scene.
    pub fn rotate(&self, direction: [f64; 3]) -> [f64; 3] {
        rotate(DQuat::from_array(self.rotation), direction)
    }

    /// Rotates a direction from the scene's coordinates to those of the object.
    pub(crate) fn rotate_back(&self, direction: [f64; 3]) -> [f64; 3] {
        rotate(DQuat::from_array(self.rotation).conjugate(), direction)
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
pub(crate) fn unit(q: DQuat) -> DQuat {
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
    unit(about(2) * (about(1) * about(0))).to_array()
}

/// Reads `rotation`: three angles in degrees or a quaternion.
pub(crate) fn read_rotation(fields: &mut Fields<'_>) -> Option<Quaternion> {
    let value = fields.take(&object::ROTATION)?;
    match &value.data {
        Data::Array(items) if items.len() == 4 => {
            let q = DQuat::from_array(fields.numbers_of(
                &object::ROTATION,
                value,
                object::ROTATION.list_range(),
            )?);
            if q.length_squared() < 1e-12 {
                fields.report(
                    &object::ROTATION,
                    "the quaternion has length 0; write angles in degrees",
                );
                return None;
            }
            Some(unit(q).to_array())
        }
        Data::Array(items) if items.len() == 3 => fields
            .numbers_of(&object::ROTATION, value, object::ROTATION.list_range())
            .map(from_degrees),
        _ => {
            let problem = "must be three angles in degrees, or a quaternion x, y, z, w";
            fields.report(&object::ROTATION, problem);
            None
        }
    }
}

/// Reads a direction, normalised; a unit vector keeps every bit.
pub(crate) fn read_direction(fields: &mut Fields<'_>, key: &Key) -> Option<[f64; 3]> {
    let v = DVec3::from_array(fields.numbers(key)?);
    let length2 = v.length_squared();
    if length2 < 1e-12 {
        fields.report(key, "is the zero vector, which has no direction");
        return None;
    }
    Some(if (length2 - 1.0).abs() < 1e-14 { v } else { vector::unit(v) }.to_array())
}

/// Reads a list of points, m.
pub(crate) fn read_points(fields: &mut Fields<'_>, key: &Key) -> Vec<[f64; 3]> {
    let items: &[Value] = fields.list(key);
    items.iter().filter_map(|item| fields.numbers_of(key, item, key.range())).collect()
}

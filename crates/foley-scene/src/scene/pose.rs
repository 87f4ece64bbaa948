//! Poses and rotations.

use crate::read::fields::Fields;
use crate::read::value::{Data, Value};
use crate::schema::Key;
use crate::schema::keys::object;
use foley_geometry::mesh::vector::{self, add, cross, dot, scale};

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
        add(rotate(self.rotation, point), self.position_m)
    }
}

/// Rotates a vector: v + 2w(u × v) + 2u × (u × v), with q = (u, w).
pub fn rotate([x, y, z, w]: Quaternion, v: [f64; 3]) -> [f64; 3] {
    let t = scale(cross([x, y, z], v), 2.0);
    let u = cross([x, y, z], t);
    [0, 1, 2].map(|i| v[i] + w * t[i] + u[i])
}

/// Returns the rotation b followed by a.
pub(crate) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Normalises a quaternion. A unit quaternion keeps every bit: a scene written and read back is equal.
pub(crate) fn unit(q: Quaternion) -> Quaternion {
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

/// Reads `rotation`: three angles in degrees or a quaternion.
pub(crate) fn read_rotation(fields: &mut Fields<'_>) -> Option<Quaternion> {
    let value = fields.take(&object::ROTATION)?;
    match &value.data {
        Data::Array(items) if items.len() == 4 => {
            let q: Quaternion =
                fields.numbers_of(&object::ROTATION, value, object::ROTATION.list_range())?;
            if q.iter().map(|x| x * x).sum::<f64>() < 1e-12 {
                fields.report(
                    &object::ROTATION,
                    "the quaternion has length 0; write angles in degrees",
                );
                return None;
            }
            Some(unit(q))
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
    let v: [f64; 3] = fields.numbers(key)?;
    if dot(v, v) < 1e-12 {
        fields.report(key, "is the zero vector, which has no direction");
        return None;
    }
    Some(if (dot(v, v) - 1.0).abs() < 1e-14 { v } else { vector::unit(v) })
}

/// Reads a list of points, m.
pub(crate) fn read_points(fields: &mut Fields<'_>, key: &Key) -> Vec<[f64; 3]> {
    let items: &[Value] = fields.list(key);
    items.iter().filter_map(|item| fields.numbers_of(key, item, key.range())).collect()
}

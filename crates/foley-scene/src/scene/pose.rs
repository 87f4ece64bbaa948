//! Where something is and how it is turned.

use crate::read::fields::Fields;
use crate::read::value::{Data, Value};
use crate::schema::Key;
use crate::schema::keys::object;

pub(crate) use crate::schema::keys::FAR_M;

/// A rotation: a unit quaternion x, y, z, w.
pub type Quaternion = [f64; 4];

/// No rotation.
pub const UPRIGHT: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// Where an object is: the map from its own coordinates to those of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Of its origin, m.
    pub position_m: [f64; 3],
    /// How it is turned.
    pub rotation: Quaternion,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position_m: [0.0; 3], rotation: UPRIGHT }
    }
}

impl Pose {
    /// Where a point of the object is in the scene.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let p = rotate(self.rotation, point);
        [0, 1, 2].map(|i| p[i] + self.position_m[i])
    }
}

/// Turns a vector: v + 2w(u × v) + 2u × (u × v), with q = (u, w).
pub fn rotate([x, y, z, w]: Quaternion, v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let t = cross([x, y, z], v).map(|c| 2.0 * c);
    let u = cross([x, y, z], t);
    [0, 1, 2].map(|i| v[i] + w * t[i] + u[i])
}

/// First b, then a.
pub(crate) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Of length 1. What is so already keeps every bit: a scene written and read stays the same.
pub(crate) fn unit(q: Quaternion) -> Quaternion {
    let length2: f64 = q.iter().map(|x| x * x).sum();
    if (length2 - 1.0).abs() < 1e-14 {
        return q;
    }
    let length = length2.sqrt();
    q.map(|x| x / length)
}

/// Turned about x, then y, then z, as 3D programs count "XYZ Euler"; degrees.
pub fn from_degrees(angles: [f64; 3]) -> Quaternion {
    let about = |axis: usize| {
        let (sin, cos) = (0.5 * angles[axis].to_radians()).sin_cos();
        let mut q = [0.0, 0.0, 0.0, cos];
        q[axis] = sin;
        q
    };
    unit(product(about(2), product(about(1), about(0))))
}

/// Between two rotations, the short way, at constant speed.
pub fn slerp(a: Quaternion, b: Quaternion, part: f64) -> Quaternion {
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    let (b, dot) = if dot < 0.0 { (b.map(|x| -x), -dot) } else { (b, dot) };
    let [from, to] = match dot.min(1.0).acos() {
        angle if angle < 1e-6 => [1.0 - part, part],
        angle => [((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin()],
    };
    unit([0, 1, 2, 3].map(|i| from * a[i] + to * b[i]))
}

/// Reads `rotation`: four numbers are a quaternion, three are degrees.
pub(crate) fn read_rotation(fields: &mut Fields<'_>) -> Option<Quaternion> {
    let value = fields.take(&object::ROTATION)?;
    match &value.data {
        Data::Array(items) if items.len() == 4 => {
            let q: Quaternion =
                fields.numbers_of(&object::ROTATION, value, object::ROTATION.list_range())?;
            if q.iter().map(|x| x * x).sum::<f64>() < 1e-12 {
                fields.wrong(
                    &object::ROTATION,
                    "a quaternion of length 0 turns nothing; write degrees",
                );
                return None;
            }
            Some(unit(q))
        }
        Data::Array(items) if items.len() == 3 => fields
            .numbers_of(&object::ROTATION, value, object::ROTATION.list_range())
            .map(from_degrees),
        _ => {
            let wanted = "must be three angles in degrees, or a quaternion x, y, z, w";
            fields.wrong(&object::ROTATION, wanted);
            None
        }
    }
}

/// A position, m.
pub(crate) fn read_position(fields: &mut Fields<'_>, key: &Key) -> Option<[f64; 3]> {
    fields.numbers(key)
}

/// A direction that is not zero, of length 1.
pub(crate) fn read_direction(fields: &mut Fields<'_>, key: &Key) -> Option<[f64; 3]> {
    let v: [f64; 3] = fields.numbers(key)?;
    let length2: f64 = v.iter().map(|x| x * x).sum();
    if length2 < 1e-12 {
        fields.wrong(key, "points nowhere: its length is 0");
        return None;
    }
    let length = length2.sqrt();
    Some(if (length2 - 1.0).abs() < 1e-14 { v } else { v.map(|x| x / length) })
}

/// A list of points, m.
pub(crate) fn read_points(fields: &mut Fields<'_>, key: &Key) -> Vec<[f64; 3]> {
    let items: &[Value] = fields.list(key);
    items.iter().filter_map(|item| fields.numbers_of(key, item, key.range())).collect()
}

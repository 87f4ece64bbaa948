//! Readers of poses, rotations and directions.

use crate::read::fields::Fields;
use crate::read::value::{Data, Table, Value};
use crate::schema::Key;
use crate::schema::keys::object;
use foley_geometry::pose::{
    IDENTITY_ROTATION, Pose, Quaternion, from_degrees, normalised_rotation,
};
use foley_geometry::vector;
use glam::{DQuat, DVec3};

pub(crate) use crate::schema::keys::FAR_M;

/// Reads `position` and `rotation` of an object.
pub(crate) fn read_pose(fields: &mut Fields<'_>) -> Pose {
    Pose {
        position_m: fields.numbers(&object::POSITION_M).unwrap_or_default(),
        rotation: read_rotation(fields).unwrap_or(IDENTITY_ROTATION),
    }
}

/// Writes `position` and `rotation` of an object.
pub(crate) fn write_pose(pose: &Pose, table: &mut Table) {
    table.put_numbers(object::POSITION_M.name, &pose.position_m);
    table.put_numbers(object::ROTATION.name, &pose.rotation);
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
            Some(normalised_rotation(q).to_array())
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
    Some(if (length2 - 1.0).abs() < 1e-14 { v } else { vector::unit_or_zero(v) }.to_array())
}

/// Reads a list of points, m.
pub(crate) fn read_points(fields: &mut Fields<'_>, key: &Key) -> Vec<[f64; 3]> {
    let items: &[Value] = fields.list(key);
    items.iter().filter_map(|item| fields.numbers_of(key, item, key.range())).collect()
}

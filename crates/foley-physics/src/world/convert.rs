//! Conversion from double precision to Rapier's single precision.

use glam::{DQuat, DVec3};
use rapier3d::math::{Pose, Vector};

pub(crate) fn vector(v: [f64; 3]) -> Vector {
    DVec3::from(v).as_vec3()
}

pub(crate) fn pose(position: [f64; 3], rotation: [f64; 4]) -> Pose {
    Pose::from_parts(vector(position), DQuat::from_array(rotation).normalize().as_quat())
}

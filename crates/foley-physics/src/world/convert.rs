//! Conversion between double precision and Rapier's single precision.

use glam::{DQuat, DVec3};
use rapier3d::math::{Pose, Vector};

pub(crate) fn vector(v: [f64; 3]) -> Vector {
    DVec3::from(v).as_vec3()
}

pub(crate) fn pose(position: [f64; 3], rotation: [f64; 4]) -> Pose {
    Pose::from_parts(vector(position), DQuat::from_array(rotation).normalize().as_quat())
}

/// Position and rotation in double precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
}

impl Frame {
    pub(crate) fn of(pose: &Pose) -> Self {
        let rotation = pose.rotation.as_dquat().normalize();
        Self { position: pose.translation.as_dvec3(), rotation }
    }

    pub(crate) fn to_world(self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }

    /// Returns the world frame of a part given in this frame.
    pub(crate) fn then(self, part: Self) -> Self {
        Self { position: self.to_world(part.position), rotation: self.rotation * part.rotation }
    }

    pub(crate) fn to_local(self, world: DVec3) -> DVec3 {
        self.rotation.inverse() * (world - self.position)
    }
}

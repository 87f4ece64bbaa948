//! Conversion between double precision and Rapier's single precision.

use glam::{DQuat, DVec3};
use rapier3d::math::{Pose, Rotation, Vector};

pub(crate) fn vector(v: [f64; 3]) -> Vector {
    Vector::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

pub(crate) fn precise(v: Vector) -> DVec3 {
    DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z))
}

pub(crate) fn pose(position: [f64; 3], rotation: [f64; 4]) -> Pose {
    let q = DQuat::from_array(rotation).normalize();
    Pose::from_parts(
        vector(position),
        Rotation::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32),
    )
}

/// Position and rotation in double precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
}

impl Frame {
    pub(crate) fn of(pose: &Pose) -> Self {
        let q = pose.rotation;
        let rotation =
            DQuat::from_xyzw(f64::from(q.x), f64::from(q.y), f64::from(q.z), f64::from(q.w));
        Self { position: precise(pose.translation), rotation: rotation.normalize() }
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

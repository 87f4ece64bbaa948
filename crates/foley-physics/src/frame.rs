//! Position and rotation in double precision.

use foley_geometry::Pose;
use glam::{DQuat, DVec3};
use rapier3d::math::Pose as RapierPose;

/// A coordinate system within another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
}

impl Frame {
    pub(crate) fn of(pose: &RapierPose) -> Self {
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

impl From<Pose> for Frame {
    fn from(pose: Pose) -> Self {
        let (position, rotation) = (pose.position_m.into(), DQuat::from_array(pose.rotation));
        Self { position, rotation }
    }
}

impl From<Frame> for Pose {
    fn from(frame: Frame) -> Self {
        let (position, rotation) = (frame.position, frame.rotation);
        Self { position_m: position.to_array(), rotation: rotation.to_array() }
    }
}

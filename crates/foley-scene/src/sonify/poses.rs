//! The current poses of all objects.

use crate::scene::{Motion, Scene};
use foley_geometry::Pose;
use foley_physics::PoseEvent;

/// Poses of all objects after the last pose event of each.
#[derive(Debug, Clone)]
pub(super) struct Poses {
    poses: Vec<Pose>,
}

impl Poses {
    pub(super) fn new(scene: &Scene) -> Self {
        let pose = |object: &crate::scene::Object| match &object.motion {
            Motion::Path(_) => object.motion.pose_at(0.0).unwrap_or(object.pose),
            _ => object.pose,
        };
        Self { poses: scene.objects.iter().map(pose).collect() }
    }

    /// Returns the pose of an object.
    pub(super) fn of(&self, object: usize) -> Option<Pose> {
        self.poses.get(object).copied()
    }

    /// Sets the pose of an object, which may be the first behind the last.
    pub(super) fn set(&mut self, object: usize, pose: Pose) {
        match self.poses.get_mut(object) {
            Some(old) => *old = pose,
            None => self.poses.push(pose),
        }
    }

    pub(super) fn update(&mut self, event: &PoseEvent) {
        if let Some(pose) = self.poses.get_mut(event.body as usize) {
            *pose = Pose { position_m: event.position, rotation: event.rotation };
        }
    }

    /// Transforms a point of an object to world coordinates.
    pub(super) fn point_to_world(&self, object: usize, place: [f64; 3]) -> [f64; 3] {
        self.poses.get(object).map_or(place, |pose| pose.apply(place))
    }

    /// Transforms a world direction to the coordinates of an object.
    pub(super) fn direction_to_object(&self, object: usize, direction: [f64; 3]) -> [f64; 3] {
        self.poses.get(object).map_or(direction, |pose| pose.rotate_back(direction))
    }
}

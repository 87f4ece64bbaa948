//! Where everything is, as last told.

use crate::scene::pose::{Pose, rotate};
use crate::scene::{Motion, Scene};
use foley_physics::Pose as Told;

/// Poses of all objects, now.
#[derive(Debug, Clone)]
pub(super) struct Scenery {
    poses: Vec<Pose>,
}

impl Scenery {
    pub(super) fn new(scene: &Scene) -> Self {
        let pose = |object: &crate::scene::Object| match &object.motion {
            Motion::Path(_) => object.motion.pose_at(0.0).unwrap_or(object.pose),
            _ => object.pose,
        };
        Self { poses: scene.objects.iter().map(pose).collect() }
    }

    pub(super) fn hear(&mut self, told: &Told) {
        if let Some(pose) = self.poses.get_mut(told.body as usize) {
            *pose = Pose { position_m: told.position, rotation: told.rotation };
        }
    }

    /// A place of an object, in the world.
    pub(super) fn place(&self, object: usize, place: [f64; 3]) -> [f64; 3] {
        self.poses.get(object).map_or(place, |pose| pose.apply(place))
    }

    /// A direction of the world, as an object sees it.
    pub(super) fn seen_by(&self, object: usize, direction: [f64; 3]) -> [f64; 3] {
        let Some(pose) = self.poses.get(object) else { return direction };
        let [x, y, z, w] = pose.rotation;
        rotate([-x, -y, -z, w], direction)
    }
}

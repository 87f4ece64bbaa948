//! Poses of all objects at any time, interpolated between pose events.

use foley_physics::{Event, PoseEvent};
use foley_scene::Scene;
use foley_scene::scene::Pose;
use foley_scene::sonify::SceneEvent;

/// Longest interval between poses of a moving body, s; over longer ones it sleeps.
const SLEPT_S: f64 = 0.25;

/// The poses of all objects.
#[derive(Debug)]
pub(crate) struct PoseTimeline<'a> {
    scene: &'a Scene,
    /// Pose events of each object, in order of time.
    poses: Vec<Vec<&'a PoseEvent>>,
}

impl<'a> PoseTimeline<'a> {
    pub(crate) fn new(scene: &'a Scene, all: &'a [SceneEvent]) -> Self {
        let mut poses = vec![Vec::new(); scene.objects.len()];
        for one in all {
            if let SceneEvent::Physics(Event::Pose(pose)) = one
                && let Some(own) = poses.get_mut(pose.body as usize)
            {
                own.push(pose);
            }
        }
        for own in &mut poses {
            own.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        }
        Self { scene, poses }
    }

    /// Returns whether an object ever moves.
    pub(crate) fn moves(&self, object: usize) -> bool {
        self.poses[object].windows(2).any(|pair| {
            pair[0].position != pair[1].position || pair[0].rotation != pair[1].rotation
        })
    }

    /// Returns the pose of an object: interpolated between events, constant before and after.
    pub(crate) fn at(&self, object: usize, at_s: f64) -> Pose {
        let poses = &self.poses[object];
        let next = poses.partition_point(|pose| pose.at_s <= at_s);
        let held = |pose: &PoseEvent| Pose { position_m: pose.position, rotation: pose.rotation };
        match (next.checked_sub(1).map(|k| poses[k]), poses.get(next)) {
            (None, None) => {
                let object = &self.scene.objects[object];
                object.motion.pose_at(at_s).unwrap_or(object.pose)
            }
            (Some(a), Some(b)) if b.at_s - a.at_s <= SLEPT_S => {
                let part = (at_s - a.at_s) / (b.at_s - a.at_s);
                held(a).interpolate(&held(b), part)
            }
            (Some(a), _) => held(a),
            (None, Some(b)) => held(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_body_is_between_its_poses() {
        let scene = Scene::parse(
            "[[object]]\nshape = \"ball:20mm\"\nmaterial = \"steel\"\nposition = [0, 0, 9]",
        );
        let scene = scene.unwrap();
        let pose = |at_s: f64| {
            let height = 1.0 - 4.905 * at_s * at_s;
            SceneEvent::Physics(Event::Pose(PoseEvent {
                at_s,
                body: 0,
                position: [0.0, 0.0, height],
                rotation: [0.0, 0.0, 0.0, 1.0],
                velocity: [0.0; 3],
            }))
        };
        let events: Vec<SceneEvent> = (0..100).map(|k| pose(f64::from(k) / 240.0)).collect();
        let timeline = PoseTimeline::new(&scene, &events);
        assert!(timeline.moves(0));
        for at_s in [0.0, 0.1, 0.1234, 0.3] {
            let height = timeline.at(0, at_s).position_m[2];
            // Linear interpolation of a parabola errs by g Δt² / 8.
            assert!((height - (1.0 - 4.905 * at_s * at_s)).abs() < 2.2e-5, "{at_s}: {height}");
        }
        let end = timeline.at(0, 99.0 / 240.0);
        assert_eq!(timeline.at(0, 5.0), end);
        assert_eq!(PoseTimeline::new(&scene, &[]).at(0, 1.0).position_m, [0.0, 0.0, 9.0]);
    }
}

//! Hail impacts on the objects of a scene, in order of time.

use crate::prepare::Prepared;
use crate::scene::Scene;
use foley_geometry::Pose;
use foley_hail::{Impact, ImpactSource};
use foley_physics::HailImpact;
use glam::DVec3;

use super::{HailGeometry, ImpactBackend};
use crate::sonify::SonifyError;

/// Length of the interval for which impacts are found at a time, s: shorter than the look-ahead of live
/// playing, so that a request never computes much more than it needs.
const FRAME_S: f64 = 1.0 / 128.0;

/// Numbers of hailstones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct HailCounts {
    /// Stones that left the cloud.
    pub emitted: u64,
    /// Stones that struck a sounding object.
    pub impacts: u64,
    /// Stones whose impact excited an object.
    pub sounded: u64,
}

/// The hail impacts of a scene.
pub(crate) struct HailEvents {
    geometry: HailGeometry,
    source: Box<dyn ImpactSource>,
    restitution: f64,
    /// Poses of the sounding objects.
    sounding: Vec<Option<Pose>>,
    /// Impacts of the current interval in order of time, and the index of the next one.
    due: Vec<Impact>,
    next: usize,
    impacts: u64,
    asked_s: f64,
}

impl HailEvents {
    /// Starts at the scene's beginning; `None` for a scene without hail.
    pub(crate) fn new(
        scene: &Scene,
        prepared: &Prepared,
        hail_backend: &ImpactBackend,
    ) -> Result<Option<Self>, SonifyError> {
        let Some(geometry) = HailGeometry::new(scene, prepared)? else { return Ok(None) };
        let objects = scene.objects.iter().zip(&prepared.objects);
        let sounding =
            objects.map(|(object, prepared)| prepared.model.as_ref().map(|_| object.pose));
        Ok(Some(Self {
            source: hail_backend.start(geometry.simulation())?,
            restitution: geometry.restitution(),
            sounding: sounding.collect(),
            due: Vec::new(),
            next: 0,
            impacts: 0,
            asked_s: 0.0,
            geometry,
        }))
    }

    /// Returns the next impact on a sounding object if it is before `time_s`.
    pub(crate) fn next_before(&mut self, time_s: f64) -> Result<Option<HailImpact>, SonifyError> {
        self.asked_s = self.asked_s.max(time_s);
        loop {
            while let Some(impact) = self.due.get(self.next).filter(|next| next.at_s < time_s) {
                self.next += 1;
                self.impacts += 1;
                let object = self.geometry.object_of(impact.target);
                if let Some(pose) = self.sounding.get(object as usize).copied().flatten() {
                    return Ok(Some(stone(impact, object, &pose, self.restitution)));
                }
            }
            let now_s = self.source.now_s();
            if self.next < self.due.len() || now_s >= time_s {
                return Ok(None);
            }
            self.due.clear();
            self.next = 0;
            let found = self.source.advance(now_s + FRAME_S, &mut self.due);
            found.map_err(SonifyError::ImpactBackend)?;
        }
    }

    pub(crate) fn backend_name(&self) -> String {
        self.source.name()
    }

    pub(crate) fn counts(&self) -> HailCounts {
        let emitted = self.geometry.simulation().emitter().settings();
        let emitted = (self.asked_s - emitted.from_s).max(0.0) * emitted.per_second;
        HailCounts { emitted: emitted as u64, impacts: self.impacts, sounded: 0 }
    }
}

/// Converts an impact into the coordinates of the struck object.
fn stone(impact: &Impact, object: u32, pose: &Pose, restitution: f64) -> HailImpact {
    let from_origin = DVec3::from(impact.position_m) - DVec3::from(pose.position_m);
    HailImpact {
        at_s: impact.at_s,
        body: object,
        place: pose.rotate_back(from_origin.to_array()),
        normal: impact.normal,
        speed_m_s: impact.normal_speed_m_s(),
        mass_kg: impact.mass_kg,
        radius_m: impact.radius_m,
        restitution,
    }
}

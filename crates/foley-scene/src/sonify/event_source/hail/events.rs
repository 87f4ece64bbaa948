//! Hail as it falls: which stones strike what, in order of time.

use crate::prepare::Prepared;
use crate::scene::Scene;
use crate::scene::pose::{Pose, rotate};
use foley_hail::{Impact, ImpactSource};
use foley_physics::HailImpact;

use super::{HailGeometry, ImpactBackend};
use crate::sonify::SonifyError;

/// Impacts are found for so long at once, s.
const FRAME_S: f64 = 1.0 / 128.0;

/// How many stones there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct HailCounts {
    /// Left the cloud.
    #[serde(rename = "fell")]
    pub emitted: u64,
    /// Struck something that sounds.
    #[serde(rename = "struck")]
    pub impacts: u64,
    /// Were sounded.
    #[serde(rename = "heard")]
    pub sounded: u64,
}

/// The hail over a scene.
pub(crate) struct HailEvents {
    geometry: HailGeometry,
    source: Box<dyn ImpactSource>,
    restitution: f64,
    /// Where the objects are that sound.
    sounding: Vec<Option<Pose>>,
    /// Impacts of this frame, those still to come last, and the next of them.
    due: Vec<Impact>,
    next: usize,
    impacts: u64,
    asked_s: f64,
}

impl HailEvents {
    /// From the scene's beginning on; none where there is no hail.
    pub(crate) fn new(
        scene: &Scene,
        prepared: &Prepared,
        hail_backend: &ImpactBackend,
    ) -> Result<Option<Self>, SonifyError> {
        let Some(geometry) = HailGeometry::new(scene, prepared)? else { return Ok(None) };
        let objects = scene.objects.iter().zip(&prepared.objects);
        let sounding = objects.map(|(object, thing)| thing.model.as_ref().map(|_| object.pose));
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

    /// The next stone that strikes something that sounds, if that is before a time.
    pub(crate) fn next_before(&mut self, time_s: f64) -> Result<Option<HailImpact>, SonifyError> {
        self.asked_s = self.asked_s.max(time_s);
        loop {
            while let Some(impact) = self.due.get(self.next).filter(|next| next.at_s < time_s) {
                self.next += 1;
                self.impacts += 1;
                let object = self.geometry.object_of(impact.collider);
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

    /// Who finds impacts, in words.
    pub(crate) fn backend_name(&self) -> String {
        self.source.name()
    }

    pub(crate) fn counts(&self) -> HailCounts {
        let emitted = self.geometry.simulation().emitter().settings();
        let emitted = (self.asked_s - emitted.from_s).max(0.0) * emitted.per_second;
        HailCounts { emitted: emitted as u64, impacts: self.impacts, sounded: 0 }
    }
}

/// A stone as the body it strikes sees it.
fn stone(impact: &Impact, object: u32, pose: &Pose, restitution: f64) -> HailImpact {
    let [x, y, z, w] = pose.rotation;
    let from_origin = [0, 1, 2].map(|k| impact.position_m[k] - pose.position_m[k]);
    HailImpact {
        at_s: impact.at_s,
        body: object,
        place: rotate([-x, -y, -z, w], from_origin),
        normal: impact.normal,
        speed_m_s: impact.normal_speed_m_s(),
        mass_kg: impact.mass_kg,
        radius_m: impact.radius_m,
        restitution,
    }
}

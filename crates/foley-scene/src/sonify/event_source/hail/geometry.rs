//! Geometry of hail: the emitter of a scene and its targets, the surfaces of fixed objects.

use crate::prepare::Prepared;
use crate::scene::{Motion, Scene};
use foley_hail::{HailError, HailSimulation, Surface, Target, TargetSet};
use std::sync::Arc;

use crate::sonify::SonifyError;

/// The hail simulation of a scene. Stones are a pure function of the scene: they can be asked for at
/// any time, in any order.
#[derive(Debug, Clone)]
pub struct HailGeometry {
    simulation: Arc<HailSimulation>,
    /// The object number of each target.
    objects: Arc<[u32]>,
    restitution: f64,
}

impl HailGeometry {
    /// Creates the hail of a scene; `None` for a scene without hail.
    pub fn new(scene: &Scene, prepared: &Prepared) -> Result<Option<Self>, SonifyError> {
        let Some(hail) = scene.hail else { return Ok(None) };
        let (mut targets, mut objects) = (Vec::new(), Vec::new());
        for (number, (object, geometry)) in (0..).zip(scene.objects.iter().zip(&prepared.objects)) {
            if object.motion != Motion::Fixed {
                continue;
            }
            let Some(collider) = &geometry.collider else { continue };
            let surfaces = Surface::of_collider(collider, &object.pose);
            let name = |source| SonifyError::HailCollider { object: object.name.clone(), source };
            for surface in surfaces.map_err(name)? {
                let target = Target::new(surface);
                targets.push(match geometry.model {
                    Some(_) => target,
                    None => target.silent(),
                });
                objects.push(number);
            }
        }
        let targets = TargetSet::new(targets).map_err(|source| match source {
            HailError::Number { target, .. } | HailError::Surface { target, .. } => {
                let object = objects.get(target).and_then(|o| scene.objects.get(*o as usize));
                let object = object.map(|object| object.name.clone()).unwrap_or_default();
                SonifyError::HailCollider { object, source }
            }
            other => other.into(),
        })?;
        let bounds = targets.bounds();
        let from_s = hail.from_s.unwrap_or_else(|| match bounds.is_empty() {
            true => 0.0,
            // Early enough that stones reach the highest target at time 0. A target above the
            // cloud is struck at once.
            false => -hail
                .fastest_trajectory(scene.gravity_m_s2)
                .sinks_below(bounds.hi[2])
                .unwrap_or(0.0),
        });
        let emitter = hail.emitter(scene.seed, scene.gravity_m_s2, from_s)?;
        let simulation = Arc::new(HailSimulation::new(emitter, targets)?);
        Ok(Some(Self { simulation, objects: objects.into(), restitution: hail.restitution }))
    }

    /// Returns the simulation of the stones and their impacts.
    pub fn simulation(&self) -> &Arc<HailSimulation> {
        &self.simulation
    }

    /// Returns the number of the object that a target of the simulation belongs to.
    pub fn object_of(&self, target: u32) -> u32 {
        self.objects.get(target as usize).copied().unwrap_or(u32::MAX)
    }

    /// Returns the coefficient of restitution of the stones.
    pub fn restitution(&self) -> f64 {
        self.restitution
    }
}

//! Geometry of hail: the emitter of a scene and its targets, the surfaces of fixed objects.

use crate::prepare::Prepared;
use crate::scene::hail::Hail;
use crate::scene::{Motion, Pose, Scene};
use foley_geometry::Collider;
use foley_hail::{CloudShape, HailError, HailSimulation, Surface, Target, TargetSet};
use glam::DVec3;
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
        check_triangles(scene, prepared)?;
        let (mut targets, mut objects) = (Vec::new(), Vec::new());
        for (number, (object, geometry)) in (0..).zip(scene.objects.iter().zip(&prepared.objects)) {
            if object.motion != Motion::Fixed {
                continue;
            }
            let Some(collider) = &geometry.collider else { continue };
            let name = |source| SonifyError::HailCollider { object: object.name.clone(), source };
            let surfaces = match &**collider {
                Collider::HalfSpace => Ok(vec![plane_below(&hail, scene, &object.pose)]),
                collider => Surface::of_collider(collider, &object.pose),
            };
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

/// Most triangles that hail strikes.
const MAX_TRIANGLES: u64 = 10_000_000;

/// Checks the number of triangles of all fixed objects before any is put in its place: instances of a
/// mesh share it elsewhere, but not here.
fn check_triangles(scene: &Scene, prepared: &Prepared) -> Result<(), SonifyError> {
    let mut found = 0;
    for (object, geometry) in scene.objects.iter().zip(&prepared.objects) {
        let Some(Collider::Mesh { triangles, .. }) = geometry.collider.as_deref() else { continue };
        found += if object.motion == Motion::Fixed { triangles.len() as u64 } else { 0 };
        if found > MAX_TRIANGLES {
            let (what, limit) = ("triangles of fixed objects", MAX_TRIANGLES);
            let remedy = "simplify their meshes";
            let source = HailError::TooMany { what, found, limit, remedy };
            return Err(SonifyError::HailCollider { object: object.name.clone(), source });
        }
    }
    Ok(())
}

/// Range of the distance beyond the edge of the cloud up to which stones can land, m: steep planes have no end where stones fall
/// along them.
const REACH_M: [f64; 2] = [1e4, 5e5];

/// Returns the plane of a half-space around the foot of the cloud, as far as the slowest stones can land with the wind while the
/// cloud drifts.
fn plane_below(hail: &Hail, scene: &Scene, half_space: &Pose) -> Surface {
    let origin = DVec3::from(half_space.position_m);
    let [across, along, up] =
        [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| DVec3::from(half_space.rotate(axis.to_array())));
    let cloud = DVec3::from(hail.cloud.centre_m);
    let foot = cloud - up * up.dot(cloud - origin);
    let half_m = match hail.cloud.shape {
        CloudShape::Disc { radius_m } => radius_m,
        CloudShape::Rectangle { size_m: [x, y] } => 0.5 * x.hypot(y),
    };
    let slowest = hail.slowest_trajectory(scene.gravity_m_s2);
    // Below the foot, where the plane is inclined.
    let lowest_m = foot.z - half_m;
    let carried_m = slowest.sinks_below(lowest_m).map_or(f64::INFINITY, |seconds| {
        let [x, y, _] = slowest.position_at(seconds);
        (x - cloud.x).hypot(y - cloud.y)
    });
    let [x, y] = hail.cloud.drift_m_s;
    let drift_m = x.hypot(y) * (scene.seconds + hail.from_s.map_or(0.0, f64::abs));
    let half_m = half_m + (2.0 * (carried_m + drift_m)).clamp(REACH_M[0], REACH_M[1]);
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corner = |[x, y]: [f64; 2]| (foot + half_m * (x * across + y * along)).to_array();
    Surface::Quad { corners_m: corners.map(corner) }
}

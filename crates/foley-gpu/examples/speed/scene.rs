//! A garden with all kinds of targets, and hail over it.

use crate::Failure;
use foley_hail::bvh::TargetMesh;
use foley_hail::{
    Cloud, FallModel, HailSettings, HailSimulation, ParticleEmitter, Surface, Target, TargetSet,
};
use std::sync::Arc;

pub(crate) fn straight() -> FallModel {
    FallModel::straight([0.8, -0.4])
}

pub(crate) fn accelerated() -> FallModel {
    FallModel::Accelerated {
        wind_m_s2: [0.3, -0.2, 0.0],
        velocity_m_s: [0.0, 0.0, -2.0],
        spread_m_s: 0.5,
    }
}

/// A million stones per second from a cloud at 20 m.
pub(crate) fn near(fall: FallModel) -> Result<Arc<HailSimulation>, Failure> {
    let cloud = Cloud::disc([0.0, 0.0, 20.0], 6.0);
    simulation(HailSettings::default().with_per_second(1e6).with_cloud(cloud).with_fall(fall))
}

/// A given number of stones in flight at up to a million per second: the height of the cloud sets the time of
/// flight.
pub(crate) fn in_flight(stones: u64) -> Result<Arc<HailSimulation>, Failure> {
    let usual = HailSettings::default();
    let r4 = usual.energies_j[0] / usual.ice.energy_per_r4(usual.gravity_m_s2);
    let slowest = usual.ice.terminal_m_s(r4.sqrt().sqrt(), usual.gravity_m_s2);
    // All stones fall as slowly as the slowest of the default.
    let energies_j = [usual.energies_j[0]; 2];
    let seconds = (stones as f64 / 1e6).max(1.0);
    let per_second = (stones as f64 / seconds).max(1.0);
    let cloud = Cloud::disc([0.0, 0.0, slowest * seconds], 6.0);
    let fall = FallModel::straight([0.0; 2]);
    simulation(
        usual
            .with_per_second(per_second)
            .with_cloud(cloud)
            .with_fall(fall)
            .with_energies_j(energies_j),
    )
}

fn simulation(hail: HailSettings) -> Result<Arc<HailSimulation>, Failure> {
    Ok(Arc::new(HailSimulation::new(ParticleEmitter::new(hail)?, TargetSet::new(garden()?)?)?))
}

fn garden() -> Result<Vec<Target>, Failure> {
    let quad = |corners_m| Surface::Quad { corners_m };
    let surfaces = [
        quad([[-1.0, -1.0, 0.8], [1.0, -1.0, 0.8], [1.0, 1.0, 0.8], [-1.0, 1.0, 0.8]]),
        quad([[2.0, -2.0, 2.0], [4.0, -2.0, 3.0], [4.0, 2.0, 3.0], [2.0, 2.0, 2.0]]),
        quad([[-4.0, -2.0, 3.0], [-2.0, -2.0, 2.0], [-2.0, 2.0, 2.0], [-4.0, 2.0, 3.0]]),
        Surface::Disc {
            centre_m: [0.0, 2.5, 1.0],
            axis_u_m: [0.8, 0.0, 0.1],
            axis_v_m: [0.0, 0.5, 0.0],
        },
        Surface::Sphere { centre_m: [-1.5, 3.0, 0.8], radius_m: 0.5 },
        Surface::Cylinder { base_m: [1.6, 3.0, 0.0], axis_m: [0.0, 0.0, 1.0], radius_m: 0.4 },
        Surface::Cone {
            base_m: [0.0, -3.0, 0.0],
            axis_m: [0.0, 0.0, 1.2],
            base_radius_m: 0.6,
            top_radius_m: 0.0,
        },
        Surface::Mesh(Arc::new(hill()?)),
    ];
    Ok(surfaces.into_iter().map(Target::new).collect())
}

/// A mesh of two thousand triangles.
fn hill() -> Result<TargetMesh, Failure> {
    let n = 32_u32;
    let position = |k: u32| {
        let [x, y] = [k % (n + 1), k / (n + 1)].map(|i| f64::from(i) / f64::from(n) * 2.0);
        [1.5 + x, -5.0 + y, 0.3 + 0.2 * (3.0 * x).sin() * (2.0 * y).cos()]
    };
    let cell = |k: u32| {
        let a = (k / n) * (n + 1) + k % n;
        [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
    };
    let vertices = (0..(n + 1) * (n + 1)).map(position).collect();
    Ok(TargetMesh::new(vertices, (0..n * n).flat_map(cell).collect())?)
}

//! Helpers of several tests.
#![allow(dead_code, missing_docs, unreachable_pub)]

use foley_hail::{
    Cloud, FallModel, HailSettings, HailSimulation, ParticleEmitter, Surface, Target, TargetSet,
    Trajectory, random,
};
use glam::DVec3;

/// Random numbers for tests, from the hash of the stones with another salt.
pub(crate) struct TestRng(u64);

impl TestRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed << 32)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.0 += 1;
        random::fractions(self.0, 99, 77)[1]
    }

    pub(crate) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    pub(crate) fn vector(&mut self, reach: f64) -> DVec3 {
        [(); 3].map(|()| self.between(-reach, reach)).into()
    }

    /// A trajectory from above through the middle of a scene a few metres wide; straight in a quarter of the
    /// cases.
    pub(crate) fn trajectory(&mut self) -> Trajectory {
        let (through, t) = (self.vector(1.5), self.between(0.5, 1.5));
        let v = self.vector(3.0);
        let straight = self.unit() < 0.25;
        let a = match straight {
            true => DVec3::ZERO,
            false => DVec3::new(self.between(-6.0, 6.0), self.between(-6.0, 6.0), -9.81),
        };
        let v = v - DVec3::Z * if straight { 8.0 } else { 2.0 };
        Trajectory {
            position_m: (through - t * v - 0.5 * t * t * a).into(),
            velocity_m_s: v.into(),
            acceleration_m_s2: a.into(),
        }
    }
}

/// A horizontal rectangle.
pub(crate) fn level([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], z: f64) -> Surface {
    Surface::Quad { corners_m: [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]] }
}

/// Heavy hail from a wide cloud.
pub(crate) fn heavy(fall: FallModel) -> HailSettings {
    HailSettings::default()
        .with_per_second(200_000.0)
        .with_cloud(Cloud::disc([0.0, 0.0, 20.0], 8.0))
        .with_fall(fall)
}

pub(crate) fn simulation(
    hail: HailSettings,
    targets: impl IntoIterator<Item = Surface>,
) -> HailSimulation {
    let targets = targets.into_iter().map(Target::new);
    HailSimulation::new(ParticleEmitter::new(hail).unwrap(), TargetSet::new(targets).unwrap())
        .unwrap()
}

/// One random surface of each of the six kinds.
pub(crate) fn one_of_each(rng: &mut TestRng) -> Vec<Surface> {
    let centre_m = rng.vector(2.0);
    let [u, v] = [rng.vector(1.0), rng.vector(1.0)];
    let v = v - u.dot(v) / u.dot(u) * u;
    let corner = |a: f64, b: f64| (centre_m + a * u + b * v).to_array();
    // A convex quadrilateral: the corners of a rectangle, each moved along the diagonal.
    let mut pull = || rng.between(0.6, 1.4);
    let corners_m = [
        corner(-pull(), -pull()),
        corner(pull(), -pull()),
        corner(pull(), pull()),
        corner(-pull(), pull()),
    ];
    let disc =
        Surface::Disc { centre_m: rng.vector(2.0).into(), axis_u_m: u.into(), axis_v_m: v.into() };
    let sphere =
        Surface::Sphere { centre_m: rng.vector(2.0).into(), radius_m: rng.between(0.2, 1.0) };
    let cylinder = Surface::Cylinder {
        base_m: rng.vector(2.0).into(),
        axis_m: rng.vector(1.5).into(),
        radius_m: rng.between(0.2, 1.0),
    };
    let cone = Surface::Cone {
        base_m: rng.vector(2.0).into(),
        axis_m: rng.vector(1.5).into(),
        base_radius_m: rng.between(0.3, 1.0),
        top_radius_m: (rng.between(-0.5, 0.8)).max(0.0),
    };
    let vertices: Vec<[f64; 3]> = (0..12).map(|_| rng.vector(2.0).into()).collect();
    let triangles = (0..10).map(|k| [k, k + 1, k + 2]).collect();
    let mesh = foley_hail::bvh::TargetMesh::new(vertices, triangles).unwrap();
    vec![Surface::Quad { corners_m }, disc, sphere, cylinder, cone, Surface::Mesh(mesh.into())]
}

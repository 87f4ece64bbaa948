//! Helpers of several tests.
#![allow(dead_code, missing_docs, unreachable_pub)]

pub(crate) mod program;

use foley_gpu::{AdapterPreference, Gpu, GpuError};
use foley_hail::bvh::TargetMesh;
use foley_hail::{
    Cloud, FallModel, HailSettings, HailSimulation, Impact, PartRole, ParticleEmitter, Region,
    Surface, Target, TargetSet,
};
use std::io::Write;
use std::sync::Arc;

/// Opens the software rasteriser. Without one, tests fail unless `FOLEY_REQUIRE_GPU=0` is set, which skips them.
pub(crate) fn gpu(test: &str) -> Option<Arc<Gpu>> {
    match Gpu::open(AdapterPreference::Software) {
        Ok(gpu) => Some(Arc::new(gpu)),
        Err(error @ GpuError::NoAdapter { .. }) => {
            let what = format!("{test}: {error}");
            let required = std::env::var("FOLEY_REQUIRE_GPU").map_or(true, |value| value != "0");
            assert!(!required, "{what}; FOLEY_REQUIRE_GPU=0 skips such tests");
            let _ = writeln!(std::io::stderr(), "SKIPPED {what}");
            None
        }
        Err(error) => panic!("{test}: {error}"),
    }
}

/// A hilly mesh.
fn hills(at: [f64; 2], n: u32) -> TargetMesh {
    let position = |i: u32, j: u32| {
        let [x, y] = [i, j].map(|k| f64::from(k) / f64::from(n) * 3.0);
        [at[0] + x, at[1] + y, 0.4 + 0.3 * (3.0 * x).sin() * (2.0 * y).cos()]
    };
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| position(i, j))).collect();
    let corner = |i: u32, j: u32| j * (n + 1) + i;
    let triangles = (0..n * n)
        .flat_map(|k| {
            let (i, j) = (k % n, k / n);
            let [a, b, c, d] =
                [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    TargetMesh::new(vertices, triangles).unwrap()
}

/// All kinds of targets: vertical, tilted and horizontal, with parts and holes.
pub(crate) fn all_kinds() -> Vec<Target> {
    let quad = |corners_m| Target::new(Surface::Quad { corners_m });
    let hole = |centre_uv, radii_uv| Region::Ellipse { centre_uv, radii_uv };
    vec![
        // A table with a plate, and a hole for the sunshade.
        quad([[-1.0, -1.0, 0.8], [1.0, -1.0, 0.8], [1.0, 1.0, 0.8], [-1.0, 1.0, 0.8]])
            .with_part(hole([0.5, 0.5], [0.1, 0.1]), PartRole::Hole)
            .with_part(hole([0.25, 0.3], [0.1, 0.15]), PartRole::Sounding(1)),
        // A tilted roof that is not a rectangle; a wall.
        quad([[2.0, -2.0, 2.0], [4.5, -2.0, 3.0], [4.2, 1.0, 3.0 - 0.12], [2.0, 1.3, 2.0]]),
        quad([[-3.0, -3.0, 0.0], [-3.0, 0.0, 0.0], [-3.0, 0.0, 2.5], [-3.0, -3.0, 2.5]]).with_part(
            Region::Rectangle { from_uv: [0.3, 0.3], to_uv: [0.7, 0.8] },
            PartRole::Hole,
        ),
        // The ground.
        quad([[-6.0, -6.0, 0.0], [6.0, -6.0, 0.0], [6.0, 6.0, 0.0], [-6.0, 6.0, 0.0]]),
        Target::new(Surface::Disc {
            centre_m: [0.0, 2.5, 1.2],
            axis_u_m: [0.9, 0.0, 0.2],
            axis_v_m: [0.0, 0.5, 0.0],
        }),
        Target::new(Surface::Sphere { centre_m: [-2.0, 2.0, 1.0], radius_m: 0.6 }),
        Target::new(Surface::Cylinder {
            base_m: [2.5, 2.8, 0.0],
            axis_m: [0.0, 0.0, 1.1],
            radius_m: 0.4,
        }),
        Target::new(Surface::Cylinder {
            base_m: [-1.0, -2.5, 0.5],
            axis_m: [1.5, 0.3, 0.4],
            radius_m: 0.25,
        })
        .with_part(Region::Rectangle { from_uv: [0.1, 0.4], to_uv: [0.4, 0.6] }, PartRole::Hole),
        Target::new(Surface::Cone {
            base_m: [0.6, -3.0, 0.0],
            axis_m: [0.1, 0.0, 1.3],
            base_radius_m: 0.7,
            top_radius_m: 0.0,
        }),
        Target::new(Surface::Cone {
            base_m: [-2.4, -2.4, 0.4],
            axis_m: [0.4, 0.2, 0.9],
            base_radius_m: 0.2,
            top_radius_m: 0.5,
        }),
        Target::new(Surface::Mesh(hills([1.0, -5.5], 24).into())).with_part(
            Region::Rectangle { from_uv: [0.2, 0.2], to_uv: [0.5, 0.6] },
            PartRole::Sounding(3),
        ),
    ]
}

/// A few targets 800 km from the origin.
pub(crate) fn far_away() -> Vec<Target> {
    let x = 800_000.0;
    let corners_m = [[x, 0.0, 0.5], [x + 3.0, 0.5, 0.5], [x + 3.0, 3.0, 1.0], [x, 2.5, 1.0]];
    vec![
        Target::new(Surface::Sphere { centre_m: [x - 2.0, 1.0, 0.7], radius_m: 0.9 }),
        Target::new(Surface::Quad { corners_m }),
        Target::new(Surface::Cylinder {
            base_m: [x, -3.0, 0.0],
            axis_m: [0.5, 0.5, 1.5],
            radius_m: 0.6,
        }),
    ]
}

/// Heavy hail over all kinds of targets.
pub(crate) fn heavy(fall: FallModel) -> HailSettings {
    HailSettings::default()
        .with_per_second(1_000_000.0)
        .with_from_s(3.0)
        .with_cloud(Cloud::disc([-1.5, 0.8, 20.0], 6.5).drifting([0.5, -0.2]))
        .with_fall(fall)
}

/// Less of it, accelerated.
pub(crate) fn drizzle() -> HailSettings {
    heavy(accelerated()).with_per_second(50_000.0)
}

/// Gravity, a wind and a velocity spread.
pub(crate) fn accelerated() -> FallModel {
    FallModel::Accelerated {
        wind_m_s2: [0.4, -0.3, 0.1],
        velocity_m_s: [0.2, 0.1, -2.0],
        spread_m_s: 0.8,
    }
}

pub(crate) fn simulation(hail: HailSettings) -> Arc<HailSimulation> {
    simulation_on(hail, all_kinds())
}

pub(crate) fn simulation_on(hail: HailSettings, targets: Vec<Target>) -> Arc<HailSimulation> {
    Arc::new(
        HailSimulation::new(ParticleEmitter::new(hail).unwrap(), TargetSet::new(targets).unwrap())
            .unwrap(),
    )
}

/// Asserts equality bit by bit.
pub(crate) fn assert_same(found: &[Impact], expected: &[Impact]) {
    assert_eq!(found.len(), expected.len());
    for (one, two) in found.iter().zip(expected) {
        assert_eq!(one, two);
    }
}

/// Returns the number of impacts that differ in any bit, or that one of them lacks.
pub(crate) fn different(found: &[Impact], expected: &[Impact]) -> f64 {
    let differ = found.iter().zip(expected).filter(|(one, two)| one != two).count();
    (differ + found.len().abs_diff(expected.len())) as f64
}

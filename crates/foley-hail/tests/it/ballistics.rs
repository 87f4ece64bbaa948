//! Times and positions of hits against textbook ballistics.

use crate::common;

use common::*;
use foley_geometry::constants::GRAVITY_M_S2 as G;
use foley_hail::bvh::TargetMesh;
use foley_hail::{
    FallModel, HailSettings, Ice, ParticleEmitter, Surface, Target, TargetSet, Trajectory,
};
use glam::DVec3;

/// Drops a stone from 12 m, at rest or at 15 m/s, on a target whose surface is at height `z`.
fn drop(surface: Surface, [x, y]: [f64; 2], z: f64) {
    let targets = TargetSet::new([Target::new(surface.clone())]).unwrap();
    let from_rest = Trajectory {
        position_m: [x, y, 12.0],
        velocity_m_s: [0.0; 3],
        acceleration_m_s2: [0.0, 0.0, -G],
    };
    let hit =
        targets.first_hit(&from_rest, 0.0, 10.0).unwrap_or_else(|| panic!("missed {surface:?}"));
    let expected = (2.0 * (12.0 - z) / G).sqrt();
    foley_measured::check!("hail.fall_time", (hit.t_s - expected).abs());
    assert!(hit.normal[2] > 0.0, "{surface:?}: the normal faces away from the stone");
    assert!(hit.uv.iter().all(|u| (0.0..=1.0).contains(u)));

    let straight =
        Trajectory { velocity_m_s: [0.0, 0.0, -15.0], acceleration_m_s2: [0.0; 3], ..from_rest };
    let hit = targets.first_hit(&straight, 0.0, 10.0).unwrap();
    foley_measured::check!("hail.fall_time", (hit.t_s - (12.0 - z) / 15.0).abs());
    // Before that time there is no hit.
    assert_eq!(targets.first_hit(&straight, 0.0, hit.t_s - 1e-9), None);
}

#[test]
fn free_fall_and_steady_fall_on_every_kind() {
    drop(level([-1.0, -2.0], [2.0, 1.0], 0.7), [0.3, 0.4], 0.7);
    let sloping = Surface::Quad {
        corners_m: [[0.0, 0.0, 1.0], [2.0, 0.0, 3.0], [2.0, 1.0, 3.0], [0.0, 1.0, 1.0]],
    };
    drop(sloping, [0.5, 0.5], 1.5);
    let [axis_u_m, axis_v_m] = [[2.0, 0.0, 0.0], [0.0, 0.5, 0.0]];
    drop(Surface::Disc { centre_m: [1.0, 1.0, 2.0], axis_u_m, axis_v_m }, [2.8, 1.1], 2.0);
    let sphere = Surface::Sphere { centre_m: [0.0, 0.0, 1.0], radius_m: 2.0 };
    drop(sphere, [1.2, 0.5], 1.0 + (4.0 - 1.44 - 0.25_f64).sqrt());
    let lying = Surface::Cylinder { base_m: [0.0; 3], axis_m: [3.0, 0.0, 0.0], radius_m: 0.5 };
    drop(lying, [1.0, 0.3], 0.4);
    let full_cone = Surface::Cone {
        base_m: [0.0; 3],
        axis_m: [0.0, 0.0, 3.0],
        base_radius_m: 1.0,
        top_radius_m: 0.0,
    };
    drop(full_cone, [0.3, 0.4], 1.5);
    let truncated = Surface::Cone {
        base_m: [0.0; 3],
        axis_m: [0.0, 0.0, 1.0],
        base_radius_m: 1.0,
        top_radius_m: 0.5,
    };
    drop(truncated, [0.75, 0.0], 0.5);
    let vertices = vec![[0.0, 0.0, 0.0], [2.0, 0.0, 1.0], [0.0, 2.0, 0.0]];
    let mesh = TargetMesh::new(vertices, vec![[0, 1, 2]]).unwrap();
    drop(Surface::Mesh(mesh.into()), [0.5, 0.5], 0.25);
}

#[test]
fn from_inside_a_can_the_wall_is_struck_from_inside() {
    let can = Surface::Cylinder { base_m: [0.0; 3], axis_m: [0.0, 0.0, 2.0], radius_m: 1.0 };
    let targets = TargetSet::new([can.into()]).unwrap();
    // Through the open top, then against the wall at x = 1.
    let trajectory = Trajectory {
        position_m: [0.0, 0.0, 3.0],
        velocity_m_s: [1.0, 0.0, -2.0],
        acceleration_m_s2: [0.0; 3],
    };
    let hit = targets.first_hit(&trajectory, 0.0, 10.0).unwrap();
    assert!((hit.t_s - 1.0).abs() < 1e-12);
    assert!((hit.normal[0] + 1.0).abs() < 1e-12, "the normal faces the stone: {:?}", hit.normal);
    assert!((hit.uv[1] - 0.5).abs() < 1e-12);
}

/// Drag ½ c ρ₀ π r² v² equals the weight, and the energy bounds match the two radii.
#[test]
fn stones_fall_steadily_where_drag_carries_their_weight() {
    let emitter = ParticleEmitter::new(HailSettings::default()).unwrap();
    let Ice { density_kg_m3, drag, air_kg_m3 } = emitter.settings().ice;
    for index in 0..1000 {
        let stone = emitter.stone(index);
        let (r, v) = (stone.radius_m, stone.trajectory.velocity_m_s[2]);
        let weight = stone.mass_kg * G;
        let pull = 0.5 * drag * air_kg_m3 * std::f64::consts::PI * r * r * v * v;
        assert!((pull / weight - 1.0).abs() < 1e-12);
        assert!((0.5 * stone.mass_kg * v * v / stone.energy_j - 1.0).abs() < 1e-12);
        let volume = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
        assert!((stone.mass_kg / (density_kg_m3 * volume) - 1.0).abs() < 1e-12);
        assert!((5e-3 / 100_f64.powf(0.25)..=5e-3).contains(&r), "radius {r}");
    }
}

/// In free fall the sampled energy is the energy on the ground: potential plus kinetic at birth.
#[test]
fn accelerated_stones_reach_the_ground_with_their_energy() {
    let velocity_m_s = [1.0, 0.0, -3.0];
    let fall = FallModel::Accelerated { wind_m_s2: [0.0; 3], velocity_m_s, spread_m_s: 0.5 };
    let emitter = ParticleEmitter::new(HailSettings::default().with_fall(fall)).unwrap();
    for index in 0..1000 {
        let stone = emitter.stone(index);
        let v0 = DVec3::from(stone.trajectory.velocity_m_s).length();
        let at_ground = stone.mass_kg * (G * 20.0 + 0.5 * v0 * v0);
        assert!((at_ground / stone.energy_j - 1.0).abs() < 1e-12);
        for (v, common) in stone.trajectory.velocity_m_s.iter().zip(velocity_m_s) {
            assert!((v - common).abs() <= 0.5);
        }
    }
}

#[test]
fn a_flight_knows_when_it_sinks_below_a_height() {
    let mut rng = TestRng::new(5);
    for _ in 0..1000 {
        let trajectory = rng.trajectory();
        let z = trajectory.position_m[2] - rng.between(0.1, 5.0);
        let t = trajectory.sinks_below(z).unwrap();
        assert!(
            (trajectory.position_at(t)[2] - z).abs() < 1e-9 && trajectory.velocity_at(t)[2] < 0.0
        );
    }
    let up =
        Trajectory { position_m: [0.0; 3], velocity_m_s: [0.0; 3], acceleration_m_s2: [0.0; 3] };
    assert_eq!(up.sinks_below(-1.0), None);
}

//! The number of impacts is flux times area for any surface, wind and fall model.

use crate::common;

use common::*;
use foley_geometry::vector::area_vector;
use foley_hail::bvh::TargetMesh;
use foley_hail::{Cloud, FallModel, HailSettings, ParticleEmitter, Surface};
use glam::DVec3;
use std::f64::consts::PI;

const FROM_S: f64 = 8.0;
const UNTIL_S: f64 = 9.0;

/// A straight fall in a wind, from a cloud displaced upwind so that stones land around the origin: from 20 m
/// they take 1.5 to 2.8 s.
fn upwind([x, y]: [f64; 2]) -> HailSettings {
    let hail = heavy(FallModel::straight([x, y]));
    hail.with_cloud(Cloud::disc([-2.1 * x, -2.1 * y, 20.0], 8.0))
}

/// Compares the impacts of one second with the horizontal area of the cloud that they come from.
fn counts(hail: HailSettings, surfaces: Vec<Surface>, horizontal_m2: f64) {
    let simulation = simulation(hail, surfaces);
    let found = simulation.impacts(FROM_S, UNTIL_S).unwrap().len() as f64;
    let part = horizontal_m2 / hail.cloud.area_m2();
    let expected = hail.per_second * part;
    let sigma = (expected * (1.0 - part)).sqrt();
    println!("{found} impacts for {expected:.0} ± {sigma:.1}; {:?}", hail.fall);
    foley_measured::check!("hail.flux", ((found - expected) / sigma).abs());
}

fn windy() -> FallModel {
    FallModel::Accelerated {
        wind_m_s2: [1.5, -0.5, 0.0],
        velocity_m_s: [-1.0, 0.5, -6.0],
        spread_m_s: 0.7,
    }
}

#[test]
fn on_level_ground_under_any_fall() {
    let ground = || vec![level([-1.0, -1.5], [1.0, 1.5], 0.5)];
    for fall in [FallModel::straight([0.0; 2]), FallModel::free(), windy()] {
        counts(heavy(fall), ground(), 6.0);
    }
    counts(upwind([3.0, -1.0]), ground(), 6.0);
    let drifting = heavy(windy()).with_cloud(heavy(windy()).cloud.drifting([0.3, -0.2]));
    counts(drifting, ground(), 6.0);
    let square = heavy(FallModel::straight([1.0, 1.0]))
        .with_cloud(Cloud::rectangle([0.0, 0.0, 20.0], [12.0, 16.0]));
    counts(square, ground(), 6.0);
    let disc = Surface::Disc {
        centre_m: [0.5, 0.0, 1.0],
        axis_u_m: [1.5, 1.0, 0.0],
        axis_v_m: [-1.0, 1.5, 0.0],
    };
    counts(heavy(windy()), vec![disc], PI * (1.5 * 1.5 + 1.0));
}

/// A plane tilted against stones of velocity v covers `A |n·v| / |v_z|` of the area of the cloud; stones of
/// each size have their own velocity.
#[test]
fn on_a_roof_in_the_wind() {
    let corners_m = [[-1.0, -1.0, 1.0], [1.0, -1.0, 2.5], [1.0, 1.0, 2.0], [-1.0, 1.0, 0.5]];
    let n = area_vector([corners_m[0], corners_m[1], corners_m[3]].map(DVec3::from));
    let roof = || Surface::Quad { corners_m };

    let hail = upwind([4.0, 2.0]);
    let [least, most] = hail.energies_j;
    let mean: f64 = (0..1000)
        .map(|k| {
            let energy = least * (most / least).powf((f64::from(k) + 0.5) / 1000.0);
            let r = (energy / hail.ice.energy_per_r4(hail.gravity_m_s2)).powf(0.25);
            let down = hail.ice.terminal_m_s(r, hail.gravity_m_s2);
            n.dot(DVec3::new(4.0, 2.0, -down)).abs() / down / 1000.0
        })
        .sum();
    counts(hail, vec![roof()], mean);

    // On a parabola the velocity depends on the height: integrate over the roof.
    let (wind, v0) = ([2.0, 1.0, 0.0], [0.0, 0.0, -4.0]);
    let fall = FallModel::Accelerated { wind_m_s2: wind, velocity_m_s: v0, spread_m_s: 0.0 };
    let hail = heavy(fall);
    let steps = 100;
    let mut sum = 0.0;
    for k in 0..steps * steps {
        let [a, b] = [k % steps, k / steps].map(|k| (f64::from(k) + 0.5) / f64::from(steps));
        let z = 1.0 + 1.5 * a - 0.5 * b;
        let down = (16.0_f64 + 2.0 * 9.81 * (20.0 - z)).sqrt();
        let t = (down - 4.0) / 9.81;
        sum += n.dot(DVec3::new(wind[0] * t, wind[1] * t, -down)).abs() / down;
    }
    counts(hail, vec![roof()], sum / f64::from(steps * steps));
}

/// The shadow of round surfaces in an oblique beam.
#[test]
fn on_round_shapes() {
    let sphere = || Surface::Sphere { centre_m: [0.0, 0.0, 2.0], radius_m: 1.0 };
    counts(heavy(FallModel::free()), vec![sphere()], PI);
    // Stones of one size are a parallel beam: the cross-section of the sphere, projected to the ground.
    let energy = heavy(FallModel::free()).energies_j[1];
    let beam = upwind([6.0, 0.0]).with_energies_j([energy; 2]);
    let v = ParticleEmitter::new(beam).unwrap().stone(0).trajectory.velocity_m_s;
    counts(beam, vec![sphere()], PI * DVec3::from(v).length() / v[2].abs());

    // An upright cylinder without ends: the shadow of its convex hull less the part that passes through.
    let (r, h) = (0.8, 1.5);
    let cylinder = Surface::Cylinder { base_m: [0.0; 3], axis_m: [0.0, 0.0, h], radius_m: r };
    let d = h * 6.0 / v[2].abs();
    assert!(d < 2.0 * r, "part of the beam must pass through");
    let lens = 2.0 * r * r * (d / (2.0 * r)).acos() - 0.5 * d * (4.0 * r * r - d * d).sqrt();
    counts(beam, vec![cylinder], PI * r * r + 2.0 * r * d - lens);

    let cone = Surface::Cone {
        base_m: [0.0; 3],
        axis_m: [0.0, 0.0, 2.0],
        base_radius_m: 1.2,
        top_radius_m: 0.5,
    };
    counts(heavy(FallModel::free()), vec![cone], PI * (1.44 - 0.25));
}

#[test]
fn a_mesh_of_two_triangles_is_hit_as_the_quadrilateral_is() {
    let corners_m = [[-1.0, -1.0, 1.0], [1.0, -1.0, 2.5], [1.0, 1.0, 2.0], [-1.0, 1.0, 0.5]];
    let mesh = TargetMesh::new(corners_m.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let [one, two] = [Surface::Quad { corners_m }, Surface::Mesh(mesh.into())]
        .map(|surface| simulation(heavy(windy()), [surface]).impacts(FROM_S, UNTIL_S).unwrap());
    assert!(one.len() > 3000 && one.len() == two.len());
    for (one, two) in one.iter().zip(&two) {
        assert_eq!(one.stone, two.stone);
        assert!((one.at_s - two.at_s).abs() < 1e-12);
    }
}

/// A roof occludes what is below it.
#[test]
fn nothing_is_hit_through_a_roof() {
    let roof = level([-3.0, -3.0], [3.0, 3.0], 2.0);
    let table = level([-1.0, -1.0], [1.0, 1.0], 1.0);
    let simulation = simulation(heavy(FallModel::straight([0.5, 0.0])), [table, roof]);
    let impacts = simulation.impacts(FROM_S, UNTIL_S).unwrap();
    assert!(impacts.len() > 10_000 && impacts.iter().all(|impact| impact.target == 1));
}

/// Hilly ground of 1,800 triangles under vertically falling stones: each that starts above it hits it, and none
/// passes through a seam.
#[test]
fn no_stone_slips_through_a_mesh() {
    let side = 30_u32;
    let vertices = (0..=side).flat_map(|j| {
        (0..=side).map(move |i| {
            let [x, y] = [i, j].map(|k| f64::from(k) / 15.0 - 1.0);
            [x, y, 0.3 * (5.0 * x).sin() * (4.0 * y).cos()]
        })
    });
    let triangles = (0..side * side).flat_map(|k| {
        let a = k / side * (side + 1) + k % side;
        [[a, a + 1, a + side + 2], [a, a + side + 2, a + side + 1]]
    });
    let mesh = TargetMesh::new(vertices.collect(), triangles.collect()).unwrap();
    let simulation = simulation(heavy(FallModel::free()), [Surface::Mesh(mesh.into())]);
    let mut hits = 0;
    for index in 0..400_000 {
        let [x, y, _] = simulation.emitter().stone(index).trajectory.position_m;
        let above = x.abs().max(y.abs()) < 1.0;
        assert_eq!(simulation.impact_of(index).is_some(), above, "stone {index} at {x}, {y}");
        hits += u32::from(above);
    }
    assert!(hits > 7000);
}

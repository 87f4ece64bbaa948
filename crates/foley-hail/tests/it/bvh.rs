//! The BVH against brute force.

use crate::common;

use common::*;
use foley_geometry::bvh::{Aabb, Bvh, MAX_DEPTH, Node};
use foley_hail::Trajectory;
use foley_hail::bvh::{TargetMesh, build, clip};
use glam::DVec3;

fn mesh(rng: &mut TestRng, count: u32, size: f64) -> TargetMesh {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let corner = rng.vector(2.0);
        let corners = [corner, corner + rng.vector(size), corner + rng.vector(size)];
        vertices.extend(corners.map(|corner| corner.to_array()));
    }
    TargetMesh::new(vertices, (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect()).unwrap()
}

/// Brute force with the ray test of Möller and Trumbore: `o + t d = a + u (b − a) + v (c − a)`.
fn ray_by_brute_force(mesh: &TargetMesh, origin: DVec3, d: DVec3) -> Option<(f64, u32)> {
    let each = mesh.triangles().iter().enumerate().filter_map(|(k, triangle)| {
        let [a, b, c] = triangle.map(|i| DVec3::from(mesh.vertices_m()[i as usize]));
        let (e, f, s) = (b - a, c - a, origin - a);
        let p = d.cross(f);
        let det = e.dot(p);
        let (u, q) = (s.dot(p) / det, s.cross(e));
        let (v, t) = (d.dot(q) / det, f.dot(q) / det);
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=50.0).contains(&t)).then_some((t, k as u32))
    });
    each.min_by(|one, two| one.0.total_cmp(&two.0))
}

#[test]
fn rays_hit_what_brute_force_finds() {
    let mut rng = TestRng::new(11);
    let mut met = 0;
    for (count, size) in [(1, 2.0), (2, 2.0), (7, 1.0), (100, 0.6), (3000, 0.15)] {
        let mesh = mesh(&mut rng, count, size);
        for k in 0..1200 {
            let origin = rng.vector(4.0);
            let mut d = rng.vector(2.0) - origin;
            if k % 10 == 0 {
                // Along an axis.
                d = DVec3::new(0.0, 0.0, d.z);
            }
            let ray = Trajectory {
                position_m: origin.into(),
                velocity_m_s: d.into(),
                acceleration_m_s2: [0.0; 3],
            };
            let expected = ray_by_brute_force(&mesh, origin, d);
            let found = mesh.first_hit(&ray, [0.0, 50.0]);
            match (expected, found) {
                (Some((t, triangle)), Some(found)) => {
                    assert_eq!(triangle, found.triangle);
                    assert!((t - found.t).abs() < 1e-9 * (1.0 + t));
                    met += 1;
                }
                (None, None) => {}
                both => panic!("{both:?}"),
            }
        }
    }
    assert!(met > 700, "{met} met");
}

#[test]
fn parabolas_hit_what_brute_force_finds() {
    let mut rng = TestRng::new(12);
    let mut met = 0;
    let many = mesh(&mut rng, 500, 0.4);
    let alone: Vec<TargetMesh> = many
        .triangles()
        .iter()
        .map(|t| t.map(|i| many.vertices_m()[i as usize]).to_vec())
        .map(|corners| TargetMesh::new(corners, vec![[0, 1, 2]]).unwrap())
        .collect();
    for _ in 0..500 {
        let trajectory = rng.trajectory();
        let each = alone.iter().filter_map(|mesh| mesh.first_hit(&trajectory, [0.0, 3.0]));
        let expected = each.map(|met| met.t).min_by(f64::total_cmp);
        let found = many.first_hit(&trajectory, [0.0, 3.0]).map(|met| met.t);
        match (expected, found) {
            (Some(a), Some(b)) => assert!((a - b).abs() < 1e-11),
            (a, b) => assert_eq!(a, b),
        }
        met += usize::from(found.is_some());
    }
    assert!(met > 250, "{met} of 500 met");
}

/// The interval contains every time at which the trajectory is inside the box.
#[test]
fn clipping_never_loses_a_moment_inside() {
    let mut rng = TestRng::new(13);
    let (mut inside, mut tight) = (0, 0);
    for _ in 0..4000 {
        let trajectory = rng.trajectory();
        let bounds = Aabb::from_points([rng.vector(2.0), rng.vector(2.0)]);
        let within = |t: f64| {
            let p = trajectory.position_at(t);
            (0..3).all(|i| p[i] >= bounds.lo[i] && p[i] <= bounds.hi[i])
        };
        let times = clip(&trajectory, &bounds, [0.0, 3.0]);
        for k in 0..1000 {
            let t = 3.0 * f64::from(k) / 1000.0;
            if within(t) {
                inside += 1;
                let [from, to] = times.unwrap();
                assert!(from <= t + 1e-12 && to >= t - 1e-12, "{t} is not in {from} to {to}");
            }
        }
        tight += usize::from(times.is_none());
    }
    assert!(
        inside > 10_000 && tight > 1000,
        "{inside} moments inside, {tight} trajectories rejected"
    );
}

fn depth(tree: &Bvh, position: u32) -> usize {
    let node = tree.nodes()[position as usize];
    if node.count > 0 {
        return 1;
    }
    let children = [node.first, node.first + 1];
    for child in children {
        let (outer, inner) = (node.bounds(), tree.nodes()[child as usize].bounds());
        assert_eq!(outer.union(&inner), outer, "a child reaches out of its parent");
    }
    1 + children.map(|child| depth(tree, child)).into_iter().max().unwrap()
}

#[test]
fn every_item_is_in_one_leaf_and_the_depth_is_bounded() {
    let mut rng = TestRng::new(14);
    let cube = |at: DVec3, size: f64| Aabb::from_points([at, at + size]);
    let sets: Vec<Vec<Aabb>> = vec![
        Vec::new(),
        vec![cube(DVec3::ZERO, 1.0)],
        // Coincident; in geometric progression; empty and non-empty; random.
        vec![cube(DVec3::ONE, 0.0); 1000],
        (0..1000).map(|k| cube(1e6 * 0.97_f64.powi(k) * DVec3::X, 0.0)).collect(),
        (0..1000).map(|k| cube(1e6 * 0.5_f64.powi(k) * DVec3::X, 0.0)).collect(),
        vec![Aabb::EMPTY, cube(DVec3::ZERO, 1.0), Aabb::EMPTY],
        (0..5000).map(|_| cube(rng.vector(100.0), rng.unit())).collect(),
    ];
    for boxes in sets {
        for leaf in [1, 4] {
            let tree = build(&boxes, leaf).unwrap();
            let mut seen = vec![0; boxes.len()];
            for node in tree.nodes().iter().filter(|node| node.count > 0) {
                assert!(node.count as usize <= leaf);
                for k in node.first..node.first + node.count {
                    let item = tree.order()[k as usize] as usize;
                    seen[item] += 1;
                    assert_eq!(node.bounds().union(&boxes[item]), node.bounds());
                }
            }
            let expected = boxes.iter().map(|bounds| i32::from(!bounds.is_empty()));
            assert!(seen.iter().copied().eq(expected));
            if !tree.nodes().is_empty() {
                assert!(depth(&tree, 0) <= MAX_DEPTH);
            }
        }
    }
    assert_eq!(size_of::<Node>(), 32);
}

#[test]
fn a_level_path_beside_a_box_never_enters() {
    let bounds = Aabb { lo: [0.0; 3], hi: [1.0; 3] };
    let still =
        Trajectory { position_m: [0.5; 3], velocity_m_s: [0.0; 3], acceleration_m_s2: [0.0; 3] };
    assert_eq!(clip(&still, &bounds, [0.0, 1.0]), Some([0.0, 1.0]));
    let beside = Trajectory { position_m: [0.5, 2.0, 0.5], velocity_m_s: [1.0, 0.0, 0.0], ..still };
    assert_eq!(clip(&beside, &bounds, [0.0, 1.0]), None);
    // Up to just below the box and down again.
    let thrown = Trajectory {
        position_m: [0.5, 0.5, -2.0],
        velocity_m_s: [0.0, 0.0, 4.0],
        acceleration_m_s2: [0.0, 0.0, -8.1],
    };
    assert_eq!(clip(&thrown, &bounds, [0.0, 5.0]), None);
}

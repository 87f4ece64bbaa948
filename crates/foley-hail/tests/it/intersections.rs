//! Hits lie on their surfaces, and the first hit is the earliest.

use crate::common;

use common::*;
use foley_geometry::vector::area_vector;
use foley_hail::{PartRole, Region, Surface, Target, TargetSet, Trajectory};
use glam::DVec3;

/// Returns the position of a point along an axis, as a fraction of it, and its distance from the axis.
fn along_and_off(p: DVec3, base: &[f64; 3], axis: &[f64; 3]) -> (f64, f64) {
    let (base, axis) = (DVec3::from(*base), DVec3::from(*axis));
    let z = (p - base).dot(axis) / axis.dot(axis);
    (z, p.distance(base + z * axis))
}

/// Returns the distance of a point from the unbounded surface, by independent formulas, and whether the point is
/// within the outline.
fn distance(surface: &Surface, p: [f64; 3], triangle: u32) -> (f64, bool) {
    let p = DVec3::from(p);
    let plane = |corners: [DVec3; 3]| {
        let n = area_vector(corners);
        n.dot(p - corners[0]).abs() / n.length()
    };
    // Twice the area of the triangle with the point as apex.
    let area = |u: DVec3, v: DVec3| area_vector([p, u, v]).length();
    let axial = |base: &[f64; 3], axis: &[f64; 3], r0: f64, r1: f64| {
        let (z, off) = along_and_off(p, base, axis);
        ((off - (r0 + (r1 - r0) * z)).abs(), (0.0..=1.0).contains(&z))
    };
    match surface {
        Surface::Quad { corners_m } => {
            // Inside, the four triangles with the point as apex add up to the area.
            let [a, b, c, d] = corners_m.map(DVec3::from);
            let sum = area(a, b) + area(b, c) + area(c, d) + area(d, a);
            let total = 2.0 * surface.area_m2();
            (plane([a, b, c]), (sum / total - 1.0).abs() < 1e-9)
        }
        Surface::Disc { centre_m, axis_u_m, axis_v_m } => {
            let [centre, u, v] = [*centre_m, *axis_u_m, *axis_v_m].map(DVec3::from);
            let q = p - centre;
            let part = |axis: DVec3| q.dot(axis) / axis.dot(axis);
            let inside = part(u).powi(2) + part(v).powi(2) <= 1.0 + 1e-9;
            let n = u.cross(v);
            (n.dot(q).abs() / n.length(), inside)
        }
        Surface::Sphere { centre_m, radius_m } => {
            ((p.distance(DVec3::from(*centre_m)) - radius_m).abs(), true)
        }
        Surface::Cylinder { base_m, axis_m, radius_m } => {
            axial(base_m, axis_m, *radius_m, *radius_m)
        }
        Surface::Cone { base_m, axis_m, base_radius_m, top_radius_m } => {
            axial(base_m, axis_m, *base_radius_m, *top_radius_m)
        }
        Surface::Mesh(mesh) => {
            let [a, b, c] =
                mesh.triangles()[triangle as usize].map(|i| mesh.vertices_m()[i as usize].into());
            let total = area_vector([a, b, c]).length();
            let sum = area(a, b) + area(b, c) + area(c, a);
            (plane([a, b, c]), (sum / total - 1.0).abs() < 1e-9)
        }
    }
}

#[test]
fn hits_lie_on_the_surface_and_face_the_stone() {
    let mut rng = TestRng::new(2);
    let (mut hits, mut worst) = ([0; 6], 0.0_f64);
    for _ in 0..3000 {
        for (kind, surface) in one_of_each(&mut rng).into_iter().enumerate() {
            let targets = TargetSet::new([surface.clone().into()]).unwrap();
            let trajectory = rng.trajectory();
            let Some(hit) = targets.first_hit(&trajectory, 0.0, 3.0) else { continue };
            hits[kind] += 1;
            let (off, inside) = distance(&surface, hit.position_m, hit.triangle);
            assert!(off.is_finite() && inside, "{off} m off {surface:?}");
            worst = worst.max(off);
            let [at, position, normal, velocity] = [
                trajectory.position_at(hit.t_s),
                hit.position_m,
                hit.normal,
                trajectory.velocity_at(hit.t_s),
            ]
            .map(DVec3::from);
            assert!(at.distance(position) < 1e-12);
            assert!((normal.length() - 1.0).abs() < 1e-12);
            assert!(normal.dot(velocity) <= 0.0);
            assert!(hit.uv.iter().all(|u| (0.0..=1.0).contains(u)));
        }
    }
    foley_measured::check!("hail.on_surface", worst);
    assert!(hits.iter().all(|n| *n > 200), "hits by kind: {hits:?}");
}

/// Marches along the trajectory in small steps until the side changes within the outline: a first hit without
/// solving an equation.
fn by_steps(surface: &Surface, trajectory: &Trajectory, until: f64) -> Option<f64> {
    let side = |t: f64| {
        let p = DVec3::from(trajectory.position_at(t));
        match surface {
            Surface::Sphere { centre_m, radius_m } => p.distance(DVec3::from(*centre_m)) - radius_m,
            Surface::Cylinder { base_m, axis_m, radius_m } => {
                along_and_off(p, base_m, axis_m).1 - radius_m
            }
            Surface::Cone { base_m, axis_m, base_radius_m, top_radius_m } => {
                let (z, off) = along_and_off(p, base_m, axis_m);
                off - (base_radius_m + (top_radius_m - base_radius_m) * z)
            }
            Surface::Quad { corners_m } => {
                let [a, b, c, _] = corners_m.map(DVec3::from);
                area_vector([a, b, c]).dot(p - a)
            }
            Surface::Disc { centre_m, axis_u_m, axis_v_m } => {
                let [centre, u, v] = [*centre_m, *axis_u_m, *axis_v_m].map(DVec3::from);
                u.cross(v).dot(p - centre)
            }
            Surface::Mesh(_) => f64::NAN,
        }
    };
    let steps = 3000;
    let at = |k: usize| until * k as f64 / steps as f64;
    (0..steps).find_map(|k| {
        let (mut lo, mut hi) = (at(k), at(k + 1));
        if (side(lo) < 0.0) == (side(hi) < 0.0) {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (lo + hi);
            if (side(middle) < 0.0) == (side(lo) < 0.0) { lo = middle } else { hi = middle }
        }
        distance(surface, trajectory.position_at(lo), 0).1.then_some(lo)
    })
}

#[test]
fn marching_in_small_steps_finds_the_same_first_hit() {
    let mut rng = TestRng::new(3);
    let (mut same, mut missed) = (0, 0);
    for _ in 0..1200 {
        for surface in one_of_each(&mut rng).into_iter().take(5) {
            let trajectory = rng.trajectory();
            let targets = TargetSet::new([surface.clone().into()]).unwrap();
            let hit = targets.first_hit(&trajectory, 0.0, 3.0).map(|hit| hit.t_s);
            match (hit, by_steps(&surface, &trajectory, 3.0)) {
                (Some(t), Some(marched)) if (t - marched).abs() < 1e-9 => same += 1,
                (None, None) => {}
                // Two crossings within one step of a millisecond, which marching cannot resolve.
                (Some(t), marched) if marched.is_none_or(|marched| t < marched) => {
                    let there = targets.first_hit(&trajectory, t + 1e-6, t + 2e-3);
                    assert!(
                        there.is_some(),
                        "at {t}, marched {marched:?}: {surface:?}, {trajectory:?}"
                    );
                    missed += 1;
                }
                (hit, marched) => {
                    panic!("{hit:?}, marched {marched:?}: {surface:?}, {trajectory:?}")
                }
            }
        }
    }
    assert!(same > 300 && missed < 5, "{same} the same, {missed} too short for marching");
}

#[test]
fn the_first_of_many_is_that_of_brute_force() {
    let mut rng = TestRng::new(4);
    let mut hits = 0;
    for _ in 0..40 {
        let targets: Vec<Target> =
            (0..6).flat_map(|_| one_of_each(&mut rng)).map(Target::new).collect();
        let targets = TargetSet::new(targets).unwrap();
        for _ in 0..200 {
            let trajectory = rng.trajectory();
            let each = (0..36).filter_map(|k| targets.hit_on(k, &trajectory, [0.0, 3.0]));
            let tried = each.min_by(|a, b| a.t_s.total_cmp(&b.t_s));
            let found = targets.first_hit(&trajectory, 0.0, 3.0);
            let at_last = targets.first_hit(&trajectory, 0.0, f64::INFINITY);
            let late = at_last.is_some_and(|hit| hit.t_s > 3.0);
            assert_eq!(
                found.map(|hit| hit.target),
                at_last.filter(|_| !late).map(|hit| hit.target)
            );
            match (tried, found) {
                (Some(tried), Some(found)) => {
                    assert_eq!(tried.target, found.target);
                    assert!((tried.t_s - found.t_s).abs() < 1e-11);
                    hits += 1;
                }
                (None, None) => {}
                both => panic!("{both:?} for {trajectory:?}"),
            }
        }
    }
    assert!(hits > 4000, "{hits} of 8000 trajectories hit");
}

#[test]
fn plates_sound_by_themselves_and_holes_let_stones_pass() {
    let plate = Region::Ellipse { centre_uv: [0.5, 0.5], radii_uv: [0.1, 0.2] };
    let slot = Region::Rectangle { from_uv: [0.8, 0.0], to_uv: [0.9, 1.0] };
    let table = Target::new(level([0.0, 0.0], [2.0, 1.0], 1.0))
        .with_part(plate, PartRole::Sounding(7))
        .with_part(slot, PartRole::Hole)
        .with_part(Region::Everywhere, PartRole::Sounding(3));
    let floor = Target::new(level([0.0, 0.0], [2.0, 1.0], 0.0));
    let targets = TargetSet::new([table, floor]).unwrap();
    let below = |x: f64, y: f64| {
        let trajectory = Trajectory {
            position_m: [x, y, 2.0],
            velocity_m_s: [0.0, 0.0, -1.0],
            acceleration_m_s2: [0.0; 3],
        };
        targets.first_hit(&trajectory, 0.0, 5.0).map(|hit| (hit.target, hit.part))
    };
    assert_eq!(below(1.0, 0.5), Some((0, 7)));
    assert_eq!(below(1.0, 0.75), Some((0, 3)));
    assert_eq!(below(1.19, 0.5), Some((0, 7)));
    assert_eq!(below(1.7, 0.5), Some((1, 0)));
    assert_eq!(below(2.1, 0.5), None);
    // A sphere with an open top is hit from inside, at the bottom.
    let open = Region::Rectangle { from_uv: [-1.0, 0.8], to_uv: [2.0, 2.0] };
    let bowl = Target::new(Surface::Sphere { centre_m: [0.0; 3], radius_m: 1.0 });
    let targets = TargetSet::new([bowl.with_part(open, PartRole::Hole)]).unwrap();
    let trajectory = Trajectory {
        position_m: [0.1, 0.2, 3.0],
        velocity_m_s: [0.0, 0.0, -1.0],
        acceleration_m_s2: [0.0; 3],
    };
    let hit = targets.first_hit(&trajectory, 0.0, 10.0).unwrap();
    assert!(hit.position_m[2] < -0.9 && hit.normal[2] > 0.0, "{hit:?}");
}

/// The bilinear formula maps u and v back to the position on any convex quadrilateral.
#[test]
fn surface_coordinates_of_quadrilaterals_lead_back() {
    let mut rng = TestRng::new(6);
    let mut hits = 0;
    for _ in 0..3000 {
        let surface = one_of_each(&mut rng).swap_remove(0);
        let Surface::Quad { corners_m } = surface else { panic!("not the first") };
        let [a, b, c, d] = corners_m.map(DVec3::from);
        let targets = TargetSet::new([surface.into()]).unwrap();
        let Some(hit) = targets.first_hit(&rng.trajectory(), 0.0, 3.0) else { continue };
        let [u, v] = hit.uv;
        let low = (1.0 - u) * (1.0 - v) * a + u * (1.0 - v) * b;
        let p = low + u * v * c + (1.0 - u) * v * d;
        let found = DVec3::from(hit.position_m);
        assert!(p.distance(found) < 1e-9, "{found} is not {p}");
        hits += 1;
    }
    assert!(hits > 200);
}

//! Stones are drawn at the positions that the CPU computes.

use crate::common;

use common::{accelerated, all_kinds, gpu, heavy, simulation_on};
use foley_gpu::{Camera, GpuHail, GpuOptions, Picture, PictureRenderer, Slots, raw_positions};
use foley_hail::{FallModel, HailSimulation, LIFE_AFTER_IMPACT_S, Target, TargetSet};
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;

const RESTITUTION: f64 = 0.3;

/// Returns the positions on the CPU of the stones that fall or bounce.
fn seen(simulation: &HailSimulation, now_s: f64) -> BTreeMap<u64, DVec3> {
    let max_flight_s = simulation.max_flight_s();
    let born = simulation.stones_born(now_s - max_flight_s - LIFE_AFTER_IMPACT_S, now_s);
    let mut all = BTreeMap::new();
    for number in born {
        let stone = simulation.emitter().stone(number);
        let age_s = now_s - stone.born_s;
        let position = match simulation.impact_of(number) {
            _ if age_s < 0.0 => continue,
            Some(impact) if impact.t_s <= age_s => {
                let bounce = simulation.emitter().bounce(&stone, &impact.hit(), RESTITUTION);
                let since_s = now_s - bounce.from_s;
                if since_s >= bounce.life_s {
                    continue;
                }
                bounce.trajectory.position_at(since_s)
            }
            None if age_s > max_flight_s => continue,
            _ => stone.trajectory.position_at(age_s),
        };
        all.insert(number, DVec3::from_array(position));
    }
    all
}

fn hail_on(gpu: Arc<foley_gpu::Gpu>, simulation: &Arc<HailSimulation>, until_s: f64) -> GpuHail {
    let options = GpuOptions::default().with_restitution(RESTITUTION);
    let mut hail = GpuHail::new(gpu, simulation.clone(), options).unwrap();
    hail.advance(until_s, &mut Vec::new()).unwrap();
    hail
}

#[test]
fn stones_are_where_the_cpu_says() {
    let Some(gpu) = gpu("places") else { return };
    for fall in [FallModel::straight([0.7, 0.3]), accelerated()] {
        let simulation = simulation_on(heavy(fall).with_per_second(20_000.0), all_kinds());
        let hail = hail_on(gpu.clone(), &simulation, 7.3);
        let expected = seen(&simulation, 7.3);
        let found = raw_positions(&hail).unwrap();
        assert!(expected.len() > 20_000);
        let (mut worst, mut bouncing, mut unknown) = (0.0_f64, 0, 0);
        for position in &found {
            let Some(exact) = expected.get(&position.stone) else {
                unknown += 1;
                continue;
            };
            let off = exact.distance(DVec3::from_array(position.position_m));
            // Close to its impact or an edge, a stone may be before or after its bounce.
            if off > 1e-2 {
                unknown += 1;
                continue;
            }
            worst = worst.max(off);
            let impact = simulation.impact_of(position.stone);
            bouncing += usize::from(impact.is_some_and(|impact| impact.at_s < 7.3));
        }
        println!(
            "{} seen, {bouncing} bouncing, off by {worst:.1e} m, {unknown} otherwise",
            found.len()
        );
        assert!(unknown <= 2 && bouncing > 1000 && worst < 1e-4);
        assert!(found.len().abs_diff(expected.len()) <= 4);
    }
}

fn brightness(picture: &Picture, x: usize, y: usize) -> u32 {
    let at = 4 * (y * picture.width as usize + x);
    picture.rgba[at..at + 3].iter().map(|byte| u32::from(*byte)).sum()
}

#[test]
fn a_picture_shows_sky_ground_colliders_and_each_stone() {
    let Some(gpu) = gpu("still") else { return };
    let size = [400, 300];
    let fall = FallModel::straight([0.7, 0.3]);
    let few = simulation_on(heavy(fall).with_per_second(300.0).with_seed(4), all_kinds());
    let none = simulation_on(heavy(fall).with_per_second(0.0), all_kinds());
    let camera = Camera { stone_m: 0.03, shutter_s: 0.0, ..Camera::default() };
    let still = |simulation: &Arc<HailSimulation>| {
        let hail = hail_on(gpu.clone(), simulation, 7.0);
        PictureRenderer::new(&hail, size).unwrap().render(&hail, &camera).unwrap()
    };
    let (with, without) = (still(&few), still(&none));
    assert_eq!(with.rgba.len(), 400 * 300 * 4);
    assert!(with.rgba.chunks(4).all(|pixel| pixel[3] == 255));
    // Blue above, green below.
    let pixel = |x: usize, y: usize| &without.rgba[4 * (400 * y + x)..][..3];
    assert!(pixel(10, 5)[2] > pixel(10, 5)[0] && pixel(10, 295)[1] > pixel(10, 295)[2]);

    // Every stone that is not occluded changes its pixel; nothing else changes.
    let (eye, target) = (DVec3::from_array(camera.eye_m), DVec3::from_array(camera.target_m));
    let ahead = (target - eye).normalize();
    let right = ahead.cross(DVec3::Z).normalize();
    let up = right.cross(ahead);
    let half = (camera.field_of_view_deg.to_radians() * 0.5).tan();
    let project = |position: DVec3| {
        let q = position - eye;
        let depth = q.dot(ahead);
        let [x, y] = [q.dot(right), q.dot(up)].map(|v| v / depth / half);
        (depth > 0.1).then_some([200.0 + 150.0 * x, 150.0 - 150.0 * y, depth])
    };
    let on_screen = |at: &[f64; 3]| at[0] > 2.0 && at[0] < 397.0 && at[1] > 2.0 && at[1] < 297.0;
    let stones: Vec<(DVec3, [f64; 3])> = seen(&few, 7.0)
        .into_values()
        .filter(|position| position.z > 0.0)
        .filter_map(|position| project(position).map(|at| (position, at)))
        .collect();
    let differs = |x: usize, y: usize| brightness(&with, x, y) != brightness(&without, x, y);
    // Holes are not drawn.
    let without_holes = all_kinds().into_iter().map(|target| Target::new(target.surface));
    let without_holes = TargetSet::new(without_holes).unwrap();
    let mut shown = 0;
    for (position, at) in stones.iter().filter(|(_, at)| on_screen(at)) {
        let trajectory = foley_hail::Trajectory {
            position_m: eye.to_array(),
            velocity_m_s: (*position - eye).to_array(),
            acceleration_m_s2: [0.0; 3],
        };
        if without_holes.first_hit(&trajectory, 0.0, 1.0).is_none() {
            assert!(differs(at[0] as usize, at[1] as usize), "{position} at {at:?} is not seen");
            shown += 1;
        }
    }
    assert!(shown > 30, "{shown}");
    for y in 0..300 {
        for x in 0..400 {
            let near = |at: &[f64; 3]| {
                let reach = 2.0 + 1.5 * 150.0 * camera.stone_m / half / at[2];
                (at[0] - x as f64 - 0.5).hypot(at[1] - y as f64 - 0.5) < reach
            };
            assert!(!differs(x, y) || stones.iter().any(|(_, at)| near(at)), "{x}, {y}");
        }
    }
}

#[test]
fn invalid_cameras_are_rejected() {
    let Some(gpu) = gpu("views") else { return };
    let simulation = simulation_on(heavy(accelerated()).with_per_second(10.0), all_kinds());
    let hail = hail_on(gpu.clone(), &simulation, 0.0);
    let mut renderer = PictureRenderer::new(&hail, [32, 32]).unwrap();
    let usual = Camera::default();
    for camera in [
        Camera { field_of_view_deg: f64::NAN, ..usual },
        Camera { target_m: usual.eye_m, ..usual },
        Camera { eye_m: [f64::NAN; 3], ..usual },
        Camera { sun: [0.0; 3], ..usual },
        Camera { shutter_s: -1.0, ..usual },
    ] {
        assert!(renderer.render(&hail, &camera).is_err(), "{camera:?}");
    }
    renderer.render(&hail, &Camera { target_m: [7.0, -9.0, -5.0], ..usual }).unwrap();
    assert!(
        PictureRenderer::new(&hail, [0, 32]).is_err()
            && PictureRenderer::new(&hail, [9000, 1]).is_err()
    );
    let deaf = GpuOptions::default().with_slots(Slots::None);
    let blind = GpuHail::new(gpu, simulation, deaf).unwrap();
    let error = PictureRenderer::new(&blind, [32, 32]).unwrap_err().to_string();
    assert!(error.contains("Slots::Auto"), "{error}");
}

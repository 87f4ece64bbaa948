//! Streaks of stones against a naive renderer in double precision: the transmittance is Π(1 − α).

use crate::common;

use common::{all_kinds, gpu, heavy, simulation_on};
use foley_gpu::{Camera, Gpu, GpuHail, GpuOptions, Picture, PictureRenderer};
use foley_hail::{Cloud, FallModel, HailSettings, HailSimulation, Surface, Target};
use glam::{DVec2, DVec3};
use std::sync::Arc;

const NOW_S: f64 = 2.0;
const SIZE: [u32; 2] = [200, 150];
/// The colour of stones in linear RGB.
const ICE: [f64; 3] = [0.93, 0.96, 1.0];
/// A wall across the view at y = 0, or behind the camera.
const WALL_HALF_M: f64 = 1.2;
const WALL_M: [f64; 2] = [0.5, 2.5];

fn stills(
    gpu: &Arc<Gpu>,
    simulation: &Arc<HailSimulation>,
    camera: &Camera,
    times: usize,
) -> Vec<Picture> {
    let options = GpuOptions::default().with_from_s(NOW_S);
    let mut hail = GpuHail::new(gpu.clone(), simulation.clone(), options).unwrap();
    hail.advance(NOW_S, &mut Vec::new()).unwrap();
    let mut renderer = PictureRenderer::new(&hail, SIZE).unwrap();
    (0..times).map(|_| renderer.render(&hail, camera).unwrap()).collect()
}

fn linear(byte: u8) -> f64 {
    let x = f64::from(byte) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

fn level(x: f64) -> f64 {
    255.0 * if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

/// A camera that looks along y.
struct NaiveCamera {
    at: DVec3,
    pixels_at_1_m: f64,
}

impl NaiveCamera {
    fn new(camera: &Camera) -> Self {
        let half = (0.5 * camera.field_of_view_deg.to_radians()).tan();
        let pixels_at_1_m = 0.5 * f64::from(SIZE[1]) / half;
        Self { at: DVec3::from_array(camera.eye_m), pixels_at_1_m }
    }

    fn pixel(&self, position: DVec3) -> (DVec2, f64) {
        let q = position - self.at;
        let middle = 0.5 * DVec2::new(SIZE[0].into(), SIZE[1].into());
        (middle + DVec2::new(q.x, -q.z) * self.pixels_at_1_m / q.y, q.y)
    }
}

/// A velocity as the GPU stores it: eight bits for 64 m/s.
fn coarse(velocity_m_s: [f64; 3]) -> DVec3 {
    DVec3::from_array(velocity_m_s.map(|v| (0.5 + 127.0 * v / 64.0).floor() / 127.0 * 64.0))
}

/// Returns the transmittance of each pixel, and the number of stones in the picture.
fn transmittance(
    simulation: &HailSimulation,
    camera: &Camera,
    wall: Option<[DVec2; 2]>,
) -> (Vec<f64>, usize) {
    let eye = NaiveCamera::new(camera);
    let [width, height] = SIZE.map(|n| n as usize);
    let (mut transmitted, mut count) = (vec![1.0; width * height], 0);
    for number in simulation.stones_born(NOW_S - simulation.max_flight_s(), NOW_S) {
        let stone = simulation.emitter().stone(number);
        let position = DVec3::from_array(stone.trajectory.position_at(NOW_S - stone.born_s));
        let velocity = coarse(stone.trajectory.velocity_m_s);
        let (head, far) = eye.pixel(position);
        let (tail, tail_far) = eye.pixel(position - velocity * camera.shutter_s);
        if position.z < 0.0 || far.min(tail_far) < 0.3 {
            continue;
        }
        let radius = camera.stone_m * eye.pixels_at_1_m / far;
        let wide = radius.clamp(0.5, 64.0);
        let faint = (radius / wide).clamp(0.05, 1.0) * (-far / 60.0).exp();
        let size = head.distance(tail);
        let way = (head - tail).try_normalize().unwrap_or(DVec2::Y);
        let mut seen = false;
        for (i, light) in transmitted.iter_mut().enumerate() {
            let at = DVec2::new((i % width) as f64 + 0.5, (i / width) as f64 + 0.5);
            let along = (at - tail).dot(way);
            let covered = wide + 0.5 - (at - tail - way * along.clamp(0.0, size)).length();
            let hidden = position.y > 0.0
                && wall.is_some_and(|[lo, hi]| at.cmpgt(lo).all() && at.cmplt(hi).all());
            if covered > 0.0 && !hidden {
                let part = ((along + wide) / (size + 2.0 * wide)).clamp(0.0, 1.0);
                *light *= 1.0 - faint * (0.25 + 0.7 * part) * covered.min(1.0);
                seen = true;
            }
        }
        count += usize::from(seen);
    }
    (transmitted, count)
}

/// Stones in a wind along the wall, which none of them hits.
fn drifting(per_second: f64, wind_m_s: f64, wall: bool) -> Arc<HailSimulation> {
    let [low, high] = WALL_M;
    let w = WALL_HALF_M;
    let y = if wall { 0.0 } else { -50.0 };
    let corners_m = [[-w, y, low], [w, y, low], [w, y, high], [-w, y, high]];
    let targets = vec![Target::new(Surface::Quad { corners_m })];
    let cloud = Cloud::disc([-wind_m_s * 0.3, 0.0, 5.0], 3.0);
    let fall = FallModel::straight([wind_m_s, 0.0]);
    simulation_on(
        HailSettings::default()
            .with_per_second(per_second)
            .with_from_s(0.0)
            .with_cloud(cloud)
            .with_fall(fall)
            .with_seed(7),
        targets,
    )
}

/// Compares every pixel that is not at the edge of the wall.
fn compare(gpu: &Arc<Gpu>, per_second: f64, wind_m_s: f64, wall: bool, camera: &Camera) {
    let simulation = drifting(per_second, wind_m_s, wall);
    let found = stills(gpu, &simulation, camera, 1).remove(0);
    let backdrop = stills(gpu, &drifting(0.0, wind_m_s, wall), camera, 1).remove(0);
    let eye = NaiveCamera::new(camera);
    let corner = |x: f64, z: f64| eye.pixel(DVec3::new(x, 0.0, z)).0;
    let rim = [corner(-WALL_HALF_M, WALL_M[1]), corner(WALL_HALF_M, WALL_M[0])];
    let (transmitted, stones) = transmittance(&simulation, camera, wall.then_some(rim));
    let [mut sum, mut model, mut before, mut worst, mut pixels] = [0.0; 5];
    for (i, light) in transmitted.iter().enumerate() {
        let at = DVec2::new((i % SIZE[0] as usize) as f64, (i / SIZE[0] as usize) as f64) + 0.5;
        let inside = (at - rim[0]).min(rim[1] - at).min_element();
        if wall && inside.abs() < 1.5 {
            continue;
        }
        for (channel, ice) in ICE.iter().enumerate() {
            let [found, backdrop] = [&found, &backdrop].map(|of| of.rgba[4 * i + channel]);
            let expected = level(ice * (1.0 - light) + linear(backdrop) * light);
            worst = f64::max(worst, (expected - f64::from(found)).abs());
            sum += f64::from(found);
            model += expected;
            before += f64::from(backdrop);
            pixels += 1.0;
        }
    }
    let [off, change] = [sum - model, model - before].map(|sum: f64| sum / pixels);
    println!("{stones} stones change {change:.2} levels");
    assert!(stones > 200 && change > 1.0, "{stones}, {change}");
    foley_measured::check!("hail.picture_mean", off.abs());
    foley_measured::check!("hail.picture_pixel", worst);
}

fn looking(y_m: f64) -> Camera {
    let (eye_m, target_m) = ([0.1, y_m, 1.5], [0.1, 0.0, 1.5]);
    Camera { eye_m, target_m, stone_m: 0.006, ..Camera::default() }
}

#[test]
fn the_transmittance_of_a_pixel_is_the_product_over_its_stones() {
    let Some(gpu) = gpu("compositing") else { return };
    // Thinner than a pixel and vertical; thick and horizontal; long and wide close to the camera.
    compare(&gpu, 1500.0, 0.0, false, &Camera { shutter_s: 0.02, ..looking(-7.0) });
    compare(&gpu, 1500.0, 25.0, false, &Camera { stone_m: 0.05, ..looking(-6.0) });
    compare(&gpu, 4500.0, 6.0, false, &Camera { stone_m: 0.02, shutter_s: 0.03, ..looking(-1.0) });
}

#[test]
fn a_wall_hides_the_stones_behind_it_and_none_before_it() {
    let Some(gpu) = gpu("wall") else { return };
    let camera = Camera { stone_m: 0.03, ..looking(-6.0) };
    compare(&gpu, 900.0, 0.0, true, &camera);
}

#[test]
fn pictures_are_the_same_bit_by_bit_also_where_stones_are_opaque() {
    let Some(gpu) = gpu("same") else { return };
    let fall = FallModel::straight([0.7, 0.3]);
    let hail = heavy(fall).with_per_second(150_000.0).with_from_s(0.0);
    let simulation = simulation_on(hail, all_kinds());
    let eye_m = [3.0, -4.0, 3.0];
    let camera = Camera { eye_m, stone_m: 0.04, shutter_s: 0.02, ..Camera::default() };
    let (one, two) = (stills(&gpu, &simulation, &camera, 2), stills(&gpu, &simulation, &camera, 1));
    for other in [&one[1], &two[0]] {
        let differ = one[0].rgba.iter().zip(&other.rgba).filter(|(a, b)| a != b).count();
        foley_measured::check!("hail.picture_same", differ as f64);
    }
    // Thousands of stones above the horizon: the colour of ice only.
    let ice = ICE.map(level);
    let is_ice = |pixel: &[u8]| (0..3).all(|i| (f64::from(pixel[i]) - ice[i]).abs() < 1.01);
    let above = &one[0].rgba[..4 * 200 * 20];
    let white = above.chunks(4).filter(|pixel| is_ice(pixel)).count();
    assert!(white > 3960, "{white} of 4000");
}

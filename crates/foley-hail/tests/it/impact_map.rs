//! The impact map: losses, order, atlas and image.

use crate::common;

use common::*;
use foley_hail::map::{Atlas, ImpactMap, Shade};
use foley_hail::{FallModel, HailSettings, HailSimulation, Impact, Surface, Target, TargetSet};

fn scene() -> HailSimulation {
    scene_with_seed(HailSettings::default().seed)
}

/// Two level rectangles, a disc and a cone.
fn scene_with_seed(seed: u32) -> HailSimulation {
    let disc = Surface::Disc {
        centre_m: [0.0, 2.0, 1.0],
        axis_u_m: [1.0, 0.0, 0.0],
        axis_v_m: [0.0, 0.8, 0.0],
    };
    let cone = Surface::Cone {
        base_m: [3.0, 2.5, 0.0],
        axis_m: [0.0, 0.0, 1.0],
        base_radius_m: 1.4,
        top_radius_m: 0.2,
    };
    let [one, two] = [level([-2.0, -2.0], [0.0, 1.0], 0.5), level([0.5, -2.0], [3.0, 0.0], 1.5)];
    let surfaces = [one, two, disc, cone];
    let hail = heavy(FallModel::straight([0.0; 2])).with_per_second(100_000.0).with_seed(seed);
    simulation(hail, surfaces)
}

fn by_target(impacts: &[Impact]) -> [u64; 4] {
    let mut n = [0; 4];
    impacts.iter().for_each(|impact| n[impact.target as usize] += 1);
    n
}

/// Surface coordinates of a point sampled uniformly from the surface of a target of the scene.
fn drawn(target: u32, rng: &mut TestRng) -> [f64; 2] {
    loop {
        let [u, v] = [rng.unit(), rng.unit()];
        let taken = match target {
            2 => (2.0 * u - 1.0).powi(2) + (2.0 * v - 1.0).powi(2) < 1.0,
            3 => rng.unit() < (1.4 - 1.2 * v) / 1.4,
            _ => true,
        };
        if taken {
            return [u, v];
        }
    }
}

/// Mean and variance of the lost impacts when points are sampled at random.
fn lost_at_random(atlas: &Atlas, n: [u64; 4], any: Impact) -> (f64, f64) {
    let mut rng = TestRng::new(32);
    let trials: Vec<f64> = (0..TRIALS)
        .map(|_| {
            let mut occupied = std::collections::HashSet::new();
            let mut lost = 0;
            for (target, n) in (0..).zip(n) {
                for _ in 0..n {
                    let uv = drawn(target, &mut rng);
                    let impact = Impact { target, uv, ..any };
                    lost += i32::from(!occupied.insert(atlas.texel(&impact).unwrap()));
                }
            }
            f64::from(lost)
        })
        .collect();
    let mean = trials.iter().sum::<f64>() / f64::from(TRIALS);
    (mean, trials.iter().map(|lost| (lost - mean).powi(2)).sum::<f64>() / f64::from(TRIALS - 1))
}

const TRIALS: u32 = 200;
const SEEDS: u32 = 30;

/// Over 30 seeds: a single sample within 3 σ would also pass with an expectation that is 2 σ off.
#[test]
fn as_many_impacts_are_lost_as_predicted() {
    for (size, until_s) in [([64, 64], 5.1), ([256, 256], 5.5), ([32, 48], 5.1)] {
        let (mut chi_squared, mut sum, mut variance) = (0.0, 0.0, None);
        for seed in 1..=SEEDS {
            let simulation = scene_with_seed(seed);
            let atlas = Atlas::new(simulation.targets(), size).unwrap();
            let impacts = simulation.impacts(5.0, until_s).unwrap();
            let n = by_target(&impacts);
            let mut map = ImpactMap::new(atlas.clone());
            map.mark(&impacts);
            let kept = map.marks().count() as u64;
            assert_eq!(kept + map.lost(), impacts.len() as u64);
            let expected = atlas.expected_lost(&n);
            // The variance hardly depends on the seed.
            let variance = *variance.get_or_insert_with(|| {
                let (mean, variance) = lost_at_random(&atlas, n, impacts[0]);
                let off = (mean - expected) / (variance / f64::from(TRIALS)).sqrt();
                assert!(off.abs() < 3.0, "at random {mean} for {expected}: {off} σ");
                variance
            });
            let off = (map.lost() as f64 - expected) / variance.sqrt();
            assert!(expected > 50.0 && off.abs() < 4.5, "seed {seed}: {off} σ of {expected}");
            chi_squared += off * off;
            sum += off;
            map.clear();
            assert_eq!((map.marks().count(), map.lost()), (0, 0));
        }
        let mean = sum / f64::from(SEEDS);
        println!("{size:?}: χ² = {chi_squared:.1}, mean {mean:.2} σ");
        foley_measured::check!("hail.map_loss_squares", chi_squared);
        // The mean of 30 has a deviation of 0.18 σ.
        foley_measured::check!("hail.map_loss", mean.abs());
    }
}

/// The formula for countable cases: two impacts on two texels share one in half of the cases.
#[test]
fn the_expectation_is_that_of_drawing_texels() {
    let targets = TargetSet::new([Target::new(level([0.0; 2], [2.0, 1.0], 0.0))]).unwrap();
    let atlas = Atlas::new(&targets, [2, 1]).unwrap();
    assert_eq!(atlas.patches()[0].size, [2, 1]);
    assert!((atlas.expected_lost(&[2]) - 0.5).abs() < 1e-12);
    assert!((atlas.expected_lost(&[3]) - 1.25).abs() < 1e-12);
    assert_eq!(atlas.expected_lost(&[0]), 0.0);
    assert!(atlas.expected_lost(&[1]).abs() < 1e-12);
}

#[test]
fn the_earliest_stays_whatever_the_order() {
    let simulation = scene();
    let atlas = Atlas::new(simulation.targets(), [32, 32]).unwrap();
    let mut impacts = simulation.impacts(5.0, 5.3).unwrap();
    let mut forward = ImpactMap::new(atlas.clone());
    forward.mark(&impacts);
    impacts.reverse();
    let mut backward = ImpactMap::new(atlas.clone());
    backward.mark(&impacts);
    assert!(forward.lost() > 100 && forward.lost() == backward.lost());
    for impact in &impacts {
        let texel = atlas.texel(impact).unwrap();
        let kept = forward.at(texel).unwrap();
        assert_eq!(Some(kept), backward.at(texel));
        assert!(kept.at_s <= impact.at_s && kept.target == impact.target);
    }
}

#[test]
fn patches_are_apart_and_in_proportion() {
    let mut rng = TestRng::new(31);
    let surfaces: Vec<Target> =
        (0..5).flat_map(|_| one_of_each(&mut rng)).map(Target::new).collect();
    let targets = TargetSet::new(surfaces).unwrap();
    let atlas = Atlas::new(&targets, [512, 512]).unwrap();
    let mut owner = vec![None; 512 * 512];
    let mut density = Vec::new();
    for (k, patch) in atlas.patches().iter().enumerate() {
        for y in patch.at[1]..patch.at[1] + patch.size[1] {
            for x in patch.at[0]..patch.at[0] + patch.size[0] {
                assert_eq!(owner[(y * 512 + x) as usize].replace(k), None, "two own {x}, {y}");
            }
        }
        let surface = &targets.as_slice()[k].target().surface;
        let full =
            if matches!(surface, Surface::Disc { .. }) { 4.0 / std::f64::consts::PI } else { 1.0 };
        let texels = f64::from(patch.size[0] * patch.size[1]);
        density.push(texels / (full * surface.area_m2()));
    }
    let mean = density.iter().sum::<f64>() / density.len() as f64;
    assert!(density.iter().all(|d| (d / mean - 1.0).abs() < 0.25), "{density:?}");
    let used = owner.iter().flatten().count() as f64 / owner.len() as f64;
    assert!(used > 0.5, "only {used} of the map is used");
}

#[test]
fn the_image_shows_targets_by_colour_and_marks_by_brightness() {
    let simulation = scene();
    let atlas = Atlas::new(simulation.targets(), [64, 64]).unwrap();
    let mut map = ImpactMap::new(atlas);
    map.mark(&simulation.impacts(5.0, 5.02).unwrap());
    for shade in [Shade::Speed, Shade::Time] {
        let image = map.to_rgba(shade);
        assert_eq!(image.len(), 64 * 64 * 4);
        let light =
            |position: usize| image[4 * position..4 * position + 3].iter().max().copied().unwrap();
        let (mut marked, mut bare, mut outside) = (u8::MAX, 0, 0);
        let mut owned = vec![false; 64 * 64];
        for patch in map.atlas().patches() {
            for y in patch.at[1]..patch.at[1] + patch.size[1] {
                for x in patch.at[0]..patch.at[0] + patch.size[0] {
                    let position = (y * 64 + x) as usize;
                    owned[position] = true;
                    match map.at([x, y]) {
                        Some(_) => marked = marked.min(light(position)),
                        None => bare = bare.max(light(position)),
                    }
                }
            }
        }
        (0..64 * 64).filter(|k| !owned[*k]).for_each(|k| outside = outside.max(light(k)));
        assert!(marked > bare && bare > outside && outside == 0, "{marked} {bare} {outside}");
    }
}

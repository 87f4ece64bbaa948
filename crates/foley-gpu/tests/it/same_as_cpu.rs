//! The GPU returns the impacts of the CPU: the same stones at the same times.

use crate::common;

use common::{accelerated, assert_same, different, gpu, heavy, simulation};
use foley_gpu::{AdapterPreference, Gpu, GpuHail, GpuOptions, GpuOrCpu, RawHitTest, Slots};
use foley_hail::{CheckedTarget, FallModel, HailSimulation, Impact, ImpactFilter, Surface};
use glam::DVec3;
use std::collections::BTreeSet;

/// The size of a target: the diagonal of its box.
fn size_m(target: &CheckedTarget) -> f64 {
    let bounds = target.target().surface.bounds();
    DVec3::from_array(bounds.lo).distance(DVec3::from_array(bounds.hi))
}

/// |v · n| / |v|.
fn steepness(impact: &Impact) -> f64 {
    impact.normal_speed_m_s() / impact.speed_m_s()
}

/// Every stone that hits is a candidate, and few others are. Single precision alone is accurate to a tenth of a
/// sample and 1e-4 of the size of the target along the normal; at a grazing angle α the uncertainty is
/// 1/sin α times larger.
fn million(test: &str, simulation: &HailSimulation) {
    let Some(gpu) = gpu(test) else { return };
    let stones = 1_000_000..2_000_000_u64;
    let raw = RawHitTest::new(&gpu, simulation).unwrap().impacts(stones.clone()).unwrap();
    let exact: Vec<Impact> = stones.filter_map(|stone| simulation.impact_of(stone)).collect();
    assert!(exact.len() > 300_000);
    let candidates: BTreeSet<u64> = raw.iter().map(|impact| impact.stone).collect();
    assert_eq!(candidates.len(), raw.len(), "a stone is a candidate twice");
    let missing = exact.iter().filter(|impact| !candidates.contains(&impact.stone)).count();
    foley_measured::check!("hail.gpu_missing", missing as f64);
    let rejected = raw.len() - exact.len();

    let mut next = raw.iter().peekable();
    let (mut elsewhere, mut late, mut worst_time, mut worst_place) = (0, 0, 0.0_f64, 0.0_f64);
    let (mut worst_any_time, mut kinds) = (0.0_f64, [0_usize; 16]);
    for impact in &exact {
        while next.next_if(|raw| raw.stone < impact.stone).is_some() {}
        let raw = next.peek().unwrap();
        if raw.target != impact.target {
            elsewhere += 1;
            continue;
        }
        let error_samples = 48_000.0 * (f64::from(raw.t_s) - impact.t_s).abs();
        // Close to an edge or a hole, the hit may be on another part of the same surface.
        if error_samples > 48.0 {
            elsewhere += 1;
            continue;
        }
        kinds[impact.target as usize] += 1;
        worst_any_time = worst_any_time.max(error_samples);
        late += usize::from(error_samples > 0.1);
        let target = &simulation.targets().as_slice()[impact.target as usize];
        let off = DVec3::from_array(raw.position_m) - DVec3::from_array(impact.position_m);
        worst_time = worst_time.max(error_samples * steepness(impact));
        worst_place = worst_place.max(off.length() * steepness(impact) / size_m(target));
    }
    println!(
        "{test}: {} impacts, {rejected} rejected candidates, {elsewhere} elsewhere at an edge; off by at \
         most {worst_time:.3} samples and {worst_place:.1e} sizes; {late} grazing ones by more than 0.1 \
         sample, at most {worst_any_time:.2}; by target {kinds:?}",
        exact.len()
    );
    foley_measured::check!("hail.gpu_raw_time", worst_time);
    foley_measured::check!("hail.gpu_raw_place", worst_place);
    foley_measured::check!("hail.gpu_raw_grazing_time", worst_any_time);
    let per_million = |count: usize| 1e6 * count as f64 / exact.len() as f64;
    foley_measured::check!("hail.gpu_raw_grazing", per_million(late));
    foley_measured::check!("hail.gpu_raw_elsewhere", per_million(elsewhere));
    foley_measured::check!("hail.gpu_raw_rejected", per_million(rejected));
    let hits_on = |surface: fn(&Surface) -> bool| {
        let targets = simulation.targets().as_slice().iter().zip(kinds);
        targets
            .filter(|(target, _)| surface(&target.target().surface))
            .map(|(_, n)| n)
            .sum::<usize>()
    };
    assert!(hits_on(|surface| matches!(surface, Surface::Quad { .. })) > 10_000);
    assert!(hits_on(|surface| matches!(surface, Surface::Disc { .. })) > 1000);
    assert!(hits_on(|surface| matches!(surface, Surface::Sphere { .. })) > 1000);
    assert!(hits_on(|surface| matches!(surface, Surface::Cylinder { .. })) > 1000);
    assert!(hits_on(|surface| matches!(surface, Surface::Cone { .. })) > 1000);
    assert!(hits_on(|surface| matches!(surface, Surface::Mesh(_))) > 1000);
}

#[test]
fn a_million_straight_stones() {
    million("straight", &simulation(heavy(FallModel::straight([1.2, -0.7]))));
}

#[test]
fn a_million_accelerated_stones() {
    million("accelerated", &simulation(heavy(accelerated())));
}

#[test]
fn frames_of_a_downpour_lose_nothing() {
    let Some(gpu) = gpu("downpour") else { return };
    let simulation = simulation(heavy(accelerated()));
    let options = GpuOptions::default().with_slots(Slots::None).with_from_s(7.0);
    let mut hail = GpuHail::new(gpu, simulation.clone(), options).unwrap();
    let mut impacts = Vec::new();
    for frame in 1..=120 {
        hail.advance(7.0 + f64::from(frame) / 60.0, &mut impacts).unwrap();
    }
    foley_measured::check!("hail.gpu_downpour", impacts.len() as f64);
    foley_measured::check!(
        "hail.gpu_differ",
        different(&impacts, &simulation.impacts(7.0, 9.0).unwrap())
    );
}

#[test]
fn polling_gives_the_same_without_waiting() {
    let Some(gpu) = gpu("polling") else { return };
    let hail = heavy(FallModel::straight([0.0, 1.0])).with_per_second(20_000.0);
    let simulation = simulation(hail);
    let mut hail = GpuHail::new(gpu, simulation.clone(), GpuOptions::default()).unwrap();
    let (mut impacts, mut given, mut polls) = (Vec::new(), 0.0, 0);
    hail.request(6.0).unwrap();
    while given < 6.0 {
        let before = impacts.len();
        given = hail.poll(6.0, &mut impacts).unwrap();
        assert!(impacts[before..].iter().all(|impact| impact.at_s < given));
        polls += 1;
        assert!(polls < 100_000, "nothing came");
        std::thread::sleep(std::time::Duration::from_micros(300));
    }
    assert_same(&impacts, &simulation.impacts(0.0, 6.0).unwrap());
}

#[test]
fn no_hail_and_no_colliders_are_silence() {
    let Some(gpu) = gpu("silence") else { return };
    let none = heavy(accelerated()).with_per_second(0.0);
    let far = heavy(accelerated())
        .with_cloud(foley_hail::Cloud::disc([9e5, -9e5, 20.0], 5.0))
        .with_per_second(1000.0);
    let simulations =
        [simulation(none), simulation(far), common::simulation_on(heavy(accelerated()), vec![])];
    for simulation in simulations {
        let mut hail = GpuHail::new(gpu.clone(), simulation, GpuOptions::default()).unwrap();
        let mut impacts = Vec::new();
        hail.advance(5.0, &mut impacts).unwrap();
        assert!(impacts.is_empty());
    }
}

#[test]
fn few_stones_and_late_stones_are_no_different() {
    let Some(gpu) = gpu("late") else { return };
    let cloud = foley_hail::Cloud::rectangle([0.0, 0.0, 20.0], [9.0, 8.0]);
    let usual = heavy(FallModel::straight([0.4, 0.0])).with_cloud(cloud).with_seed(7);
    // Stone indices beyond 32 bits, and times that single precision could not resolve.
    let late = usual.with_per_second(100_000.0).with_from_s(-500_000.0);
    let few = usual.with_per_second(1.0);
    let odd = usual.with_per_second(12.34).with_fall(accelerated());
    for (hail, from_s, until_s) in [(late, 0.0, 0.25), (few, -5.0, 60.0), (odd, 4.0, 30.0)] {
        let simulation = simulation(hail);
        let options = GpuOptions::default().with_from_s(from_s);
        let mut on_gpu = GpuHail::new(gpu.clone(), simulation.clone(), options).unwrap();
        let mut impacts = Vec::new();
        on_gpu.advance(until_s, &mut impacts).unwrap();
        let expected = simulation.impacts(from_s, until_s).unwrap();
        assert!(expected.len() > 30);
        assert_same(&impacts, &expected);
    }
}

#[test]
fn no_stone_from_high_up_is_overlooked() {
    let Some(gpu) = gpu("high") else { return };
    // A flight of most of a minute over 300 m; and stones that start upwards and fall back.
    let far = |fall, centre_m, targets| {
        let cloud = foley_hail::Cloud::disc(centre_m, 7.0);
        common::simulation_on(
            heavy(fall).with_per_second(10_000.0).with_cloud(cloud).with_fall(fall),
            targets,
        )
    };
    let up = FallModel::Accelerated {
        wind_m_s2: [0.0; 3],
        velocity_m_s: [1.0, -0.5, 40.0],
        spread_m_s: 0.4,
    };
    let simulations = [
        far(FallModel::straight([9.0, 0.0]), [-330.0, 0.0, 400.0], common::all_kinds()),
        far(up, [-8.0, 4.0, 2.0], common::all_kinds()),
        // A scene far from the origin.
        far(FallModel::straight([0.0; 2]), [800_000.0, 0.0, 30.0], common::far_away()),
    ];
    for simulation in simulations {
        let raw = RawHitTest::new(&gpu, &simulation).unwrap().impacts(0..100_000).unwrap();
        let candidates: BTreeSet<u64> = raw.iter().map(|impact| impact.stone).collect();
        let exact: Vec<Impact> =
            (0..100_000).filter_map(|stone| simulation.impact_of(stone)).collect();
        let missing = exact.iter().filter(|impact| !candidates.contains(&impact.stone)).count();
        println!("{} hit, {} candidates, {missing} missing", exact.len(), raw.len());
        assert!(exact.len() > 1000 && missing == 0);
        assert!(raw.len() < exact.len() + exact.len() / 50);
    }
}

/// With `ImpactFilter::SoundingOnly` the impacts are those of the CPU although silent targets are not uploaded;
/// the CPU continues with the same filter when the GPU is lost.
#[test]
fn sounding_only_gives_the_impacts_of_the_cpu() {
    let Some(gpu) = gpu("sounding") else { return };
    for fall in [FallModel::straight([1.2, -0.7]), accelerated()] {
        // The ground and some others are silent, and one coincides with a sounding table top.
        let silent = [2, 3, 5, 8];
        let mut targets = common::all_kinds();
        silent.iter().for_each(|k| targets[*k].silent = true);
        targets.push(foley_hail::Target::new(targets[0].surface.clone()).silent());
        let hail = heavy(fall).with_per_second(200_000.0);
        let simulation = common::simulation_on(hail, targets);
        let all = simulation.impacts(7.0, 8.0).unwrap();
        let sounds = |k: u32| !simulation.targets().as_slice()[k as usize].target().silent;
        let expected: Vec<Impact> = all.iter().filter(|i| sounds(i.target)).copied().collect();
        assert!(expected.len() > 10_000 && all.len() > expected.len() + 50_000);
        for slots in [Slots::None, Slots::Auto] {
            let (filter, from_s) = (ImpactFilter::SoundingOnly, 7.0);
            let options =
                GpuOptions::default().with_slots(slots).with_filter(filter).with_from_s(from_s);
            let mut hail = GpuHail::new(gpu.clone(), simulation.clone(), options).unwrap();
            let mut impacts = Vec::new();
            hail.advance(8.0, &mut impacts).unwrap();
            assert_same(&impacts, &expected);
        }
        let options =
            GpuOptions::default().with_slots(Slots::None).with_filter(ImpactFilter::SoundingOnly);
        let lost = std::sync::Arc::new(Gpu::open(AdapterPreference::Software).unwrap());
        let from_s = options.with_from_s(7.0);
        let mut any = GpuOrCpu::on_gpu(lost.clone(), simulation.clone(), from_s).unwrap();
        let mut impacts = Vec::new();
        any.advance(7.5, &mut impacts).unwrap();
        assert!(any.gpu().is_some());
        lost.destroy();
        any.advance(8.0, &mut impacts).unwrap();
        assert!(any.gpu().is_none());
        assert_same(&impacts, &expected);
    }
}

//! Frame by frame, in one call, and on any number of threads: the same impacts.

use crate::common;

use common::*;
use foley_hail::{
    Cloud, FallModel, HailSettings, HailSimulation, Impact, ImpactFilter, ImpactStream, Target,
    TargetSet,
};
use glam::DVec3;
use std::sync::Arc;

fn scene(fall: FallModel) -> Arc<HailSimulation> {
    let mut rng = TestRng::new(21);
    let surfaces: Vec<_> = (0..3).flat_map(|_| one_of_each(&mut rng)).collect();
    let hail = HailSettings::default()
        .with_per_second(30_000.0)
        .with_from_s(2.0)
        .with_cloud(Cloud::disc([-2.0, 0.0, 12.0], 6.0).drifting([0.7, 0.1]))
        .with_fall(fall);
    Arc::new(simulation(hail, surfaces))
}

fn windy() -> FallModel {
    FallModel::Accelerated {
        wind_m_s2: [0.5, 0.5, 0.0],
        velocity_m_s: [0.0, 0.0, 1.0],
        spread_m_s: 2.0,
    }
}

#[test]
fn frames_give_what_one_call_gives() {
    for fall in [windy(), FallModel::straight([1.0, 0.0])] {
        let simulation = scene(fall);
        let expected = simulation.impacts(0.0, 7.0).unwrap();
        assert!(expected.len() > 5000, "{}", expected.len());
        assert!(expected.is_sorted_by(|a, b| a.at_s <= b.at_s));
        let mut stream = ImpactStream::new(Arc::clone(&simulation), 0.0).unwrap();
        let (mut found, mut now, mut rng) = (Vec::new(), 0.0, TestRng::new(22));
        while now < 7.0 {
            // Most frames are short, some are empty, some are long.
            now = (now + 0.1 * rng.unit().powi(4)).min(7.0);
            stream.advance(now, &mut found).unwrap();
            stream.advance(now, &mut found).unwrap();
        }
        assert_eq!(found, expected);
        assert!(stream.pending() > 0);

        // From the middle, in one step.
        let mut stream = ImpactStream::new(Arc::clone(&simulation), 4.3).unwrap();
        let mut found = Vec::new();
        stream.advance(7.0, &mut found).unwrap();
        assert_eq!(found, simulation.impacts(4.3, 7.0).unwrap());
        let later: Vec<_> = expected.iter().filter(|i| i.at_s >= 4.3).copied().collect();
        assert_eq!(found, later);
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let simulation = scene(windy());
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulation.impacts(3.0, 6.0).unwrap())
    };
    let one = with(1);
    assert!(one.len() > 2000);
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
}

/// The impacts of an interval are those of all stones, filtered by time.
#[test]
fn an_interval_misses_no_stone() {
    let simulation = scene(windy());
    let all: Vec<u64> = (0..200_000)
        .filter_map(|index| simulation.impact_of(index))
        .filter(|impact| (5.0..5.2).contains(&impact.at_s))
        .map(|impact| impact.stone)
        .collect();
    let mut found: Vec<u64> =
        simulation.impacts(5.0, 5.2).unwrap().iter().map(|impact| impact.stone).collect();
    found.sort_unstable();
    assert!(!found.is_empty());
    assert_eq!(found, all);
}

#[test]
fn a_bounce_never_gains_energy() {
    let simulation = scene(windy());
    let impacts = simulation.impacts(4.0, 5.0).unwrap();
    for impact in &impacts {
        let stone = simulation.emitter().stone(impact.stone);
        for e in [0.0, 0.4, 1.0] {
            let bounce = simulation.emitter().bounce(&stone, &impact.hit(), e);
            let v = DVec3::from(bounce.trajectory.velocity_m_s);
            // The normal component is reduced by the factor e, the tangential one is kept.
            let normal = impact.normal_speed_m_s();
            let allowed = impact.speed_m_s().powi(2) - (1.0 - e * e) * normal * normal;
            assert!((v.length_squared() - allowed).abs() < 1e-9 * (1.0 + allowed));
            assert!(v.dot(DVec3::from(impact.normal)) >= 0.0);
            assert_eq!(
                (bounce.from_s, bounce.trajectory.position_m),
                (impact.at_s, impact.position_m)
            );
        }
    }
    let [one, two] = [0, 1].map(|k| {
        let stone = simulation.emitter().stone(impacts[k].stone);
        simulation.emitter().bounce(&stone, &impacts[0].hit(), 0.5).trajectory.velocity_m_s
    });
    assert_ne!(one, two, "each stone scatters differently");
}

/// With `ImpactFilter::SoundingOnly`, only impacts on sounding targets are reported; silent ones still occlude.
#[test]
fn sounding_only_is_the_sounding_part_of_all_impacts() {
    for fall in [windy(), FallModel::straight([1.0, 0.0])] {
        let original = scene(fall);
        for every in [1, 2, 5] {
            let targets = original.targets().as_slice().iter().enumerate().map(|(k, target)| {
                let target = Target::new(target.target().surface.clone());
                // With silent duplicates at the same positions.
                if k % every == 0 { target.silent() } else { target }
            });
            let twins = original.targets().as_slice().iter().step_by(4);
            let twins = twins.map(|target| Target::new(target.target().surface.clone()).silent());
            let targets = TargetSet::new(targets.chain(twins)).unwrap();
            let simulation = Arc::new(HailSimulation::new(*original.emitter(), targets).unwrap());
            let sounds = |impact: &Impact| {
                !simulation.targets().as_slice()[impact.target as usize].target().silent
            };
            let mut expected = simulation.impacts(3.0, 6.0).unwrap();
            let all = expected.len();
            expected.retain(sounds);
            assert!(all > 1000 && expected.len() < all);
            assert_eq!(expected.is_empty(), every == 1);
            let mut found = Vec::new();
            let stream = ImpactStream::new(Arc::clone(&simulation), 3.0).unwrap();
            stream.with_filter(ImpactFilter::SoundingOnly).advance(6.0, &mut found).unwrap();
            assert_eq!(found, expected);
        }
    }
}

//! Energies are distributed as 1/E.

use crate::common;

use common::*;
use foley_hail::{FallModel, Impact};
use glam::DVec3;

/// The Kolmogorov–Smirnov distance from `P(E) = ln(E/E_min) / ln(E_max/E_min)`, times √n.
fn distance(impacts: &[Impact], [least, most]: [f64; 2]) -> f64 {
    let mut energies: Vec<f64> = impacts.iter().map(|impact| impact.energy_j).collect();
    energies.sort_by(f64::total_cmp);
    let n = energies.len() as f64;
    let off = energies.iter().enumerate().map(|(k, energy)| {
        let p = (energy / least).ln() / (most / least).ln();
        (p - k as f64 / n).abs().max(((k + 1) as f64 / n - p).abs())
    });
    off.max_by(f64::total_cmp).unwrap() * n.sqrt()
}

/// 1.628 is the critical value at the 1 % level.
#[test]
fn impacts_follow_one_over_e_in_both_falls() {
    let windy = FallModel::Accelerated {
        wind_m_s2: [1.0, 0.0, 0.0],
        velocity_m_s: [0.0, 0.0, -5.0],
        spread_m_s: 1.0,
    };
    for (fall, z) in [(FallModel::straight([0.0; 2]), 3.0), (windy, 0.0), (FallModel::free(), 0.0)]
    {
        let hail = heavy(fall);
        let simulation = simulation(hail, [level([-2.0, -2.0], [2.0, 2.0], z)]);
        let impacts = simulation.impacts(8.0, 9.0).unwrap();
        assert!(impacts.len() >= 10_000, "{} impacts", impacts.len());
        foley_measured::check!("hail.energies", distance(&impacts, hail.energies_j));
    }
}

/// The test above has power: uniformly distributed energies do not pass.
#[test]
fn other_distributions_are_rejected() {
    let hail = heavy(FallModel::free());
    let simulation = simulation(hail, [level([-2.0, -2.0], [2.0, 2.0], 0.0)]);
    let mut impacts = simulation.impacts(8.0, 9.0).unwrap();
    let [least, most] = hail.energies_j;
    let n = impacts.len() as f64;
    for (k, impact) in impacts.iter_mut().enumerate() {
        impact.energy_j = least + (most - least) * (k as f64 + 0.5) / n;
    }
    assert!(distance(&impacts, hail.energies_j) > 10.0);
}

#[test]
fn an_impact_adds_up() {
    let hail = heavy(FallModel::straight([3.0, 0.0])).with_per_second(20_000.0);
    let simulation = simulation(hail, [level([-2.0, -2.0], [2.0, 2.0], 1.0)]);
    let impacts = simulation.impacts(8.0, 8.5).unwrap();
    assert!(!impacts.is_empty());
    for impact in impacts {
        let stone = simulation.emitter().stone(impact.stone);
        let v = DVec3::from(stone.trajectory.velocity_at(impact.at_s - stone.born_s));
        assert!(v.distance(DVec3::from(impact.velocity_m_s)) < 1e-9);
        assert!((0.5 * impact.mass_kg * v.length_squared() / impact.energy_j - 1.0).abs() < 1e-12);
        assert_eq!(simulation.impact_of(impact.stone), Some(impact));
        assert_eq!((impact.position_m[2] - 1.0).abs() < 1e-9, (8.0..8.5).contains(&impact.at_s));
    }
}

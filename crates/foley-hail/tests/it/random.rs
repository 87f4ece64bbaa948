//! The random words and the stones derived from them.

use foley_hail::{Cloud, FallModel, HailSettings, ParticleEmitter, random};
use glam::DVec3;

/// Reference values from an independent implementation in Python:
///
/// ```python
/// def pcg4d(v, m=0xffffffff):
///     x, y, z, w = [(a * 1664525 + 1013904223) & m for a in v]
///     for r in range(2):
///         x = (x + y*w) & m; y = (y + z*x) & m; z = (z + x*y) & m; w = (w + y*z) & m
///         if r == 0: x, y, z, w = [a ^ (a >> 16) for a in (x, y, z, w)]
///     return x, y, z, w
/// ```
#[test]
fn words_are_those_of_an_independent_program() {
    let known = [
        (0, 0, 0, [251852841, 760645481, 850445371, 3542436074]),
        (1, 1, 0, [3541482852, 2429246728, 2919364857, 3580757336]),
        (123456789, 42, 1, [2785754458, 1366695672, 4228038191, 2734624664]),
        ((1 << 32) + 5, u32::MAX, 2, [3021461463, 1572633908, 224663538, 2902685932]),
    ];
    for (index, seed, salt, words) in known {
        assert_eq!(random::words(index, seed, salt), words);
    }
}

#[test]
fn fractions_are_exact_in_single_precision() {
    for index in 0..10_000 {
        for u in random::fractions(index, 3, random::BIRTH) {
            assert!((0.0..1.0).contains(&u));
            assert_eq!(f64::from(u as f32), u);
        }
    }
}

/// Words are uniform, and independent of each other and of the next stone's: chi-square on a grid of
/// 16 × 16 cells with 255 degrees of freedom, which exceeds 345 in one of 7,000 cases.
#[test]
fn words_are_uniform_in_pairs() {
    let n = 200_000_u64;
    for seed in [0, 1, 2, 0xdead_beef] {
        for (a, b, next) in [(0, 1, 0), (1, 2, 0), (2, 3, 0), (0, 3, 0), (0, 0, 1), (3, 3, 1)] {
            let mut cells = [0_f64; 256];
            for index in 0..n {
                let x = random::fractions(index, seed, 0)[a];
                let y = random::fractions(index + next, seed, 0)[b];
                cells[(x * 16.0) as usize * 16 + (y * 16.0) as usize] += 1.0;
            }
            let expected = n as f64 / 256.0;
            let chi: f64 = cells.iter().map(|c| (c - expected).powi(2) / expected).sum();
            foley_measured::check!("hail.random", chi);
        }
    }
}

#[test]
fn one_stone_is_born_in_each_slot() {
    let hail = HailSettings::default().with_per_second(250.0).with_from_s(3.0);
    let emitter = ParticleEmitter::new(hail).unwrap();
    for index in 0..10_000 {
        let slot = (emitter.stone(index).born_s - 3.0) * 250.0 - index as f64;
        assert!((-1e-9..1.0 + 1e-9).contains(&slot), "stone {index} is born at {slot} of its slot");
    }
}

#[test]
fn a_stone_needs_no_other_stone() {
    let emitter =
        ParticleEmitter::new(HailSettings::default().with_fall(FallModel::free())).unwrap();
    let far = 1 << 40;
    assert_eq!(emitter.stone(far), emitter.stone(far));
    assert_ne!(emitter.stone(far).trajectory, emitter.stone(far + 1).trajectory);
    let other = ParticleEmitter::new((*emitter.settings()).with_seed(2)).unwrap();
    assert_ne!(emitter.stone(7).trajectory, other.stone(7).trajectory);
}

/// Each word has the purpose that the table in `random` lists.
#[test]
fn each_word_has_its_own_purpose() {
    let (velocity_m_s, spread_m_s) = ([1.0, 2.0, -3.0], 0.5);
    let fall = FallModel::Accelerated { wind_m_s2: [0.0; 3], velocity_m_s, spread_m_s };
    let centre_m = [4.0, 5.0, 20.0];
    let disc = Cloud::disc(centre_m, 3.0).drifting([0.5, -0.5]);
    let rectangle = Cloud::rectangle(centre_m, [2.0, 6.0]);
    let hail =
        HailSettings::default().with_seed(9).with_from_s(1.0).with_per_second(50.0).with_fall(fall);
    for index in [0, 1, 77, 123_456] {
        let [when, a, b, energy] = random::words(index, 9, 0).map(random::fraction);
        let age_s = (index as f64 + when) / 50.0;
        let stone = ParticleEmitter::new(hail.with_cloud(disc)).unwrap().stone(index);
        let angle = std::f64::consts::TAU * b;
        let position = DVec3::new(
            4.0 + 0.5 * age_s + 3.0 * a.sqrt() * angle.cos(),
            5.0 - 0.5 * age_s + 3.0 * a.sqrt() * angle.sin(),
            20.0,
        );
        assert!(position.distance(DVec3::from(stone.trajectory.position_m)) < 1e-9);
        assert!((stone.born_s - 1.0 - age_s).abs() < 1e-9);
        let [least, most] = hail.energies_j;
        assert!((stone.energy_j / (least * (most / least).powf(energy)) - 1.0).abs() < 1e-12);

        let stone = ParticleEmitter::new(hail.with_cloud(rectangle)).unwrap().stone(index);
        let position = DVec3::new(4.0 + 2.0 * (a - 0.5), 5.0 + 6.0 * (b - 0.5), 20.0);
        assert!(position.distance(DVec3::from(stone.trajectory.position_m)) < 1e-12);
        let [x, y, z, _] = random::words(index, 9, 1).map(|w| random::fraction(w) - 0.5);
        assert_eq!(stone.trajectory.velocity_m_s, [1.0 + x, 2.0 + y, -3.0 + z]);
    }
}

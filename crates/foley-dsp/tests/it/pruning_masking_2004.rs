//! The pruners against \[CS\] §4: the printed pseudo-code, the reference, the fast pruner.

use crate::common;

use common::noise;
use foley_dsp::perception::{
    Audibility, Calibration, EnvelopePruner, Masking, Tone, bark_from_hz, hz_from_bark, prune_2004,
    spatial_release_between_db,
};

/// Steps 5 to 7 of \[CS\] §4 as printed, O(N²), without optimisation. `a_v` depends on masker and
/// target only where there are directions.
fn as_printed(tones: &[Tone], a_v: impl Fn(usize, usize) -> f64) -> Vec<Audibility> {
    struct Mode {
        index: usize,
        tone: Tone,
        is_on: bool,
        is_masker: bool,
    }
    let mut data: Vec<Mode> = (0..tones.len())
        .map(|index| Mode { index, tone: tones[index], is_on: false, is_masker: false })
        .collect();
    // A stable sort: equal levels stay in the order of their indices.
    data.sort_by(|a, b| b.tone.level_db().partial_cmp(&a.tone.level_db()).unwrap());
    let mut verdicts = vec![Audibility::BelowThreshold; tones.len()];
    for mode in &mut data {
        if mode.tone.level_db() > mode.tone.threshold_db() {
            mode.is_on = true;
            mode.is_masker = true;
            verdicts[mode.index] = Audibility::Audible;
        } else {
            mode.is_on = false;
            mode.is_masker = false;
        }
    }
    for i in 0..data.len() {
        if data[i].is_masker {
            for k in i + 1..data.len() {
                if data[k].is_on {
                    let av = Masking::new(a_v(data[i].index, data[k].index)).a_v_db();
                    let th = m(&data[k].tone, &data[i].tone, av);
                    let e_c = data[k].tone.level_db();
                    if e_c < th {
                        data[k].is_on = false;
                        data[k].is_masker = false;
                        verdicts[data[k].index] = Audibility::Masked;
                    } else if e_c < th + av {
                        data[k].is_masker = false;
                    }
                }
            }
        }
    }
    verdicts
}

/// Equation 4 with the slope limited to 0 and on the fixed-point grid.
fn m(tone: &Tone, masker: &Tone, a_v: f64) -> f64 {
    let s_l = 25.0;
    let s_u = (((22.0 - masker.level_db() / 5.0) * 65_536.0).round() / 65_536.0).max(0.0);
    let (b, b_m) = (tone.bark(), masker.bark());
    let p = if b < b_m {
        masker.level_db() - a_v - s_l * (b_m - b)
    } else {
        masker.level_db() - a_v - s_u * (b - b_m)
    };
    tone.threshold_db().max(p)
}

const A_V: [f64; 6] = [0.0, 2.5, 5.0, 20.0, 100.0, 1.0 / 3.0];

/// Random numbers in 0 … 1.
struct Random(Box<dyn FnMut() -> f64>);

impl Random {
    fn new(seed: u64) -> Self {
        let mut noise = noise(seed.wrapping_add(77));
        for _ in 0..10 {
            noise();
        }
        Self(Box::new(move || 0.5 * (noise() + 1.0)))
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0)()
    }

    fn below(&mut self, n: usize) -> usize {
        (self.within(0.0, n as f64) as usize).min(n.saturating_sub(1))
    }
}

const KINDS: usize = 9;

/// Returns a set of tones of one kind, each kind a difficult case.
fn tones(kind: usize, n: usize, random: &mut Random) -> Vec<Tone> {
    let centres: Vec<f64> = (0..5).map(|_| random.within(0.0, 25.0)).collect();
    let levels: Vec<f64> = (0..4).map(|_| random.within(-10.0, 130.0)).collect();
    (0..n)
        .map(|i| {
            let bark = random.within(0.01, 25.0);
            let hz = hz_from_bark(bark);
            let level = random.within(-20.0, 100.0);
            match kind {
                // Uniform in Bark and level, the case of the paper.
                0 => Tone::new(hz, level),
                // Clusters.
                1 => {
                    let near = centres[random.below(5)] + random.within(-0.3, 0.3);
                    Tone::new(hz_from_bark(near), level)
                }
                // Equal levels, often of the same frequency.
                2 => Tone::new(hz_from_bark(bark.ceil() / 1.3), levels[0]),
                // A few frequencies, many levels.
                3 => Tone::new(hz_from_bark(centres[i % 5]), level),
                // Around the hearing threshold, a_v above it included.
                4 => {
                    let above = A_V[random.below(6)] + random.within(-2.0, 2.0);
                    Tone::new(hz, Tone::new(hz, 0.0).threshold_db() + above)
                }
                // So loud that upper slopes are limited to 0.
                5 => Tone::new(hz, random.within(95.0, 140.0)),
                // Coarse in both: most comparisons are ties.
                6 => {
                    let hz = hz_from_bark((bark * 4.0).round() / 4.0);
                    Tone::new(hz, (level / 5.0).round() * 5.0)
                }
                // On a straight slope over Bark, where many curves nearly meet.
                7 => Tone::new(hz, 90.0 - random.below(3) as f64 - 10.0 * (bark / 3.0)),
                // With non-finite and silent modes among them.
                _ => {
                    let odd = [f64::NAN, f64::NEG_INFINITY, f64::INFINITY, 0.0, -300.0, level];
                    let hz = [hz, hz, hz, f64::NAN, -1.0, 0.0][random.below(6)];
                    Tone::new(hz, if random.below(2) == 0 { level } else { odd[random.below(6)] })
                }
            }
        })
        .collect()
}

/// Returns how many verdicts differ.
fn differences(a: &[Audibility], b: &[Audibility]) -> usize {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

#[test]
fn the_reference_is_the_printed_pseudo_code() {
    let mut seen = [0usize; 3];
    let mut differ = 0;
    for case in 0..4_000u64 {
        let mut random = Random::new(case);
        let n = [0, 1, 2, 3, 5, 8, 20, 60, 200][random.below(9)];
        let tones = tones(case as usize % KINDS, n, &mut random);
        let a_v = A_V[random.below(6)];
        let verdicts = prune_2004(Masking::new(a_v), &tones, None);
        differ += differences(&verdicts, &as_printed(&tones, |_, _| a_v));
        verdicts.iter().for_each(|verdict| seen[*verdict as usize] += 1);
    }
    assert!(seen.iter().all(|&seen| seen > 10_000), "every outcome occurs: {seen:?}");
    foley_measured::check!("perception.reference_pruner", differ as f64);
}

#[test]
fn the_fast_pruner_is_the_reference() {
    let mut pruner = EnvelopePruner::with_capacity(5_000);
    let mut differ = 0;
    for case in 0..12_000u64 {
        let mut random = Random::new(1_000_000 + case);
        let n = if case % 1_000 < KINDS as u64 {
            5_000
        } else {
            [0, 1, 2, 3, 4, 6, 10, 30, 100, 400][random.below(10)]
        };
        let tones = tones(case as usize % KINDS, n, &mut random);
        let a_v = A_V[random.below(6)];
        let masking = Masking::new(a_v);
        let verdicts = pruner.prune(masking, &tones).unwrap();
        differ += differences(verdicts, &prune_2004(masking, &tones, None));
    }
    foley_measured::check!("perception.fast_pruner", differ as f64);
}

/// Returns frequencies and energies of struck plates and bars, in closed form.
fn struck(scene: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = Random::new(scene);
    let (mut f, mut e) = (Vec::new(), Vec::new());
    for _ in 0..1 + random.below(6) {
        let (f1, ratio) = (random.within(20.0, 400.0), random.within(0.3, 1.0));
        let (x, y) = (random.within(0.05, 0.95), random.within(0.05, 0.95));
        let (soft_hz, loud) =
            (random.within(500.0, 12_000.0), 10f64.powf(random.within(-6.0, 0.0)));
        let bar = random.below(3) == 0;
        for i in 1..60 {
            for j in 1..60 {
                let (m, n) = (f64::from(i), f64::from(j));
                // A supported plate; a free bar has one row of modes.
                let (hz, shape) = if bar {
                    (f1 * (m + 0.5).powi(2), if j == 1 { (3.1 * m * x).sin() } else { 0.0 })
                } else {
                    let pi = std::f64::consts::PI;
                    (f1 * (m * m + ratio * n * n), (pi * m * x).sin() * (pi * n * y).sin())
                };
                if hz < 20_000.0 {
                    f.push(hz);
                    e.push(loud * shape * shape / (hz * hz * (1.0 + (hz / soft_hz).powi(4))));
                }
            }
        }
    }
    (f, e)
}

#[test]
fn struck_plates_and_bars() {
    let mut pruner = EnvelopePruner::with_capacity(30_000);
    let (mut all, mut kept, mut differ) = (0, 0, 0);
    for scene in 0..40 {
        let (f, e) = struck(scene);
        for playback_db in [30.0, 60.0, 90.0] {
            let calibration = Calibration::to_playback_level(e.iter().copied(), playback_db);
            let level = |e: &f64| calibration.level_db(*e);
            let tones: Vec<Tone> = f.iter().zip(&e).map(|(f, e)| Tone::new(*f, level(e))).collect();
            for a_v in A_V {
                let masking = Masking::new(a_v);
                let verdicts = pruner.prune(masking, &tones).unwrap();
                differ += differences(verdicts, &prune_2004(masking, &tones, None));
                if a_v == 5.0 && playback_db == 60.0 {
                    all += verdicts.len();
                    kept +=
                        verdicts.iter().filter(|verdict| **verdict == Audibility::Audible).count();
                }
            }
        }
    }
    // [CS] §4: "masking effects with a_v = 5 dB remove almost 95 %" of a garbage can.
    println!("{kept} of {all} modes of struck plates and bars are audible");
    assert!(kept * 5 < all && kept > 100, "{kept} of {all}");
    foley_measured::check!("perception.fast_pruner_struck", differ as f64);
}

/// A masked mode is below the curve of an audible one: maskers are never removed.
#[test]
fn masked_modes_lie_below_audible_ones() {
    let mut pruner = EnvelopePruner::with_capacity(1_000);
    for case in 0..200 {
        let mut random = Random::new(5_000 + case);
        let tones = tones(case as usize % KINDS, 300, &mut random);
        for a_v in A_V {
            let masking = Masking::new(a_v);
            let verdicts = pruner.prune(masking, &tones).unwrap();
            let audible: Vec<_> =
                (0..tones.len()).filter(|&i| verdicts[i] == Audibility::Audible).collect();
            for (k, tone) in tones.iter().enumerate() {
                let covered = audible
                    .iter()
                    .any(|&i| tone.level_db() < masking.curve(&tones[i]).spread_db(tone.bark()));
                match verdicts[k] {
                    Audibility::Masked => assert!(covered && tone.is_above_threshold()),
                    Audibility::BelowThreshold => assert!(!tone.is_above_threshold()),
                    Audibility::Audible => assert!(tone.is_above_threshold()),
                }
            }
        }
    }
}

fn direction(random: &mut Random) -> [f64; 3] {
    let z = random.within(-1.0, 1.0);
    let turn = random.within(0.0, std::f64::consts::TAU);
    let r = (1.0 - z * z).sqrt();
    [r * turn.cos(), r * turn.sin(), z]
}

#[test]
fn directions_as_printed_and_equal_ones_change_nothing() {
    let (mut released, mut differ) = (0, 0);
    for case in 0..1_000 {
        let mut random = Random::new(9_000 + case);
        let n = [1, 2, 5, 20, 80][random.below(5)];
        let tones = tones(case as usize % KINDS, n, &mut random);
        let a_v = A_V[random.below(6)];
        let masking = Masking::new(a_v);
        let plain = prune_2004(masking, &tones, None);

        let one = direction(&mut random);
        assert_eq!(prune_2004(masking, &tones, Some(&vec![one; n])), plain, "case {case}");

        let around: Vec<[f64; 3]> = (0..n).map(|_| direction(&mut random)).collect();
        let spatial = prune_2004(masking, &tones, Some(&around));
        let between = |i: usize, k: usize| {
            masking.a_v_db() + spatial_release_between_db(around[i], around[k])
        };
        differ += differences(&spatial, &as_printed(&tones, between));
        released += usize::from(spatial != plain);
    }
    assert!(released > 100, "directions matter: {released}");
    foley_measured::check!("perception.reference_pruner_directions", differ as f64);
}

#[test]
fn frequency_and_bark_order_agree() {
    let hz: Vec<f64> = (1..40_000).map(|i| f64::from(i) * 0.7).collect();
    assert!(hz.windows(2).all(|f| bark_from_hz(f[0]) < bark_from_hz(f[1])));
}

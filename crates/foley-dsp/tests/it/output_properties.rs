//! Guarantees of the output stage for any input.

use foley_dsp::output::{
    BLOW_UP, Guard, Limiter, LimiterSettings, OutputError, OutputSettings, OutputStage, TINY,
};
use proptest::prelude::*;

const F_S: f64 = 48_000.0;
const CEILING: f32 = 0.891_250_9; // −1 dBFS

fn limiter(channels: usize) -> Limiter {
    Limiter::new(LimiterSettings::default(), F_S, channels).unwrap()
}

/// Uniform in −1…1: a fixed sequence (Knuth's MMIX generator), the same on every run.
fn noise(frames: usize) -> Vec<f32> {
    let mut state = 1u64;
    std::iter::repeat_with(|| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    })
    .take(frames)
    .collect()
}

/// Returns mono signals that are difficult for limiters, with their names.
fn difficult_signals() -> Vec<(&'static str, Vec<f32>)> {
    let from = |f: fn(usize) -> f32| (0..6000).map(f).collect::<Vec<f32>>();
    vec![
        ("step of 2^30", from(|n| if n < 1000 { 0.5 } else { (1u32 << 30) as f32 })),
        ("step of 1e29", from(|n| if n < 1000 { 0.5 } else { 1e29 })),
        ("spike", from(|n| if n == 3000 { 1e6 } else { 0.3 })),
        ("spike in silence", from(|n| if n == 3000 { -50.0 } else { 0.0 })),
        ("comb of spikes", from(|n| if n % 71 == 0 { 1.5 + (n % 7) as f32 } else { 0.8 })),
        ("constant", from(|_| 3.0)),
        ("just above", from(|_| CEILING * 1.000_001)),
        ("alternating 1e29", from(|n| if n % 2 == 0 { 1e29 } else { -1e29 })),
        ("rising", from(|n| 1.002f32.powi(n as i32) * if n % 3 == 0 { -1.0 } else { 1.0 })),
        ("noise", noise(6000).into_iter().map(|x| 20.0 * x).collect()),
        ("sine", from(|n| 4.0 * (n as f32 * 0.02).sin())),
    ]
}

fn check_ceiling(x: &[f32], clamps: u64) {
    let is_above = |y: &&f32| y.is_nan() || y.abs() > CEILING;
    foley_measured::check!("reproducible.ceiling", x.iter().filter(is_above).count() as f64);
    foley_measured::check!("reproducible.clamps", clamps as f64);
}

#[test]
fn no_finite_signal_passes_the_ceiling_and_the_clamp_never_acts() {
    for lookahead_s in [0.0, 0.000_02, 0.0015, 0.02] {
        for (name, mut x) in difficult_signals() {
            let settings = LimiterSettings::default().with_lookahead_s(lookahead_s);
            let mut limiter = Limiter::new(settings, F_S, 1).unwrap();
            limiter.process(&mut x);
            assert_eq!(limiter.ceiling(), CEILING);
            println!("{name}, {lookahead_s} s");
            check_ceiling(&x, limiter.clamps());
        }
    }
}

/// A steady overload comes out at the ceiling.
#[test]
fn the_ceiling_is_reached() {
    for level in [1.0f32, 3.0, 1e4, (1u32 << 30) as f32, 1e20] {
        let mut limiter = limiter(1);
        let mut x = vec![level; 2000];
        limiter.process(&mut x);
        assert!(x[72..].iter().all(|y| (y / CEILING - 1.0).abs() < 1e-6), "{level}");
    }
}

#[test]
fn extreme_floats_and_nan_stay_below_the_ceiling() {
    let worst = [f32::MAX, -f32::MAX, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.5, -0.0, 1e-45];
    for period in 1..=worst.len() {
        let mut limiter = limiter(1);
        let mut x: Vec<f32> = (0..4000).map(|n| worst[n % period]).collect();
        limiter.process(&mut x);
        println!("period {period}");
        check_ceiling(&x, limiter.clamps());
        // After 20 release times the gain has recovered.
        let mut quiet = vec![0.5; (20.0 * 0.08 * F_S) as usize];
        limiter.process(&mut quiet);
        assert_eq!(quiet.last(), Some(&0.5));
    }
}

/// The gain has neither steps nor corners: the bounds are those of two box filters of 37 frames
/// over the look-ahead of 72 frames.
#[test]
fn the_gain_is_smooth() {
    const PROBE: f32 = 0.5;
    for (name, x) in difficult_signals() {
        let mut limiter = limiter(2);
        let mut frames: Vec<f32> = x.iter().flat_map(|&x| [x, PROBE]).collect();
        limiter.process(&mut frames);
        let heard = frames.iter().skip(1).step_by(2).skip(limiter.latency_frames());
        let s: Vec<f64> = heard.map(|&y| f64::from(y / PROBE)).collect();
        let rounding = 2e-7;
        for w in s.windows(3) {
            assert!((w[1] - w[0]).abs() <= 1.0 / 37.0 + rounding, "{name}: step {w:?}");
            let bend = (w[2] - 2.0 * w[1] + w[0]).abs();
            assert!(bend <= 2.0 / (37.0 * 37.0) + rounding, "{name}: corner {w:?}");
        }
    }
}

/// The gain recovers with the stated time constant: 63 % after 80 ms.
#[test]
fn the_release_takes_its_time() {
    let mut limiter = limiter(1);
    let mut x = vec![0.5; 96_000];
    x[0] = 10.0 * CEILING;
    limiter.process(&mut x);
    let gain = |n: usize| f64::from(x[n] / 0.5);
    // The gain is held for the look-ahead and smoothed over the same length.
    let begin = 72 + 72 / 2;
    let after = |seconds: f64| gain(begin + (seconds * F_S) as usize);
    for t in [0.02, 0.08, 0.2] {
        let expected = 1.0 - 0.9 * f64::exp(-t / 0.08);
        foley_measured::check!("reproducible.release", (after(t) - expected).abs());
    }
    assert_eq!(x.last(), Some(&0.5));
}

#[test]
fn reports_list_interventions() {
    let mut stage = OutputStage::new(OutputSettings::default(), F_S, 2).unwrap();
    assert_eq!(stage.latency_frames(), 72);
    assert!(!stage.process(&mut [2.0 * CEILING; 400]));
    let report = stage.report();
    assert!((report.min_gain - 0.5).abs() < 1e-6 && report.bad_blocks == 0 && report.clamps == 0);
    stage.reset();
    assert!(stage.process(&mut [f32::NAN; 4]));
    let report = stage.report();
    assert_eq!((report.min_gain, report.bad_blocks), (1.0, 1));

    let mut open = OutputStage::new(OutputSettings::default().with_limiter(None), F_S, 2).unwrap();
    let mut loud = [100.0, -7.0];
    assert!(!open.process(&mut loud) && open.latency_frames() == 0);
    assert_eq!(loud, [100.0, -7.0]);
    assert_eq!(open.report().min_gain, 1.0);
}

#[test]
fn settings_out_of_range_are_named() {
    let error = |s: LimiterSettings| Limiter::new(s, F_S, 2).unwrap_err().to_string();
    let good = LimiterSettings::default();
    assert!(error(good.with_ceiling_dbfs(3.0)).contains("ceiling (dBFS) is 3"));
    assert!(error(good.with_lookahead_s(-1.0)).contains("look-ahead"));
    assert!(error(good.with_release_s(f64::NAN)).contains("release"));
    let layout = |f_s, channels| OutputStage::new(OutputSettings::default(), f_s, channels);
    assert_eq!(layout(F_S, 0).unwrap_err(), OutputError::Channels { found: 0 });
    assert!(layout(F_S, usize::MAX).is_err());
    assert!(layout(0.0, 1).is_err() && layout(f64::NAN, 1).is_err());
}

/// Runs `process` over `frames` in blocks of these sizes (in frames), cyclically.
fn in_blocks(
    frames: &[f32],
    channels: usize,
    sizes: &[usize],
    mut process: impl FnMut(&mut [f32]),
) -> Vec<u32> {
    let mut out = frames.to_vec();
    let mut rest = &mut out[..];
    for size in sizes.iter().cycle() {
        let (block, after) = rest.split_at_mut((size * channels).min(rest.len()));
        process(block);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    out.iter().map(|y| y.to_bits()).collect()
}

/// Levels from silence to far beyond the ceiling, either sign.
fn sample() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -1.0..1.0f32,
        2 => -10.0..10.0f32,
        1 => -1e9..1e9f32,
        1 => Just(0.0f32),
        1 => -1e-29..1e-29f32,
    ]
}

/// Any bit pattern: denormals, infinities and NaN at their natural frequency, and more often.
fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        sample(),
        prop::sample::select(vec![f32::NAN, f32::INFINITY, -f32::MAX, 1e-40]),
    ]
}

proptest! {
    #[test]
    fn any_input_leaves_as_normal_numbers_below_the_ceiling(
        x in prop::collection::vec(any_float(), 0..1500),
        channels in 1usize..6, sizes in prop::collection::vec(1usize..100, 1..5),
        lookahead_s in 0.0..0.005f64, ceiling_dbfs in -20.0..0.0f64,
    ) {
        let settings = LimiterSettings::default()
            .with_lookahead_s(lookahead_s)
            .with_ceiling_dbfs(ceiling_dbfs);
        let output = OutputSettings::default().with_limiter(settings);
        let mut stage = OutputStage::new(output, F_S, channels).unwrap();
        let mut alone = Limiter::new(settings, F_S, channels).unwrap();
        let ceiling = alone.ceiling();
        for y in in_blocks(&x, channels, &sizes, |block| { stage.process(block); }) {
            let y = f32::from_bits(y);
            prop_assert!(y.abs() <= ceiling && (y == 0.0 || y.is_normal()), "{}", y);
        }
        for y in in_blocks(&x, channels, &sizes, |block| alone.process(block)) {
            prop_assert!(f32::from_bits(y).abs() <= ceiling);
        }
        prop_assert_eq!(stage.report().clamps + alone.clamps(), 0);
    }

    #[test]
    fn blocks_of_any_size_give_the_same_bits_and_so_does_a_reset(
        x in prop::collection::vec(sample(), 1..5000),
        channels in 1usize..4, sizes in prop::collection::vec(1usize..=4096, 1..6),
    ) {
        let mut stage = OutputStage::new(OutputSettings::default(), F_S, channels).unwrap();
        let complete_frames = &x[..x.len() - x.len() % channels];
        let at_once = in_blocks(complete_frames, channels, &[5000], |b| { stage.process(b); });
        stage.reset();
        let in_ones = in_blocks(complete_frames, channels, &[1], |b| { stage.process(b); });
        stage.reset();
        let cut = in_blocks(complete_frames, channels, &sizes, |b| { stage.process(b); });
        prop_assert_eq!(&at_once, &in_ones);
        prop_assert_eq!(&at_once, &cut);
    }

    #[test]
    fn signals_below_the_ceiling_pass_bit_for_bit_and_delayed(
        x in prop::collection::vec(-CEILING..=CEILING, 1..3000), channels in 1usize..4,
    ) {
        let mut limiter = limiter(channels);
        let late = limiter.latency_frames() * channels;
        let y = in_blocks(&x[..x.len() - x.len() % channels], channels, &[64], |b| limiter.process(b));
        let expected = std::iter::repeat_n(0.0, late).chain(x);
        prop_assert!(y.iter().zip(expected).all(|(y, x)| *y == x.to_bits()));
        prop_assert_eq!(limiter.take_min_gain(), 1.0);
    }

    #[test]
    fn the_guard_passes_only_valid_samples(
        x in prop::collection::vec(any_float(), 0..300), channels in 1usize..4,
    ) {
        let mut guard = Guard::new(channels);
        let mut y = x.clone();
        let recover = guard.process(&mut y);
        let complete = x.len() - x.len() % channels;
        let sound = |c: usize| x[..complete].iter().skip(c).step_by(channels).all(|x| x.abs() <= BLOW_UP);
        prop_assert_eq!(recover, !(0..channels).all(sound));
        prop_assert_eq!(guard.bad_blocks(), u64::from(recover));
        for (i, (x, y)) in x.iter().zip(&y).enumerate() {
            let passes = i < complete && sound(i % channels) && x.abs() >= TINY;
            prop_assert_eq!(y.to_bits(), if passes { x.to_bits() } else { 0 });
        }
        // The following output is valid as well.
        let mut next = vec![0.5; 3 * channels];
        prop_assert!(!guard.process(&mut next) && next.iter().all(|y| y.abs() <= 0.5));
    }
}

//! Scraping forces against the phonograph-needle model.

use crate::forces;

use foley_dsp::excitation::{AudioForce, Coupling, Motion, RibShape, Scrape, Surface};
use forces::*;
use proptest::prelude::*;
use std::sync::Arc;

/// Returns the peak of the smoothed spectrum, Hz.
fn peak_hz(y: &[f32]) -> f64 {
    let count = 4096;
    let power = spectrum(y, count);
    // The bandwidth of the peak is a tenth of its frequency: average over a twentieth.
    let smooth = |m: usize| {
        let side = (m / 40).max(1);
        power[m - side..=m + side].iter().sum::<f64>() / (2 * side + 1) as f64
    };
    let top = (20..count * 2 / 5).max_by(|a, b| smooth(*a).total_cmp(&smooth(*b))).unwrap();
    // The middle of the range within 3 dB.
    let inside = |m: &usize| smooth(*m) > 0.5 * smooth(top);
    let low = (20..top).rev().take_while(inside).last().unwrap_or(top);
    let high = (top..count * 2 / 5).take_while(inside).last().unwrap_or(top);
    (low as f64 * high as f64).sqrt() * RATE / count as f64
}

#[test]
fn twice_the_speed_is_one_octave_higher() {
    let profile = profile(&Surface::fractal(-1.0).unwrap().with_reson(0.5e-3, 0.1).unwrap());
    let peaks: Vec<f64> = [0.25, 0.5, 1.0, 2.0, 4.0]
        .map(|v| peak_hz(&steady(&mut scrape(&profile), motion(v, 1.0), 20.0)))
        .into();
    println!("peaks {peaks:?}");
    let octaves = peaks.windows(2).map(|pair| 100.0 * (pair[1] / pair[0] / 2.0 - 1.0).abs());
    foley_measured::check!("resonators.scrape_octave", foley_measured::largest(octaves));
    // v k_r: 1 m/s over wavelengths of half a millimetre.
    foley_measured::check!("resonators.scrape_peak", 100.0 * (peaks[2] / 2000.0 - 1.0).abs());
}

#[test]
fn loudness_follows_the_root_of_speed_times_force() {
    let surfaces = [
        ("fractal", Surface::fractal(-2.0).unwrap(), [0.01, 10.0]),
        ("rough", Surface::fractal(-1.0).unwrap(), [0.01, 10.0]),
        ("peaked", peaked(), [0.02, 5.0]),
        ("ribs", ribs(1e-3), [0.03, 10.0]),
        ("track", track(), [0.05, 3.0]),
    ];
    for (name, surface, [slow, fast]) in surfaces {
        let profile = profile(&surface);
        let coupling = Coupling::default();
        let mut levels = Vec::new();
        for i in 0..=6 {
            let v = slow * f64::powf(fast / slow, f64::from(i) / 6.0);
            let force_n = 10f64.powf(f64::from((i * 5) % 7) - 3.0);
            let y = steady(&mut scrape(&profile), motion(v, force_n), 12.0);
            levels.push(db(rms(&y) * RATE / coupling.rms_force_n(v, force_n)));
        }
        let mean = levels.iter().sum::<f64>() / levels.len() as f64;
        println!("{name}: {mean:.2} dB, {levels:.2?}");
        let apart = foley_measured::largest(levels.iter().map(|l| (l - mean).abs()));
        foley_measured::check!("resonators.scrape_level", apart);
        // At most the level that the energy allows, up to statistical variation, and not much less.
        assert!(levels.iter().all(|l| *l < 0.3) && mean > -1.5, "{name}: {levels:?}");
    }
}

#[test]
fn ribs_have_their_line_at_speed_over_period() {
    for (v, period) in [(0.1, 1e-3), (0.5, 1e-3), (1.0, 0.7e-3), (0.033, 1e-4), (3.0, 2.5e-3)] {
        let y = steady(&mut scrape(&profile(&ribs(period))), motion(v, 1.0), 1.0);
        let truth = v / period;
        let power = spectrum(&y, 32_768);
        let top = (0..power.len()).max_by(|a, b| power[*a].total_cmp(&power[*b])).unwrap();
        let found = line_hz(&y, top as f64 * RATE / 32_768.0);
        println!("{v} m/s, {period} m: {found} for {truth}");
        foley_measured::check!("resonators.rib_line", (found - truth).abs());
    }
}

/// A line above the Nyquist frequency is absent instead of aliased; below it there are only
/// multiples of v/period.
#[test]
fn nothing_aliases() {
    let square = Surface::ribbed(1e-3, 1e-4, RibShape::Square, 0.3).unwrap();
    let profile = profile(&square);
    for v in [0.441, 1.07, 3.3, 7.7, 12.1] {
        let y = steady(&mut scrape(&profile), motion(v, 1.0), 3.0);
        let (count, line) = (32_768, v / 1e-3);
        let power = spectrum(&y, count);
        let total: f64 = power.iter().sum();
        let stray: f64 = power
            .iter()
            .enumerate()
            .filter(|(m, _)| {
                let multiple = *m as f64 * RATE / count as f64 / line;
                (multiple - multiple.round()).abs() * line > 10.0 || multiple < 0.5
            })
            .map(|(_, p)| p)
            .sum();
        let stray_db = 10.0 * (stray / total).log10();
        println!("{v} m/s: {stray_db:.0} dB");
        foley_measured::check!("resonators.scrape_aliasing", stray_db);
    }
    for v in [25.0, 47.5, 60.0] {
        let beyond = steady(&mut scrape(&profile), motion(v, 1.0), 0.5);
        assert!(beyond.iter().all(|y| y.abs() < 1e-12), "{v} kHz cannot be heard");
    }
}

#[test]
fn subsonic_components_are_removed() {
    for surface in [Surface::fractal(-3.0).unwrap(), ribs(5e-3), track()] {
        let profile = profile(&surface);
        for v in [0.12, 0.5, 2.0] {
            let y = steady(&mut scrape(&profile), motion(v, 1.0), 10.0);
            let power = spectrum(&y, 65_536);
            let at = |hz: f64| (hz * 65_536.0 / RATE) as usize;
            let slow: f64 = power[..at(10.0)].iter().sum();
            // Relative to the power that the motion allows.
            let allowed = Coupling::default().rms_force_n(v, 1.0) / RATE;
            let all = power.iter().sum::<f64>() * (allowed / rms(&y)).powi(2);
            assert!(slow < 0.01 * all, "{v} m/s: {}", slow / all);
            let standing: f64 = power[..at(2.0)].iter().sum();
            assert!(standing < 1e-5 * all, "{v} m/s: {}", standing / all);
        }
    }
}

#[test]
fn at_rest_there_is_silence() {
    let profile = profile(&peaked());
    let mut scrape = scrape(&profile);
    assert!(scrape.is_silent());
    for rest in [motion(0.0, 5.0), motion(1.0, 0.0)] {
        steady(&mut scrape, motion(0.5, 5.0), 0.1);
        assert!(!scrape.is_silent());
        let y = steady(&mut scrape, rest, 1.0);
        assert!(scrape.is_silent() && y.iter().all(|y| *y == 0.0));
    }
    scrape.aim(motion(0.1, 1.0), 100);
    assert!(!scrape.is_silent());
}

/// Start, stop, reversal and a fourfold force, each without a ramp: no transient is sharper than
/// the steady sound, which is smooth for these slow ribs.
#[test]
fn nothing_clicks() {
    for (name, surface, v) in
        [("ribs", ribs(5e-3), 0.5), ("fractal", Surface::fractal(-2.5).unwrap(), 0.2)]
    {
        let profile = profile(&surface);
        let calm = motion(v, 1.0);
        let running = sharpest(&steady(&mut scrape(&profile), calm, 3.0));
        let changes: [(&str, Motion, Motion, f32); 5] = [
            ("start", motion(0.0, 0.0), calm, 1.0),
            ("stop", calm, motion(0.0, 0.0), 1.0),
            ("lift", calm, motion(v, 0.0), 1.0),
            ("reversal", calm, motion(-v, 1.0), 1.0),
            // Finally twice as loud.
            ("press", calm, motion(v, 4.0), 2.0),
        ];
        for (what, before, after, louder) in changes {
            for wait in [0, 777, 4321] {
                let mut scrape = scrape(&profile);
                steady(&mut scrape, before, 0.1);
                scrape.add(&mut vec![0.0; wait]);
                scrape.aim(after, 1);
                let mut y = vec![0.0; 4800];
                scrape.add(&mut y);
                let ratio = sharpest(&y) / (louder * running);
                assert!(ratio < 1.3, "{name}, {what} after {wait}: {ratio}");
            }
        }
    }
}

/// Reversed over the same track, the force is mirrored in time about the turning point.
#[test]
fn a_reversed_motion_reads_the_same_track() {
    let profile = profile(&ribs(2e-3));
    let mut scrape = scrape(&profile);
    scrape.aim(motion(2.0, 1.0), 1);
    scrape.add(&mut vec![0.0; 24_000]);
    let mut there = vec![0.0; 24_000];
    scrape.add(&mut there);
    scrape.aim(motion(-2.0, 1.0), 960);
    let mut turn = vec![0.0; 960];
    scrape.add(&mut turn);
    let mut back = vec![0.0; 24_000];
    scrape.add(&mut back);
    // Each sample moves by the speed before it: one sample of difference. The high-pass is not
    // symmetric in time: at 1 kHz it leads by 0.05 rad in both directions.
    let error: f64 =
        (2000..20_000).map(|n| f64::from(there[24_000 - 1 - n] - back[n + 1]).powi(2)).sum::<f64>();
    let power: f64 = (2000..20_000).map(|n| f64::from(back[n]).powi(2)).sum();
    assert!(error < 0.015 * power, "{}", error / power);
}

/// An hour of fractal track does not repeat: sections minutes or a table length apart are
/// uncorrelated.
#[test]
fn a_fractal_track_does_not_repeat() {
    let profile = profile(&Surface::fractal(-1.0).unwrap());
    let v = profile.spacing_m() * RATE; // one entry per sample
    let y = steady(&mut scrape(&profile), motion(v, 1.0), 40.0);
    let stretch = 8192;
    let entries = 1 << 19;
    let mut alike = 0;
    for start in (0..y.len() - entries - stretch).step_by(stretch) {
        let (a, b) = (&y[start..start + stretch], &y[start + entries..start + entries + stretch]);
        let dot: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum();
        alike += usize::from(dot.abs() / (rms(a) * rms(b) * stretch as f64) > 0.3);
    }
    let stretches = (y.len() - entries) / stretch;
    assert!(alike * 20 <= stretches, "{alike} of {stretches} stretches come again");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn samples_do_not_depend_on_block_sizes(
        sizes in prop::collection::vec(1usize..300, 20),
        aims in prop::collection::vec((0usize..2000, -3.0..3.0f64, 0.0..10.0f64, 0u32..900), 6),
        kind in 0usize..3,
    ) {
        let surface = [peaked(), ribs(1e-3), track()][kind].clone();
        let profile = Arc::new(foley_dsp::excitation::Profile::new(&surface, RATE, 9).unwrap());
        let mut scrape = scrape(&profile);
        let mut roll = roll(&profile, 0.01, 0.8);
        check(&mut scrape, &sizes, &aims)?;
        check(&mut roll, &sizes, &aims)?;
    }
}

/// At once between motions, sample by sample, in random blocks, and again after a reset.
fn check(
    force: &mut impl AudioForce,
    sizes: &[usize],
    aims: &[(usize, f64, f64, u32)],
) -> Result<(), TestCaseError> {
    let mut play = |sizes: &mut dyn FnMut() -> usize| {
        let mut y = Vec::new();
        for &(wait, v, force_n, glide) in aims {
            force.aim(motion(v, force_n), glide);
            let mut left = wait;
            while left > 0 {
                let mut part = vec![0.0; sizes().min(left)];
                force.add(&mut part);
                left -= part.len();
                y.extend(part);
            }
        }
        force.reset();
        y
    };
    let at_once = play(&mut || usize::MAX);
    let mut next = sizes.iter().copied().cycle();
    let cut = play(&mut || next.next().unwrap());
    let single = play(&mut || 1);
    let bits = |y: &[f32]| y.iter().map(|y| y.to_bits()).collect::<Vec<_>>();
    prop_assert!(bits(&at_once) == bits(&cut));
    prop_assert!(bits(&at_once) == bits(&single));
    Ok(())
}

const HOSTILE: [f64; 12] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e30,
    -1e30,
    1e300,
    f64::MIN_POSITIVE,
    -0.0,
    1e-30,
    -1.0,
    0.5,
    200.0,
];

#[test]
fn invalid_motions_stay_finite_and_leave_no_trace() {
    for surface in [peaked(), ribs(1e-4), track()] {
        let profile = profile(&surface);
        let forces = || -> [Box<dyn AudioForce>; 2] {
            [Box::new(scrape(&profile)), Box::new(roll(&profile, 1e-6, 1.0))]
        };
        for (mut force, mut new) in forces().into_iter().zip(forces()) {
            for (i, speed) in HOSTILE.iter().enumerate() {
                for (j, normal) in HOSTILE.iter().enumerate() {
                    force.aim(motion(*speed, *normal), [0, 1, 500, u32::MAX][(i + j) % 4]);
                    let mut y = vec![0.0; 97];
                    force.add(&mut y);
                    assert!(y.iter().all(|y| y.is_finite()), "{speed} m/s, {normal} N");
                }
            }
            force.aim(motion(0.0, 0.0), 10);
            force.add(&mut vec![0.0; 96_000]);
            assert!(force.is_silent());
            let ten_seconds = |force: &mut dyn AudioForce| {
                force.aim(motion(0.3, 1.0), 10);
                let mut y = vec![0.0; 480_000];
                force.add(&mut y);
                assert!(y.iter().all(|y| y.abs() < 1e-3));
                20.0 * rms(&y).log10()
            };
            // Elsewhere on the same surface: over ten seconds its level varies by some tenths of a decibel.
            let (after_db, new_db) = (ten_seconds(&mut *force), ten_seconds(&mut *new));
            assert!((after_db - new_db).abs() < 1.0, "{after_db} dB, not {new_db} dB");
        }
    }
}

#[test]
fn invalid_couplings_are_refused() {
    let profile = profile(&ribs(1e-3));
    let good = Coupling::default();
    for (bad, says) in [
        (Coupling { loss: -1.0, ..good }, "loss is -1"),
        (Coupling { efficiency: 1.5, ..good }, "efficiency is 1.5"),
        (Coupling { impedance_kg_s: f64::NAN, ..good }, "impedance_kg_s is NaN"),
        (Coupling { stiffness_n_m: -2.0, ..good }, "stiffness_n_m is -2"),
    ] {
        let error = Scrape::new(Arc::clone(&profile), bad, 0).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    assert!(foley_dsp::excitation::Profile::new(&ribs(1e-3), f64::NAN, 0).is_err());
}

/// A contact of stiffness k on ribs of known height gives a force of k h, however much energy there
/// is.
#[test]
fn a_soft_contact_is_limited_by_its_stiffness() {
    let sine = Surface::ribbed(1e-3, 2e-5, RibShape::Round, 0.98).unwrap();
    let profile = profile(&sine);
    let k = 1000.0;
    let soft = Coupling { stiffness_n_m: k, ..Coupling::default() };
    let mut scrape = Scrape::new(Arc::clone(&profile), soft, 0).unwrap();
    let y = steady(&mut scrape, motion(1.0, 1000.0), 1.0);
    let truth = k * profile.rms_height_m();
    assert!((rms(&y) * RATE / truth - 1.0).abs() < 0.01, "{} for {truth}", rms(&y) * RATE);
    // Nearly a sine of 20 µm peak to peak.
    assert!((profile.rms_height_m() / (1e-5 / 2f64.sqrt()) - 1.0).abs() < 0.02);
}

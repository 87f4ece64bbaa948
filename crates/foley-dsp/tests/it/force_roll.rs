//! Rolling forces against their stated model.

use crate::forces;

use foley_dsp::excitation::{
    AudioForce, ContactPatch, Coupling, Roll, Rolling, Surface, strongest_modes,
};
use forces::*;
use std::sync::Arc;

#[test]
fn a_larger_radius_is_duller() {
    for surface in [Surface::fractal(-1.0).unwrap(), Surface::fractal(-2.0).unwrap()] {
        let profile = profile(&surface);
        let centroids: Vec<f64> = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]
            .map(|radius| {
                centroid_hz(&steady(&mut roll(&profile, radius, 0.0), motion(1.0, 1.0), 20.0))
            })
            .into();
        println!("{centroids:.0?}");
        assert!(centroids.windows(2).all(|c| c[1] < c[0]), "{centroids:?}");
        foley_measured::check!("resonators.roll_radius", centroids[6] / centroids[0]);
    }
}

/// The patch length is Hertz's on smooth ground and √(R h) on rough ground.
#[test]
fn the_patch_is_hertzs_on_smooth_ground() {
    let patch = ContactPatch { radius_m: 0.01, modulus_pa: 1e11 };
    // a³ = 3 F R / 4 E*
    assert!((patch.length_m(1.0, 0.0) - 42.17e-6).abs() < 0.01e-6);
    assert!((patch.length_m(0.0, 1e-6) - 1e-4).abs() < 1e-12);
    assert!((patch.cutoff_hz(1.0, 1.0, 0.0) - 3774.0).abs() < 2.0);
}

/// Relative to the unfiltered profile: −6 dB at the cutoff and −12 dB per octave above.
#[test]
fn the_low_pass_is_where_it_is_said_to_be() {
    let profile = profile(&Surface::fractal(-1.0).unwrap());
    let patch = ContactPatch { radius_m: 0.02, modulus_pa: 1e11 };
    let (v, force_n) = (0.8, 1.0);
    let rolled = steady(&mut roll(&profile, 0.02, 0.0), motion(v, force_n), 30.0);
    let mut slid =
        foley_dsp::excitation::Scrape::new(Arc::clone(&profile), Coupling::rolling(), 5).unwrap();
    let slid = steady(&mut slid, motion(v, force_n), 30.0);
    let cut_off = patch.cutoff_hz(v, force_n, profile.rms_height_m());
    let count = 4096;
    let (rolled, slid) = (spectrum(&rolled, count), spectrum(&slid, count));
    for times in [0.25, 1.0, 2.0, 4.0] {
        let m = (cut_off * times * count as f64 / RATE) as usize;
        let band = |power: &[f64]| power[m - m / 16..=m + m / 16].iter().sum::<f64>();
        let found = 10.0 * (band(&rolled) / band(&slid)).log10();
        let truth = -20.0 * (1.0 + times * times).log10();
        println!("{cut_off:.0} Hz × {times}: {found:.2} dB for {truth:.2}");
        foley_measured::check!("resonators.roll_low_pass", (found - truth).abs());
    }
}

#[test]
fn rolling_grows_louder_with_speed_and_force() {
    let profile = profile(&peaked());
    for enhancement in [0.0, 0.9] {
        let level = |v: f64, f: f64| {
            rms(&steady(&mut roll(&profile, 0.02, enhancement), motion(v, f), 10.0))
        };
        let speeds = [0.1, 0.3, 1.0, 3.0].map(|v| level(v, 1.0));
        let forces = [0.01, 0.1, 1.0, 10.0].map(|f| level(1.0, f));
        for levels in [speeds, forces] {
            assert!(levels.windows(2).all(|l| l[1] > 1.1 * l[0]), "{levels:?}");
        }
    }
}

/// The force is stronger around a mode than between modes, by the stated envelope.
#[test]
fn the_force_is_enhanced_at_the_modes() {
    let profile = profile(&Surface::fractal(-1.0).unwrap());
    let (f, d) = ([1000.0, 3000.0], [30.0, 60.0]);
    let patch = ContactPatch { radius_m: 1e-4, modulus_pa: 1e11 };
    let rolling = |enhancement| Rolling { patch, enhancement };
    let play = |enhancement| {
        let coupling = Coupling::rolling();
        let rolling = rolling(enhancement);
        let mut roll = Roll::new(Arc::clone(&profile), coupling, rolling, &f, &d, 5).unwrap();
        spectrum(&steady(&mut roll, motion(1.0, 1.0), 60.0), 16_384)
    };
    let (enhanced, plain) = (play(1.0), play(0.0));
    for (offset, mode) in [(0.0, 0), (60.0, 0), (-90.0, 0), (0.0, 1), (200.0, 1)] {
        let m = ((f[mode] + offset) * 16_384.0 / RATE).round() as usize;
        let band = |power: &[f64]| power[m - 1..=m + 1].iter().sum::<f64>();
        let found = 10.0 * (band(&enhanced) / band(&plain)).log10();
        let omega = 2.0 * std::f64::consts::PI * (m as f64 * RATE / 16_384.0 - f[mode]);
        let truth = 20.0 * (d[mode] / omega.hypot(d[mode])).log10();
        println!("{offset:+} Hz of {}: {found:.1} dB for {truth:.1}", f[mode]);
        foley_measured::check!("resonators.roll_enhancement", (found - truth).abs());
    }
}

/// A force ends at once when the contact ends, however long the modes ring.
#[test]
fn a_force_ends_with_its_contact() {
    let profile = profile(&peaked());
    let mut roll = roll(&profile, 0.01, 1.0);
    let before = rms(&steady(&mut roll, motion(1.0, 1.0), 1.0));
    roll.aim(motion(1.0, 0.0), 1);
    roll.add(&mut vec![0.0; 14_400]);
    let mut after = vec![0.0; 4800];
    roll.add(&mut after);
    assert!(rms(&after) < 1e-6 * before, "{}", rms(&after) / before);
}

#[test]
fn the_strongest_modes_ring_with_the_most_energy() {
    assert_eq!(strongest_modes(&[1.0, 4.0, 1.0], &[0.1, 0.5, -0.3], 2), [2, 1]);
    assert_eq!(strongest_modes(&[1.0], &[1.0], 9), [0]);
}

#[test]
fn invalid_parameters_are_refused() {
    let profile = profile(&peaked());
    let new = |radius_m, modulus_pa, enhancement, f: f64, d: f64| {
        let rolling = Rolling { patch: ContactPatch { radius_m, modulus_pa }, enhancement };
        let coupling = Coupling::rolling();
        Roll::new(Arc::clone(&profile), coupling, rolling, &[f], &[d], 0).map(drop)
    };
    assert!(new(0.1, 1e9, 0.5, 100.0, 1.0).is_ok());
    for (bad, says) in [
        (new(0.0, 1e9, 0.5, 100.0, 1.0), "radius_m is 0"),
        (new(0.1, f64::NAN, 0.5, 100.0, 1.0), "modulus_pa is NaN"),
        (new(0.1, 1e9, 1.5, 100.0, 1.0), "enhancement is 1.5"),
        (new(0.1, 1e9, 0.5, f64::NAN, 1.0), "frequency (Hz) is NaN"),
        (new(0.1, 1e9, 0.5, 100.0, -1.0), "decay (1/s) is -1"),
    ] {
        let error = bad.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

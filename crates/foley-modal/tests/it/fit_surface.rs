//! Surfaces come back from recordings of scraping them.

use foley_dsp::excitation::{AudioForce, Coupling, Motion, Profile, Scrape, Surface};
use foley_measured::largest;
use foley_modal::fit::{FitError, FittedSurface, Recording, SurfaceOptions, fit_surface};
use std::sync::Arc;

const RATE: f64 = 48_000.0;

/// Scraping at a constant speed, after and before a little silence, in 16 bits.
fn scraped(surface: &Surface, v: f64, seconds: f64, seed: u64) -> Recording {
    let profile = Arc::new(Profile::new(surface, RATE, seed).unwrap());
    let mut scrape = Scrape::new(profile, Coupling::default(), seed).unwrap();
    let mut y = vec![0.0; ((seconds + 0.6) * RATE) as usize];
    let (lead, run) = ((0.3 * RATE) as usize, (seconds * RATE) as usize);
    scrape.aim(Motion { speed_m_s: v, normal_force_n: 1.0 }, 480);
    scrape.add(&mut y[lead..lead + run]);
    scrape.aim(Motion::default(), 480);
    scrape.add(&mut y[lead + run..]);
    let peak = y.iter().fold(0.0f32, |p, y| p.max(y.abs()));
    let samples = y.iter().map(|y| (y / peak * 30_000.0).round() / 32_768.0).collect();
    Recording { samples, sample_rate_hz: RATE }
}

fn fit(recording: &Recording) -> FittedSurface {
    fit_surface(recording, &SurfaceOptions::default()).unwrap()
}

#[test]
fn beta_and_reson_come_back() {
    let (mut beta_errors, mut reson_errors, mut width_errors) = (vec![], vec![], vec![]);
    for (i, beta) in [-2.6, -2.0, -1.5, -1.0, -0.4].into_iter().enumerate() {
        for (wavelength_m, width) in [(0.25e-3, 0.08), (0.5e-3, 0.25), (1e-3, 0.12), (0.2e-3, 0.5)]
        {
            let v = 0.5;
            let surface = Surface::fractal(beta).unwrap().with_reson(wavelength_m, width).unwrap();
            let fitted = fit(&scraped(&surface, v, 10.0, 7 + i as u64));
            let reson = fitted.reson.unwrap_or_else(|| panic!("no peak: {beta} {wavelength_m}"));
            println!("β {beta} λ {wavelength_m} b {width}: {fitted:?}");
            beta_errors.push((fitted.beta - beta).abs());
            let f = v / wavelength_m;
            reson_errors.push(100.0 * (reson.frequency_hz / f - 1.0).abs());
            let found = reson.bandwidth_hz / reson.frequency_hz;
            width_errors.push(100.0 * (found / width - 1.0).abs());
            assert!(fitted.misfit_db < 1.0, "{fitted:?}");
        }
    }
    foley_measured::check!("recordings.surface_beta", largest(beta_errors));
    foley_measured::check!("recordings.surface_reson", largest(reson_errors));
    foley_measured::check!("recordings.surface_width", largest(width_errors));
}

/// Scraping the fitted surface gives the same fit.
#[test]
fn a_fitted_surface_is_the_one_that_was_scraped() {
    let surface = Surface::fractal(-1.7).unwrap().with_reson(0.4e-3, 0.15).unwrap();
    let fitted = fit(&scraped(&surface, 0.6, 10.0, 3)).surface(0.6).unwrap();
    let again = fit(&scraped(&fitted, 1.2, 10.0, 4));
    assert!((again.beta + 1.7).abs() < 0.1, "{again:?}");
    // At twice the speed, twice the frequency.
    let f = again.reson.unwrap().frequency_hz;
    assert!((f / 3000.0 - 1.0).abs() < 0.03, "{again:?}");
}

#[test]
fn no_peak_is_found_where_there_is_none() {
    for (beta, seed) in [(-2.5, 1), (-2.0, 2), (-1.5, 3), (-1.0, 4), (0.0, 5)] {
        let fitted = fit(&scraped(&Surface::fractal(beta).unwrap(), 0.5, 10.0, seed));
        assert!(fitted.reson.is_none(), "{beta}: {fitted:?}");
        assert!((fitted.beta - beta).abs() < 0.1, "{beta}: {fitted:?}");
        assert!((fitted.dimension() - (beta / 2.0 + 2.5)).abs() < 0.05);
        let seconds = fitted.seconds;
        assert!((9.5..10.5).contains(&seconds), "the silence around it does not count: {seconds}");
    }
}

/// Noise of the recorder, 30 dB below, limits the band and not the truth.
#[test]
fn noise_of_the_recorder_is_left_out() {
    let surface = Surface::fractal(-2.0).unwrap().with_reson(0.5e-3, 0.15).unwrap();
    let mut recording = scraped(&surface, 0.5, 10.0, 9);
    let power = recording.samples.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
    let sigma = (power / recording.samples.len() as f64).sqrt() * 10f64.powf(-30.0 / 20.0);
    let mut state = 1u64;
    for y in &mut recording.samples {
        let mut sum = 0.0;
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            sum += (state >> 11) as f64 / 2f64.powi(53) - 0.5;
        }
        *y += (sigma * sum) as f32;
    }
    let fitted = fit(&recording);
    assert!(fitted.band_hz[1] < 7000.0, "{fitted:?}");
    assert!((fitted.reson.unwrap().frequency_hz / 1000.0 - 1.0).abs() < 0.02, "{fitted:?}");
    assert!((fitted.beta + 2.0).abs() < 0.2, "{fitted:?}");
}

#[test]
fn what_is_no_scraping_is_refused() {
    let options = SurfaceOptions::default();
    let of = |samples: Vec<f32>, sample_rate_hz| {
        fit_surface(&Recording { samples, sample_rate_hz }, &options)
    };
    assert_eq!(of(vec![0.2; 48_000], RATE), Err(FitError::Silent { recording: 0 }));
    assert!(matches!(
        of(vec![], RATE),
        Err(FitError::Silent { .. } | FitError::ShortScrape { .. })
    ));
    let wave: Vec<f32> = (0..1000).map(|n| (n as f32 * 0.3).sin()).collect();
    assert!(matches!(of(wave.clone(), RATE), Err(FitError::ShortScrape { .. })));
    assert!(matches!(of(wave.clone(), 0.0), Err(FitError::SampleRate { .. })));
    let mut broken = vec![0.1; 48_000];
    broken[5] = f32::NAN;
    assert!(matches!(of(broken, RATE), Err(FitError::Sample { sample: 5, .. })));
    // A click and nothing else; a pure tone; a ramp: an answer or a refusal, never a panic.
    let mut click = vec![0.0; 48_000];
    click[20_000] = 1.0;
    let tone: Vec<f32> = (0..48_000).map(|n| (n as f32 * 0.1).sin()).collect();
    let ramp: Vec<f32> = (0..48_000).map(|n| n as f32).collect();
    for samples in [click, tone, ramp] {
        if let Ok(fitted) = of(samples, RATE) {
            assert!(fitted.beta.is_finite() && fitted.misfit_db.is_finite(), "{fitted:?}");
        }
    }
}

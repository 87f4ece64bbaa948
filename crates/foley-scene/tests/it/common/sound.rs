//! Renders scenes and measures their sound.

use foley_engine::Settings;
use foley_geometry::constants::AIR_IMPEDANCE_PA_S_M;
use foley_physics::{Event, SustainedContact};
use foley_scene::Scene;
use foley_scene::prepare::{ModelCache, Prepared};
use foley_scene::sonify::{RenderSettings, Rendered, SceneEvent, render};
use rustfft::{FftPlanner, num_complex::Complex};
use std::f64::consts::{PI, TAU};
use std::sync::{Arc, LazyLock};

/// Far below this pressure, in Pa, the limiter leaves everything as it is.
pub const LOUD_PA: f64 = 1e4;

pub fn scene(text: &str) -> Arc<Scene> {
    Arc::new(Scene::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

/// Models of all tests, made by this program: neither the user's, nor those of an older one.
static CACHE: LazyLock<ModelCache> = LazyLock::new(ModelCache::in_memory);

/// Prepares a scene; models are cached for all tests.
pub fn prepared(scene: &Scene) -> Prepared {
    scene.prepare(&CACHE, &mut |_| true).unwrap()
}

/// Settings that compute every mode, audible or not.
pub fn exact() -> RenderSettings {
    RenderSettings::default().with_engine(Settings::default())
}

pub fn render_text(text: &str) -> Rendered {
    let scene = scene(text);
    let rendered = render(&scene, &prepared(&scene), &exact(), &mut |_| true);
    rendered.unwrap().unwrap()
}

/// Returns one channel, Pa.
pub fn channel(rendered: &Rendered, channel: usize) -> Vec<f64> {
    let samples = rendered.sound.samples.iter().skip(channel).step_by(2);
    samples.map(|y| f64::from(*y) * rendered.full_scale_pa).collect()
}

/// Returns the pressure of a source straight ahead: each channel has half of its power.
pub fn ahead(rendered: &Rendered) -> Vec<f64> {
    let (left, right) = (channel(rendered, 0), channel(rendered, 1));
    left.iter().zip(right).map(|(l, r)| (l + r) / 2f64.sqrt()).collect()
}

pub fn db(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// Returns the root mean square of both channels together.
pub fn rms(rendered: &Rendered) -> f64 {
    let squares = rendered.sound.samples.iter().map(|y| f64::from(*y).powi(2)).sum::<f64>();
    rendered.full_scale_pa * (squares / (rendered.sound.samples.len() / 2) as f64).sqrt()
}

/// Returns the sound energy through the sphere around the sources on which the listener is, J:
/// `∫ p² 4π r² / ρc dt`; panning keeps the power.
pub fn radiated_j(rendered: &Rendered, distance_m: f64) -> f64 {
    let seconds =
        (rendered.sound.samples.len() / 2) as f64 / f64::from(rendered.sound.sample_rate_hz);
    rms(rendered).powi(2) * seconds * 4.0 * PI * distance_m.powi(2) / AIR_IMPEDANCE_PA_S_M
}

/// Returns the amplitude at a frequency, with a window of low side lobes.
pub fn level_at(sound: &[f64], sample_rate_hz: u32, frequency_hz: f64) -> f64 {
    let (mut sum, mut weight) = (Complex::new(0.0, 0.0), 0.0);
    for (n, y) in sound.iter().enumerate() {
        let w = window(n, sound.len());
        let phase = TAU * frequency_hz * n as f64 / f64::from(sample_rate_hz);
        sum += y * w * Complex::new(phase.cos(), phase.sin());
        weight += w;
    }
    2.0 * sum.norm() / weight
}

/// Returns the Blackman–Harris window, side lobes of −92 dB.
fn window(n: usize, count: usize) -> f64 {
    let x = TAU * (n as f64 + 0.5) / count as f64;
    0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos()
}

/// Returns the power spectrum: frequencies in Hz with their powers, averaged over overlapping pieces.
pub fn spectrum(sound: &[f64], sample_rate_hz: u32, piece: usize) -> Vec<(f64, f64)> {
    let fft = FftPlanner::new().plan_fft_forward(piece);
    let mut power = vec![0.0; piece / 2];
    for start in (0..=sound.len().saturating_sub(piece)).step_by(piece / 2) {
        let part = sound[start..].iter().take(piece).enumerate();
        let mut part: Vec<Complex<f64>> =
            part.map(|(n, y)| Complex::new(y * window(n, piece), 0.0)).collect();
        part.resize(piece, Complex::default());
        fft.process(&mut part);
        power.iter_mut().zip(part).for_each(|(power, x)| *power += x.norm_sqr());
    }
    let hz = f64::from(sample_rate_hz) / piece as f64;
    power.into_iter().enumerate().map(|(k, power)| (k as f64 * hz, power)).collect()
}

/// Returns the mean frequency of a spectrum, weighted with amplitudes, Hz.
pub fn centroid_hz(spectrum: &[(f64, f64)]) -> f64 {
    let all: f64 = spectrum.iter().map(|(_, power)| power.sqrt()).sum();
    spectrum.iter().map(|(f, power)| f * power.sqrt()).sum::<f64>() / all
}

/// Returns all sustained contacts.
pub fn contacts(events: &[SceneEvent]) -> impl Iterator<Item = &SustainedContact> {
    events.iter().filter_map(|event| match event {
        SceneEvent::Physics(Event::SustainedContact(contact)) => Some(contact),
        _ => None,
    })
}

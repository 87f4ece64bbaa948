//! Surface profiles of a scene, each tabulated once.

use crate::scene::{Scene, SurfaceDescription};
use foley_dsp::excitation::Striker;
use foley_dsp::excitation::{ContactPatch, Profile, RibShape, Surface};
use foley_engine::audio_file::Reader;
use std::collections::HashMap;
use std::sync::Arc;

use crate::sonify::SonifyError;
use crate::sonify::event_source::scripted_events::scrape_of;

/// Largest number of samples of a recorded surface.
const MAX_SAMPLES: usize = 1 << 22;

/// The surface of an object without `surface`: a matt finish. Assumed, not measured: a fractal of
/// slope −1.5 and a few micrometres of roughness.
fn default_surface() -> SurfaceDescription {
    SurfaceDescription::Fractal {
        beta: -1.5,
        roughness_m: 5e-6,
        reson_wavelength_m: None,
        reson_bandwidth: 0.5,
    }
}

/// Tabulated profiles, by surface and tip.
#[derive(Debug)]
pub(crate) struct SurfaceProfiles {
    sample_rate_hz: f64,
    seed: u64,
    known: HashMap<String, Arc<Profile>>,
}

impl SurfaceProfiles {
    pub(crate) fn new(scene: &Scene, sample_rate_hz: f64) -> Self {
        Self { sample_rate_hz, seed: scene.seed, known: HashMap::new() }
    }

    /// Returns the profile of a contact: the rougher of the two surfaces, smoothed by the tip of a
    /// scrape.
    pub(crate) fn between(
        &mut self,
        scene: &Scene,
        objects: [usize; 2],
    ) -> Result<Arc<Profile>, SonifyError> {
        let tip = tip(scene, objects);
        let mut roughest: Option<Arc<Profile>> = None;
        for object in objects.iter().filter_map(|number| scene.objects.get(*number)) {
            let Some(description) = &object.surface else { continue };
            let profile = self.of(description, &object.name, scene, tip)?;
            let rougher = roughest
                .as_ref()
                .is_none_or(|roughest| roughest.rms_height_m() < profile.rms_height_m());
            if rougher {
                roughest = Some(profile);
            }
        }
        match roughest {
            Some(roughest) => Ok(roughest),
            None => self.of(&default_surface(), "any object", scene, tip),
        }
    }

    fn of(
        &mut self,
        description: &SurfaceDescription,
        object: &str,
        scene: &Scene,
        tip: Option<(ContactPatch, f64)>,
    ) -> Result<Arc<Profile>, SonifyError> {
        let key = format!("{description:?} {tip:?}");
        if let Some(profile) = self.known.get(&key) {
            return Ok(Arc::clone(profile));
        }
        let failed = |source| SonifyError::Surface { object: object.to_owned(), source };
        let surface = surface(description, scene)?.map_err(failed)?;
        let (rate, seed) = (self.sample_rate_hz, self.seed);
        let profile = match tip {
            Some((tip, force_n)) => Profile::through_tip(&surface, rate, seed, tip, force_n),
            None => Profile::new(&surface, rate, seed),
        };
        let profile = profile.map_err(failed)?;
        let profile = Arc::new(profile);
        self.known.insert(key, Arc::clone(&profile));
        Ok(profile)
    }
}

/// Returns the contact patch of a scrape's tip and its mean force.
fn tip(scene: &Scene, objects: [usize; 2]) -> Option<(ContactPatch, f64)> {
    let hand = objects.into_iter().find_map(|body| scrape_of(u32::try_from(body).ok()?))?;
    let scrape = scene.scrapes.get(hand)?;
    let object = scene.objects.get(scrape.object)?;
    let Striker { radius_m, young_pa, poisson, .. } = scrape.with;
    // 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂ (Hertz).
    let soft = |young_pa: f64, poisson: f64| (1.0 - poisson * poisson) / young_pa;
    let other = soft(object.material.young_pa, object.material.poisson);
    let modulus_pa = (1.0 / (soft(young_pa, poisson) + other)).clamp(1.0, 1e15);
    let seconds = scrape.seconds.unwrap_or(scene.seconds).min(scene.seconds).max(1e-3);
    let force_n = (0..FORCES).map(|k| {
        let at_s = seconds * (k as f64 + 0.5) / FORCES as f64;
        scrape.force_n.at(at_s).clamp(0.0, 1e6)
    });
    let mean_n = (force_n.sum::<f64>() / FORCES as f64).max(1e-3);
    // Rounded to a power of two, so that many scrapes share few profiles: the patch size ℓ grows
    // only with the cube root of the force.
    Some((ContactPatch { radius_m, modulus_pa }, mean_n.log2().round().exp2()))
}

/// Samples of a force over time for its mean.
const FORCES: usize = 64;

fn surface(
    description: &SurfaceDescription,
    scene: &Scene,
) -> Result<Result<Surface, foley_dsp::excitation::ForceError>, SonifyError> {
    Ok(match description {
        SurfaceDescription::Fractal { beta, roughness_m, reson_wavelength_m, reson_bandwidth } => {
            let surface = Surface::fractal(*beta).and_then(|s| s.with_roughness(*roughness_m));
            match reson_wavelength_m {
                Some(wavelength) => {
                    surface.and_then(|s| s.with_reson(*wavelength, *reson_bandwidth))
                }
                None => surface,
            }
        }
        SurfaceDescription::Ribbed { period_m, depth_m } => {
            Surface::ribbed(*period_m, *depth_m, RibShape::Round, 0.5)
        }
        SurfaceDescription::Recorded { file, metres_per_sample } => {
            let path = scene.folder.join(file);
            let reader = Reader::from_reader(&path, scene.open_file(file)?)?;
            Surface::recorded(heights(reader)?, *metres_per_sample)
        }
    })
}

/// Reads the first channel of a sound file as heights; full scale is a millimetre.
fn heights(mut reader: Reader) -> Result<Vec<f32>, SonifyError> {
    let mut heights = Vec::new();
    while heights.len() < MAX_SAMPLES
        && let Some(block) = reader.next_block()?
    {
        heights.extend(block[0].iter().map(|x| 1e-3 * x));
    }
    heights.truncate(MAX_SAMPLES);
    Ok(heights)
}

//! Profiles of surfaces, each tabulated once.

use crate::scene::{Scene, Surface as Described};
use foley_dsp::force::{Profile, RibShape, Surface};
use std::collections::HashMap;
use std::sync::Arc;

use super::StageError;

/// Samples of a recorded surface, at most.
const LONGEST: usize = 1 << 22;

/// What a surface is like when nobody says: matt, a few micrometres rough.
fn usual() -> Described {
    Described::Fractal {
        beta: -1.5,
        roughness_m: 5e-6,
        reson_wavelength_m: None,
        reson_bandwidth: 0.5,
    }
}

/// The profiles of a scene.
#[derive(Debug)]
pub(super) struct Roughness {
    sample_rate_hz: f64,
    seed: u64,
    known: HashMap<String, Arc<Profile>>,
}

impl Roughness {
    pub(super) fn new(scene: &Scene, sample_rate_hz: f64) -> Self {
        Self { sample_rate_hz, seed: scene.seed, known: HashMap::new() }
    }

    /// What is felt where two objects touch: the rougher of their surfaces.
    pub(super) fn between(
        &mut self,
        scene: &Scene,
        objects: [usize; 2],
    ) -> Result<Arc<Profile>, StageError> {
        let mut felt: Option<Arc<Profile>> = None;
        for object in objects.iter().filter_map(|number| scene.objects.get(*number)) {
            let Some(described) = &object.surface else { continue };
            let profile = self.of(described, &object.name, scene)?;
            let rougher =
                felt.as_ref().is_none_or(|felt| felt.rms_height_m() < profile.rms_height_m());
            if rougher {
                felt = Some(profile);
            }
        }
        match felt {
            Some(felt) => Ok(felt),
            None => self.of(&usual(), "any object", scene),
        }
    }

    fn of(
        &mut self,
        described: &Described,
        object: &str,
        scene: &Scene,
    ) -> Result<Arc<Profile>, StageError> {
        let key = format!("{described:?}");
        if let Some(profile) = self.known.get(&key) {
            return Ok(Arc::clone(profile));
        }
        let failed = |source| StageError::Surface { object: object.to_owned(), source };
        let surface = surface(described, scene)?.map_err(failed)?;
        let profile = Profile::new(&surface, self.sample_rate_hz, self.seed).map_err(failed)?;
        let profile = Arc::new(profile);
        self.known.insert(key, Arc::clone(&profile));
        Ok(profile)
    }
}

fn surface(
    described: &Described,
    scene: &Scene,
) -> Result<Result<Surface, foley_dsp::force::ForceError>, StageError> {
    Ok(match described {
        Described::Fractal { beta, roughness_m, reson_wavelength_m, reson_bandwidth } => {
            let surface = Surface::fractal(*beta).and_then(|s| s.with_roughness(*roughness_m));
            match reson_wavelength_m {
                Some(wavelength) => {
                    surface.and_then(|s| s.with_reson(*wavelength, *reson_bandwidth))
                }
                None => surface,
            }
        }
        Described::Ribbed { period_m, depth_m } => {
            Surface::ribbed(*period_m, *depth_m, RibShape::Round, 0.5)
        }
        Described::Recorded { file, metres_per_sample } => {
            let path = scene.folder.join(file);
            let heights = heights(&path)?;
            Surface::recorded(heights, *metres_per_sample)
        }
    })
}

/// The first channel of a WAV file, as heights: full scale is a millimetre.
fn heights(path: &std::path::Path) -> Result<Vec<f32>, StageError> {
    let failed = |error: hound::Error| StageError::File {
        path: path.to_owned(),
        source: std::io::Error::other(error),
    };
    let mut reader = hound::WavReader::open(path).map_err(failed)?;
    let spec = reader.spec();
    let channels = usize::from(spec.channels.max(1));
    let scale = 1e-3 / 2f32.powi(i32::from(spec.bits_per_sample) - 1);
    let samples: Result<Vec<f32>, _> = match spec.sample_format {
        hound::SampleFormat::Float => {
            let samples = reader.samples::<f32>().step_by(channels);
            samples.take(LONGEST).map(|x| x.map(|x| 1e-3 * x)).collect()
        }
        hound::SampleFormat::Int => {
            let samples = reader.samples::<i32>().step_by(channels);
            samples.take(LONGEST).map(|x| x.map(|x| scale * x as f32)).collect()
        }
    };
    samples.map_err(failed)
}

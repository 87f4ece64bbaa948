//! A scene into memory: simulated, synthesized, levelled.

use crate::prepare::Prepared;
use crate::scene::{Level, Scene};
use foley_dsp::output::{OutputSettings, OutputStage};
use foley_engine::Settings;
use foley_engine::Source;
use std::sync::Arc;
use std::time::Instant;

use super::{EventSource, ImpactBackend, SceneEvent, Sonifier, SonifyError, SonifyStats};

/// Things that may happen in a scene.
const MAX_EVENTS: usize = 20_000_000;

/// Pressure of full scale while nobody knows how loud a scene is, Pa: busy scenes are louder, and have then
/// been synthesized once for all.
const PROVISIONAL_FULL_SCALE_PA: f64 = 4.0;

/// Frames.
const LIMITER_BLOCK: usize = 1024;

/// Simulated at a time unless told otherwise, and at the least, s.
const DEFAULT_STEP_S: f64 = 0.05;
const MIN_STEP_S: f64 = 1e-3;

/// How to render.
#[derive(Debug, Clone)]
pub struct RenderSettings {
    /// Of the engine; its level is the scene's.
    pub engine: Settings,
    /// Simulated and synthesized at a time, s.
    pub step_s: f64,
    /// Who finds where hail strikes.
    pub hail_backend: ImpactBackend,
}

impl Default for RenderSettings {
    /// Only what can be heard.
    fn default() -> Self {
        let engine = Settings::default().audible();
        Self { engine, step_s: DEFAULT_STEP_S, hail_backend: ImpactBackend::default() }
    }
}

/// A scene that was rendered.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// Left and right in turn.
    pub samples: Vec<f32>,
    /// Frames in a second.
    pub sample_rate_hz: u32,
    /// The pressure that fills the scale, Pa.
    pub full_scale_pa: f64,
    /// Everything that happened.
    pub events: Vec<SceneEvent>,
    /// What was heard of it.
    pub stats: SonifyStats,
    /// Oscillators computed, and modes that there are, in each block. What begins to be rubbed is
    /// computed mode by mode from then on; while its partials end, both count, so that there may
    /// be more oscillators than modes for a few blocks.
    pub computed: Vec<[u64; 2]>,
    /// Objects that flew away.
    pub lost: Vec<String>,
    /// Who found where hail strikes, at the end.
    pub hail_backend_name: Option<String>,
    /// Time that simulating took, s, and preparing and computing the sound.
    pub physics_s: f64,
    /// The same for the sound.
    pub sound_s: f64,
}

/// Renders a scene. `progress` is told how much is done, 0 … 1, and may say no.
pub fn render(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<Rendered>, SonifyError> {
    let began = Instant::now();
    let mut event_source = EventSource::with(scene, prepared, &settings.hail_backend)?;
    let (mut events, mut time_s, mut lost) = (Vec::new(), 0.0, Vec::new());
    // Anything but a time would never end.
    let step_s =
        if settings.step_s > 0.0 { settings.step_s.max(MIN_STEP_S) } else { DEFAULT_STEP_S };
    while time_s < scene.seconds {
        time_s += step_s;
        event_source.advance_to(time_s.min(scene.seconds), &mut |event| events.push(event))?;
        lost.append(&mut event_source.take_lost());
        if events.len() > MAX_EVENTS {
            return Err(SonifyError::TooManyEvents(MAX_EVENTS));
        }
        if !progress(0.5 * time_s / scene.seconds) {
            return Ok(None);
        }
    }
    let physics_s = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let first_pa = match scene.level {
        Level::FullScale(pascal) => pascal,
        Level::Loudness(_) => PROVISIONAL_FULL_SCALE_PA,
    };
    let mut synthesized = synthesize(scene, prepared, settings, &events, first_pa)?;
    let (mut full_scale_pa, rate) = (first_pa, settings.engine.sample_rate_hz);
    if let Level::Loudness(lufs) = scene.level {
        full_scale_pa = first_pa / gain_to_loudness(&synthesized.0, lufs, rate);
        // Played softer than was thought, all that is heard is there. Played louder, more is.
        if full_scale_pa < first_pa {
            if !progress(0.75) {
                return Ok(None);
            }
            synthesized = synthesize(scene, prepared, settings, &events, full_scale_pa)?;
        } else {
            let gain = (first_pa / full_scale_pa) as f32;
            synthesized.0.iter_mut().for_each(|y| *y *= gain);
        }
    }
    let (mut samples, stats, computed) = synthesized;
    limit(&mut samples, rate)?;
    let sound_s = began.elapsed().as_secs_f64();
    Ok(Some(Rendered {
        samples,
        sample_rate_hz: rate,
        full_scale_pa,
        events,
        stats: stats.with_hail(event_source.hail_counts()),
        computed,
        lost,
        hail_backend_name: event_source.hail_backend_name(),
        physics_s,
        sound_s,
    }))
}

/// When something happens.
fn at_s(scene: &Scene, event: &SceneEvent) -> f64 {
    match event {
        SceneEvent::Physics(event) => event.at_s(),
        SceneEvent::Strike(number) => scene.strikes.get(*number).map_or(0.0, |strike| strike.at_s),
    }
}

type Synthesized = (Vec<f32>, SonifyStats, Vec<[u64; 2]>);

fn synthesize(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
    events: &[SceneEvent],
    full_scale_pa: f64,
) -> Result<Synthesized, SonifyError> {
    let engine = Settings { full_scale_pa, ..settings.engine.clone() };
    let (rate, block) = (f64::from(engine.sample_rate_hz), engine.block);
    let late = limiter(engine.sample_rate_hz)?.latency_frames();
    let output = OutputSettings { limiter: None };
    let (mut sonifier, mut panner) = Sonifier::new(Arc::clone(scene), prepared, engine, output)?;
    let frames = (scene.seconds * rate).ceil() as usize + late;
    let mut samples = vec![0.0; 2 * frames];
    let mut computed = Vec::with_capacity(frames / block + 1);
    let mut waiting = events.iter().peekable();
    for (number, part) in samples.chunks_mut(2 * block).enumerate() {
        // What happens in a block is told before it is computed.
        let end_s = ((number + 1) * block) as f64 / rate;
        while let Some(event) = waiting.next_if(|event| at_s(scene, event) < end_s) {
            sonifier.handle(event)?;
        }
        sonifier.engine().update();
        panner.fill(part);
        let report = sonifier.engine().report();
        computed.push([report.computed, report.modes]);
    }
    Ok((samples, sonifier.stats(), computed))
}

fn limiter(sample_rate_hz: u32) -> Result<OutputStage, SonifyError> {
    Ok(OutputStage::new(OutputSettings::default(), f64::from(sample_rate_hz), 2)?)
}

/// Keeps a sound below full scale; it ends as much earlier as the limiter looks ahead.
fn limit(samples: &mut Vec<f32>, sample_rate_hz: u32) -> Result<(), SonifyError> {
    let mut limiter = limiter(sample_rate_hz)?;
    samples.chunks_mut(2 * LIMITER_BLOCK).for_each(|part| {
        limiter.process(part);
    });
    samples.drain(..(2 * limiter.latency_frames()).min(samples.len()));
    Ok(())
}

/// The gain that brings a sound to a loudness.
fn gain_to_loudness(samples: &[f32], lufs: f64, sample_rate_hz: u32) -> f64 {
    let peak = samples.iter().fold(0f32, |peak, x| peak.max(x.abs()));
    if peak == 0.0 {
        return 1.0;
    }
    // The meter hears nothing below −70 LUFS.
    let even: Vec<f32> = samples.iter().map(|x| x / peak).collect();
    let measured =
        ebur128::EbuR128::new(2, sample_rate_hz, ebur128::Mode::I).and_then(|mut meter| {
            meter.add_frames_f32(&even)?;
            meter.loudness_global()
        });
    let loudness = measured.unwrap_or(lufs);
    let gain = if loudness.is_finite() { 10f64.powf((lufs - loudness) / 20.0) } else { 1.0 };
    // A short knock peaks long before it is loud: the limiter takes 6 dB at most.
    gain.min(2.0) / f64::from(peak)
}

//! Offline rendering: simulates, synthesises and levels a scene in memory.

use crate::prepare::Prepared;
use crate::scene::{Level, Scene};
use derive_setters::Setters;
use foley_dsp::output::{OutputSettings, OutputStage};
use foley_engine::cpu_time::process_cpu_s;
use foley_engine::{AudioBuffer, Renderer, Report, Settings, Source};
use std::iter::Peekable;
use std::slice::Iter;
use std::sync::Arc;

use super::level_note::level_note;
use super::{EventSource, ImpactBackend, SceneEvent, Sonifier, SonifyError, SonifyStats};

/// Largest number of events of a scene: about 3 GB of memory.
const MAX_EVENTS: usize = 20_000_000;

/// Full scale of the first synthesis while the loudness is unknown, Pa. Busy scenes are louder and need
/// no second one.
pub(super) const PROVISIONAL_FULL_SCALE_PA: f64 = 4.0;

/// Largest peak before the limiter, relative to full scale: it reduces peaks by 8 dB at most, because a
/// short knock reaches full scale long before it is loud.
const MAX_PEAK: f64 = 2.5;

/// Default and smallest simulated time between calls of `progress`, s.
const DEFAULT_STEP_S: f64 = 0.05;
const MIN_STEP_S: f64 = 1e-3;

/// Settings of [`render`].
#[derive(Debug, Clone, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct RenderSettings {
    /// Of the engine; the level comes from the scene.
    pub engine: Settings,
    /// Simulated time between calls of `progress`, s.
    pub step_s: f64,
    /// Finds hail impacts.
    pub hail_backend: ImpactBackend,
}

impl Default for RenderSettings {
    /// Synthesises only what is audible.
    fn default() -> Self {
        let engine = Settings::default().audible();
        Self { engine, step_s: DEFAULT_STEP_S, hail_backend: ImpactBackend::default() }
    }
}

/// A rendered scene.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// The sound, in stereo.
    pub sound: AudioBuffer,
    /// Pressure of full scale, Pa.
    pub full_scale_pa: f64,
    /// All events, in order of time.
    pub events: Vec<SceneEvent>,
    /// Counts of what was sonified.
    pub stats: SonifyStats,
    /// Oscillators computed and modes present in each block. From the start of a sustained contact, an
    /// object is computed mode by mode; while its partials fade both count, so that there may be more
    /// oscillators than modes for a few blocks.
    pub computed: Vec<[u64; 2]>,
    /// Remarks for the author of the scene, beside those of [`Prepared`]: on contacts after the end of the scene.
    pub notes: Vec<String>,
    /// The remark that the sound is silent, or has another loudness than the scene asks for; `None` without either. It
    /// holds until a program changes the level of the sound.
    pub level_note: Option<String>,
    /// Names of objects that left the simulated region.
    pub lost: Vec<String>,
    /// Name of the backend that found hail impacts at the end.
    pub hail_backend_name: Option<String>,
    /// Processor time of the simulation, s, of all threads of the process.
    pub physics_s: f64,
    /// Processor time of the synthesis and levelling, s, of all threads of the process.
    pub sound_s: f64,
}

impl Rendered {
    /// Returns the start of each block, s, with its oscillators computed and its modes present.
    pub fn computed_over_time(&self, scene: &Scene) -> Vec<(f64, [u64; 2])> {
        let block_s = scene.seconds / self.computed.len().max(1) as f64;
        self.computed.iter().enumerate().map(|(k, counts)| (k as f64 * block_s, *counts)).collect()
    }
}

/// Returns the number of oscillators computed for each mode present, over a list of blocks.
pub fn computed_share(blocks: &[(f64, [u64; 2])]) -> f64 {
    let [computed, modes] =
        [0, 1].map(|k| blocks.iter().map(|(_, counts)| counts[k] as f64).sum::<f64>());
    if modes > 0.0 { computed / modes } else { 0.0 }
}

/// Renders a scene. `progress` receives the fraction done, 0 … 1, and returns false to cancel; then
/// the result is `None`.
pub fn render(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<Rendered>, SonifyError> {
    render_part(scene, prepared, settings, true, progress)
}

/// Renders a scene. `reads_rest_of_trace` states whether its trace is read beyond the end of the scene, for a note on
/// what is there; of the beginning of a longer scene that would be no mistake.
pub(super) fn render_part(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
    reads_rest_of_trace: bool,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Option<Rendered>, SonifyError> {
    let began_s = process_cpu_s();
    let mut event_source = EventSource::with(scene, prepared, &settings.hail_backend)?;
    let (mut events, mut time_s, mut lost) = (Vec::new(), 0.0, Vec::new());
    // A step that is not positive (or NaN) would never end.
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
    let mut notes = Vec::new();
    if reads_rest_of_trace {
        notes.extend(event_source.read_rest_of_trace(scene.seconds)?);
    }
    let simulated_s = process_cpu_s();
    let first_pa = match scene.level {
        Level::FullScale(pascal) => pascal,
        Level::Loudness(_) => PROVISIONAL_FULL_SCALE_PA,
    };
    let mut synthesized = synthesize(scene, prepared, settings, &events, first_pa)?;
    let mut full_scale_pa = first_pa;
    if let Level::Loudness(lufs) = scene.level {
        full_scale_pa = first_pa / level_gain(scene, &mut synthesized.0, lufs);
        // At a lower playback level everything audible is already there; at a higher one more becomes
        // audible.
        if full_scale_pa < first_pa {
            if !progress(0.75) {
                return Ok(None);
            }
            synthesized = synthesize(scene, prepared, settings, &events, full_scale_pa)?;
            // What has become audible makes it louder.
            let gain = level_gain(scene, &mut synthesized.0, lufs);
            synthesized.0.scale(gain);
            full_scale_pa /= gain;
        } else {
            synthesized.0.scale(first_pa / full_scale_pa);
        }
    }
    let (mut sound, stats, computed) = synthesized;
    sound.limit_and_trim()?;
    let level_note = level_note(scene, &sound, &stats)?;
    Ok(Some(Rendered {
        sound,
        full_scale_pa,
        events,
        stats: stats.with_hail(event_source.hail_counts()),
        computed,
        notes,
        level_note,
        lost,
        hail_backend_name: event_source.hail_backend_name(),
        physics_s: simulated_s - began_s,
        sound_s: process_cpu_s() - simulated_s,
    }))
}

/// Returns the gain that brings a sound to a loudness, as far as the limiter allows. The sound is measured without the
/// frames that the limiter trims.
fn level_gain(scene: &Scene, sound: &mut AudioBuffer, lufs: f64) -> f64 {
    let frames = (scene.seconds * f64::from(sound.sample_rate_hz)).ceil() as usize;
    let behind = sound.samples.split_off((frames * sound.channels).min(sound.samples.len()));
    let gain = sound.gain_to_loudness(lufs, MAX_PEAK);
    sound.samples.extend(behind);
    gain
}

/// Returns the time of an event.
pub(super) fn at_s(scene: &Scene, event: &SceneEvent) -> f64 {
    match event {
        SceneEvent::Physics(event) => event.at_s(),
        SceneEvent::Strike(number) => scene.strikes.get(*number).map_or(0.0, |strike| strike.at_s),
    }
}

type Synthesized = (AudioBuffer, SonifyStats, Vec<[u64; 2]>);

fn synthesize(
    scene: &Arc<Scene>,
    prepared: &Prepared,
    settings: &RenderSettings,
    events: &[SceneEvent],
    full_scale_pa: f64,
) -> Result<Synthesized, SonifyError> {
    let engine = settings.engine.clone().with_full_scale_pa(full_scale_pa);
    let (sample_rate_hz, block) = (engine.sample_rate_hz, engine.block);
    let mut renderer = SceneRenderer::new(scene, prepared, engine, events)?;
    let mut samples = vec![0.0; 2 * renderer.frames()];
    let mut computed = Vec::with_capacity(renderer.frames() / block + 1);
    for (number, part) in samples.chunks_mut(2 * block).enumerate() {
        // The events of a block are handled before it is computed.
        renderer.handle_before(((number + 1) * block) as f64 / f64::from(sample_rate_hz))?;
        let report = renderer.render_block(part);
        computed.push([report.computed, report.modes]);
    }
    let sound = AudioBuffer { samples, channels: 2, sample_rate_hz };
    Ok((sound, renderer.stats(), computed))
}

/// Synthesises the events of a scene block by block, before the limiter.
pub struct SceneRenderer<'a> {
    scene: &'a Scene,
    sonifier: Sonifier,
    renderer: Renderer,
    waiting: Peekable<Iter<'a, SceneEvent>>,
    frames: usize,
}

impl<'a> SceneRenderer<'a> {
    /// Creates a renderer of events in order of time. Channels, limiter and playback level of the
    /// settings are replaced by those of the scene.
    pub fn new(
        scene: &'a Arc<Scene>,
        prepared: &Prepared,
        settings: Settings,
        events: &'a [SceneEvent],
    ) -> Result<Self, SonifyError> {
        let rate = f64::from(settings.sample_rate_hz);
        let late = OutputStage::new(OutputSettings::default(), rate, 2)?.latency_frames();
        let output = OutputSettings::default().with_limiter(None);
        let (sonifier, renderer) = Sonifier::new(Arc::clone(scene), prepared, settings, output)?;
        let frames = (scene.seconds * rate).ceil() as usize + late;
        Ok(Self { scene, sonifier, renderer, waiting: events.iter().peekable(), frames })
    }

    /// Returns the length in frames; it includes the latency of the limiter, which trims it.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Handles an event that is not among those of the scene.
    pub fn handle(&mut self, event: &SceneEvent) -> Result<(), SonifyError> {
        self.sonifier.handle(event)
    }

    /// Returns the number of emitters in use and the largest separation of a voice from its own
    /// ([`Report::emitter_separation`]).
    pub fn emitters(&mut self) -> (u64, f64) {
        let report = self.sonifier.engine().report();
        (report.emitters, report.emitter_separation)
    }

    /// Handles the events before a time: the work of the caller's thread.
    pub fn handle_before(&mut self, time_s: f64) -> Result<(), SonifyError> {
        while let Some(event) = self.waiting.next_if(|event| at_s(self.scene, event) < time_s) {
            self.sonifier.handle(event)?;
        }
        self.sonifier.update()
    }

    /// Renders a block of stereo frames: the work of the audio thread. Returns the engine's report.
    pub fn render_block(&mut self, frames: &mut [f32]) -> Report {
        self.renderer.fill(frames);
        self.sonifier.engine().report()
    }

    /// Returns the counts so far, without those of emitted and striking stones.
    pub fn stats(&self) -> SonifyStats {
        self.sonifier.stats()
    }
}

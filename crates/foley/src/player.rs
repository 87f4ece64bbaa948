//! Scenes to the ears: a scene that plays on a sound card and can be changed while it does.

mod null_output;

use derive_setters::Setters;
use foley_engine::Renderer;
use foley_scene::Scene;
use foley_scene::prepare::{ModelCache, Prepared};
use foley_scene::sonify::{ImpactBackend, LiveScene, SonifyStats, live_settings};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Error;
use crate::device::{self, Device, Stream, StreamStats};
use null_output::{NULL_HZ, NullOutput};

/// Pause between updates of the scene.
const UPDATE_PAUSE: Duration = Duration::from_millis(5);

/// Sound that is rendered ahead of the card: blocks of a dense scene take longer at times than they last, and
/// other programs take the processor for some tens of milliseconds.
const RENDER_AHEAD: Duration = Duration::from_millis(150);

/// Output of a scene that plays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// The system's sound card.
    #[default]
    Default,
    /// The sound card of this name.
    Named(String),
    /// Nowhere, in real time.
    Null,
}

impl Output {
    /// Opens the output.
    pub fn open(&self) -> Result<OpenOutput, Error> {
        let settings = device::Settings::default().with_render_ahead(RENDER_AHEAD);
        let device = match self {
            Self::Default => Some(Device::open(None, &settings)?),
            Self::Named(name) => Some(Device::open(Some(name), &settings)?),
            Self::Null => None,
        };
        Ok(OpenOutput { device })
    }
}

/// An output that is there. It is opened before a long preparation, to fail early.
#[derive(Debug)]
pub struct OpenOutput {
    device: Option<Device>,
}

/// Settings of [`Player::start`].
#[derive(Debug, Clone, Default, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct PlaySettings {
    /// Finds hail impacts.
    pub hail_backend: ImpactBackend,
    /// How far ahead the scene is simulated, s ([`LiveScene::set_look_ahead_s`]): far, if it is not edited while it
    /// plays, and 0 for as little as possible.
    pub look_ahead_s: f64,
}

/// How a scene was played.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlayReport {
    /// Name of the device.
    pub device: String,
    /// Sound that was heard, s.
    pub heard_s: f64,
    /// Gaps, and devices that were opened again.
    pub stream: StreamStats,
    /// Counts of what was sonified.
    pub sonified: SonifyStats,
    /// Impacts and contacts that were handled after their time.
    pub late_events: u64,
    /// Events that the audio thread had no room for.
    pub dropped_events: u64,
    /// Largest number of modes at a time that the budget of computing time left out.
    pub most_modes_left_out: u64,
    /// Blocks that were not finite and were silenced.
    pub bad_blocks: u64,
    /// Names of objects that left the simulated region.
    pub lost: Vec<String>,
    /// Name of the backend that found hail impacts.
    pub hail_backend_name: Option<String>,
    /// Pressure of full scale, Pa.
    pub full_scale_pa: f64,
}

enum Playing {
    Card(Stream),
    Null(NullOutput),
}

/// A scene that plays. Dropping it stops the sound.
pub struct Player {
    live: LiveScene,
    playing: Playing,
    sample_rate_hz: u32,
    full_scale_pa: f64,
}

/// Plays a scene on the system's sound card.
///
/// ```no_run
/// # fn main() -> Result<(), foley::Error> {
/// let scene = foley::Scene::load("bells.toml")?;
/// let mut player = foley::play(&scene)?;
/// while player.run_for(std::time::Duration::from_millis(100))? {
///     // Look at player.scene(), or change it.
/// }
/// # Ok(())
/// # }
/// ```
pub fn play(scene: &Scene) -> Result<Player, Error> {
    Player::open(scene, &Output::Default)
}

impl Player {
    /// Plays a scene. The level is that of the scene, or what a preview of its beginning needs for the
    /// loudness it asks for.
    pub fn open(scene: &Scene, output: &Output) -> Result<Self, Error> {
        let output = output.open()?;
        let scene = Arc::new(scene.clone());
        let prepared = scene.prepare(&ModelCache::user(), &mut |_| true)?;
        Self::start(output, &scene, &prepared, &PlaySettings::default())
    }

    /// Plays a scene that is prepared already, on an output that is open already.
    pub fn start(
        output: OpenOutput,
        scene: &Arc<Scene>,
        prepared: &Prepared,
        settings: &PlaySettings,
    ) -> Result<Self, Error> {
        let backend = &settings.hail_backend;
        let sample_rate_hz = output.device.as_ref().map_or(NULL_HZ, Device::sample_rate_hz);
        let engine = live_settings(scene, prepared, backend, sample_rate_hz)?;
        let full_scale_pa = engine.full_scale_pa;
        let (mut live, renderer) = LiveScene::new(scene, prepared, engine, backend)?;
        live.set_look_ahead_s(settings.look_ahead_s)?;
        live.update()?;
        let playing = match output.device {
            Some(device) => Playing::Card(start_card(device, renderer, &mut live)?),
            None => Playing::Null(NullOutput::start(renderer)),
        };
        Ok(Self { live, playing, sample_rate_hz, full_scale_pa })
    }

    /// Returns the running scene, to be looked at or edited.
    pub fn scene(&mut self) -> &mut LiveScene {
        &mut self.live
    }

    /// Keeps the scene running for a time; returns false when it has been heard to its end. Call it again
    /// and again: in between the sound goes on, and events that were missed come late.
    pub fn run_for(&mut self, time: Duration) -> Result<bool, Error> {
        let began = Instant::now();
        loop {
            self.live.update()?;
            let goes_on = self.heard_s() < self.live.seconds();
            if !goes_on || began.elapsed() >= time {
                return Ok(goes_on);
            }
            let pause = UPDATE_PAUSE.min(time.saturating_sub(began.elapsed()));
            match &self.playing {
                Playing::Card(stream) => stream.wait(pause)?,
                Playing::Null(_) => std::thread::sleep(pause),
            }
        }
    }

    /// Returns the time of the scene that has been heard, s.
    pub fn heard_s(&self) -> f64 {
        let frames = match &self.playing {
            Playing::Card(stream) => stream.heard_frames(),
            Playing::Null(null) => null.stats().frames,
        };
        frames as f64 / f64::from(self.sample_rate_hz)
    }

    /// Returns how playing has gone so far: gaps, and devices that were opened again.
    pub fn stats(&self) -> StreamStats {
        match &self.playing {
            Playing::Card(stream) => stream.stats(),
            Playing::Null(null) => null.stats(),
        }
    }

    /// Fades out within 50 ms, also in the middle of a scene, and reports how it was played.
    pub fn stop(mut self) -> PlayReport {
        let heard_s = self.heard_s().min(self.live.seconds());
        let (device, stream) = match self.playing {
            Playing::Card(stream) => (stream.device(), stream.stop()),
            Playing::Null(null) => ("nothing".to_owned(), null.stop()),
        };
        PlayReport {
            device,
            heard_s,
            stream,
            sonified: self.live.stats(),
            late_events: self.live.late(),
            dropped_events: self.live.dropped(),
            most_modes_left_out: self.live.most_modes_left_out(),
            bad_blocks: self.live.bad_blocks(),
            lost: self.live.lost().to_vec(),
            hail_backend_name: self.live.hail_backend_name(),
            full_scale_pa: self.full_scale_pa,
        }
    }
}

/// Starts the card on another thread: the sound begins before this is known, and the scene must run with it.
fn start_card(device: Device, renderer: Renderer, live: &mut LiveScene) -> Result<Stream, Error> {
    std::thread::scope(|scope| {
        let starting = scope.spawn(|| device.play(renderer));
        while !starting.is_finished() {
            live.update()?;
            std::thread::sleep(UPDATE_PAUSE);
        }
        match starting.join() {
            Ok(stream) => Ok(stream?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

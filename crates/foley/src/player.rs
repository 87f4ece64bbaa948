//! Scenes to the ears: a scene that plays on a sound card and can be changed while it does.

use foley_engine::mock::{Blocks, MockDevice, Pace};
use foley_engine::{Renderer, Source};
use foley_scene::Scene;
use foley_scene::prepare::ModelCache;
use foley_scene::sonify::{ImpactBackend, LiveScene, live_settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::Error;
use crate::device::{self, Device, Stream};

/// Pause between updates of the scene.
const UPDATE_PAUSE: Duration = Duration::from_millis(5);
/// Of an output that is not heard.
const NULL_HZ: u32 = 48_000;
const NULL_BLOCK: usize = 512;

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

enum Playing {
    Card(Stream),
    Null(Arc<AtomicBool>, Option<JoinHandle<()>>),
}

/// A scene that plays. Dropping it stops the sound.
pub struct Player {
    live: LiveScene,
    playing: Playing,
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
        // Opened first, to fail before a long preparation.
        let device = match output {
            Output::Default => Some(Device::open(None, &device::Settings::default())?),
            Output::Named(name) => Some(Device::open(Some(name), &device::Settings::default())?),
            Output::Null => None,
        };
        let scene = Arc::new(scene.clone());
        let prepared = scene.prepare(&ModelCache::user(), &mut |_| true)?;
        let backend = ImpactBackend::default();
        let rate_hz = device.as_ref().map_or(NULL_HZ, Device::sample_rate_hz);
        let settings = live_settings(&scene, &prepared, &backend, rate_hz)?;
        let (live, renderer) = LiveScene::new(&scene, &prepared, settings, &backend)?;
        let playing = match device {
            Some(device) => Playing::Card(device.play(renderer)?),
            None => play_nowhere(renderer),
        };
        Ok(Self { live, playing })
    }

    /// Returns the running scene, to be looked at or edited.
    pub fn scene(&mut self) -> &mut LiveScene {
        &mut self.live
    }

    /// Keeps the scene running for a time; returns false when it has ended. Call it again and again: in
    /// between the sound goes on, and events that were missed come late.
    pub fn run_for(&mut self, time: Duration) -> Result<bool, Error> {
        let began = Instant::now();
        loop {
            let goes_on = self.live.update()?;
            if !goes_on || began.elapsed() >= time {
                return Ok(goes_on);
            }
            let pause = UPDATE_PAUSE.min(time.saturating_sub(began.elapsed()));
            match &self.playing {
                Playing::Card(stream) => stream.wait(pause)?,
                Playing::Null(..) => std::thread::sleep(pause),
            }
        }
    }

    /// Returns the number of blocks that came late, gaps in the sound.
    pub fn underruns(&self) -> u64 {
        match &self.playing {
            Playing::Card(stream) => stream.stats().underruns,
            Playing::Null(..) => 0,
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Playing::Null(stop, thread) = &mut self.playing {
            stop.store(true, Relaxed);
            // A thread that panicked has nothing more to say.
            let _ = thread.take().map(JoinHandle::join);
        }
    }
}

/// Renders in real time on a thread of its own, as a card would.
fn play_nowhere(mut renderer: Renderer) -> Playing {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        let device = MockDevice::new(Blocks::Fixed(NULL_BLOCK)).with_pace(Pace::WallClock);
        let mut device = device.with_recording(false);
        let tenth = u64::from(renderer.sample_rate_hz()) / 10;
        while !stopped.load(Relaxed) {
            device.play(&mut renderer, tenth);
        }
    });
    Playing::Null(stop, Some(thread))
}

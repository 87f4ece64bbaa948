//! Live playing: a scene that runs a little ahead of the audio clock, and its level.

mod edits;
mod rollback;

use crate::Scene;
use crate::prepare::Prepared;
use crate::scene::Level;
use foley_engine::{Engine, EngineError, Renderer, Settings};
use foley_geometry::clock;
use foley_physics::Event;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::render::{PROVISIONAL_FULL_SCALE_PA, at_s, render_part};
use super::{
    EventSource, ImpactBackend, RenderSettings, SceneEvent, Sonifier, SonifyError, SonifyStats,
};

use edits::EditState;
pub use edits::PreparedEdit;

/// Look-ahead of the scene before the engine's clock, s: longer than a block and the pause between
/// two updates, short enough that a stop is immediate.
const LOOK_AHEAD_S: f64 = 0.08;

/// Longest look-ahead, s.
const MAX_LOOK_AHEAD_S: f64 = 10.0;

/// Step of the simulation beyond [`LOOK_AHEAD_S`], s: between two steps, what is due is handled.
const STEP_S: f64 = 0.005;

/// Longest time that an update simulates beyond [`LOOK_AHEAD_S`]. The pause between two updates is about as long.
const AHEAD_TIME: Duration = Duration::from_millis(5);

/// Length of the first trial render for levelling, s.
const LEVELLING_S: f64 = 4.0;

/// A scene that plays live. It belongs to a thread that may wait; the audio thread plays the
/// [`Renderer`] and never waits for it: late events sound late.
pub struct LiveScene {
    event_source: EventSource,
    sonifier: Sonifier,
    seconds: f64,
    look_ahead_s: f64,
    /// The time up to which events were simulated, s.
    simulated_s: f64,
    /// Simulated and not yet handled, in order of time.
    queue: VecDeque<SceneEvent>,
    late: u64,
    dropped: u64,
    most_modes_left_out: u64,
    lost: Vec<String>,
    edits: EditState,
}

impl LiveScene {
    /// Starts a scene and queues its first events. Returns it with the source that the audio thread
    /// plays.
    pub fn new(
        scene: &Arc<Scene>,
        prepared: &Prepared,
        settings: Settings,
        hail_backend: &ImpactBackend,
    ) -> Result<(Self, Renderer), SonifyError> {
        let (sonifier, renderer) =
            Sonifier::new(Arc::clone(scene), prepared, settings, Default::default())?;
        let mut live = Self {
            event_source: EventSource::with(scene, prepared, hail_backend)?,
            sonifier,
            seconds: scene.seconds,
            look_ahead_s: LOOK_AHEAD_S,
            simulated_s: 0.0,
            queue: VecDeque::new(),
            late: 0,
            dropped: 0,
            most_modes_left_out: 0,
            lost: Vec::new(),
            edits: EditState::new(scene),
        };
        live.update()?;
        Ok((live, renderer))
    }

    /// Simulates further ahead, up to ten seconds: a scene that takes long to simulate at times is then still
    /// in time. At first, simulates as far. Contacts are handled when they are due, as before.
    ///
    /// An edit takes effect within the look-ahead, so this is for scenes that are not edited; after the first
    /// edit the look-ahead is short again.
    pub fn set_look_ahead_s(&mut self, seconds: f64) -> Result<(), SonifyError> {
        self.look_ahead_s = seconds.clamp(LOOK_AHEAD_S, MAX_LOOK_AHEAD_S);
        let now_s = self.sonifier.engine().now_s();
        self.simulate((now_s + self.look_ahead_s).min(self.seconds))
    }

    /// Handles the events that are due and simulates up to the look-ahead; returns false when the scene has
    /// ended. Call it every few milliseconds.
    pub fn update(&mut self) -> Result<bool, SonifyError> {
        let now_s = self.sonifier.engine().now_s();
        self.handle_due()?;
        self.simulate((now_s + LOOK_AHEAD_S).min(self.seconds))?;
        self.handle_due()?;
        let began = clock::now();
        let until_s = (now_s + self.look_ahead_s).min(self.seconds);
        while self.simulated_s < until_s && clock::elapsed(began) < AHEAD_TIME {
            self.simulate((self.simulated_s + STEP_S).min(until_s))?;
            self.handle_due()?;
        }
        self.sonifier.update()?;
        let left_out = self.sonifier.engine().report().left_out;
        self.most_modes_left_out = self.most_modes_left_out.max(left_out);
        self.lost.append(&mut self.event_source.take_lost());
        Ok(now_s < self.seconds)
    }

    /// Simulates up to a time.
    fn simulate(&mut self, until_s: f64) -> Result<(), SonifyError> {
        self.simulated_s = self.simulated_s.max(until_s);
        self.event_source.advance_to(until_s, &mut |event| self.queue.push_back(event))
    }

    /// Handles the simulated events that are nearly due.
    fn handle_due(&mut self) -> Result<(), SonifyError> {
        let due_s = match self.look_ahead_s > LOOK_AHEAD_S {
            true => self.sonifier.engine().now_s() + LOOK_AHEAD_S,
            false => f64::INFINITY,
        };
        while self.queue.front().is_some_and(|event| at_s(&self.sonifier.scene, event) < due_s)
            && let Some(event) = self.queue.pop_front()
        {
            self.handle(&event)?;
        }
        Ok(())
    }

    fn handle(&mut self, event: &SceneEvent) -> Result<(), SonifyError> {
        let at_s = match event {
            // A pose makes no sound, so it cannot be late.
            SceneEvent::Physics(Event::Pose(_)) => f64::INFINITY,
            event => at_s(&self.sonifier.scene, event),
        };
        self.late += u64::from(at_s < self.sonifier.engine().now_s());
        match self.sonifier.handle(event) {
            // The queue to the audio thread is full.
            Err(SonifyError::Engine(EngineError::Busy(_))) => {
                self.dropped += 1;
                Ok(())
            }
            handled => handled,
        }
    }

    /// Handles all simulated events, before an edit, and looks less far ahead from now on: the queue
    /// names objects and strikes by their numbers before the edit.
    fn handle_all(&mut self) -> Result<(), SonifyError> {
        self.look_ahead_s = LOOK_AHEAD_S;
        self.handle_due()
    }

    /// Returns the duration of the scene, s.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns the engine, for its clock and its report.
    pub fn engine(&mut self) -> &mut Engine {
        self.sonifier.engine()
    }

    /// Moves and turns the listener, who leaves the path of the scene; call it once a frame. An edit of the
    /// listener puts it back on a path.
    pub fn move_listener(&mut self, listener: foley_engine::Listener) -> Result<(), SonifyError> {
        self.sonifier.is_listener_free = true;
        Ok(self.sonifier.engine().set_listener(listener)?)
    }

    /// Returns the fraction that was played, 0 … 1.
    pub fn fraction_done(&mut self) -> f64 {
        (self.sonifier.engine().now_s() / self.seconds).min(1.0)
    }

    /// Returns the counts of what was sonified.
    pub fn stats(&self) -> SonifyStats {
        self.sonifier.stats().with_hail(self.event_source.hail_counts())
    }

    /// Returns the number of impacts and contacts that were handled after their time.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// Returns the number of events that the audio thread had no room for.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the largest number of modes that the budget left out, of the blocks before each update.
    pub fn most_modes_left_out(&self) -> u64 {
        self.most_modes_left_out
    }

    /// Returns the name of the backend that finds hail impacts.
    pub fn hail_backend_name(&self) -> Option<String> {
        self.event_source.hail_backend_name()
    }

    /// Returns the names of objects that left the simulated region.
    pub fn lost(&self) -> &[String] {
        &self.lost
    }

    /// Returns the number of blocks with non-finite samples.
    pub fn bad_blocks(&mut self) -> u64 {
        self.sonifier.engine().report().bad_blocks
    }
}

/// Returns the engine settings with which a scene is played live on a device of this sample rate: the one
/// place that decides them, for every player and for the check of the audio thread (`scripts/rtsan`).
pub fn live_settings(
    scene: &Scene,
    prepared: &Prepared,
    hail_backend: &ImpactBackend,
    sample_rate_hz: u32,
) -> Result<Settings, SonifyError> {
    let full_scale_pa = live_full_scale_pa(scene, prepared, hail_backend)?;
    Ok(Settings::live(sample_rate_hz).with_full_scale_pa(full_scale_pa))
}

/// Returns the full scale for live playing, Pa, while the loudness of the whole scene is unknown.
///
/// A scene with a given `full_scale_pa` keeps it. For a target loudness, the beginning of the scene is
/// rendered and gives the full scale that brings it to that loudness; a silent beginning is doubled
/// in length. Louder parts later meet the limiter.
pub fn live_full_scale_pa(
    scene: &Scene,
    prepared: &Prepared,
    hail_backend: &ImpactBackend,
) -> Result<f64, SonifyError> {
    if let Level::FullScale(pascal) = scene.level {
        return Ok(pascal);
    }
    let settings = RenderSettings { hail_backend: hail_backend.clone(), ..Default::default() };
    let mut seconds = LEVELLING_S;
    loop {
        let beginning = Arc::new(Scene { seconds: seconds.min(scene.seconds), ..scene.clone() });
        // `None` only if cancelled.
        let Some(rendered) = render_part(&beginning, prepared, &settings, false, &mut |_| true)?
        else {
            return Ok(PROVISIONAL_FULL_SCALE_PA);
        };
        let silent = rendered.sound.samples.iter().all(|y| *y == 0.0);
        if !silent || seconds >= scene.seconds {
            return Ok(rendered.full_scale_pa);
        }
        seconds *= 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::ModelCache;
    use crate::sonify::render;
    use foley_engine::Source;
    use foley_engine::mock::{Blocks, MockDevice, Pace, VirtualClock};
    use std::time::{Duration, Instant};

    const RATE_HZ: u32 = 48_000;

    const SCENE: &str = r#"
        seconds = 1
        full_scale_pa = 5
        ground = "concrete"
        [[object]]
        name = "bar"
        shape = "bar:300x30x8mm"
        material = "steel"
        position = [0.3, 0, 0.9]
        rotation = [0, 10, 0]
        [[strike]]
        object = "bar"
        at_s = 0.7
    "#;

    fn energy(samples: &[f32]) -> f64 {
        samples.iter().map(|y| f64::from(*y).powi(2)).sum()
    }

    struct Playing {
        scene: Arc<Scene>,
        prepared: Prepared,
        live: LiveScene,
        renderer: Renderer,
    }

    fn playing() -> Playing {
        let scene = Arc::new(Scene::parse(SCENE).unwrap());
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let settings = Settings::live(RATE_HZ).with_full_scale_pa(5.0).with_budget(None);
        let (live, renderer) =
            LiveScene::new(&scene, &prepared, settings, &ImpactBackend::default()).unwrap();
        Playing { scene, prepared, live, renderer }
    }

    /// In virtual time nothing is late, and the sound is that of a render.
    #[test]
    fn a_scene_played_is_the_scene_rendered() {
        let Playing { scene, prepared, mut live, mut renderer } = playing();
        let blocks = Blocks::Random { min: 64, max: 1024, seed: 3 };
        let played =
            MockDevice::new(blocks).play_with(&mut renderer, u64::from(RATE_HZ), |_, _| {
                live.update().unwrap();
            });
        assert_eq!((live.late(), live.dropped(), live.bad_blocks()), (0, 0, 0));
        assert!(played.samples.iter().all(|y| y.is_finite() && y.abs() <= 1.0));
        assert!(live.fraction_done() > 0.99 && live.stats().excitations > 1, "{:?}", live.stats());
        let rendered = render(&scene, &prepared, &RenderSettings::default(), &mut |_| true);
        let rendered = rendered.unwrap().unwrap();
        assert_eq!(live.stats().impacts, rendered.stats.impacts);
        let db = 10.0 * (energy(&played.samples) / energy(&rendered.sound.samples)).log10();
        assert!(db.abs() < 0.5, "{db}");
    }

    /// A second of simulation ahead changes nothing but when it is computed.
    #[test]
    fn a_scene_simulated_ahead_sounds_the_same() {
        let played = |look_ahead_s: f64| {
            let Playing { mut live, mut renderer, .. } = playing();
            live.set_look_ahead_s(look_ahead_s).unwrap();
            let mut device = MockDevice::new(Blocks::Fixed(128));
            let played = device.play_with(&mut renderer, u64::from(RATE_HZ), |_, _| {
                live.update().unwrap();
            });
            assert_eq!((live.late(), live.dropped(), live.bad_blocks()), (0, 0, 0));
            (played.samples, live.stats().impacts)
        };
        let ((short, few), (long, many)) = (played(0.0), played(1.0));
        assert_eq!(few, many);
        let difference: Vec<f32> = short.iter().zip(&long).map(|(a, b)| a - b).collect();
        let db = 10.0 * (energy(&difference) / energy(&short)).log10();
        assert!(db < -60.0, "{db}");
    }

    /// What a simulation takes that stands still for half a second now and then: with a second ahead nothing is
    /// late, with the usual look-ahead it is.
    #[test]
    fn a_scene_simulated_ahead_is_in_time_after_a_pause() {
        let late = |look_ahead_s: f64| {
            let Playing { mut live, mut renderer, .. } = playing();
            live.set_look_ahead_s(look_ahead_s).unwrap();
            let mut device = MockDevice::new(Blocks::Fixed(128));
            let mut next_s = 0.0;
            device.play_with(&mut renderer, u64::from(RATE_HZ), |_, now_s| {
                // What was simulated is handled in time; no more is simulated for half a second.
                if now_s >= next_s {
                    live.update().unwrap();
                    next_s = now_s + 0.5;
                } else {
                    live.handle_due().unwrap();
                    live.sonifier.update().unwrap();
                }
            });
            live.late()
        };
        assert_eq!(late(1.0), 0);
        assert!(late(0.0) > 0);
    }

    const DOWNPOUR: &str = r#"
        seconds = 0.5
        full_scale_pa = 300
        [hail]
        per_second = 10000
        from_s = -3
        cloud = { position = [0, 0, 6], size = [0.99, 0.99] }
        [[object]]
        shape = "plate:1000x1000x4mm"
        material = "steel"
        max_modes = 100
        motion = "fixed"
        position = [0, 0, 0.5]
    "#;

    /// Longest time that an update may take.
    const GAP: Duration = Duration::from_millis(100);

    /// Ten thousand impacts a second: none is late or refused, and it sounds like the render.
    #[test]
    fn a_downpour_played_is_the_downpour_rendered() {
        let scene = Arc::new(Scene::parse(DOWNPOUR).unwrap());
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let settings = Settings::live(RATE_HZ).with_full_scale_pa(300.0).with_budget(None);
        let (mut live, mut renderer) =
            LiveScene::new(&scene, &prepared, settings, &ImpactBackend::default()).unwrap();
        let blocks = Blocks::Random { min: 64, max: 1024, seed: 3 };
        let played =
            MockDevice::new(blocks).play_with(&mut renderer, u64::from(RATE_HZ) / 2, |_, _| {
                let began = Instant::now();
                live.update().unwrap();
                assert!(began.elapsed() < GAP, "{:?}", began.elapsed());
            });
        assert_eq!((live.late(), live.dropped(), live.bad_blocks()), (0, 0, 0));
        let rendered = render(&scene, &prepared, &RenderSettings::default(), &mut |_| true);
        let rendered = rendered.unwrap().unwrap();
        assert!(rendered.stats.hail.sounded > 4_500);
        assert_eq!(live.stats().hail, rendered.stats.hail);
        assert_eq!((live.stats().refused, rendered.stats.refused), (0, 0));
        let db = 10.0 * (energy(&played.samples) / energy(&rendered.sound.samples)).log10();
        assert!(db.abs() < 0.5, "{db}");
        assert_eq!(live.hail_backend_name().as_deref(), Some("CPU"));
    }

    /// A source whose blocks take a share of their own duration by a virtual clock, so that the load
    /// of this machine does not matter.
    struct SlowSource {
        renderer: Renderer,
        clock: VirtualClock,
        /// Share of each block, repeated.
        shares: Vec<f64>,
        blocks: usize,
    }

    impl Source for SlowSource {
        fn sample_rate_hz(&self) -> u32 {
            self.renderer.sample_rate_hz()
        }
        fn channels(&self) -> usize {
            self.renderer.channels()
        }
        fn fill(&mut self, interleaved: &mut [f32]) {
            self.renderer.fill(interleaved);
            let lasts_s = (interleaved.len() / self.channels()) as f64 / f64::from(RATE_HZ);
            let share = self.shares[self.blocks % self.shares.len()];
            self.clock.advance(Duration::from_secs_f64(share * lasts_s));
            self.blocks += 1;
        }
    }

    /// Returns the numbers of blocks, late blocks and late events.
    fn played_on(shares: &[f64]) -> (u64, u64, u64) {
        let Playing { mut live, renderer, .. } = playing();
        let clock = VirtualClock::default();
        let shares = shares.to_vec();
        let mut machine = SlowSource { renderer, clock: clock.clone(), shares, blocks: 0 };
        let device = MockDevice::new(Blocks::Fixed(480)).with_pace(Pace::WallClock);
        let mut device = device.with_clock(clock).with_recording(false);
        let played = device.play_with(&mut machine, u64::from(RATE_HZ), |_, _| {
            live.update().unwrap();
        });
        assert!(live.stats().excitations > 1 && live.fraction_done() > 0.98);
        (played.blocks, played.late_blocks, live.late())
    }

    #[test]
    fn blocks_that_come_late_are_counted_and_no_others() {
        let late_of_100 = |shares: &[f64]| {
            let (blocks, late, late_events) = played_on(shares);
            assert_eq!((blocks, late_events), (100, 0));
            late as f64
        };
        foley_measured::check!("live.late_half_load", late_of_100(&[0.5]));
        // Every tenth block takes as long as two.
        let tenth = late_of_100(&[0.2, 0.2, 0.2, 0.2, 0.2, 2.0, 0.2, 0.2, 0.2, 0.2]);
        foley_measured::check!("live.late_every_tenth", tenth);
        // All but the first, which has no deadline.
        foley_measured::check!("live.late_always", late_of_100(&[1.5]));
    }
}

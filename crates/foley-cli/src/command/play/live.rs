//! A scene that goes on a little ahead of what is heard.

use anyhow::Result;
use foley::EngineError;
use foley_physics::Event;
use foley_scene::Scene;
use foley_scene::sonify::{EventSource, SceneEvent, Sonifier, SonifyError, SonifyStats};

/// So far is the scene ahead of the engine's clock: more than a block and a glance, and less
/// than anybody notices, s.
const AHEAD_S: f64 = 0.08;

/// A scene and its sonifier, on the thread that may wait. The audio thread never waits for
/// it: what comes too late is heard late.
pub(super) struct Live {
    event_source: EventSource,
    sonifier: Sonifier,
    seconds: f64,
    /// Strikes' times.
    strikes_s: Vec<f64>,
    events: Vec<SceneEvent>,
    late: u64,
    dropped: u64,
    lost: Vec<String>,
}

impl Live {
    /// With its first moments events already.
    pub(super) fn new(
        scene: &Scene,
        event_source: EventSource,
        sonifier: Sonifier,
    ) -> Result<Self> {
        let mut live = Self {
            event_source,
            sonifier,
            seconds: scene.seconds,
            strikes_s: scene.strikes.iter().map(|strike| strike.at_s).collect(),
            events: Vec::new(),
            late: 0,
            dropped: 0,
            lost: Vec::new(),
        };
        live.go_on()?;
        Ok(live)
    }

    /// Tells the engine what happens next; false when the scene is over.
    pub(super) fn go_on(&mut self) -> Result<bool> {
        let now_s = self.sonifier.engine().now_s();
        let until_s = (now_s + AHEAD_S).min(self.seconds);
        let events = &mut self.events;
        self.event_source.advance_to(until_s, &mut |event| events.push(event))?;
        for event in std::mem::take(&mut self.events) {
            let at_s = match event {
                // Poses only say from where what follows is heard.
                SceneEvent::Physics(Event::Pose(_)) => f64::INFINITY,
                SceneEvent::Physics(event) => event.at_s(),
                SceneEvent::Strike(number) => self.strikes_s.get(number).copied().unwrap_or(0.0),
            };
            self.late += u64::from(at_s < self.sonifier.engine().now_s());
            match self.sonifier.handle(&event) {
                // The audio thread has not taken what was said before: this is not heard.
                Err(SonifyError::Engine(EngineError::Busy(_))) => self.dropped += 1,
                handled => handled?,
            }
        }
        self.sonifier.engine().update();
        self.lost.append(&mut self.event_source.take_lost());
        Ok(now_s < self.seconds)
    }

    /// How much was played, 0 … 1.
    pub(super) fn done(&mut self) -> f64 {
        (self.sonifier.engine().now_s() / self.seconds).min(1.0)
    }

    /// What was heard.
    pub(super) fn stats(&self) -> SonifyStats {
        self.sonifier.stats().with_hail(self.event_source.hail_counts())
    }

    /// Blows and touches that were events after their time.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// Things the audio thread had no room for.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Who finds where hail strikes.
    pub(super) fn hail_backend_name(&self) -> Option<String> {
        self.event_source.hail_backend_name()
    }

    /// Objects that flew away.
    pub(super) fn lost(&self) -> &[String] {
        &self.lost
    }

    /// Blocks that were not finite.
    pub(super) fn bad_blocks(&mut self) -> u64 {
        self.sonifier.engine().report().bad_blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley::Settings;
    use foley::Source;
    use foley::mock::{Blocks, MockDevice, Pace, VirtualClock};
    use foley_scene::prepare::{ModelCache, Prepared};
    use foley_scene::sonify::{ImpactBackend, RenderSettings, StereoPanner, render};
    use std::sync::Arc;
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
        position = [0.3, 0, 0.2]
        rotation = [0, 10, 0]
        [[strike]]
        object = "bar"
        at_s = 0.7
    "#;

    fn energy(samples: &[f32]) -> f64 {
        samples.iter().map(|y| f64::from(*y).powi(2)).sum()
    }

    struct Staged {
        scene: Arc<Scene>,
        prepared: Prepared,
        live: Live,
        panner: StereoPanner,
    }

    fn staged() -> Staged {
        let scene = Arc::new(Scene::parse(SCENE).unwrap());
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let settings = Settings { full_scale_pa: 5.0, budget: None, ..Settings::live(RATE_HZ) };
        let (sonifier, panner) =
            Sonifier::new(Arc::clone(&scene), &prepared, settings, Default::default()).unwrap();
        let event_source = EventSource::new(&scene, &prepared).unwrap();
        let live = Live::new(&scene, event_source, sonifier).unwrap();
        Staged { scene, prepared, live, panner }
    }

    /// In virtual time nothing is late, and what is heard is what a render hears.
    #[test]
    fn a_scene_played_is_the_scene_rendered() {
        let Staged { scene, prepared, mut live, mut panner } = staged();
        let blocks = Blocks::Random { min: 64, max: 1024, seed: 3 };
        let played = MockDevice::new(blocks).play_with(&mut panner, u64::from(RATE_HZ), |_, _| {
            live.go_on().unwrap();
        });
        assert_eq!((live.late(), live.dropped(), live.bad_blocks()), (0, 0, 0));
        assert!(played.samples.iter().all(|y| y.is_finite() && y.abs() <= 1.0));
        assert!(live.done() > 0.99 && live.stats().excitations > 1, "{:?}", live.stats());
        let rendered = render(&scene, &prepared, &RenderSettings::default(), &mut |_| true);
        let rendered = rendered.unwrap().unwrap();
        assert_eq!(live.stats().impacts, rendered.stats.impacts);
        let db = 10.0 * (energy(&played.samples) / energy(&rendered.samples)).log10();
        assert!(db.abs() < 0.5, "{db}");
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

    /// Ten thousand blows a second: none is late, none is refused, and it sounds like the render.
    /// `before` is called before each block with the share that was played.
    fn play_a_downpour(
        hail_backend: &ImpactBackend,
        mut before: impl FnMut(f64),
    ) -> (Vec<f32>, Live) {
        let scene = Arc::new(Scene::parse(DOWNPOUR).unwrap());
        let prepared = scene.prepare(&ModelCache::none(), &mut |_| true).unwrap();
        let settings = Settings { full_scale_pa: 300.0, budget: None, ..Settings::live(RATE_HZ) };
        let (sonifier, mut panner) =
            Sonifier::new(Arc::clone(&scene), &prepared, settings, Default::default()).unwrap();
        let event_source = EventSource::with(&scene, &prepared, hail_backend).unwrap();
        let mut live = Live::new(&scene, event_source, sonifier).unwrap();
        let blocks = Blocks::Random { min: 64, max: 1024, seed: 3 };
        let played =
            MockDevice::new(blocks).play_with(&mut panner, u64::from(RATE_HZ) / 2, |_, _| {
                before(live.done());
                let began = Instant::now();
                live.go_on().unwrap();
                assert!(began.elapsed() < GAP, "{:?}", began.elapsed());
            });
        assert_eq!((live.late(), live.dropped(), live.bad_blocks()), (0, 0, 0));
        let rendered = render(&scene, &prepared, &RenderSettings::default(), &mut |_| true);
        let rendered = rendered.unwrap().unwrap();
        assert!(rendered.stats.hail.sounded > 4_500);
        assert_eq!(live.stats().hail, rendered.stats.hail);
        assert_eq!((live.stats().refused, rendered.stats.refused), (0, 0));
        let db = 10.0 * (energy(&played.samples) / energy(&rendered.samples)).log10();
        assert!(db.abs() < 0.5, "{db}");
        (played.samples, live)
    }

    /// Nobody waits longer for what happens next, whatever becomes of the GPU.
    const GAP: Duration = Duration::from_millis(100);

    #[test]
    fn a_downpour_played_is_the_downpour_rendered() {
        let (_, live) = play_a_downpour(&ImpactBackend::default(), |_| ());
        assert_eq!(live.hail_backend_name().as_deref(), Some("CPU"));
    }

    #[test]
    fn a_downpour_outlives_its_gpu() {
        let Some(gpu) = crate::gpu::tests::software("downpour") else { return };
        let gpu = Arc::new(gpu);
        let hail_backend = crate::gpu::on(Arc::clone(&gpu), super::super::PATIENCE);
        let mut by_gpu = false;
        let (played, live) = play_a_downpour(&hail_backend, |done| {
            if done > 0.5 && !std::mem::replace(&mut by_gpu, true) {
                gpu.destroy();
            }
        });
        let name = live.hail_backend_name().unwrap();
        assert!(by_gpu && name.starts_with("CPU (") && name.contains("lost"), "{name}");
        assert_eq!(played, play_a_downpour(&ImpactBackend::default(), |_| ()).0);
    }

    /// The scene's sound from a machine whose blocks take some share of their own duration, by a
    /// clock that does not see how busy this machine is.
    struct Machine {
        panner: StereoPanner,
        clock: VirtualClock,
        /// Of each block, over and over.
        shares: Vec<f64>,
        blocks: usize,
    }

    impl Source for Machine {
        fn sample_rate_hz(&self) -> u32 {
            self.panner.sample_rate_hz()
        }
        fn channels(&self) -> usize {
            self.panner.channels()
        }
        fn fill(&mut self, interleaved: &mut [f32]) {
            self.panner.fill(interleaved);
            let lasts_s = (interleaved.len() / self.channels()) as f64 / f64::from(RATE_HZ);
            let share = self.shares[self.blocks % self.shares.len()];
            self.clock.advance(Duration::from_secs_f64(share * lasts_s));
            self.blocks += 1;
        }
    }

    /// Blocks, blocks that came late, events that came late.
    fn played_on(shares: &[f64]) -> (u64, u64, u64) {
        let Staged { mut live, panner, .. } = staged();
        let clock = VirtualClock::default();
        let shares = shares.to_vec();
        let mut machine = Machine { panner, clock: clock.clone(), shares, blocks: 0 };
        let device = MockDevice::new(Blocks::Fixed(480)).with_pace(Pace::WallClock);
        let mut device = device.with_clock(clock).with_recording(false);
        let played = device.play_with(&mut machine, u64::from(RATE_HZ), |_, _| {
            live.go_on().unwrap();
        });
        assert!(live.stats().excitations > 1 && live.done() > 0.98);
        (played.blocks, played.late_blocks, live.late())
    }

    #[test]
    fn blocks_that_come_late_are_counted_and_no_others() {
        assert_eq!(played_on(&[0.5]), (100, 0, 0));
        // Every tenth block takes as long as two.
        assert_eq!(played_on(&[0.2, 0.2, 0.2, 0.2, 0.2, 2.0, 0.2, 0.2, 0.2, 0.2]), (100, 10, 0));
        // All but the first, which nothing has to follow in time.
        assert_eq!(played_on(&[1.5]), (100, 99, 0));
    }
}

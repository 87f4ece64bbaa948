//! Makes an engine sound what happens.

use crate::prepare::{Prepared, PreparedObject};
use crate::scene::Scene;
use foley_dsp::excitation::ModalCouplingFilter;
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use foley_engine::{Engine, Settings};
use foley_physics::Event;
use std::collections::HashMap;
use std::sync::Arc;

use super::air::{Absorption, Way};
use super::directions::{DIRECTIONS, seen_from, unit};
use super::falling::Stones;
use super::happening::Told;
use super::roughness::Roughness;
use super::rubs::Rub;
use super::scenery::Scenery;
use super::voices::Voices;
use super::{Mix, StageError};

/// What has been heard so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Heard {
    /// Impacts told by the simulation.
    pub impacts: u64,
    /// Blows on bodies that sound, both sides of each impact.
    pub blows: u64,
    /// Sides of touches that scraped or rolled.
    pub rubs: u64,
    /// What was lost in impacts and in blows by hand, J.
    pub lost_j: f64,
    /// Stones of hail.
    pub stones: Stones,
    /// Blows and touches the engine had no room for, and blows beyond what nature knows.
    pub refused: u64,
}

impl Heard {
    /// With what is known of the hail.
    pub fn under(mut self, fallen: Stones) -> Self {
        (self.stones.fell, self.stones.struck) = (fallen.fell, fallen.struck);
        self
    }
}

/// Plays a scene on an engine. Belongs to your thread; its [`Mix`] to the audio thread.
pub struct Performer {
    pub(super) scene: Arc<Scene>,
    pub(super) objects: Vec<PreparedObject>,
    pub(super) engine: Engine,
    pub(super) scenery: Scenery,
    /// To each object that sounds.
    ways: Vec<Option<Way>>,
    pub(super) voices: Voices,
    pub(super) roughness: Roughness,
    /// Of each object that was rubbed.
    pub(super) enhancements: HashMap<usize, Arc<ModalCouplingFilter>>,
    pub(super) rubs: HashMap<(u64, usize), Rub>,
    pub(super) heard: Heard,
    pub(super) step_s: f64,
}

impl Performer {
    /// A performer, and what the audio thread plays. Of the settings, channels, limiter and
    /// playback level are the scene's.
    pub fn new(
        scene: Arc<Scene>,
        prepared: &Prepared,
        settings: Settings,
        output: OutputSettings,
    ) -> Result<(Self, Mix), StageError> {
        let settings = Settings {
            channels: DIRECTIONS,
            output: OutputSettings { limiter: None },
            playback_db: scene.playback_db,
            objects: settings.objects.max(3 * scene.objects.len().min(4096)),
            ..settings
        };
        let (mut engine, renderer) = Engine::new(settings)?;
        for direction in 0..DIRECTIONS {
            engine.set_direction(direction, unit(direction))?;
        }
        let rate = f64::from(engine.settings().sample_rate_hz);
        let air = Absorption::new(&scene.air);
        let mut known = HashMap::new();
        let way = |thing: &PreparedObject| {
            // Copies share their model, and so their way.
            let model = thing.model.as_ref()?;
            let way =
                known.entry(Arc::as_ptr(model)).or_insert_with(|| air.way(&model.frequencies_hz));
            Some(way.clone())
        };
        let performer = Self {
            objects: prepared.objects.clone(),
            scenery: Scenery::new(&scene),
            ways: prepared.objects.iter().map(way).collect(),
            voices: Voices::default(),
            roughness: Roughness::new(&scene, rate),
            enhancements: HashMap::new(),
            rubs: HashMap::new(),
            heard: Heard::default(),
            step_s: 1.0 / scene.physics_hz,
            engine,
            scene,
        };
        Ok((performer, Mix::new(renderer, output)?))
    }

    /// What has been heard so far.
    pub fn heard(&self) -> Heard {
        let refused = self.heard.refused + self.engine.report().refused;
        Heard { refused, ..self.heard }
    }

    /// The engine, for its clock and its report.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Sounds one thing that happens.
    pub fn hear(&mut self, told: &Told) -> Result<(), StageError> {
        match told {
            Told::Event(Event::Pose(pose)) => {
                self.scenery.hear(pose);
                Ok(())
            }
            Told::Event(Event::Impact(impact)) => self.impact(impact),
            Told::Event(Event::SustainedContact(touch)) => self.touch(touch),
            Told::Event(Event::HailImpact(stone)) => self.stone(stone),
            Told::Strike(number) => self.strike(*number),
        }
    }

    /// Distance and direction of a place, at a time.
    pub(super) fn seen(&self, at_s: f64, place: [f64; 3]) -> (f64, f64) {
        let (ear, forward) = self.scene.listener.at(at_s);
        seen_from(ear, forward, self.scene.listener.up, place)
    }

    pub(super) fn model(&self, object: usize) -> Option<Arc<ModalModel>> {
        self.objects.get(object)?.model.clone()
    }

    /// What is left of an object's gains (those of one metre) at a distance.
    pub(super) fn fade(&self, object: usize, gains: &mut [f32], distance_m: f64) {
        if let Some(Some(way)) = self.ways.get(object) {
            way.apply(gains, distance_m);
        }
    }
}

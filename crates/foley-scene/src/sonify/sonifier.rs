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

use super::SonifyError;
use super::air_absorption::{AirAbsorption, ModalAttenuation};
use super::event_source::{HailCounts, SceneEvent};
use super::excitation::{SurfaceProfiles, SustainedExcitation};
use super::panner::{DIRECTIONS, StereoPanner, distance_and_lateral, unit_vector};
use super::poses::Poses;
use super::voices::Voices;

/// What has been heard so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct SonifyStats {
    /// Impacts told by the simulation.
    pub impacts: u64,
    /// Blows on bodies that sound, both sides of each impact.
    #[serde(rename = "blows")]
    pub excitations: u64,
    /// Sides of touches that scraped or rolled.
    #[serde(rename = "rubs")]
    pub sustained: u64,
    /// What was lost in impacts and in blows by hand, J.
    pub lost_j: f64,
    /// HailCounts of hail.
    #[serde(rename = "stones")]
    pub hail: HailCounts,
    /// Blows and touches the engine had no room for, and blows beyond what nature knows.
    pub refused: u64,
}

impl SonifyStats {
    /// With what is known of the hail.
    pub fn with_hail(mut self, counts: HailCounts) -> Self {
        (self.hail.emitted, self.hail.impacts) = (counts.emitted, counts.impacts);
        self
    }
}

/// Plays a scene on an engine. Belongs to your thread; its [`StereoPanner`] to the audio thread.
pub struct Sonifier {
    pub(super) scene: Arc<Scene>,
    pub(super) objects: Vec<PreparedObject>,
    pub(super) engine: Engine,
    pub(super) poses: Poses,
    /// To each object that sounds.
    attenuations: Vec<Option<ModalAttenuation>>,
    pub(super) voices: Voices,
    pub(super) surfaces: SurfaceProfiles,
    /// Of each object that was rubbed.
    pub(super) enhancements: HashMap<usize, Arc<ModalCouplingFilter>>,
    pub(super) sustained: HashMap<(u64, usize), SustainedExcitation>,
    pub(super) stats: SonifyStats,
    pub(super) step_s: f64,
}

impl Sonifier {
    /// A sonifier, and what the audio thread plays. Of the settings, channels, limiter and
    /// playback level are the scene's.
    pub fn new(
        scene: Arc<Scene>,
        prepared: &Prepared,
        settings: Settings,
        output: OutputSettings,
    ) -> Result<(Self, StereoPanner), SonifyError> {
        let settings = Settings {
            channels: DIRECTIONS,
            output: OutputSettings { limiter: None },
            playback_db: scene.playback_db,
            objects: settings.objects.max(3 * scene.objects.len().min(4096)),
            ..settings
        };
        let (mut engine, renderer) = Engine::new(settings)?;
        for direction in 0..DIRECTIONS {
            engine.set_direction(direction, unit_vector(direction))?;
        }
        let rate = f64::from(engine.settings().sample_rate_hz);
        let air = AirAbsorption::new(&scene.air);
        let mut known = HashMap::new();
        let attenuation = |thing: &PreparedObject| {
            // Copies share their model, and so their way.
            let model = thing.model.as_ref()?;
            let attenuation = known
                .entry(Arc::as_ptr(model))
                .or_insert_with(|| air.attenuation(&model.frequencies_hz));
            Some(attenuation.clone())
        };
        let sonifier = Self {
            objects: prepared.objects.clone(),
            poses: Poses::new(&scene),
            attenuations: prepared.objects.iter().map(attenuation).collect(),
            voices: Voices::default(),
            surfaces: SurfaceProfiles::new(&scene, rate),
            enhancements: HashMap::new(),
            sustained: HashMap::new(),
            stats: SonifyStats::default(),
            step_s: 1.0 / scene.physics_hz,
            engine,
            scene,
        };
        Ok((sonifier, StereoPanner::new(renderer, output)?))
    }

    /// What has been heard so far.
    pub fn stats(&self) -> SonifyStats {
        let refused = self.stats.refused + self.engine.report().refused;
        SonifyStats { refused, ..self.stats }
    }

    /// The engine, for its clock and its report.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Sounds one thing that happens.
    pub fn handle(&mut self, event: &SceneEvent) -> Result<(), SonifyError> {
        match event {
            SceneEvent::Physics(Event::Pose(pose)) => {
                self.poses.update(pose);
                Ok(())
            }
            SceneEvent::Physics(Event::Impact(impact)) => self.handle_impact(impact),
            SceneEvent::Physics(Event::SustainedContact(touch)) => self.handle_touch(touch),
            SceneEvent::Physics(Event::HailImpact(stone)) => self.handle_hail_impact(stone),
            SceneEvent::Strike(number) => self.handle_strike(*number),
        }
    }

    /// Distance and direction of a place, at a time.
    pub(super) fn distance_and_lateral(&self, at_s: f64, place: [f64; 3]) -> (f64, f64) {
        let (ear, forward) = self.scene.listener.at(at_s);
        distance_and_lateral(ear, forward, self.scene.listener.up, place)
    }

    pub(super) fn model(&self, object: usize) -> Option<Arc<ModalModel>> {
        self.objects.get(object)?.model.clone()
    }

    /// What is left of an object's gains (those of one metre) at a distance.
    pub(super) fn attenuate(&self, object: usize, gains: &mut [f32], distance_m: f64) {
        if let Some(Some(attenuation)) = self.attenuations.get(object) {
            attenuation.apply(gains, distance_m);
        }
    }
}

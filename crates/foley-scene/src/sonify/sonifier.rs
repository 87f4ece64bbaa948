//! The sonifier: turns scene events into excitations of an engine.

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

/// Counts of what was sonified so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct SonifyStats {
    /// Impacts between bodies.
    pub impacts: u64,
    /// Impulsive excitations of sounding bodies; an impact has one for each sounding side.
    pub excitations: u64,
    /// Sustained excitations; a sliding or rolling contact has one for each sounding side.
    pub sustained: u64,
    /// Energy lost in impacts and strikes, J.
    pub lost_j: f64,
    /// Hailstones.
    pub hail: HailCounts,
    /// Contacts that the engine had no room for, and impacts with invalid parameters.
    pub refused: u64,
}

impl SonifyStats {
    /// Adds the numbers of emitted and striking stones.
    pub fn with_hail(mut self, counts: HailCounts) -> Self {
        (self.hail.emitted, self.hail.impacts) = (counts.emitted, counts.impacts);
        self
    }
}

/// Plays a scene on an engine. It belongs to the caller's thread; its [`StereoPanner`] belongs to the
/// audio thread.
pub struct Sonifier {
    pub(super) scene: Arc<Scene>,
    pub(super) objects: Vec<PreparedObject>,
    pub(super) engine: Engine,
    pub(super) poses: Poses,
    /// Of each sounding object.
    attenuations: Vec<Option<ModalAttenuation>>,
    pub(super) voices: Voices,
    pub(super) surfaces: SurfaceProfiles,
    /// Rolling filters of the objects that had sustained contacts.
    pub(super) coupling_filters: HashMap<usize, Arc<ModalCouplingFilter>>,
    pub(super) sustained: HashMap<(u64, usize), SustainedExcitation>,
    pub(super) stats: SonifyStats,
    pub(super) step_s: f64,
}

impl Sonifier {
    /// Creates a sonifier and the source that the audio thread plays. Channels, limiter and playback
    /// level of the settings are replaced by those of the scene.
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
        let attenuation = |object: &PreparedObject| {
            // Instances share their model, and so their attenuation.
            let model = object.model.as_ref()?;
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
            coupling_filters: HashMap::new(),
            sustained: HashMap::new(),
            stats: SonifyStats::default(),
            step_s: 1.0 / scene.physics_hz,
            engine,
            scene,
        };
        Ok((sonifier, StereoPanner::new(renderer, output)?))
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> SonifyStats {
        let refused = self.stats.refused + self.engine.report().refused;
        SonifyStats { refused, ..self.stats }
    }

    /// Returns the engine, for its clock and its report.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Sonifies one event. Events must arrive in order of time.
    pub fn handle(&mut self, event: &SceneEvent) -> Result<(), SonifyError> {
        match event {
            SceneEvent::Physics(Event::Pose(pose)) => {
                self.poses.update(pose);
                Ok(())
            }
            SceneEvent::Physics(Event::Impact(impact)) => self.handle_impact(impact),
            SceneEvent::Physics(Event::SustainedContact(contact)) => self.handle_sustained(contact),
            SceneEvent::Physics(Event::HailImpact(stone)) => self.handle_hail_impact(stone),
            SceneEvent::Strike(number) => self.handle_strike(*number),
        }
    }

    /// Returns distance and lateral position of a world point, as the listener is at a time.
    pub(super) fn distance_and_lateral(&self, at_s: f64, place: [f64; 3]) -> (f64, f64) {
        let (listener_m, forward) = self.scene.listener.at(at_s);
        let up = self.scene.listener.up;
        distance_and_lateral(listener_m.into(), forward.into(), up.into(), place.into())
    }

    pub(super) fn model(&self, object: usize) -> Option<Arc<ModalModel>> {
        self.objects.get(object)?.model.clone()
    }

    /// Attenuates an object's gains from one metre to a distance.
    pub(super) fn attenuate(&self, object: usize, gains: &mut [f32], distance_m: f64) {
        if let Some(Some(attenuation)) = self.attenuations.get(object) {
            attenuation.apply(gains, distance_m);
        }
    }
}

//! The sonifier: turns scene events into excitations of an engine.

use crate::prepare::{Prepared, PreparedObject};
use crate::scene::{Listener as ListenerPath, Motion, Scene};
use foley_dsp::excitation::ModalCouplingFilter;
use foley_dsp::model::{ContactBody, ModalModel, ModalParts};
use foley_dsp::output::OutputSettings;
use foley_engine::{Engine, Listener, ObjectHandle, Renderer, Settings};
use foley_geometry::Pose;
use foley_physics::{Event, PoseEvent};
use glam::DVec3;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use super::SonifyError;
use super::contact_slots::{CONTACTS, ContactSlots};
use super::event_source::{HailCounts, SceneEvent};
use super::excitation::{SurfaceProfiles, SustainedExcitation};
use super::poses::Poses;

/// Counts of what was sonified so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
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
    /// Sustained excitations that were left out, at least for a time, because louder ones had all places.
    pub sustained_left_out: u64,
    /// Blocks of sound that were silenced because they were not finite.
    pub bad_blocks: u64,
    /// Blocks of forces that were silenced because they were not finite.
    pub bad_forces: u64,
}

impl SonifyStats {
    /// Returns what was left out of the sound, in sentences; nothing if nothing was.
    pub fn left_out(&self) -> Vec<String> {
        // All fields are named, so that a new one is not forgotten here.
        let Self {
            impacts: _,
            excitations: _,
            sustained: _,
            lost_j: _,
            hail: _,
            refused,
            sustained_left_out,
            bad_blocks,
            bad_forces,
        } = *self;
        let kinds = [
            (refused, "impacts or contacts were refused: too many at a time, or invalid values"),
            (
                sustained_left_out,
                "sliding or rolling contacts were left out for a time: louder ones had all places",
            ),
            (bad_blocks, "blocks of sound were silenced: they were not finite"),
            (bad_forces, "blocks of forces were silenced: they were not finite"),
        ];
        let present = kinds.into_iter().filter(|(count, _)| *count > 0);
        present.map(|(count, what)| format!("{count} {what}")).collect()
    }

    /// Adds the numbers of emitted and striking stones.
    pub fn with_hail(mut self, counts: HailCounts) -> Self {
        (self.hail.emitted, self.hail.impacts) = (counts.emitted, counts.impacts);
        self
    }
}

/// Plays a scene on an engine. It belongs to the caller's thread; its [`Renderer`] belongs to the audio
/// thread.
pub struct Sonifier {
    pub(super) scene: Arc<Scene>,
    pub(super) objects: Vec<PreparedObject>,
    pub(super) engine: Engine,
    pub(super) poses: Poses,
    /// Of each sounding object.
    pub(super) handles: Vec<Option<ObjectHandle>>,
    pub(super) contact_slots: ContactSlots,
    pub(super) surfaces: SurfaceProfiles,
    /// Rolling filters of the objects that had sustained contacts.
    pub(super) coupling_filters: HashMap<usize, Arc<ModalCouplingFilter>>,
    pub(super) sustained: HashMap<(u64, usize), SustainedExcitation>,
    /// Sustained contacts that found no place.
    pub(super) left_out: HashSet<(u64, usize)>,
    pub(super) stats: SonifyStats,
    pub(super) step_s: f64,
    /// Whether the listener has left the path of the scene.
    pub(super) is_listener_free: bool,
}

impl Sonifier {
    /// Creates a sonifier and the renderer that the audio thread plays. Positions, playback level and air
    /// of the settings are replaced by those of the scene.
    pub fn new(
        scene: Arc<Scene>,
        prepared: &Prepared,
        settings: Settings,
        output: OutputSettings,
    ) -> Result<(Self, Renderer), SonifyError> {
        let spatial = settings.spatial.unwrap_or_default().with_air(scene.air);
        let objects = settings.objects.max(scene.objects.len());
        let directivity = settings.directivity && scene.directivity;
        let settings = settings
            .with_directivity(directivity)
            .with_spatial(spatial)
            .with_output(output)
            .with_playback_db(scene.playback_db)
            .with_objects(objects)
            .with_contacts(CONTACTS);
        let (mut engine, renderer) = Engine::new(settings)?;
        let poses = Poses::new(&scene);
        let mut handles = Vec::with_capacity(prepared.objects.len());
        for (number, object) in prepared.objects.iter().enumerate() {
            let place_m = poses.point_to_world(number, object.mass.centre_m);
            let model = voice_model(&scene, number, object);
            let handle = model.map(|model| engine.add_at(model, place_m)).transpose()?;
            if let Some((handle, pose)) = handle.zip(poses.of(number)) {
                engine.set_rotation(handle, pose.rotation)?;
            }
            handles.push(handle);
        }
        let rate = f64::from(engine.settings().sample_rate_hz);
        let mut sonifier = Self {
            objects: prepared.objects.clone(),
            poses,
            handles,
            contact_slots: ContactSlots::default(),
            surfaces: SurfaceProfiles::new(&scene, rate),
            coupling_filters: HashMap::new(),
            sustained: HashMap::new(),
            left_out: HashSet::new(),
            stats: SonifyStats::default(),
            step_s: 1.0 / scene.physics_hz,
            is_listener_free: false,
            engine,
            scene,
        };
        sonifier.engine.place_listener(listener_on(&sonifier.scene.listener, 0.0))?;
        (0..sonifier.handles.len()).try_for_each(|number| sonifier.update_gain(number))?;
        Ok((sonifier, renderer))
    }

    /// Moves the listener along its path, unless it is moved by hand, and lets the engine send what is
    /// due.
    pub fn update(&mut self) -> Result<(), SonifyError> {
        if !self.is_listener_free {
            let at_s = self.engine.next_tick_s();
            let listener = listener_on(&self.scene.listener, at_s);
            self.engine.set_listener_at(listener, at_s)?;
        }
        self.engine.update();
        Ok(())
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> SonifyStats {
        let report = self.engine.report();
        let refused = self.stats.refused + report.refused;
        let (bad_blocks, bad_forces) = (report.bad_blocks, report.bad_forces);
        SonifyStats { refused, bad_blocks, bad_forces, ..self.stats }
    }

    /// Returns the engine, for its clock and its report.
    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Sonifies one event. Events must arrive in order of time.
    pub fn handle(&mut self, event: &SceneEvent) -> Result<(), SonifyError> {
        match event {
            SceneEvent::Physics(Event::Pose(pose)) => self.handle_pose(pose),
            SceneEvent::Physics(Event::Impact(impact)) => self.handle_impact(impact),
            SceneEvent::Physics(Event::SustainedContact(contact)) => self.handle_sustained(contact),
            SceneEvent::Physics(Event::HailImpact(stone)) => self.handle_hail_impact(stone),
            SceneEvent::Strike(number) => self.handle_strike(*number),
        }
    }

    /// Moves an object.
    fn handle_pose(&mut self, event: &PoseEvent) -> Result<(), SonifyError> {
        self.poses.update(event);
        let number = event.body as usize;
        if let Some(handle) = self.handle_of(number) {
            let pose = Pose { position_m: event.position, rotation: event.rotation };
            let place_m = pose.apply(self.objects[number].mass.centre_m);
            self.engine.move_at(handle, place_m, Some(event.velocity), event.at_s)?;
            self.engine.set_rotation_at(handle, event.rotation, event.at_s)?;
        }
        Ok(())
    }

    /// Returns the distance of a world point from the listener at a time, m.
    pub(super) fn distance_m(&self, at_s: f64, place: [f64; 3]) -> f64 {
        DVec3::from(self.scene.listener.at(at_s).0).distance(place.into())
    }

    /// Returns the handle of a sounding object.
    pub(super) fn handle_of(&self, object: usize) -> Option<ObjectHandle> {
        self.handles.get(object).copied().flatten()
    }

    pub(super) fn model(&self, object: usize) -> Option<Arc<ModalModel>> {
        self.objects.get(object)?.model.clone()
    }
}

/// Returns the model of the voice of an object: its own, or, where a free body has none and can only click, one that does not
/// ring. `None` for an object that makes no sound at all.
pub(super) fn voice_model(
    scene: &Scene,
    number: usize,
    object: &PreparedObject,
) -> Option<Arc<ModalModel>> {
    let moves = scene.objects.get(number).is_some_and(|object| object.motion == Motion::Dynamic);
    let clicks = object.rigid.is_some() && moves && scene.acceleration_noise;
    object.model.clone().or_else(|| clicks.then(silent_model).flatten())
}

/// Returns the model of bodies without modes: one mode without a gain.
fn silent_model() -> Option<Arc<ModalModel>> {
    static SILENT: LazyLock<Option<Arc<ModalModel>>> = LazyLock::new(|| {
        let parts = ModalParts {
            name: "a body without modes".into(),
            frequencies_hz: vec![1000.0],
            decays: vec![1000.0],
            points: vec![[0.0; 3]],
            gains: vec![0.0].into(),
            body: ContactBody { mass_kg: 1.0, young_pa: 1.0, poisson: 0.0, radius_m: 1.0 },
            ..ModalParts::default()
        };
        ModalModel::new(parts).ok().map(Arc::new)
    });
    SILENT.clone()
}

/// Returns the listener at a time of its path.
pub(super) fn listener_on(path: &ListenerPath, at_s: f64) -> Listener {
    let (position_m, forward) = path.at(at_s);
    let before_s = (at_s - 1e-3).max(0.0);
    let velocity = match at_s > before_s {
        true => {
            let moved = DVec3::from(position_m) - DVec3::from(path.at(before_s).0);
            moved / (at_s - before_s)
        }
        false => DVec3::ZERO,
    };
    let listener = Listener::at(position_m).facing(forward).with_up(path.up);
    listener.with_velocity(velocity.to_array())
}

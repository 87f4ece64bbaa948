//! Settings of a scene: the keys at the top of its file.

use super::{Level, Scene};
use crate::read::fields::Fields;
use crate::read::files::SceneFiles;
use crate::read::value::{Data, Table};
use crate::schema::keys::scene;
use crate::write;
use derive_setters::Setters;
use std::path::PathBuf;

/// The fields of a [`Scene`] that are neither objects nor listener, air or hail.
#[derive(Debug, Clone, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SceneSettings {
    /// Title.
    #[setters(into)]
    pub title: String,
    /// Duration, s.
    pub seconds: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// Gravity, m/s².
    pub gravity_m_s2: [f64; 3],
    /// Steps of the rigid-body simulation per second.
    pub physics_hz: f64,
    /// Sound pressure level at the ears of a sine of full scale, dB SPL.
    pub playback_db: f64,
    /// Whether free bodies click when an impact accelerates them as a whole.
    pub acceleration_noise: bool,
    /// Whether dynamic objects are damped by what they touch.
    pub support_damping: bool,
    /// Whether objects are heard as they radiate in the direction of the listener, or alike in all directions.
    pub directivity: bool,
    /// Level of the rendered sound.
    pub level: Level,
    /// Contact trace that replaces the simulation, relative to the folder.
    #[setters(into)]
    pub trace: Option<PathBuf>,
}

impl Scene {
    /// Returns the settings.
    pub fn settings(&self) -> SceneSettings {
        SceneSettings {
            title: self.title.clone(),
            seconds: self.seconds,
            seed: self.seed,
            gravity_m_s2: self.gravity_m_s2,
            physics_hz: self.physics_hz,
            playback_db: self.playback_db,
            acceleration_noise: self.acceleration_noise,
            support_damping: self.support_damping,
            directivity: self.directivity,
            level: self.level,
            trace: self.trace.clone(),
        }
    }

    pub(crate) fn set_settings(&mut self, settings: SceneSettings) {
        let SceneSettings { title, seconds, seed, gravity_m_s2, .. } = settings;
        let SceneSettings { physics_hz, playback_db, acceleration_noise, .. } = settings;
        let SceneSettings { support_damping, directivity, level, trace, .. } = settings;
        (self.title, self.seconds, self.seed) = (title, seconds, seed);
        (self.gravity_m_s2, self.physics_hz) = (gravity_m_s2, physics_hz);
        (self.playback_db, self.acceleration_noise) = (playback_db, acceleration_noise);
        (self.support_damping, self.directivity) = (support_damping, directivity);
        (self.level, self.trace) = (level, trace);
    }
}

impl SceneSettings {
    /// Reads the settings; the objects need the seed before.
    pub(crate) fn read(
        fields: &mut Fields<'_>,
        seed: u64,
        title: &str,
        files: &SceneFiles<'_>,
    ) -> Self {
        let defaults = Scene::default();
        Self {
            title: fields.text(&scene::TITLE).unwrap_or(title).to_owned(),
            seconds: fields.number(&scene::SECONDS).unwrap_or(defaults.seconds),
            seed,
            gravity_m_s2: gravity(fields).unwrap_or(defaults.gravity_m_s2),
            physics_hz: fields.number(&scene::PHYSICS_HZ).unwrap_or(defaults.physics_hz),
            playback_db: fields.number(&scene::PLAYBACK_DB).unwrap_or(defaults.playback_db),
            acceleration_noise: fields
                .boolean(&scene::ACCELERATION_NOISE)
                .unwrap_or(defaults.acceleration_noise),
            support_damping: fields
                .boolean(&scene::SUPPORT_DAMPING)
                .unwrap_or(defaults.support_damping),
            directivity: fields.boolean(&scene::DIRECTIVITY).unwrap_or(defaults.directivity),
            level: level(fields),
            trace: files.take(fields, &scene::TRACE),
        }
    }

    pub(crate) fn read_seed(fields: &mut Fields<'_>) -> u64 {
        fields.integer(&scene::SEED).unwrap_or(const { scene::SEED.default_number() as u64 })
    }

    pub(crate) fn write(&self, table: &mut Table) {
        table.put(scene::TITLE.name, write::text(&*self.title));
        table.put(scene::SECONDS.name, Data::Float(self.seconds));
        table.put(scene::SEED.name, Data::Integer(self.seed as i64));
        table.put_numbers(scene::GRAVITY.name, &self.gravity_m_s2);
        table.put(scene::PHYSICS_HZ.name, Data::Float(self.physics_hz));
        table.put(scene::PLAYBACK_DB.name, Data::Float(self.playback_db));
        if !self.acceleration_noise {
            table.put(scene::ACCELERATION_NOISE.name, Data::Boolean(false));
        }
        if !self.support_damping {
            table.put(scene::SUPPORT_DAMPING.name, Data::Boolean(false));
        }
        if self.directivity {
            table.put(scene::DIRECTIVITY.name, Data::Boolean(true));
        }
        match self.level {
            Level::Loudness(lufs) => table.put(scene::LOUDNESS_LUFS.name, Data::Float(lufs)),
            Level::FullScale(pascal) => table.put(scene::FULL_SCALE_PA.name, Data::Float(pascal)),
        }
        if let Some(trace) = &self.trace {
            table.put(scene::TRACE.name, write::path(trace));
        }
    }
}

fn gravity(fields: &mut Fields<'_>) -> Option<[f64; 3]> {
    let value = fields.take(&scene::GRAVITY)?;
    match value.data {
        Data::Array(_) => fields.numbers_of(&scene::GRAVITY, value, scene::GRAVITY.list_range()),
        _ => fields.number(&scene::GRAVITY).map(|g| [0.0, 0.0, -g]),
    }
}

fn level(fields: &mut Fields<'_>) -> Level {
    let loudness = fields.number(&scene::LOUDNESS_LUFS);
    let full_scale = fields.number(&scene::FULL_SCALE_PA);
    fields.exclude(&scene::FULL_SCALE_PA, &scene::LOUDNESS_LUFS);
    match (loudness, full_scale) {
        (_, Some(pascal)) => Level::FullScale(pascal),
        (Some(lufs), _) => Level::Loudness(lufs),
        _ => Level::default(),
    }
}

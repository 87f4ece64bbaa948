//! Makes an engine sound what happens.

use crate::prepare::{Prepared, Thing};
use crate::scene::{Place, Scene};
use foley::{Engine, Settings};
use foley_dsp::contact::{DEFAULT_RESTITUTION, HertzPair};
use foley_dsp::force::Enhance;
use foley_dsp::model::ModalModel;
use foley_dsp::output::OutputSettings;
use foley_physics::{Event, Impact, Stone};
use std::collections::HashMap;
use std::sync::Arc;

use super::air::{Absorption, Way};
use super::directions::{DIRECTIONS, direction_of, seen_from, unit};
use super::falling::Stones;
use super::happening::Told;
use super::hits::{Blow, blow, stone_blow};
use super::roughness::Roughness;
use super::rubs::Rub;
use super::scenery::Scenery;
use super::voices::Voices;
use super::{Mix, StageError};

/// Strikes that may wait to be sent; more than the engine ever needs to keep up.
const MOST_WAITING: usize = 16_384;

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
    pub(super) things: Vec<Thing>,
    pub(super) engine: Engine,
    pub(super) scenery: Scenery,
    /// To each object that sounds.
    ways: Vec<Option<Way>>,
    pub(super) voices: Voices,
    pub(super) roughness: Roughness,
    /// Of each object that was rubbed.
    pub(super) enhancements: HashMap<usize, Arc<Enhance>>,
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
        let way = |thing: &Thing| {
            // Copies share their model, and so their way.
            let model = thing.model.as_ref()?;
            let way =
                known.entry(Arc::as_ptr(model)).or_insert_with(|| air.way(&model.frequencies_hz));
            Some(way.clone())
        };
        let performer = Self {
            things: prepared.things.clone(),
            scenery: Scenery::new(&scene),
            ways: prepared.things.iter().map(way).collect(),
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
            Told::Event(Event::Touch(touch)) => self.touch(touch),
            Told::Event(Event::Stone(stone)) => self.stone(stone),
            Told::Strike(number) => self.strike(*number),
        }
    }

    /// Distance and direction of a place, at a time.
    pub(super) fn seen(&self, at_s: f64, place: [f64; 3]) -> (f64, f64) {
        let (ear, forward) = self.scene.listener.at(at_s);
        seen_from(ear, forward, self.scene.listener.up, place)
    }

    pub(super) fn model(&self, object: usize) -> Option<Arc<ModalModel>> {
        self.things.get(object)?.model.clone()
    }

    /// What is left of an object's gains (those of one metre) at a distance.
    pub(super) fn fade(&self, object: usize, gains: &mut [f32], distance_m: f64) {
        if let Some(Some(way)) = self.ways.get(object) {
            way.apply(gains, distance_m);
        }
    }

    fn impact(&mut self, impact: &Impact) -> Result<(), StageError> {
        self.heard.impacts += 1;
        let objects = impact.bodies.map(|body| body as usize);
        let coefficient = |i: usize| self.scene.objects.get(i).map_or(0.5, |o| o.restitution);
        let restitution = objects.map(coefficient).iter().sum::<f64>() / 2.0;
        let pair = objects.map(|object| self.things.get(object));
        let blow = blow(pair, impact.impulse_ns, impact.speed_m_s, restitution);
        let Ok(blow) = blow else {
            self.heard.refused += 1;
            return Ok(());
        };
        let Some(mut blow) = blow else { return Ok(()) };
        // A simulation knows what was lost; a trace from elsewhere may not.
        blow.lost_j = impact.lost_j.unwrap_or(blow.lost_j);
        self.heard.lost_j += blow.lost_j;
        for (side, object) in objects.into_iter().enumerate() {
            let Some(model) = self.model(object) else { continue };
            let normal = self.scenery.seen_by(object, impact.normal);
            let gains = model.gains_along(impact.places[side], normal);
            self.blow(object, &model, gains, impact.places[side], &blow, impact.at_s)?;
        }
        Ok(())
    }

    fn stone(&mut self, stone: &Stone) -> Result<(), StageError> {
        let object = stone.body as usize;
        let Some(model) = self.model(object) else { return Ok(()) };
        let Ok(blow) = stone_blow(stone, &model.body) else {
            self.heard.refused += 1;
            return Ok(());
        };
        let Some(blow) = blow else { return Ok(()) };
        self.heard.lost_j += blow.lost_j;
        let inwards = self.scenery.seen_by(object, stone.normal.map(|x| -x));
        let gains = model.gains_along(stone.place, inwards);
        let before = self.heard.blows;
        self.blow(object, &model, gains, stone.place, &blow, stone.at_s)?;
        self.heard.stones.heard += self.heard.blows - before;
        Ok(())
    }

    fn strike(&mut self, number: usize) -> Result<(), StageError> {
        let scene = Arc::clone(&self.scene);
        let Some(strike) = scene.strikes.get(number) else { return Ok(()) };
        let Some(model) = self.model(strike.object) else { return Ok(()) };
        let pair = HertzPair::new(&strike.with, &model.body)?;
        let Some(impact) = pair.impact(strike.speed_m_s, DEFAULT_RESTITUTION)? else {
            return Ok(());
        };
        let lost_j = 0.5
            * pair.mass_kg()
            * strike.speed_m_s.powi(2)
            * (1.0 - DEFAULT_RESTITUTION * DEFAULT_RESTITUTION);
        self.heard.lost_j += lost_j;
        let place = match strike.place {
            Some(Place::At(place)) => place,
            Some(Place::Point(point)) => model.points.get(point).copied().unwrap_or_default(),
            None => usual_place(&model),
        };
        let gains = match strike.direction {
            Some(direction) => model.gains_along(place, direction),
            None => model.gains_at(place),
        };
        self.blow(
            strike.object,
            &model,
            gains,
            place,
            &Blow { impact, lost_j, once: false },
            strike.at_s,
        )
    }

    /// A blow on one body, with gains of one metre.
    fn blow(
        &mut self,
        object: usize,
        model: &Arc<ModalModel>,
        mut gains: Vec<f32>,
        place: [f64; 3],
        blow: &Blow,
        at_s: f64,
    ) -> Result<(), StageError> {
        let (distance_m, lateral) = self.seen(at_s, self.scenery.place(object, place));
        let allowed = blow.allowed(model, &gains, 0.5) as f32;
        gains.iter_mut().for_each(|gain| *gain *= allowed);
        self.fade(object, &mut gains, distance_m);
        let direction = direction_of(lateral, None);
        let voice = self.voices.get(&mut self.engine, object, direction, model)?;
        let Some(voice) = voice.filter(|_| self.engine.waiting() < MOST_WAITING) else {
            self.heard.refused += 1;
            return Ok(());
        };
        if blow.once {
            self.engine.strike_by(voice, &gains, blow.impact, at_s)?;
            self.heard.blows += 1;
            return Ok(());
        }
        let seed = self.scene.seed ^ at_s.to_bits().rotate_left(17) ^ object as u64;
        for micro in blow.burst(model, seed).impacts() {
            self.engine.strike_by(voice, &gains, micro.impact, at_s + micro.delay_s)?;
        }
        self.heard.blows += 1;
        Ok(())
    }
}

/// Off every centre line, 37 % of the way out from the middle: all modes answer there. On a model
/// without a surface, the first of its places.
fn usual_place(model: &ModalModel) -> [f64; 3] {
    let first = model.points.first().copied().unwrap_or_default();
    if model.triangles.is_empty() {
        return first;
    }
    let (mut low, mut high) = (first, first);
    for point in &model.points {
        low = std::array::from_fn(|k| low[k].min(point[k]));
        high = std::array::from_fn(|k| high[k].max(point[k]));
    }
    // Not on a diagonal either.
    let part = [0.685, 0.635, 0.5];
    std::array::from_fn(|k| low[k] + part[k] * (high[k] - low[k]))
}

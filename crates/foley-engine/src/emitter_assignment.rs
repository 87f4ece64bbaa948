//! Assignment of sounding objects to emitters.
//!
//! An emitter has the position of one of its objects, its leader. Objects share an emitter when they are
//! close to its leader as seen from the listener: their separation d = |a − b| / r, r the smaller of
//! the two distances, is below a tolerance. It is nearly the angle between them, or the relative
//! difference of their distances: near objects have emitters of their own, far ones share. While there
//! are emitters enough the tolerance is 0: then every object has its own.
//!
//! A member sounds on the emitter with the gain r_emitter / r_object, so that its level is exact. Its
//! direction is off by at most d, its delay by d r / c, and its Doppler shift is that of the leader.

use glam::DVec3;

use foley_dsp::propagation::{MIN_DISTANCE_M, Position};

/// Largest and smallest tolerance in use.
const MAX_TOLERANCE: f64 = 4.0;
const MIN_TOLERANCE: f64 = 0.01;
/// Members leave an emitter when they are this many times farther than the tolerance.
const HYSTERESIS: f64 = 1.5;

/// A change that the audio thread must follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Change {
    /// The emitter begins to sound at a position.
    Place { emitter: usize, position: Position },
    /// The emitter has this position at the end of the step.
    Move { emitter: usize, position: Position },
    /// The object sounds on an emitter with a gain.
    Route { object: usize, emitter: usize, gain: f64 },
}

#[derive(Debug, Clone, Default)]
struct Emitter {
    /// The objects on it; the first leads.
    members: Vec<usize>,
    position: Position,
}

/// Which objects sound on which emitters.
#[derive(Debug, Clone)]
pub(crate) struct EmitterAssignment {
    emitters: Vec<Emitter>,
    /// The emitter of each sounding object.
    emitter_of: Vec<Option<usize>>,
    tolerance: f64,
}

impl EmitterAssignment {
    pub(crate) fn new(emitters: usize, objects: usize) -> Self {
        Self {
            emitters: vec![Emitter::default(); emitters],
            emitter_of: vec![None; objects],
            tolerance: 0.0,
        }
    }

    /// Adds an object that begins to sound.
    pub(crate) fn add(
        &mut self,
        object: usize,
        position: Position,
        listener_m: DVec3,
        changes: &mut Vec<Change>,
    ) {
        if self.emitter_of[object].is_none() {
            let emitter = self.choose(position, listener_m, changes);
            self.join(object, emitter);
            changes.push(self.route(object, position, listener_m));
        }
    }

    /// Removes an object that has become silent.
    pub(crate) fn remove(&mut self, object: usize) {
        if let Some(emitter) = self.emitter_of[object].take() {
            self.emitters[emitter].members.retain(|member| *member != object);
        }
    }

    /// Follows the objects and the listener by one step; `position_of` gives the position of an object at
    /// its end.
    pub(crate) fn step(
        &mut self,
        position_of: impl Fn(usize) -> Position,
        listener_m: DVec3,
        changes: &mut Vec<Change>,
    ) {
        self.adjust_tolerance();
        self.merge(&position_of, listener_m);
        for emitter in 0..self.emitters.len() {
            let Some(&leader) = self.emitters[emitter].members.first() else { continue };
            let position = position_of(leader);
            self.emitters[emitter].position = position;
            changes.push(Change::Move { emitter, position });
            for member in (1..self.emitters[emitter].members.len()).rev() {
                let object = self.emitters[emitter].members[member];
                let place = position_of(object);
                let apart = separation(place.position_m, position.position_m, listener_m);
                if apart > HYSTERESIS * self.tolerance {
                    self.remove(object);
                    let chosen = self.choose(place, listener_m, changes);
                    self.join(object, chosen);
                }
            }
        }
        for object in 0..self.emitter_of.len() {
            if self.emitter_of[object].is_some() {
                changes.push(self.route(object, position_of(object), listener_m));
            }
        }
    }

    /// Returns the emitter for an object: the nearest within the tolerance, else a free one, else the
    /// nearest of all.
    fn choose(
        &mut self,
        position: Position,
        listener_m: DVec3,
        changes: &mut Vec<Change>,
    ) -> usize {
        let used = self.emitters.iter().enumerate().filter(|(_, e)| !e.members.is_empty());
        let apart = |e: &Emitter| separation(e.position.position_m, position.position_m, listener_m);
        let nearest = used
            .map(|(number, emitter)| (apart(emitter), number))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let free = self.emitters.iter().position(|emitter| emitter.members.is_empty());
        match (nearest, free) {
            (Some((apart, number)), _) if apart < self.tolerance => number,
            (_, Some(free)) => {
                self.emitters[free].position = position;
                changes.push(Change::Place { emitter: free, position });
                free
            }
            (Some((_, number)), None) => number,
            (None, None) => 0,
        }
    }

    fn join(&mut self, object: usize, emitter: usize) {
        self.emitters[emitter].members.push(object);
        self.emitter_of[object] = Some(emitter);
    }

    fn route(&self, object: usize, position: Position, listener_m: DVec3) -> Change {
        let emitter = self.emitter_of[object].unwrap_or(0);
        let distance = |place: Position| place.position_m.distance(listener_m).max(MIN_DISTANCE_M);
        let gain = distance(self.emitters[emitter].position) / distance(position);
        Change::Route { object, emitter, gain }
    }

    /// Raises the tolerance while few emitters are free, lowers it while many are.
    fn adjust_tolerance(&mut self) {
        let count = self.emitters.len();
        let free = self.emitters.iter().filter(|emitter| emitter.members.is_empty()).count();
        if 8 * free < count {
            self.tolerance = (1.1 * self.tolerance).clamp(MIN_TOLERANCE, MAX_TOLERANCE);
        } else if 4 * free > count {
            self.tolerance /= 1.05;
            if self.tolerance < MIN_TOLERANCE {
                self.tolerance = 0.0;
            }
        }
    }

    /// Joins one emitter per step to another within the tolerance, while few are free.
    fn merge(&mut self, position_of: &impl Fn(usize) -> Position, listener_m: DVec3) {
        let count = self.emitters.len();
        let used = |e: &Emitter| e.members.first().copied();
        let free = self.emitters.iter().filter(|e| used(e).is_none()).count();
        if 8 * free >= count || self.tolerance == 0.0 {
            return;
        }
        let leaders: Vec<(usize, DVec3)> = self
            .emitters
            .iter()
            .enumerate()
            .filter_map(|(number, e)| Some((number, position_of(used(e)?).position_m)))
            .collect();
        let pairs = leaders.iter().enumerate().flat_map(|(i, a)| {
            leaders[i + 1..].iter().map(move |b| (separation(a.1, b.1, listener_m), a.0, b.0))
        });
        let closest = pairs.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((apart, to, from)) = closest
            && apart < self.tolerance
        {
            for object in std::mem::take(&mut self.emitters[from].members) {
                self.join(object, to);
            }
        }
    }
}

/// Returns the separation of two points as seen from the listener.
fn separation(a: DVec3, b: DVec3, listener_m: DVec3) -> f64 {
    let near = a.distance(listener_m).min(b.distance(listener_m)).max(MIN_DISTANCE_M);
    a.distance(b) / near
}

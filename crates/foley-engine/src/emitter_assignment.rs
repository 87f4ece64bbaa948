//! Assignment of sounding voices to emitters.
//!
//! An emitter has the position of one of its voices, its leader. Voices share an emitter when they are
//! close to its leader as heard by the listener: their separation
//!
//! ```text
//! d = |a − b| / r + |u_a − u_b| / (0.06 c)      r: the smaller distance, u: radial velocity
//! ```
//!
//! is below a tolerance. The first term is nearly the angle between them, or the relative difference of
//! their distances: near objects have emitters of their own, far ones share. The second is the
//! difference of their Doppler shifts in semitones. While there are emitters enough the tolerance
//! is 0: then every object has its own.
//!
//! A member sounds on the emitter with the gain r_emitter / r_object, so that its level is exact. Its
//! direction is off by at most d radians, its delay by d r / c, its Doppler shift by d semitones.
//! With the tolerance t and its hysteresis d ≤ 1.5 t; [`EmitterAssignment::tolerance`] is published.

use glam::DVec3;

use foley_dsp::propagation::{MIN_DISTANCE_M, Position};
use foley_dsp::resonator::Route;

/// Largest and smallest tolerance in use.
const MAX_TOLERANCE: f64 = 4.0;
const MIN_TOLERANCE: f64 = 0.01;
/// Members leave an emitter when they are this many times farther than the tolerance.
const HYSTERESIS: f64 = 1.5;
/// A semitone as a part of the speed of sound.
const SEMITONE: f64 = 0.06;

/// A change that the audio thread must follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Change {
    /// The emitter begins to sound at a position.
    Place { emitter: usize, position: Position },
    /// The emitter has this position at the end of the tick.
    Move { emitter: usize, position: Position },
    /// The emitter is at this position, without a movement in between.
    Jump { emitter: usize, position: Position },
    /// The voice sounds on an emitter with a gain.
    Route { slot: usize, route: Route },
}

#[derive(Debug, Clone, Default)]
struct Emitter {
    /// The voices on it; the first leads.
    members: Vec<usize>,
    /// The voice that led in the last tick.
    leader: Option<usize>,
    position: Position,
}

/// Which voices sound on which emitters.
#[derive(Debug, Clone)]
pub(crate) struct EmitterAssignment {
    emitters: Vec<Emitter>,
    /// The emitter of each sounding voice.
    emitter_of: Vec<Option<usize>>,
    /// Where each voice was last, and the gain of its object.
    positions: Vec<Position>,
    gains: Vec<f64>,
    tolerance: f64,
    sound_speed_m_s: f64,
}

impl EmitterAssignment {
    pub(crate) fn new(emitters: usize, voices: usize, sound_speed_m_s: f64) -> Self {
        Self {
            emitters: vec![Emitter::default(); emitters.max(1)],
            emitter_of: vec![None; voices],
            positions: vec![Position::default(); voices],
            gains: vec![1.0; voices],
            tolerance: 0.0,
            sound_speed_m_s,
        }
    }

    /// Returns the largest separation at which voices begin to share an emitter.
    pub(crate) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Returns the number of emitters in use.
    pub(crate) fn emitters_in_use(&self) -> usize {
        self.emitters.iter().filter(|emitter| !emitter.members.is_empty()).count()
    }

    /// Adds a voice that begins to sound. Returns its emitter and gain.
    pub(crate) fn add(
        &mut self,
        slot: usize,
        position: Position,
        gain: f64,
        listener_m: DVec3,
        changes: &mut Vec<Change>,
    ) -> (usize, f64) {
        self.positions[slot] = position;
        self.gains[slot] = gain;
        let emitter = self.choose(position, listener_m, changes);
        self.join(slot, emitter);
        (emitter, self.gain(slot, listener_m))
    }

    /// Removes a voice that has become silent.
    pub(crate) fn remove(&mut self, slot: usize) {
        if let Some(emitter) = self.emitter_of[slot].take() {
            self.emitters[emitter].members.retain(|member| *member != slot);
        }
    }

    /// Follows voices and listener by one tick. `place_of` gives the position of a voice at its end,
    /// whether it was put there without a movement, and the gain of its object; `None` if it stays.
    /// `route` gets each voice with its emitter and gain and returns what the audio thread must
    /// know.
    pub(crate) fn step(
        &mut self,
        place_of: impl Fn(usize) -> Option<(Position, bool, f64)>,
        listener: &Position,
        changes: &mut Vec<Change>,
        mut route: impl FnMut(usize, usize, f64) -> Option<Route>,
    ) {
        let listener_m = listener.position_m;
        self.adjust(listener_m);
        for number in 0..self.emitters.len() {
            let mut jumps = false;
            for member in (0..self.emitters[number].members.len()).rev() {
                let slot = self.emitters[number].members[member];
                let (place, jumped, gain) = place_of(slot).unwrap_or_else(|| {
                    (Position::at_rest(self.positions[slot].position_m), false, self.gains[slot])
                });
                (self.positions[slot], self.gains[slot]) = (place, gain);
                if jumped && self.emitters[number].members.len() > 1 {
                    // The others stay where they are.
                    self.remove(slot);
                    let chosen = self.choose(place, listener_m, changes);
                    self.join(slot, chosen);
                } else {
                    jumps |= jumped;
                }
            }
            let Some(&leader) = self.emitters[number].members.first() else { continue };
            let position = self.positions[leader];
            jumps |= self.emitters[number].leader.replace(leader) != Some(leader);
            self.emitters[number].position = position;
            changes.push(match jumps {
                true => Change::Jump { emitter: number, position },
                false => Change::Move { emitter: number, position },
            });
            for member in (1..self.emitters[number].members.len()).rev() {
                let slot = self.emitters[number].members[member];
                let place = self.positions[slot];
                if self.separation(place, position, listener_m) > HYSTERESIS * self.tolerance {
                    self.remove(slot);
                    let chosen = self.choose(place, listener_m, changes);
                    self.join(slot, chosen);
                }
            }
        }
        for slot in 0..self.emitter_of.len() {
            if let Some(emitter) = self.emitter_of[slot]
                && let Some(route) = route(slot, emitter, self.gain(slot, listener_m))
            {
                changes.push(Change::Route { slot, route });
            }
        }
    }

    /// Returns the emitter for a voice: the nearest within the tolerance, else a free one, else the
    /// nearest of all.
    fn choose(
        &mut self,
        position: Position,
        listener_m: DVec3,
        changes: &mut Vec<Change>,
    ) -> usize {
        let used = self.emitters.iter().enumerate().filter(|(_, e)| !e.members.is_empty());
        let nearest = used
            .map(|(number, e)| (self.separation(e.position, position, listener_m), number))
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

    fn join(&mut self, slot: usize, emitter: usize) {
        let Emitter { members, leader, .. } = &mut self.emitters[emitter];
        if members.is_empty() {
            *leader = Some(slot);
        }
        members.push(slot);
        self.emitter_of[slot] = Some(emitter);
    }

    fn gain(&self, slot: usize, listener_m: DVec3) -> f64 {
        let emitter = self.emitter_of[slot].unwrap_or(0);
        let distance = |place: Position| place.position_m.distance(listener_m).max(MIN_DISTANCE_M);
        let ratio = distance(self.emitters[emitter].position) / distance(self.positions[slot]);
        ratio * self.gains[slot]
    }

    /// While few emitters are free, joins the two closest and raises the tolerance as far as that needs;
    /// while many are free, lowers it.
    fn adjust(&mut self, listener_m: DVec3) {
        let count = self.emitters.len();
        let free = count - self.emitters_in_use();
        if 4 * free > count {
            self.tolerance /= 1.05;
            if self.tolerance < MIN_TOLERANCE {
                self.tolerance = 0.0;
            }
        }
        if 8 * free >= count {
            return;
        }
        let used: Vec<usize> =
            (0..count).filter(|e| !self.emitters[*e].members.is_empty()).collect();
        let apart = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|emitter| self.emitters[emitter].position);
            self.separation(a, b, listener_m)
        };
        let pairs = used
            .iter()
            .enumerate()
            .flat_map(|(i, a)| used[i + 1..].iter().map(move |b| (*a, *b)))
            .map(|(a, b)| (apart(a, b), a, b));
        let closest = pairs.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((apart, to, from)) = closest
            && apart < MAX_TOLERANCE
        {
            self.tolerance = self.tolerance.max(1.01 * apart).max(MIN_TOLERANCE);
            for slot in std::mem::take(&mut self.emitters[from].members) {
                self.join(slot, to);
            }
        }
    }

    /// Returns the separation of two positions as heard by the listener.
    fn separation(&self, a: Position, b: Position, listener_m: DVec3) -> f64 {
        let [way_a, way_b] = [a, b].map(|place| place.position_m - listener_m);
        let near = way_a.length().min(way_b.length()).max(MIN_DISTANCE_M);
        let radial = |way: DVec3, v: DVec3| way.normalize_or_zero().dot(v);
        let shift = (radial(way_a, a.velocity_m_s) - radial(way_b, b.velocity_m_s)).abs();
        way_a.distance(way_b) / near + shift / (SEMITONE * self.sound_speed_m_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: f64 = 343.2;

    fn stepped(
        assignment: &mut EmitterAssignment,
        places: &[DVec3],
        listener_m: DVec3,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        let listener = Position::at_rest(listener_m);
        let place_of = |slot: usize| Some((Position::at_rest(places[slot]), false, 1.0));
        let route = |_, bus: usize, gain: f64| Some(Route { bus, gain: gain as f32 });
        assignment.step(place_of, &listener, &mut changes, route);
        changes
    }

    fn ring(count: usize, radius_m: f64) -> Vec<DVec3> {
        let angle = |i: usize| i as f64 * std::f64::consts::TAU / count as f64;
        (0..count).map(|i| radius_m * DVec3::new(angle(i).cos(), angle(i).sin(), 0.0)).collect()
    }

    #[test]
    fn few_voices_have_emitters_of_their_own_and_a_gain_of_one() {
        let places = ring(16, 3.0);
        let mut assignment = EmitterAssignment::new(32, 16, C);
        for (slot, place) in places.iter().enumerate() {
            let mut changes = Vec::new();
            let position = Position::at_rest(*place);
            let (_, gain) = assignment.add(slot, position, 1.0, DVec3::ZERO, &mut changes);
            assert_eq!((gain, changes.len()), (1.0, 1));
        }
        assert_eq!(assignment.emitters_in_use(), 16);
        for _ in 0..50 {
            stepped(&mut assignment, &places, DVec3::ZERO);
        }
        assert_eq!((assignment.emitters_in_use(), assignment.tolerance()), (16, 0.0));
    }

    /// Many voices share; near ones keep emitters of their own, far ones share with neighbours.
    #[test]
    fn many_voices_share_emitters_with_neighbours_at_their_own_level() {
        let near = ring(8, 1.0);
        let far = ring(400, 60.0);
        let places: Vec<DVec3> = near.iter().chain(&far).copied().collect();
        let mut assignment = EmitterAssignment::new(64, places.len(), C);
        for (slot, place) in places.iter().enumerate() {
            assignment.add(slot, Position::at_rest(*place), 1.0, DVec3::ZERO, &mut Vec::new());
        }
        let mut last = Vec::new();
        for _ in 0..400 {
            last = stepped(&mut assignment, &places, DVec3::ZERO);
        }
        let t = assignment.tolerance();
        assert!(t > 0.0 && t < 0.4, "{t}");
        for slot in 0..8 {
            let emitter = assignment.emitter_of[slot].unwrap();
            assert_eq!(assignment.emitters[emitter].members, [slot]);
        }
        for change in last {
            let Change::Route { slot, route } = change else { continue };
            let emitter = assignment.emitters[route.bus].position;
            let place = Position::at_rest(places[slot]);
            let apart = assignment.separation(emitter, place, DVec3::ZERO);
            assert!(apart <= 1.5 * t + 1e-9, "{apart} {t}");
            let r = emitter.position_m.length() / places[slot].length();
            assert!((f64::from(route.gain) - r).abs() < 1e-6);
        }
    }

    /// Objects in one place with different Doppler shifts do not share an emitter.
    #[test]
    fn different_doppler_shifts_are_apart() {
        let assignment = EmitterAssignment::new(4, 4, C);
        let position_m = DVec3::new(50.0, 0.0, 0.0);
        let at = |x: f64| Position { position_m, velocity_m_s: DVec3::new(x, 0.0, 0.0) };
        let apart = assignment.separation(at(10.0), at(-10.0), DVec3::ZERO);
        // 20 m/s are a semitone.
        assert!((apart - 20.0 / (0.06 * C)).abs() < 1e-9);
    }

    #[test]
    fn a_voice_whose_leader_has_gone_jumps_to_its_own_place() {
        let places = [DVec3::new(50.0, 0.0, 0.0), DVec3::new(50.5, 0.0, 0.0)];
        let mut assignment = EmitterAssignment::new(1, 2, C);
        for (slot, place) in places.iter().enumerate() {
            assignment.add(slot, Position::at_rest(*place), 1.0, DVec3::ZERO, &mut Vec::new());
        }
        stepped(&mut assignment, &places, DVec3::ZERO);
        assignment.remove(0);
        let changes = stepped(&mut assignment, &places, DVec3::ZERO);
        let position = Position::at_rest(places[1]);
        assert_eq!(changes[0], Change::Jump { emitter: 0, position });
        let moved = stepped(&mut assignment, &places, DVec3::ZERO);
        assert_eq!(moved[0], Change::Move { emitter: 0, position });
    }
}

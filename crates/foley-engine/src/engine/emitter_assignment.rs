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
//! With the tolerance t and its hysteresis d ≤ 1.5 t once the tolerance has settled, within half a second,
//! unless all emitters are in use and farther apart than the largest tolerance; the largest d of all
//! members is published.

use glam::DVec3;

use foley_dsp::propagation::{MIN_DISTANCE_M, Position};
use foley_dsp::resonator::Route;

/// Largest and smallest tolerance in use.
const MAX_TOLERANCE: f64 = 4.0;
const MIN_TOLERANCE: f64 = 0.01;
/// Members leave an emitter when they are this many times farther than the tolerance.
const HYSTERESIS: f64 = 1.5;
/// Most emitters that are joined with others in a tick.
const MAX_JOINS: usize = 8;
/// Rise of the tolerance with each of them, and in a tick with voices that find no emitter.
const TOLERANCE_RISE: f64 = 1.02;
const CROWDED_RISE: f64 = 1.05;
/// Ticks for which a voice that goes elsewhere still fades out, and for which a gain is cross-faded: a little
/// longer than those fades.
const FADE_TICKS: u64 = 15;
const GAIN_FADE_TICKS: u64 = 18;
/// Gains that change by a larger ratio in a tick are cross-faded.
const SMALL_RATIO: f64 = 1.1;
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
    place: HeardPlace,
    /// The tick up to which voices that went elsewhere still fade out on it.
    busy_until: u64,
}

/// A position as heard by the listener.
#[derive(Debug, Clone, Copy, Default)]
struct HeardPlace {
    position: Position,
    /// From the listener.
    offset_m: DVec3,
    distance_m: f64,
    /// Radial velocity in semitones of Doppler shift.
    shift: f64,
}

impl HeardPlace {
    fn new(position: Position, listener: &Position, sound_speed_m_s: f64) -> Self {
        let offset_m = position.position_m - listener.position_m;
        let length_m = offset_m.length();
        let relative_m_s = position.velocity_m_s - listener.velocity_m_s;
        let radial = offset_m.dot(relative_m_s) / length_m.max(1e-9);
        Self {
            position,
            offset_m,
            distance_m: length_m.max(MIN_DISTANCE_M),
            shift: radial / (SEMITONE * sound_speed_m_s),
        }
    }

    /// Returns the separation of two places.
    fn separation(&self, other: &Self) -> f64 {
        let near_m = self.distance_m.min(other.distance_m);
        self.offset_m.distance(other.offset_m) / near_m + (self.shift - other.shift).abs()
    }
}

/// Which voices sound on which emitters.
#[derive(Debug, Clone)]
pub(crate) struct EmitterAssignment {
    emitters: Vec<Emitter>,
    /// The emitter of each sounding voice.
    emitter_of: Vec<Option<usize>>,
    /// Where each voice was last, and the gain of its object.
    places: Vec<HeardPlace>,
    gains: Vec<f64>,
    /// The gain of each voice on its emitter in the last tick, and the tick up to which it cross-fades: a
    /// further change waits for that.
    routed: Vec<(f64, u64)>,
    tolerance: f64,
    /// The largest separation of a voice from its emitter in the last tick.
    separation: f64,
    /// Whether a voice found no emitter close enough since the last tick.
    is_crowded: bool,
    sound_speed_m_s: f64,
    ticks: u64,
}

impl EmitterAssignment {
    pub(crate) fn new(emitters: usize, voices: usize, sound_speed_m_s: f64) -> Self {
        Self {
            emitters: vec![Emitter::default(); emitters.max(1)],
            emitter_of: vec![None; voices],
            places: vec![HeardPlace::default(); voices],
            gains: vec![1.0; voices],
            routed: vec![(1.0, 0); voices],
            tolerance: 0.0,
            separation: 0.0,
            is_crowded: false,
            sound_speed_m_s,
            ticks: 0,
        }
    }

    /// Returns the largest separation of a voice from its emitter in the last tick.
    pub(crate) fn separation(&self) -> f64 {
        self.separation
    }

    /// Returns the number of emitters in use.
    pub(crate) fn emitters_in_use(&self) -> usize {
        self.emitters.iter().filter(|emitter| !emitter.members.is_empty()).count()
    }

    /// Returns the number of emitters.
    pub(crate) fn len(&self) -> usize {
        self.emitters.len()
    }

    /// Returns the voices on an emitter, with the direction from each to the listener.
    pub(crate) fn members(&self, emitter: usize) -> impl Iterator<Item = (usize, DVec3)> + '_ {
        let members = self.emitters.get(emitter).map_or(&[][..], |emitter| &emitter.members);
        members.iter().map(|slot| (*slot, -self.places[*slot].offset_m))
    }

    /// Adds a voice that begins to sound. Returns its emitter and gain.
    pub(crate) fn add(
        &mut self,
        slot: usize,
        position: Position,
        gain: f64,
        listener: &Position,
        changes: &mut Vec<Change>,
    ) -> (usize, f64) {
        let place = HeardPlace::new(position, listener, self.sound_speed_m_s);
        (self.places[slot], self.gains[slot]) = (place, gain);
        let emitter = self.choose(place, changes);
        self.join(slot, emitter);
        self.routed[slot] = (self.gain(slot), 0);
        (emitter, self.gain(slot))
    }

    /// Removes a voice that has become silent.
    pub(crate) fn remove(&mut self, slot: usize) {
        let Some(emitter) = self.emitter_of[slot].take() else { return };
        let members = &mut self.emitters[emitter].members;
        if let Some(member) = members.iter().position(|member| *member == slot) {
            members.swap_remove(member);
        }
    }

    /// Sends a member of an emitter to another one.
    fn reroute(&mut self, number: usize, member: usize, changes: &mut Vec<Change>) {
        let slot = self.emitters[number].members.swap_remove(member);
        self.begin_fade(number, slot);
        let chosen = self.choose(self.places[slot], changes);
        self.join(slot, chosen);
    }

    /// Keeps an emitter busy until a voice that leaves it has faded out: after the fade under way and its own.
    fn begin_fade(&mut self, number: usize, slot: usize) {
        let until = &mut self.routed[slot].1;
        *until = (*until).clamp(self.ticks, self.ticks + GAIN_FADE_TICKS) + FADE_TICKS;
        let busy_until = &mut self.emitters[number].busy_until;
        *busy_until = (*busy_until).max(*until);
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
        let sound_speed_m_s = self.sound_speed_m_s;
        self.ticks += 1;
        self.separation = 0.0;
        self.adjust();
        for number in 0..self.emitters.len() {
            let mut jumps = false;
            for member in (0..self.emitters[number].members.len()).rev() {
                let slot = self.emitters[number].members[member];
                let (position, jumped, gain) = place_of(slot).unwrap_or_else(|| {
                    let at_rest = Position::at_rest(self.places[slot].position.position_m);
                    (at_rest, false, self.gains[slot])
                });
                let place = HeardPlace::new(position, listener, sound_speed_m_s);
                (self.places[slot], self.gains[slot]) = (place, gain);
                if jumped && self.emitters[number].members.len() > 1 {
                    // The others stay where they are.
                    self.reroute(number, member, changes);
                } else {
                    jumps |= jumped;
                }
            }
            self.replace_leader(number, changes);
            let Some(&leader) = self.emitters[number].members.first() else { continue };
            let place = self.places[leader];
            jumps |= self.emitters[number].leader.replace(leader) != Some(leader);
            self.emitters[number].place = place;
            let position = place.position;
            changes.push(match jumps {
                true => Change::Jump { emitter: number, position },
                false => Change::Move { emitter: number, position },
            });
            for member in (1..self.emitters[number].members.len()).rev() {
                let slot = self.emitters[number].members[member];
                let apart = self.places[slot].separation(&place);
                if apart > HYSTERESIS * self.tolerance && self.has_other(number) {
                    self.reroute(number, member, changes);
                } else {
                    self.separation = self.separation.max(apart);
                }
            }
        }
        for slot in 0..self.emitter_of.len() {
            let Some(emitter) = self.emitter_of[slot] else { continue };
            let gain = self.gain(slot);
            let (last, fades_until) = &mut self.routed[slot];
            if gain.max(*last) > SMALL_RATIO * gain.min(*last) {
                *fades_until = (*fades_until).max(self.ticks + GAIN_FADE_TICKS);
            }
            *last = gain;
            if let Some(route) = route(slot, emitter, gain) {
                changes.push(Change::Route { slot, route });
            }
        }
    }

    /// Lets the member closest to an emitter whose leader has gone lead it. If all are much nearer to the
    /// listener or much farther, they go to other emitters: during the jump of an emitter the gains
    /// of its members do not fit.
    fn replace_leader(&mut self, number: usize, changes: &mut Vec<Change>) {
        let Emitter { members, leader, place, .. } = &mut self.emitters[number];
        if members.is_empty() || members.first().copied() == *leader {
            return;
        }
        let apart = |slot: &usize| self.places[*slot].separation(place);
        let closest = (0..members.len())
            .min_by(|a, b| apart(&members[*a]).total_cmp(&apart(&members[*b])))
            .unwrap_or(0);
        members.swap(0, closest);
        let ratio = self.places[members[0]].distance_m / place.distance_m;
        if !(0.5..2.0).contains(&ratio) && self.has_other(number) {
            for slot in std::mem::take(&mut self.emitters[number].members) {
                self.begin_fade(number, slot);
                self.emitter_of[slot] = None;
                let chosen = self.choose(self.places[slot], changes);
                self.join(slot, chosen);
            }
        }
    }

    /// Returns whether there is another emitter that a voice can go to.
    fn has_other(&self, number: usize) -> bool {
        let usable = |e: &Emitter| !e.members.is_empty() || e.busy_until <= self.ticks;
        self.emitters.iter().enumerate().any(|(other, e)| other != number && usable(e))
    }

    /// Returns the emitter for a voice: the nearest within the tolerance, else a free one, else the
    /// nearest of all.
    fn choose(&mut self, place: HeardPlace, changes: &mut Vec<Change>) -> usize {
        let used = self.emitters.iter().enumerate().filter(|(_, e)| !e.members.is_empty());
        let nearest = used
            .map(|(number, emitter)| (emitter.place.separation(&place), number))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let is_free = |e: &Emitter| e.members.is_empty() && e.busy_until <= self.ticks;
        let free = self.emitters.iter().position(is_free);
        match (nearest, free) {
            (Some((apart, number)), _) if apart < self.tolerance => {
                self.separation = self.separation.max(apart);
                number
            }
            (_, Some(free)) => {
                self.emitters[free].place = place;
                changes.push(Change::Place { emitter: free, position: place.position });
                free
            }
            (Some((apart, number)), None) => {
                self.is_crowded |= apart > HYSTERESIS * self.tolerance;
                self.separation = self.separation.max(apart);
                number
            }
            (None, None) => {
                // Voices that went elsewhere still fade out on all of them.
                let busy = |number: &usize| self.emitters[*number].busy_until;
                let soonest = (0..self.emitters.len()).min_by_key(busy).unwrap_or(0);
                self.emitters[soonest].place = place;
                changes.push(Change::Place { emitter: soonest, position: place.position });
                soonest
            }
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

    fn gain(&self, slot: usize) -> f64 {
        let emitter = self.emitter_of[slot].unwrap_or(0);
        self.gains[slot] * self.emitters[emitter].place.distance_m / self.places[slot].distance_m
    }

    /// While few emitters are free, joins the closest ones and raises the tolerance as far as that needs;
    /// while many are free, lowers it.
    fn adjust(&mut self) {
        let count = self.emitters.len();
        let mut used: Vec<usize> =
            (0..count).filter(|e| !self.emitters[*e].members.is_empty()).collect();
        if std::mem::take(&mut self.is_crowded) {
            self.tolerance = (CROWDED_RISE * self.tolerance).clamp(MIN_TOLERANCE, MAX_TOLERANCE);
        }
        if 4 * (count - used.len()) > count {
            self.tolerance /= 1.05;
            if self.tolerance < MIN_TOLERANCE {
                self.tolerance = 0.0;
            }
        }
        if 8 * (count - used.len()) >= count {
            return;
        }
        for _ in 0..MAX_JOINS {
            if 16 * (count - used.len()) >= 3 * count || !self.join_closest(&mut used) {
                return;
            }
        }
    }

    /// Joins the two closest of the emitters in use. Returns whether two were close enough.
    fn join_closest(&mut self, used: &mut Vec<usize>) -> bool {
        let place = |number: usize| &self.emitters[number].place;
        let pairs = used.iter().enumerate().flat_map(|(i, a)| {
            used[i + 1..].iter().map(move |b| (place(*a).separation(place(*b)), *a, *b))
        });
        let Some((apart, to, from)) = pairs.min_by(|a, b| a.0.total_cmp(&b.0)) else {
            return false;
        };
        if apart >= MAX_TOLERANCE {
            return false;
        }
        // It rises with every join: otherwise voices would alternate between two emitters forever.
        self.tolerance = (TOLERANCE_RISE * self.tolerance).max(apart).max(MIN_TOLERANCE);
        for slot in std::mem::take(&mut self.emitters[from].members) {
            self.begin_fade(from, slot);
            self.join(slot, to);
        }
        used.retain(|number| *number != from);
        true
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
            let (_, gain) = assignment.add(slot, position, 1.0, &Position::default(), &mut changes);
            assert_eq!((gain, changes.len()), (1.0, 1));
        }
        assert_eq!(assignment.emitters_in_use(), 16);
        for _ in 0..50 {
            stepped(&mut assignment, &places, DVec3::ZERO);
        }
        assert_eq!((assignment.emitters_in_use(), assignment.separation()), (16, 0.0));
    }

    /// Many voices share; near ones keep emitters of their own, far ones share with neighbours.
    #[test]
    fn many_voices_share_emitters_with_neighbours_at_their_own_level() {
        let near = ring(8, 1.0);
        let far = ring(400, 60.0);
        let places: Vec<DVec3> = near.iter().chain(&far).copied().collect();
        let mut assignment = EmitterAssignment::new(64, places.len(), C);
        for (slot, place) in places.iter().enumerate() {
            assignment.add(
                slot,
                Position::at_rest(*place),
                1.0,
                &Position::default(),
                &mut Vec::new(),
            );
        }
        let mut last = Vec::new();
        for _ in 0..400 {
            last = stepped(&mut assignment, &places, DVec3::ZERO);
        }
        let t = assignment.tolerance;
        assert!(t > 0.0 && t < 0.4, "{t}");
        for slot in 0..8 {
            let emitter = assignment.emitter_of[slot].unwrap();
            assert_eq!(assignment.emitters[emitter].members, [slot]);
        }
        for change in last {
            let Change::Route { slot, route } = change else { continue };
            let emitter = assignment.emitters[route.bus].place;
            let place = HeardPlace::new(Position::at_rest(places[slot]), &Position::default(), C);
            let apart = emitter.separation(&place);
            assert!(apart <= 1.5 * t + 1e-9, "{apart} {t}");
            let r = emitter.position.position_m.length() / places[slot].length();
            assert!((f64::from(route.gain) - r).abs() < 1e-6);
        }
    }

    /// Voices that change their emitter cross-fade, which costs time and blurs them.
    #[test]
    fn many_swaying_voices_seldom_change_their_emitter() {
        let (side, ticks_per_s) = (50, 100.0);
        let home = |i: usize| DVec3::new((i % side) as f64 - 25.0, (i / side) as f64 - 1.0, -1.0);
        let at = |i: usize, t: f64| {
            let phase = std::f64::consts::TAU * (t + i as f64 / 7.3);
            let sway = DVec3::new(0.3 * phase.sin(), 0.0, 0.0);
            let velocity_m_s = DVec3::new(0.3 * std::f64::consts::TAU * phase.cos(), 0.0, 0.0);
            Position { position_m: home(i) + sway, velocity_m_s }
        };
        let listener = Position::default();
        let mut assignment = EmitterAssignment::new(64, side * side, C);
        for slot in 0..side * side {
            assignment.add(slot, at(slot, 0.0), 1.0, &listener, &mut Vec::new());
        }
        let (mut changed, mut separations) = (0, Vec::new());
        for tick in 1..1200 {
            let t = tick as f64 / ticks_per_s;
            let place_of = |slot: usize| Some((at(slot, t), false, 1.0));
            // Each sounds for two seconds of three.
            for slot in 0..side * side {
                let sounds = (tick + 7 * slot) % 300 < 200;
                match assignment.emitter_of[slot] {
                    Some(_) if !sounds => assignment.remove(slot),
                    None if sounds => {
                        assignment.add(slot, at(slot, t), 1.0, &listener, &mut Vec::new());
                    }
                    _ => {}
                }
            }
            let before = assignment.emitter_of.clone();
            assignment.step(place_of, &listener, &mut Vec::new(), |_, _, _| None);
            let voices = (0..side * side).filter(|slot| assignment.emitter_of[*slot].is_some());
            let worst = voices.map(|slot| {
                let emitter = &assignment.emitters[assignment.emitter_of[slot].unwrap()];
                emitter.place.separation(&assignment.places[slot])
            });
            let worst = worst.fold(0.0, f64::max);
            if tick > 200 {
                let [published, t] = [assignment.separation(), assignment.tolerance];
                assert!(worst <= published + 1e-9, "{worst} {published} {t}");
                separations.push(published / t);
                let now = &assignment.emitter_of;
                changed += before.iter().zip(now).filter(|(a, b)| a != b).count();
            }
        }
        let per_second = changed as f64 / (side * side) as f64 / 10.0;
        foley_measured::check!("emitters.changes", per_second);
        foley_measured::check!("emitters.separation", foley_measured::largest(separations));
    }

    /// Objects in one place with different Doppler shifts do not share an emitter.
    #[test]
    fn different_doppler_shifts_are_apart() {
        let position_m = DVec3::new(50.0, 0.0, 0.0);
        let at = |x: f64| Position { position_m, velocity_m_s: DVec3::new(x, 0.0, 0.0) };
        let [a, b] = [10.0, -10.0].map(|x| HeardPlace::new(at(x), &Position::default(), C));
        let apart = a.separation(&b);
        // 20 m/s are a semitone.
        assert!((apart - 20.0 / (0.06 * C)).abs() < 1e-9);
    }

    #[test]
    fn a_voice_whose_leader_has_gone_jumps_to_its_own_place() {
        let places = [DVec3::new(50.0, 0.0, 0.0), DVec3::new(50.5, 0.0, 0.0)];
        let mut assignment = EmitterAssignment::new(1, 2, C);
        for (slot, place) in places.iter().enumerate() {
            assignment.add(
                slot,
                Position::at_rest(*place),
                1.0,
                &Position::default(),
                &mut Vec::new(),
            );
        }
        stepped(&mut assignment, &places, DVec3::ZERO);
        assignment.remove(0);
        let changes = stepped(&mut assignment, &places, DVec3::ZERO);
        let position = Position::at_rest(places[1]);
        assert_eq!(changes[0], Change::Jump { emitter: 0, position });
        let moved = stepped(&mut assignment, &places, DVec3::ZERO);
        assert_eq!(moved[0], Change::Move { emitter: 0, position });
    }

    /// A second change of emitter waits for the first: the emitter in between is busy until both are over.
    #[test]
    fn an_emitter_is_busy_until_queued_cross_fades_are_over() {
        let mut assignment = EmitterAssignment::new(4, 2, C);
        let mut changes = Vec::new();
        let at = Position::at_rest(DVec3::X);
        let (first, _) = assignment.add(0, at, 1.0, &Position::default(), &mut changes);
        assignment.reroute(first, 0, &mut changes);
        let second = assignment.emitter_of[0].unwrap();
        assignment.reroute(second, 0, &mut changes);
        let third = assignment.emitter_of[0].unwrap();
        assert!(first != second && second != third && third != first);
        let busy = |assignment: &EmitterAssignment, number: usize| {
            assignment.emitters[number].busy_until - assignment.ticks
        };
        assert_eq!((busy(&assignment, first), busy(&assignment, second)), (15, 30));
    }
}

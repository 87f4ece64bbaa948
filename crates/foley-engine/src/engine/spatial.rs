//! Where objects and listener are, and on which emitters voices sound: the caller's half.
//!
//! Once per tick, at least a block long, positions at its end become one snapshot for the audio thread:
//! emitters, routes and listener change together.

use derive_setters::Setters;
use foley_dsp::ears::Head;
use foley_dsp::propagation::{
    Air, AirAbsorption, AirFilter, EmitterSet, EqualizerWeights, Motion, PathSettings, Position,
    Sections,
};
use foley_dsp::resonator::Route;

use super::directivity::{EmitterDirectivity, Orientation};
use crate::engine::emitter_assignment::{Change, EmitterAssignment};
use crate::{Listener, Settings};

/// Shortest tick, samples.
const MIN_TICK: u64 = 256;
/// Gains within this ratio of the last one are not sent again: 0.04 dB.
const SAME_GAIN: f32 = 1.005;

/// Settings of an engine whose objects have positions.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct SpatialSettings {
    /// K: most emitters, positions from which sound comes, 1 to 1024. More objects share them. Each takes
    /// half a megabyte for a second of delay.
    pub emitters: usize,
    /// The air.
    pub air: Air,
    /// Longest time of flight, s, 0.01 to 20. Farther objects are as quiet as they should be, but heard
    /// too early.
    pub longest_delay_s: f64,
}

impl Default for SpatialSettings {
    fn default() -> Self {
        Self { emitters: 64, air: Air::default(), longest_delay_s: 1.0 }
    }
}

impl SpatialSettings {
    /// Returns the settings with every value in its range.
    pub(crate) fn clamped(&self) -> Self {
        let Air { temperature_c, humidity_percent, pressure_kpa } = self.air;
        // A value that is not a number becomes the default.
        let clamp = |x: f64, low: f64, high: f64, default: f64| {
            if x.is_nan() { default } else { x.clamp(low, high) }
        };
        let air = Air {
            temperature_c: clamp(temperature_c, -100.0, 100.0, 20.0),
            humidity_percent: clamp(humidity_percent, 0.0, 100.0, 50.0),
            pressure_kpa: clamp(pressure_kpa, 1.0, 1000.0, 101.325),
        };
        let longest_delay_s = clamp(self.longest_delay_s, 0.01, 20.0, 1.0);
        Self { emitters: self.emitters.clamp(1, 1024), air, longest_delay_s }
    }

    /// Makes the emitters of the audio thread.
    pub(crate) fn emitter_set(&self, settings: &Settings) -> EmitterSet {
        let sample_rate_hz = f64::from(settings.sample_rate_hz);
        let path = PathSettings {
            sample_rate_hz,
            block: settings.block,
            sound_speed_m_s: self.air.sound_speed_m_s(),
            longest_delay_s: self.longest_delay_s,
            air: AirFilter::new(&AirAbsorption::new(&self.air), sample_rate_hz),
            equalizer: Sections::at_rate(sample_rate_hz),
        };
        EmitterSet::new(&path, self.emitters, settings.cpu.level())
    }
}

/// Everything that changes at a tick. Sent to the audio thread, and back to be used again.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// The time at which the positions are reached, samples.
    pub(crate) at: u64,
    pub(crate) listener: Position,
    pub(crate) head: Head,
    /// Whether the listener was put elsewhere.
    pub(crate) listener_jumps: bool,
    pub(crate) changes: Vec<Change>,
    /// New weights of the equalisers of emitters, after the changes.
    pub(crate) weights: Vec<(usize, EqualizerWeights)>,
}

/// Positions, listener and emitters of a scene.
pub(crate) struct Spatial {
    pub(crate) assignment: EmitterAssignment,
    pub(super) directivity: EmitterDirectivity,
    listener: Listener,
    listener_motion: Motion,
    listener_jumps: bool,
    /// The end of the last tick, samples.
    last_tick: u64,
    tick: u64,
    block: u64,
    sample_rate_hz: f64,
    /// The last gain sent for each voice and the emitter.
    sent: Vec<Option<Route>>,
    // Boxes travel to the audio thread and back as they are.
    #[expect(clippy::vec_box, reason = "the boxes are used again")]
    spare: Vec<Box<Snapshot>>,
}

impl Spatial {
    pub(crate) fn new(spatial: &SpatialSettings, settings: &Settings, voices: usize) -> Self {
        let sound_speed_m_s = spatial.air.sound_speed_m_s();
        let rate_hz = f64::from(settings.sample_rate_hz);
        let is_on = settings.directivity;
        Self {
            directivity: EmitterDirectivity::new(spatial.emitters, rate_hz, is_on),
            assignment: EmitterAssignment::new(spatial.emitters, voices, sound_speed_m_s),
            listener: Listener::default(),
            listener_motion: Motion::default(),
            listener_jumps: true,
            last_tick: 0,
            tick: MIN_TICK.max(settings.block as u64),
            block: settings.block as u64,
            sample_rate_hz: f64::from(settings.sample_rate_hz),
            sent: vec![None; voices],
            spare: Vec::new(),
        }
    }

    pub(crate) fn set_listener(&mut self, listener: Listener, at_s: f64, jumps: bool) {
        let Position { position_m, .. } = listener.position();
        match listener.velocity_m_s {
            _ if jumps || self.listener_jumps => {
                self.listener_motion = Motion::at_rest_since(at_s, position_m);
            }
            Some(_) => self.listener_motion.push_with_velocity(at_s, listener.position()),
            None => self.listener_motion.push(at_s, position_m),
        }
        self.listener = listener;
        self.listener_jumps |= jumps;
    }

    /// Returns the length of a tick, samples.
    pub(crate) fn tick(&self) -> u64 {
        self.tick
    }

    /// Returns the end of the tick that is due, samples.
    pub(crate) fn due(&self, clock: u64) -> Option<u64> {
        (clock + self.block > self.last_tick).then_some(clock + self.tick)
    }

    /// Takes back the memory of a snapshot.
    pub(crate) fn recycle(&mut self, snapshot: Box<Snapshot>) {
        self.spare.push(snapshot);
    }

    /// Returns the route of a voice that begins to sound, the changes before it, and the weights of its emitter if that is placed
    /// anew.
    pub(crate) fn begin(
        &mut self,
        slot: usize,
        position: Position,
        gain: f64,
        orientation: Option<Orientation<'_>>,
    ) -> (Route, Vec<Change>, Option<EqualizerWeights>) {
        let mut changes = Vec::new();
        let listener = self.listener.position();
        let (bus, gain) = self.assignment.add(slot, position, gain, &listener, &mut changes);
        let route = Route { bus, gain: gain as f32 };
        self.sent[slot] = Some(route);
        let is_placed = changes.iter().any(|change| matches!(change, Change::Place { .. }));
        let mut weights = None;
        if is_placed {
            self.directivity.placed(bus);
            let way = listener.position_m - position.position_m;
            weights = self.directivity.weights(bus, [(orientation, way)].into_iter());
        }
        (route, changes, weights)
    }

    /// Forgets a voice that has come back.
    pub(crate) fn end(&mut self, slot: usize) {
        self.assignment.remove(slot);
        self.sent[slot] = None;
    }

    /// Makes the snapshot of a tick that ends at `at`. `place_of` gives the position of a voice at that
    /// time, whether it was put there without a movement, and the gain of its object; `orientation_of` how it radiates, `None` for one
    /// that leaves.
    pub(crate) fn snapshot<'a>(
        &mut self,
        at: u64,
        place_of: impl Fn(usize) -> Option<(Position, bool, f64)>,
        orientation_of: impl Fn(usize) -> Option<Option<Orientation<'a>>>,
    ) -> Box<Snapshot> {
        let mut snapshot = self.spare.pop().unwrap_or_default();
        let listener = self.listener_motion.at(at as f64 / self.sample_rate_hz);
        snapshot.at = at;
        snapshot.listener = listener;
        snapshot.head = self.listener.head();
        snapshot.listener_jumps = std::mem::take(&mut self.listener_jumps);
        snapshot.changes.clear();
        let sent = &mut self.sent;
        self.assignment.step(place_of, &listener, &mut snapshot.changes, |slot, emitter, gain| {
            let gain = gain as f32;
            let route = Route { bus: emitter, gain };
            let same = |last: &Route| {
                last.bus == emitter && last.gain.max(gain) <= SAME_GAIN * last.gain.min(gain)
            };
            if sent[slot].as_ref().is_some_and(same) {
                return None;
            }
            sent[slot] = Some(route);
            Some(route)
        });
        snapshot.weights.clear();
        for change in &snapshot.changes {
            if let Change::Place { emitter, .. } = change {
                self.directivity.placed(*emitter);
            }
        }
        for emitter in 0..self.assignment.len() {
            let members = self.assignment.members(emitter);
            let members = members.filter_map(|(slot, way)| Some((orientation_of(slot)?, way)));
            let weights = self.directivity.weights(emitter, members);
            snapshot.weights.extend(weights.map(|weights| (emitter, weights)));
        }
        self.last_tick = at;
        snapshot
    }
}

//! The emitters of a scene, each with its path to the listener.

use fearless_simd::Level;
use glam::DVec3;

use super::equalizer::EqualizerWeights;
use super::motion::Motion;
use super::path::{PathSettings, PropagationPath};
use super::trajectory::Position;
use crate::ears::{Head, StereoPanner};

/// A path, its panner and the emitter it belongs to.
#[derive(Debug, Clone)]
struct EmitterPath {
    propagation: PropagationPath,
    panner: StereoPanner,
    /// The panner from before a jump.
    old_panner: StereoPanner,
    motion: Motion,
    /// Whether the emitter was put elsewhere, and whether the listener was.
    has_jumped: bool,
    listener_has_jumped: bool,
    /// Positions of emitter and listener at the end of the last block, and the head.
    last: [Position; 2],
    head: Head,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Free,
    /// Carries the signal of an emitter.
    Active,
    /// The emitter has gone elsewhere; the rest of its sound arrives.
    Draining,
}

/// A fixed number of emitters and one listener. There are twice as many paths as emitters: an emitter
/// that is placed elsewhere leaves its old path behind, until all sound in it has arrived.
///
/// Real-time: allocates only when it is made.
#[derive(Debug, Clone)]
pub struct EmitterSet {
    paths: Vec<EmitterPath>,
    /// The path of each emitter.
    path_of: Vec<usize>,
    listener: Motion,
    head: Head,
    sound: [Vec<f32>; 2],
    /// Farther apart within a block is a jump, m.
    jump_m: f64,
    level: Level,
}

impl EmitterSet {
    /// Makes silent emitters.
    pub fn new(settings: &PathSettings, emitters: usize, level: Level) -> Self {
        let path = EmitterPath {
            propagation: PropagationPath::new(settings),
            panner: StereoPanner::default(),
            old_panner: StereoPanner::default(),
            motion: Motion::default(),
            has_jumped: false,
            listener_has_jumped: false,
            last: [Position::default(); 2],
            head: Head::default(),
            state: State::Free,
        };
        let mut paths = vec![path; 2 * emitters];
        paths[..emitters].iter_mut().for_each(|path| path.state = State::Active);
        let block_s = settings.block as f64 / settings.sample_rate_hz;
        Self {
            paths,
            path_of: (0..emitters).collect(),
            listener: Motion::default(),
            head: Head::default(),
            sound: [vec![0.0; settings.block], vec![0.0; settings.block]],
            jump_m: 0.5 * settings.sound_speed_m_s * block_s,
            level,
        }
    }

    /// Returns the number of emitters.
    pub fn len(&self) -> usize {
        self.path_of.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.path_of.is_empty()
    }

    /// Begins to use an emitter at a position. Its sound so far arrives from where it was.
    pub fn place(&mut self, emitter: usize, position: Position) {
        let Some(&old) = self.path_of.get(emitter) else { return };
        let silent = self.paths[old].propagation.is_silent();
        let free = self.paths.iter().position(|path| path.state == State::Free);
        // Without a free path the old one is used on, and its sound jumps.
        let new = if silent { old } else { free.unwrap_or(old) };
        if new != old {
            self.paths[old].state = State::Draining;
            self.path_of[emitter] = new;
        }
        let path = &mut self.paths[new];
        path.state = State::Active;
        path.motion = Motion::at_rest(position);
        path.propagation.equalize(&EqualizerWeights::FLAT);
        if new == old && !silent {
            path.has_jumped = true;
            return;
        }
        path.propagation.place(position.position_m);
        path.panner.reset();
        path.has_jumped = false;
        path.last[0] = position;
    }

    /// Sets how much louder an emitter is in the direction of the listener, in all bands.
    pub fn equalize(&mut self, emitter: usize, weights: &EqualizerWeights) {
        if let Some(&path) = self.path_of.get(emitter) {
            self.paths[path].propagation.equalize(weights);
        }
    }

    /// Moves an emitter from where it is at `now_s` to a position at `to_s`.
    pub fn move_to(&mut self, emitter: usize, now_s: f64, to_s: f64, position: Position) {
        if let Some(&path) = self.path_of.get(emitter) {
            self.paths[path].motion.aim(now_s, to_s, position);
        }
    }

    /// Puts an emitter elsewhere, without a movement in between: cross-fades.
    pub fn jump(&mut self, emitter: usize, position: Position) {
        if let Some(&path) = self.path_of.get(emitter) {
            self.paths[path].motion = Motion::at_rest(position);
            self.paths[path].has_jumped = true;
        }
    }

    /// Moves the listener from the place of `now_s` to a position at `to_s`.
    pub fn move_listener(&mut self, now_s: f64, to_s: f64, position: Position, head: Head) {
        self.listener.aim(now_s, to_s, position);
        self.head = head;
    }

    /// Puts the listener elsewhere, without a movement in between: cross-fades.
    pub fn jump_listener(&mut self, position: Position, head: Head) {
        self.listener = Motion::at_rest(position);
        self.head = head;
        self.paths.iter_mut().for_each(|path| path.listener_has_jumped = true);
    }

    /// Silences all paths, after a block that was not finite.
    pub fn reset_nonfinite(&mut self) {
        self.paths.iter_mut().for_each(|path| path.propagation.clear());
    }

    /// Returns direction and distance of an emitter at a time, without the time of flight.
    pub fn bearing(&self, emitter: usize, time_s: f64) -> Option<(DVec3, f64)> {
        let path = &self.paths[*self.path_of.get(emitter)?];
        let way = path.motion.at(time_s).position_m - self.listener.at(time_s).position_m;
        Some((way.normalize_or_zero(), way.length()))
    }

    /// Propagates a block of all emitters, one after the other in `buses`, to the ears of the listener.
    /// It ends at `end_s`. `left` and `right` have [`PathSettings::block`] samples.
    pub fn process(&mut self, buses: &[f32], end_s: f64, [left, right]: [&mut [f32]; 2]) {
        let Self { paths, path_of, listener, head, sound: [sound, old_sound], .. } = self;
        let block = sound.len();
        left.fill(0.0);
        right.fill(0.0);
        let listener = listener.at(end_s);
        for (number, path) in paths.iter_mut().enumerate() {
            let signal = match path.state {
                State::Free => continue,
                State::Draining => None,
                State::Active => {
                    let emitter = path_of.iter().position(|path| *path == number);
                    emitter.and_then(|emitter| buses.get(emitter * block..(emitter + 1) * block))
                }
            };
            let signal = signal.filter(|signal| !is_silence(signal));
            let position = path.motion.at(end_s);
            if signal.is_none() && path.propagation.is_silent() {
                if path.state == State::Draining {
                    path.state = State::Free;
                }
                path.propagation.rest(position);
                path.panner.reset();
                (path.last, path.head) = ([position, listener], *head);
                (path.has_jumped, path.listener_has_jumped) = (false, false);
                continue;
            }
            let [emitter, ears] = path.follow(position, listener, head, self.jump_m);
            let head = &path.head;
            let parts = [&mut **sound, &mut **old_sound];
            let jumped = path.propagation.process(self.level, signal, emitter, &ears, parts);
            let (direction, distance_m) =
                (path.propagation.direction(), path.propagation.distance_m());
            let ears = [&mut *left, &mut *right];
            path.panner.add(self.level, head, direction, distance_m, sound, ears);
            if jumped {
                path.old_panner.add_unchanged(old_sound, [&mut *left, &mut *right]);
            }
        }
    }
}

/// Returns whether all samples are zero. The fold has no early exit, so that it is computed in vectors.
fn is_silence(samples: &[f32]) -> bool {
    samples.iter().fold(0, |bits, x| bits | (x.to_bits() << 1)) == 0
}

impl EmitterPath {
    /// Returns the positions of emitter and listener at the end of the block. A jump begins a
    /// cross-fade, or waits at rest for the end of the last one.
    fn follow(
        &mut self,
        emitter: Position,
        listener: Position,
        head: &Head,
        jump_m: f64,
    ) -> [Position; 2] {
        // Also where a position is not a number.
        let far = |a: Position, b: Position| !(a.position_m.distance(b.position_m) <= jump_m);
        self.has_jumped |= far(emitter, self.last[0]);
        self.listener_has_jumped |= far(listener, self.last[1])
            || StereoPanner::is_jump([&self.head, head], self.propagation.direction());
        let jumps = self.has_jumped || self.listener_has_jumped;
        if jumps && self.propagation.is_fading() {
            return self.last.map(|last| Position::at_rest(last.position_m));
        }
        if jumps {
            self.propagation.jump(self.has_jumped.then_some(emitter.position_m));
            (self.has_jumped, self.listener_has_jumped) = (false, false);
            self.old_panner = self.panner;
            self.panner.reset();
        }
        (self.last, self.head) = ([emitter, listener], *head);
        self.last
    }
}

//! The emitters of a scene, each with its path to the listener.

use fearless_simd::Level;
use glam::DVec3;

use super::path::{PathSettings, PropagationPath};
use super::trajectory::Position;
use crate::ears::{Head, StereoPanner};

/// A path, its panner and the emitter it belongs to.
#[derive(Debug, Clone)]
struct Line {
    path: PropagationPath,
    panner: StereoPanner,
    /// Where the emitter was last: what was emitted before it left still arrives from there.
    position: Position,
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

/// A fixed number of emitters. There are twice as many paths: an emitter that is placed elsewhere
/// leaves its old path behind, until all sound in it has arrived.
///
/// Real-time: allocates only when it is made.
#[derive(Debug, Clone)]
pub struct EmitterSet {
    lines: Vec<Line>,
    /// The path of each emitter.
    path_of: Vec<usize>,
    sound: Vec<f32>,
    level: Level,
}

impl EmitterSet {
    /// Makes silent emitters.
    pub fn new(settings: &PathSettings, emitters: usize, level: Level) -> Self {
        let line = Line {
            path: PropagationPath::new(settings),
            panner: StereoPanner::default(),
            position: Position::default(),
            state: State::Free,
        };
        let mut lines = vec![line; 2 * emitters];
        lines[..emitters].iter_mut().for_each(|line| line.state = State::Active);
        Self { lines, path_of: (0..emitters).collect(), sound: vec![0.0; settings.block], level }
    }

    /// Returns the number of emitters.
    pub fn len(&self) -> usize {
        self.path_of.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.path_of.is_empty()
    }

    /// Places an emitter elsewhere at the start of the next block. Its sound so far arrives from where
    /// it was. Returns false without a free path: then it stays.
    pub fn place(&mut self, emitter: usize, position_m: DVec3) -> bool {
        let Some(&old) = self.path_of.get(emitter) else { return false };
        let silent = self.lines[old].path.is_silent();
        let free = if silent { Some(old) } else { self.free() };
        let Some(new) = free else { return false };
        if new != old {
            self.lines[old].state = State::Draining;
            self.path_of[emitter] = new;
        }
        let line = &mut self.lines[new];
        line.state = State::Active;
        line.path.place(position_m);
        line.panner.reset();
        line.position = Position::at_rest(position_m);
        true
    }

    fn free(&self) -> Option<usize> {
        self.lines.iter().position(|line| line.state == State::Free)
    }

    /// Sets position and velocity of an emitter at the end of the next block.
    pub fn move_to(&mut self, emitter: usize, position: Position) {
        if let Some(&line) = self.path_of.get(emitter) {
            self.lines[line].position = position;
        }
    }

    /// Returns direction and distance of an emitter as heard at the end of the last block.
    pub fn heard_from(&self, emitter: usize) -> Option<(DVec3, f64)> {
        let path = &self.lines[*self.path_of.get(emitter)?].path;
        Some((path.direction(), path.distance_m()))
    }

    /// Propagates a block of all emitters, one after the other in `buses`, to the ears of a listener
    /// who ends it at this position.
    pub fn process(
        &mut self,
        buses: &[f32],
        listener: &Position,
        head: &Head,
        [left, right]: [&mut [f32]; 2],
    ) {
        let Self { lines, path_of, sound, level } = self;
        let block = sound.len();
        left.fill(0.0);
        right.fill(0.0);
        for (number, line) in lines.iter_mut().enumerate() {
            let signal = match line.state {
                State::Free => continue,
                State::Draining => None,
                State::Active => {
                    let emitter = path_of.iter().position(|path| *path == number);
                    emitter.and_then(|emitter| buses.get(emitter * block..(emitter + 1) * block))
                }
            };
            let signal = signal.filter(|signal| signal.iter().any(|x| *x != 0.0));
            if signal.is_none() && line.path.is_silent() {
                if line.state == State::Draining {
                    line.state = State::Free;
                }
                line.path.rest(line.position);
                continue;
            }
            line.path.process(*level, signal, line.position, listener, sound);
            let (direction, distance_m) = (line.path.direction(), line.path.distance_m());
            line.panner.add(head, direction, distance_m, sound, [&mut *left, &mut *right]);
        }
    }
}

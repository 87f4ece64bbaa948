//! Routing of a voice to buses, with gains that change without clicks.
//!
//! A voice sounds on one bus with a gain. A new gain is reached over one block. A new bus is
//! reached by a cross-fade over [`FADE_BLOCKS`] blocks, raised-cosine shaped, during which the voice
//! sounds on both: the shape keeps a steady tone within its critical band.

use std::f32::consts::PI;

/// Blocks of a cross-fade from bus to bus.
const FADE_BLOCKS: u32 = 13;

/// A bus and a gain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Route {
    /// Index of the bus.
    pub bus: usize,
    /// Factor on the amplitude.
    pub gain: f32,
}

/// The share of a voice on one bus over one block: gains at both ends, linear in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tap {
    pub(crate) bus: usize,
    pub(crate) start: f32,
    pub(crate) end: f32,
    /// Whether the voice was not on this bus in the last block.
    pub(crate) is_new: bool,
}

impl Tap {
    /// Returns the gain at a part of the block, 0 to 1.
    pub(crate) fn at(&self, part: f32) -> f32 {
        self.start + part * (self.end - self.start)
    }

    /// Returns the largest factor on energies in the block.
    pub(crate) fn energy_gain(&self) -> f32 {
        let most = self.start.max(self.end);
        most * most
    }

    /// Adds a block of sound to its bus in `out`, which holds all buses.
    pub(crate) fn mix(&self, sound: &[f32], out: &mut [f32]) {
        let block = sound.len();
        let Some(out) = out.get_mut(self.bus * block..(self.bus + 1) * block) else { return };
        let step = (self.end - self.start) / block as f32;
        for (n, (out, y)) in out.iter_mut().zip(sound).enumerate() {
            *out += (self.start + step * n as f32) * y;
        }
    }
}

/// The routing of one voice.
#[derive(Debug, Clone)]
pub(crate) struct Routing {
    route: Route,
    wanted: Route,
    /// The route that fades out, and the blocks since it began to.
    old: Option<(Route, u32)>,
    taps: [Tap; 2],
    /// Number of taps in this block.
    count: usize,
}

impl Routing {
    pub(crate) fn new(route: Route) -> Self {
        let tap = Tap { bus: route.bus, start: route.gain, end: route.gain, is_new: true };
        Self { route, wanted: route, old: None, taps: [tap; 2], count: 1 }
    }

    /// Returns the bus with the larger share in the end.
    pub(crate) fn bus(&self) -> usize {
        self.route.bus
    }

    pub(crate) fn set(&mut self, wanted: Route) {
        self.wanted = wanted;
    }

    /// Takes the wanted route at once: of a voice that is silent.
    pub(crate) fn snap(&mut self) {
        *self = Self::new(self.wanted);
    }

    /// Begins a block.
    pub(crate) fn advance(&mut self) {
        let mut is_new = false;
        let Self { route, wanted, old, .. } = self;
        if wanted.bus != route.bus && old.is_none() {
            *old = Some((*route, 0));
            *route = *wanted;
            is_new = true;
        }
        // A second change of bus waits for the end of the first.
        self.count = 1 + usize::from(old.is_some());
        let end = if wanted.bus == route.bus { wanted.gain } else { route.gain };
        let start = std::mem::replace(&mut route.gain, end);
        let tap = Tap { bus: route.bus, start, end, is_new };
        self.taps = [tap; 2];
        if let Some((from, blocks)) = *old {
            let [a, b] = [blocks, blocks + 1].map(faded_in);
            self.taps[0] = Tap { start: start * a, end: end * b, ..tap };
            self.taps[1] = Tap {
                bus: from.bus,
                start: from.gain * (1.0 - a),
                end: from.gain * (1.0 - b),
                is_new: false,
            };
            *old = (blocks + 1 < FADE_BLOCKS).then_some((from, blocks + 1));
        }
    }

    /// Returns the shares of this block, one or two.
    pub(crate) fn taps(&self) -> &[Tap] {
        &self.taps[..self.count]
    }
}

/// Returns the share of the new bus at a block border of a cross-fade.
fn faded_in(blocks: u32) -> f32 {
    0.5 - 0.5 * (PI * blocks as f32 / FADE_BLOCKS as f32).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_continuous_and_sum_to_one() {
        let mut routing = Routing::new(Route { bus: 3, gain: 1.0 });
        routing.advance();
        assert_eq!(routing.taps(), [Tap { bus: 3, start: 1.0, end: 1.0, is_new: false }]);
        routing.set(Route { bus: 5, gain: 1.0 });
        let (mut last, mut blocks) = (0.0, 0);
        loop {
            routing.advance();
            let [new, old] = *routing.taps() else { break };
            assert_eq!((new.bus, old.bus, new.is_new), (5, 3, blocks == 0));
            assert_eq!(new.start, last);
            assert!((new.start + old.start - 1.0).abs() < 1e-6 && new.end > new.start);
            assert!((new.end + old.end - 1.0).abs() < 1e-6);
            last = new.end;
            blocks += 1;
        }
        assert_eq!(blocks, FADE_BLOCKS);
        assert_eq!(routing.taps(), [Tap { bus: 5, start: 1.0, end: 1.0, is_new: false }]);
        routing.set(Route { bus: 5, gain: 0.25 });
        routing.advance();
        assert_eq!(routing.taps(), [Tap { bus: 5, start: 1.0, end: 0.25, is_new: false }]);
    }
}

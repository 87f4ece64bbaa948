//! Routing of a voice to buses, with gains that change without clicks.
//!
//! A voice sounds on one bus with a gain. A slightly different gain is reached over one block. A new bus,
//! or a very different gain, is reached by a cross-fade, during which the voice has both routes.

use crate::cross_fade::{BETWEEN_GAINS, BETWEEN_PLACES, CrossFade};

/// Gains change over one block within this ratio.
const SMALL_RATIO: f32 = 1.1;

/// A bus and a gain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Route {
    /// Index of the bus.
    pub bus: usize,
    /// Factor on the amplitude.
    pub gain: f32,
}

/// The share of a voice on one bus over one block: gains at both ends and in the middle, linear in
/// between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tap {
    pub(crate) bus: usize,
    pub(crate) start: f32,
    pub(crate) end: f32,
    /// Gain in the middle of the block above the mean of both ends: the curve of a cross-fade.
    pub(crate) bend: f32,
    /// Whether the voice was not on this bus in the last block.
    pub(crate) is_new: bool,
}

impl Tap {
    /// Returns the gain at a part of the block, 0 to 1.
    pub(crate) fn at(&self, part: f32) -> f32 {
        let bend = 2.0 * self.bend * part.min(1.0 - part);
        self.start + part * (self.end - self.start) + bend
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
        let middle = self.at(0.5);
        let half = block.div_ceil(2);
        let halves = [(0..half, self.start, middle), (half..block, middle, self.end)];
        for (part, start, end) in halves {
            let step = (end - start) / part.len().max(1) as f32;
            for (n, (out, y)) in out[part.clone()].iter_mut().zip(&sound[part]).enumerate() {
                *out += (start + step * n as f32) * y;
            }
        }
    }
}

/// The routing of one voice.
#[derive(Debug, Clone)]
pub(crate) struct Routing {
    route: Route,
    wanted: Route,
    /// The route that fades out.
    old: Option<(Route, CrossFade)>,
    taps: [Tap; 2],
    /// Number of taps in this block.
    count: usize,
    block: usize,
}

impl Routing {
    pub(crate) fn new(route: Route, block: usize) -> Self {
        let gain = route.gain;
        let tap = Tap { bus: route.bus, start: gain, end: gain, bend: 0.0, is_new: true };
        Self { route, wanted: route, old: None, taps: [tap; 2], count: 1, block }
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
        *self = Self::new(self.wanted, self.block);
    }

    /// Begins a block.
    pub(crate) fn advance(&mut self) {
        let mut is_new = false;
        let Self { route, wanted, old, .. } = self;
        let fades = wanted.bus != route.bus || is_far(wanted.gain, route.gain);
        if fades && old.is_none() {
            is_new = wanted.bus != route.bus;
            let length = if is_new { BETWEEN_PLACES } else { BETWEEN_GAINS };
            *old = Some((*route, CrossFade::new(length, self.block)));
            *route = *wanted;
        }
        // A second change waits for the end of the first.
        self.count = 1 + usize::from(old.is_some());
        let follows = wanted.bus == route.bus && !is_far(wanted.gain, route.gain);
        let end = if follows { wanted.gain } else { route.gain };
        let start = std::mem::replace(&mut route.gain, end);
        let tap = Tap { bus: route.bus, start, end, bend: 0.0, is_new };
        self.taps = [tap; 2];
        if let Some((from, fade)) = old {
            let ([a, middle, b], from) = (fade.advance(), *from);
            let bend = middle - 0.5 * (a + b);
            let new_bend = 0.5 * (start + end) * bend;
            self.taps[0] = Tap { start: start * a, end: end * b, bend: new_bend, ..tap };
            self.taps[1] = Tap {
                bus: from.bus,
                start: from.gain * (1.0 - a),
                end: from.gain * (1.0 - b),
                bend: -from.gain * bend,
                is_new: false,
            };
            if fade.is_over() {
                *old = None;
            }
        }
    }

    /// Returns the shares of this block, one or two.
    pub(crate) fn taps(&self) -> &[Tap] {
        &self.taps[..self.count]
    }
}

fn is_far(a: f32, b: f32) -> bool {
    a.max(b) > SMALL_RATIO * a.min(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_continuous_and_sum_to_one() {
        let mut routing = Routing::new(Route { bus: 3, gain: 1.0 }, 256);
        routing.advance();
        assert_eq!(
            routing.taps(),
            [Tap { bus: 3, start: 1.0, end: 1.0, bend: 0.0, is_new: false }]
        );
        // The same bus with a very different gain is a cross-fade, too.
        for (bus, gain, length) in [(5, 1.0, 13), (5, 3.0, 17)] {
            let before = routing.route;
            routing.set(Route { bus, gain });
            let (mut last, mut blocks) = (0.0, 0);
            loop {
                routing.advance();
                let [new, old] = *routing.taps() else { break };
                assert_eq!((new.bus, old.bus), (bus, before.bus));
                assert_eq!(new.is_new, blocks == 0 && bus != before.bus);
                assert_eq!(new.start, last);
                assert!((new.start / gain + old.start / before.gain - 1.0).abs() < 1e-6);
                assert!((new.end / gain + old.end / before.gain - 1.0).abs() < 1e-6);
                assert!(new.end > new.start);
                assert!((new.at(0.5) / gain + old.at(0.5) / before.gain - 1.0).abs() < 1e-6);
                last = new.end;
                blocks += 1;
            }
            assert_eq!(blocks, length);
        }
        assert_eq!(
            routing.taps(),
            [Tap { bus: 5, start: 3.0, end: 3.0, bend: 0.0, is_new: false }]
        );
        routing.set(Route { bus: 5, gain: 3.1 });
        routing.advance();
        assert_eq!(
            routing.taps(),
            [Tap { bus: 5, start: 3.0, end: 3.1, bend: 0.0, is_new: false }]
        );
    }
}

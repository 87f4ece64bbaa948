//! The equalisers of emitters: how objects radiate in the direction of the listener.
//!
//! Once per tick, the power of each band in that direction is taken from the directivity of the model, and where it has changed, new
//! weights go to the audio thread. Objects that share an emitter share the mean of their powers.

use foley_dsp::model::Directivity;
use foley_dsp::propagation::{BANDS, EqualizerDesign, EqualizerWeights, directivity_gains};
use glam::{DQuat, DVec3};

/// Powers within this ratio of those sent last are not sent again: 0.05 dB.
const SAME_POWER: f64 = 1.0116;

/// The directivity of an object and its rotation.
pub(super) type Orientation<'a> = (&'a Directivity, DQuat);

/// What is known of the equaliser of each emitter.
pub(super) struct EmitterDirectivity {
    sample_rate_hz: f64,
    /// Whether it is used; otherwise all objects radiate alike in all directions.
    pub(super) is_on: bool,
    /// Made when it is first needed.
    design: Option<Box<EqualizerDesign>>,
    /// The powers of the bands that were last sent for each emitter.
    sent: Vec<[f64; BANDS]>,
}

impl EmitterDirectivity {
    pub(super) fn new(emitters: usize, sample_rate_hz: f64, is_on: bool) -> Self {
        let sent = vec![[1.0; BANDS]; emitters.max(1)];
        Self { sample_rate_hz, is_on, design: None, sent }
    }

    /// Takes note that an emitter has been placed anew: the audio thread has made it radiate alike in all directions.
    pub(super) fn placed(&mut self, emitter: usize) {
        self.sent[emitter] = [1.0; BANDS];
    }

    /// Returns new weights for an emitter, if its powers have changed. `members` are the objects on it, each with the direction to
    /// the listener; those without directivity radiate alike in all directions. Without members nothing changes.
    pub(super) fn weights<'a>(
        &mut self,
        emitter: usize,
        members: impl Iterator<Item = (Option<Orientation<'a>>, DVec3)>,
    ) -> Option<EqualizerWeights> {
        let (mut sum, mut count) = ([0.0; BANDS], 0.0);
        for (orientation, direction) in members {
            let powers = orientation.filter(|_| self.is_on).map_or(
                [1.0; BANDS],
                |(directivity, rotation)| {
                    directivity_gains(directivity, rotation.conjugate() * direction)
                },
            );
            sum.iter_mut().zip(powers).for_each(|(sum, power)| *sum += power);
            count += 1.0;
        }
        if count == 0.0 {
            return None;
        }
        let powers = sum.map(|sum| sum / count);
        let is_same = |(new, old): (&f64, &f64)| new.max(*old) <= SAME_POWER * new.min(*old);
        let was_flat = self.sent[emitter] == [1.0; BANDS];
        // An exact 1 is the end of all filtering.
        let becomes_flat = powers == [1.0; BANDS] && !was_flat;
        if powers.iter().zip(&self.sent[emitter]).all(is_same) && !becomes_flat {
            return None;
        }
        self.sent[emitter] = powers;
        let rate_hz = self.sample_rate_hz;
        let design = self.design.get_or_insert_with(|| Box::new(EqualizerDesign::new(rate_hz)));
        Some(design.weights(&powers))
    }
}

//! Fast pruner: one upper envelope instead of a sweep for each masker.
//!
//! \[CS\] §4 names the idea (after Lagrange & Marchand 2001). The result equals that of
//! [`prune_2004`](super::prune_2004), because all arithmetic is exact (see [`Tone`]) and because
//! most of the paper's bookkeeping has no effect:
//!
//! - *Order.* A tone that is not louder than k has at most `L − a_v ≤ L_k` at k: it neither masks k
//!   nor disqualifies it as a masker. So k is masked if *any* masker's curve is above it.
//! - *The hearing threshold.* A tone above Th satisfies `L_k < μ(b_k)` only if `L_k < p(b_k)`. But
//!   a tone less than a_v above Th is no masker once an earlier masker exists, and the loudest tone
//!   is one: such tones are excluded, except the loudest. This matters: below 100 Hz the threshold
//!   falls faster than their curves.
//! - *Disqualified maskers.* If masker i disqualifies k, `L_k < p_i(b_k) + a_v`: the peak of k's
//!   curve is below the curve of i. As i is louder, its upper slope is not steeper, the lower slopes
//!   are equal, and none is negative: k's curve is below i's everywhere and may stay in the
//!   envelope.
//!
//! What remains: tones sorted by Bark; from the right the lower sides, all of one slope, as a
//! running maximum; from the left the upper sides, as an [`UpperEnvelope`]. The sort is O(N log N),
//! the sweeps O(N).

use super::{Audibility, LOWER_SLOPE, Masking, Tone, upper_envelope::UpperEnvelope};
use thiserror::Error;

/// More tones than the capacity of the pruner.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{tones} tones for a pruner of {capacity}; make it with a larger capacity")]
pub struct OverCapacity {
    /// Number of tones.
    pub tones: usize,
    /// Capacity of the pruner.
    pub capacity: usize,
}

/// A tone above the hearing threshold.
#[derive(Debug, Clone, Copy)]
struct AudibleTone {
    tone: Tone,
    index: usize,
    masks: bool,
}

/// Finds the inaudible modes.
///
/// Real-time: [`prune`](Self::prune) neither allocates nor panics.
///
/// ```
/// use foley_dsp::perception::{EnvelopePruner, Audibility, Masking, Tone};
/// let mut pruner = EnvelopePruner::with_capacity(2);
/// let audibility = pruner.prune(Masking::new(5.0), &[Tone::new(900.0, 60.0), Tone::new(950.0, 40.0)]);
/// assert_eq!(audibility, Ok(&[Audibility::Audible, Audibility::Masked][..]));
/// ```
#[derive(Debug, Clone)]
pub struct EnvelopePruner {
    capacity: usize,
    candidates: Vec<AudibleTone>,
    audibility: Vec<Audibility>,
    envelope: UpperEnvelope,
}

impl EnvelopePruner {
    /// Makes a pruner for up to `capacity` tones. All allocation happens here.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            capacity,
            candidates: Vec::with_capacity(capacity),
            audibility: Vec::with_capacity(capacity),
            envelope: UpperEnvelope::with_capacity(capacity),
        }
    }

    /// Returns the most tones it accepts.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the audibility of each tone, in the order of `tones`.
    ///
    /// # Errors
    /// More tones than [`capacity`](Self::capacity).
    pub fn prune(
        &mut self,
        masking: Masking,
        tones: &[Tone],
    ) -> Result<&[Audibility], OverCapacity> {
        if tones.len() > self.capacity {
            return Err(OverCapacity { tones: tones.len(), capacity: self.capacity });
        }
        self.audibility.clear();
        self.audibility.resize(tones.len(), Audibility::BelowThreshold);
        self.gather(masking, tones);
        self.candidates.sort_unstable_by(|a, b| a.tone.bark().total_cmp(&b.tone.bark()));
        self.mask_downwards(masking);
        self.mask_upwards(masking);
        Ok(&self.audibility)
    }

    /// Collects the tones above the hearing threshold, and which of them mask.
    fn gather(&mut self, masking: Masking, tones: &[Tone]) {
        self.candidates.clear();
        let mut loudest = 0;
        for (index, &tone) in tones.iter().enumerate().filter(|(_, tone)| tone.is_above_threshold())
        {
            self.audibility[index] = Audibility::Audible;
            let masks = tone.level_db() >= tone.threshold_db() + masking.a_v_db();
            self.candidates.push(AudibleTone { tone, index, masks });
            // The first of equals counts as the loudest.
            if tone.level_db() > self.candidates[loudest].tone.level_db() {
                loudest = self.candidates.len() - 1;
            }
        }
        if let Some(loudest) = self.candidates.get_mut(loudest) {
            loudest.masks = true;
        }
    }

    /// Applies the lower sides of the curves, from the highest tone down.
    fn mask_downwards(&mut self, masking: Masking) {
        // The largest `p(0)` of the lower sides so far.
        let mut highest_db = f64::NEG_INFINITY;
        for AudibleTone { tone, index, masks } in self.candidates.iter().rev() {
            let rise_db = LOWER_SLOPE * tone.bark();
            if tone.level_db() < highest_db + rise_db {
                self.audibility[*index] = Audibility::Masked;
            }
            if *masks {
                highest_db = highest_db.max(masking.curve(tone).peak_db() - rise_db);
            }
        }
    }

    /// Applies the upper sides of the curves, from the lowest tone up.
    fn mask_upwards(&mut self, masking: Masking) {
        self.envelope.clear();
        for AudibleTone { tone, index, masks } in &self.candidates {
            let height_db = self.envelope.advance_to(tone.bark());
            if tone.level_db() < height_db {
                self.audibility[*index] = Audibility::Masked;
            }
            if *masks {
                let curve = masking.curve(tone);
                // A curve that begins below a louder one stays below it.
                if curve.peak_db() > height_db {
                    self.envelope.push(curve);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::{hz_from_bark, prune_2004};

    fn tone_at(bark: f64, level_db: f64) -> Tone {
        Tone::new(hz_from_bark(bark), level_db)
    }

    #[test]
    fn too_many_tones_are_an_error_and_do_no_harm() {
        let mut pruner = EnvelopePruner::with_capacity(1);
        let two = [Tone::new(500.0, 50.0); 2];
        let error = pruner.prune(Masking::default(), &two);
        assert_eq!(error, Err(OverCapacity { tones: 2, capacity: 1 }));
        assert_eq!(pruner.prune(Masking::default(), &two[..1]), Ok(&[Audibility::Audible][..]));
        assert_eq!(pruner.prune(Masking::default(), &[]), Ok(&[][..]));
    }

    #[test]
    fn results_do_not_depend_on_earlier_calls() {
        let mut pruner = EnvelopePruner::with_capacity(400);
        for n in [400, 3, 200, 0, 1] {
            let tones: Vec<Tone> = (0..n)
                .map(|i| tone_at(1.0 + 0.05 * f64::from(i), 40.0 + f64::from(i * 37 % 29)))
                .collect();
            let audibility = pruner.prune(Masking::default(), &tones).unwrap();
            assert_eq!(audibility, prune_2004(Masking::default(), &tones, None));
        }
    }

    /// All tones mask and none is masked: the sweep of \[CS\] would visit every pair. Equal levels,
    /// rising ones, and falling ones, which give the deepest stack.
    #[test]
    fn the_work_stays_below_n_log_n() {
        let n = 65_536;
        for (from_db, to_db) in [(80.0, 80.0), (60.0, 100.0), (100.0, 60.0)] {
            let tones: Vec<Tone> = (0..n)
                .map(|i| f64::from(i) / f64::from(n))
                .map(|x| tone_at(2.0 + 20.0 * x, from_db + (to_db - from_db) * x))
                .collect();
            let mut pruner = EnvelopePruner::with_capacity(tones.len());
            let audibility = pruner.prune(Masking::new(1.0), &tones).unwrap();
            assert!(audibility.iter().all(|audibility| *audibility == Audibility::Audible));
            assert!(pruner.candidates.iter().all(|heard| heard.masks));
            let n = tones.len();
            assert!(pruner.envelope.steps >= n, "every tone asks once");
            let steps = pruner.envelope.steps as f64 / n as f64;
            foley_measured::check!("perception.pruner_steps", steps);
        }
    }
}

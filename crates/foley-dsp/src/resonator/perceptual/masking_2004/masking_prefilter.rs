//! A cheap lower bound of the masking threshold, which removes most modes of a dense scene without
//! a logarithm for each.
//!
//! The loudest mode of every sixteenth of a Bark defines a level that is nowhere above the upper
//! envelope of all masking curves. Modes below it are masked. The curve of a masked mode is below
//! that of its masker everywhere (see [`EnvelopePruner`](crate::perception::EnvelopePruner)), so
//! removing it changes nothing for the others.

use super::mode_mask::lanes_at_least;
use crate::perception::{Curve, LOWER_SLOPE, MAX_BARK, Masking, Tone};
use crate::simd::{LANES, Row};

const BINS_PER_BARK: f64 = 16.0;
/// Margin against rounding, dB.
const ROUNDING_MARGIN_DB: f64 = 0.01;

/// Lower bound of the masking threshold of a block. Allocated once; real-time.
#[derive(Debug)]
pub(crate) struct MaskingPrefilter {
    /// Energy of the loudest mode of each bin, and its tone.
    loudest: Vec<f32>,
    tones: Vec<Tone>,
    /// Modes of a bin with less energy are masked.
    energy: Vec<f32>,
    db: Vec<f64>,
}

impl MaskingPrefilter {
    pub(crate) fn new() -> Self {
        let bins = (MAX_BARK * BINS_PER_BARK) as usize + 1;
        Self {
            loudest: vec![0.0; bins],
            tones: vec![Tone::new(0.0, f64::NEG_INFINITY); bins],
            energy: vec![0.0; bins],
            db: vec![f64::NEG_INFINITY; bins],
        }
    }

    /// Returns the bin of a mode.
    pub(crate) fn bin(tone: &Tone) -> u16 {
        (tone.bark() * BINS_PER_BARK) as u16
    }

    pub(crate) fn clear(&mut self) {
        self.loudest.fill(0.0);
    }

    /// Adds a mode; `energy` in Pa².
    #[inline(always)]
    pub(crate) fn add(&mut self, bin: u16, energy: f32, tone: &Tone) {
        if let Some(loudest) = self.loudest.get_mut(usize::from(bin))
            && energy > *loudest
        {
            *loudest = energy;
            self.tones[usize::from(bin)] = *tone;
        }
    }

    /// Computes the bound, after all modes have been added.
    pub(crate) fn build(&mut self, masking: Masking, gain: f32) {
        self.db.fill(f64::NEG_INFINITY);
        let masker = |energy: f32, mut tone: Tone| {
            tone.set_level_db(10.0 * (f64::from(energy) * f64::from(gain)).log10());
            let is_masker =
                tone.level_db() >= tone.threshold_db() + masking.a_v_db() + ROUNDING_MARGIN_DB;
            (energy > 0.0 && is_masker).then(|| masking.curve(&tone))
        };
        // Upwards a single curve dominates until a peak exceeds it.
        let mut dominant: Option<Curve> = None;
        let loudest = self.loudest.iter().zip(&self.tones);
        for (i, ((energy, tone), db)) in loudest.zip(&mut self.db).enumerate() {
            let (low, high) = (i as f64 / BINS_PER_BARK, (i + 1) as f64 / BINS_PER_BARK);
            *db = dominant.map_or(*db, |dominant| dominant.spread_db(high));
            if let Some(curve) = masker(*energy, *tone) {
                *db = db.max(curve.spread_db(low).min(curve.spread_db(high)));
                if dominant
                    .is_none_or(|dominant| dominant.spread_db(curve.bark()) < curve.peak_db())
                {
                    dominant = Some(curve);
                }
            }
        }
        // Downwards all slopes are equal. The level of a bin is that at its lower end.
        let mut level_db = f64::NEG_INFINITY;
        for (db, energy) in self.db.iter_mut().zip(&mut self.energy).rev() {
            level_db = db.max(level_db - LOWER_SLOPE / BINS_PER_BARK);
            *db = level_db;
            *energy = (10f64.powf((level_db - ROUNDING_MARGIN_DB) / 10.0) / f64::from(gain)) as f32;
        }
    }

    /// Returns the lanes of a row that may be audible.
    #[inline(always)]
    pub(crate) fn unmasked_lanes(&self, bins: &[u16; LANES], energies: &Row) -> u16 {
        lanes_at_least(
            &energies.0,
            &Row(bins.map(|bin| self.energy.get(usize::from(bin)).copied().unwrap_or(0.0))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::{Audibility, hz_from_bark, prune_2004};

    /// Random tones: all tones below the bound are masked, most masked tones are below it, and
    /// pruning the others gives the same result as pruning all.
    #[test]
    fn the_prefilter_removes_masked_tones_and_no_others() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        let mut prefilter = MaskingPrefilter::new();
        let (mut masked, mut covered) = (0, 0);
        for a_v in [0.0, 2.0, 5.0, 20.0] {
            for n in [1, 7, 400, 900] {
                let energies: Vec<f32> =
                    (0..n).map(|_| 10f64.powf(-9.0 + 9.0 * random()) as f32).collect();
                let tones: Vec<Tone> = energies
                    .iter()
                    .map(|e| {
                        let db = 10.0 * f64::from(*e).log10() + 90.0;
                        Tone::new(hz_from_bark(0.3 + 23.0 * random()), db)
                    })
                    .collect();
                let masking = Masking::new(a_v);
                prefilter.clear();
                tones
                    .iter()
                    .zip(&energies)
                    .for_each(|(tone, e)| prefilter.add(MaskingPrefilter::bin(tone), *e, tone));
                prefilter.build(masking, 1e9);
                let audibilities = prune_2004(masking, &tones, None);
                let mut kept = Vec::new();
                for ((tone, energy), audibility) in tones.iter().zip(&energies).zip(audibilities) {
                    masked += usize::from(audibility == Audibility::Masked);
                    let bins = [MaskingPrefilter::bin(tone); LANES];
                    if prefilter.unmasked_lanes(&bins, &Row([*energy; LANES])) != 0 {
                        kept.push((*tone, audibility));
                    } else {
                        assert_ne!(audibility, Audibility::Audible);
                        covered += usize::from(audibility == Audibility::Masked);
                    }
                }
                let left: Vec<Tone> = kept.iter().map(|(tone, _)| *tone).collect();
                let again = prune_2004(masking, &left, None);
                assert!(kept.iter().map(|(_, audibility)| *audibility).eq(again));
            }
        }
        assert!(covered > 9 * masked / 10, "{covered} of {masked}");
    }
}

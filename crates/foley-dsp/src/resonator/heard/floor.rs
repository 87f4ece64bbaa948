//! What is masked at first sight: most modes of a crowded scene, without a logarithm each.
//!
//! The loudest mode in every sixteenth of a Bark makes a floor that lies nowhere above the
//! upper envelope of all masking curves. What is below it is masked; and as the curve of a
//! masked mode is below its masker's everywhere (see
//! [`EnvelopePruner`](crate::perception::EnvelopePruner)), leaving it out changes nothing for
//! the others.

use super::flags::above;
use crate::perception::{Curve, LOWER_SLOPE, MAX_BARK, Masking, Tone};
use crate::simd::{LANES, Row};

/// Steps of the floor in a Bark.
const STEPS: f64 = 16.0;
/// The floor stays this much lower, against rounding, dB.
const CARE_DB: f64 = 0.01;

/// A floor under the masking curves of a block. Made once; real-time.
#[derive(Debug)]
pub(crate) struct Floor {
    /// The loudest mode of each step, and its energy.
    loudest: Vec<f32>,
    tones: Vec<Tone>,
    /// Energies below this are masked, step by step.
    energy: Vec<f32>,
    db: Vec<f64>,
}

impl Floor {
    pub(crate) fn new() -> Self {
        let steps = (MAX_BARK * STEPS) as usize + 1;
        Self {
            loudest: vec![0.0; steps],
            tones: vec![Tone::new(0.0, f64::NEG_INFINITY); steps],
            energy: vec![0.0; steps],
            db: vec![f64::NEG_INFINITY; steps],
        }
    }

    /// The step a mode stands on.
    pub(crate) fn step(tone: &Tone) -> u16 {
        (tone.bark() * STEPS) as u16
    }

    pub(crate) fn clear(&mut self) {
        self.loudest.fill(0.0);
    }

    /// Takes a mode into account; `energy` in Pa².
    #[inline(always)]
    pub(crate) fn add(&mut self, step: u16, energy: f32, tone: &Tone) {
        if let Some(loudest) = self.loudest.get_mut(usize::from(step))
            && energy > *loudest
        {
            *loudest = energy;
            self.tones[usize::from(step)] = *tone;
        }
    }

    /// When all modes are known.
    pub(crate) fn rise(&mut self, masking: Masking, gain: f32) {
        self.db.fill(f64::NEG_INFINITY);
        let masker = |energy: f32, mut tone: Tone| {
            tone.set_level_db(10.0 * (f64::from(energy) * f64::from(gain)).log10());
            let masks = tone.level_db() >= tone.threshold_db() + masking.a_v_db() + CARE_DB;
            (energy > 0.0 && masks).then(|| masking.curve(&tone))
        };
        // Upwards one line at a time rules, until a peak rises above it.
        let mut ruler: Option<Curve> = None;
        let loudest = self.loudest.iter().zip(&self.tones);
        for (i, ((energy, tone), db)) in loudest.zip(&mut self.db).enumerate() {
            let (low, high) = (i as f64 / STEPS, (i + 1) as f64 / STEPS);
            *db = ruler.map_or(*db, |ruler| ruler.spread_db(high));
            if let Some(curve) = masker(*energy, *tone) {
                *db = db.max(curve.spread_db(low).min(curve.spread_db(high)));
                if ruler.is_none_or(|ruler| ruler.spread_db(curve.bark()) < curve.peak_db()) {
                    ruler = Some(curve);
                }
            }
        }
        // Downwards all lines are parallel. The floor of a step is the foot of its own line.
        let mut foot = f64::NEG_INFINITY;
        for (db, energy) in self.db.iter_mut().zip(&mut self.energy).rev() {
            foot = db.max(foot - LOWER_SLOPE / STEPS);
            *db = foot;
            *energy = (10f64.powf((foot - CARE_DB) / 10.0) / f64::from(gain)) as f32;
        }
    }

    /// The lanes of a row that may not be masked.
    #[inline(always)]
    pub(crate) fn spares(&self, steps: &[u16; LANES], energies: &Row) -> u16 {
        above(
            &energies.0,
            &Row(steps.map(|step| self.energy.get(usize::from(step)).copied().unwrap_or(0.0))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::{Audibility, hz_from_bark, prune_2004};

    /// Crowds of random tones: all below the floor are masked, most of the masked are below
    /// the floor, and without them the paper's rule says the same of the rest.
    #[test]
    fn the_floor_takes_masked_tones_and_no_others() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64 / (1u64 << 24) as f64
        };
        let mut floor = Floor::new();
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
                floor.clear();
                tones
                    .iter()
                    .zip(&energies)
                    .for_each(|(tone, e)| floor.add(Floor::step(tone), *e, tone));
                floor.rise(masking, 1e9);
                let fates = prune_2004(masking, &tones, None);
                let mut rest = Vec::new();
                for ((tone, energy), fate) in tones.iter().zip(&energies).zip(fates) {
                    masked += usize::from(fate == Audibility::Masked);
                    let steps = [Floor::step(tone); LANES];
                    if floor.spares(&steps, &Row([*energy; LANES])) != 0 {
                        rest.push((*tone, fate));
                    } else {
                        assert_ne!(fate, Audibility::Audible);
                        covered += usize::from(fate == Audibility::Masked);
                    }
                }
                let left: Vec<Tone> = rest.iter().map(|(tone, _)| *tone).collect();
                let again = prune_2004(masking, &left, None);
                assert!(rest.iter().map(|(_, fate)| *fate).eq(again));
            }
        }
        assert!(covered > 9 * masked / 10, "{covered} of {masked}");
    }
}

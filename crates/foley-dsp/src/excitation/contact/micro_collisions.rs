//! Micro-collisions: one hard impact as a burst of smaller ones.
//!
//! The vibrations of a large body separate it repeatedly from a small hard one: "sequences of very
//! fast contact separations and collisions", simulated by impulses at the first four modal
//! frequencies within 15 ms, \[FA\] §4.1. A single pulse sounds too clean.
//!
//! The first impulse gets half of J. The other half follows in trains at integer periods of each
//! mode, decaying over 5 ms, with random weights. All impulses have one sign and sum to J, so
//! momentum is conserved. No mode receives more energy than from the single impact, since
//! `|Σ Jᵢ e^{iω tᵢ}| ≤ Σ Jᵢ = J` at every frequency.
//!
//! A contact longer than half a period of a mode does not break within it: such modes get no
//! train, and a soft impact stays single.

use super::Impact;
use foley_geometry::rng::SplitMix64;

/// Modes that get a train.
const MODES: usize = 4;
/// Most impulses in the train of one mode. Tuned by ear.
const IMPACTS_PER_MODE: usize = 6;
/// Most impulses of a burst.
pub const MAX_MICRO_IMPACTS: usize = 1 + MODES * IMPACTS_PER_MODE;
/// Length of a burst, s (\[FA\] §4.1).
const BURST_S: f64 = 0.015;
/// Time constant of the trains, s. Tuned by ear.
const FADE_S: f64 = 0.005;
/// Share of the impulse in the trains. Tuned by ear.
const SECONDARY_SHARE: f64 = 0.5;

/// One impact of a burst.
#[derive(Debug, Clone, PartialEq)]
pub struct MicroImpact {
    /// Delay after first contact, s.
    pub delay_s: f64,
    /// Impulse and duration.
    pub impact: Impact,
}

/// An impact split into several. Real-time: nothing allocates.
#[derive(Debug, Clone, PartialEq)]
pub struct MicroBurst {
    impacts: [MicroImpact; MAX_MICRO_IMPACTS],
    count: usize,
}

impl MicroBurst {
    /// Splits an impact on a body with these modes, Hz, lowest first; the first four are used.
    ///
    /// ```
    /// use foley_dsp::excitation::{Impact, MicroBurst};
    /// let marble_on_stone = Impact::new(0.01, 50e-6)?;
    /// let burst = MicroBurst::new(&marble_on_stone, &[310.0, 850.0, 1640.0, 2700.0], 1);
    /// assert!(burst.impacts().len() > 10);
    /// let total: f64 = burst.impacts().iter().map(|i| i.impact.impulse_ns()).sum();
    /// assert!((total - 0.01).abs() < 1e-15);
    /// # Ok::<(), foley_dsp::excitation::ContactError>(())
    /// ```
    pub fn new(impact: &Impact, frequencies_hz: &[f64], seed: u64) -> Self {
        let single = MicroImpact { delay_s: 0.0, impact: impact.clone() };
        let mut burst = Self { impacts: std::array::from_fn(|_| single.clone()), count: 1 };
        let mut weights = [0.0; MAX_MICRO_IMPACTS];
        let mut rng = SplitMix64::new(seed);
        let hard = |f: &&f64| **f > 0.0 && 2.0 * impact.duration_s() * **f <= 1.0;
        for f in frequencies_hz.iter().take(MODES).filter(hard) {
            // Spread over the burst, always at integer periods.
            let periods = (BURST_S * f).floor();
            let stride = (periods / IMPACTS_PER_MODE as f64).ceil().max(1.0);
            for k in 1..=IMPACTS_PER_MODE {
                let delay_s = k as f64 * stride / f;
                let weight = (0.5 + rng.unit()) * (-delay_s / FADE_S).exp();
                if delay_s <= BURST_S {
                    burst.impacts[burst.count].delay_s = delay_s;
                    weights[burst.count] = weight;
                    burst.count += 1;
                }
            }
        }
        let total: f64 = weights.iter().sum();
        if total > 0.0 {
            weights.iter_mut().for_each(|w| *w *= SECONDARY_SHARE / total);
            weights[0] = 1.0 - weights[1..].iter().sum::<f64>();
            for (micro, weight) in burst.impacts[..burst.count].iter_mut().zip(weights) {
                micro.impact = impact.scaled(weight);
            }
            burst.impacts[..burst.count].sort_unstable_by(|a, b| a.delay_s.total_cmp(&b.delay_s));
        }
        burst
    }

    /// Returns the impacts in order of time, the first without delay.
    pub fn impacts(&self) -> &[MicroImpact] {
        &self.impacts[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn momentum_is_kept_and_no_mode_gets_more_energy(
            impulse in -10.0..10.0f64, tau in 1e-6..2e-3f64,
            f in prop::collection::vec(20.0..20_000.0f64, 0..6), seed: u64,
        ) {
            let impact = Impact::new(impulse, tau).unwrap();
            let burst = MicroBurst::new(&impact, &f, seed);
            let all = burst.impacts();
            let total: f64 = all.iter().map(|i| i.impact.impulse_ns()).sum();
            prop_assert!((total - impulse).abs() <= 1e-14 * impulse.abs());
            prop_assert!(all.iter().all(|i| i.impact.impulse_ns() * impulse >= 0.0));
            prop_assert!(all.iter().all(|i| i.impact.duration_s() == tau));
            prop_assert_eq!(all[0].delay_s, 0.0);
            prop_assert!(all.windows(2).all(|w| w[0].delay_s <= w[1].delay_s));
            prop_assert!(all.iter().all(|i| i.delay_s <= 0.015));
            for hz in f.iter().copied().chain([100.0, 1e3, 1e4]) {
                let turn = |i: &MicroImpact| (std::f64::consts::TAU * hz * i.delay_s).sin_cos();
                let (mut re, mut im) = (0.0, 0.0);
                for i in all {
                    let (s, c) = turn(i);
                    re += i.impact.impulse_ns() * c;
                    im += i.impact.impulse_ns() * s;
                }
                prop_assert!(re.hypot(im) <= impulse.abs() * (1.0 + 1e-12));
            }
        }
    }

    /// At its own frequency a train adds up in phase.
    #[test]
    fn trains_keep_time_with_their_modes() {
        let impact = Impact::new(1.0, 20e-6).unwrap();
        let f = 730.0;
        let burst = MicroBurst::new(&impact, &[f], 4);
        assert_eq!(burst.impacts().len(), 6);
        for micro in burst.impacts() {
            let periods = micro.delay_s * f;
            assert!((periods - periods.round()).abs() < 1e-9);
        }
    }

    #[test]
    fn a_soft_impact_stays_single() {
        let soft = Impact::new(0.3, 4e-3).unwrap();
        let burst = MicroBurst::new(&soft, &[440.0, 900.0], 1);
        assert_eq!(burst.impacts(), [MicroImpact { delay_s: 0.0, impact: soft.clone() }]);
        let broken = MicroBurst::new(&soft, &[f64::NAN, -3.0, 0.0, f64::INFINITY], 1);
        assert_eq!(broken.impacts().len(), 1);
    }

    #[test]
    fn the_seed_decides() {
        let impact = Impact::new(1.0, 20e-6).unwrap();
        let burst = |seed| MicroBurst::new(&impact, &[200.0, 500.0, 1100.0, 2000.0], seed);
        assert_eq!(burst(1), burst(1));
        assert_ne!(burst(1), burst(2));
    }
}

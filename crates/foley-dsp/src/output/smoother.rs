//! Gain smoother: a weighted mean of the last L + 1 gains by two cascaded box filters.
//!
//! Boxes of lengths `B₁ + B₂ = L + 2` form a nearly triangular window over L + 1 values, so that the
//! smoothed gain has no steps and no corners: for gains within 0…1 it changes by at most `1/B₂` per
//! frame, and that slope by at most `2/(B₁ B₂)`.
//!
//! The running sums are integers. A floating-point running sum drifts: it would never return to a
//! gain of exactly 1, nor stay a mean of the values in its window. Gains are rounded *down* to a
//! multiple of 2⁻⁹⁶ and sums are exact, so the mean exceeds the true one by at most the rounding of
//! the final division.

/// The longest window, L + 1: keeps `B₁ B₂ 2⁹⁶` within 128 bits.
pub(super) const MAX_WINDOW: usize = 100_000;

/// 2⁹⁶ represents a gain of one.
const ONE: u128 = 1 << 96;

/// Smooths gains between 0 and 1 over `window` values, starting from all ones.
///
/// Real-time: [`push`](Self::push) neither allocates nor panics.
#[derive(Debug, Clone)]
pub(super) struct Smoother {
    boxes: [RunningSum; 2],
    full: u128,
}

impl Smoother {
    /// Makes a smoother over `window` values, 1 to [`MAX_WINDOW`].
    pub(super) fn new(window: usize) -> Self {
        let [b1, b2] = box_lengths(window.clamp(1, MAX_WINDOW));
        let first = RunningSum::new(b1, ONE);
        let second = RunningSum::new(b2, first.sum);
        Self { full: second.sum, boxes: [first, second] }
    }

    /// Adds a gain and returns the weighted mean of the last `window`; exactly 1 if all of them are.
    pub(super) fn push(&mut self, gain: f64) -> f64 {
        let down = (gain.clamp(0.0, 1.0) * ONE as f64) as u128;
        let [first, second] = &mut self.boxes;
        let sum = second.push(first.push(down));
        if sum == self.full { 1.0 } else { sum as f64 / self.full as f64 }
    }

    /// Sets all gains to one.
    pub(super) fn reset(&mut self) {
        let [first, second] = &mut self.boxes;
        first.fill(ONE);
        second.fill(first.sum);
    }
}

/// Returns B₁ and B₂ with B₁ + B₂ = window + 1, B₁ ≤ B₂.
pub(super) fn box_lengths(window: usize) -> [usize; 2] {
    let b1 = window.div_ceil(2);
    [b1, window + 1 - b1]
}

/// The exact sum of the last B values.
#[derive(Debug, Clone)]
struct RunningSum {
    ring: Vec<u128>,
    at: usize,
    sum: u128,
}

impl RunningSum {
    fn new(length: usize, initial: u128) -> Self {
        Self { ring: vec![initial; length], at: 0, sum: initial * length as u128 }
    }

    fn push(&mut self, value: u128) -> u128 {
        let oldest = std::mem::replace(&mut self.ring[self.at], value);
        self.at = if self.at + 1 == self.ring.len() { 0 } else { self.at + 1 };
        self.sum = self.sum - oldest + value;
        self.sum
    }

    fn fill(&mut self, value: u128) {
        self.ring.fill(value);
        (self.at, self.sum) = (0, value * self.ring.len() as u128);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_naive_weighted_mean(
            gains in prop::collection::vec(0.0..1.0f64, 1..200), window in 1usize..40,
        ) {
            let [b1, b2] = box_lengths(window);
            let mut smoother = Smoother::new(window);
            let mut seen = vec![1.0; window];
            for g in gains {
                seen.push(g);
                let last = &seen[seen.len() - window..];
                let naive: f64 = (0..b2).flat_map(|i| &last[i..i + b1]).sum();
                let naive = naive / (b1 * b2) as f64;
                let smooth = smoother.push(g);
                prop_assert!((smooth - naive).abs() < 1e-13, "{} {}", smooth, naive);
                let largest = last.iter().copied().fold(0.0, f64::max);
                prop_assert!(smooth <= largest * (1.0 + f64::EPSILON));
            }
            // No drift: a window of ones gives exactly one again.
            let last = (0..window).fold(0.0, |_, _| smoother.push(1.0));
            prop_assert_eq!(last, 1.0);
        }
    }

    #[test]
    fn the_longest_window_does_not_overflow() {
        let mut smoother = Smoother::new(usize::MAX);
        assert_eq!(smoother.push(1.0), 1.0);
        assert!(smoother.push(0.0) < 1.0);
        smoother.reset();
        assert_eq!(smoother.push(1.0), 1.0);
    }
}

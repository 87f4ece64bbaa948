//! Sliding-window minimum in O(1) amortised time per value.
//!
//! A queue of candidates in rising order (Lemire 2006, "Streaming maximum-minimum filter using no
//! more than three comparisons per element"): a new value removes all candidates that are not
//! smaller, since they leave the window before it does. The front is the minimum.

/// Minimum of the last W values; values before the first count as `initial`.
///
/// Real-time: [`push`](Self::push) neither allocates nor panics.
#[derive(Debug, Clone)]
pub(super) struct SlidingMin {
    /// Ring of candidates: time of arrival and value.
    ring: Vec<(u64, f64)>,
    head: usize,
    len: usize,
    now: u64,
    initial: f64,
}

impl SlidingMin {
    /// Makes a window over `window` values, at least one.
    pub(super) fn new(window: usize, initial: f64) -> Self {
        let mut min =
            Self { ring: vec![(0, initial); window.max(1)], head: 0, len: 0, now: 0, initial };
        min.reset();
        min
    }

    /// Adds a value and returns the minimum of the last W, including it.
    pub(super) fn push(&mut self, value: f64) -> f64 {
        self.now += 1;
        if self.ring[self.head].0 + self.ring.len() as u64 <= self.now {
            self.head = self.slot(1);
            self.len -= 1;
        }
        while self.len > 0 && self.ring[self.slot(self.len - 1)].1 >= value {
            self.len -= 1;
        }
        let back = self.slot(self.len);
        self.ring[back] = (self.now, value);
        self.len += 1;
        self.ring[self.head].1
    }

    /// Returns the ring index of candidate `i`, counted from the front; i ≤ W.
    fn slot(&self, i: usize) -> usize {
        let at = self.head + i;
        if at < self.ring.len() { at } else { at - self.ring.len() }
    }

    /// Restores the state after construction.
    pub(super) fn reset(&mut self) {
        // The newest value represents a window full of `initial`.
        (self.head, self.len, self.now) = (0, 1, 0);
        self.ring[0] = (0, self.initial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_the_naive_minimum(
            values in prop::collection::vec(0u8..20, 0..200), window in 1usize..40,
        ) {
            let mut min = SlidingMin::new(window, 10.0);
            let mut seen = vec![10.0; window];
            for v in values {
                seen.push(f64::from(v));
                let naive = seen[seen.len() - window..].iter().copied().fold(f64::MAX, f64::min);
                prop_assert_eq!(min.push(f64::from(v)), naive);
            }
        }
    }
}

//! Pseudo-random numbers by S. Vigna's SplitMix64, the same on every machine.

pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Draws uniformly from [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws uniformly between two numbers.
    pub(super) fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Draws an index below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Draws the time until the next event of a Poisson process, s.
    pub(super) fn poisson_wait(&mut self, per_second: f64) -> f64 {
        -(1.0 - self.unit()).ln() / per_second
    }

    /// Draws an index with the probability of its weight, given as [`cumulative`] sums.
    pub(super) fn weighted(&mut self, cumulative: &[f64]) -> usize {
        let at = self.unit() * cumulative.last().copied().unwrap_or(0.0);
        cumulative.partition_point(|sum| *sum <= at).min(cumulative.len().saturating_sub(1))
    }
}

/// Returns the cumulative sums of weights.
pub(super) fn cumulative(weights: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let add = |sum: &mut f64, weight: f64| {
        *sum += weight;
        Some(*sum)
    };
    weights.into_iter().scan(0.0, add).collect()
}

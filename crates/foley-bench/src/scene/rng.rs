//! Random numbers that depend on nothing but their seed (S. Vigna's splitmix64).

pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform between two numbers.
    pub(super) fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.unit()
    }

    /// One of `count` things.
    pub(super) fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// The time until the next event of a Poisson process, s.
    pub(super) fn wait(&mut self, per_second: f64) -> f64 {
        -(1.0 - self.unit()).ln() / per_second
    }

    /// An index, each as likely as its weight; `sums` are the weights added up.
    pub(super) fn weighted(&mut self, sums: &[f64]) -> usize {
        let at = self.unit() * sums.last().copied().unwrap_or(0.0);
        sums.partition_point(|sum| *sum <= at).min(sums.len().saturating_sub(1))
    }
}

/// Weights added up, for [`Chance::weighted`].
pub(super) fn sums(weights: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let add = |sum: &mut f64, weight: f64| {
        *sum += weight;
        Some(*sum)
    };
    weights.into_iter().scan(0.0, add).collect()
}

//! Seeded random generator for start vectors and for signs (SplitMix64, Vigna 2015). It is separate from the
//! workspace's generator because this crate depends on no other Foley crate.

pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a uniform number in −1 … 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

//! Seeded random number generator: SplitMix64, the same sequence on every machine.
//!
//! Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, fig. 13.

use std::f64::consts::TAU;

/// A stream of random numbers that depends on its seed alone.
///
/// ```
/// use foley_geometry::rng::SplitMix64;
/// let mut rng = SplitMix64::new(1_234_567);
/// assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
/// assert!((0.0..1.0).contains(&rng.unit()));
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts the stream of a seed.
    #[inline]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number in [0, 1), in steps of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a uniform number in [−1, 1).
    #[inline]
    pub fn signed_unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (2.0 / (1_u64 << 53) as f64) - 1.0
    }

    /// Returns two independent numbers of the standard normal distribution (Box & Muller 1958).
    pub fn normal_pair(&mut self) -> [f64; 2] {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        let (sin, cos) = (TAU * self.unit()).sin_cos();
        [radius * cos, radius * sin]
    }

    /// Returns a uniform point of the cube [−1, 1)³.
    pub fn cube(&mut self) -> [f64; 3] {
        [self.signed_unit(), self.signed_unit(), self.signed_unit()]
    }

    /// Returns a uniform direction, by rejection of points outside the unit ball.
    pub fn direction(&mut self) -> [f64; 3] {
        for _ in 0..64 {
            let v = self.cube();
            let length2: f64 = v.iter().map(|x| x * x).sum();
            if (1e-4..=1.0).contains(&length2) {
                return v.map(|x| x / length2.sqrt());
            }
        }
        [0.0, 0.0, 1.0]
    }
}

/// Returns a seed from a text (FNV-1a hash, 64 bits).
pub fn seed_from_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_sequence() {
        let mut rng = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn unit_numbers_are_uniform() {
        let mut rng = SplitMix64::new(1);
        let (mut sum, mut sum_sq) = (0.0, 0.0);
        let n = 100_000;
        for _ in 0..n {
            let u = rng.unit();
            assert!((0.0..1.0).contains(&u));
            sum += u;
            sum_sq += u * u;
        }
        let mean = sum / f64::from(n);
        let variance = sum_sq / f64::from(n) - mean * mean;
        assert!((mean - 0.5).abs() < 0.005, "mean {mean}");
        assert!((variance - 1.0 / 12.0).abs() < 0.002, "variance {variance}");
    }
}

//! Numbers that look random and are the same on every machine (SplitMix64, Steele 2014).

/// A stream of numbers that follows from its seed.
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly between −1 and 1.
    pub(crate) fn either_way(&mut self) -> f64 {
        // 53 bits fill the fraction of a double.
        (self.next() >> 11) as f64 * (2.0 / (1u64 << 53) as f64) - 1.0
    }

    /// A point evenly in the cube from −1 to 1.
    pub(crate) fn cube(&mut self) -> [f64; 3] {
        [self.either_way(), self.either_way(), self.either_way()]
    }

    /// A direction, all alike: the first point of the cube that lies in the ball.
    pub(crate) fn direction(&mut self) -> [f64; 3] {
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

/// A number from a text, the same everywhere (FNV-1a).
pub(crate) fn of_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

//! Stateless random numbers: a hash of (stone, seed, purpose).
//!
//! All arithmetic wraps on u32, so the same code in WGSL gives the same words. A fraction has 24 bits, so
//! f32 holds it exactly. Words by purpose (*salt*):
//!
//! | salt | word 0 | word 1 | word 2 | word 3 |
//! |---|---|---|---|---|
//! | [`BIRTH`] | time within the slot | position in the cloud, first | position, second | energy |
//! | [`SPREAD`] | velocity spread, x | y | z | – |
//! | [`BOUNCE`] | scatter of the bounce, x | y | z | – |

/// Salt of the words for time, position and energy at birth.
pub const BIRTH: u32 = 0;
/// Salt of the words for the velocity spread.
pub const SPREAD: u32 = 1;
/// Salt of the words for the bounce.
pub const BOUNCE: u32 = 2;

/// Returns four words for a stone: the PCG4D hash of Jarzynski and Olano, *Hash functions for GPU rendering*
/// (2020), of (index low, index high, seed, salt).
pub fn words(index: u64, seed: u32, salt: u32) -> [u32; 4] {
    pcg4d([index as u32, (index >> 32) as u32, seed, salt])
}

/// The PCG4D hash: one linear congruential step on each word, then two rounds of mixing.
pub fn pcg4d(words: [u32; 4]) -> [u32; 4] {
    let step = |word: u32| word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    let mixed = mix(words.map(step));
    mix(mixed.map(|word| word ^ (word >> 16)))
}

fn mix([x, y, z, w]: [u32; 4]) -> [u32; 4] {
    let x = x.wrapping_add(y.wrapping_mul(w));
    let y = y.wrapping_add(z.wrapping_mul(x));
    let z = z.wrapping_add(x.wrapping_mul(y));
    let w = w.wrapping_add(y.wrapping_mul(z));
    [x, y, z, w]
}

/// Returns the upper 24 bits of a word as a number in [0, 1).
pub fn fraction(word: u32) -> f64 {
    f64::from(word >> 8) * (1.0 / 16_777_216.0)
}

/// Returns the fractions of the four words of a stone.
pub fn fractions(index: u64, seed: u32, salt: u32) -> [f64; 4] {
    words(index, seed, salt).map(fraction)
}

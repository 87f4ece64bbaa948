//! Profile reader, the phonograph needle of \[FA\] §4.2.
//!
//! The signal is divided into steps of at most 32 samples. Within a step the speed, the weights of
//! the mipmap levels and the crossfade between tiles change linearly, and every sample is computed
//! from its number in the step: so the samples do not depend on block sizes.
//!
//! A random track never repeats: it is assembled from one table in tiles of half its length, each
//! cut at an offset that depends on the tile's number; the last quarter of a tile is crossfaded
//! into the next. The height depends on the position alone, so a reversed motion reads the same
//! track backwards.

use fearless_simd::{dispatch, prelude::*};
use fearless_simd_macros::simd;
use std::f64::consts::FRAC_PI_2;

use super::Profile;
use super::mipmap::{self, LEVELS};
use foley_geometry::rng::SplitMix64;

/// Samples per step.
pub(crate) const STEP: usize = 32;

/// Reads a profile. Real-time.
#[derive(Debug, Clone)]
pub(crate) struct ProfileReader {
    /// Position at the beginning of the step, in entries of level 0, 32.32 bit fixed point.
    position: u64,
    /// Entries per sample at the beginning of the step, 32.32 bit fixed point.
    increment: i64,
    /// Change of the increment per sample.
    increment_slope: i64,
    /// Weights at the beginning of the step, and their change per sample.
    levels: [[f32; 2]; LEVELS],
    tiles: [Tile; 2],
    /// Samples of the step already read.
    read: usize,
}

/// Offset of a tile in the table, its gain and the change of the gain per sample.
#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    shift: u64,
    gain: [f32; 2],
}

impl ProfileReader {
    /// Makes a reader at rest, at a position that depends on the seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut levels = [[0.0; 2]; LEVELS];
        levels[0][0] = 1.0;
        let position = SplitMix64::new(seed).next_u64();
        Self {
            position,
            increment: 0,
            increment_slope: 0,
            levels,
            tiles: Default::default(),
            read: 0,
        }
    }

    /// Returns the displacement from the beginning of the step, in entries: the sum of increments.
    fn displacement(&self, samples: usize) -> u64 {
        let n = samples as i64;
        let acceleration = self.increment_slope.wrapping_mul(n * (n - 1) / 2);
        self.increment.wrapping_mul(n).wrapping_add(acceleration) as u64
    }

    /// Begins a step at the present position that ends with this speed.
    pub(crate) fn begin_step(&mut self, profile: &Profile, speed_m_s: f64) {
        self.position = self.position.wrapping_add(self.displacement(self.read));
        self.increment =
            self.increment.wrapping_add(self.increment_slope.wrapping_mul(self.read as i64));
        let entries = profile.entries_per_sample(speed_m_s);
        let increment = (entries * (1u64 << 32) as f64) as i64;
        self.increment_slope = (increment - self.increment) / STEP as i64;
        let weights = mipmap::level_weights(entries.abs());
        for (level, weight) in self.levels.iter_mut().zip(weights) {
            let from = level[0] + level[1] * self.read as f32;
            // A rounding residue would keep the level active for ever.
            let from = if from.abs() < 1e-6 { 0.0 } else { from };
            *level = [from, (weight - from) / STEP as f32];
        }
        self.read = 0;
        self.tiles = match profile.tiles {
            Some(seed) => self.tiles(seed, profile.levels.bits),
            None => [Tile { shift: 0, gain: [1.0, 0.0] }, Tile::default()],
        };
    }

    /// Returns the tile at the beginning of the step and the next one.
    fn tiles(&self, seed: u64, bits: u32) -> [Tile; 2] {
        let tile_bits = bits + 31; // half the table, 32.32 bits
        let length = (1u64 << tile_bits) as f64;
        let number = self.position >> tile_bits;
        let begin = (self.position & ((1 << tile_bits) - 1)) as f64 / length;
        let end = begin + self.displacement(STEP) as i64 as f64 / length;
        let fade = |at: f64| match at > 0.75 {
            true => (FRAC_PI_2 * ((at - 0.75) / 0.25).min(1.0)).sin_cos(),
            false => (0.0, 1.0),
        };
        let ([next0, this0], [next1, this1]) = (fade(begin).into(), fade(end).into());
        let line = |a: f64, b: f64| [a as f32, ((b - a) / STEP as f64) as f32];
        let shift = |number: u64| {
            // Multiples of an entry of the coarsest level shift all levels equally. Neighbours take
            // even and odd offsets: a tile crossfaded with itself would be too loud.
            let pairs = 1u64 << (bits - LEVELS as u32);
            let pair = SplitMix64::new(seed ^ number).next_u64() % pairs;
            (2 * pair + (number & 1)) << (32 + LEVELS - 1)
        };
        let mask = (1u64 << (64 - tile_bits)) - 1;
        [
            Tile { shift: shift(number), gain: line(this0, this1) },
            Tile { shift: shift((number + 1) & mask), gain: line(next0, next1) },
        ]
    }

    /// Returns the remaining samples of the step.
    pub(crate) fn left(&self) -> usize {
        STEP - self.read
    }

    /// Advances without reading, by at most [`left`](Self::left) samples.
    pub(crate) fn skip(&mut self, samples: usize) {
        self.read += samples;
    }

    /// Writes the next samples of the unit profile, at most [`left`](Self::left).
    pub(crate) fn read(&mut self, profile: &Profile, y: &mut [f32]) {
        dispatch!(profile.cpu, simd => read(simd, self, profile, y));
    }
}

/// Plain loops that the compiler vectorises.
#[simd]
fn read<S: Simd>(_simd: S, reader: &mut ProfileReader, profile: &Profile, y: &mut [f32]) {
    y.fill(0.0);
    let done = reader.read;
    let mut position = reader.position.wrapping_add(reader.displacement(done));
    let mut increment =
        reader.increment.wrapping_add(reader.increment_slope.wrapping_mul(done as i64));
    let mut at = [0; STEP];
    for at in &mut at {
        *at = position;
        position = position.wrapping_add(increment as u64);
        increment = increment.wrapping_add(reader.increment_slope);
    }
    let heard = |[from, slope]: [f32; 2]| from != 0.0 || slope != 0.0;
    for tile in reader.tiles.iter().filter(|t| heard(t.gain)) {
        for (level, weight) in reader.levels.iter().enumerate().filter(|(_, w)| heard(**w)) {
            // Where both change they change slowly: their product is taken as linear.
            let ends = [0.0, STEP as f32]
                .map(|n| (weight[0] + weight[1] * n) * (tile.gain[0] + tile.gain[1] * n));
            let slope = (ends[1] - ends[0]) / STEP as f32;
            let gain = |n: usize| ends[0] + slope * (done + n) as f32;
            profile.levels.add(level, &at, tile.shift, gain, y);
        }
    }
    reader.read += y.len();
}

//! Eight sums per band, and the transposition between lanes and bands.

use fearless_simd::prelude::*;

/// Sums per band.
pub(crate) const NUMBERS: usize = 8;

/// The sums of one band over a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(crate) struct BandAccumulator(pub(crate) [f32; NUMBERS]);

/// Complex amplitude at the end of the block.
pub(crate) const END: usize = 0;
/// Energy E of the modes at the start of the block: Σ E, Σ E δ with the frequency offset δ, and Σ E
/// d with the decay rate d.
pub(crate) const ENERGY: usize = 2;
pub(crate) const ENERGY_OFFSET: usize = 3;
pub(crate) const ENERGY_DECAY: usize = 4;
/// Σ E δ².
pub(crate) const ENERGY_OFFSET_SQ: usize = 5;
/// Complex amplitude, as at the end of the block, times the bend of gains
/// ([`Tap::bend`](crate::resonator::route::Tap)).
pub(crate) const BEND: usize = 6;

impl BandAccumulator {
    /// Adds amplitudes times a gain at the end of the block and a bend in its middle.
    pub(crate) fn add_end(&mut self, other: &Self, gain: f32, bend: f32) {
        for part in 0..2 {
            self.0[END + part] += gain * other.0[END + part];
            self.0[BEND + part] += bend * other.0[END + part];
        }
    }

    /// Adds energies times a gain.
    pub(crate) fn add_energy(&mut self, other: &Self, gain: f32) {
        for number in ENERGY..BEND {
            self.0[number] += gain * other.0[number];
        }
    }
}

/// Adds vectors of sums to the bands of their lanes.
#[inline(always)]
pub(crate) fn add_bands<S: Simd>(
    bands: &mut [BandAccumulator],
    which: &[u32],
    mut numbers: [S::f32s; NUMBERS],
) {
    shuffle::<S>(&mut numbers, NUMBERS);
    let width = S::f32s::LEN;
    let mut flat = [0.0; NUMBERS * 16];
    for (numbers, flat) in numbers.iter().zip(flat.chunks_exact_mut(width)) {
        numbers.store_slice(flat);
    }
    for (band, more) in which.iter().zip(flat.chunks_exact(NUMBERS)) {
        let BandAccumulator(band) = &mut bands[*band as usize];
        for (sum, more) in band.iter_mut().zip(more) {
            *sum += more;
        }
    }
}

/// Adds the end amplitudes only.
#[inline(always)]
pub(crate) fn add_ends<S: Simd>(
    bands: &mut [BandAccumulator],
    which: &[u32],
    [re, im]: [S::f32s; 2],
) {
    let width = S::f32s::LEN;
    let mut flat = [0.0; 2 * 16];
    re.zip_low(im).store_slice(&mut flat[..width]);
    re.zip_high(im).store_slice(&mut flat[width..2 * width]);
    for (band, more) in which.iter().zip(flat.chunks_exact(2)) {
        let BandAccumulator(band) = &mut bands[*band as usize];
        band[END] += more[0];
        band[END + 1] += more[1];
    }
}

/// Returns the sums of as many neighbouring bands as a vector has lanes, one vector per sum.
#[inline(always)]
pub(crate) fn load_bands<S: Simd>(simd: S, bands: &[BandAccumulator]) -> [S::f32s; NUMBERS] {
    let width = S::f32s::LEN;
    let flat: &[f32] = bytemuck::cast_slice(&bands[..width]);
    let mut numbers =
        std::array::from_fn(|i| S::f32s::from_slice(simd, &flat[i * width..(i + 1) * width]));
    shuffle::<S>(&mut numbers, width);
    numbers
}

/// Applies log2(times) perfect shuffles, which transpose rows of `times` entries into columns.
#[inline(always)]
fn shuffle<S: Simd>(numbers: &mut [S::f32s; NUMBERS], times: usize) {
    for _ in 0..times.ilog2() {
        let old = *numbers;
        for i in 0..NUMBERS / 2 {
            let (low, high) = (old[i], old[i + NUMBERS / 2]);
            numbers[2 * i] = low.zip_low(high);
            numbers[2 * i + 1] = low.zip_high(high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Cpu;
    use fearless_simd::dispatch;
    use fearless_simd_macros::simd;

    #[simd]
    fn round_trip<S: Simd>(simd: S) {
        let width = S::f32s::LEN;
        let mut bands = vec![BandAccumulator::default(); 40];
        let numbers = std::array::from_fn(|p| {
            let lanes: Vec<f32> = (0..width).map(|lane| (100 * p + lane) as f32).collect();
            S::f32s::from_slice(simd, &lanes)
        });
        let which: Vec<u32> = (0..width as u32).map(|lane| 3 + lane).collect();
        add_bands::<S>(&mut bands, &which, numbers);
        for lane in 0..width {
            assert_eq!(bands[3 + lane].0, std::array::from_fn(|p| (100 * p + lane) as f32));
        }
        let back = load_bands(simd, &bands[3..]);
        for (p, back) in back.iter().enumerate() {
            let mut lanes = vec![0.0; width];
            back.store_slice(&mut lanes);
            assert!(lanes.iter().enumerate().all(|(lane, x)| *x == (100 * p + lane) as f32));
        }
    }

    #[test]
    fn lanes_become_bands_and_come_back() {
        for cpu in [Cpu::Best, Cpu::Avx2, Cpu::Portable] {
            dispatch!(cpu.level(), simd => round_trip(simd));
        }
    }
}

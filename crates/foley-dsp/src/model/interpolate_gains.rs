//! Barycentric interpolation of gains between three surface points, vectorised over modes.
//!
//! Results are bit-identical to a double-precision loop over modes: the order of operations is the
//! same.

use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use half::f16;

/// Modes per vector.
const LANES: usize = 16;

/// Computes `Σ w_k · cosine · gains_k` for each mode: gains along the normal.
#[simd]
pub(super) fn normals<S: Simd>(
    _: S,
    [a, b, c]: [&[f32]; 3],
    w: [f64; 3],
    cosine: f64,
    found: &mut [f32],
) {
    for (found, ((a, b), c)) in found.iter_mut().zip(a.iter().zip(b).zip(c)) {
        let [a, b, c] = [a, b, c].map(|gain| cosine * f64::from(*gain));
        *found = (0.0 + w[0] * a + w[1] * b + w[2] * c) as f32;
    }
}

/// Computes `Σ w_k · level · (shape_k · e)` for each mode.
#[simd]
pub(super) fn vectors<S: Simd>(
    _: S,
    corners: [&[f16]; 3],
    levels: &[f32],
    w: [f64; 3],
    e: [f64; 3],
    found: &mut [f32],
) {
    let ([a, b, c], (levels, last)) = (corners.map(split), levels.as_chunks::<LANES>());
    let (found, end) = found.as_chunks_mut::<LANES>();
    for (i, (found, level)) in found.iter_mut().zip(levels).enumerate() {
        *found = sixteen([&a.0[i], &b.0[i], &c.0[i]], level, w, e);
    }
    if !last.is_empty() {
        let mut level = [0.0; LANES];
        level[..last.len()].copy_from_slice(last);
        let [a, b, c] = [a.1, b.1, c.1].map(|remainder| {
            let mut shapes = [f16::ZERO; 3 * LANES];
            shapes[..remainder.len()].copy_from_slice(remainder);
            shapes
        });
        let sums = sixteen([&a, &b, &c], &level, w, e);
        end.copy_from_slice(&sums[..last.len()]);
    }
}

/// Splits the shapes into chunks of sixteen modes and a remainder.
#[inline(always)]
fn split(corner: &[f16]) -> (&[[f16; 3 * LANES]], &[f16]) {
    corner.as_chunks()
}

#[inline(always)]
fn sixteen(
    corners: [&[f16; 3 * LANES]; 3],
    level: &[f32; LANES],
    w: [f64; 3],
    e: [f64; 3],
) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for (shape, w) in corners.into_iter().zip(w) {
        let wide = shape.map(widened);
        for l in 0..LANES {
            let [x, y, z] = [0, 1, 2].map(|k| f64::from(wide[3 * l + k]));
            let along = x * e[0] + y * e[1] + z * e[2];
            sums[l] += w * (f64::from(level[l]) * along);
        }
    }
    sums.map(|sum| sum as f32)
}

/// Converts a finite half-precision number exactly, in a form that compilers vectorise.
#[inline(always)]
fn widened(half: f16) -> f32 {
    // Difference of the exponent biases, 127 − 15.
    const EXPONENT_SHIFT: u32 = 112 << 23;
    const FIRST: u32 = 1 << 23;
    let bits = u32::from(half.to_bits());
    let size = (bits & 0x7fff) << 13;
    let normal = f32::from_bits(size + EXPONENT_SHIFT);
    // Subnormal numbers: add an implicit leading one, then subtract it.
    let small =
        f32::from_bits(size + EXPONENT_SHIFT + FIRST) - f32::from_bits(EXPONENT_SHIFT + FIRST);
    let size = if size < FIRST { small } else { normal };
    f32::from_bits(size.to_bits() | (bits & 0x8000) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Cpu;
    use fearless_simd::dispatch;
    use foley_geometry::rng::SplitMix64;

    /// Bit-identical to a loop over modes on every instruction set and for any mode count.
    #[test]
    fn vectorised_equals_scalar() {
        let mut rng = SplitMix64::new(3);
        let mut signed = || 2.0 * rng.unit() - 1.0;
        for modes in [1, 15, 16, 17, 48, 333] {
            let shapes = [(); 3].map(|()| -> Vec<f16> {
                // Down to subnormal numbers.
                (0..3 * modes)
                    .map(|_| f16::from_f64(signed() * 10f64.powf(4.0 * signed() - 4.0)))
                    .collect()
            });
            let levels: Vec<f32> = (0..modes).map(|_| signed().abs() as f32).collect();
            let (e, w) = ([signed(), signed(), signed()], [0.25, 0.0, 0.75]);
            let dot = |k: usize, n: usize| -> f64 {
                let [x, y, z] = [0, 1, 2].map(|i| shapes[k][3 * n + i].to_f64());
                x * e[0] + y * e[1] + z * e[2]
            };
            let naive = |n: usize| -> f32 {
                let part = |sum, k: usize| sum + w[k] * (f64::from(levels[n]) * dot(k, n));
                [0, 2].into_iter().fold(0.0, part) as f32
            };
            let along = |k: usize, n: usize| shapes[k][3 * n].to_f32();
            let normal = |n: usize| -> f32 {
                let part = |sum, k: usize| sum + w[k] * (e[0] * f64::from(along(k, n)));
                [0, 2].into_iter().fold(0.0, part) as f32
            };
            let gains = [0, 1, 2].map(|k| (0..modes).map(|n| along(k, n)).collect::<Vec<_>>());
            for cpu in [Cpu::Best, Cpu::Avx2, Cpu::Portable] {
                let (level, mut found) = (cpu.level(), vec![0.0; modes]);
                let corners = [0, 1, 2].map(|k| &shapes[k][..]);
                dispatch!(level, simd => vectors(simd, corners, &levels, w, e, &mut found));
                (0..modes).for_each(|n| assert_eq!(found[n].to_bits(), naive(n).to_bits()));
                let corners = [0, 1, 2].map(|k| &gains[k][..]);
                dispatch!(level, simd => normals(simd, corners, w, e[0], &mut found));
                (0..modes).for_each(|n| assert_eq!(found[n].to_bits(), normal(n).to_bits()));
            }
        }
    }

    #[test]
    fn every_half_is_converted_exactly() {
        for half in (0..=u16::MAX).map(f16::from_bits).filter(|half| half.is_finite()) {
            assert_eq!(widened(half).to_bits(), half.to_f32().to_bits(), "{half}");
        }
    }
}

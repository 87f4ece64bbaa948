//! SIMD rows and the choice of instruction set.
//!
//! All kernels are written once over `fearless_simd` and compiled for AVX-512,
//! AVX2 + FMA, SSE, NEON and WebAssembly; there is no `unsafe` in them.

pub mod fast_math;

use fearless_simd::{Level, prelude::*};

/// Lanes of a row: the widest vector used. Narrower instruction sets process a row in parts.
pub(crate) const LANES: usize = 16;

/// Sixteen numbers on one cache line: the storage unit of the bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [f32; LANES]);

/// Views rows as numbers.
pub(crate) fn flat(rows: &[Row]) -> &[f32] {
    bytemuck::cast_slice(rows)
}

/// Views rows as mutable numbers.
pub(crate) fn flat_mut(rows: &mut [Row]) -> &mut [f32] {
    bytemuck::cast_slice_mut(rows)
}

/// Complex numbers as two parallel columns of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) re: Vec<Row>,
    pub(crate) im: Vec<Row>,
}

impl Pair {
    pub(crate) fn zeros(rows: usize) -> Self {
        Self { re: vec![Row::default(); rows], im: vec![Row::default(); rows] }
    }

    /// Returns the sum of the squared magnitudes.
    pub(crate) fn energy(&self) -> f32 {
        let energy = |rows: &[Row]| rows.iter().flat_map(|row| row.0).map(|x| x * x).sum::<f32>();
        energy(&self.re) + energy(&self.im)
    }

    pub(crate) fn set(&mut self, slot: usize, value: num_complex::Complex64) {
        flat_mut(&mut self.re)[slot] = value.re as f32;
        flat_mut(&mut self.im)[slot] = value.im as f32;
    }

    /// Returns the stored value, including its rounding.
    pub(crate) fn get(&self, slot: usize) -> num_complex::Complex64 {
        let at = |rows: &[Row]| f64::from(flat(rows)[slot]);
        num_complex::Complex64::new(at(&self.re), at(&self.im))
    }
}

/// Returns the sum of each row, for as many rows as a vector has lanes, by a tree of interleaved
/// additions.
#[inline(always)]
pub(crate) fn lane_sums<S: Simd>(simd: S, rows: &[Row]) -> S::f32s {
    let width = S::f32s::LEN;
    let mut parts = [S::f32s::splat(simd, 0.0); LANES];
    for (part, row) in parts.iter_mut().zip(rows) {
        *part = S::f32s::from_slice(simd, &row.0[..width]);
    }
    let mut count = width;
    while count > 1 {
        count /= 2;
        for i in 0..count {
            let (a, b) = (parts[i], parts[i + count]);
            parts[i] = a.zip_low(b) + a.zip_high(b);
        }
    }
    parts[0]
}

/// Instruction sets that the kernels may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cpu {
    /// The best set of this machine.
    #[default]
    Best,
    /// At most AVX2 + FMA; the same as `Best` on other architectures.
    Avx2,
    /// The baseline of the architecture.
    Portable,
}

impl Cpu {
    /// Returns the instruction set on this machine.
    pub fn level(self) -> Level {
        match self {
            Cpu::Best => Level::new(),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => Level::new().as_avx2().map_or(Level::baseline(), Level::Avx2),
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx2 => Level::new(),
            Cpu::Portable => Level::baseline(),
        }
    }

    /// Returns the usual name of the instruction set.
    pub fn name(self) -> &'static str {
        match self.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "AVX2+FMA",
            #[cfg(target_arch = "x86_64")]
            Level::Sse4_2(_) => "SSE4.2",
            #[cfg(target_arch = "x86_64")]
            Level::Sse2(_) => "SSE2",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "NEON",
            _ => "scalar",
        }
    }
}

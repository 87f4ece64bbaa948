//! Peak rate of fused multiply-adds (FMA) of this core.

use fearless_simd::{dispatch, prelude::*};
use fearless_simd_macros::simd;
use foley_dsp::simd::Cpu;
use std::hint::black_box;

use crate::measurement::per_call;

/// Independent chains: enough to fill two pipes of latency four, within sixteen registers.
const CHAINS: usize = 12;
const STEPS: usize = 20_000;

/// Returns lane multiply-adds per second.
pub(crate) fn fma_lanes_per_second(cpu: Cpu, seconds: f64) -> f64 {
    let level = cpu.level();
    let mut lanes = 0;
    let time = per_call(seconds, || {
        let (width, sum) = dispatch!(level, simd => chains(simd, black_box(0.999)));
        lanes = width;
        black_box(sum);
    });
    (lanes * CHAINS * STEPS) as f64 / time
}

#[simd]
fn chains<S: Simd>(simd: S, factor: f32) -> (usize, f32) {
    let (m, c) = (S::f32s::splat(simd, factor), S::f32s::splat(simd, 1.0 - factor));
    let mut sums = [c; CHAINS];
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum = S::f32s::splat(simd, i as f32);
    }
    for _ in 0..STEPS {
        for sum in &mut sums {
            *sum = sum.mul_add(m, c);
        }
    }
    (S::f32s::LEN, sums.into_iter().fold(c, |a, b| a + b).reduce_sum())
}

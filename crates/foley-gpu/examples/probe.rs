#![allow(missing_docs)]
#[path = "../tests/common/mod.rs"]
mod common;
use foley_gpu::*;
use std::time::Instant;
fn main() {
    let gpu = Gpu::open(Choice::Fastest).unwrap();
    println!("{}", gpu.name());
    for fall in [foley_hail::Fall::straight([1.2, -0.7]), common::accelerated()] {
        let shower = common::shower(common::heavy(fall));
        for n in [64u64, 64, 16384, 131072] {
            let t = Instant::now();
            let r = raw_impacts(&gpu, &shower, 1_000_000..1_000_000 + n).unwrap();
            println!("{n}: {} {:?}", r.len(), t.elapsed());
        }
        let t = Instant::now();
        let n = (1_000_000..1_131_072u64).filter_map(|i| shower.impact_of(i)).count();
        println!("cpu 131072: {n} {:?}", t.elapsed());
    }
}

//! Cost of a block of 256 samples of scraping and rolling on this machine.

use foley_dsp::excitation::{
    AudioForce, ContactPatch, Coupling, ForceError, Motion, Profile, RibShape, Roll, Rolling,
    Scrape, Surface,
};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Returns the smallest mean over a hundred blocks, µs, which excludes other load.
fn block_us(force: &mut dyn AudioForce, speed_m_s: f64) -> f64 {
    force.aim(Motion { speed_m_s, normal_force_n: 1.0 }, 100);
    let mut block = [0.0; 256];
    let hundred = |_| {
        let began = Instant::now();
        (0..100).for_each(|_| force.add(black_box(&mut block)));
        began.elapsed().as_secs_f64() / 100.0
    };
    (0..100).map(hundred).fold(f64::MAX, f64::min) * 1e6
}

fn main() -> Result<(), ForceError> {
    let fractal = Surface::fractal(-1.5)?.with_reson(0.5e-3, 0.1)?;
    let ribs = Surface::ribbed(1e-3, 1e-4, RibShape::Round, 0.6)?;
    let f: Vec<f64> = (1..=32).map(|n| 211.0 * f64::from(n).powf(1.3)).collect();
    let d: Vec<f64> = f.iter().map(|f| 2.0 + 1e-3 * f).collect();
    let rolling =
        Rolling { patch: ContactPatch { radius_m: 0.01, modulus_pa: 1e11 }, enhancement: 0.9 };
    println!("µs per block of 256 samples; rolling with 32 enhanced modes");
    for (name, surface) in [("fractal", fractal), ("ribbed", ribs)] {
        let began = Instant::now();
        let profile = Arc::new(Profile::new(&surface, 48_000.0, 1)?);
        println!("{name}: tabulated in {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
        for v in [0.05, 0.3, 1.0, 3.0] {
            let mut scrape = Scrape::new(Arc::clone(&profile), Coupling::default(), 1)?;
            let coupling = Coupling::rolling();
            let mut roll = Roll::new(Arc::clone(&profile), coupling, rolling, &f, &d, 1)?;
            let (scraping, rolling_us) = (block_us(&mut scrape, v), block_us(&mut roll, v));
            println!("  at {v} m/s: scraping {scraping:.2}, rolling {rolling_us:.2}");
            foley_measured::check!(
                "resonators.scrape_cost",
                scraping,
                "cargo run --release -p foley-dsp --example force_cost"
            );
            foley_measured::check!(
                "resonators.roll_cost",
                rolling_us,
                "cargo run --release -p foley-dsp --example force_cost"
            );
        }
    }
    Ok(())
}

//! Forces ring modes: the mode bank.

mod grid;
mod layout;
mod modes;
mod per_sample;
mod spectral;
mod taps;
#[cfg(test)]
mod speed {
    use super::*;
    fn clock() -> f64 {
        let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
    }
    #[test]
    #[ignore]
    fn speed() {
        let cpu = match std::env::var("CPU").as_deref() {
            Ok("avx2") => crate::simd::Cpu::Avx2,
            Ok("sse") => crate::simd::Cpu::Portable,
            _ => crate::simd::Cpu::Best,
        };
        let level = cpu.level();
        for (n, block) in [(1920, 512), (15360, 512), (122880, 512), (15360, 64)] {
            let f: Vec<f64> =
                (0..n).map(|i| 60.0 * 250f64.powf((i as f64 + 0.5) / n as f64)).collect();
            let mut g = 0.0;
            let d: Vec<f64> = (0..n)
                .map(|_| {
                    g = (g + 0.618034) % 1.0;
                    6.9078 / (0.05 * 40f64.powf(g))
                })
                .collect();
            let layout = layout::Layout::new(&f, &d, 44100.0, block);
            let mut m = modes::Modes::new(&layout);
            println!(
                "N {n} B {block} rows {} tiles {} fill {:.2} fast {}",
                layout.rows,
                layout.tiles.len(),
                n as f64 / 16.0 / layout.rows as f64,
                layout.rows - layout.spectral_rows
            );
            let gains = layout.gains(&vec![0.01; n]);
            let mut grid = grid::Grid::new(block, level);
            let mut cells = grid.cells();
            let mut nu = grid.cells();
            let x: Vec<f32> =
                (0..block).map(|i| ((i * 7919 % 1000) as f32 / 1000.0 - 0.5) * 1e-3).collect();
            let h = grid.spectrum();
            let mut sum = grid.spectrum();
            let mut out = vec![0f32; block];
            let mut t_all = vec![];
            let mut t_adv = vec![];
            let mut t_ps = vec![];
            let mut t_g = vec![];
            for _ in 0..7 {
                let reps = (40_000_000 / n / if block == 64 { 1 } else { 4 }).max(4);
                let t = clock();
                for _ in 0..reps {
                    grid.gather(&x, &layout.spans, &mut nu);
                    spectral::advance(
                        level,
                        &mut m,
                        &layout.tiles,
                        &mut cells,
                        Some(spectral::Drive { cells: &nu, gains: &gains.0 }),
                    );
                    grid.sound(&mut cells, &layout.spans, |i, y| out[i] = y);
                    grid.convolve(&x, &h, &mut sum);
                    grid.finish_convolution(&mut sum, &mut out);
                }
                t_all.push((clock() - t) / reps as f64);
                let t = clock();
                for _ in 0..reps {
                    spectral::advance(
                        level,
                        &mut m,
                        &layout.tiles,
                        &mut cells,
                        Some(spectral::Drive { cells: &nu, gains: &gains.0 }),
                    );
                }
                t_adv.push((clock() - t) / reps as f64);
                let t = clock();
                for _ in 0..reps {
                    grid.gather(&x, &layout.spans, &mut nu);
                    grid.sound(&mut cells, &layout.spans, |i, y| out[i] = y);
                }
                t_g.push((clock() - t) / reps as f64);
                let mut s = per_sample::Scratch::new();
                let mut walk = m.state.clone();
                let t = clock();
                let r2 = (reps / 50).max(2);
                for _ in 0..r2 {
                    per_sample::run(
                        level,
                        &mut s,
                        per_sample::Pass {
                            modes: &m,
                            rows: 0..layout.rows,
                            walk: &mut walk,
                            forces: &[(&gains.0, &x)],
                            jumps: &[],
                            out: &mut out,
                        },
                    );
                }
                t_ps.push((clock() - t) / r2 as f64);
            }
            let med = |v: &mut Vec<f64>| {
                v.sort_by(f64::total_cmp);
                v[v.len() / 2]
            };
            let (a, b, p, gg) = (med(&mut t_all), med(&mut t_adv), med(&mut t_ps), med(&mut t_g));
            let rt = |t: f64| n as f64 * block as f64 / 44100.0 / t;
            println!(
                "{} all {:.2}us -> {:.0} modes; advance {:.2}us ({:.2} ns/mode) grid {:.2}us; per-sample {:.0} modes = {:.1} Glane-ops/s",
                cpu.name(),
                a * 1e6,
                rt(a),
                b * 1e6,
                b * 1e9 / n as f64,
                gg * 1e6,
                rt(p),
                6.0 * n as f64 * block as f64 / p / 1e9
            );
        }
    }
}

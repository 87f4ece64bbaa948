//! Times the sparse eigensolver: the lowest modes of a free steel block.
//!
//! `cargo run --release -p foley-eigen --example solve_block -- 30 23 17 200 /tmp/block`
//! (cells along the edges, modes, and a folder for the matrices, which
//! `benches/scipy_eigsh.py` solves with SciPy).

#[path = "../tests/block/mod.rs"]
mod block;
#[path = "../tests/measure/mod.rs"]
mod measure;

use std::path::Path;
use std::time::Instant;

use block::Block;
use foley_eigen::{self as eigen, Matrix, Options};
use measure::{cpu_seconds, status};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: usize| match arguments.get(i) {
        Some(text) => text.parse(),
        None => Ok(default),
    };
    let cells = [number(0, 18)?, number(1, 14)?, number(2, 11)?];
    let count = number(3, 200)?;
    let block = Block::steel([0.31, 0.23, 0.17], cells);
    let problem = block.problem()?;
    let before = status("VmRSS");

    let mut stages: Vec<(String, f64)> = Vec::new();
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut progress = |stage: eigen::Stage, _: f64| {
        let name = format!("{stage:?}");
        if stages.last().is_none_or(|(last, _)| *last != name) {
            stages.push((name, start.elapsed().as_secs_f64()));
        }
        true
    };
    let mut options = Options::default().with_progress(&mut progress);
    let modes = eigen::lowest(&problem, count, &mut options)?;
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let peak = status("VmHWM");

    println!("unknowns {}  modes {}  zero {}", problem.unknowns(), modes.len(), modes.zero_modes);
    for (name, at) in &stages {
        println!("  {at:8.3} s  {name}");
    }
    let worst = modes.residuals.iter().copied().fold(0.0, f64::max);
    println!("wall_s {seconds:.3}  cpu_s {cpu:.2}  peak_mib {peak}  before_mib {before}");
    println!("largest residual {worst:.1e}");
    let hz = |l: &f64| l.sqrt() / std::f64::consts::TAU;
    let shown: Vec<_> = modes.omega_squared.iter().map(|l| format!("{:.3}", hz(l))).collect();
    println!("hz {} … {}", shown[..shown.len().min(12)].join(" "), shown[shown.len() - 1]);
    if let Some(folder) = arguments.get(4) {
        let folder = Path::new(folder);
        std::fs::create_dir_all(folder)?;
        write(folder, problem.stiffness())?;
        write(folder, problem.mass())?;
        let values = modes.omega_squared.iter().flat_map(|x| x.to_le_bytes());
        std::fs::write(folder.join("omega_squared.f8"), values.collect::<Vec<u8>>())?;
    }
    Ok(())
}

/// Writes the lower triangle as raw arrays: rows, columns (u4), values (f8).
fn write(folder: &Path, matrix: &Matrix) -> std::io::Result<()> {
    let name = matrix.name();
    let index = |f: &dyn Fn((usize, usize, f64)) -> usize| -> Vec<u8> {
        matrix.lower().flat_map(|e| (f(e) as u32).to_le_bytes()).collect()
    };
    std::fs::write(folder.join(format!("{name}.rows.u4")), index(&|e| e.0))?;
    std::fs::write(folder.join(format!("{name}.columns.u4")), index(&|e| e.1))?;
    let values: Vec<u8> = matrix.lower().flat_map(|e| e.2.to_le_bytes()).collect();
    std::fs::write(folder.join(format!("{name}.values.f8")), values)
}

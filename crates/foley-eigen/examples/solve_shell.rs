//! Times the sparse eigensolver: all modes of a large shell below a frequency, in batches.
//!
//! `cargo run --release -p foley-eigen --example solve_shell -- 172 20000`
//! (elements along an edge, Hz).

#[path = "../tests/measure/mod.rs"]
mod measure;
#[path = "../tests/shell/mod.rs"]
mod shell;

use std::time::Instant;

use foley_eigen::{self as eigen, Options, Stage};
use measure::{cpu_seconds, status};
use shell::Panel;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |i: usize, default: &str| arguments.get(i).map_or(default, |x| x).to_owned();
    let (cells, hertz) = (text(0, "172").parse()?, text(1, "20000").parse::<f64>()?);
    let size = [0.4, 0.3];
    let panel = Panel { size, rise: 0.03, thickness: 1e-3, cells: [cells, cells] };
    let problem = panel.problem()?;
    let before = status("VmRSS");

    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut spent: Vec<(Stage, f64, usize)> = Vec::new();
    let (mut last, mut longest) = (0.0, 0.0_f64);
    let mut stage_before = None;
    let mut progress = |stage: Stage, _: f64| {
        let now = start.elapsed().as_secs_f64();
        let (taken, visits) = (now - last, usize::from(stage_before != Some(stage)));
        longest = longest.max(taken);
        match spent.iter_mut().find(|s| s.0 == stage) {
            Some(entry) => {
                entry.1 += taken;
                entry.2 += visits;
            }
            None => spent.push((stage, taken, visits)),
        }
        (last, stage_before) = (now, Some(stage));
        true
    };
    let mut options = Options::default().with_progress(&mut progress);
    let (mut omega, mut worst) = (Vec::new(), 0.0_f64);
    let high = std::f64::consts::TAU * hertz;
    eigen::band_each(&problem, 0.0, high, usize::MAX, &mut options, |modes| {
        omega.extend(modes.omega_squared.iter().map(|l| l.sqrt()));
        worst = modes.residuals.iter().copied().fold(worst, f64::max);
    })?;
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);

    println!("unknowns {}  modes {}", problem.unknowns(), omega.len());
    for (stage, seconds, visits) in &spent {
        println!("  {seconds:8.3} s in {visits:3} × {stage:?}");
    }
    println!("wall_s {wall:.3}  cpu_s {cpu:.2}  peak_mib {}  before_mib {before}", status("VmHWM"));
    println!("largest residual {worst:.1e}, longest without a report {longest:.2} s");
    let shown = |o: &f64| format!("{:.3}", o / std::f64::consts::TAU);
    let first: Vec<String> = omega.iter().take(12).map(shown).collect();
    println!("hz {} … {}", first.join(" "), omega.last().map_or(String::new(), shown));
    Ok(())
}

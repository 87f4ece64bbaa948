//! Own multifrontal L D Lᵀ against faer's supernodal factorisations, on the same order.
//!
//! `cargo test --release -p foley-eigen --lib comparison -- --ignored --nocapture`
//!
//! With `MALLOC_MMAP_THRESHOLD_=65536` glibc returns freed memory at once, and the peaks of the
//! resident memory are those of one factorisation; the times are longer then.

#[path = "../block/mod.rs"]
mod block;
#[path = "../shell/mod.rs"]
mod shell;

use std::time::Instant;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::LdltRef;
use faer::{Conj, Mat, Par, Side, Spec};

use super::{Factor, Kind, SymbolicFactor, multifrontal, pattern};
use crate::kernels::block_vector::BlockVector;
use crate::pencil::Pencil;
use crate::{Options, Problem, Stage};

/// Right-hand sides of a solve: one block of the Lanczos iteration.
const COLUMNS: usize = 8;
const ROUNDS: usize = 5;

/// CPU time of all threads of this process, s.
fn cpu_seconds() -> f64 {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return 0.0 };
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| -> Option<f64> {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    tasks.filter_map(nanoseconds).sum::<f64>() * 1e-9
}

fn status_mib(key: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with(key));
    line.and_then(|l| l.split_whitespace().nth(1)?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// The least times and the largest memory of several runs.
#[derive(Clone, Copy)]
struct Cost {
    factor_cpu: f64,
    factor_wall: f64,
    solve_cpu: f64,
    peak_mib: f64,
}

impl Cost {
    const NONE: Self = Self {
        factor_cpu: f64::INFINITY,
        factor_wall: f64::INFINITY,
        solve_cpu: f64::INFINITY,
        peak_mib: 0.0,
    };

    /// Runs a factorisation and a solve once; returns the solution.
    fn measure<F>(
        &mut self,
        factorise: impl FnOnce() -> F,
        solve: impl FnOnce(&F) -> Mat<f64>,
    ) -> Mat<f64> {
        // Resets the peak of the resident memory.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let before = status_mib("VmRSS");
        let (wall, cpu) = (Instant::now(), cpu_seconds());
        let factor = factorise();
        self.factor_cpu = self.factor_cpu.min(cpu_seconds() - cpu);
        self.factor_wall = self.factor_wall.min(wall.elapsed().as_secs_f64());
        self.peak_mib = self.peak_mib.max(status_mib("VmHWM") - before);
        let cpu = cpu_seconds();
        let solution = solve(&factor);
        self.solve_cpu = self.solve_cpu.min(cpu_seconds() - cpu);
        solution
    }
}

fn compare(name: &str, problem: &Problem, hertz: f64) {
    let pencil = Pencil::new(problem).unwrap();
    let symbolic = SymbolicFactor::new(&pencil).unwrap();
    let sigma = (std::f64::consts::TAU * hertz).powi(2) / pencil.lambda_scale;
    let n = pencil.unknowns();
    let right = |i: usize, j: usize| ((i * 37 + j * 101) % 199) as f64 / 99.0 - 1.0;
    let shifted = pencil.shifted(sigma);

    let faer_ldlt = || {
        let scratch =
            symbolic.faer.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default());
        let mut values = vec![0.0; symbolic.faer.len_val()];
        symbolic
            .faer
            .factorize_numeric_ldlt(
                &mut values,
                SparseColMatRef::new(pattern(&pencil), &shifted[..]),
                Side::Upper,
                LdltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut MemBuffer::new(scratch)),
                Spec::default(),
            )
            .unwrap();
        values
    };
    let faer_solve = |values: &Vec<f64>| {
        let mut x = Mat::from_fn(n, COLUMNS, right);
        let scratch = symbolic.faer.solve_in_place_scratch::<f64>(COLUMNS, Par::Seq);
        let mut memory = MemBuffer::new(scratch);
        let factor = LdltRef::new(&symbolic.faer, &values[..]);
        let stack = MemStack::new(&mut memory);
        factor.solve_in_place_with_conj(Conj::No, x.as_mut(), Par::Seq, stack);
        x
    };
    let own_solve = |factor: &Factor<'_>| {
        let mut x = BlockVector::zeros(n, COLUMNS);
        (0..n * COLUMNS)
            .for_each(|p| x.set(p / COLUMNS, p % COLUMNS, right(p / COLUMNS, p % COLUMNS)));
        factor.solve(&mut x);
        Mat::from_fn(n, COLUMNS, |i, j| x.get(i, j))
    };
    let own_factor = || {
        let mut options = Options::default();
        let stage = Stage::Factorising;
        let tree = &symbolic.tree;
        let factor = multifrontal::factorise(tree, &pencil, sigma, true, stage, &mut options);
        let factor = factor.unwrap().unwrap();
        let below = factor.negative;
        Factor { symbolic: &symbolic, sigma, kind: Kind::Multifrontal(factor), below }
    };

    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut costs = [Cost::NONE; 4];
    for _ in 0..ROUNDS {
        let own = costs[0].measure(own_factor, own_solve);
        let others = [
            costs[1].measure(|| one.install(own_factor), |f| one.install(|| own_solve(f))),
            costs[2].measure(faer_ldlt, faer_solve),
            costs[3].measure(|| symbolic.pivoted(&pencil, sigma).unwrap(), own_solve),
        ];
        for other in others {
            assert!((&other - &own).norm_l2() < 1e-5 * own.norm_l2());
        }
    }
    let below = own_factor().below;
    // Solves until the first convergence test of a slice (`Slice::search`).
    let solves = (2 * symbolic.modes_per_slice()).div_ceil(COLUMNS) + 4;
    println!("{name}: {n} unknowns, {below} modes below the shift, {solves} solves per slice");
    let names = ["own, all threads", "own, one thread", "faer LDLT", "faer LBLT (pivoted)"];
    let slice = |cost: &Cost| cost.factor_cpu + solves as f64 * cost.solve_cpu;
    let [own, _, faer, pivoted] = &costs;
    let factors = faer.factor_cpu / own.factor_cpu;
    foley_measured::check!("eigen.faer_factor", factors, "make bench-eigen");
    let solutions = faer.solve_cpu / own.solve_cpu;
    foley_measured::check!("eigen.faer_solve", solutions, "make bench-eigen");
    foley_measured::check!("eigen.faer_slice", slice(faer) / slice(own), "make bench-eigen");
    let slices = slice(pivoted) / slice(own);
    foley_measured::check!("eigen.faer_pivoted_slice", slices, "make bench-eigen");
    for (name, cost) in names.iter().zip(&costs) {
        println!(
            "  {name:20} factor {:6.3} s CPU ({:.2} x), {:6.3} s wall ({:.2} x); solve {:.4} s CPU \
             ({:.2} x); slice {:6.3} s CPU ({:.2} x); {:4.0} MiB ({:.2} x)",
            cost.factor_cpu,
            cost.factor_cpu / costs[0].factor_cpu,
            cost.factor_wall,
            cost.factor_wall / costs[0].factor_wall,
            cost.solve_cpu,
            cost.solve_cpu / costs[0].solve_cpu,
            slice(cost),
            slice(cost) / slice(&costs[0]),
            cost.peak_mib,
            cost.peak_mib / costs[0].peak_mib,
        );
    }
}

#[test]
#[ignore = "measures this machine: `make bench-eigen` runs it"]
fn own_multifrontal_against_faer() {
    for cells in [60, 140] {
        let (size, rise, thickness) = ([0.4, 0.3], 0.03, 1e-3);
        let panel = shell::Panel { size, rise, thickness, cells: [cells, cells] };
        compare(&format!("shell {cells} x {cells}"), &panel.problem().unwrap(), 5e3);
    }
    for cells in [[18, 14, 11], [30, 23, 17]] {
        let block = block::Block::steel([0.31, 0.23, 0.17], cells);
        compare(&format!("block {cells:?}"), &block.problem().unwrap(), 2e4);
    }
}

//! The eigensolver: its values, and its speed against SciPy and faer.

use crate::Target;
use crate::target::{at_least, at_most, exactly, figure};

/// The reason why speeds fail no test.
const SPEED: &str = "a speed of this machine; `make bench-eigen` fails";

pub(super) const TARGETS: &[Target] = &[
    at_most("eigen.string", "relative error of ω² of 5,000 masses on a string, 60 modes, against the closed form", 1e-8, ""),
    at_most(
        "eigen.cube",
        "relative error of ω² of a cubic lattice with sixfold modes, up to 330 modes in bands, against the closed form",
        1e-9,
        "",
    ),
    at_most("eigen.block", "relative error of ω² of a free block, 34 modes, against a dense solver", 1e-8, ""),
    at_most(
        "eigen.shell",
        "relative error of ω² of a free shell, 300 modes in several slices, against a dense solver, beyond its rounding",
        1e-9,
        "",
    ),
    at_most("eigen.equal_modes", "relative error of ω² with 300 equal modes", 1e-9, ""),
    at_most("eigen.order", "relative change of ω² with the order of the unknowns", 1e-9, ""),
    at_most("eigen.units", "relative change of ω² with units from 1e−12 to 1e15", 1e-9, ""),
    exactly("eigen.threads", "ω² and vectors on 1, 2, 3 and 8 threads", 0.0, "numbers that differ"),
    at_most("eigen.scipy_omega", "relative difference of ω from SciPy's `eigsh`, lowest 200 modes", 1e-6, "")
        .reported("`make bench-eigen` fails"),
    at_least("eigen.scipy_10k_wall", "wall time of SciPy's `eigsh` to Foley's, 10,000 unknowns, 200 modes", 5.0, "")
        .reported(SPEED),
    at_least("eigen.scipy_10k_cpu", "the same: processor time", 5.0, "").reported(SPEED),
    at_least("eigen.scipy_10k_memory", "the same: memory", 1.0, "").reported(SPEED),
    at_least("eigen.scipy_40k_wall", "wall time of SciPy's `eigsh` to Foley's, 40,000 unknowns, 200 modes", 5.0, "")
        .reported(SPEED),
    at_least("eigen.scipy_40k_cpu", "the same: processor time", 5.0, "").reported(SPEED),
    at_least("eigen.scipy_40k_memory", "the same: memory", 1.0, "").reported(SPEED),
    at_least(
        "eigen.faer_slice",
        "processor time of faer's LDLᵀ and its solves of a slice to Foley's, the least of two shells and two blocks",
        1.0,
        "",
    )
    .reported("a speed of this machine"),
    at_least("eigen.faer_pivoted_slice", "the same with faer's pivoted LBLᵀ", 1.0, "").reported("a speed of this machine"),
    figure("eigen.faer_factor", "the factorisation alone, the largest of the four", ""),
    figure("eigen.faer_solve", "a solve of eight vectors, the largest of the four", ""),
];

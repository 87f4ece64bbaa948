//! Modes of analytic shapes, against the literature.

use crate::Target;
use crate::target::{at_most, between};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "shapes.free_bar_ratios",
        "difference of the frequency ratios of a free bar from 1, 2.757, 5.404, 8.933, 13.344, which are rounded",
        5e-4,
        "",
    ),
    at_most(
        "shapes.free_bar",
        "first frequency of a free bar against Fletcher and Rossing",
        0.01,
        "%",
    ),
    at_most(
        "shapes.cantilever",
        "frequency ratios of a cantilever against 1, 6.267, 17.547, 34.386",
        0.01,
        "%",
    ),
    at_most(
        "shapes.rods",
        "relative error of rods: clamped against free, round against flat of the same stiffness, supported against n²",
        1e-12,
        "",
    ),
    at_most(
        "shapes.free_square_plate",
        "ten frequencies of a free square plate, ν = 0.3, against converged series",
        0.002,
        "%",
    ),
    between(
        "shapes.free_square_plate_leissa",
        "the first five as a share of Leissa's upper bounds (converged solutions are up to 1 % lower)",
        0.99,
        1.0,
        "",
    ),
    at_most(
        "shapes.clamped_square_plate",
        "ten frequencies of a clamped square plate against Leissa",
        0.005,
        "%",
    ),
    at_most(
        "shapes.clamped_poisson",
        "relative change of the frequencies of a clamped plate with Poisson's ratio, at equal stiffness",
        1e-9,
        "",
    ),
    at_most(
        "shapes.nafems_fv12",
        "NAFEMS FV12, free square plate: 1.622, 2.360, 2.922 Hz",
        0.05,
        "%",
    ),
    at_most(
        "shapes.nafems_fv12_next",
        "NAFEMS FV12: 4.233, 4.233, 7.416 Hz, which are 1 % above thin-plate theory",
        1.1,
        "%",
    ),
    at_most(
        "shapes.nafems_supported",
        "NAFEMS, simply supported square plate: eight frequencies",
        0.02,
        "%",
    ),
    at_most(
        "shapes.supported_plate",
        "relative error of a simply supported plate against the closed form, 40 modes",
        1e-12,
        "",
    ),
    at_most(
        "shapes.narrow_plate",
        "relative error of the bending modes of a narrow free plate against the bar",
        1e-6,
        "",
    ),
    at_most(
        "shapes.plate_convergence",
        "change of the first 100 modes of a plate with twice the terms",
        0.1,
        "%",
    ),
    at_most("shapes.held_discs", "clamped and supported discs against Leissa", 0.02, "%"),
    at_most("shapes.free_disc_leissa", "free disc against Leissa", 0.2, "%"),
    at_most(
        "shapes.free_disc",
        "relative error of a free disc against a Ritz solution of forty digits",
        1e-9,
        "",
    ),
    at_most(
        "shapes.membrane",
        "ten modes of a membrane against the zeros of Bessel's functions",
        0.002,
        "%",
    ),
    at_most(
        "shapes.strings",
        "relative error of ideal and stiff strings against the closed form",
        1e-12,
        "",
    ),
    at_most(
        "shapes.slack_string",
        "relative difference of a slack stiff string from a supported rod",
        1e-5,
        "",
    ),
    at_most(
        "shapes.damping",
        "relative error of decays and damped frequencies against Rayleigh damping",
        1e-12,
        "",
    ),
    at_most(
        "shapes.orthonormal",
        "error of ∫ ρ u_m u_n dV = δ_mn over 13 shapes, 12 modes each",
        2e-3,
        "",
    ),
    at_most(
        "shapes.sampled_gains",
        "error of interpolated gains, relative to an antinode",
        3.0,
        "%",
    ),
    at_most(
        "shapes.radiated_gain",
        "relative error of the gain at the end of a free bar against the power that it loses by radiation",
        1e-9,
        "",
    ),
];

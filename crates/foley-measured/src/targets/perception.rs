//! Perceptual synthesis.

use crate::Target;
use crate::target::{at_least, at_most, exactly};

pub(super) const TARGETS: &[Target] = &[
    exactly(
        "perception.reference_pruner",
        "reference pruner against the printed pseudo-code of [CS], 4,000 sets of tones",
        0.0,
        "verdicts that differ",
    ),
    exactly(
        "perception.reference_pruner_directions",
        "the same with directions, 1,000 sets",
        0.0,
        "verdicts that differ",
    ),
    exactly(
        "perception.fast_pruner",
        "fast pruner against the reference, 12,000 sets of up to 5,000 tones, ties included",
        0.0,
        "verdicts that differ",
    ),
    exactly(
        "perception.fast_pruner_struck",
        "the same on 720 sets of struck plates and bars",
        0.0,
        "verdicts that differ",
    ),
    at_most(
        "perception.pruner_steps",
        "steps of the fast pruner per tone, beside one sort, 65,536 tones",
        5.0,
        "",
    ),
    // Partials against all modes: ratio of the sound to its error.
    at_least(
        "perception.lone_mode",
        "a lone mode as a partial, against the closed form",
        80.0,
        "dB",
    ),
    at_least(
        "perception.block_edges",
        "partials of four times the detail against all modes, at block edges",
        100.0,
        "dB",
    ),
    at_least("perception.between_edges", "the same, in between", 30.0, "dB"),
    at_least("perception.many_impulses", "the same, 3,000 impulses a second", 36.0, "dB"),
    at_most(
        "perception.detailed_share",
        "oscillators of the picnic under hail, 2.5 times the detail, of the modes",
        7.0,
        "%",
    ),
    at_least("perception.detailed_sound", "the same against all modes", 22.0, "dB"),
    at_most(
        "perception.default_share",
        "oscillators of the picnic under hail, default detail, of the modes",
        5.0,
        "%",
    ),
    at_most("perception.thirds", "level of every third of an octave against all modes", 1.25, "dB"),
    at_least("perception.driven", "an object under a sampled force against all modes", 100.0, "dB"),
    at_least(
        "perception.partial_returns",
        "a masked object that returns, against the closed form: partials",
        80.0,
        "dB",
    ),
    at_least(
        "perception.rule_returns",
        "a masked mode that returns, against the closed form: rule of [CS]",
        80.0,
        "dB",
    ),
    // A virtual clock charges three times the budget for 30 s.
    at_most(
        "perception.budget_used",
        "time used of the budget at three times the load, any block of 30 s",
        100.0,
        "%",
    ),
    at_least(
        "perception.overload_loudest_first",
        "the sound against no limit, loudest voices first",
        20.0,
        "dB",
    ),
    at_least("perception.overload", "the sound against no limit, loud voices sooner", 3.0, "dB"),
    at_least(
        "perception.after_overload",
        "the sound after the load, from the next block on",
        60.0,
        "dB",
    ),
    at_most(
        "perception.overload_steps",
        "largest bend of the sound while voices come and go, relative to no limit",
        1.1,
        "",
    ),
    at_least(
        "perception.hostile_cases",
        "random cases of invalid frequencies, decays, gains, levels, budgets and directions, without a panic",
        300.0,
        "cases",
    ),
];

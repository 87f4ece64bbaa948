//! Damping by touch: supports, hands, tables, and what lies on what.

use crate::Target;
use crate::target::{at_least, at_most};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "supports.bar_on_dampers",
        "a free bar on two dampers: decays of six modes against ½ Σ Re Z u² in closed form",
        2.0,
        "%",
    ),
    at_most(
        "supports.nodes",
        "dampers at the nodes of the first mode: its decay over that with dampers at the ends",
        0.01,
        "%",
    ),
    at_most(
        "supports.dense_eigenvalues",
        "a plate on three dampers: decays against the complex eigenvalues of the whole system",
        3.0,
        "%",
    ),
    at_most(
        "supports.strong_dampers",
        "the same, dampers a thousand times as strong: median decay",
        5.0,
        "%",
    ),
    at_most(
        "supports.energy",
        "a ringing plate on dampers, integrated in time: decay × 2 × energy against the power into the dampers",
        2.0,
        "%",
    ),
    at_most(
        "supports.switch",
        "decays that change while modes ring, against each mode by itself with decays constant in between: difference",
        -80.0,
        "dB",
    ),
    at_most(
        "supports.mounted",
        "a mounted pane: decay by its edges against EN 12354-1 (Annex C) by its critical frequency",
        0.01,
        "%",
    ),
    at_least(
        "supports.resting",
        "a bar that lies on a table: decay over that of the same bar when the table falls away",
        3.0,
        "×",
    ),
    at_most(
        "supports.leap",
        "the same bar struck after the table has fallen away: decay against that of a bar without a table",
        5.0,
        "%",
    ),
];

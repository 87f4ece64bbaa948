//! The energy of strikes: balance and far field.

use crate::Target;
use crate::target::{at_most, figure};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "energy.closes",
        "thirty strikes of all shapes, strikers and ways of holding: striker before against the sum of all parts after",
        2.0,
        "%",
    )
    .reported("not reached on strings and a steel sheet"),
    at_most(
        "energy.radiated",
        "the same: radiated energy over that of the striker, the largest",
        1.0,
        "",
    ),
    at_most(
        "energy.far_field",
        "those of them whose modes do not overlap, where a ten-thousandth or more is radiated: ∮ p²/ρc of the rendered sound against the radiated part",
        5.0,
        "%",
    )
    .reported("not reached by a drumstick on a skin, whose contact is as slow as its modes"),
    at_most(
        "energy.far_field_overlap",
        "a wooden plate whose modes overlap: far-field pressure over the sphere, by boundary elements for all modes together, against the radiated part",
        5.0,
        "%",
    )
    .reported("missed; the cause is not found"),
    at_most(
        "energy.strike_and_render",
        "one event, struck and rendered as a scene: largest difference of third-octaves",
        0.5,
        "dB",
    ),
    figure("energy.glass_plate_peak", PEAKS[0], "dB SPL"),
    figure("energy.glass_plate", "the same: radiated energy over the ball's", ""),
    figure("energy.aluminium_sheet_peak", PEAKS[1], "dB SPL"),
    figure("energy.aluminium_sheet", "the same: radiated energy over the ball's", ""),
    figure("energy.steel_sheet_peak", PEAKS[2], "dB SPL"),
    figure("energy.steel_sheet", "the same: radiated energy over the ball's", ""),
    figure("energy.drum_peak", PEAKS[3], "dB SPL"),
    figure("energy.drum", "the same: radiated energy over the stick's", ""),
    figure("energy.aluminium_bar_peak", PEAKS[4], "dB SPL"),
    figure("energy.aluminium_bar", "the same: radiated energy over the ball's", ""),
];

const PEAKS: [&str; 5] = [
    "steel ball at 1 m/s on a glass plate of 500×500×4 mm: peak at 1 m",
    "on an aluminium sheet of 300×300×1 mm: peak at 1 m",
    "on a steel sheet of 300×300×1 mm: peak at 1 m",
    "drumstick at 1 m/s on a drum skin: peak at 1 m",
    "steel ball at 1 m/s on an aluminium bar of 300×30×8 mm: peak at 1 m",
];

//! Live playing.

use crate::Target;
use crate::target::{at_least, exactly};

pub(super) const TARGETS: &[Target] = &[
    at_least(
        "live.correlation",
        "what a sink of the sound server hears against the closed form, the worse channel, PulseAudio and ALSA",
        0.999,
        "",
    ),
    exactly("live.dropouts", "blocks of 10 ms that differ in it", 0.0, "blocks"),
    exactly(
        "live.late_half_load",
        "late blocks of 100 that take half their time, by a virtual clock",
        0.0,
        "blocks",
    ),
    exactly(
        "live.late_every_tenth",
        "late blocks of 100 of which every tenth takes twice its time",
        10.0,
        "blocks",
    ),
    exactly(
        "live.late_always",
        "late blocks of 100 that take 1.5 of their time; the first has no deadline",
        99.0,
        "blocks",
    ),
    exactly(
        "live.mock_bad",
        "bad blocks and dropped events of a scene played to a mock device in real time",
        0.0,
        "",
    ),
];

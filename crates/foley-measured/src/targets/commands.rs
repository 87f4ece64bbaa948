//! The command and its files.

use crate::Target;
use crate::target::{at_least, at_most, exactly};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "commands.lines",
        "source lines of the command, which is arguments, messages and progress",
        4_500.0,
        "lines",
    ),
    at_most(
        "commands.example_lines",
        "longest of the programs that do what a command does, without imports",
        20.0,
        "lines",
    ),
    at_most("commands.loudness", "loudness of `foley demo picnic` from −16 LUFS", 0.5, "LU"),
    at_most("commands.loudness_of_demos", "the same of the other demos but dozen", 1.0, "LU"),
    at_most("commands.peak", "peak of all these demos", -0.9999, "dBFS"),
    at_most(
        "commands.picnic_time",
        "`foley demo` with an empty cache, film included where there is ffmpeg",
        60.0,
        "s",
    ),
    at_most(
        "commands.rings_time",
        "processor time of the demo `rings`, physics and levelling included, of its duration; the best of three",
        1.0,
        "",
    ),
    at_most(
        "commands.fit_frequency",
        "30 modes of a pane, struck by the engine at two points: frequency",
        0.1,
        "%",
    ),
    at_most("commands.fit_decay", "the same: decay", 5.0, "%"),
    at_most("commands.fit_gain", "the same: gain", 1.0, "dB"),
    at_least(
        "commands.fit_found",
        "gains of 60 that stand 20 dB above the noise and come back",
        40.0,
        "gains",
    ),
    exactly(
        "commands.gpu_sound",
        "sound of hail rendered with `--gpu on` and `--gpu off`",
        0.0,
        "bytes that differ",
    ),
];

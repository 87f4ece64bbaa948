//! Quality and cost of perceptual synthesis, scene by scene, against every mode sample by sample.

use crate::Target;
use crate::target::{at_least, at_most, figure};

const PRUNING: &str = "bench pruning --all --rounds 3 --quality-metric scripts/ears";

const SCORES: &str = "measured by a benchmark of minutes";
const SHARE: &str = "each emitter has bands of its own, so that objects share no partials";
const TIME: &str =
    "each object has an emitter with bands of its own, 0.05–0.1 % of a core while it sounds";
const DECISIONS: &str = "decisions are made for each emitter, and little time is saved";

/// The row of perceptual synthesis in the report of the benchmark, by the number of the scene.
macro_rules! of_scene {
    ($number:literal, $key:literal) => {
        concat!("/scenes/", $number, "/rules/8/", $key)
    };
}

macro_rules! targets {
    (scenes: $($number:literal $name:literal),*; objects: $($row:literal $id:literal $object:literal $paper:literal,)*) => {
        &[
            $(at_least(
                concat!("quality.", $name, "_mos"),
                concat!($name, ": MOS by Zimtohrli, 5 is identical"),
                4.5,
                "",
            )
            .by_bench(PRUNING, of_scene!($number, "zimtohrli_mos"))
            .reported(SCORES),)*
            $(figure(
                concat!("quality.", $name, "_visqol"),
                concat!($name, ": MOS by ViSQOL, 4.73 is its best"),
                "",
            )
            .by_bench(PRUNING, of_scene!($number, "visqol_mos")),)*
            $(at_most(
                concat!("quality.", $name, "_share"),
                concat!($name, ": oscillators computed, as a share of all modes"),
                0.1,
                "",
            )
            .by_bench(PRUNING, of_scene!($number, "share_of_modes"))
            .reported(SHARE),)*
            $(at_least(
                concat!("quality.", $name, "_time"),
                concat!($name, ": time of every mode sample by sample, of its own"),
                7.0,
                "×",
            )
            .by_bench(PRUNING, of_scene!($number, "times_faster"))
            .reported(TIME),)*
            $(figure(
                concat!("quality.", $name, "_core"),
                concat!($name, ": time of one core"),
                "%",
            )
            .by_bench(PRUNING, of_scene!($number, "cpu_percent")),)*
            $(at_least(
                concat!("quality.", $name, "_decisions"),
                concat!($name, ": time saved, of the time of decisions on audibility"),
                20.0,
                "×",
            )
            .by_bench(PRUNING, of_scene!($number, "saved_per_deciding"))
            .reported(DECISIONS),)*
            $(figure(
                concat!("self_masking.", $id),
                concat!($object, ": modes left by self-masking, a_v = 5 dB ([CS]: ", $paper, ")"),
                "modes",
            )
            .by_bench(PRUNING, concat!("/objects/", $row, "/left")),)*
        ]
    };
}

pub(super) const TARGETS: &[Target] = targets! {
    scenes:
        0 "drizzle",
        1 "hail",
        2 "downpour",
        3 "roof",
        4 "table",
        5 "dozen",
        6 "rings";
    objects:
        0 "roof_pane_1" "roof pane 1" 93,
        1 "roof_pane_2" "roof pane 2" 128,
        2 "roof_pane_3" "roof pane 3" 176,
        3 "roof_pane_4" "roof pane 4" 206,
        4 "plate_1" "plate 1" 97,
        5 "plate_2" "plate 2" 105,
        6 "plate_3" "plate 3" 98,
        7 "table" "table" 60,
        8 "garbage_can" "garbage can" 72,
};

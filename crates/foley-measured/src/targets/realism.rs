//! What a sound classifier hears in rendered strikes and in hail (`make realism`).

use crate::Target;
use crate::target::{at_least, at_most, figure};

const JUDGE: &str = "a sound classifier and recordings (EARS)";
const WHY: &str = "the classifier is not part of the project";

const fn named(id: &'static str, what: &'static str, least: f64) -> Target {
    at_least(id, what, least, "%").reported(WHY).needs(JUDGE)
}

const fn stated(id: &'static str, what: &'static str) -> Target {
    figure(id, what, "%").needs(JUDGE)
}

pub(super) const TARGETS: &[Target] = &[
    named("realism.ceramic", "ceramic cups and mugs that are named so, of 30 strikes", 90.0),
    stated("realism.ceramic_recorded", "the same of recordings"),
    named("realism.bells", "bells that are named so, of 30 strikes", 80.0),
    stated("realism.bells_recorded", "the same of recordings"),
    named("realism.wood", "wooden doors, tables and planks named wood, knock or thump, of 30 strikes", 70.0),
    stated("realism.wood_recorded", "the same of recordings of small wood"),
    named("realism.glass", "glass panes and glasses that are named so, of 30 strikes", 70.0),
    stated("realism.steel", "steel bowls, pans and sheets that are named so, of 30 strikes"),
    stated("realism.steel_recorded", "the same of recordings"),
    stated("realism.plastic", "polycarbonate cups and plates that are named so, of 30 strikes"),
    stated("realism.plastic_recorded", "the same of recordings"),
    at_most(
        "realism.control",
        "share of sums of ten decaying sines that are named, over the target of a group: the largest",
        0.99,
        "",
    )
    .reported(WHY)
    .needs(JUDGE),
    named("realism.picnic", "pieces of the picnic under hail with a word of rain and none of music", 100.0),
];

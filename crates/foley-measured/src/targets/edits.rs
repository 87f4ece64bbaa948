//! Edits while a scene plays.

use crate::Target;
use crate::target::{at_least, at_most, exactly};

pub(super) const TARGETS: &[Target] = &[
    exactly(
        "edits.as_begun",
        "sound from 100 ms after an edit (remove, gain, material, strikes, listener) against a scene that began that way",
        0.0,
        "samples that differ",
    ),
    at_least(
        "edits.as_begun_moved",
        "the same after an object was moved or added, level above the difference",
        80.0,
        "dB",
    ),
    at_least(
        "edits.as_begun_scrape",
        "the same after a scrape was removed (what it excited rings on), level above the difference",
        30.0,
        "dB",
    ),
    at_least(
        "edits.undone",
        "sound from 100 ms after an undone edit, level above its difference from no edit",
        60.0,
        "dB",
    ),
    at_most(
        "edits.undone_scrape",
        "change of level by a scrape that is removed and undone (it begins elsewhere on the rough surface)",
        1.0,
        "dB",
    ),
    exactly("edits.refused", "sound after refused edits against none", 0.0, "samples that differ"),
    at_least(
        "edits.rolled_back",
        "sound after an edit that fails in the middle (pose, listener, hail), level above its difference from no edit",
        60.0,
        "dB",
    ),
    at_least(
        "edits.rolled_back_material",
        "the same with a change of material, by which what rang is lost",
        20.0,
        "dB",
    ),
    exactly(
        "edits.rolled_back_last",
        "sound after an edit that fails at its last step",
        0.0,
        "samples that differ",
    ),
    at_most(
        "edits.described",
        "level of either ear in an edited scene against one that began as its description",
        0.1,
        "dB",
    ),
    at_most("edits.come_back", "level of an object that comes back after a failed edit", 1.0, "dB"),
    exactly(
        "edits.host_block",
        "a stream in blocks of 1 … 4,096 frames against one block",
        0.0,
        "samples that differ",
    ),
    at_least("edits.rate", "edits in a minute of sound", 60_000.0, "edits"),
    exactly("edits.silent", "intervals of 10 ms without sound in that minute", 0.0, "intervals"),
    exactly("edits.bad", "refused commands and bad blocks in that minute", 0.0, ""),
    at_most("edits.voices", "voices of three objects in that minute", 8.0, "voices"),
    at_most("edits.memory", "growth of memory in 50 s of that minute", 8.0, "MB"),
];

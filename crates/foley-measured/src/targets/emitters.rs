//! Emitters, propagation and ears.

use crate::Target;
use crate::target::{at_least, at_most, exactly};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "emitters.distance_law",
        "fall of the level against 6 dB per doubling of distance, listener walking from 1 to 16 m",
        0.15,
        "dB",
    ),
    at_least("emitters.head_right", "right ear above left, object to the right", 12.0, "dB"),
    at_most(
        "emitters.head_ahead",
        "difference of the ears, object ahead after a quarter turn",
        1.0,
        "dB",
    ),
    at_least(
        "emitters.head_left",
        "left ear above right, object to the left after half a turn",
        20.0,
        "dB",
    ),
    at_most(
        "emitters.approached",
        "level against the exact render, struck at 200 m and approached to 1 m",
        1.0,
        "dB",
    ),
    at_most(
        "emitters.doppler",
        "Doppler shift against the analytic one, 30 m/s passing at 2 m, B = 256",
        1.0,
        "cents",
    ),
    at_most(
        "emitters.doppler_by_frames",
        "the same with positions given 60 times a second, 20 m/s, object or listener, B = 512",
        5.0,
        "cents",
    ),
    at_most(
        "emitters.separation",
        "distance of voices from a shared emitter as heard, relative to the tolerance, 1,700 voices on 64 emitters",
        1.5,
        "",
    ),
    at_most("emitters.changes", "changes of emitter of these voices", 0.1, "per s and voice"),
    at_least(
        "emitters.route_gain",
        "a voice with gain on another bus, against the scaled sound",
        90.0,
        "dB",
    ),
    at_least(
        "emitters.cross_fade",
        "sum of the buses while a voice moves between them",
        85.0,
        "dB",
    ),
    at_least("emitters.cross_fade_partials", "the same with partials", 40.0, "dB"),
    at_least("emitters.ramp", "a gain that changes in every block, against a ramp", 80.0, "dB"),
    at_least("emitters.ramp_partials", "the same with partials", 45.0, "dB"),
    at_most(
        "emitters.reroute_outside",
        "a tone re-routed by 1 m: energy outside its critical band",
        -60.0,
        "dB",
    ),
    at_most(
        "emitters.reroute_level",
        "a tone re-routed by 1 m: change of level in 125 ms",
        1.5,
        "dB",
    ),
    at_most(
        "emitters.near_again",
        "level of an object that was too far to be heard and comes near",
        1.0,
        "dB",
    ),
    at_most("emitters.split_partials", "change of partials, one bus split into eight", 2.0, "%"),
    at_least("emitters.split_sound", "sound of eight buses against one", 80.0, "dB"),
    at_most(
        "emitters.split_partials_heard",
        "change of partials, one emitter split into eight",
        2.0,
        "%",
    ),
    at_least("emitters.split_sound_heard", "sound of eight emitters against one", 80.0, "dB"),
    exactly(
        "emitters.blocks_at_rest",
        "propagation in blocks of 1 … 100 samples, at rest",
        0.0,
        "samples that differ",
    ),
    at_most("emitters.blocks_in_motion", "the same in motion: largest difference", -100.0, "dB"),
    exactly("emitters.voices_given_back", "voices 2 s after the last strike", 0.0, "voices"),
    at_most(
        "emitters.jump_click",
        "jump of object, listener or head: energy outside ± 200 Hz of a tone, B = 256",
        -80.0,
        "dB",
    ),
    at_least(
        "emitters.after_jump",
        "100 ms after the jump, against a scene that began that way",
        80.0,
        "dB",
    ),
    at_most(
        "emitters.fade_click",
        "new gain or removal: energy outside ± 300 Hz of a tone, B = 128",
        -80.0,
        "dB",
    ),
    at_most("emitters.gain", "error of a gain of −20 dB", 0.1, "dB"),
    at_most(
        "emitters.switch_levels",
        "level of 50 ms while the synthesis changes every 100 ms, against all modes",
        0.05,
        "dB",
    ),
    at_least(
        "emitters.switch_back",
        "all modes again after another synthesis, against all modes throughout",
        100.0,
        "dB",
    ),
    at_least(
        "emitters.switch_large",
        "the same with 27,000 modes, handed over in several blocks",
        105.0,
        "dB",
    ),
    at_least(
        "emitters.switch_edges",
        "edges of blocks while modes are handed over, against all modes",
        95.0,
        "dB",
    ),
    at_least("emitters.switch_between_edges", "samples between these edges", 55.0, "dB"),
    at_most(
        "emitters.switch_click",
        "energy above 7 kHz at a change of synthesis, modes up to 4.2 kHz",
        -85.0,
        "dB",
    ),
    at_most("emitters.cost_of_64", "64 busy emitters above one bus, B = 256", 10.0, "% of a core")
        .reported("a speed of this machine: 7 % on an AMD EPYC, 12 to 13 % on an Intel Xeon"),
];

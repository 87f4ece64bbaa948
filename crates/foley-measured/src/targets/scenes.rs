//! Scenes in motion.

use crate::Target;
use crate::target::{at_least, at_most, between, exactly, figure};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "scenes.impact_speed",
        "twice the impact speed against 6.02 dB more, three modes of a bar",
        0.15,
        "dB",
    ),
    at_most(
        "scenes.middle",
        "second mode of a bar struck in its middle, against the first and against beside it",
        -30.0,
        "dB",
    ),
    at_least(
        "scenes.softer",
        "spectral centroid of a striker over that of the next softer one, six moduli",
        1.001,
        "",
    ),
    at_least("scenes.softest", "the same, the hardest over the softest", 2.0, ""),
    at_least(
        "scenes.named_strikers",
        "the same of five named strikers, one over the next",
        1.001,
        "",
    )
    .reported("missed by the fingertip: of a contact of many periods the side lobes of its spectrum are left"),
    at_least(
        "scenes.named_strikers_above",
        "power above 2 kHz of five named strikers of equal momentum, one over the next",
        0.5,
        "dB",
    ),
    at_most(
        "scenes.scrape_pitch",
        "pitch of a scraped, ribbed plate against speed over period, 0.1 … 0.4 m/s",
        2.0,
        "%",
    ),
    at_most(
        "scenes.scrape_peak",
        "peak of a scraped, rough surface against speed over wavelength, 0.5 … 2 m/s",
        0.2,
        "octaves",
    ),
    at_most(
        "scenes.blunt",
        "spectral centroid of scraping with the bluntest or softest tip over the sharpest or hardest",
        0.8,
        "",
    ),
    at_least(
        "scenes.roll_radius",
        "spectral centroid of a rolling ball over that of the next larger one, 2 … 200 mm",
        1.001,
        "",
    ),
    at_least("scenes.roll_largest", "the same, the smallest over the largest", 1.3, ""),
    at_most(
        "scenes.radiated_falls",
        "energy radiated by falling bars, plates, discs and rings, of the energy lost",
        100.0,
        "%",
    ),
    at_most("scenes.radiated_strikes", "the same of strikes", 100.0, "%"),
    at_most("scenes.radiated_scrapes", "the same of scrapes", 100.0, "%"),
    at_least(
        "scenes.strike_points",
        "partials of a cylinder on the middle and the edge of a table, as [LS] Fig. 5: correlation of their differences with the mode shapes'",
        0.95,
        "",
    )
    .reported("missed: 0.97 before supports, directivity and the air's load came in, which are off in this test; the cause is not found"),
    at_least("scenes.strike_points_partials", "partials compared there", 21.0, "partials")
        .reported("missed by one; the cause is not found"),
    at_least("scenes.strike_points_spread", "difference of the two spectra there", 10.0, "dB"),
    at_most("scenes.distance", "twice the distance against 6.02 dB less, 1 … 8 m", 0.2, "dB"),
    at_most(
        "scenes.walk",
        "level of a ringing bar from which the listener walks away, against 1/r",
        0.4,
        "dB",
    ),
    at_most(
        "scenes.crossing",
        "power above 8 kHz where a scraped plate passes, a click included, of all power",
        -90.0,
        "dB",
    ),
    at_most(
        "scenes.xylophone_pitch",
        "notes of the demo xylophone against equal temperament, from the rendered sound",
        5.0,
        "cents",
    ),
    at_most(
        "scenes.xylophone_time",
        "onsets of the demo xylophone against the score, from the rendered sound",
        1.0,
        "ms",
    ),
    at_most(
        "scenes.settled",
        "peak of a body that lies, from 6 s to a minute, 60 … 480 Hz",
        -100.0,
        "dBFS",
    ),
    at_most("scenes.settled_stack", "the same of a stack of 50 boxes", -100.0, "dBFS"),
    at_most(
        "scenes.bounces",
        "audible bounces at 120, 240 and 480 Hz against 60 Hz",
        1.0,
        "bounces",
    ),
    at_most(
        "scenes.bounce_level",
        "level of a bounce at 120, 240 and 480 Hz against 60 Hz",
        1.0,
        "dB",
    ),
    exactly(
        "scenes.trace",
        "sound from a trace against the run that wrote it",
        0.0,
        "samples that differ",
    ),
    exactly("scenes.step", "sound with steps of any length", 0.0, "samples that differ"),
    exactly("scenes.threads", "sound on 2 and 8 threads against one", 0.0, "samples that differ"),
    exactly("scenes.host_block", "sound in blocks of 1 … 512 frames", 0.0, "samples that differ"),
    at_most(
        "scenes.wasm",
        "one second of the rings by WebAssembly under Node against native code",
        -80.0,
        "dB",
    )
    .reported("missed; supposed cause: elementary functions round otherwise there, which grows where contacts follow each other")
    .needs("Node and the target wasm32-unknown-unknown"),
    figure("scenes.wasm_time", "time of that render by WebAssembly over that of native code", "")
        .needs("Node and the target wasm32-unknown-unknown"),
    at_least(
        "scenes.invalid_traces",
        "numbers of any size in traces: renders without a panic, all samples finite",
        64.0,
        "cases",
    ),
    at_most(
        "physics.bounce_time",
        "times of a bouncing ball against the closed form, 60 … 480 Hz",
        0.03,
        "steps",
    ),
    at_most(
        "physics.bounce_impulse_slow",
        "impulses of a bouncing ball against the closed form, 60 and 120 Hz",
        0.05,
        "dB",
    ),
    at_most("physics.bounce_impulse", "the same, 240 and 480 Hz", 0.002, "dB"),
    at_most(
        "physics.bounce_speed_slow",
        "speeds of its impacts against the closed form, 60 and 120 Hz",
        0.6,
        "%",
    ),
    at_most("physics.bounce_speed", "the same, 240 and 480 Hz", 0.02, "%"),
    exactly(
        "physics.bounce_count",
        "impacts of a bouncing ball that the closed form does not have, or has in addition",
        0.0,
        "impacts",
    ),
    at_most(
        "physics.ball_loss",
        "energy that a bouncing ball loses, as reported, against ½ m v² (1 − e²), times the rate",
        1.2,
        "% Hz",
    ),
    between(
        "physics.loss_outlier",
        "energy loss reported for the impacts of a rattling bar, of the loss of the bodies, 60 Hz, e = 0.6, tilt 0.8",
        0.6,
        1.000_01,
        "",
    ),
    between("physics.loss_slow", "the same, all other cases of 60 and 120 Hz", 0.85, 1.000_01, ""),
    between("physics.loss", "the same, 240 and 480 Hz", 0.93, 1.000_01, ""),
    at_most(
        "physics.slide",
        "speed of a box that slides down a slope against g (sin α − μ cos α) t",
        2.0,
        "%",
    ),
    at_most("physics.slide_force", "normal force of that box against m g cos α", 2.0, "%"),
    at_most("physics.roll", "speed of rolling balls against the closed form", 2.0, "%"),
    at_most("physics.weight", "forces at the levels of a stack against the weight above", 2.0, "%"),
    at_most("physics.hammer_time", "impact of a scripted hammer against its path", 1.0, "ms"),
    figure(
        "physics.rings_second",
        "processor time of the first second of 100 rings, physics at 240 Hz",
        "s",
    ),
    figure(
        "physics.heap_step",
        "processor time of a step of 2,000 bodies in a heap, 60 Hz, on average",
        "ms",
    ),
    at_most("physics.heap_slowest", "the same, the slowest step", 1.0, "s"),
];

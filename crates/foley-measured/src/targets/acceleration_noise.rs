//! Acceleration noise: clicks of rigid bodies against exact and published solutions.

use crate::Target;
use crate::target::{at_least, at_most, between};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "click.sphere",
        "bursts of spheres of 3 mm to 0.4 m against the exact oscillating sphere times the spectrum of the force, level and \
         phase, to ka = 10 or 20 kHz",
        0.1,
        "dB",
    ),
    at_most(
        "click.energy",
        "radiated energy of a click from its pressure over time against the spectrum of its force, relative",
        0.005,
        "",
    ),
    at_most(
        "click.two_balls_peak",
        "peak pressure of two 38 mm steel balls on their axis against Koss and Alfredson's closed form for a half-sine force",
        0.1,
        "dB",
    ),
    at_most("click.two_balls_duration", "duration of its first pulse, relative", 0.02, ""),
    between(
        "click.two_balls_hertz",
        "the same peak for the force of Hertz over that for the half-sine of its impulse and duration",
        0.0,
        1.0,
        "dB",
    ),
    at_least(
        "click.same_in_all_syntheses",
        "bursts in every kernel, synthesis and block length, on voices that ring or sleep, against their samples",
        120.0,
        "dB",
    ),
    at_least(
        "click.through_the_engine",
        "the sound of a strike on a body without gains, in four syntheses and while they change, against its burst",
        100.0,
        "dB",
    ),
    at_most(
        "click.marbles",
        "two glass marbles that collide in a scene, and one that hits what is fixed: energy against that of the bursts",
        0.5,
        "dB",
    ),
    at_most(
        "click.solids",
        "two poles between closed limits against boundary elements, boxes and cylinders, ka = 0.3 … 4, directions within 6 dB of \
         the loudest",
        2.0,
        "dB",
    ),
    at_most("click.plate", "the same across a thin plate", 4.0, "dB"),
    at_most("click.cup", "the same for an open cup", 6.0, "dB").reported(
        "missed: two poles have no resonance of the air in the cup, at 850 Hz along its axis",
    ),
    at_most(
        "click.edges",
        "the same for all of them, directions of 6 to 16 dB below the loudest",
        5.0,
        "dB",
    )
    .reported("missed: a thin plate moved along its edge at ka = 4 is 5.3 dB too loud"),
    at_least(
        "click.opposed",
        "two balls that collide: energy of their clicks in phase over that of opposed ones",
        3.0,
        "dB",
    )
    .reported(
        "missed; supposed cause: at the frequencies of a short contact the balls are waves apart",
    ),
];

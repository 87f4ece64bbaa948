//! Contacts that give way: Hertz, Zener's plate, sums of modes, energy.

use crate::Target;
use crate::target::{at_least, at_most};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "contact.hertz_duration",
        "a steel ball on an immovable wall, 0.01 to 20 m/s: duration against Hertz",
        1.0,
        "%",
    ),
    at_most("contact.hertz_restitution", "the same: restitution against 1", 0.001, ""),
    at_most(
        "contact.lossy_restitution",
        "contacts of restitution 0.05 to 0.95 on a wall: error of the rebound",
        0.01,
        "",
    ),
    at_most(
        "contact.zener_restitution",
        "a ball on Zener's plate, λ = 0.05 to 3: error of the restitution",
        0.01,
        "",
    ),
    at_most("contact.zener_duration", "the same: duration", 5.0, "%"),
    at_most(
        "contact.modal_sum_restitution",
        "a large plate as modes to 5, 20 and 60 kHz and what continues them, against the infinite plate: restitution",
        0.01,
        "",
    ),
    at_most(
        "contact.modal_sum_spectrum",
        "the same: spectrum of the force, 1 to 20 kHz",
        0.3,
        "dB",
    ),
    at_most(
        "contact.modal_sum_above",
        "the same: mobility above the last mode against Zener's",
        10.0,
        "%",
    ),
    at_most(
        "contact.naive_impulse",
        "forty modes, solved together, against each by itself in small steps: impulse",
        1.0,
        "%",
    ),
    at_most(
        "contact.energy",
        "striker before against striker after, contact, modes and above: difference",
        1.0,
        "%",
    ),
    at_least(
        "contact.soft_radiates_acceleration",
        "a push of 5 ms on a mode at 4 kHz against what its acceleration radiates: ratio of the sound to its error",
        30.0,
        "dB",
    ),
    at_most(
        "contact.soft_meets_short",
        "a pulse of 36 samples, sampled, against one just shorter, by its spectrum: power below 500 Hz",
        1.0,
        "dB",
    )
    .reported("missed: short pulses keep the offset of their modes"),
];

//! Modes and surfaces from recordings, against the sound that was made from known ones.

use crate::Target;
use crate::target::{at_most, exactly, figure};

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "recordings.thirty_frequency",
        "thirty modes in noise 40 dB below, those 20 dB above it, eight recordings: frequency",
        0.1,
        "%",
    ),
    at_most("recordings.thirty_decay", "the same: decay", 5.0, "%"),
    at_most("recordings.thirty_gain", "the same: gain", 1.0, "dB"),
    exactly(
        "recordings.thirty_spurious",
        "the same: modes that do not exist, 20 dB above the noise",
        0.0,
        "modes",
    ),
    at_most("recordings.close_frequency", "two modes 3 Hz apart: frequency", 0.01, "%"),
    at_most("recordings.close_decay", "two modes 3 Hz apart: decay", 5.0, "%"),
    at_most("recordings.close_gain", "two modes 3 Hz apart: gain", 1.0, "dB"),
    at_most(
        "recordings.places_frequency",
        "modes shared by strikes at three places: frequency",
        0.01,
        "%",
    ),
    at_most("recordings.places_decay", "modes shared by strikes at three places: decay", 2.0, "%"),
    at_most("recordings.places_gain", "modes shared by strikes at three places: gain", 0.5, "dB"),
    at_most("recordings.clean_frequency", "a tone without noise: frequency", 1e-4, "%"),
    at_most("recordings.clean_decay", "a tone without noise: decay", 0.01, "%"),
    at_most("recordings.clean_gain", "a tone without noise: gain", 0.05, "dB"),
    at_most("recordings.clean_residual", "a tone without noise: residual", -140.0, "dB"),
    at_most("recordings.contact_frequency", "modes after a contact of 4 ms: frequency", 0.1, "%"),
    at_most("recordings.contact_decay", "modes after a contact of 4 ms: decay", 5.0, "%"),
    at_most("recordings.contact_gain", "modes after a contact of 4 ms: gain", 1.0, "dB"),
    at_most(
        "recordings.poor_frequency",
        "offset, clipping, hum, six sample rates, long recordings: frequency",
        0.1,
        "%",
    ),
    at_most("recordings.poor_decay", "the same: decay", 5.0, "%"),
    at_most("recordings.poor_gain", "the same: gain", 1.0, "dB"),
    at_most(
        "recordings.residual_is_noise",
        "difference of the residual from the noise that was added",
        1.5,
        "dB",
    ),
    at_most("recordings.noise_level", "error of the estimated noise", 1.5, "dB"),
    at_most("recordings.onset", "error of the time of the strike", 0.2, "ms"),
    at_most(
        "recordings.clipped_time",
        "processor time for 1.6 s of sound with a clipped start",
        3.0,
        "s",
    ),
    at_most(
        "recordings.clipped_to_the_end_time",
        "processor time for 0.5 s of sound clipped to its end",
        20.0,
        "s",
    ),
    at_most(
        "recordings.ten_seconds_time",
        "processor time for 10 s of sound with 30 modes",
        10.0,
        "s",
    ),
    at_most(
        "recordings.minute_time",
        "processor time for a minute of sound with 30 modes",
        30.0,
        "s",
    ),
    at_most("recordings.dense_time", "processor time for 10 s of sound with 200 modes", 20.0, "s"),
    figure(
        "recordings.dense_found",
        "modes found of these 200, many closer than their bandwidth",
        "modes",
    ),
    at_most("recordings.dense_residual", "their residual, with noise at −40 dB", -20.0, "dB"),
    at_most(
        "recordings.surface_beta",
        "a surface from a recording of scraping: error of β",
        0.1,
        "",
    ),
    at_most(
        "recordings.surface_reson",
        "a surface from a recording of scraping: wavelength of its peak",
        2.0,
        "%",
    ),
    at_most(
        "recordings.surface_width",
        "a surface from a recording of scraping: width of its peak",
        15.0,
        "%",
    ),
];

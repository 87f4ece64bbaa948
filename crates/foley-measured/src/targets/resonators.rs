//! Resonators and excitation: the bank against the closed form in f64, forces and impacts against physics.

use crate::Target;
use crate::target::{at_least, at_most, between, figure};

pub(super) const TARGETS: &[Target] = &[
    // The bank against the closed form: ratio of the sound to its error.
    at_least(
        "resonators.single_mode",
        "any single mode, 20 Hz – 20 kHz, T60 20 ms – 60 s, over 10 s, six block lengths, three kernels",
        80.0,
        "dB",
    ),
    at_least(
        "resonators.mixed",
        "1,920 modes struck and driven, kernel per sample or chosen, B = 64 … 512, three instruction sets",
        100.0,
        "dB",
    ),
    at_least("resonators.mixed_spectral", "the same, spectral kernel", 100.0, "dB"),
    at_least(
        "resonators.moments",
        "modes rebuilt from the moments of their cell, all but the fastest decays",
        109.0,
        "dB",
    ),
    at_least(
        "resonators.moments_fast",
        "modes rebuilt from the moments of their cell, the fastest decays",
        95.0,
        "dB",
    ),
    at_least("resonators.reference", "the reference kernel", 140.0, "dB"),
    at_least(
        "resonators.unusual_modes",
        "kernels against the reference: near 0 Hz and half the sample rate, equal, undamped, fast, 5,000 in one cell",
        100.0,
        "dB",
    ),
    at_least(
        "resonators.contacts",
        "one to nine contacts together against their sum and the closed form",
        100.0,
        "dB",
    ),
    at_least(
        "resonators.gliding_contacts",
        "contacts that glide, against gains that move from sample to sample",
        100.0,
        "dB",
    ),
    at_least(
        "resonators.blocks",
        "every kernel and block length against the closed form and each other",
        100.0,
        "dB",
    ),
    at_most(
        "resonators.energies",
        "relative error of the energy of every mode after every block",
        1e-5,
        "",
    ),
    at_most(
        "resonators.fast_energies",
        "the same for the fastest decays, relative to the energy when struck",
        2e-5,
        "",
    ),
    at_least(
        "resonators.short_impacts",
        "impacts up to 36 samples after the contact, all modes together",
        105.0,
        "dB",
    ),
    at_least("resonators.short_impacts_per_mode", "the same, the worst single mode", 100.0, "dB"),
    at_least(
        "resonators.long_impacts",
        "longer, sampled impacts after the contact, all modes together",
        94.0,
        "dB",
    ),
    at_least(
        "resonators.long_impacts_per_mode",
        "the same, the worst single mode that the pulse excites",
        62.0,
        "dB",
    ),
    at_least(
        "resonators.long_pulses",
        "overlapping pulses of up to 10,000 samples against the reference",
        100.0,
        "dB",
    ),
    at_least("resonators.long_pulses_after", "the same, after the last contact", 90.0, "dB"),
    at_least("resonators.hundred_strikes", "a hundred strikes in one block", 100.0, "dB"),
    at_least("resonators.order_of_strikes", "the same strikes sent in another order", 120.0, "dB"),
    at_least(
        "resonators.strikes_on_time",
        "strikes on six voices, sent in any order, long before or just before",
        100.0,
        "dB",
    ),
    at_most(
        "resonators.interpolated_gains",
        "gains of all modes side by side, against one mode after another",
        1e-6,
        "",
    ),
    at_most(
        "resonators.gains_cost",
        "time for the gains of 333 modes side by side, relative to a loop over modes",
        0.5,
        "",
    ),
    // Impacts.
    at_most(
        "resonators.hertz_time",
        "relative error of Hertz' contact time against the equation of motion",
        1e-6,
        "",
    ),
    at_most(
        "resonators.momentum",
        "relative error of the impulse of a ball on a wall, 2 m v",
        1e-9,
        "",
    ),
    at_most(
        "resonators.twice_the_speed",
        "change of every mode at twice the speed, against momentum and Hertz",
        0.1,
        "dB",
    ),
    at_most(
        "resonators.strike_time",
        "error of the time of a strike in the sound",
        0.05,
        "samples",
    ),
    // The sound of bars.
    at_most(
        "resonators.bar_in_sound",
        "five frequencies of a steel bar in its sound, against Euler and Bernoulli",
        0.1,
        "%",
    ),
    at_most("resonators.bar_decay_in_sound", "the T60 of these modes in the sound", 5.0, "%"),
    at_most(
        "resonators.modes_in_sound",
        "every frequency of three models in their sound",
        0.1,
        "%",
    ),
    at_most("resonators.decays_in_sound", "every T60 of three models in their sound", 5.0, "%"),
    at_most(
        "resonators.bar_scaling",
        "frequency of bars of other lengths and thicknesses, against h/L²",
        0.1,
        "%",
    ),
    at_least(
        "resonators.bar_nodes",
        "even modes of a bar struck in the middle, below those struck at the end",
        80.0,
        "dB",
    ),
    // Sustained forces.
    at_most(
        "resonators.scrape_octave",
        "peak of scraping at twice the speed, against an octave",
        3.0,
        "%",
    ),
    at_most("resonators.scrape_peak", "peak of scraping against speed over wavelength", 3.0, "%"),
    at_most(
        "resonators.scrape_level",
        "level of scraping against the root of speed times force, five surfaces",
        0.5,
        "dB",
    ),
    at_most("resonators.rib_line", "line of ribs against speed over period", 0.01, "Hz"),
    at_most(
        "resonators.scrape_aliasing",
        "energy of scraped ribs outside of their lines",
        -45.0,
        "dB",
    ),
    at_most(
        "resonators.roll_radius",
        "centroid of rolling with a radius of 1 m, relative to 1 mm",
        0.5,
        "",
    ),
    at_most(
        "resonators.roll_low_pass",
        "low pass of the contact patch against its model",
        1.0,
        "dB",
    ),
    at_most("resonators.roll_enhancement", "enhancement at modes against its model", 2.0, "dB"),
    at_most(
        "resonators.force_energy",
        "energy that a body receives, of the energy that the contact loses",
        100.0,
        "%",
    ),
    between(
        "resonators.broadband_energy",
        "the same for a broadband surface at the mean impedance, which delivers all of it",
        0.5,
        1.1,
        "",
    ),
    figure(
        "resonators.scrape_cost",
        "scraping, a block of 256 samples, the slowest of eight",
        "µs",
    ),
    figure(
        "resonators.roll_cost",
        "rolling with 32 enhanced modes, a block of 256 samples, the slowest of eight",
        "µs",
    ),
];

//! Radiated power of modes: exact and published solutions, independent software, and time.

use crate::Target;
use crate::target::{at_least, at_most, figure};

/// The reason why times fail no test.
const SPEED: &str = "depends on the machine";

pub(super) const TARGETS: &[Target] = &[
    at_most(
        "radiation.sphere",
        "pulsating and oscillating spheres to ka = 10, at interior resonances too: power against the exact solution",
        0.2,
        "dB",
    ),
    at_most(
        "radiation.sphere_pressure",
        "the same: complex far field in three directions",
        0.4,
        "dB",
    ),
    at_most(
        "radiation.wallace",
        "five modes of a supported plate in a baffle, 0.1 to 2.5 × coincidence, against Wallace's integral",
        0.3,
        "dB",
    ),
    at_most(
        "radiation.disc",
        "a thin rigid disc in free air, ka = 0.02 to 0.2: power against the closed form",
        0.5,
        "dB",
    ),
    at_most("radiation.disc_mass", "the same: added mass against Lamb's", 5.0, "%"),
    at_most(
        "radiation.added_mass_disc",
        "its added mass from the coarse meshes of sets of modes, and its moment of inertia as it turns about a diameter, against Lamb's",
        5.0,
        "%",
    ),
    at_most("radiation.piston", "the same at ka = 15: efficiency against 1", 0.1, ""),
    at_most(
        "radiation.bempp",
        "four modes of an unbaffled plate against bempp-cl, seven frequencies",
        1.0,
        "dB",
    )
    .reported("`make bench-waves` fails"),
    at_most(
        "radiation.far_field",
        "smooth velocities on a sheet and a sphere: power at the surface against that far away",
        1.0,
        "%",
    ),
    at_most("radiation.reciprocity", "the same: asymmetry of the impedance of pairs", 1.0, "%"),
    at_most(
        "radiation.damping",
        "decay as power over energy against ρ₀c₀σ/2ρh of each side of a sheet, relative",
        1e-9,
        "",
    ),
    at_most(
        "radiation.interpolated",
        "modes of a plate on coarse meshes and between frequencies against direct solves",
        1.0,
        "dB",
    ),
    at_most(
        "radiation.breathing",
        "a breathing sphere on the coarsest mesh against the exact power",
        0.2,
        "dB",
    ),
    at_most(
        "radiation.high_above",
        "the high-frequency limit above coincidence against the solver: root mean square",
        1.0,
        "dB",
    ),
    at_most("radiation.high_below", "the same below coincidence", 2.5, "dB"),
    at_most(
        "radiation.slender_bars",
        "free bars by the closed form of slender bodies against boundary elements, to 8 kHz",
        2.0,
        "dB",
    ),
    at_most(
        "drum.added_mass",
        "air that moves with seven modes of a slack membrane, over its own mass, against the closed form of incompressible air",
        5.0,
        "%",
    ),
    at_most(
        "drum.ratios",
        "modes (1,1), (2,1), (3,1) of a kettledrum skin in air: distance of their ratios from the measured 1 : 1.50 : 1.99, over that of a vacuum",
        1.0,
        "",
    ),
    figure("drum.ratio_21", "the same: (2,1) over (1,1)", ""),
    figure("drum.ratio_31", "the same: (3,1) over (1,1)", ""),
    at_least(
        "drum.decay_order",
        "the same: decay of (0,1) by radiation over that of (1,1)",
        1.0,
        "",
    ),
    figure(
        "drum.decay_order_total",
        "the same with the loss factor of plastic, as if the skin were bent: an upper bound",
        "",
    ),
    at_most(
        "drum.budget",
        "the same skin, 150 modes: frequencies with the default budget against those of six times the budget",
        10.0,
        "cents",
    ),
    at_most(
        "directivity.dipole",
        "an oscillating sphere, ka = 0.1 to 3: mean-square pressure over directions against 3 cos², within 20 dB of its mean",
        0.2,
        "dB",
    ),
    at_most(
        "directivity.plate",
        "bands of a baked plate in 60 directions against the sum of the solved pressures of its modes, within 15 dB of the mean",
        1.0,
        "dB",
    )
    .reported("missed near the nulls, which lobes of 15° fill"),
    at_most(
        "directivity.slender",
        "free bars in closed form against boundary elements, modes to 4 kHz, directions within 10 dB of the mean",
        2.0,
        "dB",
    )
    .reported("missed beside the nulls between lobes"),
    figure("directivity.slender_power", "the same: share of the power in other directions, the largest", "%"),
    at_most(
        "directivity.equalizer",
        "gains of third-octave bands that change by up to 10 dB from band to band: level of each band",
        0.5,
        "dB",
    ),
    at_most(
        "directivity.clicks",
        "a tone of 300 Hz through gains that change by 24 dB within 0.1 s: sharp changes, against the tone",
        -100.0,
        "dB",
    ),
    at_most(
        "directivity.front_and_edge",
        "a plate heard from in front to its edge, rendered: bands against the directivity of the model",
        1.0,
        "dB",
    )
    .reported("missed where neighbouring bands differ by more than 10 dB"),
    at_most(
        "directivity.moving_listener",
        "a listener who circles a ringing plate of modes to 4 kHz once a second: sound above 6 kHz, against all",
        -80.0,
        "dB",
    ),
    at_most(
        "directivity.mean",
        "the same plate heard from 60 directions: mean energy against the render without directivity",
        0.3,
        "dB",
    ),
    at_most(
        "radiation.plate_time",
        "plates of 0.3 m, 1 and 2 mm thick, all modes to 12 kHz, on two cores, the slower",
        60.0,
        "s",
    )
    .reported(SPEED),
    at_most("radiation.plate_default", "the same with the default budget", 15.0, "s")
        .reported(SPEED),
    at_most(
        "radiation.plate_default_error",
        "the same: power against the long solution, median of the modes",
        0.8,
        "dB",
    ),
    at_most(
        "radiation.wok_time",
        "the built-in wok of steel, all its modes to 12 kHz, on two cores",
        60.0,
        "s",
    )
    .reported(SPEED),
    at_most(
        "radiation.bell_time",
        "the built-in bell of bronze, all its modes to 12 kHz, on two cores",
        120.0,
        "s",
    )
    .reported(SPEED),
];

//! The table of all targets, in the order of MEASURED.md.

mod acceleration_noise;
mod benchmarks;
mod commands;
mod contact;
mod decays;
mod edits;
mod eigen;
mod emitters;
mod energy;
mod hail;
mod live;
mod meshes;
mod perception;
mod quality;
mod radiation;
mod realism;
mod recordings;
mod reproducible;
mod resonators;
mod scenes;
mod shapes;
mod supports;

use crate::target::{Target, at_most};

/// A section of MEASURED.md.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// Its rows.
    pub targets: &'static [Target],
}

/// All sections, in order.
pub const SECTIONS: &[Section] = &[
    Section { title: "Modes of shapes", targets: shapes::TARGETS },
    Section { title: "Modes of meshes", targets: meshes::TARGETS },
    Section { title: "Eigensolver", targets: eigen::TARGETS },
    Section { title: "Modes from recordings", targets: recordings::TARGETS },
    Section { title: "Decays", targets: decays::TARGETS },
    Section { title: "Radiation", targets: radiation::TARGETS },
    Section { title: "Contacts", targets: contact::TARGETS },
    Section { title: "Damping by touch", targets: supports::TARGETS },
    Section { title: "Energy of strikes", targets: energy::TARGETS },
    Section { title: "Resonators", targets: resonators::TARGETS },
    Section { title: "Acceleration noise", targets: acceleration_noise::TARGETS },
    Section { title: "Perceptual synthesis", targets: perception::TARGETS },
    Section { title: "Quality of perceptual synthesis", targets: quality::TARGETS },
    Section { title: "Emitters and propagation", targets: emitters::TARGETS },
    Section { title: "Scenes in motion", targets: scenes::TARGETS },
    Section { title: "Hail", targets: hail::TARGETS },
    Section { title: "Edits while playing", targets: edits::TARGETS },
    Section { title: "Live playing", targets: live::TARGETS },
    Section { title: "Reproducible output", targets: reproducible::TARGETS },
    Section { title: "The command", targets: commands::TARGETS },
    Section { title: "Realism", targets: realism::TARGETS },
    Section { title: "Speed", targets: benchmarks::TARGETS },
];

/// Targets of the tests of this crate, which are not in MEASURED.md.
const EXAMPLES: &[Target] = &[
    at_most("example.third", "a third", 0.34, ""),
    at_most("example.reported", "a speed", 1.0, "s").reported("depends on the machine"),
];

/// Returns all targets of MEASURED.md.
pub fn all() -> impl Iterator<Item = &'static Target> {
    SECTIONS.iter().flat_map(|section| section.targets)
}

/// Returns the target of an id.
pub fn find(id: &str) -> Option<&'static Target> {
    all().chain(EXAMPLES).find(|target| target.id == id)
}

//! What can go wrong on a GPU.

use foley_hail::HailError;
use thiserror::Error;

/// Why the GPU cannot do it.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no GPU, not even one in software.
    #[error(
        "no GPU found ({why}); install a Vulkan driver (in software: Debian's mesa-vulkan-drivers)"
    )]
    NoAdapter {
        /// What the system said.
        why: String,
    },
    /// The GPU would not open.
    #[error("the GPU {adapter} cannot be used: {why}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What it said.
        why: String,
    },
    /// The GPU went away in the middle.
    #[error("the GPU was lost: {why}")]
    Lost {
        /// What it said.
        why: String,
    },
    /// More than this GPU can hold.
    #[error("{what} need {bytes} bytes; this GPU takes {most} at once; {remedy}")]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// How many bytes are needed.
        bytes: u64,
        /// How many there may be.
        most: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// The ring of slots is too short.
    #[error(
        "{slots} slots are too few: {needed} stones are in the air or bounce at once; \
         leave `slots` out, or make them as many"
    )]
    TooFewSlots {
        /// How many were given.
        slots: u32,
        /// How many are needed.
        needed: u64,
    },
    /// This needs stones kept on the GPU, or a map.
    #[error("{what} needs {needs}")]
    NotKept {
        /// What was asked for.
        what: &'static str,
        /// What must be set.
        needs: &'static str,
    },
    /// A setting makes no sense.
    #[error("{key} is {value}; it must be {must}")]
    Setting {
        /// Which one.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        must: &'static str,
    },
    /// The hail itself refuses.
    #[error(transparent)]
    Hail(#[from] HailError),
}

impl GpuError {
    /// Whether the CPU can go on where the GPU stopped: everything but a mistake of the caller.
    pub fn cpu_can_continue(&self) -> bool {
        !matches!(self, Self::Hail(_) | Self::Setting { .. } | Self::NotKept { .. })
    }
}

//! Errors of hail on the GPU.

use foley_hail::HailError;
use thiserror::Error;

/// Why the GPU cannot be used.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no GPU, not even a software rasteriser.
    #[error(
        "no GPU found ({why}); install a Vulkan driver (software: Debian's mesa-vulkan-drivers)"
    )]
    NoAdapter {
        /// The message of the system.
        why: String,
    },
    /// The device cannot be opened or refuses a resource.
    #[error("the GPU {adapter} cannot be used: {why}")]
    NoDevice {
        /// The name of the adapter.
        adapter: String,
        /// The message of the driver.
        why: String,
    },
    /// The device was lost.
    #[error("the GPU was lost: {why}")]
    Lost {
        /// The message of the driver.
        why: String,
    },
    /// A buffer exceeds the limits of the GPU.
    #[error("{what} need {bytes} bytes; this GPU takes {limit} at once; {remedy}")]
    TooLarge {
        /// The content of the buffer.
        what: &'static str,
        /// The size of the buffer.
        bytes: u64,
        /// The largest size.
        limit: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// The ring buffer is too small.
    #[error(
        "{slots} slots are too few: {needed} stones are in flight or bounce at once; \
         use at least as many, or `Slots::Auto`"
    )]
    TooFewSlots {
        /// The given number of slots.
        slots: u32,
        /// The required number of slots.
        needed: u64,
    },
    /// An operation needs an option that is not set.
    #[error("{what} needs {needs}")]
    MissingOption {
        /// The operation.
        what: &'static str,
        /// The required option.
        needs: &'static str,
    },
    /// An option is out of range.
    #[error("{key} is {value}; it must be {must}")]
    Setting {
        /// The name of the option.
        key: &'static str,
        /// The given value.
        value: f64,
        /// The allowed values.
        must: &'static str,
    },
    /// An error of foley-hail.
    #[error(transparent)]
    Hail(#[from] HailError),
}

impl GpuError {
    /// Returns whether the CPU can continue after this error: true unless the caller made a mistake.
    pub fn cpu_can_continue(&self) -> bool {
        !matches!(self, Self::Hail(_) | Self::Setting { .. } | Self::MissingOption { .. })
    }
}

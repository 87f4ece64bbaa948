//! Errors of hail on the GPU.

use crate::PictureTarget;
use foley_hail::HailError;
use thiserror::Error;

/// Why the GPU cannot be used.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum GpuError {
    /// There is no GPU, not even a software rasteriser.
    #[error(
        "no GPU found ({why}); install a Vulkan driver (software: Debian's mesa-vulkan-drivers)"
    )]
    NoAdapter { why: String },
    /// The device cannot be opened or refuses a resource.
    #[error("the GPU {adapter} cannot be used: {why}")]
    NoDevice { adapter: String, why: String },
    /// The device was lost.
    #[error("the GPU was lost: {why}")]
    Lost { why: String },
    /// A buffer exceeds the limits of the GPU.
    #[error("{what} need {bytes} bytes; this GPU takes {limit} at once; {remedy}")]
    TooLarge { what: &'static str, bytes: u64, limit: u64, remedy: &'static str },
    /// The ring buffer is too small.
    #[error(
        "{slots} slots are too few: {needed} stones are in flight or bounce at once; \
         use at least as many, or `Slots::Auto`"
    )]
    TooFewSlots { slots: u32, needed: u64 },
    /// An operation needs an option that is not set.
    #[error("{what} needs {needs}")]
    MissingOption { what: &'static str, needs: &'static str },
    /// A renderer of pictures was used with another simulation than the one it was made for.
    #[error("this renderer draws another simulation; create a `PictureRenderer` for each")]
    OtherSimulation,
    /// Pictures cannot be drawn to such a target.
    #[error("pictures cannot be drawn into a render pass with {target}: {why}")]
    Target { target: PictureTarget, why: String },
    /// An option is out of range.
    #[error("{key} is {value}; it must be {must}")]
    Setting { key: &'static str, value: f64, must: &'static str },
    /// An error of foley-hail.
    #[error(transparent)]
    Hail(#[from] HailError),
}

impl GpuError {
    /// Returns whether the CPU can continue after this error: true unless the caller made a mistake.
    pub fn cpu_can_continue(&self) -> bool {
        !matches!(
            self,
            Self::Hail(_)
                | Self::Setting { .. }
                | Self::MissingOption { .. }
                | Self::OtherSimulation
                | Self::Target { .. }
        )
    }
}

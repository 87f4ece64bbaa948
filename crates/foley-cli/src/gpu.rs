//! `--gpu`: whether a GPU finds the impacts of hail.

use anyhow::{Context, Result};
use foley::gpu_hail::{GpuUse, hail_backend};
use foley::scene::Scene;
use foley::scene::sonify::ImpactBackend;
use std::time::Duration;

/// When a GPU finds the impacts of hail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// A hardware GPU, from 100,000 stones a second
    #[default]
    Auto,
    /// Always, even one in software
    On,
    /// Never
    Off,
}

#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct GpuArgs {
    /// Let the GPU find where hail strikes; the sound is the same
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    gpu: When,
}

impl GpuArgs {
    /// Returns what finds the impacts of a scene. A GPU that does not answer within `timeout` is
    /// given up, and the CPU continues.
    pub(crate) fn hail_backend(self, scene: &Scene, timeout: Duration) -> Result<ImpactBackend> {
        let usage = match self.gpu {
            When::Auto => GpuUse::Auto,
            When::On => GpuUse::Always,
            When::Off => GpuUse::Never,
        };
        hail_backend(scene, usage, timeout).context("`--gpu on`; `--gpu off` needs none")
    }
}

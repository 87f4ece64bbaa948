//! Device requirements: features and limits that the shaders need.

use crate::{Gpu, GpuError};

/// Storage buffers of the hit test, the kernel with most of them.
const STORAGE_BUFFERS: u32 = 6;

impl Gpu {
    /// Returns the features that [`Gpu::from_wgpu`] requires: none.
    pub fn required_features() -> wgpu::Features {
        wgpu::Features::empty()
    }

    /// Returns the limits that [`Gpu::from_wgpu`] requires. They suffice for 128 MiB of stones and for
    /// pictures of 2048 pixels; more stones and larger pictures need larger buffers and textures, up to
    /// the limits of the adapter.
    pub fn required_limits() -> wgpu::Limits {
        wgpu::Limits {
            max_storage_buffers_per_shader_stage: STORAGE_BUFFERS,
            ..wgpu::Limits::downlevel_defaults()
        }
    }
}

/// Returns an error that names what a device lacks.
pub(super) fn check(device: &wgpu::Device, adapter: &str) -> Result<(), GpuError> {
    let missing = Gpu::required_features().difference(device.features());
    let mut why: Vec<String> = missing.iter_names().map(|(name, _)| name.to_owned()).collect();
    let fail = |name, needed, has| why.push(format!("{name} is {has}, {needed} is needed"));
    Gpu::required_limits().check_limits_with_fail_fn(&device.limits(), false, fail);
    match why.is_empty() {
        true => Ok(()),
        false => Err(GpuError::NoDevice { adapter: adapter.to_owned(), why: why.join("; ") }),
    }
}

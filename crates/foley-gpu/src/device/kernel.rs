//! What kernels have in common.

use crate::{Gpu, GpuError};

/// Dispatch of a group, as in the shaders, and groups of a row at most.
const GROUP: u32 = 64;
const ROW: u32 = 16_384;

/// A thread for each of so many things, in rows of groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dispatch {
    row: u32,
    rows: u32,
}

impl Dispatch {
    pub(crate) fn new(count: u32) -> Self {
        let groups = count.div_ceil(GROUP);
        let row = groups.clamp(1, ROW);
        Self { row, rows: groups.div_ceil(row) }
    }

    /// Dispatch of a row.
    pub(crate) fn width(&self) -> u32 {
        self.row * GROUP
    }

    pub(crate) fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.dispatch_workgroups(self.row, self.rows, 1);
    }
}

/// A compute shader; its entry has the kernel's name.
pub(crate) fn compute(
    gpu: &Gpu,
    source: &str,
    name: &'static str,
) -> Result<wgpu::ComputePipeline, GpuError> {
    gpu.guarded(|device| {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(name),
            layout: None,
            module: &module,
            entry_point: Some(name),
            compilation_options: Default::default(),
            cache: None,
        })
    })
}

/// Binds memory to places 0, 1, 2, …
pub(crate) fn bind(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
) -> Result<wgpu::BindGroup, GpuError> {
    bind_all(gpu, layout, buffers.iter().map(|buffer| buffer.as_entire_binding()))
}

/// Binds memory and textures to places 0, 1, 2, …
pub(crate) fn bind_all<'a>(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    all: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> Result<wgpu::BindGroup, GpuError> {
    let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
    let entries: Vec<_> = (0..).zip(all).map(entry).collect();
    gpu.guarded(|device| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        })
    })
}

//! Compute pipelines, bind groups and dispatch sizes.

use crate::{Gpu, GpuError};

/// Threads per workgroup, as in the shaders, and the largest number of workgroups per row.
const GROUP: u32 = 64;
const ROW: u32 = 16_384;

/// A dispatch of one thread per item, in rows of workgroups.
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

    /// Returns the number of threads per row.
    pub(crate) fn width(&self) -> u32 {
        self.row * GROUP
    }

    pub(crate) fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.dispatch_workgroups(self.row, self.rows, 1);
    }
}

/// Creates a compute pipeline; the entry point has the name of the kernel.
pub(crate) fn compute_pipeline(
    gpu: &Gpu,
    source: &str,
    name: &'static str,
) -> Result<wgpu::ComputePipeline, GpuError> {
    gpu.with_error_scopes(|device| {
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

/// Binds buffers to bindings 0, 1, 2, …
pub(crate) fn bind_buffers(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
) -> Result<wgpu::BindGroup, GpuError> {
    bind_resources(gpu, layout, buffers.iter().map(|buffer| buffer.as_entire_binding()))
}

/// Binds buffers and textures to bindings 0, 1, 2, …
pub(crate) fn bind_resources<'a>(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = wgpu::BindingResource<'a>>,
) -> Result<wgpu::BindGroup, GpuError> {
    let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
    let entries: Vec<_> = (0..).zip(resources).map(entry).collect();
    gpu.with_error_scopes(|device| {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        })
    })
}

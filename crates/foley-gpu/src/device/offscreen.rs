//! Rendering: textures, render pipelines and copies to buffers.

use crate::{Gpu, GpuError};
use wgpu::TextureUsages as Usage;

pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Creates a render attachment with further usages.
pub(crate) fn texture(
    gpu: &Gpu,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
    usage: Usage,
) -> Result<wgpu::Texture, GpuError> {
    gpu.with_error_scopes(|device| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: Usage::RENDER_ATTACHMENT | usage,
            view_formats: &[],
        })
    })
}

/// The description of a render pipeline.
#[derive(Debug)]
pub(crate) struct PipelineDescription<'a> {
    /// The vertex and fragment entry points.
    pub(crate) entries: [&'static str; 2],
    pub(crate) vertex_buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(crate) topology: wgpu::PrimitiveTopology,
    pub(crate) depth: Option<wgpu::DepthStencilState>,
    pub(crate) samples: u32,
    pub(crate) colour: wgpu::ColorTargetState,
}

/// Returns the state of a depth test and of depth writes, without a stencil test.
pub(crate) fn depth_state(
    format: wgpu::TextureFormat,
    compare: wgpu::CompareFunction,
    writes: bool,
) -> Option<wgpu::DepthStencilState> {
    Some(wgpu::DepthStencilState {
        format,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    })
}

/// Creates a render pipeline.
pub(crate) fn pipeline(
    gpu: &Gpu,
    source: &str,
    description: &PipelineDescription<'_>,
) -> Result<wgpu::RenderPipeline, GpuError> {
    let [vertex, fragment] = description.entries;
    gpu.with_error_scopes(|device| {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(vertex),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(vertex),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: description.vertex_buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: description.topology,
                ..Default::default()
            },
            depth_stencil: description.depth.clone(),
            multisample: wgpu::MultisampleState {
                count: description.samples,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(description.colour.clone())],
            }),
            multiview_mask: None,
            cache: None,
        })
    })
}

/// Returns a depth attachment cleared to the far plane.
pub(crate) fn depth_attachment(
    view: &wgpu::TextureView,
    store: wgpu::StoreOp,
) -> Option<wgpu::RenderPassDepthStencilAttachment<'_>> {
    let depth_ops = Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store });
    Some(wgpu::RenderPassDepthStencilAttachment { view, depth_ops, stencil_ops: None })
}

/// Returns the bytes per row of a copy: a multiple of 256.
pub(crate) fn row_bytes(texture: &wgpu::Texture) -> u32 {
    let texel = texture.format().block_copy_size(None).unwrap_or(0);
    (texture.width() * texel).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// Copies a texture to a buffer.
pub(crate) fn copy(encoder: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, to: &wgpu::Buffer) {
    let bytes_per_row = Some(row_bytes(texture));
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: to, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
}

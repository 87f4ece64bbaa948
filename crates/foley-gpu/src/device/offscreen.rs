//! Drawing without a window: textures, pipelines, and rows of pixels on their way back.

use crate::{Gpu, GpuError};
use wgpu::TextureUsages as Usage;

/// What textures of depth hold.
pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A texture to draw to, and what else it is for.
pub(crate) fn texture(
    gpu: &Gpu,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
    besides: Usage,
) -> Result<wgpu::Texture, GpuError> {
    gpu.guarded(|device| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: Usage::RENDER_ATTACHMENT | besides,
            view_formats: &[],
        })
    })
}

/// How things are drawn.
#[derive(Debug)]
pub(crate) struct Drawing<'a> {
    /// The entries of the shader: for corners, and for pixels.
    pub(crate) entries: [&'static str; 2],
    pub(crate) corners: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(crate) topology: wgpu::PrimitiveTopology,
    /// What passes the test of depth, and whether it leaves its own.
    pub(crate) depth: Option<(wgpu::CompareFunction, bool)>,
    pub(crate) samples: u32,
    pub(crate) colour: wgpu::ColorTargetState,
}

/// Makes it ready.
pub(crate) fn pipeline(
    gpu: &Gpu,
    source: &str,
    drawing: &Drawing<'_>,
) -> Result<wgpu::RenderPipeline, GpuError> {
    let [vertex, fragment] = drawing.entries;
    let depth = drawing.depth.map(|(compare, writes)| wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil: Default::default(),
        bias: Default::default(),
    });
    gpu.guarded(|device| {
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
                buffers: drawing.corners,
            },
            primitive: wgpu::PrimitiveState { topology: drawing.topology, ..Default::default() },
            depth_stencil: depth,
            multisample: wgpu::MultisampleState { count: drawing.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(drawing.colour.clone())],
            }),
            multiview_mask: None,
            cache: None,
        })
    })
}

/// A depth that begins as far as it can.
pub(crate) fn from_afar(
    view: &wgpu::TextureView,
    store: wgpu::StoreOp,
) -> Option<wgpu::RenderPassDepthStencilAttachment<'_>> {
    let depth_ops = Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store });
    Some(wgpu::RenderPassDepthStencilAttachment { view, depth_ops, stencil_ops: None })
}

/// Bytes of a row once it is copied: multiples of 256.
pub(crate) fn row_bytes(texture: &wgpu::Texture) -> u32 {
    let texel = texture.format().block_copy_size(None).unwrap_or(0);
    (texture.width() * texel).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// Copies a texture to memory, row by row.
pub(crate) fn copy(encoder: &mut wgpu::CommandEncoder, texture: &wgpu::Texture, to: &wgpu::Buffer) {
    let bytes_per_row = Some(row_bytes(texture));
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
    let to = wgpu::TexelCopyBufferInfo { buffer: to, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
}

//! The off-screen target that the map is drawn to.

use crate::{Gpu, GpuError};
use wgpu::BufferUsages as Usage;

/// The whole shader of the map.
pub(crate) const MAP: &str = include_str!("map.wgsl");

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Collider, time, speed and stone, 32 bits each.
const MARKS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// Colour, depth, and how to draw to them.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) pipeline: wgpu::RenderPipeline,
    pub(super) size: wgpu::Buffer,
    marks: wgpu::Texture,
    depth: wgpu::TextureView,
    extent: wgpu::Extent3d,
}

impl Target {
    pub(super) fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<Self, GpuError> {
        let texels = [width as f32, height as f32, 0.0, 0.0];
        let size = gpu.filled("the map's size", bytemuck::cast_slice(&texels), Usage::UNIFORM)?;
        let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let marks = texture(gpu, extent, MARKS, attached | wgpu::TextureUsages::COPY_SRC)?;
        let depth = texture(gpu, extent, DEPTH, attached)?.create_view(&Default::default());
        Ok(Self { pipeline: pipeline(gpu)?, size, marks, depth, extent })
    }

    /// Draws a point for each impact of the frame.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        group: &wgpu::BindGroup,
        due: &wgpu::Buffer,
    ) {
        let view = self.marks.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("impact map"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw_indirect(due, 0);
    }

    /// Copies the marks to memory, row by row.
    pub(super) fn copy(&self, encoder: &mut wgpu::CommandEncoder, to: &wgpu::Buffer) {
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.extent.width * 16),
            rows_per_image: None,
        };
        let to = wgpu::TexelCopyBufferInfo { buffer: to, layout };
        encoder.copy_texture_to_buffer(self.marks.as_image_copy(), to, self.extent);
    }
}

fn texture(
    gpu: &Gpu,
    size: wgpu::Extent3d,
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> Result<wgpu::Texture, GpuError> {
    gpu.guarded(|device| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some("impact map"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    })
}

fn pipeline(gpu: &Gpu) -> Result<wgpu::RenderPipeline, GpuError> {
    gpu.guarded(|device| {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("impact map"),
            source: wgpu::ShaderSource::Wgsl(MAP.into()),
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("impact map"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("point"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::PointList,
                ..Default::default()
            },
            // The earliest wins.
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Less),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("mark"),
                compilation_options: Default::default(),
                targets: &[Some(MARKS.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    })
}

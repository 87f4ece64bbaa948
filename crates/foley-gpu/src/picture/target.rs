//! The off-screen target of pictures, and how things are drawn to it.

use super::shapes::Corner;
use crate::{Gpu, GpuError};

/// The whole shader of pictures.
pub(crate) const PICTURE: &str = include_str!("picture.wgsl");

const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples a pixel, for smooth edges.
const SAMPLES: u32 = 4;

/// Colour, depth, and the three ways of drawing.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) solid: wgpu::RenderPipeline,
    pub(super) streak: wgpu::RenderPipeline,
    samples: wgpu::TextureView,
    depth: wgpu::TextureView,
    smooth: wgpu::Texture,
    extent: wgpu::Extent3d,
}

impl Target {
    pub(super) fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<Self, GpuError> {
        let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let texture = |format, sample_count, usage| {
            gpu.guarded(|device| {
                device.create_texture(&wgpu::TextureDescriptor {
                    label: Some("picture"),
                    size: extent,
                    mip_level_count: 1,
                    sample_count,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage,
                    view_formats: &[],
                })
            })
        };
        let module = gpu.guarded(|device| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("picture"),
                source: wgpu::ShaderSource::Wgsl(PICTURE.into()),
            })
        })?;
        let view = Default::default();
        Ok(Self {
            backdrop: pipeline(gpu, &module, ["backdrop", "backdrop_colour"])?,
            solid: pipeline(gpu, &module, ["solid", "solid_colour"])?,
            streak: pipeline(gpu, &module, ["streak", "streak_colour"])?,
            samples: texture(COLOUR, SAMPLES, attached)?.create_view(&view),
            depth: texture(DEPTH, SAMPLES, attached)?.create_view(&view),
            smooth: texture(COLOUR, 1, attached | wgpu::TextureUsages::COPY_SRC)?,
            extent,
        })
    }

    pub(super) fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&self.smooth.create_view(&Default::default())),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
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
        })
    }

    /// Rows come in multiples of 256 bytes.
    pub(super) fn row_bytes(&self) -> u32 {
        (self.extent.width * 4).next_multiple_of(256)
    }

    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.row_bytes()) * u64::from(self.extent.height)
    }

    pub(super) fn copy(&self, encoder: &mut wgpu::CommandEncoder, to: &wgpu::Buffer) {
        let bytes_per_row = Some(self.row_bytes());
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row, rows_per_image: None };
        let to = wgpu::TexelCopyBufferInfo { buffer: to, layout };
        encoder.copy_texture_to_buffer(self.smooth.as_image_copy(), to, self.extent);
    }
}

fn pipeline(
    gpu: &Gpu,
    module: &wgpu::ShaderModule,
    [vertex, fragment]: [&'static str; 2],
) -> Result<wgpu::RenderPipeline, GpuError> {
    let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
    let corner = wgpu::VertexBufferLayout {
        array_stride: size_of::<Corner>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    };
    let buffers = [Some(corner)];
    let is_solid = vertex == "solid";
    let is_streak = vertex == "streak";
    let blend = is_streak.then_some(wgpu::BlendState::ALPHA_BLENDING);
    gpu.guarded(|device| {
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(vertex),
            layout: None,
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: if is_solid { &buffers } else { &[] },
            },
            primitive: Default::default(),
            // The backdrop is behind all; streaks are hidden by what is before them, and hide nothing.
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(is_solid),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: COLOUR,
                    blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    })
}

//! The off-screen render target of pictures and its pipelines.

use super::tessellate::Vertex;
use crate::device::offscreen::{self, DEPTH, PipelineDescription};
use crate::device::offscreen::{depth_attachment, depth_state, texture};
use crate::{Gpu, GpuError};
use wgpu::TextureUsages as Usage;

/// The source of the shader of backdrop and colliders.
pub(crate) const SCENE: &str = concat!(
    include_str!("full_screen.wgsl"),
    include_str!("view.wgsl"),
    include_str!("scene.wgsl"),
);

/// An sRGB format, so that blending is linear.
const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Samples per pixel (MSAA); `streaks.wgsl` reads as many depths.
const SAMPLES: u32 = 4;

/// The colour and depth textures, and the pipelines of backdrop and colliders.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) solid: wgpu::RenderPipeline,
    pub(super) depth: wgpu::TextureView,
    pub(super) resolved: wgpu::Texture,
    pub(super) resolved_view: wgpu::TextureView,
    samples: wgpu::TextureView,
}

impl Target {
    pub(super) fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
        let vertex = wgpu::VertexBufferLayout {
            array_stride: size_of::<Vertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        };
        let backdrop = PipelineDescription {
            entries: ["backdrop", "backdrop_colour"],
            vertex_buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            // Behind everything else.
            depth: depth_state(DEPTH, wgpu::CompareFunction::LessEqual, false),
            samples: SAMPLES,
            colour: COLOUR.into(),
        };
        let solid = PipelineDescription {
            entries: ["solid", "solid_colour"],
            vertex_buffers: &[Some(vertex)],
            depth: depth_state(DEPTH, wgpu::CompareFunction::LessEqual, true),
            colour: COLOUR.into(),
            ..backdrop
        };
        let view = Default::default();
        let usage = Usage::COPY_SRC | Usage::TEXTURE_BINDING;
        let resolved = texture(gpu, size, COLOUR, 1, usage)?;
        Ok(Self {
            backdrop: offscreen::pipeline(gpu, SCENE, &backdrop)?,
            solid: offscreen::pipeline(gpu, SCENE, &solid)?,
            depth: texture(gpu, size, DEPTH, SAMPLES, Usage::TEXTURE_BINDING)?.create_view(&view),
            resolved_view: resolved.create_view(&view),
            resolved,
            samples: texture(gpu, size, COLOUR, SAMPLES, Usage::empty())?.create_view(&view),
        })
    }

    /// Begins the pass of backdrop and colliders. Depth is stored because it occludes stones.
    pub(super) fn pass<'a>(&self, encoder: &'a mut wgpu::CommandEncoder) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&self.resolved_view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: depth_attachment(&self.depth, wgpu::StoreOp::Store),
            ..Default::default()
        })
    }

    /// Creates a full-screen pipeline that blends over the resolved picture.
    pub(super) fn overlay_pipeline(
        gpu: &Gpu,
        source: &str,
        entries: [&'static str; 2],
    ) -> Result<wgpu::RenderPipeline, GpuError> {
        let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
        let description = PipelineDescription {
            entries,
            vertex_buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: None,
            samples: 1,
            colour: wgpu::ColorTargetState { blend, ..COLOUR.into() },
        };
        offscreen::pipeline(gpu, source, &description)
    }

    /// Begins the pass over the resolved picture.
    pub(super) fn overlay_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("composite"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.resolved_view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        })
    }

    pub(super) fn row_bytes(&self) -> u32 {
        offscreen::row_bytes(&self.resolved)
    }

    /// Returns the size of the copied picture.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.row_bytes()) * u64::from(self.resolved.height())
    }
}

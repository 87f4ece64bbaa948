//! The off-screen target of pictures, and how things are drawn to it.

use super::tessellate::Corner;
use crate::device::offscreen::{self, DEPTH, Drawing, from_afar, texture};
use crate::{Gpu, GpuError};
use wgpu::TextureUsages as Usage;

/// The whole shader of backdrop and colliders.
pub(crate) const SCENE: &str = concat!(include_str!("view.wgsl"), include_str!("scene.wgsl"));

/// Blending happens in linear light.
const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
/// Samples a pixel, for smooth edges; `streaks.wgsl` reads as many depths.
const SAMPLES: u32 = 4;

/// Colour, depth, and how backdrop and colliders are drawn.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) backdrop: wgpu::RenderPipeline,
    pub(super) solid: wgpu::RenderPipeline,
    pub(super) depth: wgpu::TextureView,
    pub(super) smooth: wgpu::Texture,
    samples: wgpu::TextureView,
}

impl Target {
    pub(super) fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        let attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];
        let corner = wgpu::VertexBufferLayout {
            array_stride: size_of::<Corner>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        };
        let backdrop = Drawing {
            entries: ["backdrop", "backdrop_colour"],
            corners: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            // Behind all.
            depth: Some((wgpu::CompareFunction::LessEqual, false)),
            samples: SAMPLES,
            colour: COLOUR.into(),
        };
        let solid = Drawing {
            entries: ["solid", "solid_colour"],
            corners: &[Some(corner)],
            depth: Some((wgpu::CompareFunction::LessEqual, true)),
            colour: COLOUR.into(),
            ..backdrop
        };
        let view = Default::default();
        Ok(Self {
            backdrop: offscreen::pipeline(gpu, SCENE, &backdrop)?,
            solid: offscreen::pipeline(gpu, SCENE, &solid)?,
            depth: texture(gpu, size, DEPTH, SAMPLES, Usage::TEXTURE_BINDING)?.create_view(&view),
            smooth: texture(gpu, size, COLOUR, 1, Usage::COPY_SRC)?,
            samples: texture(gpu, size, COLOUR, SAMPLES, Usage::empty())?.create_view(&view),
        })
    }

    /// For backdrop and colliders. Depth stays: it hides stones.
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
            depth_stencil_attachment: from_afar(&self.depth, wgpu::StoreOp::Store),
            ..Default::default()
        })
    }

    /// What is drawn over the smooth picture as a whole.
    pub(super) fn over(
        gpu: &Gpu,
        source: &str,
        entries: [&'static str; 2],
    ) -> Result<wgpu::RenderPipeline, GpuError> {
        let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
        let drawing = Drawing {
            entries,
            corners: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: None,
            samples: 1,
            colour: wgpu::ColorTargetState { blend, ..COLOUR.into() },
        };
        offscreen::pipeline(gpu, source, &drawing)
    }

    /// For that.
    pub(super) fn smooth_pass<'a>(
        &self,
        encoder: &'a mut wgpu::CommandEncoder,
    ) -> wgpu::RenderPass<'a> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("veil"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.smooth.create_view(&Default::default()),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        })
    }

    pub(super) fn row_bytes(&self) -> u32 {
        offscreen::row_bytes(&self.smooth)
    }

    /// Of the picture once it is copied.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.row_bytes()) * u64::from(self.smooth.height())
    }
}

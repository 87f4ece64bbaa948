//! The off-screen render target of the map.

use crate::device::offscreen::{self, DEPTH, PipelineDescription};
use crate::device::offscreen::{depth_attachment, depth_state, texture};
use crate::{Gpu, GpuError};
use wgpu::{BufferUsages, TextureUsages};

/// The source of the shader.
pub(crate) const MAP: &str = concat!(
    include_str!("../hit_test/slot.wgsl"),
    include_str!("../advect/frame.wgsl"),
    include_str!("map.wgsl"),
);

/// Collider, time, speed and stone, 32 bits each.
const MARKS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;

/// The textures of marks and depth, and the pipeline that draws to them.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) pipeline: wgpu::RenderPipeline,
    pub(super) size: wgpu::Buffer,
    marks: wgpu::Texture,
    depth: wgpu::TextureView,
}

impl Target {
    pub(super) fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<Self, GpuError> {
        let texels = [width as f32, height as f32, 0.0, 0.0];
        let usage = BufferUsages::UNIFORM;
        let size = gpu.buffer_with_data("the map's size", bytemuck::cast_slice(&texels), usage)?;
        let marks = texture(gpu, [width, height], MARKS, 1, TextureUsages::COPY_SRC)?;
        let depth = texture(gpu, [width, height], DEPTH, 1, TextureUsages::empty())?;
        let depth = depth.create_view(&Default::default());
        let points = PipelineDescription {
            entries: ["point", "mark"],
            vertex_buffers: &[],
            topology: wgpu::PrimitiveTopology::PointList,
            // The earliest impact wins.
            depth: depth_state(DEPTH, wgpu::CompareFunction::Less, true),
            samples: 1,
            colour: MARKS.into(),
        };
        Ok(Self { pipeline: offscreen::pipeline(gpu, MAP, &points)?, size, marks, depth })
    }

    /// Draws a point for each impact of the frame.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        group: &wgpu::BindGroup,
        frame_impacts: &wgpu::Buffer,
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
            depth_stencil_attachment: depth_attachment(&self.depth, wgpu::StoreOp::Discard),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw_indirect(frame_impacts, 0);
    }

    /// Copies the marks to a buffer; the width ensures that rows are contiguous.
    pub(super) fn copy(&self, encoder: &mut wgpu::CommandEncoder, to: &wgpu::Buffer) {
        offscreen::copy(encoder, &self.marks, to);
    }
}

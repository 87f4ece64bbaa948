//! Pictures of the scene: rendered off-screen, then read back or drawn into a render pass of the program.

mod camera;
mod target;
mod tessellate;
mod streaks;
mod pass;

pub use camera::Camera;
pub use pass::{PicturePass, PictureTarget};
#[cfg(test)]
pub(crate) use {pass::PASS, streaks::sources, target::SCENE};

use crate::advect::Advection;
use crate::device::kernel::bind_buffers;
use crate::device::offscreen;
use crate::device::readback::Readback;
use crate::hit_test::HitTest;
use crate::{Gpu, GpuError, GpuHail};
use camera::View;
use foley_hail::TargetSet;
use std::sync::Arc;
use streaks::Streaks;
use target::Target;
use wgpu::BufferUsages as Usage;

/// An opaque RGBA image, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Four bytes per pixel.
    pub rgba: Vec<u8>,
}

/// Renders pictures of one simulation: colliders, ground, sky and stones in flight.
#[derive(Debug)]
pub struct PictureRenderer {
    gpu: Arc<Gpu>,
    target: Target,
    view: wgpu::Buffer,
    solids: wgpu::Buffer,
    vertex_count: u32,
    backdrop: wgpu::BindGroup,
    solid: wgpu::BindGroup,
    streaks: Streaks,
    size: [u32; 2],
    spare: Option<wgpu::Buffer>,
}

impl PictureRenderer {
    /// Creates a renderer of a given size; the simulation must have slots.
    pub fn new(hail: &GpuHail, size: [u32; 2]) -> Result<Self, GpuError> {
        for side in size {
            if !(1..=8192).contains(&side) {
                let value = f64::from(side);
                let must = "from 1 to 8192 pixels";
                return Err(GpuError::Setting { key: "picture size", value, must });
            }
        }
        let (_, hit_test, advection) = hail.for_pictures()?;
        Self::with_kernels(hail.gpu(), hit_test, advection, hail.simulation().targets(), size)
    }

    fn with_kernels(
        gpu: &Arc<Gpu>,
        hit_test: &HitTest,
        advection: &Advection,
        colliders: &TargetSet,
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let target = Target::new(gpu, size)?;
        let usage = Usage::UNIFORM | Usage::COPY_DST;
        let view = gpu.buffer("the view", size_of::<View>() as u64, usage)?;
        let vertices = tessellate::vertices(colliders, &hit_test.local);
        let solids = gpu.buffer_with_data(
            "the picture's colliders",
            bytemuck::cast_slice(&vertices),
            Usage::VERTEX,
        )?;
        let group = |pipeline: &wgpu::RenderPipeline, all: &[&wgpu::Buffer]| {
            bind_buffers(gpu, &pipeline.get_bind_group_layout(0), all)
        };
        let backdrop = group(&target.backdrop, &[&view])?;
        let solid = group(&target.solid, &[&view])?;
        let streaks = Streaks::new(gpu, hit_test, advection, &view, &target)?;
        let vertex_count = vertices.len() as u32;
        let gpu = Arc::clone(gpu);
        Ok(Self {
            gpu,
            target,
            view,
            solids,
            vertex_count,
            backdrop,
            solid,
            streaks,
            size,
            spare: None,
        })
    }

    /// Renders the scene at the current time of the simulation. Blocks.
    pub fn render(&mut self, hail: &GpuHail, camera: &Camera) -> Result<Picture, GpuError> {
        let readback = self.submit(hail, camera)?;
        let (gpu, ..) = hail.for_pictures()?;
        gpu.wait(hail.timeout(), || readback.ready())?;
        let [width, height] = self.size;
        let (row, padded) = (width as usize * 4, self.target.row_bytes() as usize);
        let (rgba, spare) = readback.read(gpu, |bytes| {
            let lines: Vec<&[u8]> = bytes.chunks(padded).map(|line| &line[..row]).collect();
            lines.concat()
        })?;
        self.spare = Some(spare);
        Ok(Picture { width, height, rgba })
    }

    /// Records the commands that draw the scene at the current time of the simulation to
    /// [`PictureRenderer::texture`], without blocking. A [`PicturePass`] shows it.
    ///
    /// The encoder is one of the same device. It may contain several pictures, each with its own camera. Submit the commands before the
    /// simulation is advanced further: new stones replace old ones. On error no picture is recorded.
    pub fn prepare(
        &mut self,
        hail: &GpuHail,
        camera: &Camera,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), GpuError> {
        let (gpu, hit_test, advection) = hail.for_pictures()?;
        gpu.check()?;
        // Buffers have identities within a GPU only.
        if !(Arc::ptr_eq(&self.gpu, hail.gpu()) && self.streaks.draws(advection)) {
            return Err(GpuError::OtherSimulation);
        }
        let span = hail.frame_span(hail.now_s(), hail.now_s());
        let stones = span.stones(hit_test);
        let view = View::new(camera, &hit_test.local, self.size, stones)?;
        gpu.encode_write(encoder, &self.view, bytemuck::bytes_of(&view))?;
        advection.encode(gpu, hit_test, hail.simulation(), &span, encoder)?;
        let mut pass = self.target.pass(encoder);
        pass.set_pipeline(&self.target.backdrop);
        pass.set_bind_group(0, &self.backdrop, &[]);
        pass.draw(0..3, 0..1);
        if self.vertex_count > 0 {
            pass.set_pipeline(&self.target.solid);
            pass.set_bind_group(0, &self.solid, &[]);
            pass.set_vertex_buffer(0, self.solids.slice(..));
            pass.draw(0..self.vertex_count, 0..1);
        }
        drop(pass);
        self.streaks.encode(encoder, &self.target, stones.count);
        Ok(())
    }

    /// Returns the texture that [`PictureRenderer::prepare`] draws to: opaque, `Rgba8UnormSrgb`, for sampling
    /// and copying. Before the first picture it is transparent black.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.target.resolved
    }

    /// Returns a view of [`PictureRenderer::texture`], for a bind group of the program.
    pub fn texture_view(&self) -> &wgpu::TextureView {
        &self.target.resolved_view
    }

    /// Starts rendering the picture and reading it back, without blocking.
    fn submit(&mut self, hail: &GpuHail, camera: &Camera) -> Result<Readback, GpuError> {
        let (gpu, ..) = hail.for_pictures()?;
        gpu.check()?;
        let bytes = self.target.bytes();
        let staging = match self.spare.take() {
            Some(spare) => spare,
            None => Readback::staging_buffer(gpu, bytes)?,
        };
        gpu.submit(|encoder| {
            self.prepare(hail, camera, encoder)?;
            offscreen::copy(encoder, &self.target.resolved, &staging);
            Ok::<(), GpuError>(())
        })??;
        Readback::map(gpu, staging, bytes)
    }
}

//! Stills of the scene, drawn off-screen.

mod camera;
mod tessellate;
mod streaks;
mod target;

pub use camera::Camera;
#[cfg(test)]
pub(crate) use {streaks::sources, target::SCENE};

use crate::advect::Advection;
use crate::device::kernel::bind;
use crate::device::offscreen;
use crate::device::readback::Readback;
use crate::hit_test::HitTest;
use crate::{Gpu, GpuError, GpuHail};
use camera::View;
use foley_hail::ColliderSet;
use streaks::Streaks;
use target::Target;
use wgpu::BufferUsages as Usage;

/// A picture: four bytes a pixel (red, green, blue, opaque), row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The bytes.
    pub rgba: Vec<u8>,
}

/// What draws stills of one shower: colliders, ground and sky, and the stones in the air.
#[derive(Debug)]
pub struct PictureRenderer {
    target: Target,
    view: wgpu::Buffer,
    solids: wgpu::Buffer,
    corners: u32,
    backdrop: wgpu::BindGroup,
    solid: wgpu::BindGroup,
    streaks: Streaks,
    size: [u32; 2],
    spare: Option<wgpu::Buffer>,
}

impl PictureRenderer {
    /// For pictures of so many pixels of a shower that keeps its stones.
    pub fn new(hail: &GpuHail, size: [u32; 2]) -> Result<Self, GpuError> {
        for side in size {
            if !(1..=8192).contains(&side) {
                let value = f64::from(side);
                let must = "from 1 to 8192 pixels";
                return Err(GpuError::Setting { key: "picture size", value, must });
            }
        }
        let (gpu, hit_test, advection) = hail.for_pictures()?;
        Self::on(gpu, hit_test, advection, hail.simulation().colliders(), size)
    }

    fn on(
        gpu: &Gpu,
        hit_test: &HitTest,
        advection: &Advection,
        colliders: &ColliderSet,
        size: [u32; 2],
    ) -> Result<Self, GpuError> {
        let target = Target::new(gpu, size)?;
        let usage = Usage::UNIFORM | Usage::COPY_DST;
        let view = gpu.buffer("the view", size_of::<View>() as u64, usage)?;
        let corners = tessellate::corners(colliders, &hit_test.local);
        let solids =
            gpu.filled("the picture's colliders", bytemuck::cast_slice(&corners), Usage::VERTEX)?;
        let group = |pipeline: &wgpu::RenderPipeline, all: &[&wgpu::Buffer]| {
            bind(gpu, &pipeline.get_bind_group_layout(0), all)
        };
        let backdrop = group(&target.backdrop, &[&view])?;
        let solid = group(&target.solid, &[&view])?;
        let streaks = Streaks::new(gpu, hit_test, advection, &view, &target)?;
        let corners = corners.len() as u32;
        Ok(Self { target, view, solids, corners, backdrop, solid, streaks, size, spare: None })
    }

    /// Draws the scene as it is at the shower's present time, and waits for it.
    pub fn render(&mut self, hail: &GpuHail, camera: &Camera) -> Result<Picture, GpuError> {
        let back = self.submit(hail, camera)?;
        let (gpu, ..) = hail.for_pictures()?;
        gpu.wait(hail.timeout(), || back.ready())?;
        let [width, height] = self.size;
        let (row, padded) = (width as usize * 4, self.target.row_bytes() as usize);
        let (rgba, spare) = back.take(gpu, |bytes| {
            let lines: Vec<&[u8]> = bytes.chunks(padded).map(|line| &line[..row]).collect();
            lines.concat()
        })?;
        self.spare = Some(spare);
        Ok(Picture { width, height, rgba })
    }

    /// Finds where stones are and draws them; the picture comes later.
    fn submit(&mut self, hail: &GpuHail, camera: &Camera) -> Result<Readback, GpuError> {
        let (gpu, hit_test, advection) = hail.for_pictures()?;
        gpu.check()?;
        let bytes = self.target.bytes();
        let staging = match self.spare.take() {
            Some(spare) => spare,
            None => Readback::memory(gpu, bytes)?,
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let frame_span = hail.frame_span(hail.now_s(), hail.now_s());
        let stones = advection.encode(gpu, hit_test, hail.simulation(), &frame_span, &mut encoder);
        let view = View::new(camera, &hit_test.local, self.size, stones)?;
        gpu.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        let mut pass = self.target.pass(&mut encoder);
        pass.set_pipeline(&self.target.backdrop);
        pass.set_bind_group(0, &self.backdrop, &[]);
        pass.draw(0..3, 0..1);
        if self.corners > 0 {
            pass.set_pipeline(&self.target.solid);
            pass.set_bind_group(0, &self.solid, &[]);
            pass.set_vertex_buffer(0, self.solids.slice(..));
            pass.draw(0..self.corners, 0..1);
        }
        drop(pass);
        self.streaks.encode(&mut encoder, &self.target, stones.count);
        offscreen::copy(&mut encoder, &self.target.smooth, &staging);
        gpu.queue.submit([encoder.finish()]);
        gpu.check()?;
        Ok(Readback::ask(staging, bytes))
    }
}

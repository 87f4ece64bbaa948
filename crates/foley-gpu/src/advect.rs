//! Kernel 2: where stones are now, and which of them strike in a frame.

use crate::device::kernel::{Dispatch, bind, compute};
use crate::hit_test::HitTest;
use crate::upload::layout::{Frame, TICKS};
use crate::{Gpu, GpuError};
use foley_hail::HailSimulation;
use wgpu::BufferUsages as Usage;

/// The whole shader of this kernel.
pub(crate) const ADVECT: &str = concat!(
    include_str!("hit_test/stone.wgsl"),
    include_str!("hit_test/slot.wgsl"),
    include_str!("advect/frame.wgsl"),
    include_str!("advect/advect.wgsl"),
);

/// The kernel with its memory.
#[derive(Debug)]
pub(crate) struct Advection {
    pub(crate) frame: wgpu::Buffer,
    pub(crate) drawn: wgpu::Buffer,
    /// Arguments of a draw, then the slots of the stones that struck.
    pub(crate) due: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

/// Which stones the ring holds, and which frame is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameSpan {
    /// The first stone ever handed to the ring, and the one after the last.
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) from_s: f64,
    pub(crate) until_s: f64,
}

impl Advection {
    pub(crate) fn new(gpu: &Gpu, hit_test: &HitTest) -> Result<Self, GpuError> {
        let ring = u64::from(hit_test.ring);
        let usage = Usage::UNIFORM | Usage::COPY_DST;
        let frame = gpu.buffer("the frame", size_of::<Frame>() as u64, usage)?;
        let drawn = gpu.buffer("places of stones", ring * 16, Usage::STORAGE | Usage::COPY_SRC)?;
        let usage = Usage::STORAGE | Usage::INDIRECT | Usage::COPY_SRC | Usage::COPY_DST;
        let due = gpu.buffer("impacts of a frame", DRAW + ring * 4, usage)?;
        let pipeline = compute(gpu, ADVECT, "advect")?;
        let all = [&hit_test.emitter, &frame, &hit_test.slots, &drawn, &due];
        let group = bind(gpu, &pipeline.get_bind_group_layout(0), &all)?;
        Ok(Self { frame, drawn, due, pipeline, group })
    }

    /// Adds the kernel to commands; they must be submitted before the next frame is made ready.
    pub(crate) fn encode(
        &self,
        gpu: &Gpu,
        hit_test: &HitTest,
        simulation: &HailSimulation,
        frame_span: &FrameSpan,
        encoder: &mut wgpu::CommandEncoder,
    ) -> StoneRange {
        let from_s = simulation.emitter().settings().from_s;
        let ticks = |at_s: f64| ((at_s - from_s) * TICKS).floor() as i64 as u32;
        let count = (frame_span.end - frame_span.first).min(u64::from(hit_test.ring)) as u32;
        let threads = Dispatch::new(count);
        let frame = Frame {
            end: [frame_span.end as u32, (frame_span.end >> 32) as u32],
            count,
            ring_end: (frame_span.end % u64::from(hit_test.ring.max(1))) as u32,
            cloud: hit_test.local.cloud(simulation, frame_span.until_s - from_s),
            ring: hit_test.ring,
            from_ticks: ticks(frame_span.from_s),
            length_ticks: ticks(frame_span.until_s).wrapping_sub(ticks(frame_span.from_s)),
            now_ticks: ticks(frame_span.until_s),
            width: threads.width(),
        };
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(&frame));
        gpu.queue.write_buffer(&self.due, 0, bytemuck::cast_slice(&[0_u32, 1, 0, 0]));
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        threads.dispatch(&mut pass);
        StoneRange { count, ring_end: frame.ring_end, ring: frame.ring }
    }
}

/// The stones that a frame looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoneRange {
    pub(crate) count: u32,
    pub(crate) ring_end: u32,
    pub(crate) ring: u32,
}

/// Bytes of the arguments of a draw.
pub(crate) const DRAW: u64 = 16;

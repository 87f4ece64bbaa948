//! Kernel 2, advection: the current positions of all stones, and the impacts of a frame.

use crate::device::kernel::{Dispatch, bind_buffers, compute_pipeline};
use crate::hit_test::HitTest;
use crate::upload::layout::{Frame, TICKS};
use crate::{Gpu, GpuError};
use foley_hail::HailSimulation;
use wgpu::BufferUsages as Usage;

/// The source of the shader.
pub(crate) const ADVECT: &str = concat!(
    include_str!("hit_test/stone.wgsl"),
    include_str!("hit_test/slot.wgsl"),
    include_str!("advect/frame.wgsl"),
    include_str!("advect/advect.wgsl"),
);

/// The advection kernel with its buffers.
#[derive(Debug)]
pub(crate) struct Advection {
    pub(crate) frame: wgpu::Buffer,
    pub(crate) stone_states: wgpu::Buffer,
    /// Indirect draw arguments, then the slots of the stones with an impact in the frame.
    pub(crate) frame_impacts: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

/// The stones in the ring buffer and the bounds of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameSpan {
    /// The first stone submitted to the ring buffer, and the one after the last.
    pub(crate) first: u64,
    pub(crate) end: u64,
    pub(crate) from_s: f64,
    pub(crate) until_s: f64,
}

impl FrameSpan {
    /// Returns the stones that the ring buffer holds.
    pub(crate) fn stones(&self, hit_test: &HitTest) -> StoneRange {
        let ring = hit_test.ring;
        StoneRange {
            count: (self.end - self.first).min(u64::from(ring)) as u32,
            ring_end: (self.end % u64::from(ring.max(1))) as u32,
            ring,
        }
    }
}

impl Advection {
    pub(crate) fn new(gpu: &Gpu, hit_test: &HitTest) -> Result<Self, GpuError> {
        let ring = u64::from(hit_test.ring);
        let usage = Usage::UNIFORM | Usage::COPY_DST;
        let frame = gpu.buffer("the frame", size_of::<Frame>() as u64, usage)?;
        let stone_states =
            gpu.buffer("positions of stones", ring * 16, Usage::STORAGE | Usage::COPY_SRC)?;
        let usage = Usage::STORAGE | Usage::INDIRECT | Usage::COPY_SRC | Usage::COPY_DST;
        let frame_impacts =
            gpu.buffer("impacts of a frame", DRAW_ARGUMENT_BYTES + ring * 4, usage)?;
        let no_impacts = bytemuck::cast_slice(&[0_u32, 1, 0, 0]);
        gpu.with_error_scopes(|_| gpu.queue.write_buffer(&frame_impacts, 0, no_impacts))?;
        let pipeline = compute_pipeline(gpu, ADVECT, "advect")?;
        let all = [&hit_test.emitter, &frame, &hit_test.slots, &stone_states, &frame_impacts];
        let group = bind_buffers(gpu, &pipeline.get_bind_group_layout(0), &all)?;
        Ok(Self { frame, stone_states, frame_impacts, pipeline, group })
    }

    /// Records the kernel with its parameters.
    pub(crate) fn encode(
        &self,
        gpu: &Gpu,
        hit_test: &HitTest,
        simulation: &HailSimulation,
        span: &FrameSpan,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), GpuError> {
        let from_s = simulation.emitter().settings().from_s;
        let ticks = |at_s: f64| ((at_s - from_s) * TICKS).floor() as i64 as u32;
        let StoneRange { count, ring_end, ring } = span.stones(hit_test);
        let threads = Dispatch::new(count);
        let frame = Frame {
            end: [span.end as u32, (span.end >> 32) as u32],
            count,
            ring_end,
            cloud: hit_test.local.cloud(simulation, span.until_s - from_s),
            ring,
            from_ticks: ticks(span.from_s),
            length_ticks: ticks(span.until_s).wrapping_sub(ticks(span.from_s)),
            now_ticks: ticks(span.until_s),
            width: threads.width(),
        };
        gpu.encode_write(encoder, &self.frame, bytemuck::bytes_of(&frame))?;
        encoder.clear_buffer(&self.frame_impacts, 0, Some(IMPACT_COUNT_BYTES));
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        threads.dispatch(&mut pass);
        Ok(())
    }
}

/// The stones of the ring buffer that a frame covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoneRange {
    pub(crate) count: u32,
    pub(crate) ring_end: u32,
    pub(crate) ring: u32,
}

/// The size of indirect draw arguments.
pub(crate) const DRAW_ARGUMENT_BYTES: u64 = 16;
/// The size of the first of them, the number of impacts.
const IMPACT_COUNT_BYTES: u64 = 4;

//! Kernel 1, the hit test: finds the stones that may hit a collider. The CPU verifies these candidates.

use crate::device::kernel::{Dispatch, bind_buffers, compute_pipeline};
use crate::device::readback::Readback;
use crate::upload::colliders::ColliderBuffers;
use crate::upload::layout::{self, Batch, Candidate, TICKS};
use crate::upload::local_space::LocalSpace;
use crate::{Gpu, GpuError, GpuOptions, Slots};
use foley_hail::map::Patch;
use foley_hail::{HailSimulation, Impact, ImpactFilter};
use foley_parallel::prelude::*;
use wgpu::BufferUsages as Usage;

/// The source of the shader.
pub(crate) const HIT_TEST: &str = concat!(
    include_str!("hit_test/stone.wgsl"),
    include_str!("hit_test/slot.wgsl"),
    include_str!("hit_test/clip.wgsl"),
    include_str!("hit_test/roots.wgsl"),
    include_str!("hit_test/surfaces.wgsl"),
    include_str!("hit_test/plane.wgsl"),
    include_str!("hit_test/quadric.wgsl"),
    include_str!("hit_test/mesh.wgsl"),
    include_str!("hit_test/hit_test.wgsl"),
);

/// The hit-test kernel with its buffers.
#[derive(Debug)]
pub(crate) struct HitTest {
    pub(crate) local: LocalSpace,
    pub(crate) emitter: wgpu::Buffer,
    pub(crate) slots: wgpu::Buffer,
    pub(crate) ring: u32,
    pub(crate) max_batch: u32,
    batch: wgpu::Buffer,
    candidates: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    spare: Vec<wgpu::Buffer>,
}

/// A batch whose candidates are being read back.
#[derive(Debug)]
pub(crate) struct PendingBatch {
    first: u64,
    count: u32,
    readback: Readback,
}

impl PendingBatch {
    pub(crate) fn ready(&self) -> bool {
        self.readback.ready()
    }

    /// Returns the index after the last stone.
    pub(crate) fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }
}

impl HitTest {
    pub(crate) fn new(
        gpu: &Gpu,
        simulation: &HailSimulation,
        patches: &[Patch],
        options: &GpuOptions,
    ) -> Result<Self, GpuError> {
        let local = LocalSpace::new(simulation);
        let uploaded = uploaded_colliders(options);
        let scene = ColliderBuffers::new(simulation.targets(), &local, patches, uploaded)?;
        let emitter = local.layout(simulation, scene.trees, options.restitution);
        let (ring, max_batch) = (options.ring(simulation)?, options.batch_size(simulation));
        let emitter =
            gpu.buffer_with_data("the emitter", bytemuck::bytes_of(&emitter), Usage::UNIFORM)?;
        let batch =
            gpu.buffer("the batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST)?;
        let nodes = read_only(gpu, "BVH nodes", &scene.nodes)?;
        let colliders = read_only(gpu, "colliders", &scene.colliders)?;
        let parts = read_only(gpu, "parts of colliders", &scene.parts)?;
        let triangles = read_only(gpu, "triangles", &scene.triangles)?;
        let slots =
            gpu.buffer("stones", u64::from(ring.max(1)) * SLOT, Usage::STORAGE | Usage::COPY_SRC)?;
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let candidates = gpu.buffer("candidates", candidate_bytes(max_batch), usage)?;
        let pipeline = compute_pipeline(gpu, HIT_TEST, "hit_test")?;
        let all = [&emitter, &batch, &nodes, &colliders, &parts, &triangles, &slots, &candidates];
        let group = bind_buffers(gpu, &pipeline.get_bind_group_layout(0), &all)?;
        let spare = Vec::new();
        Ok(Self {
            local,
            emitter,
            slots,
            ring,
            max_batch,
            batch,
            candidates,
            pipeline,
            group,
            spare,
        })
    }

    /// Starts the test of stones [first, first + count) without blocking. Without `read_back`, results go to the
    /// ring buffer only.
    pub(crate) fn submit(
        &mut self,
        gpu: &Gpu,
        simulation: &HailSimulation,
        first: u64,
        count: u32,
        read_back: bool,
    ) -> Result<Option<PendingBatch>, GpuError> {
        gpu.check()?;
        let hail = simulation.emitter().settings();
        let age_s = first as f64 / hail.per_second;
        let ticks = age_s * TICKS;
        let threads = Dispatch::new(count);
        let batch = Batch {
            first: [first as u32, (first >> 32) as u32],
            count,
            ring_first: if self.ring > 0 { (first % u64::from(self.ring)) as u32 } else { 0 },
            cloud: self.local.cloud(simulation, age_s),
            ring: self.ring,
            born_ticks: ticks.floor() as u64 as u32,
            born_fraction: ticks.fract() as f32,
            width: threads.width(),
            pad: 0,
        };
        let bytes = candidate_bytes(count);
        let staging = match (read_back, self.spare.pop()) {
            (false, _) => None,
            (true, Some(spare)) => Some(spare),
            (true, None) => Some(Readback::staging_buffer(gpu, candidate_bytes(self.max_batch))?),
        };
        gpu.submit(|encoder| {
            gpu.queue.write_buffer(&self.batch, 0, bytemuck::bytes_of(&batch));
            encoder.clear_buffer(&self.candidates, 0, Some(HEADER));
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            threads.dispatch(&mut pass);
            drop(pass);
            if let Some(staging) = &staging {
                encoder.copy_buffer_to_buffer(&self.candidates, 0, staging, 0, bytes);
            }
        })?;
        let Some(staging) = staging else { return Ok(None) };
        let readback = Readback::map(gpu, staging, bytes)?;
        Ok(Some(PendingBatch { first, count, readback }))
    }

    /// Returns the candidates of a finished batch.
    pub(crate) fn candidates(
        &mut self,
        gpu: &Gpu,
        pending: PendingBatch,
    ) -> Result<Vec<Candidate>, GpuError> {
        let count = pending.count;
        let (list, spare) = pending.readback.read(gpu, |bytes| {
            let (header, list) = bytes.split_at(HEADER as usize);
            let found = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
            let all: &[Candidate] = bytemuck::cast_slice(list);
            // The buffer holds one candidate per stone; more would be a fault of the GPU.
            (found <= count).then(|| all[..found as usize].to_vec())
        })?;
        self.spare.push(spare);
        let valid = list.filter(|list| list.iter().all(|candidate| candidate.offset < count));
        valid.ok_or_else(|| gpu.mark_lost("it returned invalid candidates"))
    }
}

/// Verifies candidates with foley-hail: returns the exact impacts.
pub(crate) fn verify(
    simulation: &HailSimulation,
    filter: ImpactFilter,
    first: u64,
    candidates: &[Candidate],
) -> Vec<Impact> {
    let exact = |candidate: &Candidate| {
        simulation.filtered_impact_of(first + u64::from(candidate.offset), filter)
    };
    // Waking other threads costs more than a few milliseconds of work.
    match candidates.len() < 4096 {
        true => candidates.iter().filter_map(exact).collect(),
        false => candidates.par_iter().with_min_len(1024).filter_map(exact).collect(),
    }
}

/// Returns which colliders to upload. Without slots, silent colliders can be left out with `SoundingOnly`:
/// candidates that they occlude are then rejected by the CPU.
fn uploaded_colliders(options: &GpuOptions) -> ImpactFilter {
    match options.slots {
        Slots::None => options.filter,
        _ => ImpactFilter::All,
    }
}

const HEADER: u64 = 16;
const SLOT: u64 = size_of::<layout::Slot>() as u64;

fn candidate_bytes(count: u32) -> u64 {
    HEADER + u64::from(count) * size_of::<Candidate>() as u64
}

fn read_only<T: bytemuck::Pod>(
    gpu: &Gpu,
    what: &'static str,
    list: &[T],
) -> Result<wgpu::Buffer, GpuError> {
    // Storage arrays must not be empty.
    let one = [T::zeroed()];
    let list = if list.is_empty() { &one } else { list };
    gpu.buffer_with_data(what, bytemuck::cast_slice(list), Usage::STORAGE)
}

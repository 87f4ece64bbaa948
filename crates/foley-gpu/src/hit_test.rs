//! Kernel 1: the fate of every stone, once. The GPU proposes, the CPU judges.

use crate::device::kernel::{Dispatch, bind, compute};
use crate::device::readback::Readback;
use crate::upload::colliders::ColliderBuffers;
use crate::upload::layout::{self, Batch, Candidate, TICKS};
use crate::upload::local_space::LocalSpace;
use crate::{Gpu, GpuError, GpuOptions, Slots};
use foley_hail::map::Patch;
use foley_hail::{HailSimulation, Impact, ImpactFilter};
use rayon::prelude::*;
use wgpu::BufferUsages as Usage;

/// The whole shader of this kernel.
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

/// The kernel with its memory.
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

/// A batch whose proposals are on their way.
#[derive(Debug)]
pub(crate) struct PendingBatch {
    first: u64,
    count: u32,
    back: Readback,
}

impl PendingBatch {
    pub(crate) fn ready(&self) -> bool {
        self.back.ready()
    }

    /// The stone after the last.
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
        let scene = ColliderBuffers::new(simulation.colliders(), &local, patches, shown(options))?;
        let emitter = local.layout(simulation, scene.trees, options.restitution);
        let (ring, max_batch) = (options.ring(simulation)?, options.batch_of(simulation));
        let emitter = gpu.filled("the sky", bytemuck::bytes_of(&emitter), Usage::UNIFORM)?;
        let batch =
            gpu.buffer("the batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST)?;
        let nodes = read(gpu, "boxes of the tree", &scene.nodes)?;
        let colliders = read(gpu, "colliders", &scene.colliders)?;
        let parts = read(gpu, "parts of colliders", &scene.parts)?;
        let triangles = read(gpu, "triangles", &scene.triangles)?;
        let slots =
            gpu.buffer("stones", u64::from(ring.max(1)) * SLOT, Usage::STORAGE | Usage::COPY_SRC)?;
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let candidates = gpu.buffer("proposals", candidate_bytes(max_batch), usage)?;
        let pipeline = compute(gpu, HIT_TEST, "hit_test")?;
        let all = [&emitter, &batch, &nodes, &colliders, &parts, &triangles, &slots, &candidates];
        let group = bind(gpu, &pipeline.get_bind_group_layout(0), &all)?;
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

    /// Starts to decide stones [first, first + count); never waits. Without `ask`, only the ring knows.
    pub(crate) fn submit(
        &mut self,
        gpu: &Gpu,
        simulation: &HailSimulation,
        first: u64,
        count: u32,
        ask: bool,
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
        let staging = match (ask, self.spare.pop()) {
            (false, _) => None,
            (true, Some(spare)) => Some(spare),
            (true, None) => Some(Readback::memory(gpu, candidate_bytes(self.max_batch))?),
        };
        gpu.queue.write_buffer(&self.batch, 0, bytemuck::bytes_of(&batch));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.candidates, 0, Some(HEADER));
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        threads.dispatch(&mut pass);
        drop(pass);
        if let Some(staging) = &staging {
            encoder.copy_buffer_to_buffer(&self.candidates, 0, staging, 0, bytes);
        }
        gpu.queue.submit([encoder.finish()]);
        gpu.check()?;
        Ok(staging.map(|staging| PendingBatch {
            first,
            count,
            back: Readback::ask(staging, bytes),
        }))
    }

    /// What the GPU proposes for a batch that is back.
    pub(crate) fn candidates(
        &mut self,
        gpu: &Gpu,
        pending: PendingBatch,
    ) -> Result<Vec<Candidate>, GpuError> {
        let count = pending.count;
        let (list, spare) = pending.back.take(gpu, |bytes| {
            let (header, list) = bytes.split_at(HEADER as usize);
            let found = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
            let all: &[Candidate] = bytemuck::cast_slice(list);
            // Room for all: more than one a stone would be a broken GPU.
            (found <= count).then(|| all[..found as usize].to_vec())
        })?;
        self.spare.push(spare);
        let sane = list.filter(|list| list.iter().all(|candidate| candidate.offset < count));
        sane.ok_or_else(|| gpu.distrust("it returned nonsense"))
    }
}

/// What of the proposals is so: the exact impacts, by foley-hail.
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

/// What the GPU must know. Who only wants to hear needs nothing silent: what it shields is proposed in
/// vain, and the CPU says so.
fn shown(options: &GpuOptions) -> ImpactFilter {
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

fn read<T: bytemuck::Pod>(
    gpu: &Gpu,
    what: &'static str,
    list: &[T],
) -> Result<wgpu::Buffer, GpuError> {
    // An array of a shader is never empty.
    let one = [T::zeroed()];
    let list = if list.is_empty() { &one } else { list };
    gpu.filled(what, bytemuck::cast_slice(list), Usage::STORAGE)
}

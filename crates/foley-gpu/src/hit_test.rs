//! Kernel 1: the fate of every stone, once. The GPU proposes, the CPU judges.

use crate::kernel::{Threads, bind, compute};
use crate::layout::{self, Batch, Proposal, TICKS};
use crate::readback::Readback;
use crate::scene::Scene;
use crate::sky::LocalSky;
use crate::{Gpu, GpuError, Options, Slots};
use foley_hail::map::Patch;
use foley_hail::{Impact, Shower, Wanted};
use rayon::prelude::*;
use wgpu::BufferUsages as Usage;

/// The whole shader of this kernel.
pub(crate) const FATES: &str = concat!(
    include_str!("fates/stone.wgsl"),
    include_str!("fates/slot.wgsl"),
    include_str!("fates/clip.wgsl"),
    include_str!("fates/roots.wgsl"),
    include_str!("fates/surfaces.wgsl"),
    include_str!("fates/plane.wgsl"),
    include_str!("fates/quadric.wgsl"),
    include_str!("fates/mesh.wgsl"),
    include_str!("fates/fates.wgsl"),
);

/// The kernel with its memory.
#[derive(Debug)]
pub(crate) struct Fates {
    pub(crate) local: LocalSky,
    pub(crate) sky: wgpu::Buffer,
    pub(crate) slots: wgpu::Buffer,
    pub(crate) ring: u32,
    pub(crate) batch_most: u32,
    batch: wgpu::Buffer,
    proposals: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    spare: Vec<wgpu::Buffer>,
}

/// A batch whose proposals are on their way.
#[derive(Debug)]
pub(crate) struct Pending {
    first: u64,
    count: u32,
    back: Readback,
}

impl Pending {
    pub(crate) fn ready(&self) -> bool {
        self.back.ready()
    }

    /// The stone after the last.
    pub(crate) fn end(&self) -> u64 {
        self.first + u64::from(self.count)
    }
}

impl Fates {
    pub(crate) fn new(
        gpu: &Gpu,
        shower: &Shower,
        patches: &[Patch],
        options: &Options,
    ) -> Result<Self, GpuError> {
        let local = LocalSky::new(shower);
        let scene = Scene::new(shower.targets(), &local, patches, shown(options))?;
        let sky = local.layout(shower, scene.trees, options.restitution);
        let (ring, batch_most) = (options.ring(shower)?, options.batch_of(shower));
        let sky = gpu.filled("the sky", bytemuck::bytes_of(&sky), Usage::UNIFORM)?;
        let batch =
            gpu.buffer("the batch", size_of::<Batch>() as u64, Usage::UNIFORM | Usage::COPY_DST)?;
        let nodes = read(gpu, "boxes of the tree", &scene.nodes)?;
        let colliders = read(gpu, "colliders", &scene.colliders)?;
        let parts = read(gpu, "parts of colliders", &scene.parts)?;
        let triangles = read(gpu, "triangles", &scene.triangles)?;
        let slots =
            gpu.buffer("stones", u64::from(ring.max(1)) * SLOT, Usage::STORAGE | Usage::COPY_SRC)?;
        let usage = Usage::STORAGE | Usage::COPY_SRC | Usage::COPY_DST;
        let proposals = gpu.buffer("proposals", proposal_bytes(batch_most), usage)?;
        let pipeline = compute(gpu, FATES, "fates")?;
        let all = [&sky, &batch, &nodes, &colliders, &parts, &triangles, &slots, &proposals];
        let group = bind(gpu, &pipeline.get_bind_group_layout(0), &all)?;
        let spare = Vec::new();
        Ok(Self { local, sky, slots, ring, batch_most, batch, proposals, pipeline, group, spare })
    }

    /// Starts to decide stones [first, first + count); never waits. Without `ask`, only the ring knows.
    pub(crate) fn submit(
        &mut self,
        gpu: &Gpu,
        shower: &Shower,
        first: u64,
        count: u32,
        ask: bool,
    ) -> Result<Option<Pending>, GpuError> {
        gpu.check()?;
        let hail = shower.sky().hail();
        let age_s = first as f64 / hail.per_second;
        let ticks = age_s * TICKS;
        let threads = Threads::new(count);
        let batch = Batch {
            first: [first as u32, (first >> 32) as u32],
            count,
            ring_first: if self.ring > 0 { (first % u64::from(self.ring)) as u32 } else { 0 },
            cloud: self.local.cloud(shower, age_s),
            ring: self.ring,
            born_ticks: ticks.floor() as u64 as u32,
            born_fraction: ticks.fract() as f32,
            width: threads.width(),
            pad: 0,
        };
        let bytes = proposal_bytes(count);
        let staging = match (ask, self.spare.pop()) {
            (false, _) => None,
            (true, Some(spare)) => Some(spare),
            (true, None) => Some(Readback::memory(gpu, proposal_bytes(self.batch_most))?),
        };
        gpu.queue.write_buffer(&self.batch, 0, bytemuck::bytes_of(&batch));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&self.proposals, 0, Some(HEADER));
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        threads.dispatch(&mut pass);
        drop(pass);
        if let Some(staging) = &staging {
            encoder.copy_buffer_to_buffer(&self.proposals, 0, staging, 0, bytes);
        }
        gpu.queue.submit([encoder.finish()]);
        gpu.check()?;
        Ok(staging.map(|staging| Pending { first, count, back: Readback::ask(staging, bytes) }))
    }

    /// What the GPU proposes for a batch that is back.
    pub(crate) fn proposals(
        &mut self,
        gpu: &Gpu,
        pending: Pending,
    ) -> Result<Vec<Proposal>, GpuError> {
        let count = pending.count;
        let (list, spare) = pending.back.take(gpu, |bytes| {
            let (header, list) = bytes.split_at(HEADER as usize);
            let found = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
            let all: &[Proposal] = bytemuck::cast_slice(list);
            // Room for all: more than one a stone would be a broken GPU.
            (found <= count).then(|| all[..found as usize].to_vec())
        })?;
        self.spare.push(spare);
        let sane = list.filter(|list| list.iter().all(|proposal| proposal.offset < count));
        sane.ok_or_else(|| gpu.distrust("it returned nonsense"))
    }
}

/// What of the proposals is so: the exact impacts, by foley-hail.
pub(crate) fn judge(
    shower: &Shower,
    wanted: Wanted,
    first: u64,
    proposals: &[Proposal],
) -> Vec<Impact> {
    let exact =
        |proposal: &Proposal| shower.wanted_impact_of(first + u64::from(proposal.offset), wanted);
    // Waking other threads costs more than a few milliseconds of work.
    match proposals.len() < 4096 {
        true => proposals.iter().filter_map(exact).collect(),
        false => proposals.par_iter().with_min_len(1024).filter_map(exact).collect(),
    }
}

/// What the GPU must know. Who only wants to hear needs nothing silent: what it shields is proposed in
/// vain, and the CPU says so.
fn shown(options: &Options) -> Wanted {
    match options.slots {
        Slots::None => options.wanted,
        _ => Wanted::All,
    }
}

const HEADER: u64 = 16;
const SLOT: u64 = size_of::<layout::Slot>() as u64;

fn proposal_bytes(count: u32) -> u64 {
    HEADER + u64::from(count) * size_of::<Proposal>() as u64
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

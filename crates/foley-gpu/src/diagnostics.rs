//! The GPU's own figures, before the CPU judges them: for measuring how good they are.

use crate::device::readback::Readback;
use crate::hit_test::{HitTest, PendingBatch};
use crate::{Gpu, GpuError, GpuHail, GpuOptions, Slots};
use foley_hail::HailSimulation;
use std::ops::Range;
use std::time::Duration;

/// Nobody listens here: a GPU in software may take its time.
const PATIENCE: Duration = Duration::from_secs(100);
/// Stones decided by one command.
const BATCH: u32 = 1 << 18;

/// What the GPU says of a stone, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawImpact {
    /// The stone's number.
    pub stone: u64,
    /// The collider that it is thought to strike.
    pub collider: u32,
    /// When, since birth.
    pub t_s: f32,
    /// How fast.
    pub speed_m_s: f32,
    /// Where.
    pub position_m: [f64; 3],
}

/// Where a stone is seen, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawPosition {
    /// The stone's number.
    pub stone: u64,
    /// Where it is, before or after its impact.
    pub position_m: [f64; 3],
}

/// All stones that are in the air, or bounce, at the shower's present time; waits for them.
pub fn raw_positions(hail: &GpuHail) -> Result<Vec<RawPosition>, GpuError> {
    let (gpu, hit_test, advection) = hail.for_pictures()?;
    let frame_span = hail.frame_span(hail.now_s(), hail.now_s());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let stones = advection.encode(gpu, hit_test, hail.simulation(), &frame_span, &mut encoder);
    let bytes = u64::from(hit_test.ring) * 16;
    let staging = Readback::memory(gpu, bytes)?;
    encoder.copy_buffer_to_buffer(&advection.drawn, 0, &staging, 0, bytes);
    gpu.queue.submit([encoder.finish()]);
    let back = Readback::ask(staging, bytes);
    gpu.wait(PATIENCE, || back.ready())?;
    let (positions, _) = back.take(gpu, |bytes| {
        let drawn: &[[f32; 4]] = bytemuck::cast_slice(bytes);
        let stone = |number: u64| {
            let [x, y, z, packed] = drawn[(number % u64::from(stones.ring)) as usize];
            // The sign of life is the highest byte.
            let alive = packed.to_bits() >> 24 == 127;
            alive
                .then(|| RawPosition { stone: number, position_m: hit_test.local.world([x, y, z]) })
        };
        (frame_span.end - u64::from(stones.count)..frame_span.end).filter_map(stone).collect()
    })?;
    Ok(positions)
}

/// The kernel of fates by itself.
#[derive(Debug)]
pub struct RawHitTest<'a> {
    gpu: &'a Gpu,
    simulation: &'a HailSimulation,
    hit_test: HitTest,
}

impl<'a> RawHitTest<'a> {
    /// Makes it ready.
    pub fn new(gpu: &'a Gpu, simulation: &'a HailSimulation) -> Result<Self, GpuError> {
        let options = GpuOptions { slots: Slots::None, batch: BATCH, ..GpuOptions::default() };
        Ok(Self { gpu, simulation, hit_test: HitTest::new(gpu, simulation, &[], &options)? })
    }

    /// The figures of some stones, in the order of their numbers, and waits for them. They hold every
    /// stone that strikes, and a few that pass within a hair's breadth.
    pub fn impacts(&mut self, stones: Range<u64>) -> Result<Vec<RawImpact>, GpuError> {
        let mut raw = Vec::new();
        let mut first = stones.start;
        while first < stones.end && self.simulation.emitter().settings().per_second > 0.0 {
            let count = (stones.end - first).min(u64::from(self.hit_test.max_batch)) as u32;
            let batch = self.hit_test.submit(self.gpu, self.simulation, first, count, true)?;
            if let Some(batch) = batch {
                self.gpu.wait(PATIENCE, || batch.ready())?;
                self.read(first, batch, &mut raw)?;
            }
            first += u64::from(count);
        }
        Ok(raw)
    }

    fn read(
        &mut self,
        first: u64,
        batch: PendingBatch,
        raw: &mut Vec<RawImpact>,
    ) -> Result<(), GpuError> {
        let mut candidates = self.hit_test.candidates(self.gpu, batch)?;
        candidates.sort_unstable_by_key(|candidate| candidate.offset);
        raw.extend(candidates.iter().map(|candidate| RawImpact {
            stone: first + u64::from(candidate.offset),
            collider: candidate.collider,
            t_s: candidate.t,
            speed_m_s: candidate.speed,
            position_m: self.hit_test.local.world(candidate.position),
        }));
        Ok(())
    }
}

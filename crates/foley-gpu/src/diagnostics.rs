//! Diagnostics: results of the GPU before verification, to measure their accuracy.

use crate::device::readback::Readback;
use crate::hit_test::{HitTest, PendingBatch};
use crate::{Gpu, GpuError, GpuHail, GpuOptions, Slots};
use foley_hail::HailSimulation;
use std::ops::Range;
use std::time::Duration;

/// Long enough for a software rasteriser.
const TIMEOUT: Duration = Duration::from_secs(100);
/// Stones per dispatch.
const BATCH: u32 = 1 << 18;

/// A candidate impact in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawImpact {
    /// The index of the stone.
    pub stone: u64,
    /// The index of the target.
    pub target: u32,
    /// The time since birth.
    pub t_s: f32,
    /// The speed.
    pub speed_m_s: f32,
    /// The position.
    pub position_m: [f64; 3],
}

/// The position of a stone in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawPosition {
    /// The index of the stone.
    pub stone: u64,
    /// The position, before or after its impact.
    pub position_m: [f64; 3],
}

/// Returns all stones that are in flight or bounce at the current time. Blocks.
pub fn raw_positions(hail: &GpuHail) -> Result<Vec<RawPosition>, GpuError> {
    let (gpu, hit_test, advection) = hail.for_pictures()?;
    let span = hail.frame_span(hail.now_s(), hail.now_s());
    let bytes = u64::from(hit_test.ring) * 16;
    let staging = Readback::staging_buffer(gpu, bytes)?;
    let stones = span.stones(hit_test);
    gpu.submit(|encoder| {
        advection.encode(gpu, hit_test, hail.simulation(), &span, encoder)?;
        encoder.copy_buffer_to_buffer(&advection.stone_states, 0, &staging, 0, bytes);
        Ok::<(), GpuError>(())
    })??;
    let readback = Readback::map(gpu, staging, bytes)?;
    gpu.wait(TIMEOUT, || readback.ready())?;
    let (positions, _) = readback.read(gpu, |bytes| {
        let states: &[[f32; 4]] = bytemuck::cast_slice(bytes);
        let position = |number: u64| {
            let [x, y, z, packed] = states[(number % u64::from(stones.ring)) as usize];
            // The highest byte is 127 for a visible stone.
            let visible = packed.to_bits() >> 24 == 127;
            visible
                .then(|| RawPosition { stone: number, position_m: hit_test.local.world([x, y, z]) })
        };
        (span.end - u64::from(stones.count)..span.end).filter_map(position).collect()
    })?;
    Ok(positions)
}

/// The hit-test kernel alone.
#[derive(Debug)]
pub struct RawHitTest<'a> {
    gpu: &'a Gpu,
    simulation: &'a HailSimulation,
    hit_test: HitTest,
}

impl<'a> RawHitTest<'a> {
    /// Creates the kernel.
    pub fn new(gpu: &'a Gpu, simulation: &'a HailSimulation) -> Result<Self, GpuError> {
        let options = GpuOptions { slots: Slots::None, batch: BATCH, ..GpuOptions::default() };
        Ok(Self { gpu, simulation, hit_test: HitTest::new(gpu, simulation, &[], &options)? })
    }

    /// Returns the candidates of a range of stones, in order of their indices: every stone that hits, and a few
    /// near misses. Blocks.
    pub fn impacts(&mut self, stones: Range<u64>) -> Result<Vec<RawImpact>, GpuError> {
        let mut raw = Vec::new();
        let mut first = stones.start;
        while first < stones.end && self.simulation.emitter().settings().per_second > 0.0 {
            let count = (stones.end - first).min(u64::from(self.hit_test.max_batch)) as u32;
            let batch = self.hit_test.submit(self.gpu, self.simulation, first, count, true)?;
            if let Some(batch) = batch {
                self.gpu.wait(TIMEOUT, || batch.ready())?;
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
            target: candidate.collider,
            t_s: candidate.t,
            speed_m_s: candidate.speed,
            position_m: self.hit_test.local.world(candidate.position),
        }));
        Ok(())
    }
}

//! The GPU's own figures, before the CPU judges them: for measuring how good they are.

use crate::fates::{Fates, Pending};
use crate::readback::Readback;
use crate::{Gpu, GpuError, GpuShower, Options, Slots};
use foley_hail::Shower;
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
    pub place_m: [f64; 3],
}

/// Where a stone is seen, in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawPlace {
    /// The stone's number.
    pub stone: u64,
    /// Where it is, before or after its impact.
    pub place_m: [f64; 3],
}

/// All stones that are in the air, or bounce, at the shower's present time; waits for them.
pub fn raw_places(hail: &GpuShower) -> Result<Vec<RawPlace>, GpuError> {
    let (gpu, fates, fall) = hail.for_pictures()?;
    let moment = hail.moment(hail.now_s(), hail.now_s());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let stones = fall.encode(gpu, fates, hail.shower(), &moment, &mut encoder);
    let bytes = u64::from(fates.ring) * 16;
    let staging = Readback::memory(gpu, bytes)?;
    encoder.copy_buffer_to_buffer(&fall.drawn, 0, &staging, 0, bytes);
    gpu.queue.submit([encoder.finish()]);
    let back = Readback::ask(staging, bytes);
    gpu.wait(PATIENCE, || back.ready())?;
    let (places, _) = back.take(gpu, |bytes| {
        let drawn: &[[f32; 4]] = bytemuck::cast_slice(bytes);
        let stone = |number: u64| {
            let [x, y, z, packed] = drawn[(number % u64::from(stones.ring)) as usize];
            // The sign of life is the highest byte.
            let alive = packed.to_bits() >> 24 == 127;
            alive.then(|| RawPlace { stone: number, place_m: fates.local.world([x, y, z]) })
        };
        (moment.end - u64::from(stones.count)..moment.end).filter_map(stone).collect()
    })?;
    Ok(places)
}

/// The kernel of fates by itself.
#[derive(Debug)]
pub struct RawFates<'a> {
    gpu: &'a Gpu,
    shower: &'a Shower,
    fates: Fates,
}

impl<'a> RawFates<'a> {
    /// Makes it ready.
    pub fn new(gpu: &'a Gpu, shower: &'a Shower) -> Result<Self, GpuError> {
        let options = Options { slots: Slots::None, batch: BATCH, ..Options::default() };
        Ok(Self { gpu, shower, fates: Fates::new(gpu, shower, &[], &options)? })
    }

    /// The figures of some stones, in the order of their numbers, and waits for them. They hold every
    /// stone that strikes, and a few that pass within a hair's breadth.
    pub fn impacts(&mut self, stones: Range<u64>) -> Result<Vec<RawImpact>, GpuError> {
        let mut raw = Vec::new();
        let mut first = stones.start;
        while first < stones.end && self.shower.sky().hail().per_second > 0.0 {
            let count = (stones.end - first).min(u64::from(self.fates.batch_most)) as u32;
            let batch = self.fates.submit(self.gpu, self.shower, first, count, true)?;
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
        batch: Pending,
        raw: &mut Vec<RawImpact>,
    ) -> Result<(), GpuError> {
        let mut proposals = self.fates.proposals(self.gpu, batch)?;
        proposals.sort_unstable_by_key(|proposal| proposal.offset);
        raw.extend(proposals.iter().map(|proposal| RawImpact {
            stone: first + u64::from(proposal.offset),
            collider: proposal.collider,
            t_s: proposal.t,
            speed_m_s: proposal.speed,
            place_m: self.fates.local.world(proposal.place),
        }));
        Ok(())
    }
}

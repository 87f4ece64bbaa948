//! The GPU's own figures, before the CPU judges them: for measuring how good they are.

use crate::fates::Fates;
use crate::{Gpu, GpuError, Options, Slots};
use foley_hail::Shower;
use std::ops::Range;
use std::time::Duration;

/// Nobody listens here: a GPU in software may take its time.
const PATIENCE: Duration = Duration::from_secs(100);

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

/// The figures of some stones, in the order of their numbers. They hold every stone that strikes, and a
/// few that pass within a hair's breadth.
pub fn raw_impacts(
    gpu: &Gpu,
    shower: &Shower,
    stones: Range<u64>,
) -> Result<Vec<RawImpact>, GpuError> {
    let options = Options { slots: Slots::None, patience: PATIENCE, ..Options::default() };
    let mut fates = Fates::new(gpu, shower, &[], &options)?;
    let mut raw = Vec::new();
    let mut first = stones.start;
    while first < stones.end && shower.sky().hail().per_second > 0.0 {
        let count = (stones.end - first).min(u64::from(fates.batch_most)) as u32;
        if let Some(batch) = fates.submit(gpu, shower, first, count, true)? {
            gpu.wait(options.patience, || batch.ready())?;
            let mut proposals = fates.proposals(gpu, batch)?;
            proposals.sort_unstable_by_key(|proposal| proposal.offset);
            raw.extend(proposals.iter().map(|proposal| RawImpact {
                stone: first + u64::from(proposal.offset),
                collider: proposal.collider,
                t_s: proposal.t,
                speed_m_s: proposal.speed,
                place_m: fates.local.world(proposal.place),
            }));
        }
        first += u64::from(count);
    }
    Ok(raw)
}

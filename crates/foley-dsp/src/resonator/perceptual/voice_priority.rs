//! Voice priority: which voices are computed in a block, and how the time budget is shared among
//! them.

use super::budget::{Request, share};

/// The culled voices together stay this far below every masking threshold, dB.
const QUIET_DB: f32 = 10.0;

/// Share of an insufficient budget that goes to the voices that waited longest; the loudest get the
/// rest.
const WAITING_SHARE: f64 = 0.1;

/// A voice that moves, in one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) slot: usize,
    /// Energy divided by the lowest masking threshold among its bands.
    pub(super) loudness: f32,
    /// Factor from the energies of its modes to those at the listener.
    pub(super) at_listener: f32,
    /// Blocks waited for the budget; `u32::MAX` while it is served because it waited.
    pub(super) waited: u32,
    /// A force drives it or it fades out: every mode is computed exactly.
    pub(super) exact: bool,
    /// Cost by the cost model and granted time, microseconds.
    pub(super) cost: f64,
    pub(super) grant: f64,
    /// Smallest useful part of the cost: one row, or everything for an exact voice.
    pub(super) quantum: f64,
    /// Served because it waited, not because it is loud.
    pub(super) served_for_waiting: bool,
    /// Impulses or pulses act on it in this block.
    pub(super) has_impulses: bool,
}

/// Shares `table` microseconds (by the cost model) among the audible voices when it does not
/// suffice for all of them.
pub(super) fn share_time(candidates: &mut [Candidate], quiet: f32, table: f64, slope: f64) {
    let heard = |candidate: &Candidate| candidate.exact || candidate.loudness >= quiet;
    let needed: f64 = candidates.iter().filter(|s| heard(s)).map(|s| s.cost).sum();
    if needed <= table {
        return;
    }
    candidates.sort_unstable_by(|a, b| {
        let louder = b.loudness.total_cmp(&a.loudness);
        heard(b).cmp(&heard(a)).then(louder).then(a.slot.cmp(&b.slot))
    });
    let count = candidates.partition_point(heard);
    let candidates = &mut candidates[..count];
    let request = |s: &Candidate| Request { cost: s.cost, quantum: s.quantum };
    share(candidates, request, (1.0 - WAITING_SHARE) * table, slope, |s, grant| s.grant = grant);
    // What is left goes to voices that got nothing, the longest waiting first.
    let given: f64 = candidates.iter().map(|s| s.grant).sum();
    let served = |s: &Candidate| s.grant >= s.quantum;
    candidates.sort_unstable_by(|a, b| {
        let longer = b.waited.cmp(&a.waited);
        served(b).cmp(&served(a)).then(longer).then(a.slot.cmp(&b.slot))
    });
    let first = candidates.partition_point(served);
    share(&mut candidates[first..], request, table - given, f64::INFINITY, |s, grant| {
        s.grant = grant;
        s.served_for_waiting = grant >= s.quantum;
    });
}

/// Returns the loudness below which voices are culled: the sum of all culled voices stays
/// inaudible.
pub(super) fn quiet_level(candidates: &[Candidate]) -> f32 {
    let mut sums = [0f32; 256];
    let (mut lowest, mut highest) = (255, 0);
    for candidate in candidates.iter().filter(|candidate| !candidate.exact) {
        let exponent = (candidate.loudness.max(0.0).to_bits() >> 23) as usize & 255;
        (lowest, highest) = (exponent.min(lowest), exponent.max(highest));
        sums[exponent] += candidate.loudness;
    }
    let mut left = 10f32.powf(-QUIET_DB / 10.0);
    for (exponent, sum) in sums.iter().enumerate().take(highest + 1).skip(lowest) {
        left -= sum;
        if left.is_nan() || left < 0.0 {
            return f32::from_bits((exponent as u32) << 23);
        }
    }
    f32::INFINITY
}

//! Who wants to be heard in a block, and how time is shared among them.

use crate::resonator::perceptual::budget::{Request, share};

/// Together, objects that are not heard stay this far below every threshold, dB.
const QUIET_DB: f32 = 10.0;

/// This share of a time that action not suffice goes to those who waited longest; the rest to the
/// loudest.
const WAITING_SHARE: f64 = 0.1;

/// An object that moves, in one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) place: usize,
    /// Energy over the least threshold among its frequencies.
    pub(super) loudness: f32,
    /// Blocks it has waited; more than any number of them while it has its served_for_waiting.
    pub(super) waited: u32,
    /// A force excitation on it, or it fades away: every mode is computed by itself.
    pub(super) exact: bool,
    /// What it costs by the table, microseconds, and what it is granted.
    pub(super) cost: f64,
    pub(super) grant: f64,
    /// The least part of it that is of use: a row, or all.
    pub(super) quantum: f64,
    /// It is served because it waited.
    pub(super) served_for_waiting: bool,
    /// Impulses fall on it.
    pub(super) has_impulses: bool,
}

/// Shares time, microseconds by the table, among the objects that are heard, when there is not
/// enough for all.
pub(super) fn share_time(candidates: &mut [Candidate], quiet: f32, table: f64, slope: f64) {
    let heard = |candidate: &Candidate| candidate.exact || candidate.loudness >= quiet;
    let needed: f64 = candidates.iter().filter(|s| heard(s)).map(|s| s.cost).sum();
    if needed <= table {
        return;
    }
    candidates.sort_unstable_by(|a, b| {
        let louder = b.loudness.total_cmp(&a.loudness);
        heard(b).cmp(&heard(a)).then(louder).then(a.place.cmp(&b.place))
    });
    let count = candidates.partition_point(heard);
    let candidates = &mut candidates[..count];
    let request = |s: &Candidate| Request { cost: s.cost, quantum: s.quantum };
    share(candidates, request, (1.0 - WAITING_SHARE) * table, slope, |s, grant| s.grant = grant);
    // What is left goes to those who got nothing, the longest waiting first.
    let given: f64 = candidates.iter().map(|s| s.grant).sum();
    let served = |s: &Candidate| s.grant >= s.quantum;
    candidates.sort_unstable_by(|a, b| {
        let longer = b.waited.cmp(&a.waited);
        served(b).cmp(&served(a)).then(longer).then(a.place.cmp(&b.place))
    });
    let first = candidates.partition_point(served);
    share(&mut candidates[first..], request, table - given, f64::INFINITY, |s, grant| {
        s.grant = grant;
        s.served_for_waiting = grant >= s.quantum;
    });
}

/// The loudness below which objects are left out: all of them together stay inaudible.
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

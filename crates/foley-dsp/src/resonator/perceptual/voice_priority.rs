//! Who wants to be heard in a block, and how time is shared among them.

use crate::resonator::perceptual::budget::{Ask, share};

/// Together, objects that are not heard stay this far below every threshold, dB.
const QUIET_DB: f32 = 10.0;

/// This share of a time that does not suffice goes to those who waited longest; the rest to the
/// loudest.
const PATIENCE: f64 = 0.1;

/// An object that moves, in one block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seat {
    pub(super) place: usize,
    /// Energy over the least threshold among its frequencies.
    pub(super) loudness: f32,
    /// Blocks it has waited; more than any number of them while it has its turn.
    pub(super) waited: u32,
    /// A force acts on it, or it fades away: every mode is computed by itself.
    pub(super) alone: bool,
    /// What it costs by the table, microseconds, and what it is granted.
    pub(super) cost: f64,
    pub(super) grant: f64,
    /// The least part of it that is of use: a row, or all.
    pub(super) piece: f64,
    /// It is served because it waited.
    pub(super) turn: bool,
    /// Impulses fall on it.
    pub(super) struck: bool,
}

/// Shares time, microseconds by the table, among the objects that are heard, when there is not
/// enough for all.
pub(super) fn share_time(seats: &mut [Seat], quiet: f32, table: f64, slope: f64) {
    let heard = |seat: &Seat| seat.alone || seat.loudness >= quiet;
    let needed: f64 = seats.iter().filter(|s| heard(s)).map(|s| s.cost).sum();
    if needed <= table {
        return;
    }
    seats.sort_unstable_by(|a, b| {
        let louder = b.loudness.total_cmp(&a.loudness);
        heard(b).cmp(&heard(a)).then(louder).then(a.place.cmp(&b.place))
    });
    let count = seats.partition_point(heard);
    let seats = &mut seats[..count];
    let ask = |s: &Seat| Ask { cost: s.cost, piece: s.piece };
    share(seats, ask, (1.0 - PATIENCE) * table, slope, |s, grant| s.grant = grant);
    // What is left goes to those who got nothing, the longest waiting first.
    let given: f64 = seats.iter().map(|s| s.grant).sum();
    let served = |s: &Seat| s.grant >= s.piece;
    seats.sort_unstable_by(|a, b| {
        let longer = b.waited.cmp(&a.waited);
        served(b).cmp(&served(a)).then(longer).then(a.place.cmp(&b.place))
    });
    let first = seats.partition_point(served);
    share(&mut seats[first..], ask, table - given, f64::INFINITY, |s, grant| {
        s.grant = grant;
        s.turn = grant >= s.piece;
    });
}

/// The loudness below which objects are left out: all of them together stay inaudible.
pub(super) fn quiet_level(seats: &[Seat]) -> f32 {
    let mut sums = [0f32; 256];
    let (mut lowest, mut highest) = (255, 0);
    for seat in seats.iter().filter(|seat| !seat.alone) {
        let exponent = (seat.loudness.max(0.0).to_bits() >> 23) as usize & 255;
        (lowest, highest) = (exponent.min(lowest), exponent.max(highest));
        sums[exponent] += seat.loudness;
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

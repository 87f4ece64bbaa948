//! The real-time promise of the fast pruner: after construction nothing allocates or frees.
#![allow(unsafe_code)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use common::{noise, spread_log};
use foley_dsp::perception::{Calibration, EnvelopePruner, Masking, Tone};

/// The system's allocator, counting what this thread asks of it.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter left, and nobody asks it.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call goes unchanged to the system's allocator; the counter is a
// plain thread-local cell that allocates nothing itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(old, layout, new_size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        count();
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations and frees of this thread during `work`.
fn calls_during(work: impl FnOnce()) -> u64 {
    let before = CALLS.get();
    work();
    CALLS.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(calls_during(|| drop(black_box(vec![0u8; 64]))), 2);
}

/// Levels change from block to block, also to nonsense; sets grow, shrink and become too
/// large.
#[test]
fn pruning_allocates_nothing() {
    let capacity = 4_000;
    let mut pruner = EnvelopePruner::with_capacity(capacity);
    let mut tones: Vec<Tone> =
        spread_log(capacity + 1, 20.0, 20_000.0).iter().map(|f| Tone::new(*f, 0.0)).collect();
    let mut energies = vec![0.0; capacity + 1];
    let mut random = noise(3);
    let calls = calls_during(|| {
        for block in 0..300 {
            energies.fill_with(|| 10f64.powf(8.0 * random()));
            energies[block] = [f64::NAN, f64::INFINITY, 0.0][block % 3];
            let calibration = Calibration::to_playback_level(energies.iter().copied(), 70.0);
            for (tone, energy) in tones.iter_mut().zip(&energies) {
                tone.set_level_db(calibration.level_db(*energy));
            }
            let n = [capacity, 0, 1, 700, capacity + 1][block % 5];
            let fates = pruner.prune(Masking::new(block as f64 % 7.0), &tones[..n]);
            assert_eq!(fates.is_err(), n > capacity);
            let _ = black_box(fates);
        }
    });
    assert_eq!(calls, 0);
}

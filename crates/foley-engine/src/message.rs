//! What travels between the two threads.

use foley_dsp::propagation::{EqualizerWeights, Position};
use foley_dsp::resonator::{
    ContactBuffers, DecayChange, Gains, Retired, Route, Strike, SynthesisSwitch, Voice,
};
use std::sync::atomic::AtomicU64;

use crate::engine::spatial::Snapshot;
use crate::force::Force;
use crate::frame_clock::FrameClock;
use crate::telemetry::TelemetryFrame;

/// From the caller's thread to the audio thread, first in, first out.
pub(crate) enum Command {
    Insert { slot: usize, voice: Box<Voice> },
    Release { slot: usize },
    Strike { slot: usize, strike: Strike },
    Route { slot: usize, route: Route },
    Place { emitter: usize, position: Position },
    Equalize { emitter: usize, weights: Box<EqualizerWeights> },
    Snapshot(Box<Snapshot>),
    ContactBuffers { slot: usize, contact: usize, buffers: ContactBuffers },
    MoveContact { slot: usize, contact: usize, gains: Gains },
    Push { slot: usize, contact: usize, force: Box<dyn Force> },
    Playback { pascal_db: f64 },
    Switch(Box<SynthesisSwitch>),
    Decays { slot: usize, change: Box<DecayChange> },
    Telemetry(Box<TelemetryFrame>),
}

/// From the audio thread back to the caller's: to be freed there, and slots to be used again.
pub(crate) enum Garbage {
    // Held only until it is dropped, on the right thread.
    Command(#[allow(dead_code)] Command),
    Gains(#[allow(dead_code)] Gains),
    Force(usize, #[allow(dead_code)] Box<dyn Force>),
    Buffers(#[allow(dead_code)] ContactBuffers),
    Snapshot(Box<Snapshot>),
    Weights(#[allow(dead_code)] Box<EqualizerWeights>),
    Telemetry(Box<TelemetryFrame>),
    Decays(#[allow(dead_code)] Box<DecayChange>),
    Bank(Retired),
    /// A voice is silent after this number of strikes.
    Silent {
        slot: usize,
        strikes: u64,
    },
}

/// Figures the audio thread publishes.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) frame_clock: FrameClock,
    /// The first sample not yet computed.
    pub(crate) clock: AtomicU64,
    pub(crate) bad_blocks: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) bad_forces: AtomicU64,
    pub(crate) awake: AtomicU64,
    pub(crate) modes: AtomicU64,
    pub(crate) audible: AtomicU64,
    pub(crate) computed: AtomicU64,
    pub(crate) left_out: AtomicU64,
    pub(crate) used_ns: AtomicU64,
    pub(crate) deciding_ns: AtomicU64,
    pub(crate) tap_dropped: AtomicU64,
}

impl Published {
    pub(crate) fn new(frame_clock: FrameClock) -> Self {
        Self {
            frame_clock,
            clock: AtomicU64::new(0),
            bad_blocks: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            bad_forces: AtomicU64::new(0),
            awake: AtomicU64::new(0),
            modes: AtomicU64::new(0),
            audible: AtomicU64::new(0),
            computed: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
            used_ns: AtomicU64::new(0),
            deciding_ns: AtomicU64::new(0),
            tap_dropped: AtomicU64::new(0),
        }
    }
}

//! Telemetry: what each voice does in a block, and why it is silent.
//!
//! A frame with room for all voices travels to the audio thread, is filled after the next block, and
//! comes back to be read: at most one block of each [`Engine::update`](crate::Engine::update).

use foley_dsp::resonator::{Bank, Silence, VoiceStatus};

use crate::ObjectHandle;

/// What the voice of an object does.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VoiceTelemetry {
    /// The object.
    pub object: ObjectHandle,
    /// The emitter or channel that it is heard from.
    pub emitter: usize,
    /// Level of its modes at the listener, dB SPL at playback; −∞ at rest. Air absorption is left out.
    pub level_db: f64,
    /// Modes of its model.
    pub modes: usize,
    /// Oscillators computed for it: modes, or audible partials it has a part in. Objects on one emitter
    /// share partials.
    pub computed: usize,
    /// Why it is not heard; `None` if it is.
    pub silence: Option<Silence>,
}

/// All voices after one block. Objects that are not listed have no voice: they are at rest.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Telemetry {
    /// The first sample after the block.
    pub clock: u64,
    /// The voices.
    pub voices: Vec<VoiceTelemetry>,
}

impl Telemetry {
    /// Returns what the voice of an object does; `None` if it has no voice.
    pub fn of(&self, object: ObjectHandle) -> Option<&VoiceTelemetry> {
        self.voices.iter().find(|voice| voice.object == object)
    }
}

/// Memory for the telemetry of one block.
#[derive(Debug)]
pub(crate) struct TelemetryFrame {
    pub(crate) clock: u64,
    /// Slot and status of each voice.
    pub(crate) voices: Vec<(usize, VoiceStatus)>,
    /// Factor on the amplitudes of each bus on its way to the listener.
    pub(crate) amplitudes: Vec<f32>,
}

impl TelemetryFrame {
    pub(crate) fn new(voices: usize, buses: usize) -> Self {
        Self { clock: 0, voices: Vec::with_capacity(voices), amplitudes: vec![1.0; buses] }
    }

    /// Fills it after a block; real-time.
    pub(crate) fn fill(&mut self, bank: &Bank, amplitude: impl Fn(usize) -> f32) {
        self.clock = bank.clock();
        for (bus, value) in self.amplitudes.iter_mut().enumerate() {
            *value = amplitude(bus);
        }
        let Self { voices, .. } = self;
        voices.clear();
        bank.voice_statuses(|slot, status| {
            if voices.len() < voices.capacity() {
                voices.push((slot, status));
            }
        });
    }
}

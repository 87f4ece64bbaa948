//! The caller's side of telemetry and output tap.

use foley_dsp::resonator::VoiceStatus;

use super::{Engine, ObjectHandle};
use crate::message::Command;
use crate::telemetry::TelemetryFrame;
use crate::{OutputTap, Telemetry, VoiceTelemetry};

/// Frames and figures of the caller's thread.
pub(super) struct TelemetryState {
    /// The frame, while it is not under way.
    frame: Option<Box<TelemetryFrame>>,
    latest: Option<Telemetry>,
    tap: Option<OutputTap>,
}

impl TelemetryState {
    pub(super) fn new(frame: Option<Box<TelemetryFrame>>, tap: Option<OutputTap>) -> Self {
        Self { frame, latest: None, tap }
    }
}

impl Engine {
    /// Returns what every voice did in the latest block that is known: at most one more for each
    /// [`update`](Self::update). `None` without [`Settings::telemetry`](crate::Settings::telemetry), and
    /// before the first block.
    pub fn telemetry(&self) -> Option<&Telemetry> {
        self.telemetry.latest.as_ref()
    }

    /// Returns the reader of the finished samples, once; it may be used on any thread. `None` without
    /// [`Settings::tap_s`](crate::Settings::tap_s).
    pub fn take_output_tap(&mut self) -> Option<OutputTap> {
        self.telemetry.tap.take()
    }

    /// Sends the frame to be filled after the next block.
    pub(super) fn send_telemetry(&mut self) {
        if !self.commands.is_full()
            && let Some(frame) = self.telemetry.frame.take()
        {
            // The queue has room: checked above.
            let _ = self.send(Command::Telemetry(frame));
        }
    }

    /// Reads a frame that came back.
    pub(super) fn read_telemetry(&mut self, frame: Box<TelemetryFrame>) {
        let mut telemetry = self.telemetry.latest.take().unwrap_or_default();
        telemetry.clock = frame.clock;
        telemetry.voices.clear();
        let pascal_db = self.settings.pascal_db(self.settings.playback_db);
        for (slot, status) in &frame.voices {
            let VoiceStatus { bus, energy_pa2, modes, computed, silence, .. } = *status;
            let Some(voice) = self.voices.get(*slot) else { continue };
            let index = voice.object;
            // An object that was removed, or excited again while an old voice leaves.
            let Some(entry) = self.entries[index].as_ref().filter(|e| e.voice == Some(*slot))
            else {
                continue;
            };
            let object = ObjectHandle { index, generation: entry.generation };
            let amplitude = frame.amplitudes.get(bus).copied().unwrap_or(1.0);
            let energy = f64::from(energy_pa2) * f64::from(amplitude).powi(2);
            let level_db = 10.0 * energy.log10() + pascal_db;
            let voice = VoiceTelemetry { object, emitter: bus, level_db, modes, computed, silence };
            telemetry.voices.push(voice);
        }
        self.telemetry.latest = Some(telemetry);
        self.telemetry.frame = Some(frame);
    }
}

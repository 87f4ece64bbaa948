//! What a voice does in a block, and why it is silent: for meters and for finding errors.

use crate::resonator::bank::Bank;
use crate::resonator::perceptual::PerceptualScheduler;
use crate::resonator::voice::Voice;

/// Why a voice was not heard in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Silence {
    /// Nothing moves: it was not struck, or has died away.
    AtRest,
    /// Its gain is zero.
    Muted,
    /// Below the hearing threshold.
    BelowThreshold,
    /// Above the hearing threshold, but masked by louder sound.
    Masked,
    /// There was no time for it.
    OverBudget,
}

/// The state of a voice after a block.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VoiceStatus {
    /// Bus on which it sounds.
    pub bus: usize,
    /// Sum of the squared amplitudes of its modes on that bus, Pa²: the last measured one under
    /// perceptual synthesis.
    pub energy_pa2: f32,
    /// Modes of its model.
    pub modes: usize,
    /// Oscillators computed for it in the last block: modes, or audible partials it has a part in.
    pub computed: usize,
    /// Why it was not heard; `None` if it was.
    pub silence: Option<Silence>,
}

impl Bank {
    /// Passes the status of every voice after the last block to `each`, with its slot. Real-time; costs
    /// about as much as advancing all modes by a block.
    pub fn voice_statuses(&self, mut each: impl FnMut(usize, VoiceStatus)) {
        let old = self.switch.as_ref().and_then(|switch| switch.scheduler.as_ref());
        let now = self.block_number().wrapping_sub(1);
        for slot in 0..self.extent {
            let (present, leaving) = (&self.voices[slot], &self.leaving[slot]);
            if let Some(voice) = present {
                each(slot, status(voice, self.scheduler.as_ref(), now));
            } else if let Some(voice) = leaving {
                each(slot, status(voice, old, now));
            }
        }
    }
}

/// Returns the status of a voice after block `now`.
fn status(voice: &Voice, scheduler: Option<&PerceptualScheduler>, now: u32) -> VoiceStatus {
    let gain = voice.routing.taps().iter().map(|tap| tap.end.max(tap.start)).fold(0.0, f32::max);
    let modes = voice.layout.mode_count();
    let energy_pa2 = gain
        * gain
        * scheduler.map_or_else(|| voice.modes.state.energy(), |_| voice.perceptual.energy);
    let (computed, silence) = match scheduler {
        _ if !voice.awake => (0, Some(Silence::AtRest)),
        _ if gain == 0.0 => (0, Some(Silence::Muted)),
        None => (modes, None),
        Some(scheduler) => scheduler.computed(voice, now),
    };
    VoiceStatus { bus: voice.routing.bus(), energy_pa2, modes, computed, silence }
}

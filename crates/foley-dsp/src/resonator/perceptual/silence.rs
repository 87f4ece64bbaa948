//! Which part of a voice was computed in a block, and why nothing was.

use super::scheduler::PerceptualScheduler;
use super::voice_state::LastRender;
use crate::resonator::Silence;
use crate::resonator::voice::Voice;

impl PerceptualScheduler {
    /// Returns the oscillators computed for a voice that moved in block `now`, and why there were none.
    pub(crate) fn computed(&self, voice: &Voice, now: u32) -> (usize, Option<Silence>) {
        let modes = voice.layout.mode_count();
        let computed = match voice.perceptual.last_render {
            LastRender::Skipped => return (0, Some(Silence::OverBudget)),
            LastRender::Exact(block) if block == now => modes,
            _ if self.is_masking_2004() => voice.perceptual.mode_mask.previous_count(),
            LastRender::Banded(block) if block == now => self.partials_of(voice),
            _ => 0,
        };
        if computed > 0 {
            return (computed, None);
        }
        let below = self.loudness_in_quiet(voice) < 1.0;
        (0, Some(if below { Silence::BelowThreshold } else { Silence::Masked }))
    }

    /// Returns the number of audible partials in which a voice has a mode.
    fn partials_of(&self, voice: &Voice) -> usize {
        let Some(band_layout) = &voice.layout.band_layout else { return 0 };
        let bus = self.partial_bus(voice.routing.bus());
        let bands = band_layout.tiles.iter().flat_map(|tile| tile.cells);
        bus.map_or(0, |bus| bands.filter(|band| bus.is_audible(*band as usize)).count())
    }

    /// Returns the energy of a voice at the listener divided by the lowest hearing threshold among its
    /// bands, margin included.
    fn loudness_in_quiet(&self, voice: &Voice) -> f32 {
        let Some(band_layout) = &voice.layout.band_layout else { return 0.0 };
        let Some(bus) = self.partial_bus(voice.routing.bus()) else { return 0.0 };
        let bands = band_layout.tiles.iter().flat_map(|tile| tile.cells);
        let quiet = bands.map(|band| bus.masking.quiet_of(band as usize));
        let quiet = quiet.fold(f32::INFINITY, f32::min);
        let gain = voice.routing.taps().iter().map(|tap| tap.energy_gain()).fold(0.0, f32::max);
        self.energy_to_spl(voice.routing.bus()) * gain * voice.perceptual.energy / quiet
    }
}

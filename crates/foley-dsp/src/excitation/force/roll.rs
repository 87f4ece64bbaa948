//! Rolling: the profile as a large round body feels it, \[FA\] §4.3.
//!
//! The profile at the speed of the contact point passes the low-pass of the [`ContactPatch`], then
//! the [`ModalCouplingFilter`] around the body's own modes, then gets the amplitude that the power
//! lost in rolling allows. Neither filter amplifies, so the bound of [`Coupling`] holds.

use std::sync::Arc;

use super::contact_patch::PatchLowPass;
use super::sustained_force::{ProfileFilter, SustainedForce};
use super::{ContactPatch, Coupling, ForceError, ModalCouplingFilter, Motion, Profile};

/// Parameters of a rolling contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rolling {
    /// The contact with the ground.
    pub patch: ContactPatch,
    /// The share of the force that is enhanced at the modes, 0 to 1. The rest passes unchanged, so
    /// that modes without a filter are still excited.
    pub enhancement: f64,
}

/// The filters of a rolling contact.
#[derive(Debug, Clone)]
pub struct RollFilter {
    patch: ContactPatch,
    low_pass: PatchLowPass,
    coupling: ModalCouplingFilter,
}

impl ProfileFilter for RollFilter {
    fn begin_step(&mut self, motion: Motion, profile: &Profile) {
        let Motion { speed_m_s, normal_force_n } = motion;
        let cutoff_hz = self.patch.cutoff_hz(speed_m_s, normal_force_n, profile.rms_height_m());
        self.low_pass.begin_step(cutoff_hz, profile.sample_rate_hz());
    }

    fn process(&mut self, y: &mut [f32]) {
        self.low_pass.process(y);
        self.coupling.process(y);
    }

    fn skip(&mut self, samples: usize) {
        self.low_pass.skip(samples);
    }

    fn flush(&mut self) {
        self.coupling.flush();
    }

    fn clear(&mut self) {
        self.low_pass.clear();
        self.coupling.clear();
    }

    fn reset(&mut self) {
        self.low_pass = PatchLowPass::default();
        self.coupling.clear();
    }
}

/// The audio-force of one body rolling on another.
pub type Roll = SustainedForce<RollFilter>;

impl Roll {
    /// Makes a force at rest. The modes are those of the excited body (Hz, 1/s), the
    /// [`strongest_modes`](super::strongest_modes) first; only the first
    /// [`MAX_COUPLED_MODES`](super::MAX_COUPLED_MODES) are enhanced.
    pub fn new(
        profile: Arc<Profile>,
        coupling: Coupling,
        rolling: Rolling,
        frequencies_hz: &[f64],
        decays: &[f64],
        seed: u64,
    ) -> Result<Self, ForceError> {
        let rate = profile.sample_rate_hz();
        let filter = ModalCouplingFilter::new(frequencies_hz, decays, rolling.enhancement, rate)?;
        Self::with_filter(profile, coupling, rolling.patch, filter, seed)
    }

    /// Makes a force with an existing filter, made for the profile's sample rate.
    pub fn with_filter(
        profile: Arc<Profile>,
        coupling: Coupling,
        patch: ContactPatch,
        filter: ModalCouplingFilter,
        seed: u64,
    ) -> Result<Self, ForceError> {
        patch.validate()?;
        let filter = RollFilter { patch, low_pass: PatchLowPass::default(), coupling: filter };
        Self::with(profile, coupling, seed, filter)
    }
}

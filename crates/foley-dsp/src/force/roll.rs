//! Rolling: what a large round body feels of a profile (FoleyAutomatic 2001, §4.3).
//!
//! The profile at the speed of the contact point, through the low-pass of the contact
//! [`Patch`], then enhanced around the body's own modes, then as loud as the power lost in
//! rolling allows. Both filters only take away, so that the promise of [`Coupling`] holds.
//! The loudness comes last: a force ends with its contact, whatever the filters remember.

use std::sync::Arc;

use super::enhance::Enhance;
use super::high_pass::HighPass;
use super::patch::Felt;
use super::profile::STEP;
use super::track::Track;
use super::{AudioForce, Coupling, ForceError, Motion, Patch, Profile};

/// What rolls, and how it couples to the modes of what it excites.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rolling {
    /// The contact with the ground.
    pub patch: Patch,
    /// The share of the force that is enhanced at the modes, 0 to 1; the rest passes, so
    /// that modes that are not among the enhanced are still excited.
    pub enhancement: f64,
}

/// The audio-force of one body rolling on another.
#[derive(Debug, Clone)]
pub struct Roll {
    track: Track,
    patch: Patch,
    felt: Felt,
    enhance: Enhance,
    high_pass: HighPass,
    asleep: bool,
}

impl Roll {
    /// At rest. The modes are those of the body to be excited (Hz, 1/s), the
    /// [`strongest`](super::strongest) first: after
    /// [`MOST_ENHANCED`](super::MOST_ENHANCED) the others are left as they are.
    pub fn new(
        profile: Arc<Profile>,
        coupling: Coupling,
        rolling: Rolling,
        frequencies_hz: &[f64],
        decays: &[f64],
        seed: u64,
    ) -> Result<Self, ForceError> {
        let rate = profile.sample_rate_hz();
        let enhance = Enhance::new(frequencies_hz, decays, rolling.enhancement, rate)?;
        Self::enhanced(profile, coupling, rolling.patch, enhance, seed)
    }

    /// The same with a filter made before, for the profile's sample rate.
    pub fn enhanced(
        profile: Arc<Profile>,
        coupling: Coupling,
        patch: Patch,
        enhance: Enhance,
        seed: u64,
    ) -> Result<Self, ForceError> {
        patch.check()?;
        let high_pass = HighPass::new(profile.sample_rate_hz());
        let track = Track::new(profile, coupling, seed)?;
        Ok(Self { track, patch, felt: Felt::default(), enhance, high_pass, asleep: true })
    }

    fn step(&mut self) {
        let Motion { speed_m_s, normal_force_n } = self.track.step();
        let profile = self.track.profile();
        let height_m = profile.rms_height_m();
        let cut_off_hz = self.patch.cut_off_hz(speed_m_s, normal_force_n, height_m);
        self.felt.step(cut_off_hz, profile.sample_rate_hz());
        self.asleep = self.track.is_still() && self.high_pass.is_still();
        if self.asleep {
            self.track.hush();
            self.clear();
        } else {
            self.enhance.settle();
        }
    }

    fn clear(&mut self) {
        self.felt.clear();
        self.enhance.clear();
        self.high_pass.clear();
    }
}

impl AudioForce for Roll {
    fn aim(&mut self, motion: Motion, glide_samples: u32) {
        self.track.aim(motion, glide_samples);
    }

    fn add(&mut self, mut force: &mut [f32]) {
        while !force.is_empty() {
            if self.track.is_between_steps() {
                self.step();
            }
            let count = force.len().min(self.track.left());
            let (now, later) = force.split_at_mut(count);
            force = later;
            if self.asleep {
                self.track.skip(count);
                self.felt.skip(count);
                continue;
            }
            let mut y = [0.0; STEP];
            let y = &mut y[..count];
            self.track.read(y);
            self.felt.process(y);
            self.enhance.process(y);
            self.high_pass.add(y, self.track.amplitude_ns(), now);
        }
    }

    fn is_silent(&self) -> bool {
        self.asleep && self.track.is_still()
    }

    fn reset(&mut self) {
        self.track.reset();
        self.clear();
        self.felt = Felt::default();
        self.asleep = true;
    }
}

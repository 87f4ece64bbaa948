//! Scraping and sliding: the profile at the speed of slip (FoleyAutomatic 2001, §4.2).
//!
//! ```text
//! F(t) = A(v, F_n) p(x(t)),  ẋ = v,  A ∝ √(v F_n)
//! ```
//!
//! without what is slower than 20 Hz. Twice the speed is one octave higher; at rest there is
//! silence; when the motion turns back, the needle goes back on its track.

use std::sync::Arc;

use super::high_pass::HighPass;
use super::profile::STEP;
use super::track::Track;
use super::{AudioForce, Coupling, ForceError, Motion, Profile};

/// The audio-force of one body sliding on another.
#[derive(Debug, Clone)]
pub struct Scrape {
    track: Track,
    high_pass: HighPass,
    asleep: bool,
}

impl Scrape {
    /// At rest, at a place of the profile that the seed decides.
    pub fn new(profile: Arc<Profile>, coupling: Coupling, seed: u64) -> Result<Self, ForceError> {
        let high_pass = HighPass::new(profile.sample_rate_hz());
        Ok(Self { track: Track::new(profile, coupling, seed)?, high_pass, asleep: true })
    }

    fn step(&mut self) {
        self.track.step();
        self.asleep = self.track.is_still() && self.high_pass.is_still();
        if self.asleep {
            self.track.hush();
            self.high_pass.clear();
        }
    }
}

impl AudioForce for Scrape {
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
                continue;
            }
            let mut y = [0.0; STEP];
            let y = &mut y[..count];
            self.track.read(y);
            self.high_pass.add(y, self.track.amplitude_ns(), now);
        }
    }

    fn is_silent(&self) -> bool {
        self.asleep && self.track.is_still()
    }

    fn reset(&mut self) {
        self.track.reset();
        self.high_pass.clear();
        self.asleep = true;
    }
}

//! Sustained contact force: a profile read at the speed of the contact, filtered and scaled.
//!
//! Scraping and rolling differ only in the [`ProfileFilter`] between profile and high-pass.

use std::sync::Arc;

use super::high_pass::HighPass;
use super::parameter_smoothing::{LinearRamp, SmoothedAmplitude};
use super::profile::{ProfileReader, STEP};
use super::{AudioForce, Coupling, ForceError, Motion, Profile};

/// Shortest ramp of a motion, s: one step of a simulation at 480 Hz. Anything faster is an impact.
const MIN_RAMP_S: f64 = 1.0 / 480.0;

/// Filters the unit profile before its amplitude is applied. Real-time; must never amplify.
pub trait ProfileFilter {
    /// Begins a step of at most [`STEP`] samples that ends with this motion.
    fn begin_step(&mut self, _motion: Motion, _profile: &Profile) {}
    /// Filters the next samples in place.
    fn process(&mut self, _y: &mut [f32]) {}
    /// Advances by some samples without processing them.
    fn skip(&mut self, _samples: usize) {}
    /// Flushes inaudible state to zero, once per step.
    fn flush(&mut self) {}
    /// Clears the memory of the filter.
    fn clear(&mut self) {}
    /// Restores the state after construction.
    fn reset(&mut self) {}
}

/// The audio-force of a sustained contact.
#[derive(Debug, Clone)]
pub struct SustainedForce<F> {
    playback: ProfilePlayback,
    pub(super) filter: F,
    high_pass: HighPass,
    idle: bool,
}

impl<F: ProfileFilter> SustainedForce<F> {
    pub(super) fn with(
        profile: Arc<Profile>,
        coupling: Coupling,
        seed: u64,
        filter: F,
    ) -> Result<Self, ForceError> {
        let high_pass = HighPass::new(profile.sample_rate_hz());
        let playback = ProfilePlayback::new(profile, coupling, seed)?;
        Ok(Self { playback, filter, high_pass, idle: true })
    }

    fn begin_step(&mut self) {
        let motion = self.playback.begin_step();
        self.filter.begin_step(motion, &self.playback.profile);
        self.idle = self.playback.is_silent() && self.high_pass.is_silent();
        if self.idle {
            self.playback.amplitude_ns.clear();
            self.filter.clear();
            self.high_pass.clear();
        } else {
            self.filter.flush();
        }
    }
}

impl<F: ProfileFilter> AudioForce for SustainedForce<F> {
    fn aim(&mut self, motion: Motion, ramp_samples: u32) {
        self.playback.aim(motion, ramp_samples);
    }

    fn add(&mut self, mut force: &mut [f32]) {
        while !force.is_empty() {
            if self.playback.is_between_steps() {
                self.begin_step();
            }
            let count = force.len().min(self.playback.reader.left());
            let (now, later) = force.split_at_mut(count);
            force = later;
            if self.idle {
                self.playback.skip(count);
                self.filter.skip(count);
                continue;
            }
            let mut y = [0.0; STEP];
            let y = &mut y[..count];
            self.playback.read(y);
            self.filter.process(y);
            // The amplitude comes last: the force ends with its contact, whatever the filter holds.
            self.high_pass.add(y, &mut self.playback.amplitude_ns, now);
        }
    }

    fn is_silent(&self) -> bool {
        self.idle && self.playback.is_silent()
    }

    fn reset(&mut self) {
        self.playback.reset();
        self.filter.reset();
        self.high_pass.clear();
        self.idle = true;
    }
}

/// A profile read along a motion, and the amplitude of what is read. Real-time once made.
#[derive(Debug, Clone)]
struct ProfilePlayback {
    profile: Arc<Profile>,
    coupling: Coupling,
    seed: u64,
    reader: ProfileReader,
    speed_m_s: LinearRamp,
    force_n: LinearRamp,
    amplitude_ns: SmoothedAmplitude,
    /// Whether a new motion arrived since the last step began.
    motion_changed: bool,
}

impl ProfilePlayback {
    fn new(profile: Arc<Profile>, coupling: Coupling, seed: u64) -> Result<Self, ForceError> {
        coupling.validate()?;
        Ok(Self {
            reader: ProfileReader::new(seed),
            speed_m_s: LinearRamp::default(),
            force_n: LinearRamp::default(),
            amplitude_ns: SmoothedAmplitude::new(profile.sample_rate_hz()),
            motion_changed: false,
            profile,
            coupling,
            seed,
        })
    }

    fn reset(&mut self) {
        self.reader = ProfileReader::new(self.seed);
        (self.speed_m_s, self.force_n) = (LinearRamp::default(), LinearRamp::default());
        self.amplitude_ns = SmoothedAmplitude::new(self.profile.sample_rate_hz());
        self.motion_changed = false;
    }

    fn aim(&mut self, motion: Motion, ramp_samples: u32) {
        let shortest = (MIN_RAMP_S * self.profile.sample_rate_hz()) as u32;
        let ramp_samples = ramp_samples.max(shortest);
        let motion = motion.clamped(self.profile.max_speed_m_s());
        self.speed_m_s.aim(motion.speed_m_s, ramp_samples);
        self.force_n.aim(motion.normal_force_n, ramp_samples);
        self.motion_changed = true;
    }

    /// Returns whether the next sample begins a step.
    fn is_between_steps(&self) -> bool {
        self.motion_changed || self.reader.left() == 0
    }

    /// Begins a step and returns the motion at its end.
    fn begin_step(&mut self) -> Motion {
        self.motion_changed = false;
        let motion = Motion {
            speed_m_s: self.speed_m_s.after(STEP),
            normal_force_n: self.force_n.after(STEP),
        };
        let (v, f) = (motion.speed_m_s, motion.normal_force_n);
        self.reader.begin_step(&self.profile, v);
        let newtons = self.coupling.amplitude_n(&self.profile, v, f);
        self.amplitude_ns.aim((newtons / self.profile.sample_rate_hz()) as f32);
        motion
    }

    /// Writes the next samples of the unit profile, within the step.
    fn read(&mut self, y: &mut [f32]) {
        self.reader.read(&self.profile, y);
        self.advance_ramps(y.len());
    }

    /// Advances without reading.
    fn skip(&mut self, samples: usize) {
        self.reader.skip(samples);
        self.advance_ramps(samples);
    }

    fn advance_ramps(&mut self, samples: usize) {
        self.speed_m_s.advance(samples);
        self.force_n.advance(samples);
    }

    /// Returns whether the amplitude is zero and stays so without a new motion.
    fn is_silent(&self) -> bool {
        !self.motion_changed && self.amplitude_ns.is_silent()
    }
}

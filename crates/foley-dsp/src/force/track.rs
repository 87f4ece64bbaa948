//! What scraping and rolling share: a needle on a profile, and how loud it is.

use std::sync::Arc;

use super::glide::{Ramp, Rounded};
use super::profile::{Needle, STEP};
use super::{Coupling, ForceError, Motion, Profile};

/// Whatever changes faster would be a blow, s: the step of a simulation at 480 Hz.
const SHORTEST_GLIDE_S: f64 = 1.0 / 480.0;

/// A profile read along a motion. Real-time once made.
#[derive(Debug, Clone)]
pub(super) struct Track {
    profile: Arc<Profile>,
    coupling: Coupling,
    seed: u64,
    needle: Needle,
    speed_m_s: Ramp,
    force_n: Ramp,
    amplitude_ns: Rounded,
    /// A motion has been told since the last step began.
    told: bool,
}

impl Track {
    pub(super) fn new(
        profile: Arc<Profile>,
        coupling: Coupling,
        seed: u64,
    ) -> Result<Self, ForceError> {
        coupling.check()?;
        Ok(Self {
            needle: Needle::new(seed),
            speed_m_s: Ramp::default(),
            force_n: Ramp::default(),
            amplitude_ns: Rounded::new(profile.sample_rate_hz()),
            told: false,
            profile,
            coupling,
            seed,
        })
    }

    pub(super) fn reset(&mut self) {
        self.needle = Needle::new(self.seed);
        (self.speed_m_s, self.force_n) = (Ramp::default(), Ramp::default());
        self.amplitude_ns = Rounded::new(self.profile.sample_rate_hz());
        self.told = false;
    }

    pub(super) fn profile(&self) -> &Profile {
        &self.profile
    }

    pub(super) fn aim(&mut self, motion: Motion, glide_samples: u32) {
        let shortest = (SHORTEST_GLIDE_S * self.profile.sample_rate_hz()) as u32;
        let glide_samples = glide_samples.max(shortest);
        let motion = motion.sane(self.profile.fastest_m_s());
        self.speed_m_s.aim(motion.speed_m_s, glide_samples);
        self.force_n.aim(motion.normal_force_n, glide_samples);
        self.told = true;
    }

    /// Whether a step ends here.
    pub(super) fn is_between_steps(&self) -> bool {
        self.told || self.needle.left() == 0
    }

    /// Begins a step; the motion at its end.
    pub(super) fn step(&mut self) -> Motion {
        self.told = false;
        let motion = Motion {
            speed_m_s: self.speed_m_s.after(STEP),
            normal_force_n: self.force_n.after(STEP),
        };
        let (v, f) = (motion.speed_m_s, motion.normal_force_n);
        self.needle.step(&self.profile, v);
        let newtons = self.coupling.amplitude_n(&self.profile, v, f);
        self.amplitude_ns.aim((newtons / self.profile.sample_rate_hz()) as f32);
        motion
    }

    /// Samples until the end of the step.
    pub(super) fn left(&self) -> usize {
        self.needle.left()
    }

    /// The next samples of the unit profile, within the step.
    pub(super) fn read(&mut self, y: &mut [f32]) {
        self.needle.read(&self.profile, y);
        self.pass_time(y.len());
    }

    /// Goes on in silence.
    pub(super) fn skip(&mut self, samples: usize) {
        self.needle.skip(samples);
        self.pass_time(samples);
    }

    fn pass_time(&mut self, samples: usize) {
        self.speed_m_s.pass(samples);
        self.force_n.pass(samples);
    }

    /// How loud the next samples are, N·s.
    pub(super) fn amplitude_ns(&mut self) -> &mut Rounded {
        &mut self.amplitude_ns
    }

    /// Whether there is nothing to hear at present, nor soon.
    pub(super) fn is_still(&self) -> bool {
        !self.told && self.amplitude_ns.is_still()
    }

    pub(super) fn hush(&mut self) {
        self.amplitude_ns.clear();
    }
}

//! Motion of a sustained contact, and the trait of forces that follow it.

/// Larger normal forces are clamped to this, N.
pub const MAX_NORMAL_FORCE_N: f64 = 1e9;

/// Relative motion and load of two surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Speed along the track, m/s: of slip when scraping, of the contact point when rolling.
    /// Negative means backwards.
    pub speed_m_s: f64,
    /// Slow normal force, N.
    pub normal_force_n: f64,
}

impl Motion {
    /// Returns the motion clamped to valid values; NaN becomes 0.
    pub(super) fn clamped(self, max_speed_m_s: f64) -> Self {
        let number = |x: f64| if x.is_nan() { 0.0 } else { x };
        Self {
            speed_m_s: number(self.speed_m_s).clamp(-max_speed_m_s, max_speed_m_s),
            normal_force_n: number(self.normal_force_n).clamp(0.0, MAX_NORMAL_FORCE_N),
        }
    }
}

/// A force generated sample by sample, controlled by motions.
///
/// Real-time: implementations never allocate, lock, wait or panic, and every sample is finite.
/// Samples do not depend on block sizes.
pub trait AudioForce {
    /// Sets the target: from the next sample on, ramps to this motion within `ramp_samples` (the
    /// time until the next motion is expected), but at least 1/480 s. NaN counts as zero.
    fn aim(&mut self, motion: Motion, ramp_samples: u32);

    /// Adds the next samples, N·s per sample.
    fn add(&mut self, force: &mut [f32]);

    /// Returns whether all samples are zero until the next motion.
    fn is_silent(&self) -> bool;

    /// Restores the state after construction.
    fn reset(&mut self);
}

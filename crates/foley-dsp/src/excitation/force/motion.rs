//! What a physics step says about a lasting contact, and who listens.

/// Larger normal forces count as this, N.
pub const MAX_NORMAL_FORCE_N: f64 = 1e9;

/// How two surfaces move against each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Along the track, m/s: of slip when scraping, of the contact point when rolling.
    /// Negative backwards.
    pub speed_m_s: f64,
    /// The slow force that presses them together, N.
    pub normal_force_n: f64,
}

impl Motion {
    /// The same, or the nearest that can be.
    pub(super) fn clamped(self, max_speed_m_s: f64) -> Self {
        let number = |x: f64| if x.is_nan() { 0.0 } else { x };
        Self {
            speed_m_s: number(self.speed_m_s).clamp(-max_speed_m_s, max_speed_m_s),
            normal_force_n: number(self.normal_force_n).clamp(0.0, MAX_NORMAL_FORCE_N),
        }
    }
}

/// A force made sample by sample, steered by motions.
///
/// Real-time: nothing here allocates, locks, waits or panics, and every sample is finite.
/// Samples do not depend on how many are asked for at a time.
pub trait AudioForce {
    /// From the next sample on, glides to this motion within so many samples: until the
    /// next one is expected, but not in less than 1/480 s. What is not a number counts as
    /// zero.
    fn aim(&mut self, motion: Motion, glide_samples: u32);

    /// Adds the next samples, N·s per sample.
    fn add(&mut self, force: &mut [f32]);

    /// Whether only silence comes until it is told to move.
    fn is_silent(&self) -> bool;

    /// Back to how it was made.
    fn reset(&mut self);
}

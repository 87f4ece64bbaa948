//! Look-ahead peak limiter: no sample exceeds the ceiling.
//!
//! All channels share one gain, so that the stereo image does not move. With the largest magnitude
//! p of each frame, the ceiling c and a look-ahead of L frames:
//!
//! ```text
//! g[n] = min(1, c / p[n])                      the gain this frame needs
//! m[n] = min(g[n−L], …, g[n])                  held as long as the frame is inside
//! r[n] = m[n] if below r[n−1], else r[n−1] + (m[n] − r[n−1]) (1 − e^{−1/(t_r f_s)})
//! s[n] = Σ_{k=0..L} w_k r[n−k],  Σ w_k = 1     smooth: two box filters
//! y[n] = s[n] x[n−L]
//! ```
//!
//! Frame k leaves at n = k + L. Each of r[k], …, r[k+L] is at most m there, and each of those minima
//! contains g[k]; so s[k+L] ≤ g[k] and |y| ≤ c: the gain has fallen by the time the peak leaves.
//! Gains are computed in double precision and rounded down, their total error is under 2⁻⁵⁰, and c
//! is a single-precision number: the product rounded to single precision is never above c. A final
//! clamp guards against errors in this proof; it is counted and never acts.
//!
//! While nothing exceeds the ceiling, s is exactly 1 and samples pass bit for bit, L frames late.
//! Peaks are sample peaks: the default ceiling of −1 dBFS leaves headroom for inter-sample peaks.
//!
//! Real-time: after [`Limiter::new`] nothing here allocates, locks, calls the
//! system, logs or panics.

use super::{
    OutputError, check_layout,
    guard::flush_tiny,
    setting_within,
    sliding_min::SlidingMin,
    smoother::{MAX_WINDOW, Smoother},
};
use derive_setters::Setters;

/// Settings of a limiter; the default suits playback.
#[derive(Debug, Clone, Copy, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct LimiterSettings {
    /// Largest output magnitude, dB relative to full scale; −60 to 0.
    pub ceiling_dbfs: f64,
    /// Time before a peak at which the gain begins to fall, s; also the latency; 0 to 0.1.
    pub lookahead_s: f64,
    /// Time constant of the gain's recovery, s; 0.001 to 10.
    pub release_s: f64,
}

impl Default for LimiterSettings {
    fn default() -> Self {
        Self { ceiling_dbfs: -1.0, lookahead_s: 0.0015, release_s: 0.08 }
    }
}

/// At this ratio the gain jumps to its target, else it would stay below 1 for ever: a step 140 dB
/// under the signal, smoothed like any other.
const ARRIVED: f64 = 1.0 - 1e-7;

/// Limits interleaved frames of any number of channels with one common gain.
///
/// ```
/// use foley_dsp::output::{Limiter, LimiterSettings};
/// let mut limiter = Limiter::new(LimiterSettings::default(), 48_000.0, 2)?;
/// let mut frames = vec![10.0; 2 * 480];
/// limiter.process(&mut frames);
/// assert!(frames.iter().all(|y| y.abs() <= limiter.ceiling()));
/// assert_eq!(limiter.latency_frames(), 72);
/// # Ok::<(), foley_dsp::output::OutputError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Limiter {
    /// c as a linear, single-precision value.
    ceiling: f32,
    channels: usize,
    /// 1 − e^{−1/(t_r f_s)}.
    release: f64,
    /// L + 1 interleaved frames.
    delay: Vec<f32>,
    write: usize,
    held: SlidingMin,
    /// r of the previous frame.
    released: f64,
    smoother: Smoother,
    min_gain: f64,
    clamps: u64,
}

impl Limiter {
    /// Makes a limiter for interleaved frames of `channels` samples.
    pub fn new(
        settings: LimiterSettings,
        sample_rate_hz: f64,
        channels: usize,
    ) -> Result<Self, OutputError> {
        check_layout(sample_rate_hz, channels)?;
        let LimiterSettings { ceiling_dbfs, lookahead_s, release_s } = settings;
        setting_within("limiter ceiling (dBFS)", ceiling_dbfs, -60.0, 0.0)?;
        setting_within("limiter look-ahead (s)", lookahead_s, 0.0, 0.1)?;
        setting_within("limiter release (s)", release_s, 0.001, 10.0)?;
        // At most 0.1 s × 768 kHz, so the limit never acts.
        let window = ((lookahead_s * sample_rate_hz).round() as usize + 1).min(MAX_WINDOW);
        Ok(Self {
            ceiling: round_down(10f64.powf(ceiling_dbfs / 20.0)),
            channels,
            release: -(-1.0 / (release_s * sample_rate_hz)).exp_m1(),
            delay: vec![0.0; window * channels],
            write: 0,
            held: SlidingMin::new(window, 1.0),
            released: 1.0,
            smoother: Smoother::new(window),
            min_gain: 1.0,
            clamps: 0,
        })
    }

    /// Limits one block of interleaved frames in place, with a delay of L frames. The result does
    /// not depend on block sizes. An incomplete frame at the end is set to zero. NaN counts as 0,
    /// infinity as the largest finite value.
    pub fn process(&mut self, frames: &mut [f32]) {
        let mut frames = frames.chunks_exact_mut(self.channels);
        for frame in &mut frames {
            self.process_frame(frame);
        }
        frames.into_remainder().fill(0.0);
    }

    fn process_frame(&mut self, frame: &mut [f32]) {
        let entering = &mut self.delay[self.write..self.write + self.channels];
        let mut peak = 0f32;
        for (slot, &x) in entering.iter_mut().zip(frame.iter()) {
            *slot = finite(x);
            peak = peak.max(slot.abs());
        }
        self.write += self.channels;
        if self.write == self.delay.len() {
            self.write = 0;
        }

        let s = self.gain_after(peak);
        self.min_gain = self.min_gain.min(s);

        let leaving = &self.delay[self.write..self.write + self.channels];
        for (y, &x) in frame.iter_mut().zip(leaving) {
            *y = x;
            if s < 1.0 {
                *y = flush_tiny((f64::from(x) * s) as f32);
            }
            if y.abs() > self.ceiling {
                *y = y.clamp(-self.ceiling, self.ceiling);
                self.clamps += 1;
            }
        }
    }

    /// Returns s[n] for an incoming frame whose largest magnitude is `peak`.
    fn gain_after(&mut self, peak: f32) -> f64 {
        let g = if peak > self.ceiling { f64::from(self.ceiling) / f64::from(peak) } else { 1.0 };
        let m = self.held.push(g);
        let risen = self.released + (m - self.released) * self.release;
        self.released = if m < self.released || risen > m * ARRIVED { m } else { risen };
        self.smoother.push(self.released)
    }

    /// Returns the latency L in frames. Append this many frames of silence to a rendering to get
    /// its end.
    pub fn latency_frames(&self) -> usize {
        self.delay.len() / self.channels - 1
    }

    /// Returns c, linear: no output sample has a larger magnitude.
    pub fn ceiling(&self) -> f32 {
        self.ceiling
    }

    /// Returns the smallest gain since the last call; 1 if nothing was limited.
    pub fn take_min_gain(&mut self) -> f64 {
        std::mem::replace(&mut self.min_gain, 1.0)
    }

    /// Returns the samples caught by the final clamp since construction; 0 unless there is a bug.
    pub fn clamps(&self) -> u64 {
        self.clamps
    }

    /// Clears the delay line and sets the gain to 1; the counters stay.
    pub fn reset(&mut self) {
        self.delay.fill(0.0);
        self.write = 0;
        self.held.reset();
        self.released = 1.0;
        self.smoother.reset();
    }
}

/// Returns the largest single-precision number that is not above `x`.
fn round_down(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) > x { nearest.next_down() } else { nearest }
}

/// Maps NaN to 0 and infinities to the largest finite value.
fn finite(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(-f32::MAX, f32::MAX) }
}

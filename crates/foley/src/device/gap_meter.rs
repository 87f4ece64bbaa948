//! Real-time: measures gaps by the time that the device has played nothing of the source.
//!
//! Not every sound system reports an underrun, so gaps are measured by the device's own time. A device asks for
//! as many frames as it has played. Let the *lag* of a call be its time minus the duration of all frames handed
//! over before it. While the sound goes on, the smallest lag of some calls is constant: calls come late,
//! never early, and the device's buffer makes up for it. Time in which the device played nothing of the source
//! raises the lag for good. A gap is such a rise, and its length is the rise.

use std::time::{Duration, Instant};

/// Calls whose smallest lag counts: enough that one of them is on time on a busy machine.
const WINDOW: usize = 12;

/// Calls after the start of a stream that do not count: the first ones fill its buffer.
const SETTLING: usize = 2;

/// Shortest gap, s. Less is the jitter of a server's clock; at 3 ms a gap is just audible in steady sound.
pub(super) const SHORTEST_GAP_S: f64 = 0.003;

/// Share of a small deviation by which the smallest lag follows: the clocks of device and computer
/// differ by up to 1e-4.
const FOLLOW: f64 = 0.02;

/// Lags of a stream, and what is known of the gap that may be under way.
pub(super) struct GapMeter {
    began: Instant,
    frame_s: f64,
    /// Frames handed over.
    frames: u64,
    /// Lags of the last calls, a ring.
    lags: [f64; WINDOW],
    /// Calls since the start of the stream, without those that settle it.
    calls: usize,
    settling: usize,
    /// Lag without a gap; `None` until the first window is complete.
    steady_s: Option<f64>,
    /// Largest lag above the steady one since the last gap, s.
    latest_s: f64,
    /// Frames of the first call, which fills the buffer.
    buffer_frames: usize,
    /// Of the last call.
    call_frames: usize,
    /// Sound that was handed over and lost with a closed stream, s.
    discarded_s: f64,
    /// Frames that the source has not delivered in time, one after the other.
    missing: u64,
}

impl GapMeter {
    pub(super) fn new(sample_rate_hz: u32) -> Self {
        Self {
            began: Instant::now(),
            frame_s: 1.0 / f64::from(sample_rate_hz.max(1)),
            frames: 0,
            lags: [0.0; WINDOW],
            calls: 0,
            settling: SETTLING,
            steady_s: None,
            latest_s: 0.0,
            buffer_frames: 0,
            call_frames: 0,
            discarded_s: 0.0,
            missing: 0,
        }
    }

    /// Records that the device asks for `frames` frames; returns the length of the gap that is found to have
    /// ended a few calls ago, if one has.
    pub(super) fn call(&mut self, now: Instant, frames: usize) -> Option<Duration> {
        let lag_s = self.seconds(now) - self.handed_over_s();
        self.frames += frames as u64;
        self.call_frames = frames;
        if self.settling > 0 {
            self.buffer_frames = self.buffer_frames.max(frames);
            self.settling -= 1;
            return None;
        }
        self.lags[self.calls % WINDOW] = lag_s;
        self.calls += 1;
        if let Some(steady_s) = self.steady_s {
            self.latest_s = self.latest_s.max(lag_s - steady_s);
        }
        if self.calls < WINDOW || self.has_late_call_inside() { None } else { self.settle(WINDOW) }
    }

    /// Returns whether a call of the window that is not its oldest is late: the few calls before it do not tell
    /// the smallest lag.
    fn has_late_call_inside(&self) -> bool {
        let Some(steady_s) = self.steady_s else { return false };
        let oldest_first = (0..WINDOW).map(|k| self.lags[(self.calls + k) % WINDOW]);
        let is_late = |lag_s: f64| lag_s - steady_s > 0.5 * self.slack_s();
        oldest_first.into_iter().position(is_late).is_some_and(|first| first > 0)
    }

    /// Returns whether the device's buffer was empty before the last call.
    pub(super) fn has_run_empty(&self) -> bool {
        let newest = self.calls.checked_sub(1).map(|last| self.lags[last % WINDOW]);
        let late_s = newest.zip(self.steady_s).map(|(lag_s, steady_s)| lag_s - steady_s);
        late_s.is_some_and(|late_s| late_s > self.slack_s())
    }

    /// Records that the source had `missing` of `frames` frames not ready in time; returns the length of
    /// the gap that has ended by this.
    pub(super) fn delivered(&mut self, frames: usize, missing: usize) -> Option<Duration> {
        let ended = if missing < frames { std::mem::take(&mut self.missing) } else { 0 };
        self.missing += missing as u64;
        self.gap(ended as f64 * self.frame_s)
    }

    /// The stream was closed at that time; another one follows. Returns a gap that was not measured to
    /// its end yet.
    pub(super) fn reopen(&mut self, closed: Instant) -> Option<Duration> {
        let gap = self.finish();
        self.discarded_s += (self.empty_s() - self.seconds(closed)).max(0.0);
        (self.calls, self.settling, self.buffer_frames) = (0, SETTLING, 0);
        gap
    }

    /// Measures with the calls that there are, before a stream ends.
    pub(super) fn finish(&mut self) -> Option<Duration> {
        let calls = self.calls.min(WINDOW);
        // The last calls alone: those before a gap have smaller lags.
        let is_late = self.discarded_s > 0.0 || self.latest_s > self.slack_s();
        let calls = if self.steady_s.is_some() && is_late { calls.min(2) } else { calls };
        if calls > 0 { self.settle(calls) } else { None }
    }

    /// Returns the length of the gap that began when the buffer ran empty, or when the stream was closed,
    /// and lasts until now.
    pub(super) fn unended(&self, now: Instant) -> Option<Duration> {
        let silent_s = self.seconds(now) - self.empty_s() + self.discarded_s;
        if self.frames > 0 { self.gap(silent_s) } else { None }
    }

    /// Compares the smallest lag of the last calls with the steady one.
    fn settle(&mut self, calls: usize) -> Option<Duration> {
        let newest = (1..=calls).filter_map(|back| self.calls.checked_sub(back));
        let smallest_s = newest.map(|call| self.lags[call % WINDOW]).fold(f64::INFINITY, f64::min);
        let Some(steady_s) = self.steady_s else {
            self.steady_s = Some(smallest_s);
            return None;
        };
        let rise_s = smallest_s - steady_s + self.discarded_s;
        // Without a call so late that the buffer was nearly empty there was no gap, but a server that asks
        // at other times than before.
        let is_late = self.discarded_s > 0.0 || self.latest_s > 0.5 * self.slack_s();
        if rise_s >= SHORTEST_GAP_S && is_late {
            (self.steady_s, self.latest_s, self.discarded_s) = (Some(smallest_s), 0.0, 0.0);
            return self.gap(rise_s);
        }
        let share = if smallest_s < steady_s { 1.0 } else { FOLLOW };
        self.steady_s = Some(steady_s + share * (smallest_s - steady_s));
        if self.discarded_s > 0.0 {
            (self.discarded_s, self.steady_s) = (0.0, Some(smallest_s));
        }
        if smallest_s - steady_s < 0.5 * SHORTEST_GAP_S {
            self.latest_s = 0.0;
        }
        None
    }

    fn gap(&self, seconds: f64) -> Option<Duration> {
        (seconds >= SHORTEST_GAP_S).then(|| Duration::from_secs_f64(seconds))
    }

    fn seconds(&self, at: Instant) -> f64 {
        at.saturating_duration_since(self.began).as_secs_f64()
    }

    fn handed_over_s(&self) -> f64 {
        self.frames as f64 * self.frame_s
    }

    /// What the device holds when it asks for more, s.
    fn slack_s(&self) -> f64 {
        self.buffer_frames.saturating_sub(self.call_frames.min(self.buffer_frames / 2)) as f64
            * self.frame_s
    }

    /// When the device has played everything, s.
    fn empty_s(&self) -> f64 {
        let steady_s = self.steady_s.unwrap_or_else(|| self.seconds(self.began));
        steady_s + self.handed_over_s() + self.slack_s()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_geometry::rng::SplitMix64;

    const RATE_HZ: u32 = 48_000;
    const BLOCK: usize = 480;

    /// A device with a buffer of two blocks that asks for one when it has played one, and whose calls come up
    /// to 5 ms late.
    struct Device {
        meter: GapMeter,
        began: Instant,
        /// When its buffer runs empty.
        empty_s: f64,
        late: SplitMix64,
        gaps_s: Vec<f64>,
        is_new: bool,
    }

    impl Device {
        fn new() -> Self {
            let meter = GapMeter::new(RATE_HZ);
            let began = meter.began;
            let late = SplitMix64::new(3);
            Self { meter, began, empty_s: 0.1, late, gaps_s: Vec::new(), is_new: true }
        }

        /// Makes one call, `delay_s` later than it would be.
        fn call(&mut self, delay_s: f64) {
            let jitter_s = 0.005 * self.late.unit();
            let frames = if std::mem::take(&mut self.is_new) { 2 * BLOCK } else { BLOCK };
            let ask_s = self.empty_s - 0.01 + jitter_s + delay_s;
            let at_s = if frames > BLOCK { self.empty_s } else { ask_s };
            let at = self.began + Duration::from_secs_f64(at_s);
            self.empty_s = self.empty_s.max(at_s) + frames as f64 / f64::from(RATE_HZ);
            self.gaps_s.extend(self.meter.call(at, frames).map(|gap| gap.as_secs_f64()));
        }

        fn calls(&mut self, calls: usize) {
            (0..calls).for_each(|_| self.call(0.0));
        }
    }

    fn assert_gaps(found_s: &[f64], expected_s: &[f64]) {
        assert_eq!(found_s.len(), expected_s.len(), "{found_s:?}, expected {expected_s:?}");
        for (found_s, expected_s) in found_s.iter().zip(expected_s) {
            assert!((found_s - expected_s).abs() < 0.005, "{found_s}, expected {expected_s}");
        }
    }

    #[test]
    fn jitter_is_no_gap() {
        let mut device = Device::new();
        device.calls(10_000);
        assert_gaps(&device.gaps_s, &[]);
        // Late, but not so late that the buffer runs empty.
        device.call(0.004);
        device.calls(100);
        assert_gaps(&device.gaps_s, &[]);
    }

    #[test]
    fn gaps_have_the_length_by_which_the_device_falls_behind() {
        let mut device = Device::new();
        device.calls(100);
        for delay_s in [0.05, 0.02, 1.0, 6.0] {
            // The buffer holds 10 ms.
            device.call(0.01 + delay_s);
            device.calls(40);
        }
        assert_gaps(&device.gaps_s, &[0.05, 0.02, 1.0, 6.0]);
    }

    #[test]
    fn clocks_that_differ_make_no_gap() {
        for ppm in [-300.0, 300.0] {
            let mut device = Device::new();
            for _ in 0..20_000 {
                device.empty_s += ppm * 1e-6 * 0.01;
                device.call(0.0);
            }
            assert_gaps(&device.gaps_s, &[]);
        }
    }

    #[test]
    fn a_gap_between_two_streams_includes_what_was_lost_with_the_first() {
        let mut device = Device::new();
        device.calls(100);
        // Closed with 10 ms in its buffer, opened again 0.3 s later.
        let closed_s = device.empty_s - 0.01;
        let closed = device.began + Duration::from_secs_f64(closed_s);
        device.gaps_s.extend(device.meter.reopen(closed).map(|gap| gap.as_secs_f64()));
        (device.empty_s, device.is_new) = (closed_s + 0.3, true);
        device.calls(40);
        assert_gaps(&device.gaps_s, &[0.3]);
        // Broken off again at once, and for good.
        let now = device.began + Duration::from_secs_f64(device.empty_s + 2.0);
        let unended = device.meter.unended(now).map(|gap| gap.as_secs_f64());
        assert_gaps(unended.as_slice(), &[2.0]);
    }

    #[test]
    fn frames_that_the_source_has_not_ready_are_a_gap() {
        let mut meter = GapMeter::new(RATE_HZ);
        assert_eq!(meter.delivered(480, 0), None);
        assert_eq!(meter.delivered(480, 240), None);
        assert_eq!(meter.delivered(480, 480), None);
        assert_eq!(meter.delivered(480, 0), Some(Duration::from_millis(15)));
        assert_eq!(meter.delivered(480, 0), None);
    }
}

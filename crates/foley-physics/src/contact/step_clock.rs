//! Clock of a simulation that advances by steps.

/// Time as a number of equal steps, so that rounding errors do not add up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepClock {
    /// Time before the first of the steps of the present length.
    origin_s: f64,
    steps: u64,
    step_s: f64,
}

impl StepClock {
    /// Advances by a step. Returns whether it had a length.
    pub(crate) fn advance(&mut self, step_s: f64) -> bool {
        if !(step_s > 0.0 && step_s.is_finite()) {
            return false;
        }
        if step_s != self.step_s {
            *self = Self { origin_s: self.now_s(), steps: 0, step_s };
        }
        self.steps += 1;
        true
    }

    /// Sets the present time. A time that is not finite is ignored.
    pub(crate) fn set(&mut self, now_s: f64) {
        if now_s.is_finite() {
            *self = Self { origin_s: now_s, ..Self::default() };
        }
    }

    /// Returns the time at the beginning of the last step.
    pub(crate) fn begin_s(&self) -> f64 {
        self.origin_s + self.steps.saturating_sub(1) as f64 * self.step_s
    }

    /// Returns the time at the end of the last step.
    pub(crate) fn now_s(&self) -> f64 {
        self.origin_s + self.steps as f64 * self.step_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_steps_end_at_their_product() {
        let mut clock = StepClock::default();
        for _ in 0..1_000_000 {
            assert!(clock.advance(0.1));
        }
        assert_eq!(clock.now_s(), 1e5);
        assert!(clock.advance(0.5));
        assert_eq!([clock.begin_s(), clock.now_s()], [1e5, 1e5 + 0.5]);
        assert!(!clock.advance(0.0) && !clock.advance(f64::NAN));
        assert_eq!(clock.now_s(), 1e5 + 0.5);
        clock.set(f64::NAN);
        assert_eq!(clock.now_s(), 1e5 + 0.5);
    }
}

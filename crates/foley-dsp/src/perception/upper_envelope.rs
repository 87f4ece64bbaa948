//! Upper envelope of the upper sides of masking curves, swept over rising Bark.
//!
//! The upper side of each curve is a falling line that begins at its masker. During the sweep the
//! highest line is replaced either by a flatter one below it or by a new one that begins above it.
//! So a stack is enough: the highest line on top, its successors below, ever flatter, each with the
//! crossing at which the next takes over. Every line is pushed and popped once.

use super::Curve;

/// A line and the crossing at which the next one in the stack takes over, Bark.
#[derive(Debug, Clone, Copy)]
struct Segment {
    line: Curve,
    until: f64,
}

/// The lines of the envelope from the present position on.
///
/// Real-time after [`with_capacity`](Self::with_capacity), up to that many lines.
#[derive(Debug, Clone)]
pub(super) struct UpperEnvelope {
    segments: Vec<Segment>,
    /// Number of pushes, pops and heights computed.
    #[cfg(test)]
    pub(super) steps: usize,
}

impl UpperEnvelope {
    /// Allocates room for `capacity` lines.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            segments: Vec::with_capacity(capacity),
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Removes all lines.
    pub(super) fn clear(&mut self) {
        self.segments.clear();
    }

    /// Returns the height at `bark`, −∞ without lines. `bark` must not decrease between calls.
    pub(super) fn advance_to(&mut self, bark: f64) -> f64 {
        while self.segments.pop_if(|segment| segment.until <= bark).is_some() {
            self.count();
        }
        self.count();
        self.segments.last().map_or(f64::NEG_INFINITY, |segment| segment.line.spread_db(bark))
    }

    /// Adds a line that begins at the present position, above all others.
    ///
    /// Crossings are computed to 2⁻⁴⁶ Bark. That never changes a result: slopes differ by less than
    /// 2²¹ steps of 2⁻¹⁶, so a crossing is either at a multiple of 2⁻¹⁶ Bark, where both lines are
    /// equal, or at least 2⁻³⁷ Bark away from one.
    pub(super) fn push(&mut self, line: Curve) {
        let mut until = f64::INFINITY;
        while let Some(&old) = self.segments.last() {
            self.count();
            let gap = line.peak_db() - old.line.spread_db(line.bark());
            let closing = line.upper_slope() - old.line.upper_slope();
            // A line that is not flatter never rises above the new one again ...
            until = if closing > 0.0 { line.bark() + gap / closing } else { f64::INFINITY };
            if until < old.until {
                break;
            }
            // ... and one that would do so only after its successor is not needed.
            until = f64::INFINITY;
            self.segments.pop();
        }
        self.count();
        self.segments.push(Segment { line, until });
    }

    fn count(&mut self) {
        #[cfg(test)]
        {
            self.steps += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perception::{Masking, Tone, hz_from_bark};
    use proptest::prelude::*;

    proptest! {
        /// Small steps, and lines that begin slightly above the highest one: many are on top
        /// repeatedly.
        #[test]
        fn equals_the_highest_of_all_lines(
            steps in prop::collection::vec((0.0..0.04f64, -1.0..0.3f64), 0..1000),
            first_db in 30.0..130.0f64,
        ) {
            let masking = Masking::default();
            let mut envelope = UpperEnvelope::with_capacity(steps.len());
            let mut lines = vec![masking.curve(&Tone::new(100.0, first_db))];
            envelope.push(lines[0]);
            let mut bark = lines[0].bark();
            for (step, above) in steps {
                bark = (bark + step).min(25.0);
                let place = Tone::new(hz_from_bark(bark), 0.0).bark();
                let height = envelope.advance_to(place);
                let naive = lines.iter().map(|line| line.spread_db(place));
                prop_assert_eq!(height, naive.fold(f64::NEG_INFINITY, f64::max));
                let level_db = height + masking.a_v_db() + above;
                let line = masking.curve(&Tone::new(hz_from_bark(bark), level_db));
                if line.peak_db() > height {
                    envelope.push(line);
                }
                lines.push(line);
            }
        }
    }
}

//! The highest of many falling lines, as one walks up the Bark scale.
//!
//! Each masker's upper side is a line that begins at the masker. Walking up, a line that
//! rules can only give way to a flatter one beneath it, or to a new one that begins above
//! it. So a stack is enough: the ruler on top, then who rules after it, ever flatter; each
//! knows where the next takes over. Every line is pushed and popped once.

use super::Curve;

/// A line and where the one under it in the stack takes over, Bark.
#[derive(Debug, Clone, Copy)]
struct Segment {
    line: Curve,
    until: f64,
}

/// The lines that rule from here on.
///
/// Real-time after [`with_capacity`](Self::with_capacity), for as many lines as that.
#[derive(Debug, Clone)]
pub(super) struct UpperEnvelope {
    segments: Vec<Segment>,
    /// Pushes, pops and heights computed.
    #[cfg(test)]
    pub(super) steps: usize,
}

impl UpperEnvelope {
    /// Room for `capacity` lines.
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            segments: Vec::with_capacity(capacity),
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Back to no lines.
    pub(super) fn clear(&mut self) {
        self.segments.clear();
    }

    /// The height at `bark`; asked only with rising `bark`. −∞ without lines.
    pub(super) fn advance_to(&mut self, bark: f64) -> f64 {
        while self.segments.pop_if(|segment| segment.until <= bark).is_some() {
            self.count();
        }
        self.count();
        self.segments.last().map_or(f64::NEG_INFINITY, |segment| segment.line.spread_db(bark))
    }

    /// Adds a line that begins where the walk is, above all others.
    ///
    /// A place where lines cross is computed to 2⁻⁴⁶ Bark. On the grid that errs nowhere:
    /// slopes differ by less than 2²¹ steps, so a crossing is either at a point of the
    /// grid, where both lines are equally high, or at least 2⁻³⁷ Bark away from it.
    pub(super) fn push(&mut self, line: Curve) {
        let mut until = f64::INFINITY;
        while let Some(&old) = self.segments.last() {
            self.count();
            let gap = line.peak_db() - old.line.spread_db(line.bark());
            let closing = line.upper_slope() - old.line.upper_slope();
            // Whoever falls no slower never comes back ...
            until = if closing > 0.0 { line.bark() + gap / closing } else { f64::INFINITY };
            if until < old.until {
                break;
            }
            // ... and whoever would come back only after its successor is not needed.
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
        /// Small steps, and lines that begin a little above the highest one: many rule
        /// for a while and come back.
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

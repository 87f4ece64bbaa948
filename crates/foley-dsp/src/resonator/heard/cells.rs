//! Cells of frequency: narrower than half a critical band, and narrow enough for the block.
//!
//! Modes of one cell keep step with each other for as long as a block lasts: their phases
//! drift apart by a quarter turn at most. They can sing as one partial.

/// Width of a cell in units of f_s/B: modes at its edges turn a quarter against its middle.
const TURN: f64 = 0.5;
/// Width of a cell in critical bands (ERB): what an artefact of a partial touches is masked
/// by the partial itself.
const CRITICAL: f64 = 0.5;
/// From here on one last cell holds everything.
const TOP_HZ: f64 = 22_000.0;

/// Equivalent rectangular bandwidth of the ear's filter (Glasberg & Moore 1990), Hz.
fn erb_hz(f: f64) -> f64 {
    24.7 * (1.0 + 4.37e-3 * f)
}

/// The cells of a sample rate and a block length.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    edges_hz: Vec<f64>,
}

impl Cells {
    pub(crate) fn new(sample_rate_hz: f64, block: usize) -> Self {
        let top = TOP_HZ.min(sample_rate_hz / 2.0);
        let mut edges_hz = vec![0.0];
        let mut f = 0.0;
        while f < top {
            f += (TURN * sample_rate_hz / block as f64).min(CRITICAL * erb_hz(f));
            edges_hz.push(f);
        }
        edges_hz.push(sample_rate_hz / 2.0);
        Self { edges_hz }
    }

    /// How many there are. One more is there for lanes without a mode.
    pub(crate) fn len(&self) -> usize {
        self.edges_hz.len() - 1
    }

    /// The cell of a frequency below half the sample rate.
    pub(crate) fn of(&self, f_hz: f64) -> usize {
        self.edges_hz.partition_point(|e| *e <= f_hz).clamp(1, self.len()) - 1
    }

    /// The middle of a cell, Hz.
    pub(crate) fn centre_hz(&self, cell: usize) -> f64 {
        0.5 * (self.edges_hz[cell] + self.edges_hz[cell + 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_narrow_for_the_ear_and_for_the_block() {
        for block in [32, 128, 256, 512, 1024] {
            let cells = Cells::new(48_000.0, block);
            for c in 0..cells.len() - 1 {
                let (low, high) = (cells.edges_hz[c], cells.edges_hz[c + 1]);
                assert!(high > low && high - low <= 0.5001 * erb_hz(low));
                let turned = (high - low) / 2.0 * block as f64 / 48_000.0;
                assert!(turned <= 0.2501, "{turned} turns");
                assert_eq!(cells.of(cells.centre_hz(c)), c);
            }
            assert_eq!(cells.of(0.0), 0);
            assert_eq!(cells.of(23_999.0), cells.len() - 1);
        }
        assert!((100..200).contains(&Cells::new(48_000.0, 128).len()));
    }
}

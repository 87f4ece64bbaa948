//! Frequency bands: at most half a critical band wide, and narrow enough for the block length.
//!
//! The modes of one band stay in phase with its centre for a block, to half a cycle at low
//! frequencies, and at high ones as well as an ear can tell. They can be rendered as one partial.

pub(super) mod band_accumulators;
pub(super) mod band_carriers;
pub(super) mod spreading;

/// Width of the lowest bands in units of f_s/B: modes at the edges drift by half a cycle from the
/// centre.
const MAX_CYCLES: f64 = 1.0;
/// Bands widen with frequency, by their own width for each of these. So do critical bands, and a
/// dense high band is heard as a band of noise.
const WIDENING_HZ: f64 = 8_000.0;
/// Largest width of a band in critical bands (ERB): artefacts of a partial are masked by the
/// partial itself.
const MAX_WIDTH_ERB: f64 = 0.5;
/// One last band holds all frequencies above this.
const TOP_HZ: f64 = 22_000.0;

/// Equivalent rectangular bandwidth of the ear's filter (Glasberg & Moore 1990), Hz.
fn erb_hz(f: f64) -> f64 {
    24.7 * (1.0 + 4.37e-3 * f)
}

/// Returns the largest width at which the modes of a band stay in phase during a block, Hz.
fn widest_hz(f: f64, sample_rate_hz: f64, block: usize) -> f64 {
    MAX_CYCLES * (1.0 + f / WIDENING_HZ) * sample_rate_hz / block as f64
}

/// The bands for one sample rate and block length.
#[derive(Debug, Clone)]
pub(crate) struct Bands {
    edges_hz: Vec<f64>,
}

impl Bands {
    pub(crate) fn new(sample_rate_hz: f64, block: usize, detail: f64) -> Self {
        let top = TOP_HZ.min(sample_rate_hz / 2.0);
        let mut edges_hz = vec![0.0];
        let mut f = 0.0;
        while f < top {
            f += (widest_hz(f, sample_rate_hz, block) / detail).min(MAX_WIDTH_ERB * erb_hz(f));
            edges_hz.push(f);
        }
        edges_hz.push(sample_rate_hz / 2.0);
        Self { edges_hz }
    }

    /// Returns the number of bands. One more is used for lanes without a mode.
    pub(crate) fn len(&self) -> usize {
        self.edges_hz.len() - 1
    }

    /// Returns the band of a frequency below half the sample rate.
    pub(crate) fn of(&self, f_hz: f64) -> usize {
        self.edges_hz.partition_point(|e| *e <= f_hz).clamp(1, self.len()) - 1
    }

    /// Returns the centre frequency of a band, Hz.
    pub(crate) fn centre_hz(&self, band: usize) -> f64 {
        0.5 * (self.edges_hz[band] + self.edges_hz[band + 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_narrow_for_the_ear_and_for_the_block() {
        for block in [32, 128, 256, 512, 1024] {
            let bands = Bands::new(48_000.0, block, 1.0);
            for c in 0..bands.len() - 1 {
                let (low, high) = (bands.edges_hz[c], bands.edges_hz[c + 1]);
                assert!(high > low && high - low <= 0.5001 * erb_hz(low));
                let cycles = (high - low) / 2.0 * block as f64 / 48_000.0;
                assert!(cycles <= 0.5001 * (1.0 + low / 8000.0), "{cycles} rotation");
                assert_eq!(bands.of(bands.centre_hz(c)), c);
            }
            assert_eq!(bands.of(0.0), 0);
            assert_eq!(bands.of(23_999.0), bands.len() - 1);
        }
        assert!((80..90).contains(&Bands::new(48_000.0, 128, 1.0).len()));
    }
}

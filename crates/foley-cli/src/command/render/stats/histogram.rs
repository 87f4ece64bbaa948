//! How many impulses of which size: four bars to a decade.

use serde::Serialize;

/// Bars to a decade, and decades below the hardest; what is softer is in the first bar.
const BARS: usize = 4;
const DECADES: usize = 8;

/// Counts between edges that grow by the same factor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Histogram {
    /// One more than there are counts, N s.
    pub(super) edges_ns: Vec<f64>,
    pub(super) counts: Vec<u64>,
}

impl Histogram {
    /// Of impulses; empty when there are none.
    pub(super) fn new(impulses_ns: impl Iterator<Item = f64>) -> Self {
        let bar = |impulse: f64| (impulse.log10() * BARS as f64).floor() as i64;
        let usable = |impulse: &f64| *impulse > 0.0 && impulse.is_finite();
        let bars: Vec<i64> = impulses_ns.filter(usable).map(bar).collect();
        let (Some(low), Some(high)) = (bars.iter().min(), bars.iter().max()) else {
            return Self { edges_ns: Vec::new(), counts: Vec::new() };
        };
        let low = *low.max(&(high - (BARS * DECADES) as i64 + 1));
        let mut counts = vec![0; (high - low) as usize + 1];
        bars.iter().for_each(|bar| counts[(bar - low).max(0) as usize] += 1);
        let edge = |bar: i64| 10f64.powf(bar as f64 / BARS as f64);
        Self { edges_ns: (low..=high + 1).map(edge).collect(), counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_impulse_is_between_its_edges() {
        let impulses = [1e-3, 2e-3, 2.1e-3, 0.5, 1.0];
        let Histogram { edges_ns, counts } = Histogram::new(impulses.into_iter());
        assert_eq!(edges_ns.len(), counts.len() + 1);
        for (k, count) in counts.iter().enumerate() {
            let inside = |x: &&f64| **x >= edges_ns[k] * 0.999_999 && **x < edges_ns[k + 1];
            assert_eq!(impulses.iter().filter(inside).count() as u64, *count, "{k}");
        }
        assert_eq!(counts.iter().sum::<u64>(), 5);
    }

    #[test]
    fn nothing_and_nonsense_are_bounded() {
        assert!(Histogram::new([0.0, f64::NAN, f64::INFINITY].into_iter()).counts.is_empty());
        let wide = Histogram::new([1e-300, 1e3].into_iter());
        assert_eq!((wide.counts.len(), wide.counts.iter().sum::<u64>()), (BARS * DECADES, 2));
    }
}

//! Loss factor as a function of frequency: a few points, straight lines between them on logarithmic
//! axes, constant beyond the first and the last.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// η(f) by a few points (f in Hz, η).
///
/// ```
/// use foley_modal::material::LossTable;
/// let rubber = LossTable::new(&[[10.0, 0.1], [1000.0, 0.2]])?;
/// assert_eq!(rubber.at(1.0), 0.1);
/// assert!((rubber.at(100.0) - 0.1 * 2f64.sqrt()).abs() < 1e-12);
/// assert!(LossTable::new(&[[1000.0, 0.2], [10.0, 0.1]]).is_err());
/// # Ok::<(), foley_modal::material::LossTableError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<[f64; 2]>", into = "Vec<[f64; 2]>")]
pub struct LossTable {
    /// The first `count` are in use; the others are zero.
    points: [[f64; 2]; LossTable::MAX_POINTS],
    count: usize,
}

/// Why points make no [`LossTable`].
#[derive(Debug, Error, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages explain the fields")]
pub enum LossTableError {
    /// None, or too many.
    #[error("it has {found} points; it must have from 1 to {limit}")]
    Count { found: usize, limit: usize },
    /// A frequency out of range.
    #[error("a frequency is {hz}; it must be from 0.001 to 1e6 Hz")]
    Frequency { hz: f64 },
    /// A loss factor out of range.
    #[error("the loss factor at {hz} Hz is {value}; it must be from 1e-9 to 1000")]
    Value { hz: f64, value: f64 },
    /// Frequencies out of order.
    #[error("frequencies must increase from pair to pair; {next} Hz follows {hz} Hz")]
    Order { hz: f64, next: f64 },
}

impl LossTable {
    /// Largest number of points.
    pub const MAX_POINTS: usize = 8;

    /// Makes and checks a table.
    pub fn new(points: &[[f64; 2]]) -> Result<Self, LossTableError> {
        let (found, limit) = (points.len(), Self::MAX_POINTS);
        if !(1..=limit).contains(&found) {
            return Err(LossTableError::Count { found, limit });
        }
        for &[hz, value] in points {
            if !(1e-3..=1e6).contains(&hz) {
                return Err(LossTableError::Frequency { hz });
            }
            // Positive: its logarithm is interpolated.
            if !(1e-9..=1e3).contains(&value) {
                return Err(LossTableError::Value { hz, value });
            }
        }
        if let Some(pair) = points.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
            return Err(LossTableError::Order { hz: pair[0][0], next: pair[1][0] });
        }
        Ok(Self::of(points))
    }

    /// Makes a table of points that are known to be valid.
    pub(super) const fn of(points: &[[f64; 2]]) -> Self {
        let mut table = Self { points: [[0.0; 2]; Self::MAX_POINTS], count: points.len() };
        let mut i = 0;
        while i < points.len() {
            table.points[i] = points[i];
            i += 1;
        }
        table
    }

    /// Returns the points, in order of frequency.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points[..self.count]
    }

    /// Returns η at a frequency in Hz.
    pub fn at(&self, frequency_hz: f64) -> f64 {
        let points = self.points();
        let next = points.partition_point(|[hz, _]| *hz <= frequency_hz);
        match (next.checked_sub(1).map(|i| points[i]), points.get(next)) {
            (Some([f0, a]), Some([f1, b])) => {
                let part = (frequency_hz / f0).ln() / (f1 / f0).ln();
                a * (b / a).powf(part)
            }
            (Some([_, last]), None) => last,
            (None, first) => first.map_or(0.0, |[_, value]| *value),
        }
    }

    /// Returns the smallest η.
    pub(super) fn least(&self) -> f64 {
        self.points().iter().fold(f64::INFINITY, |least, [_, value]| least.min(*value))
    }
}

impl TryFrom<Vec<[f64; 2]>> for LossTable {
    type Error = LossTableError;

    fn try_from(points: Vec<[f64; 2]>) -> Result<Self, LossTableError> {
        Self::new(&points)
    }
}

impl From<LossTable> for Vec<[f64; 2]> {
    fn from(table: LossTable) -> Self {
        table.points().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_passes_through_its_points_and_is_a_power_law_between_them() {
        let points = [[20.0, 0.02], [200.0, 0.005], [5000.0, 0.01]];
        let table = LossTable::new(&points).unwrap();
        for [hz, value] in points {
            assert!((table.at(hz) / value - 1.0).abs() < 1e-12);
        }
        assert_eq!([table.at(0.0), table.at(1e9)], [0.02, 0.01]);
        assert!((table.at(4000f64.sqrt()) / 1e-4f64.sqrt() - 1.0).abs() < 1e-12);
        assert_eq!(table.least(), 0.005);
    }

    #[test]
    fn impossible_tables_are_named() {
        let problem = |points: &[[f64; 2]]| LossTable::new(points).unwrap_err().to_string();
        assert!(problem(&[]).contains("0 points"));
        assert!(problem(&[[1.0, 1.0]; 9]).contains("9 points"));
        assert!(problem(&[[f64::NAN, 0.1]]).contains("a frequency is NaN"));
        assert!(problem(&[[100.0, 0.0]]).contains("at 100 Hz is 0"));
        assert!(problem(&[[100.0, f64::INFINITY]]).contains("is inf"));
        assert!(problem(&[[100.0, 0.1], [100.0, 0.2]]).contains("100 Hz follows 100 Hz"));
    }

    #[test]
    fn json_is_a_list_of_pairs() {
        let table = LossTable::new(&[[20.0, 0.02], [200.0, 0.005]]).unwrap();
        let json = serde_json::to_string(&table).unwrap();
        assert_eq!(json, "[[20.0,0.02],[200.0,0.005]]");
        assert_eq!(serde_json::from_str::<LossTable>(&json).unwrap(), table);
        assert!(serde_json::from_str::<LossTable>("[[1,1],[1,1]]").is_err());
    }
}

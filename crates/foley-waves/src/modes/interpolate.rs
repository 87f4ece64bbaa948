//! Interpolation of far fields between two frequencies.
//!
//! The power is interpolated as log W over log f. Far fields, each at unit power, are mixed
//! after their phases are aligned, because a phase common to all directions is not heard; their
//! squares over directions are mixed as they are.

use super::report::Method;
use crate::far_field::FarField;
use num_complex::Complex64;

/// The far fields of a mode at the frequencies around its own.
#[derive(Debug, Default)]
pub(super) struct Bracket {
    fields: Vec<Entry>,
}

/// A far field at one frequency.
#[derive(Debug)]
struct Entry {
    hz: f64,
    /// The field, without degrees that are not kept.
    field: FarField,
    /// The power of all degrees.
    power_w: f64,
    /// Solved, and not approximated.
    solved: bool,
}

/// Frequencies closer than this ratio need no interpolation.
const SAME: f64 = 1.005;

impl Bracket {
    /// Adds a field, whose degrees above `max_degree` count for the power only.
    pub(super) fn add(&mut self, hz: f64, field: FarField, max_degree: usize, solved: bool) {
        let power_w = field.power_w();
        self.fields.push(Entry { hz, field: field.truncated(max_degree), power_w, solved });
    }

    /// Returns the solved power at a frequency.
    pub(super) fn solved_power_w(&self, hz: f64) -> Option<f64> {
        self.fields.iter().find(|entry| entry.solved && entry.hz == hz).map(|entry| entry.power_w)
    }

    /// Returns field and power at a frequency.
    pub(super) fn at(mut self, hz: f64) -> (FarField, f64, Method) {
        // Solved fields alone, where there are some on both sides.
        let solved = || self.fields.iter().filter(|entry| entry.solved);
        let enclosed = solved().any(|entry| entry.hz >= hz * (1.0 - 1e-9))
            && solved().any(|entry| entry.hz <= hz * (1.0 + 1e-9));
        self.fields.retain(|entry| entry.solved == enclosed);
        self.fields.sort_by(|a, b| a.hz.total_cmp(&b.hz));
        let [exact, between] = match enclosed {
            true => [Method::Solved, Method::Interpolated],
            false => [Method::HighFrequency; 2],
        };
        let above = self.fields.partition_point(|entry| entry.hz < hz);
        let outside = above == 0 || above == self.fields.len();
        let near = |entry: &Entry| entry.hz.max(hz) / entry.hz.min(hz) <= SAME;
        let single = self.fields.iter().position(near);
        match single.or(outside.then_some(above.saturating_sub(1))) {
            Some(at) if at < self.fields.len() => {
                let entry = self.fields.swap_remove(at);
                (entry.field, entry.power_w, exact)
            }
            Some(_) => (FarField::silent(), 0.0, exact),
            None => {
                let (low, high) = (&self.fields[above - 1], &self.fields[above]);
                let t = (hz / low.hz).ln() / (high.hz / low.hz).ln();
                let (field, power_w) = mixed(low, high, t, hz / low.hz * low.field.k);
                (field, power_w, between)
            }
        }
    }
}

/// Mixes with the weights 1 − t and t.
fn mixed(low: &Entry, high: &Entry, t: f64, k: f64) -> (FarField, f64) {
    let (a, b) = (low.power_w, high.power_w);
    if !(a > 0.0 && b > 0.0) {
        let nearer = if t < 0.5 { low } else { high };
        return (nearer.field.clone(), nearer.power_w);
    }
    let power_w = a.powf(1.0 - t) * b.powf(t);
    let pairs = low.field.coefficients.iter().zip(&high.field.coefficients);
    let product: Complex64 = pairs.map(|(a, b)| a.conj() * b).sum();
    let turn = match product.norm() > 0.0 {
        true => product.conj() / product.norm(),
        false => Complex64::ONE,
    };
    let count = low.field.coefficients.len().max(high.field.coefficients.len());
    let at = |field: &FarField, i: usize| field.coefficients.get(i).copied().unwrap_or_default();
    let (of_low, of_high) = ((1.0 - t) / a.sqrt(), turn * (t / b.sqrt()));
    let mix = |i: usize| at(&low.field, i) * of_low + at(&high.field, i) * of_high;
    let mut field = FarField {
        k,
        coefficients: (0..count).map(mix).collect(),
        directivity: low.field.directivity.mixed(&high.field.directivity, t),
        ..low.field.clone()
    };
    // The part of the power in the degrees that are kept.
    let kept = (1.0 - t) * low.field.power_w() / a + t * high.field.power_w() / b;
    let found = field.power_w();
    let scale = if found > 0.0 { (power_w * kept / found).sqrt() } else { 0.0 };
    field.coefficients.iter_mut().for_each(|c| *c *= scale);
    (field, power_w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Directivity;

    fn field(k: f64, values: &[f64]) -> FarField {
        let coefficients = values.iter().map(|x| Complex64::from(*x)).collect();
        let directivity = Directivity::omnidirectional();
        FarField { k, center: [0.0; 3], coefficients, half_space: false, directivity }
    }

    #[test]
    fn power_is_interpolated_logarithmically_whatever_the_phase() {
        let low = field(1.0, &[1.0, 0.0, 0.0, 0.0]);
        let high = field(4.0, &[-16.0, 0.0, 0.0, 0.0]);
        let mut bracket = Bracket::default();
        bracket.add(100.0, low.clone(), 9, true);
        bracket.add(400.0, high, 9, true);
        let (found, power_w, method) = bracket.at(200.0);
        assert!((found.power_w() / (16.0 * low.power_w()) - 1.0).abs() < 1e-12);
        assert!((power_w / found.power_w() - 1.0).abs() < 1e-12);
        assert!((found.k - 2.0).abs() < 1e-12);
        assert_eq!(method, Method::Interpolated);
    }

    #[test]
    fn dropped_degrees_keep_their_power() {
        let mut bracket = Bracket::default();
        for (hz, k) in [(100.0, 1.0), (400.0, 4.0)] {
            bracket.add(hz, field(k, &[3.0, 0.0, 4.0, 0.0]), 0, true);
        }
        let (found, power_w, _) = bracket.at(200.0);
        assert_eq!(found.coefficients.len(), 1);
        assert!((power_w / field(1.0, &[5.0]).power_w() - 1.0).abs() < 1e-12);
        assert!((found.power_w() / power_w - 9.0 / 25.0).abs() < 1e-12);
    }
}

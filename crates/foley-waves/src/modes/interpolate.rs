//! Interpolation of far fields between two frequencies.
//!
//! The power is interpolated as log W over log f. Directivities, each at unit power, are mixed
//! after their phases are aligned, because a phase common to all directions is not heard.

use super::report::Method;
use crate::far_field::FarField;
use num_complex::Complex64;

/// The far fields of a mode at the frequencies around its own.
#[derive(Debug, Default)]
pub(super) struct Bracket {
    fields: Vec<(f64, FarField, bool)>,
}

/// Frequencies closer than this ratio need no interpolation.
const SAME: f64 = 1.005;

impl Bracket {
    /// Adds a solved field.
    pub(super) fn add(&mut self, hz: f64, field: FarField) {
        self.fields.push((hz, field, true));
    }

    /// Adds a field of the high-frequency approximation.
    pub(super) fn add_approximate(&mut self, hz: f64, field: FarField) {
        self.fields.push((hz, field, false));
    }

    /// Returns the solved field at a frequency.
    pub(super) fn solved(&self, hz: f64) -> Option<&FarField> {
        self.fields.iter().find(|(f, _, solved)| *solved && *f == hz).map(|(_, field, _)| field)
    }

    /// Returns the field at a frequency.
    pub(super) fn at(mut self, hz: f64) -> (FarField, Method) {
        // Solved fields alone, where there are some around.
        let solved = self.fields.iter().filter(|(_, _, solved)| *solved);
        let around = |f: f64| f >= hz * (1.0 - 1e-9);
        let enclosed = solved.clone().any(|(f, ..)| around(*f))
            && solved.clone().any(|(f, ..)| *f <= hz * (1.0 + 1e-9));
        self.fields.retain(|(_, _, solved)| *solved == enclosed);
        self.fields.sort_by(|a, b| a.0.total_cmp(&b.0));
        let exact = if enclosed { Method::Solved } else { Method::HighFrequency };
        let between = if enclosed { Method::Interpolated } else { Method::HighFrequency };
        let above = self.fields.partition_point(|(f, ..)| *f < hz);
        let nearest = self
            .fields
            .iter()
            .position(|(f, ..)| f.max(hz) / f.min(hz) <= SAME)
            .or((above == 0 || above == self.fields.len()).then_some(above.saturating_sub(1)));
        if let Some(at) = nearest {
            return match self.fields.get(at) {
                Some((_, field, _)) => (field.clone(), exact),
                None => (silent(), exact),
            };
        }
        let ((low_hz, low, _), (high_hz, high, _)) = (&self.fields[above - 1], &self.fields[above]);
        let t = (hz / low_hz).ln() / (high_hz / low_hz).ln();
        (mixed(low, high, t, hz / low_hz * low.k), between)
    }
}

/// A field without sound, for modes that do not move.
fn silent() -> FarField {
    FarField { k: 0.0, center: [0.0; 3], coefficients: vec![Complex64::ZERO], half_space: false }
}

fn mixed(low: &FarField, high: &FarField, t: f64, k: f64) -> FarField {
    let (a, b) = (low.power_w(), high.power_w());
    if !(a > 0.0 && b > 0.0) {
        return if t < 0.5 { low.clone() } else { high.clone() };
    }
    let power = a.powf(1.0 - t) * b.powf(t);
    let product: Complex64 =
        low.coefficients.iter().zip(&high.coefficients).map(|(a, b)| a.conj() * b).sum();
    let turn = match product.norm() > 0.0 {
        true => product.conj() / product.norm(),
        false => Complex64::ONE,
    };
    let count = low.coefficients.len().max(high.coefficients.len());
    let at = |field: &FarField, i: usize| field.coefficients.get(i).copied().unwrap_or_default();
    let (of_low, of_high) = ((1.0 - t) / a.sqrt(), turn * (t / b.sqrt()));
    let coefficients = (0..count).map(|i| at(low, i) * of_low + at(high, i) * of_high).collect();
    let mut field = FarField { k, coefficients, ..low.clone() };
    let scale = (power / field.power_w()).sqrt();
    field.coefficients.iter_mut().for_each(|c| *c *= scale);
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(k: f64, values: &[f64]) -> FarField {
        let coefficients = values.iter().map(|x| Complex64::from(*x)).collect();
        FarField { k, center: [0.0; 3], coefficients, half_space: false }
    }

    #[test]
    fn power_is_interpolated_logarithmically_whatever_the_phase() {
        let low = field(1.0, &[1.0, 0.0, 0.0, 0.0]);
        let high = field(4.0, &[-16.0, 0.0, 0.0, 0.0]);
        let mut bracket = Bracket::default();
        bracket.add(100.0, low.clone());
        bracket.add(400.0, high);
        let (found, method) = bracket.at(200.0);
        assert!((found.power_w() / (16.0 * low.power_w()) - 1.0).abs() < 1e-12);
        assert!((found.k - 2.0).abs() < 1e-12);
        assert_eq!(method, Method::Interpolated);
    }
}

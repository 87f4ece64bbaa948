//! Proof that no mode was missed, and the last digits of those found.

use faer::{Mat, MatRef};

use super::factor::{Analysis, count_below};
use super::modes::Modes;
use super::pencil::Pencil;
use super::{EigenError, Options};

/// Modes closer than this relative distance count as one multiple mode.
const CLOSE: f64 = 1e-7;
/// Rounding of λ, relative to the largest λ of the problem.
const ROUNDING: f64 = 1e-13;
/// Vectors treated at a time.
const CHUNK: usize = 32;

/// What the Sturm count demands: `count` modes below `tau`.
#[derive(Default)]
pub(super) struct Must {
    known: Option<(f64, usize)>,
    found: usize,
}

impl Must {
    /// Whether the lowest λ found, ascending, leave no gap. The count is taken just below
    /// the last mode, or below the whole cluster that the last mode belongs to: copies
    /// of that last one may be cut off by the number asked for.
    pub(super) fn satisfied(
        &mut self,
        lambda: &[f64],
        pencil: &Pencil,
        analysis: &Analysis,
        options: &mut Options<'_>,
    ) -> Result<bool, EigenError> {
        let (tau, _) = end_of(lambda, pencil.top);
        let counted = match self.known {
            // Modes found later can only lower the end of the interval.
            Some((known, counted)) if known <= tau => {
                self.found = lambda.iter().filter(|l| **l < known).count();
                if self.found < counted {
                    return Ok(false);
                }
                count_below(analysis, pencil, tau, options)?
            }
            _ => count_below(analysis, pencil, tau, options)?,
        };
        self.known = Some((tau, counted));
        self.found = lambda.iter().filter(|l| **l < tau).count();
        Ok(self.found >= counted)
    }

    pub(super) fn missed(&self) -> Option<EigenError> {
        let (_, counted) = self.known?;
        (self.found < counted).then_some(EigenError::Missed { counted, found: self.found })
    }
}

/// A place just below the last cluster of ascending λ, and how many lie below it.
fn end_of(lambda: &[f64], top: f64) -> (f64, usize) {
    let distance = |l: f64| (CLOSE * l.abs()).max(ROUNDING * top);
    let mut first = lambda.len() - 1;
    while first > 0 && lambda[first] - lambda[first - 1] < 2.0 * distance(lambda[first]) {
        first -= 1;
    }
    (lambda[first] - distance(lambda[first]), first)
}

/// Rayleigh quotients and residuals of converged vectors, back in the problem's units and
/// order. σ is the shift they were found with.
pub(super) fn refined(
    pencil: &Pencil,
    mut vectors: Mat<f64>,
    sigma: f64,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let (n, count) = (vectors.nrows(), vectors.ncols());
    let mut lambda = Vec::with_capacity(count);
    let mut residuals = Vec::with_capacity(count);
    let mut is_zero = Vec::with_capacity(count);
    for first in (0..count).step_by(CHUNK) {
        let width = CHUNK.min(count - first);
        let u = vectors.subcols(first, width);
        let [mut ku, mut mu, mut noise] = [0; 3].map(|_| Mat::<f64>::zeros(n, width));
        pencil.stiffness.times(u, ku.as_mut());
        pencil.mass.times(u, mu.as_mut());
        pencil.stiffness.times_absolute(u, noise.as_mut());
        for j in 0..width {
            let dot = |a: MatRef<'_, f64>| (a.col(j).transpose() * u.col(j)).abs();
            let mass = dot(mu.as_ref());
            let value = ku.col(j).transpose() * u.col(j) / mass;
            // Rounding alone gives a zero mode this much: ε |u|ᵀ|K||u|.
            let rounding: f64 = (0..n).map(|i| noise[(i, j)] * u[(i, j)].abs()).sum();
            let rounding = 1e2 * f64::EPSILON * rounding / mass;
            let residual = (0..n).map(|i| (ku[(i, j)] - value * mu[(i, j)]).powi(2)).sum::<f64>();
            let (residual, k, m) = (residual.sqrt(), ku.col(j).norm_l2(), mu.col(j).norm_l2());
            let floor = 1e2 * f64::EPSILON * noise.col(j).norm_l2();
            let zero = value.abs() <= rounding;
            if !(residual
                <= 1e3 * options.tolerance * (k + (value.abs() + sigma.abs()) * m) + floor)
            {
                return Err(EigenError::NotConverged { found: first + j, wanted: count });
            }
            lambda.push(value.max(0.0));
            residuals.push(if zero { 0.0 } else { residual / (k + value.abs() * m) });
            is_zero.push(zero);
        }
        for (j, mass) in (0..width)
            .map(|j| (j, mu.col(j).transpose() * vectors.col(first + j)))
            .collect::<Vec<_>>()
        {
            let scale = mass.sqrt().recip();
            vectors.col_mut(first + j).iter_mut().for_each(|x| *x *= scale);
        }
    }
    options.report(super::Stage::Iterating, 1.0)?;
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(|a, b| lambda[*a].total_cmp(&lambda[*b]));
    let mut original = Mat::zeros(n, count);
    for (to, from) in sorted.iter().enumerate() {
        for (new, old) in pencil.order.iter().enumerate() {
            original[(*old as usize, to)] = vectors[(new, *from)] * pencil.vector_scale;
        }
    }
    Ok(Modes {
        omega_squared: sorted.iter().map(|i| lambda[*i] * pencil.lambda_scale).collect(),
        residuals: sorted.iter().map(|i| residuals[*i]).collect(),
        zero_modes: sorted.iter().take_while(|i| is_zero[**i]).count(),
        vectors: original,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eigen::{Matrix, Problem, Triangles};

    /// Twenty masses on springs of their own: a list with one of them missing is caught.
    #[test]
    fn a_dropped_mode_is_caught() {
        let n = 20;
        let diagonal = |f: &dyn Fn(usize) -> f64, name| {
            let entries = (0..n).map(|i| (i, i, f(i)));
            Matrix::from_triplets(name, n, Triangles::Lower, entries.collect::<Vec<_>>()).unwrap()
        };
        let stiffness = diagonal(&|i| 1.0 + (i / 2) as f64, "stiffness");
        let problem = Problem::new(stiffness, diagonal(&|_| 1.0, "mass")).unwrap();
        let pencil = Pencil::new(&problem).unwrap();
        let analysis = Analysis::new(&pencil).unwrap();
        let all: Vec<f64> = (0..n).map(|i| (1 + i / 2) as f64 / pencil.lambda_scale).collect();
        let mut options = Options::default();
        let mut satisfied = |list: &[f64]| {
            let mut must = Must::default();
            let good = must.satisfied(list, &pencil, &analysis, &mut options).unwrap();
            (good, must.missed())
        };
        assert_eq!(satisfied(&all), (true, None));
        assert_eq!(satisfied(&all[..11]), (true, None));
        for dropped in 0..n - 2 {
            let mut list = all.clone();
            list.remove(dropped);
            let missed = EigenError::Missed { counted: 18, found: 17 };
            assert_eq!(satisfied(&list), (false, Some(missed)), "{dropped}");
        }
    }
}

//! Proof that no mode was missed, and the last digits of those found.

use faer::Mat;
use rayon::prelude::*;

use super::block::{Block, CHUNK};
use super::factor::{Analysis, Factor, count_below};
use super::modes::Modes;
use super::pencil::Pencil;
use super::tile::LANES;
use super::{EigenError, Options};

/// Modes closer than this relative distance count as one multiple mode.
pub(super) const CLOSE: f64 = 1e-7;
/// Rounding of λ, relative to the largest λ of the problem.
const ROUNDING: f64 = 1e-13;

/// What the Sturm count demands: `count` modes below `tau`.
#[derive(Default)]
pub(super) struct Must {
    known: Option<(f64, usize)>,
    found: usize,
}

impl Must {
    /// Whether the λ found, ascending, with `before` others below them, leave no gap. The count is taken just below
    /// the last mode, or below the whole cluster that the last mode belongs to: copies
    /// of that last one may be cut off by the number asked for.
    pub(super) fn satisfied(
        &mut self,
        lambda: &[f64],
        before: usize,
        pencil: &Pencil,
        analysis: &Analysis,
        options: &mut Options<'_>,
    ) -> Result<bool, EigenError> {
        let (tau, _) = end_of(lambda, pencil.top);
        let counted = match self.known {
            // Modes found later can only lower the end of the interval.
            Some((known, counted)) if known <= tau => {
                self.found = before + lambda.iter().filter(|l| **l < known).count();
                if self.found < counted {
                    return Ok(false);
                }
                count_below(analysis, pencil, tau, options)?
            }
            _ => count_below(analysis, pencil, tau, options)?,
        };
        self.known = Some((tau, counted));
        self.found = before + lambda.iter().filter(|l| **l < tau).count();
        Ok(self.found >= counted)
    }

    pub(super) fn missed(&self) -> Option<EigenError> {
        let (_, counted) = self.known?;
        (self.found < counted).then_some(EigenError::Missed { counted, found: self.found })
    }
}

/// How far apart λ must be to count as different.
pub(super) fn distance(lambda: f64, top: f64) -> f64 {
    (CLOSE * lambda.abs()).max(ROUNDING * top)
}

/// A place just below the last cluster of ascending λ, and how many lie below it.
fn end_of(lambda: &[f64], top: f64) -> (f64, usize) {
    let distance = |l: f64| distance(l, top);
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
    u: Block,
    sigma: f64,
    tolerance: f64,
) -> Result<Modes, EigenError> {
    let (ku, mu) = (pencil.stiffness.times(&u), pencil.mass.times(&u));
    let noise = pencil.stiffness.times_absolute(&u);
    let (n, count) = (pencil.unknowns(), u.width);
    let all = [&u, &ku, &mu, &noise];
    let sums = sums(all, |_, [u, k, m, noise]| {
        [k * u, m * u, noise * u.abs(), k * k, m * m, noise * noise]
    });
    let value = |j: usize| sums[j][0] / sums[j][1];
    let misses = self::sums(all, |j, [_, k, m, _]| [(k - value(j) * m).powi(2)]);
    let mut found = Vec::with_capacity(count);
    for (j, (sum, miss)) in sums.iter().zip(&misses).enumerate() {
        let [_, mass, rounding, k, m, noise] = *sum;
        let (value, residual, k, m) = (value(j), miss[0].sqrt(), k.sqrt(), m.sqrt());
        // Rounding alone gives a zero mode this much: ε |u|ᵀ|K||u|.
        let rounding = 1e2 * f64::EPSILON * rounding / mass;
        let floor = 1e2 * f64::EPSILON * noise.sqrt();
        if !(residual <= 1e3 * tolerance * (k + (value.abs() + sigma.abs()) * m) + floor) {
            return Err(EigenError::NotConverged { found: j, wanted: count });
        }
        let zero = value.abs() <= rounding;
        let relative = if zero { 0.0 } else { residual / (k + value.abs() * m) };
        found.push((value.max(0.0), relative, zero, mass.sqrt().recip()));
    }
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by(|a, b| found[*a].0.total_cmp(&found[*b].0));
    let mut vectors = Mat::zeros(n, count);
    for (to, from) in sorted.iter().enumerate() {
        let (panel, lane) = (&u.panels[from / LANES], from % LANES);
        let scale = found[*from].3 * pencil.vector_scale;
        let column = vectors.col_as_slice_mut(to);
        for (row, old) in panel.iter().zip(&pencil.order) {
            column[*old as usize] = row[lane] * scale;
        }
    }
    Ok(Modes {
        omega_squared: sorted.iter().map(|i| found[*i].0 * pencil.lambda_scale).collect(),
        residuals: sorted.iter().map(|i| found[*i].1).collect(),
        zero_modes: sorted.iter().take_while(|i| found[**i].2).count(),
        vectors,
    })
}

/// The same; vectors that are not good enough get one more step of the inverse first, which
/// damps what rounding left in them of high modes.
pub(super) fn polished(
    pencil: &Pencil,
    factor: &Factor<'_>,
    mut u: Block,
    tolerance: f64,
) -> Result<Modes, EigenError> {
    match refined(pencil, u.clone(), factor.sigma, tolerance) {
        Err(EigenError::NotConverged { .. }) => {}
        answer => return answer,
    }
    u = pencil.mass.times(&u);
    factor.solve(&mut u);
    refined(pencil, u, factor.sigma, tolerance)
}

/// For each vector the sums of f over the rows of four blocks.
fn sums<const N: usize>(
    blocks: [&Block; 4],
    f: impl Fn(usize, [f64; 4]) -> [f64; N] + Sync,
) -> Vec<[f64; N]> {
    let width = blocks[0].width;
    let mut all = Vec::with_capacity(width);
    for p in 0..blocks[0].panels.len() {
        let panels = blocks.map(|b| &b.panels[p]);
        let parts: Vec<[[f64; N]; LANES]> = (0..panels[0].len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|c| {
                let mut part = [[0.0; N]; LANES];
                for i in c * CHUNK..((c + 1) * CHUNK).min(panels[0].len()) {
                    let rows = panels.map(|panel| &panel[i]);
                    for (lane, part) in part.iter_mut().enumerate() {
                        let terms = f((p * LANES + lane).min(width - 1), rows.map(|r| r[lane]));
                        part.iter_mut().zip(terms).for_each(|(sum, x)| *sum += x);
                    }
                }
                part
            })
            .collect();
        for lane in 0..LANES.min(width - p * LANES) {
            all.push(std::array::from_fn(|k| parts.iter().map(|part| part[lane][k]).sum()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Matrix, Problem, Triangles};

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
            let good = must.satisfied(list, 0, &pencil, &analysis, &mut options).unwrap();
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

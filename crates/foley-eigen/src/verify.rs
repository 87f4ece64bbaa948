//! Verification: Sturm counts prove that no mode is missing; residuals check those found.

use faer::Mat;
use foley_parallel::prelude::*;

use crate::factor::{Factor, SymbolicFactor, count_below};
use crate::kernels::block_vector::{BlockVector, CHUNK};
use crate::kernels::simd::LANES;
use crate::modes::Modes;
use crate::pencil::Pencil;
use crate::vector_sign::fix_sign;
use crate::{EigenError, Options};

/// Modes closer than this, relative, count as one multiple mode.
pub(crate) const CLOSE: f64 = 1e-7;
/// Rounding of λ, relative to the largest λ of the problem.
const ROUNDING: f64 = 1e-13;

/// The Sturm check: compares the modes found with the count below a point.
#[derive(Default)]
pub(crate) struct SturmCheck {
    known: Option<(f64, usize)>,
    found: usize,
}

impl SturmCheck {
    /// Returns whether no λ is missing from an ascending list with `before` modes below it. The
    /// count is taken just below the cluster of the last mode, because the requested number
    /// may cut off copies of that mode.
    pub(crate) fn is_complete(
        &mut self,
        lambda: &[f64],
        before: usize,
        pencil: &Pencil,
        symbolic: &SymbolicFactor,
        options: &mut Options<'_>,
    ) -> Result<bool, EigenError> {
        let (tau, _) = below_last_cluster(lambda, pencil.lambda_max);
        // Modes found later can only lower the end of the interval.
        if let Some((known, counted)) = self.known
            && known <= tau
        {
            self.found = before + lambda.iter().filter(|l| **l < known).count();
            if self.found < counted {
                return Ok(false);
            }
        }
        let counted = count_below(symbolic, pencil, tau, options)?;
        self.known = Some((tau, counted));
        self.found = before + lambda.iter().filter(|l| **l < tau).count();
        Ok(self.found >= counted)
    }

    /// Returns the error when modes are missing.
    pub(crate) fn missed(&self) -> Option<EigenError> {
        let (_, counted) = self.known?;
        (self.found < counted).then_some(EigenError::Missed { counted, found: self.found })
    }
}

/// Returns the smallest difference of distinct λ.
pub(crate) fn separation(lambda: f64, lambda_max: f64) -> f64 {
    (CLOSE * lambda.abs()).max(ROUNDING * lambda_max)
}

/// Returns a point just below the last cluster of ascending λ, and how many lie below it.
fn below_last_cluster(lambda: &[f64], lambda_max: f64) -> (f64, usize) {
    let distance = |l: f64| separation(l, lambda_max);
    let mut first = lambda.len() - 1;
    while first > 0 && lambda[first] - lambda[first - 1] < 2.0 * distance(lambda[first]) {
        first -= 1;
    }
    (lambda[first] - distance(lambda[first]), first)
}

/// Returns Rayleigh quotients and residuals of converged vectors, in the units and the order
/// of the problem. σ is the shift of the search.
pub(crate) fn verified(
    pencil: &Pencil,
    u: BlockVector,
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
        // Rounding error of a zero mode: ε |u|ᵀ|K||u|.
        let rounding = 1e2 * f64::EPSILON * rounding / mass;
        let floor = 1e2 * f64::EPSILON * noise.sqrt();
        if !(residual <= tolerance * (k + (value.abs() + sigma.abs()) * m) + floor) {
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
        fix_sign(column);
    }
    Ok(Modes {
        omega_squared: sorted.iter().map(|i| found[*i].0 * pencil.lambda_scale).collect(),
        residuals: sorted.iter().map(|i| found[*i].1).collect(),
        zero_modes: sorted.iter().take_while(|i| found[**i].2).count(),
        vectors,
    })
}

/// Most steps of inverse iteration before vectors count as not converged.
const MAX_POLISHING_STEPS: usize = 3;

/// Returns the same after steps of inverse iteration for vectors that have not
/// converged: it damps the components of high modes that rounding left. The factor may have another
/// shift than σ, the shift of the search.
pub(crate) fn polished_and_verified(
    pencil: &Pencil,
    factor: &Factor<'_>,
    mut u: BlockVector,
    sigma: f64,
    tolerance: f64,
) -> Result<Modes, EigenError> {
    for _ in 0..MAX_POLISHING_STEPS {
        match verified(pencil, u.clone(), sigma, tolerance) {
            Err(EigenError::NotConverged { .. }) => {}
            answer => return answer,
        }
        u = pencil.mass.times(&u);
        factor.solve(&mut u);
    }
    verified(pencil, u, sigma, tolerance)
}

/// Returns for each vector the sums of f over the rows of four blocks.
fn sums<const N: usize>(
    blocks: [&BlockVector; 4],
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
    use crate::{Matrix, Problem};

    /// The bound of [`Options::tolerance`]: a vector just within it passes, one just outside fails.
    #[test]
    fn a_vector_passes_up_to_the_tolerance_and_not_beyond() {
        let n = 20;
        let diagonal = |f: &dyn Fn(usize) -> f64, name| {
            let entries = (0..n).map(|i| (i, i, f(i)));
            Matrix::from_triplets(name, n, entries.collect::<Vec<_>>()).unwrap()
        };
        let stiffness = diagonal(&|i| (1 + i) as f64, "stiffness");
        let problem = Problem::new(stiffness, diagonal(&|_| 1.0, "mass")).unwrap();
        let pencil = Pencil::new(&problem).unwrap();
        let tolerance = 1e-6;
        for (sigma, mode) in [(0.0, 3), (0.0, 15), (0.4, 3), (-0.2, 15)] {
            let vector = |delta: f64| {
                let mut u = BlockVector::zeros(n, 1);
                u.set(mode, 0, 1.0);
                u.set((mode + 1) % n, 0, delta);
                u
            };
            // The residual of a small δ is δ |λ' − λ|; ‖Ku‖ = λ and ‖Mu‖ = 1, up to δ².
            let (k, m) = (pencil.stiffness.times(&vector(0.0)), pencil.mass.times(&vector(0.0)));
            let size =
                |v: &BlockVector| v.panels[0].iter().map(|r| r[0] * r[0]).sum::<f64>().sqrt();
            let value = size(&k) / size(&m);
            let probe = pencil.stiffness.times(&vector(1.0));
            let next = probe.panels[0][(mode + 1) % n][0] / size(&m);
            let bound = tolerance * (size(&k) + (value + f64::abs(sigma)) * size(&m));
            let delta = bound / ((next - value).abs() * size(&m));
            let passes = |part: f64| verified(&pencil, vector(part * delta), sigma, tolerance);
            assert!(passes(0.99).is_ok(), "{sigma} {mode}");
            let error = passes(1.01).unwrap_err();
            assert_eq!(error, EigenError::NotConverged { found: 0, wanted: 1 }, "{sigma} {mode}");
        }
    }

    /// Twenty masses on springs of their own: a list without one of them is rejected.
    #[test]
    fn a_dropped_mode_is_caught() {
        let n = 20;
        let diagonal = |f: &dyn Fn(usize) -> f64, name| {
            let entries = (0..n).map(|i| (i, i, f(i)));
            Matrix::from_triplets(name, n, entries.collect::<Vec<_>>()).unwrap()
        };
        let stiffness = diagonal(&|i| 1.0 + (i / 2) as f64, "stiffness");
        let problem = Problem::new(stiffness, diagonal(&|_| 1.0, "mass")).unwrap();
        let pencil = Pencil::new(&problem).unwrap();
        let symbolic = SymbolicFactor::new(&pencil).unwrap();
        let all: Vec<f64> = (0..n).map(|i| (1 + i / 2) as f64 / pencil.lambda_scale).collect();
        let mut options = Options::default();
        let mut is_complete = |list: &[f64]| {
            let mut sturm = SturmCheck::default();
            let good = sturm.is_complete(list, 0, &pencil, &symbolic, &mut options).unwrap();
            (good, sturm.missed())
        };
        assert_eq!(is_complete(&all), (true, None));
        assert_eq!(is_complete(&all[..11]), (true, None));
        for dropped in 0..n - 2 {
            let mut list = all.clone();
            list.remove(dropped);
            let missed = EigenError::Missed { counted: 18, found: 17 };
            assert_eq!(is_complete(&list), (false, Some(missed)), "{dropped}");
        }
    }
}

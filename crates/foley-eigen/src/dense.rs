//! Small problems: every mode by a dense solver.

use faer::Mat;

use super::block::Block;
use super::check::refined;
use super::modes::Modes;
use super::pencil::Pencil;
use super::{EigenError, Options, Stage};

/// Shifts tried, relative to the largest λ.
const SHIFTS: [f64; 3] = [1e-8, 1e-6, 1e-4];

/// The modes with low ≤ λ' < high, at most `count`, in the pencil's units.
pub(super) fn modes(
    pencil: &Pencil,
    low: f64,
    high: f64,
    count: usize,
    options: &mut Options<'_>,
) -> Result<Modes, EigenError> {
    let n = pencil.unknowns();
    options.check_memory(8 * 8 * (n as u64).pow(2))?;
    options.report(Stage::Iterating, 0.0)?;
    let full = |values: &[f64]| {
        let mut a = Mat::zeros(n, n);
        for j in 0..n {
            let column = pencil.starts[j] as usize..pencil.starts[j + 1] as usize;
            for (row, value) in pencil.rows[column.clone()].iter().zip(&values[column]) {
                a[(*row as usize, j)] = *value;
                a[(j, *row as usize)] = *value;
            }
        }
        a
    };
    let (k, m) = (full(&pencil.k), full(&pencil.m));
    m.llt(faer::Side::Lower).map_err(|_| EigenError::MassNotDefinite)?;
    let (shift, pairs) = SHIFTS
        .iter()
        .map(|shift| shift * pencil.top)
        .find_map(|s| Some((s, crate::generalised::lowest(&k, &m, s, high)?)))
        .ok_or(EigenError::StiffnessNegative)?;
    // Nothing may lie below the zero modes.
    if pairs.values.first().is_some_and(|l| *l < -1e-3 * shift) {
        return Err(EigenError::StiffnessNegative);
    }
    let skipped = pairs.values.iter().take_while(|l| **l < low).count();
    let vectors = &pairs.vectors[skipped..];
    let vectors = &vectors[..count.min(vectors.len())];
    let mut block = Block::zeros(n, vectors.len());
    for (j, vector) in vectors.iter().enumerate() {
        vector.iter().enumerate().for_each(|(i, x)| block.set(i, j, *x));
    }
    refined(pencil, block, shift, options.tolerance)
}

//! Assemblies that can be cancelled.

use foley_eigen::{EigenError, Matrix};

/// Entries of a matrix between two calls.
const ENTRIES_PER_CALL: usize = 1 << 18;

/// Called with the part of an assembly that is done, 0 … 1; false cancels.
pub type Watch<'a> = dyn FnMut(f64) -> bool + 'a;

/// Calls `watch`; fails when it cancels.
pub(super) fn check(watch: &mut Watch<'_>, part: f64) -> Result<(), EigenError> {
    if watch(part) { Ok(()) } else { Err(EigenError::Cancelled) }
}

/// Sums `count` entries into a matrix. `watch` is called while they are sorted, with parts in `range`.
pub(super) fn matrix(
    name: &'static str,
    unknowns: usize,
    (count, entries): (usize, impl IntoIterator<Item = (usize, usize, f64)>),
    [from, to]: [f64; 2],
    watch: &mut Watch<'_>,
) -> Result<Matrix, EigenError> {
    check(watch, from)?;
    let mut goes_on = true;
    let watched = entries.into_iter().enumerate().map_while(|(n, entry)| {
        if n % ENTRIES_PER_CALL == ENTRIES_PER_CALL - 1 {
            goes_on = watch(from + (to - from) * (n as f64 / count.max(1) as f64).min(1.0));
        }
        goes_on.then_some(entry)
    });
    let matrix = Matrix::from_triplets(name, unknowns, watched);
    if goes_on { matrix } else { Err(EigenError::Cancelled) }
}

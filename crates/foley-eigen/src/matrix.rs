//! Symmetric sparse matrices: the lower triangle in compressed columns.

use crate::EigenError;

/// A symmetric sparse matrix.
///
/// ```
/// use foley_eigen::Matrix;
///
/// // Duplicate entries are summed, as finite element assembly needs.
/// let entries = [(0, 0, 1.0), (1, 0, -1.0), (1, 1, 0.5), (1, 1, 0.5)];
/// let spring = Matrix::from_triplets("stiffness", 2, entries)?;
/// assert_eq!(spring.lower().collect::<Vec<_>>(), [(0, 0, 1.0), (1, 0, -1.0), (1, 1, 1.0)]);
/// # Ok::<(), foley_eigen::EigenError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    pub(crate) name: &'static str,
    pub(crate) starts: Vec<u32>,
    pub(crate) rows: Vec<u32>,
    pub(crate) values: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Entry {
    column: u32,
    row: u32,
    value: f64,
}

impl Matrix {
    /// Sums entries (row, column, value) of the lower triangle, row ≥ column; the upper one is its
    /// mirror. `name` appears in error messages.
    pub fn from_triplets(
        name: &'static str,
        unknowns: usize,
        entries: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, EigenError> {
        if unknowns == 0 || unknowns >= i32::MAX as usize {
            return Err(EigenError::Empty);
        }
        let mut list: Vec<Entry> = Vec::new();
        let mut next_merge = 1 << 20;
        for (row, column, value) in entries {
            if row >= unknowns || column >= unknowns {
                return Err(EigenError::OutOfRange { matrix: name, row, column, unknowns });
            }
            if !value.is_finite() {
                return Err(EigenError::NotFinite { matrix: name, row, column });
            }
            if row < column {
                return Err(EigenError::AboveDiagonal { matrix: name, row, column });
            }
            if list.len() >= next_merge {
                merge(&mut list);
                next_merge = (2 * list.len()).max(1 << 20);
            }
            list.push(Entry { row: row as u32, column: column as u32, value });
        }
        merge(&mut list);
        if let Some(bad) = list.iter().find(|e| !e.value.is_finite()) {
            let (row, column) = (bad.row as usize, bad.column as usize);
            return Err(EigenError::NotFinite { matrix: name, row, column });
        }
        list.retain(|e| e.value != 0.0);
        Ok(Self::compressed(name, unknowns, &list))
    }

    fn compressed(name: &'static str, unknowns: usize, list: &[Entry]) -> Self {
        let starts = group_starts(unknowns, list.iter().map(|e| e.column as usize));
        let rows = list.iter().map(|e| e.row).collect();
        let values = list.iter().map(|e| e.value).collect();
        Self { name, starts, rows, values }
    }

    /// Returns the name used in error messages.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the entries (row, column, value) of the lower triangle, column by column.
    pub fn lower(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.unknowns()).flat_map(move |j| {
            let column = self.starts[j] as usize..self.starts[j + 1] as usize;
            column.map(move |p| (self.rows[p] as usize, j, self.values[p]))
        })
    }

    pub(crate) fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.unknowns()];
        for (i, j, v) in self.lower() {
            if i == j {
                diagonal[i] = v;
            }
        }
        diagonal
    }

    /// Returns the maximum absolute row sum, an upper bound of the 2-norm.
    pub(crate) fn norm(&self) -> f64 {
        let mut sums = vec![0.0; self.unknowns()];
        for (i, j, v) in self.lower() {
            sums[i] += v.abs();
            if i != j {
                sums[j] += v.abs();
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }
}

/// Returns the first index of each group and the end of the last, from the group of each member.
pub(crate) fn group_starts(groups: usize, members: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0; groups + 1];
    members.for_each(|group| starts[group + 1] += 1);
    for g in 0..groups {
        starts[g + 1] += starts[g];
    }
    starts
}

/// Sorts by column, then row, and sums duplicates.
fn merge(list: &mut Vec<Entry>) {
    list.sort_unstable_by_key(|e| (u64::from(e.column) << 32) | u64::from(e.row));
    list.dedup_by(|next, kept| {
        let same = next.column == kept.column && next.row == kept.row;
        if same {
            kept.value += next.value;
        }
        same
    });
}

//! The cells that the body fills and their moments, column by column along the first axis.

use super::grid::Grid;
use super::moments::{DEGREE, INDICES, MOMENTS, PROJECTED, Rule, SurfaceIntegrals};
use super::polygon_clipping::{keep, slice, span};
use foley_geometry::mesh::Mesh;
use foley_parallel::prelude::*;

/// Tolerance of the moments of a full cell, relative to its volume.
const FULL: f64 = 1e-10;

/// The cells of a body.
#[derive(Default)]
pub(super) struct Cells {
    /// Grid indices of each cell.
    pub(super) indices: Vec<[u32; 3]>,
    /// Index into `moments`; `None` for a full cell.
    pub(super) cut: Vec<Option<u32>>,
    /// Moments of the cut cells, [`MOMENTS`] each, on the reference cube of volume 8.
    pub(super) moments: Vec<f64>,
    /// Filled volume in cells, dropped cells included.
    pub(super) filled: f64,
    /// Number of dropped cells and their volume in cells.
    pub(super) dropped: (usize, f64),
}

impl Cells {
    /// Finds the cells of which a body fills at least the fraction `least`. `sign` is −1 for
    /// an inverted mesh.
    pub(super) fn new(mesh: &Mesh, grid: &Grid, sign: f64, least: f64) -> Self {
        let corners = |t: u32| mesh.corners(t as usize).map(|p| grid.inside(p.to_array()));
        let lists = ColumnTriangles::new(mesh.triangles.len(), grid, corners);
        let rule = Rule::new();
        let columns: Vec<Cells> = (0..grid.cells[1] * grid.cells[2])
            .into_par_iter()
            .with_min_len(16)
            .map_init(Column::default, |column, number| {
                let (j, k) = (number / grid.cells[2], number % grid.cells[2]);
                let triangles = lists.of(number).iter().map(|t| corners(*t));
                column.fill(triangles, [j, k], grid.cells[0], &rule, sign);
                column.cells([j, k], least)
            })
            .collect();
        let mut all = Cells::default();
        for column in columns {
            all.append(column);
        }
        all
    }

    fn append(&mut self, other: Cells) {
        let offset = (self.moments.len() / MOMENTS) as u32;
        self.indices.extend(other.indices);
        self.cut.extend(other.cut.into_iter().map(|cut| cut.map(|c| c + offset)));
        self.moments.extend(other.moments);
        self.filled += other.filled;
        self.dropped.0 += other.dropped.0;
        self.dropped.1 += other.dropped.1;
    }

    fn put(&mut self, index: [u32; 3], moments: &[f64; MOMENTS], least: f64) {
        let full_moment = 8.0_f64.sqrt();
        let fraction = moments[0] / full_moment;
        self.filled += fraction;
        if !(fraction >= least) {
            if fraction > FULL {
                self.dropped.0 += 1;
                self.dropped.1 += fraction;
            }
            return;
        }
        let full = (fraction - 1.0).abs() < FULL && moments[1..].iter().all(|m| m.abs() < FULL);
        self.indices.push(index);
        self.cut.push((!full).then_some((self.moments.len() / MOMENTS) as u32));
        if !full {
            self.moments.extend(moments);
        }
    }

    pub(super) fn moments_of(&self, cut: u32) -> &[f64] {
        &self.moments[cut as usize * MOMENTS..][..MOMENTS]
    }
}

/// The triangles that intersect each column.
struct ColumnTriangles {
    starts: Vec<u64>,
    triangles: Vec<u32>,
}

impl ColumnTriangles {
    fn new(count: usize, grid: &Grid, corners: impl Fn(u32) -> [[f64; 3]; 3]) -> Self {
        let [_, ny, nz] = grid.cells;
        let columns = |t: u32| {
            let p = corners(t);
            let (y, z) = (span(&p, 1, ny), span(&p, 2, nz));
            (y.0..=y.1).flat_map(move |j| (z.0..=z.1).map(move |k| j * nz + k))
        };
        let mut starts = vec![0; ny * nz + 1];
        for t in 0..count as u32 {
            columns(t).for_each(|c| starts[c + 1] += 1);
        }
        for c in 0..ny * nz {
            starts[c + 1] += starts[c];
        }
        let mut next = starts.clone();
        let mut triangles = vec![0; starts[ny * nz] as usize];
        for t in 0..count as u32 {
            for c in columns(t) {
                triangles[next[c] as usize] = t;
                next[c] += 1;
            }
        }
        Self { starts, triangles }
    }

    fn of(&self, column: usize) -> &[u32] {
        &self.triangles[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}

/// Working state of one column of cells.
#[derive(Default)]
struct Column {
    /// The cells that the surface cuts, by their index along the column.
    touched: Vec<(u32, Box<SurfaceIntegrals>)>,
    polygons: [Vec<[f64; 3]>; 2],
    slices: [Vec<[f64; 3]>; 2],
    local: Vec<[f64; 3]>,
}

impl Column {
    fn fill(
        &mut self,
        triangles: impl Iterator<Item = [[f64; 3]; 3]>,
        [j, k]: [usize; 2],
        cells: usize,
        rule: &Rule,
        sign: f64,
    ) {
        self.touched.clear();
        let [a, b] = &mut self.polygons;
        let (touched, local) = (&mut self.touched, &mut self.local);
        for triangle in triangles {
            keep(&triangle, 1, j as f64, -1.0, a);
            keep(a, 1, (j + 1) as f64, 1.0, b);
            keep(b, 2, k as f64, -1.0, a);
            keep(a, 2, (k + 1) as f64, 1.0, b);
            if b.len() < 3 {
                continue;
            }
            slice(b, 0, cells, &mut self.slices, |i, part| {
                local.clear();
                let origin = [i as f64, j as f64, k as f64];
                let reference =
                    |p: &[f64; 3]| std::array::from_fn(|a| 2.0 * (p[a] - origin[a]) - 1.0);
                local.extend(part.iter().map(reference));
                let found = touched.binary_search_by_key(&(i as u32), |(i, _)| *i);
                let at = found.unwrap_or_else(|at| {
                    touched.insert(at, (i as u32, Box::new(SurfaceIntegrals::ZERO)));
                    at
                });
                rule.add(local, &mut touched[at].1);
            });
        }
        for (_, sums) in touched {
            sums.own.iter_mut().flatten().for_each(|m| *m *= sign);
            sums.projected.iter_mut().for_each(|m| *m *= sign);
        }
    }

    /// Returns the cells, from right to left, summing the surface to the right.
    fn cells(&self, [j, k]: [usize; 2], least: f64) -> Cells {
        let mut cells = Cells::default();
        let mut right = [0.0; PROJECTED];
        for (n, (i, sums)) in self.touched.iter().enumerate().rev() {
            let index = |i: u32| [i, j as u32, k as u32];
            let mut moments = moments_from_right(&right);
            for (m, [a, b, c]) in moments.iter_mut().zip(&INDICES) {
                *m += sums.own[*a][(DEGREE + 1) * b + c];
            }
            cells.put(index(*i), &moments, least);
            right.iter_mut().zip(&sums.projected).for_each(|(sum, own)| *sum += own);
            // No surface lies between this cell and the next: all cells there are equal.
            let next = if n == 0 { 0 } else { self.touched[n - 1].0 + 1 };
            let between = moments_from_right(&right);
            (next..*i).rev().for_each(|i| cells.put(index(i), &between, least));
        }
        cells
    }
}

/// The moments of a cell that the surface on its right of it, projected along ξ:
/// F_0 = √2 and F_a = 0.
fn moments_from_right(right: &[f64; PROJECTED]) -> [f64; MOMENTS] {
    std::array::from_fn(|t| match INDICES[t] {
        [0, b, c] => 2.0_f64.sqrt() * right[(DEGREE + 1) * b + c],
        _ => 0.0,
    })
}

#[cfg(test)]
mod tests;

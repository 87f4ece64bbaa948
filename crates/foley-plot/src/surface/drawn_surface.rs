//! The surface that is drawn: a model's points and triangles, or a ribbon along a line.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;

use super::vector::{UP, Vector, add, cross, dot, length, scaled, sub, unit_or};

/// Half the width of the ribbon of a line, as a fraction of its length.
const RIBBON: f64 = 0.05;

/// A surface centred at the origin: its bounding box has the
/// diagonal 1 (of a ribbon, its line).
#[derive(Debug, Clone)]
pub(crate) struct DrawnSurface {
    /// Vertices.
    pub points: Vec<Vector>,
    /// Triangles as vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[usize; 3]>,
    /// Outward normals at the vertices.
    pub normals: Vec<Vector>,
    /// Index of the model's point of each vertex.
    pub source: Vec<usize>,
    /// Whether the model is a line.
    pub is_line: bool,
}

impl DrawnSurface {
    /// Takes the surface of a model.
    pub(crate) fn of(model: &ModalModel) -> Result<Self> {
        if model.triangles.is_empty() {
            bail!(
                "{} has points but no surface to draw; its modes can be drawn without one",
                model.name
            );
        }
        let triangles: Vec<[usize; 3]> =
            model.triangles.iter().map(|t| t.map(|k| k as usize)).collect();
        let mut used = vec![false; model.point_count()];
        triangles.iter().flatten().for_each(|&k| used[k] = true);
        let Some(points) = centred(&model.points, &used) else {
            bail!(
                "all surface points of {} are in one place; there is nothing to draw",
                model.name
            );
        };
        let area = |t: &[usize; 3]| length(area_vector(&points, t));
        let real: Vec<[usize; 3]> = triangles.iter().filter(|t| area(t) > 1e-14).copied().collect();
        if real.is_empty() {
            return Ok(Self::ribbon(&points, &triangles));
        }
        let mut normals = normals(&points, &real);
        // Vertices of degenerate triangles only are not drawn, but need a direction.
        normals.iter_mut().for_each(|n| *n = unit_or(*n, UP));
        let source = (0..points.len()).collect();
        Ok(Self { points, triangles: real, normals, source, is_line: false })
    }

    /// Makes a flat band of a line, which has no width, so that motion along z, the only motion of
    /// lines, is visible.
    fn ribbon(points: &[Vector], triangles: &[[usize; 3]]) -> Self {
        let steps = triangles.iter().flat_map(|&[i, j, k]| [(i, j), (j, k)]);
        let steps: Vec<(usize, usize)> = steps.filter(|(i, j)| i != j).collect();
        let mut tangents = vec![[0.0; 3]; points.len()];
        for &(i, j) in &steps {
            let along = sub(points[j], points[i]);
            tangents[i] = add(tangents[i], along);
            tangents[j] = add(tangents[j], along);
        }
        let mut band = Vec::with_capacity(2 * points.len());
        for (p, tangent) in points.iter().zip(tangents) {
            let side = scaled(unit_or(cross(UP, tangent), [0.0, 1.0, 0.0]), RIBBON);
            band.extend([sub(*p, side), add(*p, side)]);
        }
        let cells = steps.iter().flat_map(|&(i, j)| {
            let [p, q, r, s] = [2 * i, 2 * j, 2 * j + 1, 2 * i + 1];
            [[p, q, r], [p, r, s]]
        });
        Self {
            triangles: cells.collect(),
            normals: vec![UP; band.len()],
            source: (0..band.len()).map(|i| i / 2).collect(),
            points: band,
            is_line: true,
        }
    }

    /// Returns the indices of drawn vertices, once for each triangle.
    pub(crate) fn corners(&self) -> impl Iterator<Item = usize> + '_ {
        self.triangles.iter().flatten().copied()
    }

    /// Returns the size along x, y and z.
    pub(crate) fn extent(&self) -> Vector {
        let (low, high) = bounds(self.corners().map(|i| self.points[i]));
        sub(high, low)
    }

    /// Returns the gradient of a quantity, given at the vertices, within a triangle, per unit
    /// of length.
    pub(crate) fn slope(&self, triangle: usize, values: &[f64]) -> f64 {
        let [i, j, k] = self.triangles[triangle];
        let (e, f) = (sub(self.points[j], self.points[i]), sub(self.points[k], self.points[i]));
        let (a, b) = (values[j] - values[i], values[k] - values[i]);
        let (ee, ef, ff) = (dot(e, e), dot(e, f), dot(f, f));
        let det = ee * ff - ef * ef;
        let gradient = add(scaled(e, ff * a - ef * b), scaled(f, ee * b - ef * a));
        if det > 0.0 { length(gradient) / det } else { 0.0 }
    }
}

/// Returns the mean normals at the vertices, weighted by area; zero where there is no triangle.
pub(crate) fn normals(points: &[Vector], triangles: &[[usize; 3]]) -> Vec<Vector> {
    let mut sums = vec![[0.0; 3]; points.len()];
    for t in triangles {
        let own = area_vector(points, t);
        t.iter().for_each(|&k| sums[k] = add(sums[k], own));
    }
    sums.into_iter().map(|sum| unit_or(sum, [0.0; 3])).collect()
}

/// Returns a vector along a triangle's normal, twice as long as its area.
pub(crate) fn area_vector(points: &[Vector], [i, j, k]: &[usize; 3]) -> Vector {
    cross(sub(points[*j], points[*i]), sub(points[*k], points[*i]))
}

fn bounds(points: impl Iterator<Item = Vector>) -> (Vector, Vector) {
    let start = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    points.fold(start, |(low, high), p| {
        let each =
            |f: fn(f64, f64) -> f64, a: Vector| [f(a[0], p[0]), f(a[1], p[1]), f(a[2], p[2])];
        (each(f64::min, low), each(f64::max, high))
    })
}

/// Centres and scales the used points to diagonal 1; returns `None` when they
/// coincide.
fn centred(points: &[Vector], used: &[bool]) -> Option<Vec<Vector>> {
    let shown = || points.iter().zip(used).filter(|(_, used)| **used).map(|(p, _)| *p);
    // First to within 1, so that no square overflows.
    let most = shown().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    if most < f64::MIN_POSITIVE {
        return None;
    }
    let (low, high) = bounds(shown().map(|p| p.map(|x| x / most)));
    let (middle, diagonal) = (scaled(add(low, high), 0.5), length(sub(high, low)));
    let place = |p: &Vector| scaled(sub(p.map(|x| x / most), middle), 1.0 / diagonal);
    // Unused points may be anywhere and are moved to the origin.
    let all = points.iter().zip(used).map(|(p, used)| if *used { place(p) } else { [0.0; 3] });
    (diagonal > 1e-12).then(|| all.collect())
}

//! The surface that is drawn: a model's points and triangles, or a ribbon along a line.

use anyhow::{Result, bail};
use foley_dsp::model::ModalModel;
use foley_geometry::vector::{area_vector, bounds};
use glam::DVec3;

/// Half the width of the ribbon of a line, as a fraction of its length.
const RIBBON: f64 = 0.05;

/// A surface centred at the origin: its bounding box has the
/// diagonal 1 (of a ribbon, its line).
#[derive(Debug, Clone)]
pub(crate) struct DrawnSurface {
    /// Vertices.
    pub points: Vec<DVec3>,
    /// Triangles as vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[usize; 3]>,
    /// Outward normals at the vertices.
    pub normals: Vec<DVec3>,
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
        let area = |t: &[usize; 3]| area_vector(t.map(|k| points[k])).length();
        let real: Vec<[usize; 3]> = triangles.iter().filter(|t| area(t) > 1e-14).copied().collect();
        if real.is_empty() {
            return Ok(Self::ribbon(&points, &triangles));
        }
        let mut normals = normals(&points, &real);
        // Vertices of degenerate triangles only are not drawn, but need a direction.
        normals.iter_mut().for_each(|n| *n = n.normalize_or(DVec3::Z));
        let source = (0..points.len()).collect();
        Ok(Self { points, triangles: real, normals, source, is_line: false })
    }

    /// Makes a flat band of a line, which has no width, so that motion along z, the only motion of
    /// lines, is visible.
    fn ribbon(points: &[DVec3], triangles: &[[usize; 3]]) -> Self {
        let steps = triangles.iter().flat_map(|&[i, j, k]| [(i, j), (j, k)]);
        let steps: Vec<(usize, usize)> = steps.filter(|(i, j)| i != j).collect();
        let mut tangents = vec![DVec3::ZERO; points.len()];
        for &(i, j) in &steps {
            let along = points[j] - points[i];
            tangents[i] += along;
            tangents[j] += along;
        }
        let mut band = Vec::with_capacity(2 * points.len());
        for (p, tangent) in points.iter().zip(tangents) {
            let side = DVec3::Z.cross(tangent).normalize_or(DVec3::Y) * RIBBON;
            band.extend([p - side, p + side]);
        }
        let cells = steps.iter().flat_map(|&(i, j)| {
            let [p, q, r, s] = [2 * i, 2 * j, 2 * j + 1, 2 * i + 1];
            [[p, q, r], [p, r, s]]
        });
        Self {
            triangles: cells.collect(),
            normals: vec![DVec3::Z; band.len()],
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
    pub(crate) fn extent(&self) -> DVec3 {
        let [low, high] = bounds(self.corners().map(|i| self.points[i])).unwrap_or_default();
        high - low
    }

    /// Returns the gradient of a quantity, given at the vertices, within a triangle, per unit
    /// of length.
    pub(crate) fn slope(&self, triangle: usize, values: &[f64]) -> f64 {
        let [i, j, k] = self.triangles[triangle];
        let (e, f) = (self.points[j] - self.points[i], self.points[k] - self.points[i]);
        let (a, b) = (values[j] - values[i], values[k] - values[i]);
        let (ee, ef, ff) = (e.dot(e), e.dot(f), f.dot(f));
        let det = ee * ff - ef * ef;
        let gradient = e * (ff * a - ef * b) + f * (ee * b - ef * a);
        if det > 0.0 { gradient.length() / det } else { 0.0 }
    }
}

/// Returns the mean normals at the vertices, weighted by area; zero where there is no triangle.
pub(crate) fn normals(points: &[DVec3], triangles: &[[usize; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; points.len()];
    for t in triangles {
        let own = area_vector(t.map(|k| points[k]));
        t.iter().for_each(|&k| sums[k] += own);
    }
    sums.into_iter().map(DVec3::normalize_or_zero).collect()
}

/// Centres and scales the used points to diagonal 1; returns `None` when they
/// coincide.
fn centred(points: &[[f64; 3]], used: &[bool]) -> Option<Vec<DVec3>> {
    let shown = || points.iter().zip(used).filter(|(_, used)| **used).map(|(p, _)| DVec3::from(*p));
    // First to within 1, so that no square overflows.
    let most = shown().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    if most < f64::MIN_POSITIVE {
        return None;
    }
    let [low, high] = bounds(shown().map(|p| p / most))?;
    let (middle, diagonal) = (low.midpoint(high), low.distance(high));
    let place = |p: [f64; 3]| (DVec3::from(p) / most - middle) * (1.0 / diagonal);
    // Unused points may be anywhere and are moved to the origin.
    let all = points.iter().zip(used).map(|(p, used)| if *used { place(*p) } else { DVec3::ZERO });
    (diagonal > 1e-12).then(|| all.collect())
}

//! Boundary elements: the triangles of a surface in spatial order, with what integrals need.

use crate::quadrature::THREE_POINTS;
use crate::surface::{Surface, Unknowns};
use foley_geometry::vector::bounds;
use glam::DVec3;

/// Unknowns in the jump at one corner: at most two.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Corner {
    count: usize,
    entries: [(u32, f64); 2],
}

impl Corner {
    #[inline(always)]
    pub(crate) fn entries(&self) -> &[(u32, f64)] {
        &self.entries[..self.count]
    }
}

/// A triangle with linear shape functions.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    /// The triangle of the surface.
    pub(crate) triangle: usize,
    pub(crate) vertices: [u32; 3],
    pub(crate) corners: [DVec3; 3],
    pub(crate) unknowns: [Corner; 3],
    pub(crate) normal: DVec3,
    pub(crate) area: f64,
    /// n × ∇φ of the shape functions, up to a sign common to all.
    pub(crate) curls: [DVec3; 3],
    /// Middle, and the largest distance of a corner from it.
    pub(crate) middle: DVec3,
    pub(crate) radius: f64,
    /// Whether it bounds a closed body and has the single layer of the combined potential.
    pub(crate) closed: bool,
}

/// All elements, sorted along a space-filling curve so that neighbours in the list are near.
#[derive(Debug, Clone)]
pub(crate) struct Elements {
    pub(crate) list: Vec<Element>,
    /// Number of unknowns.
    pub(crate) unknowns: usize,
    /// Coordinates of the three quadrature points of each element.
    pub(crate) points: [Vec<f64>; 3],
    pub(crate) any_closed: bool,
}

impl Elements {
    pub(crate) fn new(surface: &Surface) -> Self {
        let unknowns = Unknowns::new(surface);
        let mut list: Vec<Element> =
            (0..surface.len()).map(|t| element(surface, &unknowns, t)).collect();
        sort_by_morton_code(&mut list);
        let mut points = [Vec::new(), Vec::new(), Vec::new()];
        for element in &list {
            for (weights, _) in &THREE_POINTS {
                let place = element.place(weights);
                points.iter_mut().zip(place.to_array()).for_each(|(list, x)| list.push(x));
            }
        }
        let any_closed = list.iter().any(|element| element.closed);
        Self { list, unknowns: unknowns.len(), points, any_closed }
    }

    /// Returns quadrature point `q`, three to an element.
    pub(crate) fn point(&self, q: usize) -> DVec3 {
        DVec3::new(self.points[0][q], self.points[1][q], self.points[2][q])
    }
}

impl Element {
    /// Returns the point with barycentric coordinates `weights`.
    #[inline(always)]
    pub(crate) fn place(&self, weights: &[f64; 3]) -> DVec3 {
        self.corners[0] * weights[0] + self.corners[1] * weights[1] + self.corners[2] * weights[2]
    }

    /// Returns ∫ φ_i φ_j over the element: area/12, on the diagonal area/6.
    pub(crate) fn mass(&self, i: usize, j: usize) -> f64 {
        self.area * if i == j { 1.0 / 6.0 } else { 1.0 / 12.0 }
    }
}

fn element(surface: &Surface, unknowns: &Unknowns, t: usize) -> Element {
    let triangle = surface.triangles[t];
    let corners = surface.corners(t);
    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    let curl = |i: usize| (corners[(i + 2) % 3] - corners[(i + 1) % 3]) / (2.0 * triangle.area);
    let corner = |c: usize| {
        let mut corner = Corner::default();
        for entry in unknowns.at(t, c) {
            corner.entries[corner.count] = (entry.unknown, entry.sign);
            corner.count += 1;
        }
        corner
    };
    Element {
        triangle: t,
        vertices: triangle.corners,
        corners,
        unknowns: [0, 1, 2].map(corner),
        normal: triangle.normal,
        area: triangle.area,
        curls: [0, 1, 2].map(curl),
        middle,
        radius: corners.iter().map(|p| p.distance(middle)).fold(0.0, f64::max),
        closed: triangle.closed,
    }
}

/// Sorts along the Z-order curve: the bits of the three coordinates interleaved.
fn sort_by_morton_code(list: &mut [Element]) {
    let Some([low, high]) = bounds(list.iter().map(|e| e.middle)) else { return };
    let scale = 1023.0 / (high - low).max_element().max(f64::MIN_POSITIVE);
    let code = |e: &Element| {
        let cell = ((e.middle - low) * scale).to_array().map(|x| x as u64);
        let bit = |b: u32| (0..3).map(|a| (cell[a] >> b & 1) << (3 * b + a as u32)).sum::<u64>();
        (0..10).map(bit).sum::<u64>()
    };
    list.sort_by_cached_key(|e| (code(e), e.triangle));
}

//! Bending springs: hinges at the edges that resist folding.
//!
//! The three hinges of a triangle determine its curvature κ: unfold the neighbours into its
//! plane, displace their far corners by fold angle θ times height, and fit the quadratic
//! through the six corners (Oñate & Zárate, *Int. J. Numer. Meth. Engng* 47 (2000)). With
//! `C κ = θ`, the compatible κ of least energy `½ κᵀ D κ` is
//! `κ = D⁻¹ Cᵀ (C D⁻¹ Cᵀ)⁻¹ θ`. At a free edge there is no hinge and no moment, and the same
//! formula holds with fewer rows.

use crate::fem::local_frame::LocalFrame;
use foley_geometry::mesh::Edges;
use foley_geometry::mesh::Mesh;
use foley_geometry::vector::{area_vector, unit_or_zero};
use glam::{DMat3, DVec3};

/// Returns for each side (from corner k to the next) of each triangle the half-edge of its
/// neighbour. Where more than two triangles meet, each has the next one as its neighbour.
pub(super) fn neighbours(mesh: &Mesh) -> Vec<[Option<u32>; 3]> {
    let mut found = vec![[None; 3]; mesh.triangles.len()];
    Edges::new(mesh).for_each(|_, _, halves| {
        if halves.len() < 2 {
            return;
        }
        for (k, &half) in halves.iter().enumerate() {
            let other = halves[(k + 1) % halves.len()];
            found[half as usize / 3][half as usize % 3] = Some(other);
        }
    });
    found
}

/// Returns the corner opposite a half-edge.
pub(super) fn far_corner(mesh: &Mesh, half: u32) -> u32 {
    mesh.triangles[half as usize / 3][(half as usize + 2 - half as usize / 3 * 3) % 3]
}

/// A hinge: the gradient of its fold angle, and the fold angle per unit curvature.
struct Hinge {
    gradient: [DVec3; 6],
    row: DVec3,
}

/// The curvature of one triangle, (κ_xx, κ_yy, 2 κ_xy) in its own axes, as sums of gradients
/// times displacements of its corners and its neighbours' far corners.
pub(super) struct Curvature {
    pub(super) vertices: [u32; 6],
    pub(super) rows: [[DVec3; 6]; 3],
}

impl Curvature {
    /// Creates the curvature of least energy compatible with the folds; `c` is plane stress.
    pub(super) fn new(
        frame: &LocalFrame,
        (corners, positions): ([u32; 3], [DVec3; 3]),
        apexes: [Option<(u32, DVec3)>; 3],
        c: &[[f64; 3]; 3],
    ) -> Option<Self> {
        let hinges: Vec<Hinge> = (0..3)
            .filter_map(|side| {
                hinge(frame, positions, side, apexes[side].map(|(_, position)| position)?)
            })
            .collect();
        let inverse = inverse3(c.map(DVec3::from))?;
        // G = C D⁻¹ Cᵀ, a missing hinge a row of the identity.
        let mut g = DVec3::AXES;
        for (a, own) in hinges.iter().enumerate() {
            for (b, other) in hinges.iter().enumerate() {
                g[a][b] = own.row.dot(inverse * other.row);
            }
            // Regularisation: hinges of a degenerate patch may be linearly dependent.
            g[a][a] *= 1.0 + 1e-6;
        }
        let g = inverse3(g)?;
        let mut rows = [[DVec3::ZERO; 6]; 3];
        for (a, own) in hinges.iter().enumerate() {
            let towards = inverse * own.row;
            for (b, other) in hinges.iter().enumerate() {
                for r in 0..3 {
                    for (sum, gradient) in rows[r].iter_mut().zip(other.gradient) {
                        *sum += gradient * (towards[r] * g.col(b)[a]);
                    }
                }
            }
        }
        // A missing neighbour has a zero gradient.
        let vertices = std::array::from_fn(|i| match i {
            0..3 => corners[i],
            _ => apexes[i - 3].map_or(corners[0], |(v, _)| v),
        });
        Some(Self { vertices, rows })
    }

    /// Returns the rows (κ_tt, κ_nn, 2 κ_tn) for a direction t in the plane of the triangle.
    pub(super) fn along(&self, [x, y]: [f64; 2]) -> [[DVec3; 6]; 3] {
        let mix = |weights: [f64; 3]| {
            std::array::from_fn(|i| (0..3).map(|r| weights[r] * self.rows[r][i]).sum())
        };
        [
            mix([x * x, y * y, x * y]),
            mix([y * y, x * x, -x * y]),
            mix([-2.0 * x * y, 2.0 * x * y, x * x - y * y]),
        ]
    }
}

/// Returns the hinge on the side from corner `side` to the next, with a neighbour's far corner.
fn hinge(frame: &LocalFrame, positions: [DVec3; 3], side: usize, far: DVec3) -> Option<Hinge> {
    let (i, j, k) = (side, (side + 1) % 3, (side + 2) % 3);
    let (p, q, own) = (positions[i], positions[j], positions[k]);
    let along = unit_or_zero(q - p);
    let length = p.distance(q);
    // Foot of a corner on the side as a fraction, and its height over it.
    let lever = |corner: DVec3| {
        let from = corner - p;
        let foot = from.dot(along);
        (foot / length, from.distance(along * foot))
    };
    let ((s, h), (s_far, h_far)) = (lever(own), lever(far));
    if !(h > 1e-6 * length && h_far > 1e-6 * length) {
        return None;
    }
    // Both normals on the same side of the surface, whatever the windings.
    let normal = frame.axes[2];
    let far_normal = -unit_or_zero(area_vector([p, q, far]));
    let mut gradient = [DVec3::ZERO; 6];
    gradient[k] = normal * (1.0 / h);
    gradient[3 + side] = far_normal * (1.0 / h_far);
    gradient[i] = -(1.0 - s) * normal / h - (1.0 - s_far) * far_normal / h_far;
    gradient[j] = -s * normal / h - s_far * far_normal / h_far;
    Some(Hinge { gradient, row: fold_row(frame, side, [s_far, h_far]) })
}

/// Returns the fold on a side for unit curvatures (κ_xx, κ_yy, 2 κ_xy): the height of ½ xᵀ κ x
/// above the plane of the three corners at the unfolded far corner, divided by its distance
/// from the side.
fn fold_row(frame: &LocalFrame, side: usize, [s, h]: [f64; 2]) -> DVec3 {
    let (i, j) = (side, (side + 1) % 3);
    let (p, q) = (frame.corners[i], frame.corners[j]);
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let length = dx.hypot(dy);
    let apex = [p[0] + s * dx + h * dy / length, p[1] + s * dy - h * dx / length];
    let quadratic = |[x, y]: [f64; 2]| DVec3::new(0.5 * x * x, 0.5 * y * y, 0.5 * x * y);
    let barycentric = |corner: usize| {
        let (b, c) = (frame.corners[(corner + 1) % 3], frame.corners[(corner + 2) % 3]);
        ((c[0] - b[0]) * (apex[1] - b[1]) - (c[1] - b[1]) * (apex[0] - b[0])) / (2.0 * frame.area)
    };
    let mut row = quadratic(apex);
    for corner in 0..3 {
        row -= barycentric(corner) * quadratic(frame.corners[corner]);
    }
    row / h
}

/// Returns the inverse of the matrix of these rows; `None` when singular.
fn inverse3([a, b, c]: [DVec3; 3]) -> Option<DMat3> {
    let [x, y, z] = [b.cross(c), c.cross(a), a.cross(b)];
    let det = a.dot(x);
    (det != 0.0 && det.is_finite()).then(|| DMat3::from_cols(x / det, y / det, z / det))
}

//! Surfaces of targets.

use crate::bvh::TargetMesh;
use foley_geometry::bvh::Aabb;
use glam::DVec3;
use std::f64::consts::PI;
use std::sync::Arc;

/// A two-sided surface.
#[derive(Clone, Debug)]
pub enum Surface {
    /// A flat, convex quadrilateral with its corners in order.
    ///
    /// u runs from the first corner to the second, v from the first to the fourth.
    Quad {
        /// The corners.
        corners_m: [[f64; 3]; 4],
    },
    /// A flat elliptical disc.
    ///
    /// u and v run along the two axes; the ellipse touches all sides of [0, 1]².
    Disc {
        /// Its centre.
        centre_m: [f64; 3],
        /// From the centre to the rim along one axis.
        axis_u_m: [f64; 3],
        /// From the centre to the rim along the perpendicular axis.
        axis_v_m: [f64; 3],
    },
    /// A sphere. u is the azimuth from the x axis; v is the height, so that equal areas of the sphere are
    /// equal areas of [0, 1]².
    Sphere {
        /// Its centre.
        centre_m: [f64; 3],
        /// Its radius.
        radius_m: f64,
    },
    /// The lateral surface of a cylinder, open at both ends. u is the azimuth from the direction nearest to x
    /// (to y, if the axis is nearly along x); v runs from the base to the top.
    Cylinder {
        /// The centre of its base.
        base_m: [f64; 3],
        /// From there to the centre of its top.
        axis_m: [f64; 3],
        /// Its radius.
        radius_m: f64,
    },
    /// The lateral surface of a full or truncated cone, open at its ends. u and v as on a cylinder.
    Cone {
        /// The centre of its base.
        base_m: [f64; 3],
        /// From there to the centre of its top.
        axis_m: [f64; 3],
        /// The radius of its base.
        base_radius_m: f64,
        /// The radius of its top; 0 for an apex.
        top_radius_m: f64,
    },
    /// A triangle mesh. u and v span a grid of cells with two consecutive triangles in each.
    Mesh(Arc<TargetMesh>),
}

impl Surface {
    /// Returns its bounding box.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Quad { corners_m } => Aabb::from_points(corners_m.map(DVec3::from_array)),
            Self::Disc { centre_m, axis_u_m, axis_v_m } => {
                let [c, u, v] = [*centre_m, *axis_u_m, *axis_v_m].map(DVec3::from_array);
                ellipse(c, (u * u + v * v).map(f64::sqrt))
            }
            Self::Sphere { centre_m, radius_m } => {
                ellipse(DVec3::from_array(*centre_m), DVec3::splat(*radius_m))
            }
            Self::Cylinder { base_m, axis_m, radius_m } => {
                ends(*base_m, *axis_m, [*radius_m, *radius_m])
            }
            Self::Cone { base_m, axis_m, base_radius_m, top_radius_m } => {
                ends(*base_m, *axis_m, [*base_radius_m, *top_radius_m])
            }
            Self::Mesh(mesh) => mesh.bounds(),
        }
    }

    /// Returns the area of one side.
    pub fn area_m2(&self) -> f64 {
        match self {
            Self::Quad { corners_m } => {
                let [a, b, c, d] = corners_m.map(DVec3::from_array);
                0.5 * (c - a).cross(d - b).length()
            }
            Self::Disc { axis_u_m, axis_v_m, .. } => {
                PI * DVec3::from_array(*axis_u_m).length() * DVec3::from_array(*axis_v_m).length()
            }
            Self::Sphere { radius_m, .. } => 4.0 * PI * radius_m * radius_m,
            Self::Cylinder { axis_m, radius_m, .. } => {
                2.0 * PI * radius_m * DVec3::from_array(*axis_m).length()
            }
            Self::Cone { axis_m, base_radius_m, top_radius_m, .. } => {
                let narrower = top_radius_m - base_radius_m;
                let slant =
                    (DVec3::from_array(*axis_m).length_squared() + narrower * narrower).sqrt();
                PI * (base_radius_m + top_radius_m) * slant
            }
            Self::Mesh(mesh) => mesh.area_m2(),
        }
    }
}

fn ellipse(centre: DVec3, reach: DVec3) -> Aabb {
    Aabb { lo: (centre - reach).to_array(), hi: (centre + reach).to_array() }
}

/// Returns the bounding box of two circles at the ends of an axis. A circle reaches `r √(1 − n²)` along an axis to
/// which its normal has the component n.
fn ends(base_m: [f64; 3], axis_m: [f64; 3], radii_m: [f64; 2]) -> Aabb {
    let [base, axis] = [base_m, axis_m].map(DVec3::from_array);
    let n = axis.normalize_or_zero();
    let reach = (DVec3::ONE - n * n).map(|x| x.max(0.0).sqrt());
    ellipse(base, reach * radii_m[0]).union(&ellipse(base + axis, reach * radii_m[1]))
}

//! The shapes of colliders.

use crate::bvh::{Aabb, Mesh};
use glam::DVec3;
use std::f64::consts::PI;
use std::sync::Arc;

/// A surface. Stones strike it from either side.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Flat, with four corners in order around it; convex.
    ///
    /// u runs from the first corner to the second, v from the first to the fourth.
    Quad {
        /// The corners.
        corners_m: [[f64; 3]; 4],
    },
    /// Flat and round: an ellipse.
    ///
    /// u and v run along the two axes; the ellipse touches all sides of [0, 1]².
    Disc {
        /// Its middle.
        centre_m: [f64; 3],
        /// From the middle to the rim, along one axis.
        axis_u_m: [f64; 3],
        /// The same along the other, at a right angle.
        axis_v_m: [f64; 3],
    },
    /// u goes around the vertical, from the direction of x; v is the height, so that equal areas of
    /// the sphere are equal areas of [0, 1]².
    Sphere {
        /// Its middle.
        centre_m: [f64; 3],
        /// Its radius.
        radius_m: f64,
    },
    /// The side of a cylinder, open at both ends. u goes around, from the direction nearest to x (to y,
    /// if the axis lies along x); v from the base to the top.
    Cylinder {
        /// The middle of its base.
        base_m: [f64; 3],
        /// From there to the middle of its top.
        axis_m: [f64; 3],
        /// Its radius.
        radius_m: f64,
    },
    /// The side of a cone, whole or truncated, open at its ends. u and v as on a cylinder.
    Cone {
        /// The middle of its base.
        base_m: [f64; 3],
        /// From there to the middle of its top.
        axis_m: [f64; 3],
        /// The radius of its base.
        base_radius_m: f64,
        /// The radius of its top; 0 for a tip.
        top_radius_m: f64,
    },
    /// Triangles. u and v are a grid of cells with two triangles in each, by their numbers.
    Mesh(Arc<Mesh>),
}

impl Shape {
    /// The box around it.
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Quad { corners_m } => Aabb::around(corners_m),
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

    /// Its area, one side.
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

/// The box around two circles at the ends of an axis: a circle reaches `r √(1 − n²)` along an axis to
/// which its normal has the component n.
fn ends(base_m: [f64; 3], axis_m: [f64; 3], radii_m: [f64; 2]) -> Aabb {
    let [base, axis] = [base_m, axis_m].map(DVec3::from_array);
    let n = axis.normalize_or_zero();
    let reach = (DVec3::ONE - n * n).map(|x| x.max(0.0).sqrt());
    ellipse(base, reach * radii_m[0]).with(&ellipse(base + axis, reach * radii_m[1]))
}

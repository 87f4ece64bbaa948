//! Converts colliders of objects into shapes that hail strikes.

use crate::prepare::{Collider, ColliderShape, convex_hull};
use crate::scene::Pose;
use foley_hail::bvh::Mesh;
use foley_hail::{HailError, Shape};
use glam::DVec3;
use std::sync::Arc;

/// Half the side length of the quad that stands for the ground half-space, m.
const GROUND_M: f64 = 1e4;

/// A cylinder shorter than this becomes a disc, m.
const FLAT_M: f64 = 2e-6;

/// Sides of a box, counter-clockwise from outside; bit k of a corner's number is its sign along axis k.
const SIDES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// Returns the surfaces of a collider of an object at a pose.
pub(crate) fn shapes(object: &Pose, collider: &Collider) -> Result<Vec<Shape>, HailError> {
    let at = |p: [f64; 3]| object.apply(collider.pose.apply(p));
    let origin = at([0.0; 3]);
    let along = |p: [f64; 3]| (DVec3::from(at(p)) - DVec3::from(origin)).to_array();
    let mesh = |points: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>| {
        Ok(vec![Shape::Mesh(Arc::new(Mesh::new(points, triangles)?))])
    };
    let moved = |points: &[[f64; 3]]| points.iter().map(|p| at(*p)).collect::<Vec<_>>();
    let side = |half: f64, radius_m: f64| Shape::Cylinder {
        base_m: at([0.0, 0.0, -half]),
        axis_m: along([0.0, 0.0, 2.0 * half]),
        radius_m,
    };
    Ok(match &collider.shape {
        ColliderShape::HalfSpace => {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let corners_m = corners.map(|[x, y]| at([GROUND_M * x, GROUND_M * y, 0.0]));
            vec![Shape::Quad { corners_m }]
        }
        ColliderShape::Box { half_m } => {
            let sign = |k: usize, axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
            let corner = |k: usize| at([0, 1, 2].map(|axis| sign(k, axis) * half_m[axis]));
            SIDES.iter().map(|side| Shape::Quad { corners_m: side.map(corner) }).collect()
        }
        ColliderShape::Ball { radius_m } => {
            vec![Shape::Sphere { centre_m: origin, radius_m: *radius_m }]
        }
        ColliderShape::Cylinder { half_length_m: half, radius_m } => {
            let end = |z: f64| Shape::Disc {
                centre_m: at([0.0, 0.0, z]),
                axis_u_m: along([*radius_m, 0.0, 0.0]),
                axis_v_m: along([0.0, *radius_m, 0.0]),
            };
            match 2.0 * half < FLAT_M {
                true => vec![end(0.0)],
                false => vec![end(-half), side(*half, *radius_m), end(*half)],
            }
        }
        ColliderShape::Capsule { half_length_m: half, radius_m } => {
            let end = |z: f64| Shape::Sphere { centre_m: at([0.0, 0.0, z]), radius_m: *radius_m };
            match 2.0 * half < FLAT_M {
                true => vec![end(0.0)],
                false => vec![end(-half), side(*half, *radius_m), end(*half)],
            }
        }
        ColliderShape::Hull { points_m } => return mesh(moved(points_m), convex_hull(points_m)),
        ColliderShape::Mesh { points_m, triangles } => {
            return mesh(moved(points_m), triangles.clone());
        }
    })
}

//! Colliders: the shapes with which objects touch. Rigid bodies, hail and pictures share them.

use crate::pose::{Pose, from_degrees};
use crate::vector::bounds;
use glam::DVec3;
use std::borrow::Cow;
use std::f64::consts::{PI, TAU};

/// A collision shape about its own origin; lengths in metres. Axes of symmetry lie along z.
#[derive(Debug, Clone, PartialEq)]
pub enum Collider {
    /// The half-space z < 0.
    HalfSpace,
    /// A box.
    Box {
        /// Half the sides.
        half_m: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Radius.
        radius_m: f64,
    },
    /// A cylinder.
    Cylinder {
        /// Half the length.
        half_length_m: f64,
        /// Radius.
        radius_m: f64,
    },
    /// A cylinder with a half-ball at each end.
    Capsule {
        /// Half the length of the cylinder.
        half_length_m: f64,
        /// Radius.
        radius_m: f64,
    },
    /// A cone with its tip at +z.
    Cone {
        /// Half the height.
        half_length_m: f64,
        /// Radius of the base.
        radius_m: f64,
    },
    /// A ring (torus).
    Ring {
        /// Major radius: from the centre to the middle of the tube.
        radius_m: f64,
        /// Minor radius: of the tube.
        tube_m: f64,
    },
    /// The convex hull of points.
    Hull {
        /// Four points or more, not in one plane.
        points_m: Vec<[f64; 3]>,
    },
    /// Triangles. Dynamic bodies need a closed surface.
    Mesh {
        /// Vertices.
        points_m: Vec<[f64; 3]>,
        /// Vertex indices, counter-clockwise from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// Several shapes in one body. Overlapping volume counts twice in the mass.
    Compound {
        /// Shapes with their poses; none of them a compound.
        parts: Vec<Part>,
    },
}

/// One shape of a compound.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Shape.
    pub collider: Collider,
    /// Its pose in the frame of the compound.
    pub pose: Pose,
}

impl Collider {
    /// Makes a box from its sides.
    pub fn cuboid(x_m: f64, y_m: f64, z_m: f64) -> Self {
        Self::Box { half_m: [x_m / 2.0, y_m / 2.0, z_m / 2.0] }
    }

    /// Makes a ball.
    pub fn ball(radius_m: f64) -> Self {
        Self::Ball { radius_m }
    }

    /// Returns the collider at a pose: a compound of one part, or itself if the pose moves nothing.
    pub fn at(self, pose: Pose) -> Self {
        if pose == Pose::default() {
            return self;
        }
        Self::Compound { parts: vec![Part { collider: self, pose }] }
    }

    /// Scales all lengths.
    pub fn scale(&mut self, size: f64) {
        match self {
            Self::HalfSpace => (),
            Self::Box { half_m } => *half_m = half_m.map(|x| x * size),
            Self::Ball { radius_m } => *radius_m *= size,
            Self::Cylinder { half_length_m: length_m, radius_m }
            | Self::Capsule { half_length_m: length_m, radius_m }
            | Self::Cone { half_length_m: length_m, radius_m }
            | Self::Ring { radius_m, tube_m: length_m } => {
                *length_m *= size;
                *radius_m *= size;
            }
            Self::Hull { points_m } | Self::Mesh { points_m, .. } => {
                points_m.iter_mut().for_each(|p| *p = p.map(|x| x * size));
            }
            Self::Compound { parts } => {
                for Part { collider, pose } in parts {
                    collider.scale(size);
                    pose.position_m = pose.position_m.map(|x| x * size);
                }
            }
        }
    }

    /// Returns the lower and upper corner of a box around the collider; `None` for a half-space.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let around = |half: DVec3| Some([-half, half]);
        match self {
            Self::HalfSpace => None,
            Self::Box { half_m } => around((*half_m).into()),
            Self::Ball { radius_m } => around(DVec3::splat(*radius_m)),
            Self::Cylinder { half_length_m, radius_m } | Self::Cone { half_length_m, radius_m } => {
                around(DVec3::new(*radius_m, *radius_m, *half_length_m))
            }
            Self::Capsule { half_length_m, radius_m } => {
                around(DVec3::new(*radius_m, *radius_m, half_length_m + radius_m))
            }
            Self::Ring { radius_m, tube_m } => {
                let outer_m = radius_m + tube_m;
                around(DVec3::new(outer_m, outer_m, *tube_m))
            }
            Self::Hull { points_m } | Self::Mesh { points_m, .. } => {
                bounds(points_m.iter().map(|p| (*p).into()))
            }
            Self::Compound { parts } => {
                let corners = parts.iter().filter_map(|Part { collider, pose }| {
                    let [low, high] = collider.bounds()?;
                    let corner = move |i: u32| {
                        let pick = |axis: u32| [low, high][(i >> axis & 1) as usize][axis as usize];
                        DVec3::from(pose.apply([pick(0), pick(1), pick(2)]))
                    };
                    Some((0..8).map(corner))
                });
                bounds(corners.flatten())
            }
        }
    }

    /// Returns the shapes of the collider with their poses: the parts of a compound, the capsules of a
    /// ring, or the collider itself. None of them is a compound or a ring.
    pub fn simple_parts(&self) -> Vec<(Cow<'_, Self>, Pose)> {
        match self {
            Self::Ring { radius_m, tube_m } => {
                let capsules = ring_capsules(*radius_m, *tube_m).into_iter();
                capsules.map(|capsule| (Cow::Owned(capsule.collider), capsule.pose)).collect()
            }
            Self::Compound { parts } => {
                let simple = parts.iter().flat_map(|part| {
                    let parts = part.collider.simple_parts().into_iter();
                    parts.map(|(collider, pose)| (collider, part.pose.compose(&pose)))
                });
                simple.collect()
            }
            simple => vec![(Cow::Borrowed(simple), Pose::default())],
        }
    }
}

/// Returns capsules around the circle of a ring. A chord of angle 2π/n deviates inwards by
/// R (1 − cos π/n); n makes this a tenth of the tube's radius, and half of it is shifted outwards.
pub fn ring_capsules(radius_m: f64, tube_m: f64) -> Vec<Part> {
    let n = (PI * (radius_m / (0.2 * tube_m)).sqrt()).ceil().clamp(12.0, 48.0);
    let shift = 0.5 * radius_m * (1.0 - (PI / n).cos());
    let half_length_m = (radius_m + shift) * (PI / n).sin();
    let at = radius_m * (PI / n).cos() + shift;
    let capsule = |i: u32| {
        let angle = TAU * f64::from(i) / n;
        // From z to x, then about z: along the circle.
        let rotation = from_degrees([0.0, 90.0, angle.to_degrees() + 90.0]);
        let pose = Pose { position_m: [at * angle.cos(), at * angle.sin(), 0.0], rotation };
        Part { collider: Collider::Capsule { half_length_m, radius_m: tube_m }, pose }
    };
    (0..n as u32).map(capsule).collect()
}

/// Faces of a box as numbers of its corners, counter-clockwise from outside.
pub const CUBOID_FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// Returns the corners of a box; bit k of a corner's number is its sign along axis k.
pub fn cuboid_corners(half_m: [f64; 3]) -> [[f64; 3]; 8] {
    let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
    [0, 1, 2, 3, 4, 5, 6, 7].map(|corner| [0, 1, 2].map(|axis| sign(corner, axis) * half_m[axis]))
}

/// Returns the triangles of a box between its corners, two to a face.
pub fn cuboid_triangles() -> Vec<[u32; 3]> {
    CUBOID_FACES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
}

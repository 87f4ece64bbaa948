//! Colliders, in plain types for any physics engine.

use super::error::ObjectError;
use super::support_points::support_points;
use crate::scene::pose::{Pose, from_degrees};
use crate::scene::{ColliderKind, Motion};
use foley_geometry::vector::bounds;
use foley_modal::Shape;
use foley_modal::shape::{Section, Solid};
use std::f64::consts::{PI, TAU};

/// A shape with its pose in the object's coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// Pose.
    pub pose: Pose,
    /// Shape.
    pub shape: ColliderShape,
}

/// The shape of a collider about its own origin; lengths in metres.
#[derive(Debug, Clone, PartialEq)]
pub enum ColliderShape {
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
    /// A cylinder along z.
    Cylinder {
        /// Half the length.
        half_length_m: f64,
        /// Radius.
        radius_m: f64,
    },
    /// A capsule along z: a cylinder with a half-ball at each end.
    Capsule {
        /// Half the length of the cylinder.
        half_length_m: f64,
        /// Radius.
        radius_m: f64,
    },
    /// The convex hull of points.
    Hull {
        /// Four points or more, not in one plane.
        points_m: Vec<[f64; 3]>,
    },
    /// Triangles.
    Mesh {
        /// Vertices.
        points_m: Vec<[f64; 3]>,
        /// Vertex indices, counter-clockwise from outside.
        triangles: Vec<[u32; 3]>,
    },
}

impl ColliderShape {
    pub(super) fn at_origin(self) -> Collider {
        Collider { pose: Pose::default(), shape: self }
    }

    fn at(self, position_m: [f64; 3], degrees: [f64; 3]) -> Collider {
        Collider { pose: Pose { position_m, rotation: from_degrees(degrees) }, shape: self }
    }
}

/// Thickness of a membrane, m.
const MEMBRANE_M: f64 = 1e-3;
/// A body flatter than this part of its size is a sheet.
const FLAT: f64 = 2e-3;
/// Thickness of a sheet that has none, as a part of its size.
const SHEET: f64 = 5e-3;

/// Returns the colliders of a shape.
pub(super) fn of_shape(shape: &Shape) -> Result<Vec<Collider>, ObjectError> {
    let along_x = [0.0, 90.0, 0.0];
    let cylinder = |length: f64, diameter: f64| ColliderShape::Cylinder {
        half_length_m: 0.5 * length,
        radius_m: 0.5 * diameter,
    };
    Ok(vec![match shape {
        Shape::Bar(bar) => match bar.section() {
            Section::Rectangle { width, thickness } => {
                ColliderShape::Box { half_m: [0.5 * bar.length(), 0.5 * width, 0.5 * thickness] }
                    .at_origin()
            }
            Section::Round { diameter } => cylinder(bar.length(), diameter).at([0.0; 3], along_x),
        },
        Shape::Plate(plate) => {
            let sides = [plate.length(), plate.width(), plate.thickness()];
            ColliderShape::Box { half_m: sides.map(|side| 0.5 * side) }.at_origin()
        }
        Shape::Disc(disc) => cylinder(disc.thickness(), disc.diameter()).at_origin(),
        Shape::Membrane(membrane) => cylinder(MEMBRANE_M, membrane.diameter()).at_origin(),
        Shape::String(string) => cylinder(string.length(), string.diameter()).at([0.0; 3], along_x),
        _ => {
            return Err(ObjectError::Collider { kind: "auto", why: "its shape has none" });
        }
    }])
}

/// Scales colliders.
pub(super) fn scaled(colliders: &[Collider], size: f64) -> Vec<Collider> {
    let scale = |collider: &Collider| {
        let mut collider = collider.clone();
        collider.pose.position_m = collider.pose.position_m.map(|x| x * size);
        match &mut collider.shape {
            ColliderShape::HalfSpace => (),
            ColliderShape::Box { half_m } => *half_m = half_m.map(|x| x * size),
            ColliderShape::Ball { radius_m } => *radius_m *= size,
            ColliderShape::Cylinder { half_length_m, radius_m }
            | ColliderShape::Capsule { half_length_m, radius_m } => {
                *half_length_m *= size;
                *radius_m *= size;
            }
            ColliderShape::Hull { points_m } | ColliderShape::Mesh { points_m, .. } => {
                points_m.iter_mut().for_each(|p| *p = p.map(|x| x * size));
            }
        }
        collider
    };
    colliders.iter().map(scale).collect()
}

/// Returns the colliders of a solid.
pub(super) fn of_solid(solid: Solid) -> Vec<Collider> {
    match solid {
        Solid::Ball { diameter_m } => {
            vec![ColliderShape::Ball { radius_m: 0.5 * diameter_m }.at_origin()]
        }
        Solid::Box { sides_m } => {
            vec![ColliderShape::Box { half_m: sides_m.map(|side| 0.5 * side) }.at_origin()]
        }
        Solid::Cylinder { length_m, diameter_m } => {
            let (half_length_m, radius_m) = (0.5 * length_m, 0.5 * diameter_m);
            vec![ColliderShape::Cylinder { half_length_m, radius_m }.at_origin()]
        }
        Solid::Ring { diameter_m, wire_m } => ring(0.5 * diameter_m, 0.5 * wire_m),
    }
}

/// Returns capsules around a circle. A chord of angle 2π/n deviates inwards by R (1 − cos π/n); n
/// makes this a tenth of the wire's radius, and half of it is shifted outwards.
fn ring(radius: f64, wire: f64) -> Vec<Collider> {
    let n = (PI * (radius / (0.2 * wire)).sqrt()).ceil().clamp(12.0, 48.0);
    let shift = 0.5 * radius * (1.0 - (PI / n).cos());
    let shape =
        ColliderShape::Capsule { half_length_m: (radius + shift) * (PI / n).sin(), radius_m: wire };
    let at = radius * (PI / n).cos() + shift;
    let capsule = |i: u32| {
        let angle = TAU * f64::from(i) / n;
        // From z to x, then about z: along the circle.
        let degrees = [0.0, 90.0, angle.to_degrees() + 90.0];
        shape.clone().at([at * angle.cos(), at * angle.sin(), 0.0], degrees)
    };
    (0..n as u32).map(capsule).collect()
}

/// Returns the colliders of points and triangles. `wall_m` is the thickness of a sheet.
pub(super) fn of_mesh(
    points: &[[f64; 3]],
    triangles: &[[u32; 3]],
    wall_m: Option<f64>,
    kind: ColliderKind,
    motion: &Motion,
) -> Result<Vec<Collider>, ObjectError> {
    let [low, high] = bounds(points.iter().map(|&p| p.into())).unwrap_or_default();
    let centre = low.midpoint(high).to_array();
    let sides = (high - low).to_array();
    let size = sides.iter().copied().fold(0.0, f64::max);
    let flat = sides.iter().any(|side| *side < FLAT * size);
    let min_side = wall_m.unwrap_or(0.0).max(SHEET * size);
    let bounding_radius = |axes: &[usize]| {
        let distance =
            |p: &[f64; 3]| axes.iter().map(|i| (p[*i] - centre[*i]).powi(2)).sum::<f64>().sqrt();
        points.iter().map(distance).fold(0.0, f64::max).max(0.5 * min_side)
    };
    let kind = match kind {
        ColliderKind::Auto if triangles.is_empty() && flat => ColliderKind::Box,
        ColliderKind::Auto if triangles.is_empty() => ColliderKind::Hull,
        ColliderKind::Auto if *motion != Motion::Dynamic => ColliderKind::Mesh,
        ColliderKind::Auto | ColliderKind::Hull if flat => ColliderKind::Box,
        ColliderKind::Auto => ColliderKind::Hull,
        kind => kind,
    };
    Ok(vec![match kind {
        ColliderKind::None => return Ok(Vec::new()),
        ColliderKind::Box | ColliderKind::Auto => {
            ColliderShape::Box { half_m: sides.map(|s| 0.5 * s.max(min_side)) }.at(centre, [0.0; 3])
        }
        ColliderKind::Ball => {
            ColliderShape::Ball { radius_m: bounding_radius(&[0, 1, 2]) }.at(centre, [0.0; 3])
        }
        ColliderKind::Cylinder => ColliderShape::Cylinder {
            half_length_m: 0.5 * sides[2].max(min_side),
            radius_m: bounding_radius(&[0, 1]),
        }
        .at(centre, [0.0; 3]),
        ColliderKind::Hull => ColliderShape::Hull { points_m: support_points(points) }.at_origin(),
        ColliderKind::Mesh if triangles.is_empty() => {
            return Err(ObjectError::Collider { kind: "mesh", why: "it has no triangles" });
        }
        ColliderKind::Mesh => {
            ColliderShape::Mesh { points_m: points.to_vec(), triangles: triangles.to_vec() }
                .at_origin()
        }
    }])
}

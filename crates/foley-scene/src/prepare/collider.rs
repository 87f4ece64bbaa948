//! What others touch of an object, in plain types that any physics engine can take.

use super::error::ObjectError;
use super::support_points::support_points;
use crate::scene::pose::{Pose, from_degrees};
use crate::scene::{ColliderKind, Motion};
use foley_modal::Shape;
use foley_modal::shape::{Section, Solid};
use std::f64::consts::{PI, TAU};

/// A form, and where it is in the object's own coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Collider {
    /// Where.
    pub pose: Pose,
    /// What.
    pub shape: ColliderShape,
}

/// A form about its own origin; lengths in metres.
#[derive(Debug, Clone, PartialEq)]
pub enum ColliderShape {
    /// Everything with z < 0.
    HalfSpace,
    /// A box.
    Box {
        /// Half its sides.
        half_m: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Its radius.
        radius_m: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Half its length.
        half_length_m: f64,
        /// Its radius.
        radius_m: f64,
    },
    /// A cylinder along z with a half ball at each end.
    Capsule {
        /// Half its length, without the ends.
        half_length_m: f64,
        /// Its radius.
        radius_m: f64,
    },
    /// The convex hull of points.
    Hull {
        /// Four or more, not in one plane.
        points_m: Vec<[f64; 3]>,
    },
    /// Triangles.
    Mesh {
        /// Corners.
        points_m: Vec<[f64; 3]>,
        /// Three of them each, counter-clockwise from outside.
        triangles: Vec<[u32; 3]>,
    },
}

impl ColliderShape {
    pub(super) fn here(self) -> Collider {
        Collider { pose: Pose::default(), shape: self }
    }

    fn at(self, position_m: [f64; 3], degrees: [f64; 3]) -> Collider {
        Collider { pose: Pose { position_m, rotation: from_degrees(degrees) }, shape: self }
    }
}

/// Skins have no thickness to speak of, m.
const SKIN_M: f64 = 1e-3;
/// What is flatter than this part of its size is a sheet.
const FLAT: f64 = 2e-3;
/// A sheet without thickness gets this part of its size.
const SHEET: f64 = 5e-3;

/// Of a shape.
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
                    .here()
            }
            Section::Round { diameter } => cylinder(bar.length(), diameter).at([0.0; 3], along_x),
        },
        Shape::Plate(plate) => {
            let sides = [plate.length(), plate.width(), plate.thickness()];
            ColliderShape::Box { half_m: sides.map(|side| 0.5 * side) }.here()
        }
        Shape::Disc(disc) => cylinder(disc.thickness(), disc.diameter()).here(),
        Shape::Membrane(membrane) => cylinder(SKIN_M, membrane.diameter()).here(),
        Shape::String(string) => cylinder(string.length(), string.diameter()).at([0.0; 3], along_x),
        _ => {
            return Err(ObjectError::Collider { kind: "auto", why: "its shape is not known here" });
        }
    }])
}

/// Everything larger or smaller.
pub(super) fn scaled(colliders: &[Collider], size: f64) -> Vec<Collider> {
    let larger = |collider: &Collider| {
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
    colliders.iter().map(larger).collect()
}

/// Of a solid.
pub(super) fn of_solid(solid: Solid) -> Vec<Collider> {
    match solid {
        Solid::Ball { diameter_m } => {
            vec![ColliderShape::Ball { radius_m: 0.5 * diameter_m }.here()]
        }
        Solid::Box { sides_m } => {
            vec![ColliderShape::Box { half_m: sides_m.map(|side| 0.5 * side) }.here()]
        }
        Solid::Cylinder { length_m, diameter_m } => {
            let (half_length_m, radius_m) = (0.5 * length_m, 0.5 * diameter_m);
            vec![ColliderShape::Cylinder { half_length_m, radius_m }.here()]
        }
        Solid::Ring { diameter_m, wire_m } => ring(0.5 * diameter_m, 0.5 * wire_m),
    }
}

/// Capsules round a circle. A chord of angle 2π/n runs up to R (1 − cos π/n) inside of it; n is
/// such that this is a tenth of the wire's radius, and they are laid half of it outside.
fn ring(radius: f64, wire: f64) -> Vec<Collider> {
    let n = (PI * (radius / (0.2 * wire)).sqrt()).ceil().clamp(12.0, 48.0);
    let outside = 0.5 * radius * (1.0 - (PI / n).cos());
    let shape = ColliderShape::Capsule {
        half_length_m: (radius + outside) * (PI / n).sin(),
        radius_m: wire,
    };
    let at = radius * (PI / n).cos() + outside;
    let capsule = |i: u32| {
        let angle = TAU * f64::from(i) / n;
        // From z to x, then half-way round z from there: along the circle.
        let turn = [0.0, 90.0, angle.to_degrees() + 90.0];
        shape.clone().at([at * angle.cos(), at * angle.sin(), 0.0], turn)
    };
    (0..n as u32).map(capsule).collect()
}

/// Lowest and highest corner of points.
fn bounds(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let each = |f: fn(f64, f64) -> f64, from: f64| {
        [0, 1, 2].map(|i| points.iter().map(|p| p[i]).fold(from, f))
    };
    [each(f64::min, f64::INFINITY), each(f64::max, f64::NEG_INFINITY)]
}

/// Of a cloud of points with triangles between them, as asked for. `wall_m` is the thickness of
/// a sheet.
pub(super) fn of_mesh(
    points: &[[f64; 3]],
    triangles: &[[u32; 3]],
    wall_m: Option<f64>,
    kind: ColliderKind,
    motion: &Motion,
) -> Result<Vec<Collider>, ObjectError> {
    let [low, high] = bounds(points);
    let middle = [0, 1, 2].map(|i| 0.5 * (low[i] + high[i]));
    let sides = [0, 1, 2].map(|i| high[i] - low[i]);
    let size = sides.iter().copied().fold(0.0, f64::max);
    let flat = sides.iter().any(|side| *side < FLAT * size);
    let least = wall_m.unwrap_or(0.0).max(SHEET * size);
    let around = |axes: &[usize]| {
        let distance =
            |p: &[f64; 3]| axes.iter().map(|i| (p[*i] - middle[*i]).powi(2)).sum::<f64>().sqrt();
        points.iter().map(distance).fold(0.0, f64::max).max(0.5 * least)
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
            ColliderShape::Box { half_m: sides.map(|s| 0.5 * s.max(least)) }.at(middle, [0.0; 3])
        }
        ColliderKind::Ball => {
            ColliderShape::Ball { radius_m: around(&[0, 1, 2]) }.at(middle, [0.0; 3])
        }
        ColliderKind::Cylinder => ColliderShape::Cylinder {
            half_length_m: 0.5 * sides[2].max(least),
            radius_m: around(&[0, 1]),
        }
        .at(middle, [0.0; 3]),
        ColliderKind::Hull => ColliderShape::Hull { points_m: support_points(points) }.here(),
        ColliderKind::Mesh if triangles.is_empty() => {
            return Err(ObjectError::Collider { kind: "mesh", why: "it has no triangles" });
        }
        ColliderKind::Mesh => {
            ColliderShape::Mesh { points_m: points.to_vec(), triangles: triangles.to_vec() }.here()
        }
    }])
}

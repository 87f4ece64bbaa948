//! Colliders of objects.

use super::error::ObjectError;
use crate::scene::{ColliderKind, Motion, Object};
use foley_geometry::pose::{Pose, from_degrees};
use foley_geometry::vector::bounds;
use foley_geometry::{Collider, support_points};
use foley_modal::Shape;
use foley_modal::shape::{Section, Solid};

/// Thickness of a membrane, m.
const MEMBRANE_M: f64 = 1e-3;
/// A body flatter than this part of its size is a sheet.
const FLAT: f64 = 2e-3;
/// Thickness of a sheet that has none, as a part of its size.
const SHEET: f64 = 5e-3;

/// Returns the collider of a shape.
pub(super) fn of_shape(shape: &Shape) -> Result<Collider, ObjectError> {
    let along_x = Pose { position_m: [0.0; 3], rotation: from_degrees([0.0, 90.0, 0.0]) };
    Ok(match shape {
        Shape::Bar(bar) => match bar.section() {
            Section::Rectangle { width, thickness } => {
                Collider::cuboid(bar.length(), width, thickness)
            }
            Section::Round { diameter } => cylinder(bar.length(), diameter).at(along_x),
        },
        Shape::Plate(plate) => Collider::cuboid(plate.length(), plate.width(), plate.thickness()),
        Shape::Disc(disc) => cylinder(disc.thickness(), disc.diameter()),
        Shape::Membrane(membrane) => cylinder(MEMBRANE_M, membrane.diameter()),
        Shape::String(string) => cylinder(string.length(), string.diameter()).at(along_x),
        _ => return Err(ObjectError::Collider { kind: "auto", why: "its shape has none" }),
    })
}

fn cylinder(length: f64, diameter: f64) -> Collider {
    Collider::Cylinder { half_length_m: 0.5 * length, radius_m: 0.5 * diameter }
}

/// Returns the collider of a solid.
pub(super) fn of_solid(solid: Solid) -> Collider {
    match solid {
        Solid::Ball { diameter_m } => Collider::ball(0.5 * diameter_m),
        Solid::Box { sides_m: [x, y, z] } => Collider::cuboid(x, y, z),
        Solid::Cylinder { length_m, diameter_m } => cylinder(length_m, diameter_m),
        Solid::Ring { diameter_m, wire_m } => {
            Collider::Ring { radius_m: 0.5 * diameter_m, tube_m: 0.5 * wire_m }
        }
    }
}

/// Returns the collider of points and triangles; none of the kind `None`. `wall_m` is the thickness of a sheet.
pub(super) fn of_mesh(
    points: &[[f64; 3]],
    triangles: &[[u32; 3]],
    wall_m: Option<f64>,
    object: &Object,
) -> Result<Option<Collider>, ObjectError> {
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
    let kind = match object.collider {
        ColliderKind::Auto if triangles.is_empty() && flat => ColliderKind::Box,
        ColliderKind::Auto if triangles.is_empty() => ColliderKind::Hull,
        ColliderKind::Auto if object.motion != Motion::Dynamic => ColliderKind::Mesh,
        ColliderKind::Auto | ColliderKind::Hull if flat => ColliderKind::Box,
        ColliderKind::Auto => ColliderKind::Hull,
        kind => kind,
    };
    let centred = Pose { position_m: centre, ..Pose::default() };
    Ok(Some(match kind {
        ColliderKind::None => return Ok(None),
        ColliderKind::Box | ColliderKind::Auto => {
            Collider::Box { half_m: sides.map(|s| 0.5 * s.max(min_side)) }.at(centred)
        }
        ColliderKind::Ball => Collider::ball(bounding_radius(&[0, 1, 2])).at(centred),
        ColliderKind::Cylinder => Collider::Cylinder {
            half_length_m: 0.5 * sides[2].max(min_side),
            radius_m: bounding_radius(&[0, 1]),
        }
        .at(centred),
        ColliderKind::Hull => Collider::Hull { points_m: support_points(points) },
        ColliderKind::Mesh if triangles.is_empty() => {
            return Err(ObjectError::Collider { kind: "mesh", why: "it has no triangles" });
        }
        ColliderKind::Mesh => {
            Collider::Mesh { points_m: points.to_vec(), triangles: triangles.to_vec() }
        }
    }))
}

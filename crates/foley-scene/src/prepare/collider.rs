//! Colliders of objects.

use super::PreparedObject;
use super::error::{ObjectError, PrepareError};
use super::geometry::Geometry;
use super::object::GeometryCache;
use crate::scene::{BodySource, ColliderKind, Motion, Object, Scene};
use foley_geometry::pose::{Pose, from_degrees};
use foley_geometry::vector::bounds;
use foley_geometry::{Collider, MassProperties, length_and_thickness, support_points};
use foley_modal::ModalModel;
use foley_modal::Shape;
use foley_modal::shape::{Section, Solid};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Thickness of a membrane, m.
const MEMBRANE_M: f64 = 1e-3;
/// A body flatter than this part of its size is a sheet.
const FLAT: f64 = 2e-3;
/// Thickness of a sheet that has none, as a part of its size.
const SHEET: f64 = 5e-3;

/// Points closer together are one point, m.
const ONE_POINT_M: f64 = 1e-4;

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

/// Returns the collider of a model.
pub(super) fn of_model(
    model: &ModalModel,
    object: &Object,
) -> Result<Option<Collider>, ObjectError> {
    let point_radius_m = point_radius_m(model, object);
    let has_surface = !model.triangles.is_empty();
    if has_surface || object.collider != ColliderKind::Auto {
        let wall_m = point_radius_m.map(|radius_m| 2.0 * radius_m);
        return of_mesh(&model.points, &model.triangles, wall_m, object);
    }
    let [length_m, thickness_m] = length_and_thickness(&model.points);
    Ok(Some(if let Some(radius_m) = point_radius_m {
        let [low, high] = bounds(model.points.iter().map(|&p| p.into())).unwrap_or_default();
        let position_m = low.midpoint(high).to_array();
        Collider::ball(radius_m).at(Pose { position_m, ..Pose::default() })
    } else if thickness_m < FLAT * length_m {
        thin_box(&model.points, SHEET * length_m)
    } else {
        Collider::Hull { points_m: support_points(&model.points) }
    }))
}

/// Returns the radius at size 1 of a ball with the mass of an object whose model is one point, m; `None` for other
/// models.
pub(super) fn point_radius_m(model: &ModalModel, object: &Object) -> Option<f64> {
    let [length_m, _] = length_and_thickness(&model.points);
    // A mass that is given is that of the object at its size.
    let (mass_kg, size) = match object.mass_kg {
        Some(mass_kg) => (mass_kg, object.size),
        None => (model.body.mass_kg, 1.0),
    };
    let radius_m = (0.75 * mass_kg / (PI * object.material.density)).cbrt();
    (length_m < ONE_POINT_M).then(|| radius_m.clamp(1e-3, 10.0) / size)
}

/// Returns the smaller of the boxes around points along the axes and along the principal axes, with sides of a
/// least length.
fn thin_box(points: &[[f64; 3]], least_m: f64) -> Collider {
    let (_, principal) = MassProperties::of_points(points, 1.0).principal();
    let boxes = [DQuat::IDENTITY, DQuat::from_array(principal)].map(|rotation| {
        let back = rotation.inverse();
        let [low, high] = bounds(points.iter().map(|&p| back * DVec3::from(p))).unwrap_or_default();
        (rotation, low.midpoint(high), (high - low).max(DVec3::splat(least_m)))
    });
    let [along_axes, tilted] = boxes;
    let is_smaller = tilted.2.element_product() < 0.99 * along_axes.2.element_product();
    let (rotation, centre, sides) = if is_smaller { tilted } else { along_axes };
    let pose = Pose { position_m: (rotation * centre).to_array(), rotation: rotation.to_array() };
    Collider::cuboid(sides.x, sides.y, sides.z).at(pose)
}

/// Returns a note on each model whose collider follows from points alone.
pub(super) fn notes(
    scene: &Scene,
    objects: &[PreparedObject],
    geometries: &mut GeometryCache,
) -> Result<Vec<String>, PrepareError> {
    let mut found: BTreeMap<String, (String, String, usize)> = BTreeMap::new();
    for (object, prepared) in scene.objects.iter().zip(objects) {
        let is_model = matches!(object.body, BodySource::Model(_));
        if !is_model || object.collider != ColliderKind::Auto {
            continue;
        }
        let geometry = geometries.geometry(object, scene)?;
        let (Geometry::Model(model, _), Some(collider)) = (&*geometry, &prepared.collider) else {
            continue;
        };
        if !model.triangles.is_empty() {
            continue;
        }
        let points = match model.points.len() {
            1 => "1 point".to_owned(),
            n => format!("{n} points"),
        };
        let parts = collider.simple_parts();
        let material = &object.material.name;
        let collider = parts.first().map(|(part, _)| in_words(part, material)).unwrap_or_default();
        let what = format!("its model has no surface, only {points}: its collider is {collider}");
        let key = format!("{:?} {what}", object.body);
        found.entry(key).or_insert((object.name.clone(), what, 0)).2 += 1;
    }
    let note = |(name, what, count): (String, String, usize)| {
        let like_it = match count {
            1 => String::new(),
            n => format!(" and {} like it", n - 1),
        };
        format!("\"{name}\"{like_it}: {what}; write `collider` for another")
    };
    Ok(found.into_values().map(note).collect())
}

/// Describes the collider of points with its lengths. A ball stands for one point of a material.
fn in_words(collider: &Collider, material: &str) -> String {
    let mm = |metres: f64| format!("{:.1}", 1e3 * metres);
    match collider {
        Collider::Ball { radius_m } => {
            let radius = mm(*radius_m);
            format!("a ball of {radius} mm radius, with its mass and the density of {material}")
        }
        Collider::Box { half_m } => {
            let [x, y, z] = half_m.map(|half_m| mm(2.0 * half_m));
            format!("a box of {x} × {y} × {z} mm")
        }
        _ => "their convex hull".into(),
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

//! Conversion of a [`Body`] to Rapier's rigid body and colliders, with mass and inertia.

use super::convert::{pose, vector};
use super::shared_shapes::SharedShapes;
use super::view::ColliderSurface;
use crate::{Body, Mass, Motion, PhysicsError};
use foley_geometry::{Collider, Pose as ColliderPose};
use glam::DQuat;
use rapier3d::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Rotates Rapier's axis of symmetry, y, to that of a collider, z.
const Z_FROM_Y: DQuat = DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2);
/// Capsules that approximate a ring.
const LINKS: usize = 16;
/// Smallest moment of inertia, of the largest one of the same body: less than single precision
/// resolves.
const MIN_MOMENT: f64 = 1e-8;

pub(super) type Piece = (ColliderBuilder, ColliderSurface);

pub(super) fn rigid_body(body: &Body, number: u32) -> RigidBodyBuilder {
    let builder = match body.motion {
        Motion::Fixed => RigidBodyBuilder::fixed(),
        Motion::Dynamic => RigidBodyBuilder::dynamic(),
        Motion::Kinematic(_) => RigidBodyBuilder::kinematic_position_based(),
    };
    builder
        .pose(pose(body.position, body.rotation))
        .linvel(vector(body.velocity))
        .angvel(vector(body.spin))
        .ccd_enabled(body.bullet)
        .can_sleep(body.may_sleep)
        .allow_fast_rotation(true)
        .user_data(u128::from(number))
}

/// Returns the colliders of a body with their mass and surface properties.
pub(super) fn pieces(body: &Body, known: &mut SharedShapes) -> Result<Vec<Piece>, PhysicsError> {
    let mut pieces = match &*body.collider {
        Collider::Compound { parts } => {
            let pieces = parts.iter().map(|part| piece(body, &part.collider, &part.pose));
            pieces.collect::<Result<Vec<_>, _>>()?
        }
        collider => {
            let place = ColliderPose::default();
            let make = || shape(body, collider);
            vec![at_pose(known.get_or_make(&body.collider, make)?, collider, &place)]
        }
    };
    for (collider, _) in &mut pieces {
        *collider =
            collider.clone().friction(body.friction as f32).restitution(body.restitution as f32);
    }
    set_mass(body, &mut pieces)?;
    Ok(pieces)
}

/// Sets mass, centre of mass and inertia of a dynamic body.
fn set_mass(body: &Body, pieces: &mut [Piece]) -> Result<(), PhysicsError> {
    if body.motion != Motion::Dynamic {
        return Ok(());
    }
    // A ring has its own inertia for unit density; other shapes derive theirs.
    let unit_density = |(piece, _): &Piece| match &piece.mass_properties {
        ColliderMassProps::MassProperties(given) => **given,
        _ => piece.clone().density(1.0).build().mass_properties(),
    };
    let units: Vec<MassProperties> = pieces.iter().map(unit_density).collect();
    let volume: f64 = units.iter().map(|unit| f64::from(unit.mass())).sum();
    if !(volume > 1e-18 && volume.is_finite()) {
        return Err(PhysicsError::Shape {
            body: body.name.clone(),
            why:
                "its shape encloses no volume, so nothing would be inside or outside it; close the \
                  mesh, flip its triangles, or use a hull"
                    .into(),
        });
    }
    let density = match body.mass {
        Mass::Kilograms(mass) => mass / volume,
        Mass::Density(density) => density,
        Mass::Properties(given) => {
            set_properties(&given, pieces);
            return Ok(());
        }
    };
    for ((piece, _), unit) in pieces.iter_mut().zip(units) {
        let scaled = MassProperties::with_principal_inertia_frame(
            unit.local_com,
            unit.mass() * density as f32,
            unit.principal_inertia() * density as f32,
            unit.principal_inertia_local_frame,
        );
        *piece = piece.clone().mass_properties(scaled);
    }
    Ok(())
}

/// Gives the mass properties of the body to its first collider, and no mass to the others.
fn set_properties(given: &foley_geometry::MassProperties, pieces: &mut [Piece]) {
    let (moments, axes) = given.principal();
    // As thin as a line, a body would spin about it without limit.
    let least = MIN_MOMENT * moments.iter().copied().fold(0.0, f64::max);
    let of_body = MassProperties::with_principal_inertia_frame(
        vector(given.centre_m),
        given.mass_kg as f32,
        vector(moments.map(|moment| moment.max(least))),
        DQuat::from_array(axes).as_quat(),
    );
    for (k, (piece, _)) in pieces.iter_mut().enumerate() {
        let own = match k {
            0 => of_body.transform_by(&piece.position.inverse()),
            _ => MassProperties::default(),
        };
        *piece = piece.clone().mass_properties(own);
    }
}

/// Converts a simple shape at a pose.
fn piece(body: &Body, collider: &Collider, place: &ColliderPose) -> Result<Piece, PhysicsError> {
    Ok(at_pose(shape(body, collider)?, collider, place))
}

/// Converts a simple shape. Axes of symmetry lie along y in Rapier, not along z.
fn shape(body: &Body, collider: &Collider) -> Result<ColliderBuilder, PhysicsError> {
    let invalid = |why: &str| PhysicsError::Shape { body: body.name.clone(), why: why.into() };
    let points = |points_m: &[[f64; 3]]| points_m.iter().map(|&p| vector(p)).collect::<Vec<_>>();
    Ok(match collider {
        Collider::HalfSpace => ColliderBuilder::new(SharedShape::halfspace(Vector::Z)),
        Collider::Box { half_m } => {
            let [x, y, z] = half_m.map(|half| half as f32);
            ColliderBuilder::cuboid(x, y, z)
        }
        Collider::Ball { radius_m } => ColliderBuilder::ball(*radius_m as f32),
        Collider::Cylinder { half_length_m, radius_m } => {
            ColliderBuilder::cylinder(*half_length_m as f32, *radius_m as f32)
        }
        Collider::Capsule { half_length_m, radius_m } => {
            ColliderBuilder::capsule_y(*half_length_m as f32, *radius_m as f32)
        }
        Collider::Cone { half_length_m, radius_m } => {
            ColliderBuilder::cone(*half_length_m as f32, *radius_m as f32)
        }
        Collider::Ring { radius_m, tube_m } => ring(*radius_m, *tube_m),
        Collider::Hull { points_m } => {
            let points = points(points_m);
            // The hull code may panic on degenerate user data; that is reported as an invalid
            // shape.
            let made = catch_unwind(AssertUnwindSafe(|| ColliderBuilder::convex_hull(&points)));
            let why = "no hull can be made of its points; are they nearly flat?";
            made.ok().flatten().ok_or_else(|| invalid(why))?
        }
        Collider::Mesh { points_m, triangles } => {
            let make = || ColliderBuilder::trimesh(points(points_m), triangles.clone()).ok();
            let made = catch_unwind(AssertUnwindSafe(make));
            let why = "no collision mesh can be made of its triangles";
            made.ok().flatten().ok_or_else(|| invalid(why))?
        }
        Collider::Compound { .. } => return Err(invalid("a compound within a compound")),
    })
}

/// Puts a converted shape at a pose, with the surface that contacts see.
fn at_pose(builder: ColliderBuilder, collider: &Collider, place: &ColliderPose) -> Piece {
    let ColliderPose { position_m, mut rotation } = *place;
    let z_from_y = || (DQuat::from_array(place.rotation) * Z_FROM_Y).to_array();
    let mut reach_m = f64::from(builder.shape.compute_local_bounding_sphere().radius);
    let shape = match collider {
        Collider::Cylinder { .. } | Collider::Capsule { .. } | Collider::Cone { .. } => {
            rotation = z_from_y();
            collider.clone()
        }
        Collider::Ring { radius_m, tube_m } => {
            rotation = z_from_y();
            reach_m = radius_m + tube_m;
            collider.clone()
        }
        Collider::Ball { .. } => collider.clone(),
        Collider::HalfSpace => {
            reach_m = f64::INFINITY;
            Collider::HalfSpace
        }
        _ => Collider::HalfSpace,
    };
    let pose = pose(position_m, rotation) * builder.position;
    (builder.position(pose), ColliderSurface { shape, reach_m })
}

/// Makes a torus around y as a closed chain of capsules in one collider. Mass and inertia are those
/// of the torus, V = 2π²Rr².
fn ring(radius_m: f64, tube_m: f64) -> ColliderBuilder {
    let half_link = radius_m * (PI / LINKS as f64).tan();
    let links = (0..LINKS).map(|k| {
        let (sin, cos) = (TAU * k as f64 / LINKS as f64).sin_cos();
        let middle = vector([radius_m * cos, 0.0, radius_m * sin]);
        let along = vector([-half_link * sin, 0.0, half_link * cos]);
        let link = SharedShape::capsule(middle - along, middle + along, tube_m as f32);
        (Pose::IDENTITY, link)
    });
    let mass = 2.0 * PI * PI * radius_m * tube_m * tube_m;
    let inertia = foley_geometry::MassProperties::torus(mass, radius_m, tube_m).inertia_kg_m2;
    let [across, around] = [inertia[0][0], inertia[2][2]].map(|moment| moment as f32);
    let properties =
        MassProperties::new(Vector::ZERO, mass as f32, Vector::new(across, around, across));
    ColliderBuilder::compound(links.collect()).mass_properties(properties)
}

//! Conversion of a [`Body`] to Rapier's rigid body and colliders, with mass and inertia.

use super::convert::{pose, vector};
use crate::contact::curvature::Surface;
use crate::contact::points::ColliderSurface;
use crate::{Body, Mass, Motion, PhysicsError, Shape};
use rapier3d::prelude::*;
use std::f64::consts::{PI, TAU};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Capsules that approximate a ring.
const LINKS: usize = 16;

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
pub(super) fn pieces(body: &Body) -> Result<Vec<Piece>, PhysicsError> {
    let mut pieces = Vec::new();
    match &body.shape {
        Shape::Compound { parts } => {
            for part in parts {
                let place = pose(part.position, part.rotation);
                for (collider, surface) in of_shape(body, &part.shape)? {
                    let pose = place * collider.position;
                    pieces.push((collider.position(pose), surface));
                }
            }
        }
        shape => pieces = of_shape(body, shape)?,
    }
    for (collider, _) in &mut pieces {
        *collider =
            collider.clone().friction(body.friction as f32).restitution(body.restitution as f32);
    }
    set_density(body, &mut pieces)?;
    Ok(pieces)
}

/// Sets the density of each collider, scaled to the mass of the body if that is given.
fn set_density(body: &Body, pieces: &mut [Piece]) -> Result<(), PhysicsError> {
    if body.motion != Motion::Dynamic {
        return Ok(());
    }
    let volumes: Vec<f64> = pieces.iter().map(|(piece, _)| volume(piece)).collect();
    let volume: f64 = volumes.iter().sum();
    if !(volume > 1e-18 && volume.is_finite()) {
        return Err(PhysicsError::Shape {
            body: body.name.clone(),
            why: "its shape encloses no volume, so its inertia is undefined; close the mesh, \
                  flip its triangles, or use a hull"
                .into(),
        });
    }
    let density = match body.mass {
        Mass::Kilograms(mass) => mass / volume,
        Mass::Density(density) => density,
    };
    for (piece, _) in pieces {
        let own = piece.clone().density(1.0).build().mass_properties();
        // A ring has its own inertia for unit density; other shapes derive theirs.
        let given = match &piece.mass_properties {
            ColliderMassProps::MassProperties(given) => Some(**given),
            _ => None,
        };
        let unit = given.unwrap_or(own);
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

fn volume(piece: &ColliderBuilder) -> f64 {
    let unit = match &piece.mass_properties {
        ColliderMassProps::MassProperties(given) => **given,
        _ => piece.clone().density(1.0).build().mass_properties(),
    };
    f64::from(unit.mass())
}

fn of_shape(body: &Body, shape: &Shape) -> Result<Vec<Piece>, PhysicsError> {
    let invalid = |why: &str| PhysicsError::Shape { body: body.name.clone(), why: why.into() };
    let one = |collider: ColliderBuilder, surface| {
        let reach_m = f64::from(collider.shape.compute_local_bounding_sphere().radius);
        Ok(vec![(collider, ColliderSurface { surface, reach_m })])
    };
    match *shape {
        Shape::Box { half_m: [x, y, z] } => {
            one(ColliderBuilder::cuboid(x as f32, y as f32, z as f32), Surface::Flat)
        }
        Shape::Ball { radius_m } => {
            one(ColliderBuilder::ball(radius_m as f32), Surface::Ball { radius_m })
        }
        Shape::Cylinder { radius_m, half_height_m } => one(
            ColliderBuilder::cylinder(half_height_m as f32, radius_m as f32),
            Surface::Cylinder { radius_m },
        ),
        Shape::Capsule { radius_m, half_height_m } => one(
            ColliderBuilder::capsule_y(half_height_m as f32, radius_m as f32),
            Surface::Capsule { radius_m, half_height_m },
        ),
        Shape::Cone { radius_m, half_height_m } => one(
            ColliderBuilder::cone(half_height_m as f32, radius_m as f32),
            Surface::Cone { radius_m, half_height_m },
        ),
        Shape::Ring { radius_m, tube_m } => Ok(ring(radius_m, tube_m)),
        Shape::Hull { ref points } => {
            let points: Vec<Vector> = points.iter().map(|&p| vector(p)).collect();
            // The hull code may panic on degenerate user data; that is reported as an invalid
            // shape.
            match catch_unwind(AssertUnwindSafe(|| ColliderBuilder::convex_hull(&points))) {
                Ok(Some(collider)) => one(collider, Surface::Flat),
                _ => Err(invalid("no hull can be made of its points; are they nearly flat?")),
            }
        }
        Shape::Mesh { ref points, ref triangles } => {
            let points: Vec<Vector> = points.iter().map(|&p| vector(p)).collect();
            let make = || ColliderBuilder::trimesh(points, triangles.clone());
            match catch_unwind(AssertUnwindSafe(make)) {
                Ok(Ok(collider)) => one(collider, Surface::Flat),
                _ => Err(invalid("no collision mesh can be made of its triangles")),
            }
        }
        Shape::Compound { .. } => Err(invalid("a compound within a compound")),
    }
}

/// Makes a torus as a closed chain of capsules in one collider. Mass and inertia are those
/// of the torus: V = 2π²Rr², I_axis = m(R² + ¾r²), I_across = m(½R² + ⅝r²).
fn ring(radius_m: f64, tube_m: f64) -> Vec<Piece> {
    let half_link = radius_m * (PI / LINKS as f64).tan();
    let links = (0..LINKS).map(|k| {
        let (sin, cos) = (TAU * k as f64 / LINKS as f64).sin_cos();
        let middle = vector([radius_m * cos, 0.0, radius_m * sin]);
        let along = vector([-half_link * sin, 0.0, half_link * cos]);
        let link = SharedShape::capsule(middle - along, middle + along, tube_m as f32);
        (Pose::IDENTITY, link)
    });
    let mass = 2.0 * PI * PI * radius_m * tube_m * tube_m;
    let (big, small) = (radius_m * radius_m, tube_m * tube_m);
    let across = (mass * (0.5 * big + 0.625 * small)) as f32;
    let around = (mass * (big + 0.75 * small)) as f32;
    let properties =
        MassProperties::new(Vector::ZERO, mass as f32, Vector::new(across, around, across));
    let collider = ColliderBuilder::compound(links.collect()).mass_properties(properties);
    let surface =
        ColliderSurface { surface: Surface::Ring { radius_m, tube_m }, reach_m: radius_m + tube_m };
    vec![(collider, surface)]
}

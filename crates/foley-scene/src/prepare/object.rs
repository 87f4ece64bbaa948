//! One object, ready for simulation and sound.

use super::collider::{self, Collider, ColliderShape};
use super::error::{ObjectError, PrepareError};
use super::geometry::{Geometry, build};
use super::mass_properties::MassProperties;
use crate::scene::{Body, ColliderKind, Motion, Object};
use foley_dsp::model::Body as Elastic;
use foley_geometry::mesh::{Measures, Mesh, WallProbe};
use foley_modal::bake::Method;
use foley_modal::shape::{Section, Solid};
use foley_modal::{ModalModel, Shape};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// One object, ready for simulation and sound.
#[derive(Debug, Clone)]
pub struct PreparedObject {
    /// Its modes, in its own coordinates; `None` when it makes no sound of its own.
    pub model: Option<Arc<ModalModel>>,
    /// What others touch; several are one rigid body, none is never touched.
    pub colliders: Arc<[Collider]>,
    /// MassProperties, centre and inertia.
    pub mass: MassProperties,
    /// What Hertz's theory of contact needs to know, sounding or not: mass, elasticity, and the
    /// radius of curvature where that is one number (infinite where it is not).
    pub elastic: Elastic,
}

/// Geometry that was read already.
#[derive(Debug, Default)]
pub(super) struct GeometryCache {
    geometry: HashMap<String, Arc<Geometry>>,
    objects: HashMap<String, PreparedObject>,
}

/// What two objects of one geometry have in common.
pub(super) fn geometry_key(object: &Object) -> String {
    format!("{:?} {:?} {:?}", object.body, object.scale, object.modes.detail)
}

impl GeometryCache {
    pub(super) fn geometry(
        &mut self,
        object: &Object,
        folder: &Path,
    ) -> Result<Arc<Geometry>, PrepareError> {
        let key = geometry_key(object);
        if let Some(known) = self.geometry.get(&key) {
            return Ok(known.clone());
        }
        let made = Arc::new(build(object, folder).map_err(|error| error.for_object(&object.name))?);
        self.geometry.insert(key, made.clone());
        Ok(made)
    }

    /// The thing without its model.
    pub(super) fn thing(
        &mut self,
        object: &Object,
        folder: &Path,
    ) -> Result<PreparedObject, PrepareError> {
        let geometry = self.geometry(object, folder)?;
        let dynamic = object.motion == Motion::Dynamic;
        let key = format!(
            "{} {:?} {:?} {:?} {:?} {dynamic}",
            geometry_key(object),
            object.material,
            object.thickness_m,
            object.modes.method,
            object.collider,
        );
        let one = match self.objects.get(&key) {
            Some(one) => one.clone(),
            None => {
                let one =
                    make(object, &geometry).map_err(|error| error.for_object(&object.name))?;
                self.objects.insert(key, one.clone());
                one
            }
        };
        finish(one, object).map_err(|error| error.for_object(&object.name))
    }
}

/// At its own size and mass.
fn finish(mut thing: PreparedObject, object: &Object) -> Result<PreparedObject, ObjectError> {
    if object.size != 1.0 && object.body != Body::Ground {
        thing.colliders = collider::scaled(&thing.colliders, object.size).into();
        thing.mass = thing.mass.scaled(object.size);
        thing.elastic.radius_m *= object.size;
    }
    if let Some(mass_kg) = object.mass_kg {
        thing.mass = thing.mass.with_mass(mass_kg);
    }
    if !(1e-9..=1e9).contains(&thing.mass.mass_kg) {
        return Err(ObjectError::mass(thing.mass.mass_kg, &object.material));
    }
    thing.elastic.mass_kg = thing.mass.mass_kg;
    Ok(thing)
}

/// At size 1.
fn make(object: &Object, geometry: &Geometry) -> Result<PreparedObject, ObjectError> {
    let density = object.material.density;
    let (auto, mass, radius_m) = match geometry {
        Geometry::Ground => {
            // Nothing moves it.
            let mass = MassProperties::symmetric(1e9, [1e9; 3]);
            (vec![ColliderShape::HalfSpace.here()], mass, f64::INFINITY)
        }
        Geometry::Shape(shape) => {
            let (mass, radius_m) = of_shape(shape, density);
            (collider::of_shape(shape)?, mass, radius_m)
        }
        Geometry::Solid(solid) => {
            let (mass, radius_m) = of_solid(*solid, density);
            (collider::of_solid(*solid), mass, radius_m)
        }
        Geometry::Mesh { exactly: Some(solid), .. } => {
            let (mass, radius_m) = of_solid(*solid, density);
            (collider::of_solid(*solid), mass, radius_m)
        }
        Geometry::Mesh { mesh, facts, wall_m, .. } => {
            let (mass, wall_m) = of_mesh(mesh, facts, *wall_m, object)?;
            let colliders = around(object, &mesh.vertices, &mesh.triangles, wall_m)?;
            (colliders, mass, f64::INFINITY)
        }
        Geometry::Model(model, _) => {
            let sheet = MassProperties::of_sheet(&model.points, &model.triangles, 1.0);
            let mass = match sheet.mass_kg > 0.0 {
                true => sheet.with_mass(model.body.mass_kg),
                false => MassProperties::of_points(&model.points, model.body.mass_kg),
            };
            let size = extent(&model.points).max(1e-6);
            let colliders = around(object, &model.points, &model.triangles, None)?;
            (colliders, mass.never_free(size), model.body.radius_m)
        }
    };
    let colliders = match (object.collider, geometry) {
        (ColliderKind::None, _) => Vec::new(),
        (ColliderKind::Auto, _) | (_, Geometry::Ground) => auto,
        // A shape that is asked for another form gives the points of its surface.
        (_, Geometry::Shape(_) | Geometry::Solid(_) | Geometry::Mesh { exactly: Some(_), .. }) => {
            let (points, triangles) = surface(&auto, geometry);
            around(object, &points, &triangles, None)?
        }
        _ => auto,
    };
    let (young_pa, poisson) = match geometry {
        Geometry::Model(model, _) => (model.body.young_pa, model.body.poisson),
        _ => (object.material.young_pa, object.material.poisson),
    };
    let elastic = Elastic { mass_kg: mass.mass_kg, young_pa, poisson, radius_m };
    Ok(PreparedObject { model: None, colliders: colliders.into(), mass, elastic })
}

fn around(
    object: &Object,
    points: &[[f64; 3]],
    triangles: &[[u32; 3]],
    wall_m: Option<f64>,
) -> Result<Vec<Collider>, ObjectError> {
    collider::of_mesh(points, triangles, wall_m, object.collider, &object.motion)
}

fn extent(points: &[[f64; 3]]) -> f64 {
    let side = |i: usize| {
        let low = points.iter().map(|p| p[i]).fold(f64::INFINITY, f64::min);
        points.iter().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max) - low
    };
    (0..3).map(side).fold(0.0, f64::max)
}

/// The surface of a solid; of thin shapes the corners of the box around them.
fn surface(auto: &[Collider], geometry: &Geometry) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mesh = match geometry {
        Geometry::Solid(solid) => solid.mesh(),
        Geometry::Mesh { mesh, .. } => mesh.clone(),
        _ => {
            let half = match auto.first().map(|collider| &collider.shape) {
                Some(ColliderShape::Box { half_m }) => *half_m,
                Some(ColliderShape::Cylinder { half_length_m, radius_m }) => {
                    // A rod and a string lie along x, a disc and a membrane about z.
                    match auto[0].pose.rotation[3] < 1.0 {
                        true => [*half_length_m, *radius_m, *radius_m],
                        false => [*radius_m, *radius_m, *half_length_m],
                    }
                }
                _ => [0.0; 3],
            };
            let sides_m = half.map(|h| 2.0 * h);
            let corner = |i: usize| [0, 1, 2].map(|a| sides_m[a] * ((i >> a & 1) as f64 - 0.5));
            let quads = [
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ];
            let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
            Mesh::new((0..8).map(corner).collect(), triangles.collect())
        }
    };
    (mesh.vertices, mesh.triangles)
}

/// MassProperties and radius of curvature.
fn of_shape(shape: &Shape, density: f64) -> (MassProperties, f64) {
    let kg = shape.mass_kg(density);
    let flat = f64::INFINITY;
    match shape {
        Shape::Bar(bar) => match bar.section() {
            Section::Rectangle { width, thickness } => {
                (MassProperties::cuboid(kg, [bar.length(), width, thickness]), flat)
            }
            Section::Round { diameter: d } => {
                (MassProperties::cylinder(kg, bar.length(), 0.5 * d, 0), 0.5 * d)
            }
        },
        Shape::Plate(p) => {
            (MassProperties::cuboid(kg, [p.length(), p.width(), p.thickness()]), flat)
        }
        Shape::Disc(d) => {
            (MassProperties::cylinder(kg, d.thickness(), 0.5 * d.diameter(), 2), flat)
        }
        Shape::Membrane(m) => (MassProperties::cylinder(kg, 0.0, 0.5 * m.diameter(), 2), flat),
        Shape::String(s) => {
            (MassProperties::cylinder(kg, s.length(), 0.5 * s.diameter(), 0), 0.5 * s.diameter())
        }
        // Refused before, by its collider.
        _ => (MassProperties::symmetric(kg, [kg; 3]), flat),
    }
}

fn of_solid(solid: Solid, density: f64) -> (MassProperties, f64) {
    let kg = density * solid.volume_m3();
    match solid {
        Solid::Ball { diameter_m } => {
            let r = 0.5 * diameter_m;
            (MassProperties::symmetric(kg, [0.4 * kg * r * r; 3]), r)
        }
        Solid::Box { sides_m } => (MassProperties::cuboid(kg, sides_m), f64::INFINITY),
        Solid::Cylinder { length_m, diameter_m } => {
            (MassProperties::cylinder(kg, length_m, 0.5 * diameter_m, 2), 0.5 * diameter_m)
        }
        Solid::Ring { diameter_m, wire_m } => {
            // A torus: m (R² + ¾ r²) about its axis, m (R²/2 + ⅝ r²) across.
            let (r2, w2) = ((0.5 * diameter_m).powi(2), (0.5 * wire_m).powi(2));
            let across = kg * (0.5 * r2 + 0.625 * w2);
            (MassProperties::symmetric(kg, [across, across, kg * (r2 + 0.75 * w2)]), 0.5 * wire_m)
        }
    }
}

/// Filled, or a wall: as baking decides. With the wall's thickness, where it is one.
fn of_mesh(
    mesh: &Mesh,
    facts: &Measures,
    wall_m: Option<f64>,
    object: &Object,
) -> Result<(MassProperties, Option<f64>), ObjectError> {
    let density = object.material.density;
    let given = object.thickness_m.or(wall_m);
    let asked = matches!(object.modes.method, Method::Shell | Method::SpringMass);
    // A closed mesh with both sides of a wall encloses just the wall.
    let ask_walls =
        facts.closed && object.modes.method != Method::Solid && (asked || given.is_some());
    let wall = if ask_walls { WallProbe::new(mesh)?.thickness() } else { None };
    let thin = wall.filter(|wall| wall.thin_walled);
    let filled = facts.closed && !(asked || thin.is_some() && given.is_some());
    if filled {
        return Ok((MassProperties::of_solid(mesh, density), None));
    }
    let sides = if thin.is_some() { 2.0 } else { 1.0 };
    let thickness = given.or(thin.map(|t| t.median_m)).unwrap_or(0.01 * facts.size_m);
    let mass =
        MassProperties::of_sheet(&mesh.vertices, &mesh.triangles, density * thickness / sides);
    Ok((mass, Some(thickness)))
}

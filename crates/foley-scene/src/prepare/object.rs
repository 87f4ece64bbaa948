//! An object prepared for simulation and sound.

use super::collider;
use super::error::{ObjectError, PrepareError};
use super::geometry::{Geometry, build};
use super::gltf_nodes::GltfFiles;
use crate::scene::{BodySource, ColliderKind, Motion, Object, Scene};
use foley_dsp::excitation::RigidRadiation;
use foley_dsp::model::ContactBody;
use foley_geometry::MassProperties;
use foley_geometry::collider::{Collider, Part, cuboid_corners, cuboid_triangles, ring_capsules};
use foley_geometry::mesh::{Measures, Mesh, WallProbe};
use foley_geometry::vector::bounds;
use foley_modal::bake::Method;
use foley_modal::radiation::rigid;
use foley_modal::shape::{Section, Solid};
use foley_modal::{ModalModel, Shape};
use std::collections::HashMap;
use std::sync::Arc;

/// An object prepared for simulation and sound.
#[derive(Debug, Clone)]
pub struct PreparedObject {
    /// Modal model in the object's coordinates; `None` if it makes no sound of its own.
    pub model: Option<Arc<ModalModel>>,
    /// Collider; `None` if nothing collides with it.
    pub collider: Option<Arc<Collider>>,
    /// Mass, centre of mass and inertia tensor.
    pub mass: MassProperties,
    /// Parameters of Hertz contacts: mass, elasticity, and the radius of curvature where that is one
    /// number (infinite otherwise).
    pub contact_body: ContactBody,
    /// How loud it clicks when it is accelerated along x, y and z; `None` where that is not known, and for the ground.
    pub rigid: Option<[RigidRadiation; 3]>,
}

/// Most triangles of all different geometries of a scene.
const MAX_TRIANGLES: usize = 20_000_000;

/// Geometries and objects that are prepared already. Objects of one geometry share it: the nodes of a
/// glTF file that are instances of one mesh, too.
#[derive(Default)]
pub(super) struct GeometryCache {
    files: GltfFiles,
    geometry: HashMap<String, Arc<Geometry>>,
    /// Objects of size 1 and of the mass that follows from their material.
    units: HashMap<String, PreparedObject>,
    objects: HashMap<String, PreparedObject>,
    /// Triangles of all geometries.
    triangles: usize,
}

impl GeometryCache {
    /// Returns a key that objects of one geometry share.
    pub(super) fn key(&mut self, object: &Object, scene: &Scene) -> Result<String, PrepareError> {
        let Object { body, scale, modes, .. } = object;
        let body = match body {
            BodySource::Mesh { file, node: Some(node), .. } => {
                let node = self.files.node(scene, file, node);
                node.map_err(|error| error.for_object(&object.name))?.key()
            }
            body => format!("{body:?}"),
        };
        Ok(format!("{body} {scale:?} {:?}", modes.detail))
    }

    pub(super) fn geometry(
        &mut self,
        object: &Object,
        scene: &Scene,
    ) -> Result<Arc<Geometry>, PrepareError> {
        let key = self.key(object, scene)?;
        self.geometry_of_key(key, object, scene)
    }

    fn geometry_of_key(
        &mut self,
        key: String,
        object: &Object,
        scene: &Scene,
    ) -> Result<Arc<Geometry>, PrepareError> {
        if let Some(geometry) = self.geometry.get(&key) {
            return Ok(geometry.clone());
        }
        let geometry = build(object, scene, &mut self.files);
        let geometry = geometry.map_err(|error| error.for_object(&object.name))?;
        self.triangles = self.triangles.saturating_add(geometry.triangles());
        if self.triangles > MAX_TRIANGLES {
            let error = ObjectError::Triangles { most: MAX_TRIANGLES };
            return Err(error.for_object(&object.name));
        }
        let geometry = Arc::new(geometry);
        self.geometry.insert(key, geometry.clone());
        Ok(geometry)
    }

    /// Returns an object without its model.
    pub(super) fn object(
        &mut self,
        object: &Object,
        scene: &Scene,
    ) -> Result<PreparedObject, PrepareError> {
        let geometry_key = self.key(object, scene)?;
        let dynamic = object.motion == Motion::Dynamic;
        let unit_key = format!(
            "{geometry_key} {:?} {:?} {:?} {:?} {dynamic}",
            object.material, object.thickness_m, object.modes.method, object.collider,
        );
        // The collider of a model of one point follows from its mass at its size.
        let is_model = matches!(object.body, BodySource::Model(_));
        let unit_key = match object.mass_kg.filter(|_| is_model) {
            Some(mass_kg) => format!("{unit_key} {mass_kg} {}", object.size),
            None => unit_key,
        };
        let key = format!("{unit_key} {:?} {:?}", object.size, object.mass_kg);
        if let Some(known) = self.objects.get(&key) {
            return Ok(known.clone());
        }
        let unit = match self.units.get(&unit_key) {
            Some(unit) => unit.clone(),
            None => {
                let geometry = self.geometry_of_key(geometry_key, object, scene)?;
                let unit = prepare_unit_size(object, &geometry);
                let unit = unit.map_err(|error| error.for_object(&object.name))?;
                self.units.insert(unit_key, unit.clone());
                unit
            }
        };
        let prepared = with_size_and_mass(unit, object);
        let prepared = prepared.map_err(|error| error.for_object(&object.name))?;
        self.objects.insert(key, prepared.clone());
        Ok(prepared)
    }
}

/// Applies the object's size and mass.
fn with_size_and_mass(
    mut prepared: PreparedObject,
    object: &Object,
) -> Result<PreparedObject, ObjectError> {
    if object.size != 1.0 && object.body != BodySource::Ground {
        if let Some(collider) = &mut prepared.collider {
            Arc::make_mut(collider).scale(object.size);
        }
        prepared.mass = prepared.mass.scaled(object.size);
        prepared.contact_body.radius_m *= object.size;
        prepared.rigid = prepared.rigid.map(|axes| axes.map(|axis| axis.scaled(object.size)));
    }
    if let Some(mass_kg) = object.mass_kg {
        prepared.mass = prepared.mass.with_mass(mass_kg);
    }
    if !(1e-9..=1e9).contains(&prepared.mass.mass_kg) {
        return Err(ObjectError::mass(prepared.mass.mass_kg, &object.material));
    }
    prepared.contact_body.mass_kg = prepared.mass.mass_kg;
    Ok(prepared)
}

/// Prepares an object at size 1.
fn prepare_unit_size(object: &Object, geometry: &Geometry) -> Result<PreparedObject, ObjectError> {
    let density = object.material.density;
    let (auto, mass, radius_m) = match geometry {
        Geometry::Ground => {
            let mass = MassProperties::centred(1e9, [1e9; 3]);
            (Some(Collider::HalfSpace), mass, f64::INFINITY)
        }
        Geometry::Shape(shape) => {
            let (mass, radius_m) = shape_mass(shape, density);
            (Some(collider::of_shape(shape)?), mass, radius_m)
        }
        Geometry::Solid(solid) | Geometry::Mesh { solid: Some(solid), .. } => {
            let (mass, radius_m) = solid_mass(*solid, density);
            let collider = match (collider::of_solid(*solid), geometry) {
                (Collider::Ring { radius_m, tube_m }, Geometry::Mesh { .. }) => {
                    Collider::Compound { parts: ring_capsules(radius_m, tube_m) }
                }
                (collider, _) => collider,
            };
            (Some(collider), mass, radius_m)
        }
        Geometry::Mesh { mesh, measures, wall_m, .. } => {
            let (mass, wall_m) = mesh_mass(mesh, measures, *wall_m, object)?;
            let collider = collider::of_mesh(&mesh.vertices, &mesh.triangles, wall_m, object)?;
            (collider, mass, f64::INFINITY)
        }
        Geometry::Model(model, _) => {
            let sheet = MassProperties::of_sheet(&model.points, &model.triangles, 1.0);
            let mass = match sheet.mass_kg > 0.0 {
                true => sheet.with_mass(model.body.mass_kg),
                false => MassProperties::of_points(&model.points, model.body.mass_kg),
            };
            let has_surface = sheet.mass_kg > 0.0;
            let [low, high] = bounds(model.points.iter().map(|&p| p.into())).unwrap_or_default();
            // A body of one point turns like a ball: 0.4 m r².
            let point = collider::point_radius_m(model, object)
                .map_or(1e-6, |r| 100.0 * r * 0.4_f64.sqrt());
            let size = (high - low).max_element().max(point);
            let collider = collider::of_model(model, object)?;
            let mass = match has_surface {
                true => mass.with_min_inertia(size),
                // A line of points in any direction would have no inertia about itself.
                false => with_isotropic_inertia(mass, 0.01 * size),
            };
            (collider, mass, model.body.radius_m)
        }
    };
    let collider = match (object.collider, geometry) {
        (ColliderKind::None, _) => None,
        (ColliderKind::Auto, _) | (_, Geometry::Ground) => auto,
        // Another collider of an analytic shape is that of its surface.
        (_, Geometry::Shape(_) | Geometry::Solid(_) | Geometry::Mesh { solid: Some(_), .. }) => {
            let mesh = surface_mesh(auto.as_ref(), geometry);
            collider::of_mesh(&mesh.vertices, &mesh.triangles, None, object)?
        }
        _ => auto,
    };
    let (young_pa, poisson) = match geometry {
        Geometry::Model(model, _) => (model.body.young_pa, model.body.poisson),
        _ => (object.material.young_pa, object.material.poisson),
    };
    let contact_body = ContactBody { mass_kg: mass.mass_kg, young_pa, poisson, radius_m };
    let rigid = match geometry {
        Geometry::Ground => None,
        Geometry::Shape(shape) => Some(rigid::of_shape(shape)),
        Geometry::Solid(solid) | Geometry::Mesh { solid: Some(solid), .. } => {
            Some(rigid::of_solid(*solid))
        }
        Geometry::Mesh { mesh, measures, .. } => Some(rigid::of_mesh(mesh, measures.volume_m3)),
        Geometry::Model(model, _) => model.rigid,
    };
    // Numbers at the end of the range of floating point: the object is silent.
    let rigid = rigid.filter(|axes| axes.iter().all(RigidRadiation::is_valid));
    let collider = collider.map(Arc::new);
    Ok(PreparedObject { model: None, collider, mass, contact_body, rigid })
}

/// Adds the inertia of a radius of gyration about every axis.
fn with_isotropic_inertia(mut mass: MassProperties, radius_m: f64) -> MassProperties {
    (0..3).for_each(|i| mass.inertia_kg_m2[i][i] += mass.mass_kg * radius_m * radius_m);
    mass
}

/// Returns the surface of a solid, or of the bounding box of an analytic shape.
pub(super) fn surface_mesh(auto: Option<&Collider>, geometry: &Geometry) -> Mesh {
    match geometry {
        Geometry::Solid(solid) => solid.mesh(),
        Geometry::Mesh { mesh, .. } => mesh.clone(),
        _ => {
            let half_m = match auto {
                Some(Collider::Box { half_m }) => *half_m,
                Some(Collider::Cylinder { half_length_m, radius_m }) => {
                    [*radius_m, *radius_m, *half_length_m]
                }
                // Rods and strings lie along x.
                Some(Collider::Compound { parts }) => match parts[..] {
                    [Part { collider: Collider::Cylinder { half_length_m, radius_m }, .. }] => {
                        [half_length_m, radius_m, radius_m]
                    }
                    _ => [0.0; 3],
                },
                _ => [0.0; 3],
            };
            Mesh::new(cuboid_corners(half_m).to_vec(), cuboid_triangles())
        }
    }
}

/// Returns mass properties and radius of curvature of a shape.
fn shape_mass(shape: &Shape, density: f64) -> (MassProperties, f64) {
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
        // Its collider was refused before.
        _ => (MassProperties::centred(kg, [kg; 3]), flat),
    }
}

/// Returns mass properties and radius of curvature of a solid.
fn solid_mass(solid: Solid, density: f64) -> (MassProperties, f64) {
    let kg = density * solid.volume_m3();
    match solid {
        Solid::Ball { diameter_m } => {
            let r = 0.5 * diameter_m;
            (MassProperties::centred(kg, [0.4 * kg * r * r; 3]), r)
        }
        Solid::Box { sides_m } => (MassProperties::cuboid(kg, sides_m), f64::INFINITY),
        Solid::Cylinder { length_m, diameter_m } => {
            (MassProperties::cylinder(kg, length_m, 0.5 * diameter_m, 2), 0.5 * diameter_m)
        }
        Solid::Ring { diameter_m, wire_m } => {
            (MassProperties::torus(kg, 0.5 * diameter_m, 0.5 * wire_m), 0.5 * wire_m)
        }
    }
}

/// Returns the mass properties of a mesh, solid or a wall as in the modal analysis, and the wall's
/// thickness.
fn mesh_mass(
    mesh: &Mesh,
    measures: &Measures,
    wall_m: Option<f64>,
    object: &Object,
) -> Result<(MassProperties, Option<f64>), ObjectError> {
    let density = object.material.density;
    let given = object.thickness_m.or(wall_m);
    let is_shell = matches!(object.modes.method, Method::Shell | Method::SpringMass);
    // A closed mesh may be a wall with both of its sides.
    let probe_wall =
        measures.closed && object.modes.method != Method::Solid && (is_shell || given.is_some());
    let wall = if probe_wall { WallProbe::new(mesh)?.thickness() } else { None };
    let thin = wall.filter(|wall| wall.thin_walled);
    let is_solid = measures.closed && !(is_shell || thin.is_some() && given.is_some());
    if is_solid {
        let solid = MassProperties::of_solid(mesh, density);
        // Parts that are inside out may leave a volume, but no possible inertia.
        let sheet = || MassProperties::of_sheet(&mesh.vertices, &mesh.triangles, 1.0);
        let is_tangled = solid.mass_kg > 0.0 && !solid.is_possible();
        return Ok((if is_tangled { sheet().with_mass(solid.mass_kg) } else { solid }, None));
    }
    let sides = if thin.is_some() { 2.0 } else { 1.0 };
    let thickness = given.or(thin.map(|t| t.median_m)).unwrap_or(0.01 * measures.size_m);
    let mass =
        MassProperties::of_sheet(&mesh.vertices, &mesh.triangles, density * thickness / sides);
    Ok((mass, Some(thickness)))
}

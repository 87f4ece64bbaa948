//! Contacts of polyhedra and meshes with half-spaces.
//!
//! A half-space is convex, so a polyhedron touches it first with a vertex. Parry instead takes the face
//! whose normal is closest to that of the plane, which need not have the lowest vertex, and the first
//! four corners of it, which need not surround the load; of a mesh it takes every triangle. Here the
//! manifold is the lowest vertex and up to three others of nearly the same height, far apart. Other
//! shapes are left to Parry.

use rapier3d::geometry::{ContactData, ContactManifold, ContactManifoldData};
use rapier3d::math::{Pose, Vector};
use rapier3d::parry::query::details::ShapeCastOptions;
use rapier3d::parry::query::details::{ContactManifoldsWorkspace, NormalConstraints};
use rapier3d::parry::query::{
    ClosestPoints, Contact, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, ShapeDistance, ShapeIntersection,
    TrackedContact, Unsupported,
};
use rapier3d::parry::shape::{PackedFeatureId, Shape, TypedShape};
use rapier3d::prelude::NarrowPhase;

/// Largest slope at which vertices count as a face that lies on the plane: 11°.
const FACE_SLOPE: f32 = 0.2;

/// Returns the narrow phase of a world: Parry's, with these contacts before it.
pub(super) fn narrow_phase() -> NarrowPhase {
    NarrowPhase::with_query_dispatcher(HalfSpaceContacts.chain(DefaultQueryDispatcher))
}

struct HalfSpaceContacts;

/// Returns the normal of a half-space.
fn plane(shape: &dyn Shape) -> Option<Vector> {
    match shape.as_typed_shape() {
        TypedShape::HalfSpace(plane) => Some(plane.normal),
        _ => None,
    }
}

/// Returns the vertices of a polyhedron or a mesh.
fn vertices(shape: &dyn Shape) -> Option<&[Vector]> {
    match shape.as_typed_shape() {
        TypedShape::ConvexPolyhedron(hull) => Some(hull.points()),
        TypedShape::TriMesh(mesh) => Some(mesh.vertices()),
        _ => None,
    }
}

/// A vertex close to the plane.
#[derive(Clone, Copy)]
struct Vertex {
    number: u32,
    /// In the frame of the polyhedron.
    local: Vector,
    /// Its foot on the plane, in the frame of the half-space.
    foot: Vector,
    height: f32,
}

/// Returns the vertices of the manifold: the lowest one, the one farthest from it, the one farthest
/// from the line between them, and the one farthest on the other side of that line.
fn lowest(normal: Vector, points: &[Vector], at: &Pose, prediction: f32) -> Vec<Vertex> {
    let vertex = |(number, &local): (usize, &Vector)| {
        let place = at * local;
        let height = place.dot(normal);
        Vertex { number: number as u32, local, foot: place - normal * height, height }
    };
    let near: Vec<Vertex> =
        points.iter().enumerate().map(vertex).filter(|v| v.height <= prediction).collect();
    let by_height = |a: &&Vertex, b: &&Vertex| a.height.total_cmp(&b.height);
    let Some(&first) = near.iter().min_by(by_height) else { return Vec::new() };
    let lies_flat =
        |v: &&Vertex| v.height - first.height <= FACE_SLOPE * v.foot.distance(first.foot);
    let most = |weight: &dyn Fn(&Vertex) -> f32| {
        let flat = near.iter().filter(lies_flat).map(|v| (weight(v), *v));
        flat.filter(|(weight, _)| *weight > 0.0).max_by(|a, b| a.0.total_cmp(&b.0)).map(|v| v.1)
    };
    let mut manifold = vec![first];
    let Some(second) = most(&|v| v.foot.distance_squared(first.foot)) else { return manifold };
    manifold.push(second);
    let across = normal.cross(second.foot - first.foot);
    // Vertices on the line itself would only add rounding.
    let least = 1e-3 * across.length_squared();
    for side in [across, -across] {
        manifold.extend(most(&|v| side.dot(v.foot - first.foot) - least));
    }
    manifold
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for HalfSpaceContacts {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: f32,
        manifolds: &mut Vec<ContactManifold>,
        _: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let is_ours = |a, b| -> bool { Option::zip(plane(a), vertices(b)).is_some() };
        if !is_ours(g1, g2) && !is_ours(g2, g1) {
            return Err(Unsupported);
        }
        if manifolds.is_empty() {
            manifolds.push(ContactManifold::new());
        }
        let manifold = &mut manifolds[0];
        self.contact_manifold_convex_convex(pos12, g1, g2, None, None, prediction, manifold)
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        _: Option<&dyn NormalConstraints>,
        _: Option<&dyn NormalConstraints>,
        prediction: f32,
        manifold: &mut ContactManifold,
    ) -> Result<(), Unsupported> {
        let flipped = plane(g1).is_none();
        let (plane_shape, other, at) =
            if flipped { (g2, g1, pos12.inverse()) } else { (g1, g2, *pos12) };
        let (normal, points) = plane(plane_shape).zip(vertices(other)).ok_or(Unsupported)?;
        let before = std::mem::take(&mut manifold.points);
        for vertex in lowest(normal, points, &at, prediction) {
            let (face, corner) = (PackedFeatureId::face(0), PackedFeatureId::vertex(vertex.number));
            let (foot, local) = (vertex.foot, vertex.local);
            let point = TrackedContact::flipped(foot, local, face, corner, vertex.height, flipped);
            manifold.points.push(point);
        }
        let facing = at.rotation.inverse() * -normal;
        (manifold.local_n1, manifold.local_n2) =
            if flipped { (facing, normal) } else { (normal, facing) };
        // Keeps the impulses of the step before.
        manifold.match_contacts(&before);
        Ok(())
    }
}

/// Other queries are Parry's.
impl QueryDispatcher for HalfSpaceContacts {
    fn intersection_test(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        Err(Unsupported)
    }

    fn distance(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        Err(Unsupported)
    }

    fn contact(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: f32,
    ) -> Result<Option<Contact>, Unsupported> {
        Err(Unsupported)
    }

    fn closest_points(
        &self,
        _: &Pose,
        _: &dyn Shape,
        _: &dyn Shape,
        _: f32,
    ) -> Result<ClosestPoints, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes(
        &self,
        _: &Pose,
        _: Vector,
        _: &dyn Shape,
        _: &dyn Shape,
        _: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }

    fn cast_shapes_nonlinear(
        &self,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: &NonlinearRigidMotion,
        _: &dyn Shape,
        _: f32,
        _: f32,
        _: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Err(Unsupported)
    }
}

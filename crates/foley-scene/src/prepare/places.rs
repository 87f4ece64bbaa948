//! Places of strikes and scrapes that are not on the surface of their object.

use super::geometry::Geometry;
use super::object::{GeometryCache, surface_mesh};
use super::{PrepareError, PreparedObject, collider};
use crate::scene::{Scene, SurfacePoint};
use foley_geometry::bvh::{Aabb, Bvh, Split};
use foley_geometry::vector::{bounds, closest_on_triangle};
use glam::DVec3;
use std::collections::BTreeMap;

/// Largest distance of a place from the surface without a note, relative to the size of the object.
const NEAR: f64 = 0.1;
/// Triangles or points in a leaf.
const LEAF: usize = 4;

/// Returns a note for each object with places of strikes or scrapes that are far from its surface.
pub(super) fn off_surface_notes(
    scene: &Scene,
    objects: &[PreparedObject],
    geometries: &mut GeometryCache,
) -> Result<Vec<String>, PrepareError> {
    let mut notes = Vec::new();
    for (number, places) in places(scene) {
        let Some(object) = scene.objects.get(number).filter(|object| !object.silent) else {
            continue;
        };
        let surface = match &*geometries.geometry(object, scene)? {
            Geometry::Ground => None,
            Geometry::Mesh { mesh, .. } => {
                Some(Surface::new(&mesh.vertices, &mesh.triangles, object.size))
            }
            Geometry::Solid(solid) => {
                let mesh = solid.mesh();
                Some(Surface::new(&mesh.vertices, &mesh.triangles, object.size))
            }
            // Their models have the size of the object. That of a bar is a line in its middle.
            geometry @ (Geometry::Shape(_) | Geometry::Model(..)) => {
                let model = objects.get(number).and_then(|object| object.model.as_ref());
                let surface = model.map(|model| Surface::new(&model.points, &model.triangles, 1.0));
                let half_m = half_sides_m(geometry).map(|half_m| object.size * half_m);
                surface.map(|surface| Surface { half_m, ..surface })
            }
        };
        notes.extend(surface.and_then(|surface| surface.note(&object.name, &places)));
    }
    Ok(notes)
}

/// Returns half the sides of the bounding box of a shape about its origin, at size 1; `None` of others.
fn half_sides_m(geometry: &Geometry) -> Option<DVec3> {
    let Geometry::Shape(shape) = geometry else { return None };
    let collider = collider::of_shape(shape).ok()?;
    let corners = surface_mesh(Some(&collider), geometry).vertices;
    bounds(corners.into_iter().map(DVec3::from)).map(|[_, high]| high)
}

/// A place of a strike, or a point of a scrape, in the coordinates of the object.
#[derive(Clone, Copy)]
struct Place {
    at: DVec3,
    at_s: f64,
    is_of_strike: bool,
}

/// Returns the places of strikes and scrapes by object.
fn places(scene: &Scene) -> BTreeMap<usize, Vec<Place>> {
    let mut places: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
    for strike in &scene.strikes {
        if let Some(SurfacePoint::At(at) | SurfacePoint::Along { at, .. }) = strike.place {
            let place = Place { at: at.into(), at_s: strike.at_s, is_of_strike: true };
            places.entry(strike.object).or_default().push(place);
        }
    }
    for scrape in &scene.scrapes {
        let along = scrape.along.iter().map(|&at| Place {
            at: at.into(),
            at_s: scrape.at_s,
            is_of_strike: false,
        });
        places.entry(scrape.object).or_default().extend(along);
    }
    places
}

/// The surface of an object, or its points if it has no surface.
struct Surface {
    corners: Vec<[DVec3; 3]>,
    tree: Bvh,
    size_m: f64,
    /// Half the sides of the box about the origin that a shape fills.
    half_m: Option<DVec3>,
}

impl Surface {
    fn new(points: &[[f64; 3]], triangles: &[[u32; 3]], scale: f64) -> Self {
        let point = |k: usize| scale * DVec3::from(points[k]);
        let corners: Vec<[DVec3; 3]> = match triangles.is_empty() {
            true => (0..points.len()).map(|k| [point(k); 3]).collect(),
            false => triangles.iter().map(|triangle| triangle.map(|k| point(k as usize))).collect(),
        };
        let [low, high] = bounds(corners.as_flattened().iter().copied()).unwrap_or_default();
        let order = (0..corners.len() as u32).collect();
        let tree = Bvh::new(order, LEAF, Split::Median, |k| Aabb::from_points(corners[k as usize]));
        Self { corners, tree, size_m: (high - low).max_element(), half_m: None }
    }

    /// Returns the nearest point of the surface and its distance, m.
    fn nearest(&self, at: DVec3) -> (DVec3, f64) {
        let (mut nearest, mut best) = (at, f64::INFINITY);
        self.tree.nearest(at, &mut |leaf, _| {
            for corners in self.tree.order()[leaf].iter().map(|k| self.corners[*k as usize]) {
                let (squared, weights) = closest_on_triangle(at, corners);
                if squared < best {
                    best = squared;
                    nearest = (0..3).map(|k| weights[k] * corners[k]).sum();
                }
            }
            best
        });
        let from_box_m = |half_m: DVec3| (at.abs() - half_m).max(DVec3::ZERO).length();
        let distance_m = best.sqrt();
        (nearest, self.half_m.map_or(distance_m, |half_m| distance_m.min(from_box_m(half_m))))
    }

    fn note(&self, name: &str, places: &[Place]) -> Option<String> {
        let near_m = (NEAR * self.size_m).max(1e-6);
        let nearest = places.iter().map(|place| (*place, self.nearest(place.at)));
        let far: Vec<(Place, (DVec3, f64))> = nearest.filter(|(_, near)| near.1 > near_m).collect();
        let farthest = far.iter().max_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let (Place { at, at_s, is_of_strike }, (nearest, distance_m)) = *farthest?;
        let (what, remedy) = match is_of_strike {
            true => (format!("the strike at {at_s} s"), "write a `place` on the surface"),
            false => (
                format!("a point of `along` of the scrape at {at_s} s"),
                "write points of `along` on the surface",
            ),
        };
        let of_how_many = match far.len() {
            1 => String::new(),
            n => format!(", as the farthest of {n} places"),
        };
        let (at, nearest) = (in_words(at), in_words(nearest));
        Some(format!(
            "\"{name}\": {what} is at {at}, {distance_m:.2} m from the surface, and was moved to \
             {nearest}{of_how_many}; {remedy}"
        ))
    }
}

/// Returns coordinates to the millimetre.
fn in_words(point: DVec3) -> String {
    let [x, y, z] = point.to_array().map(|x| (1e3 * x).round() / 1e3 + 0.0);
    format!("[{x}, {y}, {z}]")
}

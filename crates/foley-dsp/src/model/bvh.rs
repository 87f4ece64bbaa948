//! Closest triangle of a model's surface, by a bounding volume hierarchy.

use super::ModalParts;
use foley_geometry::bvh::{Aabb, Bvh, Split};
use foley_geometry::vector::closest_on_triangle;
use glam::DVec3;

/// Triangles in a leaf.
const LEAF: usize = 4;

/// A tree over the triangles of a surface.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TriangleBvh {
    tree: Bvh,
    /// Triangles in the order of the leaves.
    triangles: Vec<Triangle>,
}

/// Corners beside the other triangles of a leaf, for the cache, and the index in the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Triangle {
    corners: [DVec3; 3],
    number: u32,
}

/// The closest triangle so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closest {
    pub(super) distance_squared_m2: f64,
    pub(super) triangle: usize,
    pub(super) weights: [f64; 3],
}

impl TriangleBvh {
    /// Builds the tree of a surface, which may have no triangles.
    pub(super) fn new(parts: &ModalParts) -> Self {
        let corners = |t: u32| parts.triangles[t as usize].map(|k| parts.points[k as usize].into());
        let order = (0..).take(parts.triangles.len()).collect();
        let tree = Bvh::new(order, LEAF, Split::Median, |t| Aabb::from_points(corners(t)));
        let triangle = |&number: &u32| Triangle { corners: corners(number), number };
        Self { triangles: tree.order().iter().map(triangle).collect(), tree }
    }

    /// Returns the triangle closest to a point; of several alike the last. `None` without
    /// triangles, or when no distance is finite.
    pub(super) fn closest(&self, at: DVec3) -> Option<Closest> {
        let mut best =
            Closest { distance_squared_m2: f64::INFINITY, triangle: 0, weights: [1.0, 0.0, 0.0] };
        self.tree.nearest(at, &mut |leaf, _| {
            for Triangle { corners, number } in &self.triangles[leaf] {
                let triangle = *number as usize;
                let (distance_squared_m2, weights) = closest_on_triangle(at, *corners);
                let alike =
                    distance_squared_m2 == best.distance_squared_m2 && triangle > best.triangle;
                if distance_squared_m2 < best.distance_squared_m2 || alike {
                    best = Closest { distance_squared_m2, triangle, weights };
                }
            }
            best.distance_squared_m2
        });
        (best.distance_squared_m2 < f64::INFINITY).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ContactBody, Gains};
    use foley_geometry::rng::SplitMix64;

    fn soup(triangles: usize, rng: &mut SplitMix64) -> ModalParts {
        let mut unit = || rng.unit();
        let points: Vec<[f64; 3]> =
            (0..triangles + 2).map(|_| [unit(), unit(), 0.1 * unit()]).collect();
        let triangles = (0..triangles as u32).map(|k| [k, k + 1, (k * 7) % (k + 2)]).collect();
        ModalParts {
            name: "soup".into(),
            frequencies_hz: vec![1.0],
            decays: vec![1.0],
            gains: Gains::from(vec![0.0; points.len()]),
            points,
            triangles,
            body: ContactBody { mass_kg: 1.0, young_pa: 1.0, poisson: 0.3, radius_m: 1.0 },
            ..ModalParts::default()
        }
    }

    #[test]
    fn the_closest_of_all_is_found() {
        let mut rng = SplitMix64::new(5);
        for triangles in [1, 4, 5, 33, 700] {
            let parts = soup(triangles, &mut rng);
            let tree = TriangleBvh::new(&parts);
            for _ in 0..300 {
                let at = [(); 3].map(|()| 4.0 * rng.unit() - 1.5).into();
                let one_by_one = parts.triangles.iter().enumerate().map(|(t, k)| {
                    (closest_on_triangle(at, k.map(|k| parts.points[k as usize].into())).0, t)
                });
                let (distance, triangle) =
                    one_by_one.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).unwrap();
                let found = tree.closest(at).unwrap();
                assert_eq!((found.distance_squared_m2, found.triangle), (distance, triangle));
            }
        }
    }

    #[test]
    fn no_triangles_and_no_numbers_find_nothing() {
        let mut parts = soup(9, &mut SplitMix64::new(1));
        assert!(TriangleBvh::new(&parts).closest(DVec3::new(f64::NAN, 0.0, 0.0)).is_none());
        assert!(TriangleBvh::new(&parts).closest(DVec3::splat(1e300)).is_none());
        parts.triangles.clear();
        assert!(TriangleBvh::new(&parts).closest(DVec3::ZERO).is_none());
    }
}

//! Collider mesh: the triangles that are drawn of an object, in its own coordinates.

use foley_scene::prepare::{Collider, ColliderShape, PreparedObject, convex_hull};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

use crate::surface::drawn_surface::normals;

/// Vertices around a circle: of balls and cylinders, and of the wire of a ring.
const ROUND: usize = 28;
const WIRE: usize = 10;

/// A triangle mesh in an object's own coordinates.
#[derive(Debug, Clone, Default)]
pub(crate) struct ColliderMesh {
    pub(crate) points: Vec<DVec3>,
    pub(crate) triangles: Vec<[usize; 3]>,
    pub(crate) normals: Vec<DVec3>,
}

impl ColliderMesh {
    /// Meshes the colliders of an object, or takes the surface of its model where all colliders are
    /// hulls. A half-space has no triangles.
    pub(crate) fn of(object: &PreparedObject) -> Self {
        let mut mesh = Self::default();
        let hulls = object.colliders.iter().all(|c| matches!(c.shape, ColliderShape::Hull { .. }));
        match &object.model {
            Some(model) if hulls && !model.triangles.is_empty() => {
                mesh.add(&model.points, &model.triangles);
            }
            _ => {
                // Neighbouring capsules of a ring close the ends.
                let ring = object.colliders.len() > 2;
                object.colliders.iter().for_each(|collider| mesh.collider(collider, ring));
            }
        }
        mesh.normals = normals(&mesh.points, &mesh.triangles);
        mesh
    }

    /// Returns the largest distance of a vertex from the origin, m.
    pub(crate) fn radius_m(&self) -> f64 {
        self.points.iter().map(|p| p.length()).fold(0.0, f64::max)
    }

    fn add(&mut self, points: &[[f64; 3]], triangles: &[[u32; 3]]) {
        let first = self.points.len();
        self.points.extend(points.iter().map(|&p| DVec3::from(p)));
        self.triangles.extend(triangles.iter().map(|t| t.map(|k| first + k as usize)));
    }

    fn collider(&mut self, collider: &Collider, ring: bool) {
        let first = self.points.len();
        match &collider.shape {
            ColliderShape::HalfSpace => (),
            ColliderShape::Box { half_m } => self.cuboid(*half_m),
            ColliderShape::Ball { radius_m } => self.revolve(&capsule(0.0, *radius_m, 8), ROUND),
            ColliderShape::Cylinder { half_length_m, radius_m } => {
                self.cylinder(*half_length_m, *radius_m)
            }
            ColliderShape::Capsule { half_length_m, radius_m } if ring => {
                self.revolve(&[[*radius_m, -half_length_m], [*radius_m, *half_length_m]], WIRE);
            }
            ColliderShape::Capsule { half_length_m, radius_m } => {
                self.revolve(&capsule(*half_length_m, *radius_m, 5), ROUND);
            }
            ColliderShape::Hull { points_m } => self.add(points_m, &convex_hull(points_m)),
            ColliderShape::Mesh { points_m, triangles } => self.add(points_m, triangles),
        }
        self.points[first..].iter_mut().for_each(|p| *p = collider.pose.apply(p.to_array()).into());
    }

    fn cuboid(&mut self, half: [f64; 3]) {
        let corner = |k: usize| {
            [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -half[axis] } else { half[axis] })
        };
        let points: Vec<[f64; 3]> = (0..8).map(corner).collect();
        const SIDES: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        self.add(&points, &triangles.collect::<Vec<_>>());
    }

    /// Adds a cylinder. Its edges are sharp: side and ends do not share vertices.
    fn cylinder(&mut self, half: f64, radius: f64) {
        for outline in [
            [[0.0, -half], [radius, -half]],
            [[radius, -half], [radius, half]],
            [[radius, half], [0.0, half]],
        ] {
            self.revolve(&outline, ROUND);
        }
    }

    /// Adds a surface of revolution about z: the outline (distance from the axis, height) runs upwards with
    /// the outside to its right.
    fn revolve(&mut self, outline: &[[f64; 2]], around: usize) {
        let first = self.points.len();
        for [r, z] in outline {
            let turn = |i: usize| TAU * i as f64 / around as f64;
            let point = |i: usize| DVec3::new(r * turn(i).cos(), r * turn(i).sin(), *z);
            self.points.extend((0..around).map(point));
        }
        for (row, i) in (1..outline.len()).flat_map(|row| (0..around).map(move |i| (row, i))) {
            let at = |row: usize, i: usize| first + row * around + i % around;
            let [a, b, c, d] = [at(row - 1, i), at(row - 1, i + 1), at(row, i + 1), at(row, i)];
            self.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
}

/// Returns the outline of a capsule, each half ball in `steps` steps.
fn capsule(half: f64, radius: f64, steps: usize) -> Vec<[f64; 2]> {
    let arc = |k: usize, from: f64, z: f64| {
        let angle = from + 0.5 * PI * k as f64 / steps as f64;
        [radius * angle.cos().max(0.0), z + radius * angle.sin()]
    };
    let below = (0..=steps).map(|k| arc(k, -0.5 * PI, -half));
    below.chain((0..=steps).map(|k| arc(k, 0.0, half))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foley_scene::scene::Pose;

    /// Volume by the divergence theorem: correct for closed, outward-oriented surfaces.
    fn volume(mesh: &ColliderMesh) -> f64 {
        let six = mesh.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|k| mesh.points[k]);
            a.dot(b.cross(c))
        });
        six.sum::<f64>() / 6.0
    }

    fn mesh(shape: ColliderShape) -> ColliderMesh {
        let pose = Pose { position_m: [3.0, -2.0, 0.5], rotation: [0.6, 0.0, 0.0, 0.8] };
        let mut mesh = ColliderMesh::default();
        mesh.collider(&Collider { pose, shape }, false);
        mesh
    }

    #[test]
    fn forms_have_their_volume() {
        let near = |shape: ColliderShape, m3: f64, within: f64| {
            let found = volume(&mesh(shape));
            assert!(found < m3 * (1.0 + 1e-9) && found > m3 * (1.0 - within), "{found} {m3}");
        };
        near(ColliderShape::Box { half_m: [0.1, 0.2, 0.3] }, 0.048, 1e-9);
        near(ColliderShape::Ball { radius_m: 0.5 }, PI / 6.0, 0.03);
        near(ColliderShape::Cylinder { half_length_m: 0.5, radius_m: 0.2 }, 0.04 * PI, 0.01);
        let capsule_m3 = PI * 0.04 + 4.0 / 3.0 * PI * 0.008;
        near(ColliderShape::Capsule { half_length_m: 0.5, radius_m: 0.2 }, capsule_m3, 0.03);
        let corners = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2].map(f64::from));
        near(ColliderShape::Hull { points_m: corners.collect() }, 1.0, 1e-9);
    }
}

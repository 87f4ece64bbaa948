//! Collider mesh: the triangles that are drawn of an object, in its own coordinates.

use foley_geometry::collider::{Collider, cuboid_corners, cuboid_triangles};
use foley_geometry::{Pose, convex_hull};
use foley_scene::prepare::PreparedObject;
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
    /// Meshes the collider of an object, or takes the surface of its model where the collider is a
    /// hull. A half-space has no triangles.
    pub(crate) fn of(object: &PreparedObject) -> Self {
        let mut mesh = Self::default();
        let parts = object.collider.iter().flat_map(|collider| collider.simple_parts());
        let parts: Vec<_> = parts.collect();
        let hulls = parts.iter().all(|(part, _)| matches!(**part, Collider::Hull { .. }));
        match &object.model {
            Some(model) if hulls && !model.triangles.is_empty() => {
                mesh.add(&model.points, &model.triangles);
            }
            _ => {
                // Neighbouring capsules of a ring close the ends.
                let ring = parts.len() > 2;
                parts.iter().for_each(|(part, pose)| mesh.collider(part, pose, ring));
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

    fn collider(&mut self, collider: &Collider, pose: &Pose, ring: bool) {
        let first = self.points.len();
        match collider {
            // A ring or a compound is no simple part.
            Collider::HalfSpace | Collider::Ring { .. } | Collider::Compound { .. } => (),
            Collider::Box { half_m } => self.add(&cuboid_corners(*half_m), &cuboid_triangles()),
            Collider::Ball { radius_m } => self.revolve(&capsule(0.0, *radius_m, 8), ROUND),
            Collider::Cylinder { half_length_m: half, radius_m } => {
                let base = [[0.0, -half], [*radius_m, -half]];
                let side = [[*radius_m, -half], [*radius_m, *half]];
                let top = [[*radius_m, *half], [0.0, *half]];
                self.revolve_sharp(&[base, side, top]);
            }
            Collider::Cone { half_length_m: half, radius_m } => {
                let base = [[0.0, -half], [*radius_m, -half]];
                self.revolve_sharp(&[base, [[*radius_m, -half], [0.0, *half]]]);
            }
            Collider::Capsule { half_length_m, radius_m } if ring => {
                self.revolve(&[[*radius_m, -half_length_m], [*radius_m, *half_length_m]], WIRE);
            }
            Collider::Capsule { half_length_m, radius_m } => {
                self.revolve(&capsule(*half_length_m, *radius_m, 5), ROUND);
            }
            Collider::Hull { points_m } => self.add(points_m, &convex_hull(points_m)),
            Collider::Mesh { points_m, triangles } => self.add(points_m, triangles),
        }
        self.points[first..].iter_mut().for_each(|p| *p = pose.apply(p.to_array()).into());
    }

    /// Adds a body of revolution with sharp edges: its surfaces do not share vertices.
    fn revolve_sharp(&mut self, outlines: &[[[f64; 2]; 2]]) {
        outlines.iter().for_each(|outline| self.revolve(outline, ROUND));
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

    /// Volume by the divergence theorem: correct for closed, outward-oriented surfaces.
    fn volume(mesh: &ColliderMesh) -> f64 {
        let six = mesh.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|k| mesh.points[k]);
            a.dot(b.cross(c))
        });
        six.sum::<f64>() / 6.0
    }

    fn mesh(collider: Collider) -> ColliderMesh {
        let pose = Pose { position_m: [3.0, -2.0, 0.5], rotation: [0.6, 0.0, 0.0, 0.8] };
        let mut mesh = ColliderMesh::default();
        mesh.collider(&collider, &pose, false);
        mesh
    }

    #[test]
    fn forms_have_their_volume() {
        let near = |collider: Collider, m3: f64, within: f64| {
            let found = volume(&mesh(collider));
            assert!(found < m3 * (1.0 + 1e-9) && found > m3 * (1.0 - within), "{found} {m3}");
        };
        near(Collider::Box { half_m: [0.1, 0.2, 0.3] }, 0.048, 1e-9);
        near(Collider::Ball { radius_m: 0.5 }, PI / 6.0, 0.03);
        near(Collider::Cylinder { half_length_m: 0.5, radius_m: 0.2 }, 0.04 * PI, 0.01);
        let capsule_m3 = PI * 0.04 + 4.0 / 3.0 * PI * 0.008;
        near(Collider::Capsule { half_length_m: 0.5, radius_m: 0.2 }, capsule_m3, 0.03);
        near(Collider::Cone { half_length_m: 0.5, radius_m: 0.2 }, 0.04 * PI / 3.0, 0.01);
        let corners = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2].map(f64::from));
        near(Collider::Hull { points_m: corners.collect() }, 1.0, 1e-9);
    }
}

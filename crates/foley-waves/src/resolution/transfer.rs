//! Velocities of the given surface as loads on a coarser one.
//!
//! The load of a shape function φ is ∫ v φ dA. It is integrated over the *given* surface, each
//! point of which takes φ at the closest point of the coarse one. Where the shape functions sum to
//! one, as on closed bodies, the loads sum to the volume velocity exactly.

use crate::operator::Elements;
use crate::quadrature::THREE_POINTS;
use crate::surface::Surface;
use crate::velocity::NormalVelocity;
use faer::Mat;
use foley_geometry::bvh::{Aabb, Bvh, Split};
use foley_geometry::vector::closest_on_triangle;
use foley_parallel::prelude::*;
use glam::DVec3;
use num_complex::Complex64;

/// Triangles are cut until they are smaller than this fraction of the coarse edges.
const CUT: f64 = 0.5;
/// Most cuts of a triangle's edge.
const MOST_CUTS: usize = 16;
/// Cosine between normals below which a coarse triangle belongs to another wall.
const SAME_WALL: f64 = 0.3;

/// A sparse matrix from corner velocities of the given surface to loads.
pub(crate) struct Transfer {
    unknowns: usize,
    /// Unknown, corner (three to a triangle), weight.
    entries: Vec<(u32, u32, f64)>,
}

impl Transfer {
    pub(crate) fn new(from: &Surface, to: &Elements, edge_m: f64) -> Self {
        let tree = Bvh::new((0..to.list.len() as u32).collect(), 4, Split::Median, |e| {
            Aabb::from_points(to.list[e as usize].corners)
        });
        let numbers: Vec<usize> = (0..from.len()).collect();
        let lists: Vec<Vec<(u32, u32, f64)>> = numbers
            .par_chunks(256)
            .map(|chunk| {
                let mut list = Vec::new();
                chunk.iter().for_each(|&t| add_triangle(from, to, &tree, edge_m, t, &mut list));
                list
            })
            .collect();
        Self { unknowns: to.unknowns, entries: lists.concat() }
    }

    /// Returns the loads of velocity fields, one column each.
    pub(crate) fn loads(&self, velocities: &[&NormalVelocity]) -> Mat<Complex64> {
        let mut loads = Mat::<Complex64>::zeros(self.unknowns, velocities.len());
        for (j, velocity) in velocities.iter().enumerate() {
            for (unknown, corner, weight) in &self.entries {
                let corner = *corner as usize;
                let v = f64::from(velocity.corners[corner / 3][corner % 3]);
                loads[(*unknown as usize, j)] += weight * v;
            }
        }
        loads
    }
}

/// Adds the entries of a triangle of the given surface.
fn add_triangle(
    from: &Surface,
    to: &Elements,
    tree: &Bvh,
    edge_m: f64,
    t: usize,
    list: &mut Vec<(u32, u32, f64)>,
) {
    let triangle = &from.triangles[t];
    let corners = from.corners(t);
    let longest = [0, 1, 2]
        .map(|k| corners[k].distance(corners[(k + 1) % 3]))
        .into_iter()
        .fold(0.0, f64::max);
    let cuts = ((longest / (CUT * edge_m)).ceil() as usize).clamp(1, MOST_CUTS);
    for weights in points(cuts) {
        let at = (0..3).map(|k| corners[k] * weights[k]).sum();
        let Some((number, place)) = closest(to, tree, at, triangle.normal, triangle.closed) else {
            continue;
        };
        let element = &to.list[number];
        let facing = triangle.normal.dot(element.normal).signum();
        let area = facing * triangle.area / (3 * cuts * cuts) as f64;
        for (corner, shape) in element.unknowns.iter().zip(place) {
            for &(unknown, sign) in corner.entries() {
                for (c, weight) in weights.iter().enumerate() {
                    list.push((unknown, (3 * t + c) as u32, sign * area * shape * weight));
                }
            }
        }
    }
}

/// Returns the quadrature points of a triangle that is cut into n² parts.
fn points(n: usize) -> Vec<[f64; 3]> {
    let mut all = Vec::with_capacity(3 * n * n);
    let step = 1.0 / n as f64;
    let mut part = |corners: [[f64; 2]; 3]| {
        for (weights, _) in &THREE_POINTS {
            let at = |a: usize| (0..3).map(|c| weights[c] * corners[c][a]).sum::<f64>() * step;
            all.push([1.0 - at(0) - at(1), at(0), at(1)]);
        }
    };
    for i in 0..n {
        for j in 0..n - i {
            let (x, y) = (i as f64, j as f64);
            part([[x, y], [x + 1.0, y], [x, y + 1.0]]);
            if i + j + 1 < n {
                part([[x + 1.0, y + 1.0], [x, y + 1.0], [x + 1.0, y]]);
            }
        }
    }
    all
}

/// Returns the closest coarse element with a similar normal and the barycentric place in it. A
/// closed body's normals must agree, so that the two walls of a thin one are not confused.
fn closest(
    to: &Elements,
    tree: &Bvh,
    at: DVec3,
    normal: DVec3,
    closed: bool,
) -> Option<(usize, [f64; 3])> {
    let search = |strict: bool| {
        let mut found = None;
        tree.nearest(at, &mut |leaf, mut best| {
            for &e in &tree.order()[leaf] {
                let element = &to.list[e as usize];
                let cosine = normal.dot(element.normal);
                let cosine = if closed { cosine } else { cosine.abs() };
                let (distance, place) = closest_on_triangle(at, element.corners);
                if distance < best && (!strict || cosine > SAME_WALL) {
                    best = distance;
                    found = Some((e as usize, place));
                }
            }
            best
        });
        found
    };
    search(true).or_else(|| search(false))
}

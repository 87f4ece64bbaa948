//! Surfaces of revolution with triangles of even size.
//!
//! Each ring has as many vertices as its circumference needs; two rings are joined by traversing
//! both and always advancing on the one with the smaller angle. Every second ring is shifted by
//! half a step, which makes the triangles of a cylinder equilateral.

use crate::mesh::Mesh;
use std::f64::consts::TAU;

/// Vertices of one ring: the first, their number, and the shift in revolutions.
#[derive(Clone, Copy)]
struct Ring {
    first: u32,
    count: u32,
    shift: f64,
}

impl Ring {
    fn vertex(self, i: u32) -> u32 {
        self.first + i % self.count
    }

    /// Returns the steps of one revolution; a point on the axis has none.
    fn steps(self) -> u32 {
        if self.count == 1 { 0 } else { self.count }
    }

    /// Returns the revolutions after i steps.
    fn revolutions(self, i: u32) -> f64 {
        f64::from(i) / f64::from(self.count) + self.shift
    }
}

/// Returns the distance between rings for edges of length `edge`.
pub fn ring_spacing(edge: f64) -> f64 {
    edge * 0.75_f64.sqrt()
}

/// Revolves a curve (r, z) about the z axis. Where the curve runs upward, its outer side is the
/// outside. A `closed` curve joins its last point to its first.
pub fn revolve(curve: &[[f64; 2]], edge: f64, closed: bool) -> Mesh {
    let mut mesh = Mesh::default();
    let mut rings = Vec::with_capacity(curve.len());
    for (i, &[r, z]) in curve.iter().enumerate() {
        let count = if r == 0.0 { 1 } else { ((TAU * r / edge).round() as u32).max(6) };
        let shift = if i % 2 == 1 { 0.5 / f64::from(count) } else { 0.0 };
        let ring = Ring { first: mesh.vertices.len() as u32, count, shift };
        for k in 0..count {
            let (sin, cos) = (TAU * ring.revolutions(k)).sin_cos();
            mesh.vertices.push([r * cos, r * sin, z]);
        }
        rings.push(ring);
    }
    for pair in rings.windows(2) {
        join_rings(&mut mesh, pair[0], pair[1]);
    }
    if closed && rings.len() > 2 {
        join_rings(&mut mesh, rings[rings.len() - 1], rings[0]);
    }
    mesh
}

fn join_rings(mesh: &mut Mesh, a: Ring, b: Ring) {
    let (mut i, mut j) = (0, 0);
    while i < a.steps() || j < b.steps() {
        let first = j == b.steps() || i < a.steps() && a.revolutions(i + 1) <= b.revolutions(j + 1);
        if first {
            mesh.triangles.push([a.vertex(i), a.vertex(i + 1), b.vertex(j)]);
            i += 1;
        } else {
            mesh.triangles.push([a.vertex(i), b.vertex(j + 1), b.vertex(j)]);
            j += 1;
        }
    }
}

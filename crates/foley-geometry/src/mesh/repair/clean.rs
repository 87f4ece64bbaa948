//! Validity checks, and removal of degenerate, duplicate and unused items.

use crate::mesh::error::MAX_COORDINATE;
use crate::mesh::{Mesh, MeshError};
use crate::vector::area_vector;
use glam::DVec3;

/// A triangle whose height is below this fraction of its longest side is degenerate.
const FLAT: f64 = 1e-9;

/// Checks that there are triangles and that their vertices exist and are finite.
pub(in crate::mesh) fn check(mesh: &Mesh) -> Result<(), MeshError> {
    let vertices = mesh.vertices.len();
    if mesh.triangles.is_empty() {
        return Err(MeshError::NoTriangles);
    }
    for (what, found) in [("vertices", vertices), ("triangles", mesh.triangles.len())] {
        let (found, limit) = (found as u64, 1 << 30);
        if found > limit {
            return Err(MeshError::Limit { what, found, limit });
        }
    }
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        for &vertex in corners {
            let Some(&at) = mesh.vertices.get(vertex as usize) else {
                return Err(MeshError::NoSuchVertex { triangle, vertex, vertices });
            };
            if !at.iter().all(|x| x.abs() <= MAX_COORDINATE) {
                return Err(MeshError::Vertex { vertex: vertex as usize, at });
            }
        }
    }
    Ok(())
}

/// Drops the parts when they do not cover all triangles in order.
pub(super) fn check_parts(mesh: &mut Mesh) {
    let mut end = 0;
    let follows = mesh.parts.iter().all(|part| {
        let follows = part.triangles.start == end && part.triangles.end >= end;
        end = part.triangles.end;
        follows
    });
    if !follows || end != mesh.triangles.len() {
        mesh.parts.clear();
    }
}

/// Keeps the chosen triangles and adjusts the parts. Returns the number removed.
fn retain(mesh: &mut Mesh, keep: impl Fn(usize) -> bool) -> usize {
    let before = mesh.triangles.len();
    let (mut from, mut to) = (0, 0);
    for p in &mut mesh.parts {
        let start = to;
        to += p.triangles.clone().filter(|&t| keep(t)).count();
        p.triangles = start..to;
    }
    mesh.triangles.retain(|_| {
        from += 1;
        keep(from - 1)
    });
    mesh.parts.retain(|p| !p.triangles.is_empty());
    before - mesh.triangles.len()
}

pub(super) fn drop_degenerate(mesh: &mut Mesh) -> usize {
    let flat = |t: usize| {
        let [a, b, c] = mesh.triangles[t];
        a == b || b == c || c == a || is_flat(mesh.corners(t))
    };
    let keep: Vec<bool> = (0..mesh.triangles.len()).map(|t| !flat(t)).collect();
    retain(mesh, |t| keep[t])
}

fn is_flat([a, b, c]: [DVec3; 3]) -> bool {
    let longest = a.distance_squared(b).max(b.distance_squared(c)).max(c.distance_squared(a));
    // Twice the area is the longest side times the height over it. Scaled first, because the
    // fourth power of very short sides would underflow.
    let area = area_vector([a, b, c]) / longest;
    !(area.length_squared() > FLAT * FLAT)
}

pub(super) fn drop_duplicates(mesh: &mut Mesh) -> usize {
    let key = |t: u32| {
        let mut corners = mesh.triangles[t as usize];
        corners.sort_unstable();
        corners
    };
    let mut order: Vec<([u32; 3], u32)> =
        (0..mesh.triangles.len() as u32).map(|t| (key(t), t)).collect();
    order.sort_unstable();
    let mut keep = vec![true; mesh.triangles.len()];
    for pair in order.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        keep[pair[1].1 as usize] = false;
    }
    retain(mesh, |t| keep[t])
}

/// Drops unused vertices and keeps the order of the others. Returns the number removed.
pub(in crate::mesh) fn drop_unused(mesh: &mut Mesh) -> usize {
    let before = mesh.vertices.len();
    let mut used = vec![false; before];
    for &v in mesh.triangles.iter().flatten() {
        used[v as usize] = true;
    }
    let mut count = 0;
    let number: Vec<u32> = used
        .iter()
        .map(|&used| {
            count += u32::from(used);
            count.wrapping_sub(1)
        })
        .collect();
    let mut place = used.iter();
    mesh.vertices.retain(|_| place.next() == Some(&true));
    for v in mesh.triangles.iter_mut().flatten() {
        *v = number[*v as usize];
    }
    before - mesh.vertices.len()
}

//! Consistent winding: which side of a triangle is outside.
//!
//! A *patch* is a set of triangles connected by edges of exactly two triangles. Within a patch,
//! neighbours must traverse their common edge in opposite directions; union-find with parity
//! finds which triangles to flip and whether the patch is orientable. A closed patch is turned
//! outward by the sign of its volume; an open one keeps the side of most of its area.

use super::cavities;
use super::edges::{Edges, endpoints};
use crate::mesh::Mesh;
use crate::mesh::union_find::UnionFind;
use crate::vector::{area_vector, bounds};

/// A patch and its measures.
#[derive(Clone)]
pub(super) struct Patch {
    /// Whether the patch alone bounds a solid.
    pub(super) closed: bool,
    /// Area of triangles wound like the root, less the area of the others.
    agreement: f64,
    /// Six times the volume in the winding of the root.
    volume: f64,
}

impl Patch {
    /// Returns whether most of its area is wound against the root.
    fn mostly_odd(&self) -> bool {
        self.agreement < 0.0
    }

    /// Returns six times the volume in the winding of most of the area.
    pub(super) fn volume_as_read(&self) -> f64 {
        if self.mostly_odd() { -self.volume } else { self.volume }
    }
}

/// Flips triangles so that neighbours agree; returns the number flipped.
pub(super) fn unify(mesh: &mut Mesh) -> usize {
    let edges = Edges::new(mesh);
    let (patch_of, odd, mut patches) = patches(mesh, &edges);
    find_open(mesh, &edges, &patch_of, &odd, &mut patches);
    drop(edges);
    let cavity = cavities::cavities(mesh, &patch_of, &odd, &patches);
    // Whether the triangles that agree with the root are flipped.
    let flip: Vec<bool> = patches
        .iter()
        .zip(cavity)
        .map(|(patch, cavity)| match patch.closed && patch.volume != 0.0 {
            true => (patch.volume < 0.0) != cavity,
            false => patch.mostly_odd(),
        })
        .collect();
    let mut flipped = 0;
    for ((triangle, patch), odd) in mesh.triangles.iter_mut().zip(patch_of).zip(odd) {
        if odd != flip[patch as usize] {
            triangle.swap(1, 2);
            flipped += 1;
        }
    }
    flipped
}

/// Returns the patch of every triangle, whether it is wound against the patch's root, and the
/// patches.
fn patches(mesh: &Mesh, edges: &Edges) -> (Vec<u32>, Vec<bool>, Vec<Patch>) {
    let mut sets = UnionFind::new(mesh.triangles.len());
    let mut one_sided = Vec::new();
    edges.for_each(|_, _, halves| {
        if let &[a, b] = halves {
            let alike = endpoints(mesh, a) == endpoints(mesh, b);
            if !sets.join(a / 3, b / 3, alike) {
                one_sided.push(a / 3);
            }
        }
    });
    let used = mesh.triangles.iter().flatten().map(|&v| mesh.vertex(v));
    let middle = bounds(used).map(|[low, high]| low.midpoint(high)).unwrap_or_default();
    let mut patches: Vec<Patch> = Vec::new();
    let mut patch_of = vec![0; mesh.triangles.len()];
    let mut odd = vec![false; mesh.triangles.len()];
    for t in 0..mesh.triangles.len() {
        // The root is the lowest index of its patch, so it comes first.
        let (root, parity) = sets.find(t as u32);
        if root == t as u32 {
            patch_of[t] = patches.len() as u32;
            patches.push(Patch { closed: true, agreement: 0.0, volume: 0.0 });
        } else {
            patch_of[t] = patch_of[root as usize];
        }
        odd[t] = parity;
        let sign = if parity { -1.0 } else { 1.0 };
        let corners = mesh.corners(t).map(|p| p - middle);
        let patch = &mut patches[patch_of[t] as usize];
        patch.agreement += sign * area_vector(corners).length();
        patch.volume += sign * corners[0].dot(corners[1].cross(corners[2]));
    }
    for t in one_sided {
        patches[patch_of[t as usize] as usize].closed = false;
    }
    (patch_of, odd, patches)
}

/// Marks patches with a boundary: an edge not traversed equally often in both directions.
fn find_open(mesh: &Mesh, edges: &Edges, patch_of: &[u32], odd: &[bool], patches: &mut [Patch]) {
    let mut directions: Vec<(u32, i64)> = Vec::new();
    edges.for_each(|_, _, halves| match *halves {
        // Two triangles of one patch agree, unless the patch is one-sided.
        [_, _] => {}
        [half] => patches[patch_of[half as usize / 3] as usize].closed = false,
        _ => {
            directions.clear();
            directions.extend(halves.iter().map(|&half| {
                let t = half as usize / 3;
                let [from, to] = endpoints(mesh, half);
                (patch_of[t], if (from < to) != odd[t] { 1 } else { -1 })
            }));
            directions.sort_unstable();
            for group in directions.chunk_by(|a, b| a.0 == b.0) {
                if group.iter().map(|direction| direction.1).sum::<i64>() != 0 {
                    patches[group[0].0 as usize].closed = false;
                }
            }
        }
    });
}

//! Cavities: closed surfaces inside closed surfaces, distinguished from overlapping bodies.
//!
//! A cavity is wound against the surface around it; a body within a body is wound like it. So a
//! closed patch inside an odd number of others is a cavity when, as read, the signs of its volume
//! and of the outermost volume differ. The inside test is the solid angle that the outer patch
//! subtends at a point of the inner one (van Oosterom & Strackee 1983): 4π inside, 0 outside.

use super::winding::Patch;
use crate::mesh::Mesh;
use crate::vector::bounds;
use glam::DVec3;
use std::f64::consts::PI;

/// Beyond these limits the test is skipped and every closed patch counts as a body.
const MAX_PATCHES: usize = 256;
const MAX_ANGLES: usize = 100_000_000;

/// Returns which patches are walls of cavities.
pub(super) fn cavities(
    mesh: &Mesh,
    patch_of: &[u32],
    odd: &[bool],
    patches: &[Patch],
) -> Vec<bool> {
    let mut cavity = vec![false; patches.len()];
    let closed: Vec<usize> = (0..patches.len()).filter(|&p| patches[p].closed).collect();
    if closed.len() < 2 || patches.len() > MAX_PATCHES {
        return cavity;
    }
    let boxes = boxes(mesh, patch_of, patches.len());
    let around = |inner: usize| -> Vec<usize> {
        let holds = |&outer: &usize| {
            outer != inner
                && boxes[outer][0].cmplt(boxes[inner][0]).all()
                && boxes[inner][1].cmplt(boxes[outer][1]).all()
        };
        closed.iter().copied().filter(holds).collect()
    };
    let suspects: Vec<(usize, Vec<usize>)> =
        closed.iter().map(|&p| (p, around(p))).filter(|(_, outer)| !outer.is_empty()).collect();
    if suspects.len() * mesh.triangles.len() > MAX_ANGLES {
        return cavity;
    }
    for (inner, outer) in suspects {
        let Some(first) = patch_of.iter().position(|&p| p as usize == inner) else { continue };
        let eye = mesh.corners(first)[0];
        let mut angle = vec![0.0; patches.len()];
        let mut is_outer = vec![false; patches.len()];
        outer.iter().for_each(|&p| is_outer[p] = true);
        for (t, &p) in patch_of.iter().enumerate() {
            if is_outer[p as usize] {
                let seen = solid_angle(mesh.corners(t).map(|c| c - eye));
                angle[p as usize] += if odd[t] { -seen } else { seen };
            }
        }
        let holding: Vec<usize> =
            outer.into_iter().filter(|&p| angle[p].abs() > 2.0 * PI).collect();
        let volume = |p: usize| patches[p].volume_as_read();
        let outermost =
            holding.iter().copied().max_by(|&a, &b| volume(a).abs().total_cmp(&volume(b).abs()));
        cavity[inner] = holding.len() % 2 == 1
            && outermost.is_some_and(|outermost| volume(outermost) * volume(inner) < 0.0);
    }
    cavity
}

fn boxes(mesh: &Mesh, patch_of: &[u32], patches: usize) -> Vec<[DVec3; 2]> {
    let mut boxes = vec![[DVec3::INFINITY, DVec3::NEG_INFINITY]; patches];
    for (t, &p) in patch_of.iter().enumerate() {
        if let Some([low, high]) = bounds(mesh.corners(t)) {
            let [l, h] = boxes[p as usize];
            boxes[p as usize] = [l.min(low), h.max(high)];
        }
    }
    boxes
}

/// tan(Ω/2) = a·(b×c) / (abc + (a·b)c + (b·c)a + (c·a)b).
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (na, nb, nc) = (a.length(), b.length(), c.length());
    let below = na * nb * nc + a.dot(b) * nc + b.dot(c) * na + c.dot(a) * nb;
    2.0 * a.dot(b.cross(c)).atan2(below)
}

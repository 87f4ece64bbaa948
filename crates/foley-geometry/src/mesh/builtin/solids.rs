//! Solid objects on voxel grids, a torus, and a flat sheet.

use super::revolve::revolve;
use super::voxels::{grid_planes, voxel_surface};
use crate::mesh::Mesh;
use glam::DVec3;
use std::f64::consts::TAU;

/// Half the length of the arch of the marimba bar, half an ellipse, and how deep it is cut:
/// tuned so that the bending modes lie at 1, 3.97, 9.4 and 16.7, as on real bars.
const ARCH: f64 = 0.126;
const CUT: f64 = 0.0157;

/// A bar along x, its flat top at z = 0.
pub(super) fn marimba_bar(edge: f64) -> Mesh {
    let (half_length, half_width, height) = (0.18, 0.025, 0.022);
    let grid = [
        grid_planes(&[-half_length, -ARCH, ARCH, half_length], edge),
        grid_planes(&[-half_width, half_width], edge),
        grid_planes(&[-height, 0.0], edge),
    ];
    let mut mesh = voxel_surface(&grid, |_| true);
    for [x, _, z] in &mut mesh.vertices {
        let arch = (1.0 - (*x / ARCH).powi(2)).max(0.0).sqrt();
        *z *= 1.0 - CUT * arch / height;
    }
    mesh
}

/// A sheet in the xy plane, centred.
pub(super) fn plate(edge: f64) -> Mesh {
    let [x, y] = [grid_planes(&[-0.15, 0.15], edge), grid_planes(&[-0.1, 0.1], edge)];
    let vertices = y.iter().flat_map(|&y| x.iter().map(move |&x| [x, y, 0.0]));
    let mut mesh = Mesh::new(vertices.collect(), Vec::new());
    let (across, up) = (x.len() as u32, y.len() as u32);
    for j in 0..up - 1 {
        for i in 0..across - 1 {
            let a = j * across + i;
            let (b, c, d) = (a + 1, a + across + 1, a + across);
            mesh.triangles.extend(match (i + j) % 2 {
                0 => [[a, b, c], [a, c, d]],
                _ => [[a, b, d], [b, c, d]],
            });
        }
    }
    mesh
}

/// A torus; the curve goes round the wire.
pub(super) fn ring(edge: f64) -> Mesh {
    let (ring, wire) = (0.040, 0.004);
    // An even number, so that the shifts of the rings alternate all the way round.
    let n = 2 * ((TAU * wire / edge / 2.0).round() as u32).max(4);
    let point = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(n)).sin_cos();
        [ring + wire * cos, wire * sin]
    };
    revolve(&(0..n).map(point).collect::<Vec<_>>(), edge, true)
}

/// A table that stands on z = 0.
pub(super) fn table(edge: f64) -> Mesh {
    let (x, y, top, height) = (0.6, 0.35, 0.03, 0.75);
    let (outer, leg) = (0.05, 0.06);
    let along = |half: f64| {
        let (far, near) = (half - outer, half - outer - leg);
        grid_planes(&[-half, -far, -near, near, far, half], edge)
    };
    let grid = [along(x), along(y), grid_planes(&[0.0, height - top, height], edge)];
    let in_leg = |at: f64, half: f64| (half - outer - leg..half - outer).contains(&at.abs());
    voxel_surface(&grid, |p| p[2] > height - top || in_leg(p[0], x) && in_leg(p[1], y))
}

/// A cube whose edges and corners are rounded.
pub(super) fn die(edge: f64) -> Mesh {
    let (half, round) = (0.008, 0.002);
    let core = half - round;
    let axis = grid_planes(&[-half, -core, core, half], edge);
    let mut mesh = voxel_surface(&[axis.clone(), axis.clone(), axis], |_| true);
    for p in &mut mesh.vertices {
        let inner = DVec3::from(p.map(|x| x.clamp(-core, core)));
        let out = DVec3::from(*p) - inner;
        *p = (inner + out * (round / out.length())).to_array();
    }
    mesh
}
